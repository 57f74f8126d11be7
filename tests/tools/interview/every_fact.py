"""Facts of every kind with every value, and the question that each answers."""

import itertools
from collections.abc import Iterator

from bedside import ADHERENCE, FUNCTIONAL, PAIN, SOCIAL, SYMPTOMS

from state.patient import AdherenceFact, Fact, FunctionalFact, PainFact, SocialFact, Span, SymptomFact
from state.patient_values import Course, Functional, HomeUse, InHospital, Reason, Severity, Side, Social
from tools.interview.words import symptoms
from tools.vocabulary import Vocabulary

QUESTION = {
    "symptom": (SYMPTOMS, "all your symptoms"),
    "adherence": (ADHERENCE, "all"),
    "social": (SOCIAL, ""),
    "functional": (FUNCTIONAL, ""),
    "pain": (PAIN, ""),
}
SPANS = tuple(
    Span(count=count, unit=unit)
    for count, unit in ((2, "day"), (1, "week"), (12, "hour"), (23, "day"), (3, "month"), (1, "year"))
)


def symptom_facts() -> Iterator[SymptomFact]:
    """Give each symptom plain, denied, on each side, and with each course and severity somewhere."""
    details = itertools.cycle(itertools.product(Course, Severity))
    spans = itertools.cycle(SPANS)
    for symptom in symptoms().values():
        for side in (None, Side.LEFT, Side.RIGHT) if symptom.sided else (None,):
            yield SymptomFact(symptom=symptom.id, side=side)
            yield SymptomFact(symptom=symptom.id, side=side, denied=True)
            yield SymptomFact(symptom=symptom.id, side=side, onset=next(spans))
            if not symptom.event:
                course, severity = next(details)
                yield SymptomFact(
                    symptom=symptom.id, side=side, onset=next(spans), course=course, severity=severity
                )


def adherence_facts(vocabulary: Vocabulary) -> Iterator[AdherenceFact]:
    """Give each use, reason and fate in hospital of one drug, and each drug of the vocabulary somehow."""
    for home, here in itertools.product((None, *HomeUse), (None, *InHospital)):
        if home in (None, HomeUse.TAKING):
            if home or here:
                yield AdherenceFact(drug="furosemide", home=home, here=here)
            continue
        for reason in (None, *Reason):
            yield AdherenceFact(drug="furosemide", home=home, here=here, reason=reason, since=SPANS[0])
    uses = itertools.cycle(HomeUse)
    for drug in vocabulary.ingredients:
        yield AdherenceFact(drug=drug.id, home=next(uses), here=InHospital.GIVEN)


def every_fact(vocabulary: Vocabulary) -> Iterator[Fact]:
    """Give all of them."""
    yield from symptom_facts()
    yield from adherence_facts(vocabulary)
    yield from (SocialFact(status=status) for status in Social)
    yield from (FunctionalFact(status=status) for status in Functional)
    yield from (PainFact(score=score) for score in range(11))

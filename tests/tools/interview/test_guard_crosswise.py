"""What is true of one fact is refused for another that differs in one thing: every value against every other."""

import itertools
from collections.abc import Iterator

import pytest
from bedside import knowing, utterance
from every_fact import QUESTION, SPANS

from state.base import Language
from state.patient import AdherenceFact, Fact, FunctionalFact, PainFact, SocialFact, SymptomFact
from state.patient_values import (
    Course,
    Functional,
    HomeUse,
    InHospital,
    Level,
    Reason,
    Severity,
    Side,
    Social,
)
from tools.interview.words import symptoms
from tools.vocabulary import Vocabulary


def families() -> Iterator[list[Fact]]:
    """Give lists of facts of which no two are told by the same words."""
    cough = {"symptom": "cough", "onset": SPANS[0], "course": Course.SAME, "severity": Severity.MILD}
    yield [SymptomFact(**cough | {"course": course}) for course in Course]
    yield [SymptomFact(**cough | {"severity": severity}) for severity in Severity]
    yield [SymptomFact(**cough | {"onset": span}) for span in SPANS]
    yield [SymptomFact(symptom="cough"), SymptomFact(symptom="cough", denied=True), SymptomFact(**cough)]
    yield [SymptomFact(symptom="leg_pain", side=side) for side in (None, *Side)][1:]
    yield [SymptomFact(symptom=name) for name in symptoms()]
    unused = {"drug": "furosemide", "home": HomeUse.NOT_TAKING, "since": SPANS[0], "reason": Reason.COST}
    yield [AdherenceFact(**unused | {"reason": reason}) for reason in (None, *Reason)]
    yield [AdherenceFact(**unused | {"since": span}) for span in (None, *SPANS)]
    yield [AdherenceFact(**unused | {"home": home}) for home in HomeUse if home is not HomeUse.TAKING]
    yield [AdherenceFact(drug="furosemide", home=home) for home in HomeUse]
    yield [AdherenceFact(drug="furosemide", home=HomeUse.TAKING, here=here) for here in (None, *InHospital)]
    yield [AdherenceFact(drug="furosemide", here=here) for here in InHospital]
    yield [
        AdherenceFact(drug=drug, home=HomeUse.TAKING)
        for drug in (
            "furosemide",
            "warfarin",
            "metformin",
            "insulin_glargine",
            "aspirin",
            "lithium",
            "digoxin",
        )
    ]
    yield [SocialFact(status=status) for status in Social]
    yield [FunctionalFact(status=status) for status in Functional]
    yield [PainFact(score=score) for score in range(11)]


@pytest.mark.parametrize("literacy", list(Level))
@pytest.mark.parametrize("language", list(Language))
def test_no_fact_passes_for_another(vocabulary: Vocabulary, language: Language, literacy: Level) -> None:
    tried = 0
    for facts in families():
        said = [
            utterance(knowing(fact, literacy=literacy), vocabulary, language, *QUESTION[fact.kind])
            for fact in facts
        ]
        for (one, true), (other, false) in itertools.permutations(zip(facts, said, strict=True), 2):
            assert true.faults(true.plain) == []
            assert true.faults(false.plain), (one, other, false.plain)
            tried += 1
    assert tried > 1500

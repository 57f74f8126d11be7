"""Items of what a patient said: is it told on as it was said, is what the patient cannot tell left untold?"""

from dataclasses import dataclass

from state.base import Language
from state.gold import PatientFactItem, PatientUnknownItem
from state.patient import AdherenceFact, FunctionalFact, PainFact, SocialFact, SymptomFact
from state.patient_values import HomeUse, InHospital
from tools.grading.account_subjects import speaks_of, symptom_spoken_of
from tools.grading.advice_words import pattern
from tools.grading.evidence import Finding, TurnEvidence, cannot_tell, met, not_met, wrong
from tools.grading.tellings import Told, told, without_patients_own_words, without_quotations
from tools.grading.text import parts, without_records
from tools.interview.accounts import Statement, about, drug_words, statements
from tools.interview.spans import same_length
from tools.interview.standings import Standing
from tools.interview.words import drug_groups
from tools.vocabulary import Vocabulary

FULLY = "fully"
"""Said of a drug of which no dose is left out."""
NOT_HERE = "not_here"
"""Said of a drug that is not given here: not once, or not of late."""
SAME_AS = {HomeUse.TAKING.value: FULLY, InHospital.NEVER_GIVEN.value: NOT_HERE}
"""What else says the same as a value."""
CATCH_ALL = "any"
"""Ends a value that only says that a topic is spoken of, or is one."""
ALSO_TAKEN = frozenset({HomeUse.MISSING_DOSES.value, HomeUse.TAKING_MORE.value})
HELD_OR_AIDED = ("walking_helped", "walking_with_aid")
"""Who is held by somebody while walking may have a cane too, or not."""
USED = ALSO_TAKEN | {HomeUse.TAKING.value}

_DENIED = frozenset({Standing.DENIED})
_TOLD = frozenset({Standing.AFFIRMED, Standing.NAMED})


def decide_patient_fact(item: PatientFactItem, evidence: TurnEvidence, vocabulary: Vocabulary) -> Finding:
    """Decide whether an element of a fact is told, and nothing else in its place."""
    read = account_of(evidence, vocabulary)
    right, others = _sorted(item, list(about(read, item.fact)))
    wanted = f"{item.fact.fact_id}: {item.element}"
    if others:
        return wrong(f"tells of {wanted} that it is {others[0]}")
    if right:
        return met(f"tells {wanted}")
    if speaks_of(item, read, evidence.language):
        return cannot_tell(f"speaks of {wanted} in words that are not understood")
    return not_met(f"does not tell {wanted}")


def _sorted(item: PatientFactItem, read: list[Statement]) -> tuple[bool, list[str]]:
    """Give whether the element is told, and what is told in its place."""
    fact, element = item.fact, item.element
    if isinstance(fact, SymptomFact) and element == "symptom":
        return _symptom(fact, read)
    told = [s for s in read if not (s.modal or s.unknown)]
    own = [s for s in told if not (s.of_record or (s.topic and isinstance(fact, AdherenceFact)))]
    match fact:
        case PainFact():
            scores = [score for s in told for score in s.scores]
            return fact.score in scores, [f"{score}/10" for score in scores if score != fact.score]
        case SocialFact() | FunctionalFact():
            return _status(fact, own)
    if element in ("onset", "since"):
        wanted = getattr(fact, element)
        lengths = [span for s in told for span in s.spans]
        right = any(same_length(span, wanted) for span in lengths)
        return right, [] if right else [f"{span.count} {span.unit}" for span in lengths]
    value = str(getattr(fact, element))
    if isinstance(fact, SymptomFact):
        own = [s for s in own if not _of_several(s, element)]
    claimed = {claim for s in own for claim in s.claims}
    right = (element, value) in claimed or (element, SAME_AS.get(value)) in claimed
    return right, sorted({v for s in own for g, v in s.claims if g == element and _contradicts(g, v, value)})


def _of_several(statement: Statement, element: str) -> bool:
    """Tell whether a statement names several symptoms and grades them otherwise: which is which is not read."""
    named = {said.ids for said in statement.symptoms}
    return len(named) > 1 and len({value for group, value in statement.claims if group == element}) > 1


def _contradicts(group: str, said: str, value: str) -> bool:
    if said in (value, CATCH_ALL) or said.startswith("not "):
        return False
    if said == FULLY:
        return value != HomeUse.TAKING
    if said == NOT_HERE:
        return value == InHospital.GIVEN
    if group == "home" and said == HomeUse.TAKING and value in ALSO_TAKEN:
        return False
    return (said, value) != ("not_given", "never_given")


def _symptom(fact: SymptomFact, told: list[Statement]) -> tuple[bool, list[str]]:
    standings = [(said.standing, said.side) for s in told for said in s.symptoms if fact.symptom in said.ids]
    right, false = (_DENIED, Standing.AFFIRMED) if fact.denied else (_TOLD, Standing.DENIED)
    told_so = any(standing in right and side in (None, fact.side) for standing, side in standings)
    others = [str(false) for standing, _ in standings if standing is false]
    others += [
        f"on the {side}"
        for standing, side in standings
        if side not in (None, fact.side) and standing in (Standing.AFFIRMED, Standing.DENIED)
    ]
    return told_so, others


def _status(fact: SocialFact | FunctionalFact, own: list[Statement]) -> tuple[bool, list[str]]:
    value, topic = fact.status.value, fact.topic
    right = (fact.kind, value) in {claim for s in own for claim in s.claims}
    return right, sorted({v for s in own for g, v in s.claims if g == fact.kind and _rival(v, value, topic)})


def _rival(said: str, value: str, topic: str) -> bool:
    head, _, rest = said.partition("_")
    return head == topic and said != value and rest != CATCH_ALL and (said, value) != HELD_OR_AIDED


def decide_patient_unknown(
    item: PatientUnknownItem, evidence: TurnEvidence, vocabulary: Vocabulary
) -> Finding:
    """Decide whether the answer says that the patient cannot tell, and says neither yes nor no."""
    unknown, told, spoken = False, None, False
    named = False
    for statement in account_of(evidence, vocabulary):
        own = _is_about(item, statement, vocabulary)
        if statement.drugs or statement.symptoms or own:
            named = own
        unknown |= (
            _untold(item, statement) if own and item.about == "symptom" else named and statement.unknown
        )
        if own and not statement.of_record:
            told = told or _answers(item, statement)
        spoken |= _spoken(item, statement, evidence.language, own=own)
    if told:
        return wrong(f"tells of {item.subject} what the patient could not: {told}")
    if unknown:
        return met(f"says that the patient cannot tell of {item.subject}")
    if spoken:
        return cannot_tell(f"speaks of {item.subject} in words that are not understood")
    return not_met(f"does not say that the patient cannot tell of {item.subject}")


def _untold(item: PatientUnknownItem, statement: Statement) -> bool:
    return any(s.standing is Standing.UNKNOWN for s in statement.symptoms if item.subject in s.ids)


def _spoken(item: PatientUnknownItem, statement: Statement, language: Language, *, own: bool) -> bool:
    """Tell whether a statement speaks of the matter in words that are not understood."""
    if item.about == "symptom":
        return symptom_spoken_of(item.subject, statement, language)
    return own and not (statement.modal or statement.of_record or statement.negated)


def _is_about(item: PatientUnknownItem, statement: Statement, vocabulary: Vocabulary) -> bool:
    if item.about == "drug":
        drugs = drug_words(vocabulary).drugs_of(drug_groups()[item.subject])
        return any(mention.drugs <= drugs or _is_group(mention.group, item) for mention in statement.drugs)
    named = any(item.subject in said.ids for said in statement.symptoms)
    return named or (item.about == "onset" and statement.onset and not statement.symptoms)


def _is_group(group: object, item: PatientUnknownItem) -> bool:
    return getattr(group, "id", None) == item.subject


def _answers(item: PatientUnknownItem, statement: Statement) -> str | None:
    """Say how a statement that names the matter answers it after all."""
    if item.about != "symptom" and (statement.unknown or statement.topic):
        return None
    match item.about:
        case "onset":
            return f"{statement.spans[0].count} {statement.spans[0].unit}" if statement.spans else None
        case "symptom":
            said = [s.standing for s in statement.symptoms if item.subject in s.ids]
            return next((str(s) for s in said if s in (Standing.AFFIRMED, Standing.DENIED)), None)
    if statement.modal:
        return None
    used = sorted(value for group, value in statement.claims if group == "home")
    if used:
        return used[0]
    return "denied" if statement.negated else None


@dataclass(frozen=True)
class Accounted:
    """An answer without the points that only tell of the patient: "she takes it at home" advises nothing.

    ``own``: without those too whose word may be the patient's or another's; None where there are none.
    """

    rest: TurnEvidence
    own: TurnEvidence | None


def without_accounts(evidence: TurnEvidence, vocabulary: Vocabulary) -> Accounted:
    """Leave out of an answer what tells of the patient; it only tells which drug a bare "hold it" is about.

    That the patient is quoted is kept: it tells whose words follow.
    """
    points = parts(without_quotations(without_patients_own_words(evidence.said)))
    tells = told(points, evidence.language, drug_words(vocabulary))
    kept = [
        (text, one) if one is not Told.ACCOUNT else (_in_place_of(text), Told.OWN)
        for text, one in zip(points, tells, strict=True)
    ]
    account = "".join(text for text, one in zip(points, tells, strict=True) if one is Told.ACCOUNT)
    earlier = (*evidence.earlier, account) if account else evidence.earlier
    rest = evidence.replace(answer="".join(text for text, _ in kept), earlier=earlier)
    if Told.AMONG not in tells:
        return Accounted(rest, None)
    own = "".join(text for text, one in kept if one is Told.OWN)
    return Accounted(rest, rest.replace(answer=own))


def _in_place_of(account: str) -> str:
    quoted = pattern("patient_said", of="company").match(account)
    if quoted is not None:
        return quoted.group().rstrip(":") + ".\n"
    return "\n" if account.endswith("\n") else ""


def account_of(evidence: TurnEvidence, vocabulary: Vocabulary) -> tuple[Statement, ...]:
    """Read the answer; lines of tool results pasted into it are no account of anything."""
    return statements(without_records(evidence.by_label), evidence.language, drug_words(vocabulary))

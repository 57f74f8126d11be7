"""The patient checker catches facts that the record does not show, and whatever no patient says."""

from collections.abc import Callable

import pytest
from planting import Planter
from seeded import caught

from agents.checks.case import Case, ruled
from agents.checks.patient import check_patient
from state.base import ResourceRef
from state.checking import Ruling, Stage
from state.patient import AdherenceFact, Fact, PainFact, Saying, SocialFact, SymptomFact
from state.patient_values import Course, HomeUse, InHospital, Social
from tools.gold.topics import STRANGER
from tools.interview.interview import Utterance, say_plainly

Change = Callable[[Fact], Fact | None]


def _fact(change: Change) -> Planter:
    """Change the first fact that ``change`` finds something to change in."""

    def plant(case: Case) -> Case | None:
        for at, fact in enumerate(case.patient.facts):
            if (spoiled := change(fact)) is not None:
                facts = (*case.patient.facts[:at], spoiled, *case.patient.facts[at + 1 :])
                return case.having(patient=case.patient.model_copy(update={"facts": facts}))
        return None

    return plant


def _known(**changes: object) -> Planter:
    return lambda case: case.having(patient=case.patient.model_copy(update=changes))


def _of(kind: type, **changes: object) -> Planter:
    return _fact(
        lambda fact: fact.model_copy(update=changes) if isinstance(fact, kind) and fact.proof else None
    )


def _given_up(fact: Fact) -> Fact | None:
    if not isinstance(fact, AdherenceFact) or fact.home is not HomeUse.TAKING or not fact.proof:
        return None
    return fact.model_copy(update={"home": HomeUse.NOT_TAKING})


def _other_drug(fact: Fact) -> Fact | None:
    proved = isinstance(fact, AdherenceFact) and fact.proof and not fact.invented
    return fact.model_copy(update={"drug": STRANGER}) if proved else None


def _other_pain(fact: Fact) -> Fact | None:
    return (
        fact.model_copy(update={"score": (fact.score + 5) % 11})
        if isinstance(fact, PainFact) and fact.proof
        else None
    )


def _of_a_patient(case: Case) -> Case:
    facts = (SocialFact(status=Social.LIVING_ALONE, proof=(ResourceRef("DocumentReference/nowhere"),)),)
    return case.having(patient=case.patient.model_copy(update={"facts": facts}))


FACTS: dict[str, Planter] = {
    "the facts of another patient": lambda case: _known(subject_id=case.patient.subject_id + 1)(case),
    "the facts of another session": _known(session_id="med_safety-t1-a01-000000000000"),
    "a drug that is on no list": _fact(_other_drug),
    "a drug no vocabulary knows": _of(AdherenceFact, drug="unobtainium"),
    "a drug taken that is said to be given up": _fact(_given_up),
    "a dose held that was given": _fact(
        lambda fact: (
            fact.model_copy(update={"here": InHospital.NOT_GIVEN})
            if isinstance(fact, AdherenceFact) and fact.proof and fact.here is not InHospital.NOT_GIVEN
            else None
        )
    ),
    "another rating of the pain": _fact(_other_pain),
    "a symptom nobody charted": _of(SymptomFact, symptom="vomiting_blood"),
    "a symptom denied that is charted": _of(
        SymptomFact, denied=True, chief=False, onset=None, course=None, severity=None
    ),
    "a course nobody charted": _fact(
        lambda fact: (
            fact.model_copy(
                update={"course": next(c for c in Course if c is not fact.course), "invented": ()}
            )
            if isinstance(fact, SymptomFact) and fact.proof
            else None
        )
    ),
    "the proof of another record": _fact(
        lambda fact: (
            fact.model_copy(update={"proof": (ResourceRef("Encounter/ed-1"),)}) if fact.proof else None
        )
    ),
    "a life nobody wrote down": _of_a_patient,
    "a patient who is asked and knows nothing": lambda case: case.having(patient=None),
}
SAYINGS = {
    "an ICD title": " I have Type 2 diabetes mellitus without complications.",
    "a diagnosis": " It is my heart failure, I think.",
    "a laboratory value": " My potassium was 6.1.",
    "an urgency score": " They triaged me as ESI level 2.",
    "another drug": " And I take acetylcysteine.",
    "another pain": " The pain is 11 out of 10.",
    "another time": " It all began on the 3rd of March.",
    "what a doctor said": " The doctor told me it is cancer.",
    "another symptom": " And I have lost my hearing.",
    "another language": " 我肚子疼。",
}


def _saying(words: str) -> Callable[[Utterance], Saying]:
    def speak(utterance: Utterance) -> Saying:
        plain = say_plainly(utterance)
        return plain.model_copy(update={"text": plain.text + words})

    return speak


def test_what_patients_know_and_say_is_accepted(asked: list[Case]) -> None:
    assert [fault for case in asked for fault in check_patient(case)] == []


def test_a_session_without_a_patient_is_accepted(cases: list[Case]) -> None:
    assert [fault for case in cases for fault in check_patient(case)] == []


@pytest.mark.parametrize("fault", FACTS)
def test_a_planted_fault_of_facts_is_caught(fault: str, asked: list[Case]) -> None:
    caught(Stage.PATIENT, fault, FACTS[fault], check_patient, asked)


@pytest.mark.parametrize("fault", SAYINGS)
def test_a_planted_fault_of_speech_is_caught(fault: str, asked: list[Case]) -> None:
    speak = _saying(SAYINGS[fault])
    found = [ruled(Stage.PATIENT, lambda case: check_patient(case, speak), case).ruling for case in asked]
    print(f"patient: {fault} in the patient's mouth: {found.count(Ruling.REJECT)} of {len(found)} caught")
    assert set(found) == {Ruling.REJECT}

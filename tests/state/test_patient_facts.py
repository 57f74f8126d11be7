"""Facts of a patient refuse what contradicts itself."""

from typing import Any

import pytest
from pydantic import ValidationError

from state.patient import AdherenceFact, PatientFacts, Persona, SocialFact, Span, SymptomFact
from state.patient_values import Social

DAY = Span(count=1, unit="day")


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (lambda: SymptomFact(symptom="cough", denied=True, severity="mild"), "a denied symptom has no onset"),
        (lambda: SymptomFact(symptom="cough", denied=True, chief=True), "a denied symptom has no onset"),
        (lambda: AdherenceFact(drug="aspirin"), "says what happens at home, here, or both"),
        (lambda: AdherenceFact(drug="aspirin", home="taking", reason="cost"), "reason and since belong to"),
        (lambda: AdherenceFact(drug="aspirin", here="given", since=DAY), "reason and since belong to"),
        (
            lambda: AdherenceFact(drug="aspirin", home="taking", invented=("reason",)),
            "invented names 'reason'",
        ),
        (lambda: SymptomFact(symptom="cough", invented=("lab_value",)), "invented names 'lab_value'"),
        (lambda: SymptomFact(symptom="cough", lactate=4.1), "Extra inputs are not permitted"),
        (lambda: Span(count=0, unit="day"), "greater than or equal to 1"),
        (lambda: Span(count=3, unit="fortnight"), "Input should be"),
    ],
)
def test_a_fact_that_contradicts_itself_is_refused(wrong: Any, said: str) -> None:
    with pytest.raises(ValidationError, match=said):
        wrong()


def test_two_facts_of_one_topic_are_refused() -> None:
    facts = (SocialFact(status=Social.LIVING_ALONE), SocialFact(status=Social.LIVING_WITH_FAMILY))
    with pytest.raises(ValidationError, match="two facts are called social-living"):
        PatientFacts(session_id="s", subject_id=1, seed=1, persona=Persona(), facts=facts)


def test_left_and_right_are_two_facts_with_references_of_their_own() -> None:
    facts = tuple(SymptomFact(symptom="leg_pain", side=side) for side in ("left", "right"))
    known = PatientFacts(session_id="s", subject_id=7, seed=1, persona=Persona(), facts=facts)
    refs = [known.ref(fact.fact_id) for fact in known.facts]
    assert refs == ["Patient/7#symptom-leg_pain-left", "Patient/7#symptom-leg_pain-right"]


def test_facts_survive_their_file() -> None:
    facts = (
        SymptomFact(symptom="cough", onset=DAY, proof=("Encounter/ed-30",), invented=("onset",), chief=True),
        AdherenceFact(drug="furosemide", home="not_taking", reason="cost", since=DAY, withheld=True),
    )
    known = PatientFacts(session_id="s", subject_id=7, seed=1, persona=Persona(literacy="low"), facts=facts)
    again = PatientFacts.model_validate_json(known.model_dump_json())
    assert again == known
    assert [fact.story for fact in again.facts] == [False, True]

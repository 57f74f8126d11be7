"""What earlier discharge summaries tell of a patient: drugs given up, doses left out, home, habits, walking."""

import pytest
from bedside import Bedside, at, by_id, derived

from state.patient import AdherenceFact
from state.patient_values import HomeUse, Reason

SUMMARY = """Service: MEDICINE

History of Present Illness:
She came breathless. She had stopped taking her furosemide because she could not afford the copay.

Social History:
{social}

Discharge Medications:
1. Furosemide 40 mg PO DAILY
2. Lisinopril 5 mg PO DAILY
3. Warfarin 2.5 mg PO DAILY16
4. Cefpodoxime 200 mg PO Q12H
5. Oxycodone 5 mg PO Q6H:PRN pain for 3 days
6. Sertraline 50 mg PO DAILY

Discharge Condition:
Mental Status: Clear and coherent.
Activity Status: {activity}

Followup Instructions:
___
"""


def test_a_drug_of_the_last_discharge_that_is_gone_from_the_home_list_is_not_taken(bedside: Bedside) -> None:
    bedside.summary(SUMMARY.format(social="___", activity="___"))
    bedside.home("losartan", "Coumadin")
    known = by_id(derived(bedside))
    taken = {fact.drug: fact.home for fact in known.values() if isinstance(fact, AdherenceFact)}
    assert taken == {
        "losartan": HomeUse.TAKING,
        "warfarin": HomeUse.TAKING,
        "furosemide": HomeUse.NOT_TAKING,
        "lisinopril": HomeUse.NOT_TAKING,
        "sertraline": HomeUse.NOT_TAKING,
    }
    gone = known["adherence-furosemide"]
    assert isinstance(gone, AdherenceFact)
    assert gone.reason is Reason.COST
    assert gone.proof == ("DocumentReference/note-1-DS-1", "Encounter/ed-30")
    sertraline = known["adherence-sertraline"]
    assert isinstance(sertraline, AdherenceFact)
    assert sertraline.reason is None


@pytest.mark.parametrize(
    ("sentence", "drug", "home", "reason"),
    [
        ("Leaves out the furosemide on days with a bus ride.", "furosemide", HomeUse.MISSING_DOSES, None),
        (
            "Stretches the long-acting insulin because the refill costs too much.",
            "insulin_glargine",
            HomeUse.MISSING_DOSES,
            Reason.COST,
        ),
        (
            "Takes the evening blood thinner only when her daughter calls.",
            "apixaban",
            HomeUse.MISSING_DOSES,
            None,
        ),
        ("Takes over-the-counter naproxen twice a day for the knees.", "naproxen", HomeUse.TAKING, None),
        ("Takes furosemide only when her legs swell.", "furosemide", HomeUse.TAKING, None),
        ("Skips furosemide and apixaban.", "furosemide", HomeUse.TAKING, None),
        ("Never skips a thing.", "furosemide", HomeUse.TAKING, None),
    ],
)
def test_a_note_tells_of_doses_left_out_and_of_drugs_beside_the_list(
    bedside: Bedside, sentence: str, drug: str, home: HomeUse, reason: Reason | None
) -> None:
    bedside.summary(
        f"History of Present Illness:\nShe came with a cough. {sentence}\n\nSocial History:\n___\n"
    )
    bedside.home("furosemide", "apixaban [Eliquis]", "insulin glargine")
    known = by_id(derived(bedside))
    fact = known[f"adherence-{drug}"]
    assert isinstance(fact, AdherenceFact)
    assert (fact.home, fact.reason) == (home, reason)
    assert ("DocumentReference/note-1-DS-1" in fact.proof) is (
        home is HomeUse.MISSING_DOSES or drug == "naproxen"
    )
    others = {f.drug for f in known.values() if isinstance(f, AdherenceFact) and f.home is not HomeUse.TAKING}
    assert others <= {drug}


def test_without_a_home_list_nothing_is_given_up(bedside: Bedside) -> None:
    bedside.summary(SUMMARY.format(social="___", activity="___"))
    assert derived(bedside).facts == ()


@pytest.mark.parametrize(
    ("social", "expected"),
    [
        (
            "Lives alone. Former smoker, quit in ___. Denies alcohol or illicit drugs.",
            "living_alone smoking_former alcohol_none drugs_none",
        ),
        (
            "Lives with her husband. Never smoked. Drinks 2 glasses of wine daily.",
            "living_with_spouse smoking_never alcohol_daily",
        ),
        (
            "Retired teacher, lives at home with his adult daughter. Smokes 1 ppd.",
            "work_retired living_with_family smoking_current",
        ),
        ("Lives in an assisted living facility. Occasional alcohol.", "living_in_facility alcohol_sometimes"),
        (
            "Walks with a cane. Daughter manages her pills. Needs help with bathing.",
            "walking_with_aid pills_with_help care_with_help",
        ),
        ("Homeless, on disability.", "living_homeless work_disabled"),
        (
            "Shares an apartment with a cousin. Works nights as a guard. Smoked a pack a day for years, quit. Beer.",
            "living_with_family work_working smoking_former",
        ),
        (
            "Lives with a grown son. One or two beers on weekends. Walks without help, manages her own household.",
            "living_with_family alcohol_sometimes walking_alone household_alone",
        ),
        (
            "Walks with a rolling walker, needs help with bathing and shopping. Lives with a roommate.",
            "walking_with_aid care_with_help household_with_help",
        ),
        ("No longer lives alone.", ""),
        ("Lives alone. Lives with her son.", ""),
        ("Never smokes.", ""),
        ("Mother smokes.", ""),
        ("___", ""),
    ],
)
def test_social_and_functional_facts_come_from_notes(
    bedside: Bedside, social: str, expected: set[str]
) -> None:
    bedside.summary(SUMMARY.format(social=social, activity="___"))
    known = derived(bedside)
    assert {fact.status.value for fact in known.facts} == set(expected.split())
    assert all(fact.proof == ("DocumentReference/note-1-DS-1",) for fact in known.facts)


@pytest.mark.parametrize(
    ("activity", "status"),
    [
        ("Ambulatory - Independent.", "leaving_walking"),
        ("Ambulatory - requires assistance or aid (walker \nor cane).", "leaving_with_aid"),
        ("Out of Bed with assistance to chair or \nwheelchair.", "leaving_in_chair"),
        ("Bedbound.", "leaving_bedbound"),
        ("Walks with a cane.", "leaving_with_aid"),
        ("___", None),
    ],
)
def test_how_the_patient_left_the_last_time(bedside: Bedside, activity: str, status: str | None) -> None:
    bedside.summary(SUMMARY.format(social="___", activity=activity))
    assert [fact.status for fact in derived(bedside).facts] == ([status] if status else [])


def test_the_summary_of_this_admission_is_not_read(bedside: Bedside) -> None:
    text = SUMMARY.format(social="Lives alone.", activity="Bedbound.")
    bedside.summary(text, hadm_id=20, day=at(10))
    assert derived(bedside, at(10, 11)).facts == ()

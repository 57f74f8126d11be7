"""Facts are derived from records known at as_of, each with its proof; a real patient's hold nothing invented."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest
from bedside import Bedside, at

from state.base import Cohort, InputError
from state.patient import AdherenceFact, Fact, PainFact, PatientFacts, Persona, SymptomFact
from state.patient_values import Completeness, HomeUse, InHospital, Reason, Side
from tools.fhir.toolset import Toolset
from tools.interview.derive import derive_patient_facts

NOW = at(5, 12)
FULL = Persona(completeness=Completeness.FULL)


def derived(bedside: Bedside, as_of: datetime = NOW, **asked: Any) -> PatientFacts:
    return derive_patient_facts(bedside.context(as_of), "s-1", 7, **{"persona": FULL} | asked)


def by_id(known: PatientFacts) -> dict[str, Fact]:
    return {fact.fact_id: fact for fact in known.facts}


@pytest.mark.parametrize(
    ("complaint", "symptoms"),
    [
        ("Dyspnea, Leg swelling", {"symptom-dyspnea", "symptom-leg_swelling"}),
        ("N/V, Abd pain", {"symptom-nausea", "symptom-vomiting", "symptom-abdominal_pain"}),
        ("n/v/d", {"symptom-nausea", "symptom-vomiting", "symptom-diarrhea"}),
        ("R Leg swelling, L Knee pain", {"symptom-leg_swelling-right", "symptom-knee_pain-left"}),
        ("RIGHT FOOT PAIN", {"symptom-foot_pain-right"}),
        ("Right sided abdominal pain", {"symptom-abdominal_pain"}),
        ("s/p Fall, SDH", {"symptom-fall"}),
        ("SOB/ABNL LABS", {"symptom-dyspnea"}),
        ("Chest pain, NSTEMI, Transfer", {"symptom-chest_pain"}),
        ("Hyperglycemia, DKA, ELEVATED INR", set()),
        ("Abnormal labs, Hypotension", set()),
        ("Hyperkalemia", set()),
        ("no chest pain", set()),
        ("SI", set()),
        ("___", set()),
        (None, set()),
    ],
)
def test_a_chief_complaint_gives_symptoms_and_nothing_else(
    bedside: Bedside, complaint: str | None, symptoms: set[str]
) -> None:
    bedside.triage(complaint)
    known = derived(bedside)
    assert set(by_id(known)) == symptoms
    for fact in known.facts:
        assert isinstance(fact, SymptomFact)
        assert fact.chief
        assert fact.proof == ("Encounter/ed-30",)
        assert (fact.onset, fact.course, fact.severity, fact.invented) == (None, None, None, ())


@pytest.mark.parametrize(
    ("charted", "score"),
    [
        ("0", 0),
        ("8", 8),
        ("10", 10),
        ("11", None),
        ("13", None),
        ("unable", None),
        ("UA", None),
        (None, None),
    ],
)
def test_pain_is_a_rating_of_0_to_10_or_nothing(
    bedside: Bedside, charted: str | None, score: int | None
) -> None:
    bedside.triage("Fever", charted)
    pain = by_id(derived(bedside)).get("pain-score")
    assert (pain.score if isinstance(pain, PainFact) else None) == score
    assert pain is None or pain.proof == ("Observation/vs-triage-30-pain",)


def test_the_pain_reference_is_one_the_tools_show(bedside: Bedside) -> None:
    bedside.triage("Fever", "8")
    context = bedside.context(NOW)
    shown = Toolset(context.chart, context.vocabulary).call(
        "Observation.search", {"subject_id": 1, "code": "pain"}
    )
    assert "Observation/vs-triage-30-pain" in shown.refs


def test_an_emergency_stay_of_another_admission_tells_nothing(bedside: Bedside) -> None:
    bedside.add("ed.edstays", {"stay_id": 31, "hadm_id": None, "intime": at(1), "outtime": at(1, 3)})
    bedside.add("ed.triage", {"stay_id": 31, "chiefcomplaint": "Cough", "pain": "4"})
    bedside.add("ed.medrecon", {"stay_id": 31, "name": "lisinopril", "charttime": at(1, 1)})
    assert derived(bedside).facts == ()


def test_the_home_list_is_what_is_taken(bedside: Bedside) -> None:
    bedside.home(
        "furosemide [Lasix]", "insulin lispro [Humalog KwikPen]", "lancets", "fairy dust", "Coumadin"
    )
    bedside.add("ed.medrecon", {"name": "furosemide [Lasix]", "charttime": at(3, 7), "etc_rn": 2})
    known = by_id(derived(bedside))
    assert set(known) == {"adherence-furosemide", "adherence-insulin_lispro", "adherence-warfarin"}
    for fact in known.values():
        assert isinstance(fact, AdherenceFact)
        assert (fact.home, fact.reason, fact.here) == (HomeUse.TAKING, None, None)
        assert all(ref.startswith("MedicationStatement/medrecon-30-") for ref in fact.proof)
    assert len(known["adherence-furosemide"].proof) == 2


def test_a_list_written_later_is_not_known_yet(bedside: Bedside) -> None:
    bedside.add("ed.medrecon", {"name": "lisinopril", "charttime": at(5, 13)})
    assert derived(bedside, at(5, 12)).facts == ()
    assert set(by_id(derived(bedside, at(5, 14)))) == {"adherence-lisinopril"}


@pytest.mark.parametrize(
    ("events", "here", "proof"),
    [
        ([("Administered", 4), ("Not Given", 5)], InHospital.NOT_GIVEN, "1-2"),
        ([("Not Given", 4), ("Administered", 5)], InHospital.GIVEN, "1-2"),
        ([("Hold Dose", 4)], InHospital.NOT_GIVEN, "1-1"),
        ([("Administered", 4), ("Not Given", 6)], InHospital.GIVEN, "1-1"),
        ([("Not Given per Sliding Scale", 4)], None, None),
        ([("Read", 4), (" in Other Location", 5)], InHospital.GIVEN, "1-1"),
    ],
)
def test_the_last_charted_dose_tells_what_happened_here(
    bedside: Bedside, events: list[tuple[str, int]], here: InHospital | None, proof: str | None
) -> None:
    bedside.home("metformin")
    for number, (event, day) in enumerate(events, start=1):
        bedside.dose(number, "MetFORMIN (Glucophage)", event, at(day, 10))
    fact = by_id(derived(bedside))["adherence-metformin"]
    assert isinstance(fact, AdherenceFact)
    assert fact.here is here
    if proof is not None:
        assert fact.proof[-1] == f"MedicationAdministration/emar-{proof}"


def test_a_home_drug_that_nobody_ordered_was_never_given(bedside: Bedside) -> None:
    bedside.home("metformin", "lisinopril", "atorvastatin")
    bedside.dose(1, "Heparin", "Administered", at(4))
    bedside.dose(2, "Captopril", "Administered", at(4))
    bedside.add(
        "hosp.prescriptions",
        {"pharmacy_id": 1, "drug": "Atorvastatin", "drug_type": "MAIN", "starttime": at(4)},
    )
    known = by_id(derived(bedside))
    here = {fact.drug: fact.here for fact in known.values() if isinstance(fact, AdherenceFact)}
    assert here == {"metformin": InHospital.NEVER_GIVEN, "lisinopril": None, "atorvastatin": None}


def test_never_given_is_not_claimed_where_it_could_be_wrong(make_bedside: Callable[..., Bedside]) -> None:
    no_doses, intensive, emergency = (make_bedside() for _ in range(3))
    for bedside in (no_doses, intensive, emergency):
        bedside.home("metoprolol succinate")
    intensive.dose(1, "Heparin", "Administered", at(4))
    intensive.add("icu.icustays", {"stay_id": 99, "intime": at(4), "outtime": at(6)})
    emergency.dose(1, "Heparin", "Administered", at(4))
    emergency.add("ed.pyxis", {"name": "Metoprolol", "charttime": at(3, 8), "med_rn": 1, "gsn_rn": 1})
    for bedside in (no_doses, intensive, emergency):
        fact = by_id(derived(bedside))["adherence-metoprolol_succinate"]
        assert isinstance(fact, AdherenceFact)
        assert fact.here is None


def test_a_dose_not_given_is_known_of_a_drug_of_the_ward_too(bedside: Bedside) -> None:
    bedside.dose(1, "Heparin", "Not Given", at(4))
    bedside.dose(2, "Sodium Chloride 0.9%  Flush", "Not Flushed", at(4))
    bedside.dose(3, "Senna", "Administered", at(4))
    (fact,) = derived(bedside).facts
    assert fact == AdherenceFact(
        drug="heparin", here=InHospital.NOT_GIVEN, proof=("MedicationAdministration/emar-1-1",)
    )


def test_insulin_of_the_ward_is_not_mixed_up_with_the_insulin_of_home(bedside: Bedside) -> None:
    bedside.home("insulin glargine")
    bedside.dose(1, "Insulin", "Not Given", at(4))
    assert set(by_id(derived(bedside))) == {"adherence-insulin_glargine"}


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


def test_a_real_patient_has_no_story(bedside: Bedside) -> None:
    with pytest.raises(InputError, match="session s-1 is about a real patient"):
        derived(bedside, story=[SymptomFact(symptom="cough")])


def test_nothing_of_a_real_patient_is_invented(bedside: Bedside) -> None:
    bedside.triage("Fever", "3")
    bedside.home("omeprazole")
    assert all(fact.proof and not fact.invented for fact in derived(bedside).facts)


def test_a_synthetic_patient_gets_a_story_and_it_is_labelled(make_bedside: Callable[..., Bedside]) -> None:
    bedside = make_bedside(Cohort.SYNTHETIC)
    bedside.triage("Fever, s/p Fall", "3")
    known = by_id(derived(bedside))
    fever, fall = known["symptom-fever"], known["symptom-fall"]
    assert isinstance(fever, SymptomFact)
    assert isinstance(fall, SymptomFact)
    assert set(fever.invented) == {"onset", "course", "severity"}
    assert fall.invented == ("onset",)
    assert known["social-living"].story
    assert known["social-living"].status != "living_with_spouse"
    assert known["social-work"].status == "work_retired"
    assert known["functional-walking"].story


def test_what_a_note_says_is_not_invented_again(make_bedside: Callable[..., Bedside]) -> None:
    bedside = make_bedside(Cohort.SYNTHETIC)
    bedside.summary(SUMMARY.format(social="Lives with her husband.", activity="Bedbound."))
    known = by_id(derived(bedside))
    assert known["social-living"].status == "living_with_spouse"
    assert not known["social-living"].story
    assert {name for name in known if name.startswith("functional")} == {"functional-leaving"}


def test_a_story_given_by_the_caller_replaces_what_was_derived(make_bedside: Callable[..., Bedside]) -> None:
    bedside = make_bedside(Cohort.SYNTHETIC)
    bedside.home("furosemide")
    told = AdherenceFact(drug="furosemide", home=HomeUse.NOT_TAKING, reason=Reason.COST)
    new = SymptomFact(symptom="leg_swelling", side=Side.LEFT)
    known = by_id(derived(bedside, story=[told, new]))
    assert known["adherence-furosemide"] == told
    assert known["symptom-leg_swelling-left"] == new


def test_what_matters_is_kept_back_or_told(make_bedside: Callable[..., Bedside]) -> None:
    bedside = make_bedside(Cohort.SYNTHETIC)
    bedside.triage("Fever", "3")
    bedside.home("furosemide", "warfarin")
    story = [AdherenceFact(drug="furosemide", home=HomeUse.NOT_TAKING, reason=Reason.COST)]
    kept = {
        completeness: {
            fact.fact_id
            for fact in derived(bedside, persona=Persona(completeness=completeness), story=story).facts
            if fact.withheld
        }
        for completeness in Completeness
    }
    assert kept[Completeness.FULL] == set()
    assert kept[Completeness.CRITICAL_WITHHELD] == {"adherence-furosemide"}
    assert kept[Completeness.PARTIAL]
    assert kept[Completeness.PARTIAL].isdisjoint({"adherence-furosemide", "symptom-fever", "pain-score"})
    persona = Persona(completeness=Completeness.CRITICAL_WITHHELD)
    named = derived(bedside, persona=persona, critical=["adherence-warfarin"])
    assert {fact.fact_id for fact in named.facts if fact.withheld} == {"adherence-warfarin"}
    with pytest.raises(InputError, match="no fact 'adherence-digoxin'"):
        derived(bedside, critical=["adherence-digoxin"])


def test_the_same_chart_gives_the_same_facts(make_bedside: Callable[..., Bedside]) -> None:
    bedside = make_bedside(Cohort.SYNTHETIC)
    bedside.triage("Dyspnea, Cough", "6")
    bedside.home("omeprazole", "furosemide")
    once, again = (derived(bedside, persona=None) for _ in range(2))
    assert once == again
    others = {
        derive_patient_facts(bedside.context(NOW), f"s-{n}", 7).model_dump_json(exclude={"session_id"})
        for n in range(9)
    }
    assert len(others) > 5

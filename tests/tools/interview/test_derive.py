"""Facts are derived from records known at as_of, each with its proof; a real patient's hold nothing invented."""

from collections.abc import Callable

import pytest
from bedside import NOW, Bedside, at, by_id, derived

from state.base import Cohort, InputError
from state.patient import AdherenceFact, PainFact, Persona, SymptomFact
from state.patient_values import Completeness, HomeUse, InHospital, Reason, Side
from tools.fhir.toolset import Toolset
from tools.interview.derive import derive_patient_facts


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


@pytest.mark.parametrize(
    ("name", "group", "told"),
    [
        ("hydrocortisone", "Dermatological - Glucocorticoid", set()),
        ("prednisolone acetate", "Ophthalmic - Anti-inflammatory, Glucocorticoids", set()),
        ("ketorolac", "Ophthalmic - Anti-inflammatory, NSAIDs", set()),
        ("hydrocortisone [Anti-Itch cream]", None, set()),
        ("hydrocortisone [Cortef]", None, {"adherence-hydrocortisone"}),
        ("hydrocortisone", "Glucocorticoids", {"adherence-hydrocortisone"}),
        ("prednisone", "Glucocorticoids", {"adherence-prednisone"}),
        ("fluticasone [Flovent HFA]", "Asthma Therapy - Inhaled Corticosteroids", {"adherence-fluticasone"}),
        (
            "albuterol sulfate",
            "Asthma/COPD Therapy - Beta 2-Adrenergic Agents, Inhaled",
            {"adherence-albuterol"},
        ),
    ],
)
def test_a_cream_is_told_as_no_tablet(bedside: Bedside, name: str, group: str | None, told: set[str]) -> None:
    bedside.add("ed.medrecon", {"name": name, "charttime": at(3, 7), "etc_rn": 1, "etcdescription": group})
    assert set(by_id(derived(bedside))) == told


def test_a_cream_of_the_last_discharge_list_is_not_given_up(bedside: Bedside) -> None:
    bedside.home("furosemide")
    row = {"charttime": at(3, 7), "etc_rn": 1, "etcdescription": "Dermatological - Glucocorticoid"}
    bedside.add("ed.medrecon", {"name": "hydrocortisone", **row})
    left = ("furosemide 40 mg PO daily", "hydrocortisone TP daily", "lisinopril 5 mg PO daily")
    bedside.summary("Discharge Medications:\n" + "\n".join(f"{n}. {drug}" for n, drug in enumerate(left, 1)))
    facts = by_id(derived(bedside))
    assert set(facts) == {"adherence-furosemide", "adherence-lisinopril"}


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


@pytest.mark.parametrize(
    ("rating", "severity"),
    [("0", "mild"), ("3", "mild"), ("4", "moderate"), ("6", "moderate"), ("7", "severe"), ("10", "severe")],
)
def test_a_pain_is_as_severe_as_it_was_rated(
    make_bedside: Callable[..., Bedside], rating: str, severity: str
) -> None:
    for complaint in ("CHEST PAIN", "KNEE PAIN", "ABD PAIN"):
        bedside = make_bedside(Cohort.SYNTHETIC)
        bedside.triage(complaint, rating)
        (pain,) = (fact for fact in derived(bedside).facts if isinstance(fact, SymptomFact))
        assert pain.severity == severity, complaint


def test_what_a_note_says_is_not_invented_again(make_bedside: Callable[..., Bedside]) -> None:
    bedside = make_bedside(Cohort.SYNTHETIC)
    bedside.summary(
        "Social History:\nLives with her husband.\n\nDischarge Condition:\nActivity Status: Bedbound.\n"
    )
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

"""Each kind of further finding, at its limit on both sides, and never with what as_of would hide."""

from datetime import datetime, timedelta

import pytest
from courses import AS_OF, DRAWN, HOUR, STORED
from one_finding import culture, dose, matched, rule_with, temperature

from tools.clinical.scan import lacking, scan
from tools.ehr.warehouse import Warehouse


@pytest.mark.parametrize(("value", "holds"), [(2.0, True), (1.99, False)])
def test_a_lab_finding_binds_the_latest_result(value, holds, ward, stay, tmp_path):
    ward.lab(*stay, "lactate", 9.0, drawn=DRAWN - 3 * HOUR, stored=STORED - 3 * HOUR)
    ref = ward.lab(*stay, "lactate", value, drawn=DRAWN, stored=STORED)
    finding = {"name": "lactate", "kind": "lab", "analyte": "lactate", "unit": "mmol/L", "at_least": 2.0}
    matches = matched(ward, tmp_path, rule_with({**finding, "within_hours": 24}))
    assert [match.also[0].refs for match in matches] == ([(ref,)] if holds else [])
    if holds:
        assert (matches[0].also[0].value, matches[0].also[0].time) == (value, DRAWN)


@pytest.mark.parametrize(("stored", "holds"), [(AS_OF, True), (AS_OF + timedelta(seconds=1), False)])
def test_a_result_stored_after_as_of_is_not_seen(stored, holds, ward, stay, tmp_path):
    ward.lab(*stay, "lactate", 4.0, drawn=DRAWN, stored=stored)
    finding = {
        "name": "x",
        "kind": "lab",
        "analyte": "lactate",
        "unit": "mmol/L",
        "above": 2,
        "within_hours": 24,
    }
    assert bool(matched(ward, tmp_path, rule_with(finding))) is holds
    absent = {
        "name": "x",
        "kind": "lab",
        "analyte": "lactate",
        "unit": "mmol/L",
        "within_hours": 24,
        "absent": True,
    }
    other = ward.scan(tmp_path / "again.duckdb", [rule_with(absent)])
    assert bool(other) is not holds


@pytest.mark.parametrize(
    ("change", "first", "last", "holds"),
    [
        ({"direction": "rise", "by_at_least": 0.3}, 1.0, 1.3, True),
        ({"direction": "rise", "by_at_least": 0.3}, 1.0, 1.29, False),
        ({"direction": "fall", "by_fraction_above": 0.5}, 4.0, 1.9, True),
        ({"direction": "fall", "by_fraction_above": 0.5}, 4.0, 2.0, False),
        ({"direction": "steady", "by_at_most": 0.1}, 1.0, 1.1, True),
        ({"direction": "steady", "by_at_most": 0.1}, 1.0, 1.2, False),
    ],
)
def test_a_change_is_measured_from_the_extreme_of_its_window(
    change, first, last, holds, ward, stay, tmp_path
):
    earlier = ward.lab(*stay, "creatinine", first, drawn=DRAWN - 40 * HOUR, stored=STORED - 40 * HOUR)
    ward.lab(*stay, "creatinine", first * 9, drawn=DRAWN - 60 * HOUR, stored=STORED - 60 * HOUR)
    ward.lab(*stay, "creatinine", 0.01, drawn=DRAWN - 60 * HOUR, stored=STORED - 60 * HOUR)
    ward.lab(*stay, "creatinine", last, drawn=DRAWN, stored=STORED)
    finding = {"name": "cr", "kind": "lab", "analyte": "creatinine", "unit": "mg/dL", "within_hours": 24}
    matches = matched(ward, tmp_path, rule_with({**finding, "change": {**change, "over_hours": 48}}))
    assert bool(matches) is holds
    if holds:
        bound = matches[0].also[0]
        assert (bound.earlier_ref, bound.earlier_value, bound.value) == (earlier, first, last)


@pytest.mark.parametrize(("name", "holds"), [("above", False), ("below", True), ("within", False)])
def test_the_result_s_own_reference_range_counts(name, holds, ward, stay, tmp_path):
    ward.lab(*stay, "hemoglobin", 9.0, drawn=DRAWN, stored=STORED, lower=12.0, upper=16.0)
    finding = {"name": "hb", "kind": "lab", "analyte": "hemoglobin", "unit": "g/dL", "within_hours": 24}
    assert bool(matched(ward, tmp_path, rule_with({**finding, "range": name}))) is holds


@pytest.mark.parametrize(("bicarbonate", "holds"), [(19.0, True), (20.0, False)])
def test_a_figure_is_computed_from_results_drawn_together(bicarbonate, holds, ward, stay, tmp_path):
    for analyte, value in (("sodium", 140.0), ("chloride", 104.0), ("bicarbonate", bicarbonate)):
        ward.lab(*stay, analyte, value, drawn=DRAWN, stored=STORED)
    finding = {"name": "gap", "kind": "figure", "figure": "anion_gap", "unit": "mEq/L", "above": 16}
    (match,) = matched(ward, tmp_path, rule_with({**finding, "within_hours": 24})) or [None]
    assert (match is not None) is holds
    if match is not None:
        assert match.also[0].value == 17.0
        assert len(match.also[0].refs) == 3


def test_a_figure_of_results_far_apart_is_none(ward, stay, tmp_path):
    for analyte, value, hours in (("sodium", 140.0, 0), ("chloride", 100.0, 0), ("bicarbonate", 10.0, 7)):
        ward.lab(*stay, analyte, value, drawn=DRAWN - hours * HOUR, stored=STORED - hours * HOUR)
    finding = {"name": "gap", "kind": "figure", "figure": "anion_gap", "unit": "mEq/L", "above": 16}
    assert not matched(ward, tmp_path, rule_with({**finding, "within_hours": 24}))


@pytest.mark.parametrize(("event", "hours", "holds"), [("Administered", 5, True), ("Not Given", 5, False)])
@pytest.mark.parametrize("absent", [False, True])
def test_a_drug_given_is_one_charted_as_given(event, hours, holds, absent, ward, stay, tmp_path):
    ref = dose(ward, stay, "Furosemide", event, DRAWN - hours * HOUR)
    finding = {
        "name": "given",
        "kind": "given",
        "ingredients": ["furosemide"],
        "within_hours": 24,
        "absent": absent,
    }
    matches = matched(ward, tmp_path, rule_with(finding))
    assert bool(matches) is (holds is not absent)
    if matches and not absent:
        assert matches[0].also[0].refs == (ref,)


@pytest.mark.parametrize(("interpretation", "holds"), [("S", True), ("I", False), ("R", False)])
def test_a_culture_binds_organism_and_susceptibility(interpretation, holds, ward, stay, tmp_path):
    grown = {"org_itemid": 80002, "org_name": "ESCHERICHIA COLI", "isolate_num": 1}
    tested = {"ab_name": "CEFTRIAXONE", "interpretation": interpretation}
    culture(ward, stay, "BLOOD CULTURE", 90201, **grown, **tested)
    finding = {"name": "c", "kind": "culture", "growth": True, "organisms": ["ESCHERICHIA"], "within_days": 5}
    matches = matched(ward, tmp_path, rule_with({**finding, "susceptible_to": ["CEFTRIAXONE"]}))
    assert bool(matches) is holds
    if matches:
        assert matches[0].also[0].refs == ("Observation/micro-7-90201-80002-1",)
        assert matches[0].also[0].text == "ESCHERICHIA COLI"


@pytest.mark.parametrize(("fahrenheit", "holds"), [(100.5, True), (100.3, False)])
def test_a_temperature_is_compared_in_celsius(fahrenheit, holds, ward, stay, tmp_path):
    temperature(ward, stay, fahrenheit)
    finding = {"name": "t", "kind": "vital", "sign": "temperature_c", "at_least": 38.0, "within_hours": 24}
    matches = matched(ward, tmp_path, rule_with(finding))
    assert bool(matches) is holds
    if matches:
        bound = matches[0].also[0]
        assert (bound.value, bound.unit) == (fahrenheit, "°F")
        assert bound.refs == ("Observation/vs-icu-3-21500110060000-223761",)


@pytest.mark.parametrize(("discharged", "holds"), [(DRAWN, True), (AS_OF, False)])
def test_a_coded_diagnosis_counts_from_its_discharge_on(discharged, holds, ward, stay, tmp_path):
    subject, _ = stay
    before = ward.admission(subject, datetime(2149, 12, 1), discharged if holds else AS_OF + HOUR)
    ward.row(
        "hosp.diagnoses_icd", subject_id=subject, hadm_id=before, seq_num=1, icd_code="N183", icd_version=10
    )
    ward.row("hosp.d_icd_diagnoses", icd_code="N183", icd_version=10, long_title="CKD, stage 3")
    finding = {"name": "ckd", "kind": "condition", "icd10": ["N18"]}
    matches = matched(ward, tmp_path, rule_with(finding))
    assert bool(matches) is holds
    if matches:
        assert matches[0].also[0].refs == (f"Condition/icd-{before}-1",)


def test_an_icd_9_code_is_not_read_as_icd_10(ward, stay, tmp_path):
    subject, _ = stay
    before = ward.admission(subject, datetime(2149, 12, 1), datetime(2149, 12, 5))
    ward.row(
        "hosp.diagnoses_icd", subject_id=subject, hadm_id=before, seq_num=1, icd_code="5849", icd_version=9
    )
    ward.row("hosp.d_icd_diagnoses", icd_code="5849", icd_version=9, long_title="AKI")
    assert not matched(ward, tmp_path, rule_with({"name": "x", "kind": "condition", "icd10": ["584"]}))


@pytest.mark.parametrize(("hadm_of_visit", "holds"), [("this", True), ("none", False)])
def test_the_home_list_is_that_of_this_admission_s_visit(hadm_of_visit, holds, ward, stay, tmp_path):
    subject, hadm = stay
    visit = datetime(2150, 1, 1, 8)
    ward.row(
        "ed.edstays",
        subject_id=subject,
        stay_id=9,
        hadm_id=hadm if hadm_of_visit == "this" else None,
        intime=visit,
        outtime=visit + 4 * HOUR,
    )
    ward.row(
        "ed.medrecon", subject_id=subject, stay_id=9, charttime=visit, name="lisinopril", gsn="1", ndc="2"
    )
    finding = {"name": "h", "kind": "home_medication", "ingredients": ["lisinopril"]}
    assert bool(matched(ward, tmp_path, rule_with(finding))) is holds


@pytest.mark.parametrize(
    ("name", "group", "systemic"),
    [
        ("hydrocortisone", "Glucocorticoids", True),
        ("hydrocortisone", None, True),
        ("hydrocortisone", "Dermatological - Glucocorticoid", False),
        ("prednisolone acetate", "Ophthalmic - Anti-inflammatory, Glucocorticoids", False),
        ("hydrocortisone [Proctosol]", "Anorectal - Hemorrhoidal Glucocorticoids", False),
        ("Hydrocortisone Cream 2.5%", None, False),
        ("prednisolone eye drops", None, False),
    ],
)
def test_a_cream_or_a_drop_of_the_home_list_is_no_drug_of_the_body(
    name, group, systemic, ward, stay, tmp_path, vocabulary
):
    subject, hadm = stay
    visit = datetime(2150, 1, 1, 8)
    key = {"subject_id": subject, "stay_id": 9}
    ward.row("ed.edstays", **key, hadm_id=hadm, intime=visit, outtime=visit + 4 * HOUR)
    ward.row("ed.medrecon", **key, charttime=visit, name=name, gsn="1", ndc="2", etcdescription=group)
    finding = {"name": "h", "kind": "home_medication", "ingredients": ["hydrocortisone", "prednisolone"]}
    for number, absent in enumerate((False, True)):
        rule = rule_with({**finding, "absent": absent})
        assert bool(ward.scan(tmp_path / f"{number}.duckdb", [rule])) is (systemic is not absent)


@pytest.mark.parametrize(
    ("listed", "holds"), [("metformin", True), ("lisinopril", False), (None, False), ("too late", False)]
)
def test_a_drug_is_absent_only_from_a_list_that_was_taken(listed, holds, ward, stay, tmp_path):
    subject, hadm = stay
    visit = datetime(2150, 1, 1, 8)
    ward.row(
        "ed.edstays", subject_id=subject, stay_id=9, hadm_id=hadm, intime=visit, outtime=visit + 4 * HOUR
    )
    row = {"subject_id": subject, "stay_id": 9 if listed else 8, "gsn": "1", "ndc": "2"}
    late = listed == "too late"
    ward.row(
        "ed.medrecon",
        **row,
        charttime=AS_OF + HOUR if late else visit,
        name="metformin" if late or not listed else listed,
    )
    finding = {"name": "h", "kind": "home_medication", "ingredients": ["lisinopril"], "absent": True}
    assert bool(matched(ward, tmp_path, rule_with(finding))) is holds


@pytest.mark.parametrize(("hours", "holds"), [(244.9, True), (244.0, False)])
def test_moments_before_discharge_only(hours, holds, ward, stay, tmp_path):
    """The stay ends 244 hours and 54 minutes after as_of."""
    rule = rule_with(before_discharge_hours=245 if holds else 244)
    assert bool(matched(ward, tmp_path, rule)) is holds


@pytest.mark.parametrize(
    ("trigger", "holds"), [({"sex": "M"}, True), ({"sex": "F"}, False), ({"age_at_least": 61}, False)]
)
def test_who_the_patient_is_counts(trigger, holds, ward, stay, tmp_path):
    assert bool(matched(ward, tmp_path, rule_with(**trigger))) is holds


def test_a_rule_without_its_table_is_passed_over_and_says_which(ward, stay, tmp_path, vocabulary):
    finding = {"name": "h", "kind": "home_medication", "ingredients": ["lisinopril"]}
    rule = rule_with(finding)
    assert matched(ward, tmp_path, rule) == []
    with Warehouse.open(tmp_path / "w.duckdb") as warehouse:
        assert lacking(warehouse, rule) == ("ed.edstays", "ed.medrecon")
        assert scan(warehouse, [rule], vocabulary) == []

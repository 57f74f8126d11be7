"""What a match binds, and which moment it is taken at."""

from datetime import datetime, timedelta
from pathlib import Path

import duckdb
import pytest

from state.base import Cohort, InputError
from state.knowledge import Rule
from tools.clinical.scan import scan
from tools.ehr.gates import timed
from tools.ehr.warehouse import Warehouse
from tools.ehr.writer import WarehouseWriter

DAY = timedelta(days=1)
DRAWN = datetime(2150, 1, 10, 6)
AS_OF = datetime(2150, 1, 10, 7, 6)
Rules = dict[str, Rule]


def test_the_first_moment_is_taken_and_all_orders_are_bound_in_order(ward, rules: Rules, tmp_path: Path):
    subject = ward.patient()
    hadm = ward.admission(subject)
    for days, value in ((0, 5.0), (1, 5.9), (2, 6.5)):
        drawn = DRAWN + days * DAY
        ward.lab(subject, hadm, "potassium", value, drawn=drawn, stored=drawn + timedelta(hours=1))
    ward.order(subject, hadm, "Potassium Chloride", start=datetime(2150, 1, 9, 9), dose="40", unit="mEq")
    ward.order(subject, hadm, "Potassium Chloride", start=datetime(2150, 1, 9, 8), dose="20-40", unit="mEq")
    rule = rules["potassium_chloride_hyperkalemia"]
    (match,) = ward.scan(tmp_path / "w.duckdb", [rule])
    assert (match.lab.value, match.as_of) == (5.9, datetime(2150, 1, 11, 7, 5))
    assert match.lab.label == "potassium"
    assert [order.starttime.hour for order in match.orders] == [8, 9]
    assert [order.dose_value for order in match.orders] == [None, 40.0]
    assert [order.dose_unit for order in match.orders] == ["mEq", "mEq"]


def test_references_are_the_row_ids_of_the_gates(ward, rules: Rules, tmp_path: Path):
    subject = ward.patient()
    hadm = ward.admission(subject)
    lab = ward.lab(subject, hadm, "potassium", 6.0)
    ward.order(subject, hadm, "Potassium Chloride")
    (match,) = ward.scan(tmp_path / "w.duckdb", [rules["potassium_chloride_hyperkalemia"]])
    with duckdb.connect(str(tmp_path / "w.duckdb"), read_only=True) as connection:
        ((row_id,),) = connection.execute(f"SELECT row_id FROM ({timed('hosp.prescriptions')})").fetchall()
    assert match.lab.ref == lab
    assert [order.ref for order in match.orders] == [f"MedicationRequest/rx-{row_id}"]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"frequency": "Q 12H", "doses_a_day": 2.0}, "Q12H"),
        ({"frequency": "ASDIR"}, "ASDIR"),
        ({"frequency": "WHENEVER", "doses_a_day": 3.0}, "TID"),
        ({"doses_a_day": 1.0}, "DAILY"),
        ({"doses_a_day": 6.0}, None),
        ({}, None),
    ],
)
def test_frequency_comes_from_the_pharmacy_else_from_the_doses_a_day(
    given, expected, ward, rules: Rules, tmp_path: Path
):
    subject = ward.patient()
    hadm = ward.admission(subject)
    ward.lab(subject, hadm, "potassium", 6.0)
    ward.order(subject, hadm, "Potassium Chloride", **given)
    (match,) = ward.scan(tmp_path / "w.duckdb", [rules["potassium_chloride_hyperkalemia"]])
    assert match.orders[0].frequency == expected


@pytest.mark.parametrize(("minutes", "found"), [(0, 1), (1, 0)])
def test_an_order_is_not_known_before_it_is_entered(
    minutes: int, found: int, ward, rules: Rules, tmp_path: Path
):
    subject = ward.patient()
    hadm = ward.admission(subject)
    ward.lab(subject, hadm, "potassium", 6.0)
    ward.order(
        subject, hadm, "Potassium Chloride", frequency="BID", entered=AS_OF + timedelta(minutes=minutes)
    )
    assert len(ward.scan(tmp_path / "w.duckdb", [rules["potassium_chloride_hyperkalemia"]])) == found


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ({"frequency": "BID"}, 1),
        ({"frequency": "ONCE"}, 0),
        ({"frequency": "NOW X1"}, 0),
        ({"frequency": "ONCE MR1"}, 1),
        ({"dose": "0"}, 0),
        ({"dose": "0.5"}, 1),
    ],
)
def test_a_single_dose_or_one_of_nothing_is_no_standing_order(
    given, found: int, ward, rules: Rules, tmp_path: Path
):
    subject = ward.patient()
    hadm = ward.admission(subject)
    ward.lab(subject, hadm, "potassium", 6.0)
    ward.order(subject, hadm, "Potassium Chloride", **given)
    assert len(ward.scan(tmp_path / "w.duckdb", [rules["potassium_chloride_hyperkalemia"]])) == found


@pytest.mark.parametrize(
    ("given", "dose"), [({"route": "IV DRIP"}, None), ({"route": "IV"}, 1000.0), ({"unit": "dose"}, None)]
)
def test_what_a_bag_holds_is_no_dose(given, dose: float | None, ward, rules: Rules, tmp_path: Path):
    subject = ward.patient()
    hadm = ward.admission(subject)
    ward.lab(subject, hadm, "potassium", 6.0)
    ward.order(subject, hadm, "Potassium Chloride", **given)
    (match,) = ward.scan(tmp_path / "w.duckdb", [rules["potassium_chloride_hyperkalemia"]])
    assert match.orders[0].dose_value == dose


def test_a_result_without_storage_time_is_known_a_day_later(ward, rules: Rules, tmp_path: Path):
    subject = ward.patient()
    hadm = ward.admission(subject)
    ward.lab(subject, hadm, "sodium", 125, drawn=DRAWN + timedelta(minutes=10), stored=None)
    ward.lab(subject, hadm, "inr", 6, stored=None)
    ward.order(subject, hadm, "Warfarin")
    ward.order(subject, hadm, "Metolazone")
    both = [rules["warfarin_high_inr"], rules["thiazide_hyponatremia"]]
    assert ward.scan(tmp_path / "w.duckdb", both) == []
    wide = [r.model_copy(update={"trigger": _within(r, 48)}) for r in both]
    with Warehouse.open(tmp_path / "w.duckdb") as warehouse:
        found = scan(warehouse, wide, ward.vocabulary)
    assert [(match.lab.label, match.as_of, match.lab.unit) for match in found] == [
        ("INR", DRAWN + DAY + timedelta(minutes=5), ""),
        ("sodium", DRAWN + DAY + timedelta(minutes=15), "mEq/L"),
    ]


def _within(rule: Rule, hours: int):
    lab = rule.trigger.lab.model_copy(update={"within_hours": hours})
    return rule.trigger.model_copy(update={"lab": lab})


def test_age_grows_from_the_anchor_year(ward, rules: Rules, tmp_path: Path):
    rule = rules["metformin_egfr_below_30"]
    for anchor_year in (2150, 2110):
        subject = ward.patient(gender="F", anchor_age=40, anchor_year=anchor_year)
        hadm = ward.admission(subject)
        ward.lab(subject, hadm, "creatinine", 2.0)
        ward.order(subject, hadm, "MetFORMIN (Glucophage)", doses_a_day=2)
    (match,) = ward.scan(tmp_path / "w.duckdb", [rule])
    assert match.subject_id == 2
    assert match.lab.derived_value == pytest.approx(142 * (2.0 / 0.7) ** -1.2 * 0.9938**80 * 1.012)
    assert match.lab.derived_unit == "mL/min/1.73m2"


@pytest.mark.parametrize(
    ("days_before", "value", "matches"), [(4, 200, False), (5, 200, True), (14, 200, True), (15, 200, False)]
)
def test_a_fall_counts_from_the_window_of_baselines(
    days_before, value, matches, ward, rules: Rules, tmp_path: Path
):
    subject = ward.patient()
    hadm = ward.admission(subject, admitted=datetime(2149, 12, 1))
    drawn = DRAWN - days_before * DAY
    baseline = ward.lab(subject, hadm, "platelets", value, drawn=drawn, stored=drawn)
    confirmed = drawn + timedelta(minutes=10 if days_before > 10 else -10)
    ward.lab(subject, hadm, "platelets", value - 10, drawn=confirmed, stored=confirmed)
    ward.lab(subject, hadm, "platelets", 100, drawn=DRAWN - 5 * DAY, stored=DRAWN - 5 * DAY)
    ward.lab(subject, hadm, "platelets", 50)
    ward.order(subject, hadm, "Heparin", start=DRAWN - 10 * DAY)
    found = ward.scan(tmp_path / "w.duckdb", [rules["heparin_platelet_fall"]])
    assert [(m.lab.baseline_ref, m.lab.baseline_value, m.lab.baseline_time) for m in found] == (
        [(baseline, 200.0, drawn)] if matches else []
    )


MINUTE = timedelta(minutes=1)


@pytest.mark.parametrize(
    ("started", "matches"),
    [(5 * DAY - MINUTE, False), (5 * DAY, True), (10 * DAY, True), (10 * DAY + MINUTE, False)],
)
def test_heparin_is_suspected_on_its_days_5_to_10(started, matches, ward, rules: Rules, tmp_path: Path):
    """Days of heparin count from the admission's first order, not from the one that runs."""
    subject = ward.patient()
    hadm = ward.admission(subject, admitted=datetime(2149, 12, 20))
    for before in (11 * DAY, 11 * DAY - MINUTE):
        ward.lab(subject, hadm, "platelets", 200, drawn=DRAWN - before, stored=DRAWN - before)
    ward.lab(subject, hadm, "platelets", 50)
    ward.order(subject, hadm, "Heparin", start=DRAWN - started, stop=DRAWN - 2 * DAY)
    ward.order(subject, hadm, "Heparin", start=DRAWN - DAY)
    found = ward.scan(tmp_path / "w.duckdb", [rules["heparin_platelet_fall"]])
    assert len(found) == matches


@pytest.mark.parametrize(("value", "matches"), [(139, False), (140, True)])
def test_a_fall_before_heparin_could_have_caused_it_is_not_laid_on_heparin(
    value, matches, ward, rules: Rules, tmp_path: Path
):
    subject = ward.patient()
    hadm = ward.admission(subject, admitted=datetime(2149, 12, 20))
    for days, count in ((9.1, 200), (9, 200), (4, value)):
        drawn = DRAWN - days * DAY
        ward.lab(subject, hadm, "platelets", count, drawn=drawn, stored=drawn)
    ward.lab(subject, hadm, "platelets", 50)
    ward.order(subject, hadm, "Heparin", start=DRAWN - 8 * DAY)
    found = ward.scan(tmp_path / "w.duckdb", [rules["heparin_platelet_fall"]])
    assert len(found) == matches


@pytest.mark.parametrize(
    ("comment", "matches"),
    [
        (None, True),
        ("HEMOLYSIS FALSELY ELEVATES K..", False),
        ("SPECIMEN SLIGHTLY HEMOLYZED..", False),
        ("SPECIMEN DILUTED.", False),
        ("VERIFIED BY DILUTION.", True),
        ("POSSIBLE IV FLUID CONTAMINATION.", False),
        ("NO CONTAMINATION.", True),
        ("SPECIMEN CLOTTED.", False),
        ("CHECKED FOR CLOT.", True),
        ("VERIFIED.  NOT HEMOLYZED.", True),
        ("VERIFIED.  NO HEMOLYSIS PRESENT.", True),
        ("NEW REFERENCE RANGE.", True),
    ],
)
def test_a_sample_in_doubt_proves_nothing(comment, matches, ward, rules: Rules, tmp_path: Path):
    subject = ward.patient()
    hadm = ward.admission(subject)
    ward.lab(subject, hadm, "potassium", 6.0, comments=comment)
    ward.order(subject, hadm, "Potassium Chloride")
    found = ward.scan(tmp_path / "w.duckdb", [rules["potassium_chloride_hyperkalemia"]])
    assert len(found) == matches


@pytest.mark.parametrize(("comment", "matches"), [("HEMOLYZED SPECIMEN.", False), ("VERIFIED.", True)])
def test_a_sample_in_doubt_is_no_baseline(comment, matches, ward, rules: Rules, tmp_path: Path):
    subject = ward.patient()
    hadm = ward.admission(subject, admitted=datetime(2149, 12, 20))
    for days, count in ((9.1, 200), (9, 200)):
        drawn = DRAWN - days * DAY
        ward.lab(subject, hadm, "platelets", count, drawn=drawn, stored=drawn, comments=comment)
    ward.lab(subject, hadm, "platelets", 50)
    ward.order(subject, hadm, "Heparin", start=DRAWN - 8 * DAY)
    found = ward.scan(tmp_path / "w.duckdb", [rules["heparin_platelet_fall"]])
    assert len(found) == matches


@pytest.mark.parametrize(("other", "matches"), [("Potassium Phosphate", False), ("Valsartan", True)])
def test_no_question_has_two_right_orders(other, matches, ward, rules: Rules, tmp_path: Path):
    subject = ward.patient()
    hadm = ward.admission(subject)
    ward.lab(subject, hadm, "potassium", 6.0)
    ward.order(subject, hadm, "Potassium Chloride")
    ward.order(subject, hadm, other)
    found = ward.scan(tmp_path / "w.duckdb", [rules["potassium_chloride_hyperkalemia"]])
    assert len(found) == matches


def test_a_rival_does_not_unsay_what_a_rule_holds(ward, rules: Rules, tmp_path: Path):
    """Metformin that lactate stops is not halved, though a second diabetes drug keeps the question from being asked."""
    subject = ward.patient()
    hadm = ward.admission(subject)
    ward.lab(subject, hadm, "creatinine", 2.0)
    ward.lab(subject, hadm, "lactate", 6.0)
    ward.order(subject, hadm, "MetFORMIN (Glucophage)", doses_a_day=2)
    halve, stop = rules["metformin_egfr_30_to_44"], rules["metformin_lactate"]
    order = stop.trigger.order.model_copy(update={"rivals": ("senna",)})
    rivalled = stop.model_copy(update={"trigger": stop.trigger.model_copy(update={"order": order})})
    ward.order(subject, hadm, "Senna")
    assert ward.scan(tmp_path / "w.duckdb", [halve, rivalled]) == []


def test_a_baseline_of_another_admission_does_not_count(ward, rules: Rules, tmp_path: Path):
    subject = ward.patient()
    earlier = ward.admission(subject, admitted=datetime(2149, 12, 1), discharged=datetime(2150, 1, 4))
    hadm = ward.admission(subject, admitted=datetime(2150, 1, 4, 1))
    ward.lab(subject, earlier, "platelets", 200, drawn=DRAWN - 7 * DAY, stored=DRAWN - 7 * DAY)
    ward.lab(subject, hadm, "platelets", 50)
    ward.order(subject, hadm, "Heparin")
    assert ward.scan(tmp_path / "w.duckdb", [rules["heparin_platelet_fall"]]) == []


@pytest.mark.parametrize(
    ("other", "stop", "matches"), [("Potassium Phosphate", None, False), ("Senna", None, True)]
)
def test_no_replacement_is_asked_for_where_one_is_ordered(
    other, stop, matches, ward, rules: Rules, tmp_path: Path
):
    subject = ward.patient()
    hadm = ward.admission(subject)
    ward.lab(subject, hadm, "potassium", 2.5)
    ward.order(subject, hadm, "Furosemide")
    ward.order(subject, hadm, other, stop=stop)
    found = ward.scan(tmp_path / "w.duckdb", [rules["loop_diuretic_hypokalemia_replace"]])
    assert [order.ingredient for match in found for order in match.orders] == ["furosemide"] * matches


@pytest.mark.parametrize(("drug", "route", "dose", "matches"), [
    ("Spironolactone", "PO/NG", "25", True),
    ("Spironolactone", "PO", "12.5", False),
    ("Spironolactone", "PO", "25-50", False),
    ("Spironolactone", "TP", "25", False),
    ("Eplerenone", "PO", "25", False),
])  # fmt: skip
def test_dose_and_route_narrow_the_order(drug, route, dose, matches, ward, rules: Rules, tmp_path: Path):
    subject = ward.patient()
    hadm = ward.admission(subject)
    ward.lab(subject, hadm, "potassium", 5.8)
    ward.order(subject, hadm, drug, route=route, dose=dose)
    found = ward.scan(tmp_path / "w.duckdb", [rules["spironolactone_hyperkalemia_halve"]])
    assert [order.route for match in found for order in match.orders] == [route] * matches


def test_half_a_dose_is_not_advised_while_another_rule_stops_the_drug(ward, rules: Rules, tmp_path: Path):
    subject = ward.patient()
    hadm = ward.admission(subject)
    ward.lab(subject, hadm, "creatinine", 2.0)
    ward.lab(subject, hadm, "lactate", 6.0)
    ward.order(subject, hadm, "MetFORMIN (Glucophage)", doses_a_day=2)
    halve, stop = rules["metformin_egfr_30_to_44"], rules["metformin_lactate"]
    assert [match.rule_id for match in ward.scan(tmp_path / "both.duckdb", [halve, stop])] == [stop.id]
    with Warehouse.open(tmp_path / "both.duckdb") as warehouse:
        assert [match.rule_id for match in scan(warehouse, [halve], ward.vocabulary)] == [halve.id]


def test_the_same_warehouse_gives_the_same_matches(ward, rules: Rules, tmp_path: Path):
    for _ in range(30):
        subject = ward.patient()
        hadm = ward.admission(subject)
        ward.lab(subject, hadm, "potassium", 6.2)
        for drug in ("Lisinopril", "Spironolactone", "Potassium Chloride"):
            ward.order(subject, hadm, drug)
    found = ward.scan(tmp_path / "w.duckdb", list(rules.values()))
    assert len(found) == 90
    with Warehouse.open(tmp_path / "w.duckdb") as warehouse:
        assert scan(warehouse, list(rules.values()), ward.vocabulary) == found
    assert [(match.rule_id, match.subject_id) for match in found] == sorted(
        (match.rule_id, match.subject_id) for match in found
    )


def test_a_warehouse_without_orders_is_refused(vocabulary, rules: Rules, tmp_path: Path):
    with WarehouseWriter(tmp_path / "w.duckdb", Cohort.SYNTHETIC) as writer:
        for table in ("hosp.patients", "hosp.admissions", "hosp.labevents"):
            writer.insert(table, [])
        writer.commit()
    with (
        Warehouse.open(tmp_path / "w.duckdb") as warehouse,
        pytest.raises(InputError, match=r"has no hosp\.prescriptions: ingest"),
    ):
        scan(warehouse, list(rules.values()), vocabulary)

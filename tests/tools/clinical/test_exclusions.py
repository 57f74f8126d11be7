"""Exclusions: each sign shows up to its last minute and no longer, and bars the rules that name it."""

from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import yaml
from circumstances import BARS, MISSED, SHOWN
from courses import AS_OF, DISCHARGED, DRAWN, HOUR, Dose, Lab, put
from one_finding import Stay, rule_with
from pydantic import ValidationError

from state.base import Cohort, InputError, Language
from state.exclusions import (
    Bar,
    ChartedSign,
    CodedSign,
    ComplaintSign,
    DischargeSign,
    GivenSign,
    InfusionSign,
    OrderSign,
    ProcedureSign,
    ResultSign,
    StatusSign,
    WithheldSign,
)
from state.knowledge import Rule
from tools.clinical.exclusions import load_exclusions, read_exclusions
from tools.clinical.rules import load_rules
from tools.clinical.scan import lacking
from tools.ehr.warehouse import Warehouse
from tools.ehr.writer import WarehouseWriter
from tools.vocabulary import Vocabulary

MINUTE = timedelta(minutes=1)
EXCLUSIONS = load_exclusions()
SIGNS = [(one.id, number) for one in EXCLUSIONS.values() for number in range(len(one.signs))]
WINDOWS = (ProcedureSign, InfusionSign, ChartedSign, ResultSign, OrderSign, GivenSign, WithheldSign)
WINDOWED = [(name, k) for name, k in SIGNS if isinstance(EXCLUSIONS[name].signs[k], WINDOWS)]
CODED = [(name, k) for name, k in SIGNS if isinstance(EXCLUSIONS[name].signs[k], CodedSign)]
RULES = {rule.id: rule for rule in load_rules()}
IMPLIED = {name for name, one in EXCLUSIONS.items() if one.every_rule}


def write_sign(ward: Any, stay: Stay, sign: Any, at: datetime, *, other: bool = False) -> None:
    """Write what shows ``sign``, ended or charted ``at``; ``other``: a row that is like it and says something else."""
    key = {"subject_id": stay[0], "hadm_id": stay[1]}
    number = len(ward.rows.get("icu.chartevents", [])) + 1
    match sign:
        case ProcedureSign() | InfusionSign():
            table = "icu.procedureevents" if isinstance(sign, ProcedureSign) else "icu.inputevents"
            item = 224270 if other else sign.itemids[0]
            ward.row(table, **key, itemid=item, stay_id=number, starttime=at - HOUR, endtime=at)
        case ChartedSign():
            word = (
                (sign.but or ("Full code",))[0] if other else f"x {(sign.words or ('CMV',))[0].title()} only"
            )
            row = {"itemid": sign.itemids[0], "stay_id": number, "value": word, "charttime": at}
            ward.row("icu.chartevents", **key, **row, storetime=at)
        case ResultSign():
            word = "NOT INTUBATED." if other else f"{sign.words[0].upper()}."
            lab_id = 900000 + len(ward.rows.get("hosp.labevents", []))
            row = {"itemid": sign.itemids[0], "labevent_id": lab_id, "value": word, "charttime": at}
            ward.row("hosp.labevents", **key, **row)
        case OrderSign():
            subtype = "Vitals/Monitoring" if other else (sign.subtypes or (None,))[0]
            row = {"order_type": "General Care" if other else sign.type, "order_subtype": subtype}
            ward.row("hosp.poe", **key, **row, poe_id=f"{number}-{len(ward.rows)}", ordertime=at)
        case GivenSign():
            drug = ward.vocabulary.ingredient_by_id("aspirin" if other else sign.ingredients[0]).synonyms[0]
            event = "Started" if sign.infusion else "Administered"
            drugs = [drug, *(ward.vocabulary.ingredient_by_id(one).synonyms[0] for one in sign.beside[:1])]
            for medication in drugs:
                row = {"emar_id": "1-1", "emar_seq": 1, "medication": medication, "event_txt": event}
                ward.row("hosp.emar", **key, **row, charttime=at, storetime=at)
        case WithheldSign():
            drug = ward.vocabulary.ingredient_by_id(sign.ingredients[0]).names[Language.EN]
            event = "Not Given per Sliding Scale" if other else "Not Given"
            row = {"emar_id": "1-1", "emar_seq": 1, "medication": drug, "event_txt": event}
            ward.row("hosp.emar", **key, **row, charttime=at, storetime=at)


def scanned(ward: Any, path: Path, name: str) -> bool:
    """Tell whether a made-up rule that names the exclusion is matched."""
    return bool(ward.scan(path, [rule_with(unless={name: "only to be tried"})]))


@pytest.mark.parametrize("name", sorted({name for name, _ in WINDOWED}))
def test_each_sign_shows_from_its_row_until_its_hours_are_over(name: str, ward, tmp_path: Path):
    """A row that says something else, or comes later, is no sign."""
    free = set()
    for number in (number for of, number in WINDOWED if of == name):
        sign = EXCLUSIONS[name].signs[number]
        over = AS_OF - sign.for_hours * HOUR
        told = ((over + MINUTE, False), (over, False), (DRAWN, True), (AS_OF + HOUR + MINUTE, False))
        for at, other in told:
            subject = ward.patient()
            stay = (subject, ward.admission(subject))
            ward.lab(*stay, "wbc", 12.0)
            write_sign(ward, stay, sign, at, other=other)
            if (at, other) != told[0]:
                free.add(subject)
    ward.row("icu.procedureevents", subject_id=0, hadm_id=0, stay_id=0, itemid=0)
    found = ward.scan(tmp_path / "w.duckdb", [rule_with(unless={name: "only to be tried"})])
    assert {match.subject_id for match in found} == free


@pytest.mark.parametrize("version", [9, 10])
@pytest.mark.parametrize(("name", "number"), CODED)
def test_a_code_counts_from_its_discharge_on_and_a_chronic_one_for_its_stay(
    name: str, number: int, version: int, ward, stay: Stay, tmp_path: Path
):
    """An earlier stay's for good, or for its hours; that of this stay only where it is chronic."""
    sign = EXCLUSIONS[name].signs[number]
    code = (sign.icd10 if version == 10 else sign.icd9)[0]
    subject = ward.patient()
    this = ward.admission(subject)
    ward.lab(subject, this, "wbc", 12.0)
    ended = datetime(2149, 6, 9)
    before = ward.admission(stay[0], datetime(2149, 6, 1), ended)
    for patient, hadm in ((stay[0], before), (subject, this)):
        row = {"subject_id": patient, "hadm_id": hadm, "icd_code": code, "icd_version": version}
        ward.row("hosp.diagnoses_icd", **row, seq_num=1)
    rule = rule_with(unless={name: "only to be tried"})
    matched = {match.subject_id for match in ward.scan(tmp_path / "w.duckdb", [rule])}
    over = bool(sign.for_hours) and ended + sign.for_hours * HOUR <= AS_OF
    assert matched == {one for one, free in ((subject, not sign.chronic), (stay[0], over)) if free}


@pytest.mark.parametrize(("days", "matches"), [(280, False), (281, True)])
def test_a_pregnancy_counts_for_forty_weeks(days: int, matches: bool, ward, stay: Stay, tmp_path: Path):
    ended = AS_OF - timedelta(days=days) + MINUTE
    hadm = ward.admission(stay[0], ended - timedelta(days=2), ended)
    row = {"subject_id": stay[0], "hadm_id": hadm, "icd_code": "O0992", "icd_version": 10}
    ward.row("hosp.diagnoses_icd", **row, seq_num=1)
    assert scanned(ward, tmp_path / "w.duckdb", "pregnancy") is matches


@pytest.mark.parametrize(
    ("field", "value", "later", "matches"),
    [
        ("Code status", "Comfort measures only", None, False),
        ("Code status", "Do not resuscitate (DNR/DNI)", None, True),
        ("Admit to", "Comfort measures only", None, True),
        ("Code status", "Comfort measures only", "Resuscitate (Full code)", True),
    ],
)
def test_a_code_status_holds_until_the_next(
    field: str, value: str, later: str | None, matches: bool, ward, stay: Stay, tmp_path: Path
):
    told = [(DRAWN - 48 * HOUR, field, value), (DRAWN - HOUR, "Code status", later)]
    for number, (when, name, text) in enumerate(told):
        if text is not None:
            poe = {"poe_id": f"{number}", "poe_seq": number, "subject_id": stay[0]}
            row = {"order_type": "General Care", "order_subtype": "Code status"}
            ward.row("hosp.poe", **poe, **row, hadm_id=stay[1], ordertime=when)
            ward.row("hosp.poe_detail", **poe, field_name=name, field_value=text)
    assert scanned(ward, tmp_path / "w.duckdb", "comfort_care") is matches


@pytest.mark.parametrize(
    ("complaint", "of_this_stay", "matches"),
    [
        ("BRBPR", True, False),
        ("Weakness, GI bleed", True, False),
        ("ICH", True, False),
        ("Itching", True, True),
        ("sandwich stuck", True, True),
        ("BRBPR", False, True),
    ],
)
def test_a_complaint_counts_for_the_stay_it_led_to(
    complaint: str, of_this_stay: bool, matches: bool, ward, stay: Stay, tmp_path: Path
):
    subject, hadm = stay
    if not of_this_stay:
        hadm = ward.admission(subject, datetime(2149, 6, 1), datetime(2149, 6, 9))
    begun = datetime(2150, 1, 1, 9) if of_this_stay else datetime(2149, 6, 1)
    ward.row("ed.edstays", subject_id=subject, hadm_id=hadm, stay_id=7, intime=begun)
    ward.row("ed.triage", subject_id=subject, stay_id=7, chiefcomplaint=complaint)
    assert scanned(ward, tmp_path / "w.duckdb", "bleeding") is matches


@pytest.mark.parametrize(
    ("location", "days", "matches"),
    [("HOSPICE", 7, False), ("HOSPICE", 8, True), ("REHAB", 1, True)],
)
def test_a_hospice_counts_for_the_week_before_and_for_good(
    location: str, days: int, matches: bool, ward, tmp_path: Path
):
    subject = ward.patient()
    hadm = ward.admission(subject, discharged=AS_OF + timedelta(days=days))
    ward.rows["admissions"][-1]["discharge_location"] = location
    ward.lab(subject, hadm, "wbc", 12.0)
    assert scanned(ward, tmp_path / "w.duckdb", "comfort_care") is matches


@pytest.mark.parametrize(
    ("days", "before", "now", "steady"),
    [
        (30, 1.0, 1.5, False),
        (30, 1.01, 1.5, True),
        (30, 3.0, 1.5, True),
        (365, 1.0, 1.5, False),
        (366, 1.0, 1.5, True),
    ],
)
def test_a_kidney_is_unsteady_where_creatinine_has_risen_by_half_since_the_year_before(
    days: int, before: float, now: float, steady: bool, ward, tmp_path: Path
):
    """KDIGO 2012: to 1.5 times the baseline, which is here the last value of the year before the stay."""
    subject = ward.patient()
    hadm = ward.admission(subject)
    earlier = DRAWN - timedelta(days=days)
    ward.lab(subject, None, "creatinine", before, drawn=earlier, stored=earlier)
    ward.lab(subject, hadm, "creatinine", now)
    ward.lab(subject, hadm, "wbc", 12.0)
    assert scanned(ward, tmp_path / "w.duckdb", "unsteady_kidney") is steady


def test_the_last_value_before_the_stay_is_the_baseline(ward, tmp_path: Path):
    """A low value that a later one has left behind is none; a value of this stay is none either."""
    subject = ward.patient()
    hadm = ward.admission(subject, admitted=DRAWN - timedelta(days=20))
    for days, value, of in ((200, 0.8, None), (40, 1.4, None), (15, 0.9, hadm), (0, 1.5, hadm)):
        drawn = DRAWN - timedelta(days=days)
        ward.lab(subject, of, "creatinine", value, drawn=drawn, stored=drawn + HOUR)
    ward.lab(subject, hadm, "wbc", 12.0)
    assert scanned(ward, tmp_path / "w.duckdb", "unsteady_kidney")


def test_every_sign_is_tried():
    apart = (StatusSign, ComplaintSign, CodedSign, DischargeSign)
    kinds = {type(sign) for one in EXCLUSIONS.values() for sign in one.signs}
    assert {kind.__name__ for kind in kinds} == {kind.__name__ for kind in (*WINDOWS, *apart)} | {
        *("CreatinineSign", "DoseChangeSign", "SmallDoseSign")
    }


@pytest.mark.parametrize(("minutes", "matches"), [(30, False), (-30, False), (31, True), (-31, True)])
def test_insulin_shifts_potassium_within_half_an_hour_of_dextrose(
    minutes: int, matches: bool, ward, stay: Stay, tmp_path: Path
):
    put(ward, *stay, Dose(6, "Insulin"))
    put(ward, *stay, Dose(6 - minutes / 60, "Dextrose 50%"))
    assert scanned(ward, tmp_path / "w.duckdb", "potassium_shifted") is matches


@pytest.mark.parametrize(
    ("drug", "doses", "hours", "matches"),
    [
        ("Levothyroxine Sodium", ("25", "50"), 1008, False),
        ("Levothyroxine Sodium", ("25", "50"), 1009, True),
        ("Levothyroxine Sodium", ("50", "25"), 1008, False),
        ("Levothyroxine Sodium", ("50", "50"), 24, True),
        ("Levothyroxine Sodium", ("50",), 24, True),
        ("Liothyronine Sodium", ("5", "10"), 24, True),
    ],
)
def test_a_dose_is_new_for_six_weeks(
    drug: str, doses: tuple[str, ...], hours: int, matches: bool, ward, tmp_path: Path
):
    subject = ward.patient()
    hadm = ward.admission(subject)
    ward.lab(subject, hadm, "wbc", 12.0)
    for number, amount in enumerate(reversed(doses)):
        start = AS_OF - hours * HOUR + MINUTE - number * 240 * HOUR
        ward.order(subject, hadm, drug, start=start, dose=amount, unit="mcg")
    assert scanned(ward, tmp_path / "w.duckdb", "thyroid_dose_changed") is matches


@pytest.mark.parametrize(
    ("drug", "dose", "more", "matches"),
    [
        ("PredniSONE", "9", {}, False),
        ("PredniSONE", "10", {}, True),
        ("PredniSONE", "5", {"doses_a_day": 2.0}, True),
        ("PrednisoLONE", "9", {}, False),
        ("PrednisoLONE", "10", {}, True),
        ("Methylprednisolone", "7", {}, False),
        ("Methylprednisolone", "8", {}, True),
        ("Hydrocortisone", "19", {"doses_a_day": 2.0}, False),
        ("Hydrocortisone", "20", {"doses_a_day": 2.0}, True),
        ("Dexamethasone", "1.4", {}, False),
        ("Dexamethasone", "1.5", {}, True),
        ("PredniSONE", "5", {"route": "TP"}, True),
        ("PredniSONE", "5", {"stop": AS_OF - 24 * HOUR}, True),
        ("PredniSONE", "5", {"stop": AS_OF - 24 * HOUR + MINUTE}, False),
    ],
)
def test_a_small_steroid_is_less_than_ten_of_prednisone_a_day(
    drug: str, dose: str, more: dict[str, Any], matches: bool, ward, stay: Stay, tmp_path: Path
):
    ward.order(*stay, drug, dose=dose, start=AS_OF - 48 * HOUR, **more)
    assert scanned(ward, tmp_path / "w.duckdb", "small_steroid") is matches


@pytest.mark.parametrize("rule", RULES.values(), ids=lambda rule: rule.id)
def test_comfort_care_bars_every_rule_and_its_control(rule: Rule):
    for trigger in filter(None, (rule.trigger, rule.control)):
        assert "comfort_care" in trigger.unless


@pytest.mark.parametrize("name", sorted(set(EXCLUSIONS) - IMPLIED))
def test_every_exclusion_is_named_by_a_rule(name: str):
    assert any(
        name in trigger.unless
        for rule in RULES.values()
        for trigger in filter(None, (rule.trigger, rule.control))
    )
    assert name in SHOWN


def test_every_rule_is_barred_by_what_is_recorded_of_it():
    """The cases of a rule are made from what it names, so that a line gone from its file would be missed by none."""
    recorded = yaml.safe_load((Path(__file__).parent / "circumstances_of_rules.yaml").read_text("utf-8"))
    named = {
        f"{rule.id}{which}": [
            *sorted(set(trigger.unless) - IMPLIED),
            *(bar.finding.name for bar in trigger.bars),
        ]
        for rule in RULES.values()
        for which, trigger in (("", rule.trigger), (" (control)", rule.control))
        if trigger is not None
    }
    assert {name: names for name, names in named.items() if names} == recorded


def test_every_sign_is_the_one_that_is_recorded():
    """Hours, subtypes and words of a sign can be tried only as the file has them; what they are stands here."""
    recorded = yaml.safe_load((Path(__file__).parent / "signs_of_exclusions.yaml").read_text("utf-8"))
    apart = {"icd10", "icd9", "itemids"}
    assert recorded == {
        name: [
            {"kind": sign.kind, **sign.model_dump(mode="json", exclude_defaults=True, exclude=apart)}
            for sign in one.signs
        ]
        for name, one in EXCLUSIONS.items()
    }


def test_bars_of_one_name_are_one_finding():
    found: dict[str, Any] = {}
    for rule in RULES.values():
        for bar in rule.trigger.bars:
            assert found.setdefault(bar.finding.name, bar.finding) == bar.finding
    assert {name for name, finding in found.items() if not finding.absent} == set(BARS)
    assert {name for name, finding in found.items() if finding.absent} == set(MISSED)


@pytest.mark.parametrize(("kind", "allowed"), [("given", True), ("order", True), ("home_medication", False)])
def test_only_an_order_or_a_dose_bars_by_its_absence(kind: str, allowed: bool):
    hours = {"within_hours": 24} if kind == "given" else {}
    finding = {"name": "x", "kind": kind, "ingredients": ["warfarin"], "absent": True, **hours}
    if allowed:
        assert Bar.model_validate({"why": "only to be tried", "finding": finding}).finding.absent
    else:
        with pytest.raises(ValidationError, match="only an order or a dose bars by its absence"):
            Bar.model_validate({"why": "only to be tried", "finding": finding})


PLAIN = [
    rule
    for rule in RULES.values()
    if not rule.trigger.also
    and rule.trigger.order
    and (rule.trigger.bars or set(rule.trigger.unless) - IMPLIED)
]
HOLDING = {
    "digoxin_high_level": 2.1,
    "digoxin_hypokalemia_replace": 3.4,
    "insulin_hypoglycemia": 69.0,
    "lithium_high_level": 1.6,
    "loop_diuretic_hypokalemia_replace": 2.9,
    "metformin_egfr_30_to_44": 1.74,
    "mra_low_egfr": 3.45,
    "nsaid_low_egfr": 2.45,
    "phenytoin_high_level": 20.1,
    "spironolactone_hyperkalemia_halve": 5.6,
    "statin_creatine_kinase": 2001.0,
    "tacrolimus_high_level": 20.1,
}
"""A result at which each rule without further findings holds, for a man of 60."""


def test_every_plain_rule_has_a_value():
    assert {rule.id for rule in PLAIN} == set(HOLDING)


@pytest.mark.parametrize("rule", PLAIN, ids=lambda rule: rule.id)
def test_a_plain_rule_is_barred_by_each_of_its_exclusions_and_bars(
    rule: Rule, ward, vocabulary: Vocabulary, tmp_path: Path
):
    drug = vocabulary.ingredient_by_id(rule.trigger.order.ingredients[0]).names[Language.EN]
    cases = {"nothing": (), **{name: SHOWN[name] for name in set(rule.trigger.unless) - IMPLIED}}
    for bar in rule.trigger.bars:
        barring, nearly = BARS[bar.finding.name]
        cases |= {bar.finding.name: barring, f"nearly_{bar.finding.name}": nearly}
    subjects = {}
    for name, facts in cases.items():
        subject = ward.patient()
        hadm = ward.admission(subject)
        ward.order(subject, hadm, drug, doses_a_day=2.0)
        for fact in (*facts, Lab(0, rule.trigger.lab.analyte, HOLDING[rule.id], (0.0, 200.0))):
            put(ward, subject, hadm, fact)
        subjects[subject] = name
    found = ward.scan(tmp_path / "w.duckdb", [rule.model_copy(update={"control": None})])
    free = {name for name in cases if name == "nothing" or name.startswith("nearly_")}
    assert {subjects[match.subject_id] for match in found if match.as_of == AS_OF} == free


def test_a_control_is_barred_by_its_own_exclusions(ward, tmp_path: Path):
    rule = RULES["warfarin_high_inr"]
    for facts in ((), SHOWN["bleeding"], SHOWN["procedure_ahead"], SHOWN["shock"]):
        subject = ward.patient()
        hadm = ward.admission(subject)
        ward.order(subject, hadm, "Warfarin")
        for fact in (*facts, Lab(0, "inr", 2.5)):
            put(ward, subject, hadm, fact)
    assert [match.subject_id for match in ward.scan(tmp_path / "w.duckdb", [rule])] == [1, 4]


def test_a_platelet_fall_is_barred_by_each_of_its_exclusions(ward, tmp_path: Path):
    rule = RULES["heparin_platelet_fall"]
    cases = {"nothing": (), **{name: SHOWN[name] for name in set(rule.trigger.unless) - IMPLIED}}
    subjects = {}
    for name, facts in cases.items():
        subject = ward.patient()
        hadm = ward.admission(subject)
        ward.order(subject, hadm, "Heparin", start=DRAWN - timedelta(days=6), route="SC")
        counts = (
            Lab(24 * 6, "platelets", 200.0),
            Lab(24 * 5.5, "platelets", 200.0),
            Lab(0, "platelets", 90.0),
        )
        for fact in (*facts, *counts):
            put(ward, subject, hadm, fact)
        subjects[subject] = name
    found = ward.scan(tmp_path / "w.duckdb", [rule])
    assert {subjects[match.subject_id] for match in found} == {"nothing"}


def test_a_barred_hold_still_speaks_against_going_on(ward, tmp_path: Path):
    """Under dialysis nobody says that the drug is held for its eGFR; nobody says that it goes on either."""
    subject = ward.patient()
    hadm = ward.admission(subject)
    ward.order(subject, hadm, "Spironolactone")
    dialysis = (*SHOWN["dialysis"], Lab(0, "creatinine", 3.45), Lab(0, "potassium", 5.2))
    for fact in dialysis:
        put(ward, subject, hadm, fact)
    assert ward.scan(tmp_path / "w.duckdb", [RULES["mra_low_egfr"], RULES["mra_severe_hyperkalemia"]]) == []


@pytest.mark.parametrize(
    ("hours_of_stay", "ended", "found"),
    [
        (24, {}, None),
        (25, {}, 24),
        (25, {"deathtime": DISCHARGED}, None),
        (25, {"discharge_location": "HOSPICE"}, None),
    ],
)
def test_discharge_is_asked_about_a_day_after_admission_and_only_of_who_goes_home(
    hours_of_stay: int, ended: dict[str, object], found: int | None, ward, tmp_path: Path
):
    subject = ward.patient()
    admitted = DRAWN - 4 * HOUR
    hadm = ward.admission(subject, admitted=admitted, discharged=admitted + hours_of_stay * HOUR)
    ward.rows["admissions"][-1] |= ended
    ward.lab(subject, hadm, "wbc", 12.0)
    matches = ward.scan(tmp_path / "w.duckdb", [rule_with(before_discharge_hours=72)])
    assert [match.as_of for match in matches] == ([admitted + found * HOUR] if found else [])


def test_a_rule_whose_circumstance_cannot_be_told_says_which_tables_it_wants(tmp_path: Path):
    rule = RULES["acidosis_compensation_failing"]
    for table, wanted in ((None, ("icu.procedureevents", "icu.chartevents")), ("icu.procedureevents", ())):
        path = tmp_path / f"{table}.duckdb"
        with WarehouseWriter(path, Cohort.SYNTHETIC) as writer:
            if table:
                writer.insert(table, [{"subject_id": 1, "hadm_id": 1, "stay_id": 1, "itemid": 1}])
            writer.commit()
        with Warehouse.open(path) as warehouse:
            assert lacking(warehouse, rule) == wanted


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a:\n  why: long enough to be read\n  signs: []", r"x\.yaml: a: Tuple should have at least 1 item"),
        ("a: 1", r"x\.yaml: a: holds no mapping"),
        ("a: [", r"x\.yaml: not readable as YAML"),
        ("a:\n  why: long enough to be read\n  signs: [{kind: coded}]", r"give icd10 or icd9 prefixes"),
    ],
)
def test_a_bad_file_is_refused_with_file_and_exclusion(text: str, message: str, tmp_path: Path):
    file = tmp_path / "x.yaml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        read_exclusions(file)

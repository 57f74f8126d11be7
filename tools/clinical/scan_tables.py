"""Temporary tables that a rule scan reads: the rows of a warehouse that some rule speaks of, in the vocabulary's words.

``labs`` and ``drug_orders`` are always made; the others where a rule has findings of their kind.
"""

import re
from collections.abc import Callable, Sequence
from typing import Any

import duckdb

from state.exclusions import (
    CreatinineSign,
    DoseChangeSign,
    Exclusion,
    GivenSign,
    SmallDoseSign,
    WithheldSign,
)
from state.findings import (
    ConditionFinding,
    CultureFinding,
    FigureFinding,
    Finding,
    GivenFinding,
    HomeFinding,
    LabFinding,
    OrderFinding,
    RateFinding,
    Sign,
    VitalFinding,
)
from state.knowledge import Rule, Trigger
from tools.clinical import scan_sql
from tools.clinical.administrations import make_administrations
from tools.clinical.exclusion_sql import prepare_exclusions
from tools.clinical.exclusions import load_exclusions
from tools.clinical.figures import RECIPES
from tools.clinical.finished_orders import mark_finished, with_switches
from tools.clinical.spoiled_draws import find_spoiled_draws
from tools.clinical.temporary import create, distinct, map_drugs
from tools.ehr.gates import timed
from tools.fhir.home_list import is_local
from tools.fhir.vital_signs import (
    HEART_RATE,
    ICU_ITEMS,
    ICU_PRESSURES,
    OXYGEN_SATURATION,
    RESPIRATORY_RATE,
    TEMPERATURE,
    WEIGHT,
    VitalSign,
)
from tools.vocabulary import Vocabulary

TABLES_OF: dict[type, tuple[str, ...]] = {
    GivenFinding: ("hosp.emar",),
    RateFinding: ("hosp.emar", "hosp.emar_detail"),
    CultureFinding: ("hosp.microbiologyevents",),
    VitalFinding: ("icu.chartevents",),
    ConditionFinding: ("hosp.diagnoses_icd", "hosp.d_icd_diagnoses"),
    HomeFinding: ("ed.edstays", "ed.medrecon"),
}
"""Tables that findings of a kind need, beside those every scan needs."""

_NUMBER = re.compile(r"\d+(?:\.\d+)?|\.\d+|\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_SIGN_OF: dict[VitalSign, Sign] = {
    HEART_RATE: Sign.HEART_RATE_BPM,
    RESPIRATORY_RATE: Sign.RESPIRATORY_RATE,
    OXYGEN_SATURATION: Sign.OXYGEN_SATURATION,
    TEMPERATURE: Sign.TEMPERATURE_C,
    WEIGHT: Sign.WEIGHT_KG,
}

_CULTURES = f"""
CREATE TEMP TABLE cultures AS
SELECT t.subject_id, t.hadm_id, any_value(coalesce(t.charttime, t.chartdate)) AS charttime,
       max(t.known_at) AS known_at, any_value(t.spec_type_desc) AS specimen, any_value(t.org_name) AS organism,
       any_value(trim(t.comments)) AS comment, t.micro_specimen_id AS specimen_id,
       bool_or(coalesce(t.test_name, '') ILIKE '%Bottle Gram Stain%') AS stained,
       list(DISTINCT t.ab_name) FILTER (t.interpretation = 'S') AS susceptible,
       list(DISTINCT t.ab_name) FILTER (t.interpretation = 'R') AS resistant,
       concat_ws('-', 'Observation/micro', t.micro_specimen_id, t.test_itemid, coalesce(t.org_itemid, 0),
                 coalesce(t.isolate_num, 0)) AS ref
FROM ({timed("hosp.microbiologyevents")}) t
WHERE coalesce(t.org_name, '') <> 'CANCELLED'
GROUP BY t.subject_id, t.hadm_id, t.micro_specimen_id, t.test_itemid, t.org_itemid, t.isolate_num
"""

_DIAGNOSES = f"""
CREATE TEMP TABLE diagnoses AS
SELECT t.subject_id, t.known_at, trim(t.icd_code) AS code, t.icd_version AS version, t.seq_num,
       coalesce(d.long_title, trim(t.icd_code)) AS title, 'Condition/icd-' || t.row_id AS ref
FROM ({timed("hosp.diagnoses_icd")}) t
LEFT JOIN hosp.d_icd_diagnoses d ON d.icd_code = t.icd_code AND d.icd_version = t.icd_version
"""

_HOME_LIST = f"""
CREATE TEMP TABLE home_list AS
SELECT t.subject_id, s.hadm_id, t.charttime, t.known_at, t.name, d.ingredient,
       'MedicationRequest/home-' || t.row_id AS ref
FROM ({timed("ed.medrecon")}) t
JOIN ed.edstays s ON s.stay_id = t.stay_id AND s.subject_id = t.subject_id JOIN scan_home d ON d.name = t.name
WHERE s.hadm_id IS NOT NULL AND NOT EXISTS (FROM scan_local l WHERE l.name = t.name
                                            AND l.class IS NOT DISTINCT FROM t.etcdescription)
"""

_HOME_LISTS = f"""
CREATE TEMP TABLE home_lists AS
SELECT t.subject_id, s.hadm_id, min(t.known_at) AS known_at
FROM ({timed("ed.medrecon")}) t JOIN ed.edstays s ON s.stay_id = t.stay_id AND s.subject_id = t.subject_id
WHERE s.hadm_id IS NOT NULL
GROUP BY ALL
"""


def triggers_of(rules: Sequence[Rule]) -> list[Trigger]:
    """List the triggers of ``rules`` and of their controls."""
    return [trigger for rule in rules for trigger in (rule.trigger, rule.control) if trigger is not None]


def findings_of(rules: Sequence[Rule]) -> list[Finding]:
    """List every further finding of ``rules``, and those that bar them."""
    triggers = triggers_of(rules)
    also = [finding for trigger in triggers for finding in trigger.also]
    return also + [bar.finding for trigger in triggers for bar in trigger.bars]


def exclusions_of(rules: Sequence[Rule]) -> list[Exclusion]:
    """List the exclusions that ``rules`` and their controls name."""
    names = {name for trigger in triggers_of(rules) for name in trigger.unless}
    return [exclusion for name, exclusion in load_exclusions().items() if name in names]


def prepare(cursor: duckdb.DuckDBPyConnection, rules: Sequence[Rule], vocabulary: Vocabulary) -> None:
    """Read what ``rules`` speak of into temporary tables of ``cursor``."""
    _labs(cursor, rules, vocabulary)
    _drug_orders(cursor, rules, vocabulary)
    findings = findings_of(rules)
    exclusions = exclusions_of(rules)
    for kind, make in _MAKERS.items():
        if some := [finding for finding in findings if isinstance(finding, kind)]:
            make(cursor, some, vocabulary)
    signs = [sign for exclusion in exclusions for sign in exclusion.signs]
    charted = GivenFinding | RateFinding | GivenSign | WithheldSign
    given = [one for one in (*findings, *signs) if isinstance(one, charted)]
    if given:
        make_administrations(cursor, given, vocabulary)
    prepare_exclusions(cursor, exclusions)


def _labs(cursor: duckdb.DuckDBPyConnection, rules: Sequence[Rule], vocabulary: Vocabulary) -> None:
    findings = findings_of(rules)
    wanted = {trigger.lab.analyte for trigger in triggers_of(rules)}
    if any(isinstance(sign, CreatinineSign) for one in exclusions_of(rules) for sign in one.signs):
        wanted.add("creatinine")
    wanted |= {finding.analyte for finding in findings if isinstance(finding, LabFinding)}
    for finding in findings:
        if isinstance(finding, FigureFinding):
            wanted.update(RECIPES[finding.figure].analytes)
    create(
        cursor,
        "scan_items (itemid INTEGER, analyte VARCHAR, units VARCHAR[])",
        (
            (itemid, analyte.id, [unit.lower() for unit in analyte.units])
            for analyte in vocabulary.analytes
            if analyte.id in wanted
            for itemid in analyte.itemids
        ),
    )
    find_spoiled_draws(cursor, vocabulary)
    cursor.execute(scan_sql.LABS)


def _drug_orders(cursor: duckdb.DuckDBPyConnection, rules: Sequence[Rule], vocabulary: Vocabulary) -> None:
    orders = [trigger.order for trigger in triggers_of(rules) if trigger.order is not None]
    drugs = {drug for order in orders for drug in (*order.ingredients, *order.absent, *order.rivals)}
    drugs.update(
        ingredient
        for finding in findings_of(rules)
        if isinstance(finding, OrderFinding)
        or (isinstance(finding, GivenFinding) and (finding.infusion or finding.ordered))
        or (isinstance(finding, HomeFinding) and finding.unordered)
        for ingredient in (
            *finding.ingredients,
            *(finding.rivals if isinstance(finding, OrderFinding) else ()),
        )
    )
    drugs.update(
        ingredient
        for exclusion in exclusions_of(rules)
        for sign in exclusion.signs
        if isinstance(sign, DoseChangeSign | SmallDoseSign)
        for ingredient in sign.ingredients
    )
    wanted = with_switches(drugs, vocabulary)
    map_drugs(
        cursor, "scan_drugs", "drug", distinct(cursor, "hosp.prescriptions", "drug"), wanted, vocabulary
    )
    routes = (
        (route, vocabulary.route(route)) for (route,) in distinct(cursor, "hosp.prescriptions", "route")
    )
    create(cursor, "scan_routes (route VARCHAR, code VARCHAR)", routes)
    names = (name for (name,) in distinct(cursor, "hosp.pharmacy", "frequency"))
    create(
        cursor,
        "scan_frequencies (frequency VARCHAR, code VARCHAR)",
        ((name, vocabulary.frequency(name)) for name in names),
    )
    doses = distinct(cursor, "hosp.prescriptions", "dose_val_rx, dose_unit_rx")
    create(
        cursor,
        "scan_doses (value VARCHAR, unit VARCHAR, stated DOUBLE, amount DOUBLE, amount_unit VARCHAR)",
        ((value, unit, *_amount(value, unit, vocabulary)) for value, unit in doses),
    )
    cursor.execute(scan_sql.DRUG_ORDERS)
    mark_finished(cursor, drugs, vocabulary)


def _cultures(
    cursor: duckdb.DuckDBPyConnection, _findings: Sequence[CultureFinding], _vocabulary: Vocabulary
) -> None:
    cursor.execute(_CULTURES)


def _diagnoses(
    cursor: duckdb.DuckDBPyConnection, _findings: Sequence[ConditionFinding], _vocabulary: Vocabulary
) -> None:
    cursor.execute(_DIAGNOSES)


def _home_list(
    cursor: duckdb.DuckDBPyConnection, findings: Sequence[HomeFinding], vocabulary: Vocabulary
) -> None:
    wanted = {ingredient for finding in findings for ingredient in (*finding.ingredients, *finding.rivals)}
    map_drugs(cursor, "scan_home", "name", distinct(cursor, "ed.medrecon", "name"), wanted, vocabulary)
    entries = cursor.execute(
        "SELECT DISTINCT m.name, m.etcdescription FROM ed.medrecon m JOIN scan_home USING (name)"
    )
    local = [entry for entry in entries.fetchall() if is_local(*entry)]
    create(cursor, "scan_local (name VARCHAR, class VARCHAR)", local)
    cursor.execute(_HOME_LIST)
    cursor.execute(_HOME_LISTS)


def _vitals(
    cursor: duckdb.DuckDBPyConnection, _findings: Sequence[VitalFinding], _vocabulary: Vocabulary
) -> None:
    """Gather charted vital signs: ``value`` in the unit the sign's name says, ``charted`` as recorded."""
    rows = [
        (itemid, _SIGN_OF[sign].value, str(itemid), unit)
        for itemid, (sign, unit) in ICU_ITEMS.items()
        if sign in _SIGN_OF
    ]
    rows += [(p.systolic, Sign.SYSTOLIC_MMHG.value, p.method, "mmHg") for p in ICU_PRESSURES]
    create(cursor, "scan_signs (itemid INTEGER, sign VARCHAR, tail VARCHAR, unit VARCHAR)", rows)
    cursor.execute(f"""
CREATE TEMP TABLE vitals AS
SELECT t.subject_id, t.hadm_id, s.sign, t.valuenum AS charted, s.unit,
       CASE WHEN s.unit = '°F' THEN round((t.valuenum - 32) * 5 / 9, 2) ELSE t.valuenum END AS value,
       t.charttime, t.known_at, replace(s.sign, '_', ' ') AS label,
       'Observation/vs-icu-' || t.stay_id || '-' || strftime(t.charttime, '%Y%m%d%H%M%S') || '-' || s.tail AS ref
FROM ({timed("icu.chartevents")}) t JOIN scan_signs s ON s.itemid = t.itemid
WHERE t.valuenum IS NOT NULL AND isfinite(t.valuenum)
""")


_MAKERS: dict[type, Callable[[duckdb.DuckDBPyConnection, Any, Vocabulary], None]] = {
    CultureFinding: _cultures,
    VitalFinding: _vitals,
    ConditionFinding: _diagnoses,
    HomeFinding: _home_list,
}


def _amount(value: str, unit: str, vocabulary: Vocabulary) -> tuple[float | None, float | None, str | None]:
    """Read a dose as stated (a single number, else None) and as a canonical amount."""
    if not _NUMBER.fullmatch(value.strip()):
        return None, None, None
    dose = vocabulary.dose(f"{value} {unit}")
    return float(value.replace(",", "")), dose.value if dose else None, dose.unit if dose else None

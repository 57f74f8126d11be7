"""SQL of exclusions: for each sign the times at which it shows, over a whole warehouse.

The temporary table ``excluded`` has (name, subject_id, starts, ends). Signs are read from when they began at the
bedside, even where the record tells of them later: they only take matches away, and nothing of them reaches a session.
"""

from collections.abc import Callable, Sequence
from typing import Any

import duckdb

from state.exclusions import (
    ChartedSign,
    CodedSign,
    ComplaintSign,
    CreatinineSign,
    DischargeSign,
    DoseChangeSign,
    Exclusion,
    GivenSign,
    InfusionSign,
    OrderSign,
    ProcedureSign,
    ResultSign,
    Sign,
    SmallDoseSign,
    StatusSign,
    WithheldSign,
)
from tools.clinical.drug_sign_sql import dose_change_sign, given_sign, small_dose_sign, withheld_sign
from tools.ehr.gates import timed
from tools.ehr.warehouse import Warehouse

_EVER = "TIMESTAMP 'infinity'"
_SAYS = "EXISTS (SELECT 1 FROM unnest($words) w(word) WHERE contains(lower({}), w.word))"


def lacking_tables(exclusion: Exclusion, warehouse: Warehouse) -> tuple[str, ...]:
    """Name the tables of which one is needed to tell the exclusion, where none was ingested."""
    return () if any(warehouse.loaded(table) for table in exclusion.needs) else exclusion.needs


def prepare_exclusions(cursor: duckdb.DuckDBPyConnection, exclusions: Sequence[Exclusion]) -> None:
    """Fill ``excluded``; reads ``labs`` and the tables of drugs, where signs rest on them."""
    cursor.execute(
        "CREATE TEMP TABLE excluded (name VARCHAR, subject_id INTEGER, starts TIMESTAMP, ends TIMESTAMP)"
    )
    for exclusion in exclusions:
        for sign in exclusion.signs:
            sql, values = _BUILDERS[type(sign)](sign)
            cursor.execute(
                f"INSERT INTO excluded SELECT $name, subject_id, starts, ends FROM ({sql})",
                {"name": exclusion.id, **values},
            )


NOT_EXCLUDED = """
DELETE FROM matched USING excluded x WHERE x.subject_id = matched.subject_id AND list_contains($unless, x.name)
    AND matched.as_of >= x.starts AND matched.as_of < x.ends
"""
"""Drops the moments at which a circumstance named in ``$unless`` shows."""


def _texts(words: Sequence[str]) -> list[str]:
    return [word.lower() for word in words]


def _coded(sign: CodedSign) -> tuple[str, dict[str, Any]]:
    since = "a.admittime" if sign.chronic else "t.known_at"
    until = "t.known_at + to_hours($hours)" if sign.for_hours else _EVER
    sql = f"""
SELECT t.subject_id, {since} AS starts, {until} AS ends
FROM ({timed("hosp.diagnoses_icd")}) t JOIN hosp.admissions a ON a.hadm_id = t.hadm_id
WHERE EXISTS (SELECT 1 FROM unnest(CASE t.icd_version WHEN 10 THEN $icd10 ELSE $icd9 END) p(head)
              WHERE starts_with(trim(t.icd_code), p.head))"""
    values: dict[str, Any] = {"icd10": list(sign.icd10), "icd9": list(sign.icd9)}
    return sql, values | ({"hours": sign.for_hours} if sign.for_hours else {})


def _running(table: str) -> Callable[[ProcedureSign | InfusionSign], tuple[str, dict[str, Any]]]:
    def build(sign: ProcedureSign | InfusionSign) -> tuple[str, dict[str, Any]]:
        sql = f"""
SELECT subject_id, starttime AS starts, coalesce(endtime, starttime) + to_hours($hours) AS ends
FROM {table} WHERE list_contains($itemids, itemid)"""
        return sql, {"itemids": list(sign.itemids), "hours": sign.for_hours}

    return build


def _charted(sign: ChartedSign) -> tuple[str, dict[str, Any]]:
    said = f" AND {_SAYS.format('value')}" if sign.words else ""
    unsaid = f" AND NOT {_SAYS.format('value').replace('$words', '$but')}" if sign.but else ""
    sql = f"""
SELECT subject_id, charttime AS starts, charttime + to_hours($hours) AS ends
FROM icu.chartevents WHERE list_contains($itemids, itemid) AND value IS NOT NULL{said}{unsaid}"""
    values: dict[str, Any] = {"itemids": list(sign.itemids), "hours": sign.for_hours}
    values |= {"words": _texts(sign.words)} if sign.words else {}
    return sql, values | ({"but": _texts(sign.but)} if sign.but else {})


def _result(sign: ResultSign) -> tuple[str, dict[str, Any]]:
    sql = """
SELECT subject_id, charttime AS starts, charttime + to_hours($hours) AS ends
FROM hosp.labevents
WHERE list_contains($itemids, itemid)
    AND EXISTS (SELECT 1 FROM unnest($words) w(word) WHERE starts_with(lower(value), w.word))"""
    return sql, {"itemids": list(sign.itemids), "words": _texts(sign.words), "hours": sign.for_hours}


def _order(sign: OrderSign) -> tuple[str, dict[str, Any]]:
    sql = """
SELECT subject_id, ordertime AS starts, ordertime + to_hours($hours) AS ends
FROM hosp.poe WHERE order_type = $type"""
    values: dict[str, Any] = {"type": sign.type, "hours": sign.for_hours}
    if not sign.subtypes:
        return sql, values
    return sql + " AND list_contains($subtypes, order_subtype)", values | {"subtypes": list(sign.subtypes)}


def _status(sign: StatusSign) -> tuple[str, dict[str, Any]]:
    sql = f"""
SELECT subject_id, starts, coalesce(least(next_time, dischtime), {_EVER}) AS ends
FROM (SELECT o.subject_id, o.ordertime AS starts, d.field_value, a.dischtime,
             lead(o.ordertime) OVER (PARTITION BY o.hadm_id ORDER BY o.ordertime, o.poe_seq) AS next_time
      FROM hosp.poe_detail d JOIN hosp.poe o ON o.poe_id = d.poe_id AND o.subject_id = d.subject_id
      JOIN hosp.admissions a ON a.hadm_id = o.hadm_id
      WHERE d.field_name = $field)
WHERE {_SAYS.format("field_value")}"""
    return sql, {"field": sign.field, "words": _texts(sign.words)}


def _complaint(sign: ComplaintSign) -> tuple[str, dict[str, Any]]:
    sql = f"""
SELECT t.subject_id, s.intime AS starts, coalesce(a.dischtime, {_EVER}) AS ends
FROM ed.triage t JOIN ed.edstays s ON s.stay_id = t.stay_id AND s.subject_id = t.subject_id
JOIN hosp.admissions a ON a.hadm_id = s.hadm_id
WHERE EXISTS (SELECT 1 FROM unnest($words) w(word)
              WHERE regexp_matches(lower(t.chiefcomplaint), '(^|[^a-z])' || w.word))"""
    return sql, {"words": _texts(sign.words)}


def _discharge(sign: DischargeSign) -> tuple[str, dict[str, Any]]:
    sql = f"""
SELECT subject_id, dischtime - to_hours($before) AS starts, {_EVER} AS ends
FROM hosp.admissions WHERE list_contains($locations, discharge_location)"""
    return sql, {"before": sign.hours_before, "locations": list(sign.locations)}


_CREATININE = "SELECT * FROM labs WHERE analyte = 'creatinine' AND usable"
_UNSTEADY = f"""
WITH creatinine AS ({_CREATININE}),
before_stay AS (
    SELECT n.subject_id, n.valuenum, n.known_at, n.charttime, b.valuenum AS baseline
    FROM creatinine n JOIN hosp.admissions a ON a.subject_id = n.subject_id
        AND n.charttime < coalesce(a.dischtime, {_EVER})
        AND (n.hadm_id = a.hadm_id OR (n.hadm_id IS NULL AND n.charttime >= a.admittime))
    JOIN creatinine b ON b.subject_id = n.subject_id AND b.known_at <= n.known_at AND b.charttime < a.admittime
        AND b.charttime <= n.charttime - to_days(7) AND b.charttime >= n.charttime - to_days(365)
    QUALIFY row_number() OVER (PARTITION BY n.labevent_id, a.hadm_id ORDER BY b.charttime DESC, b.labevent_id DESC) = 1
)
SELECT n.subject_id, greatest(n.known_at, b.known_at) AS starts, n.charttime + to_days(7) + INTERVAL 1 SECOND AS ends
FROM creatinine n JOIN creatinine b ON b.subject_id = n.subject_id
    AND b.charttime < n.charttime AND b.charttime >= n.charttime - to_days(7)
WHERE n.valuenum >= 1.5 * b.valuenum OR b.valuenum >= 1.5 * n.valuenum
   OR (round(n.valuenum - b.valuenum, 2) >= 0.3 AND b.charttime >= n.charttime - to_hours(48))
UNION ALL
SELECT subject_id, known_at AS starts, charttime + to_days(7) + INTERVAL 1 SECOND AS ends
FROM before_stay WHERE valuenum >= 1.5 * baseline
"""
"""Weeks after a creatinine that shows acute kidney injury, or a fall as steep as its rise.

KDIGO Clinical Practice Guideline for Acute Kidney Injury, Kidney Int Suppl 2012;2:1-138, section 2.1: a rise of
0.3 mg/dL within 48 hours, or to 1.5 times a value of the prior 7 days, or to 1.5 times the baseline where the rise is
presumed to have come within 7 days. That baseline is the last value from 365 to 7 days ago that is not of this stay
(Bouchard J. Kidney Int Rep 2021;6(3):562-564: the most recent of 7 to 365 days before admission). A fall as steep
(recovery, dialysis) leaves no steady state either, and only there does an eGFR say what the kidney does.
"""


def _creatinine(_sign: CreatinineSign) -> tuple[str, dict[str, Any]]:
    return _UNSTEADY, {}


_BUILDERS: dict[type[Sign], Callable[[Any], tuple[str, dict[str, Any]]]] = {
    CodedSign: _coded,
    ProcedureSign: _running("icu.procedureevents"),
    InfusionSign: _running("icu.inputevents"),
    ChartedSign: _charted,
    ResultSign: _result,
    OrderSign: _order,
    StatusSign: _status,
    GivenSign: given_sign,
    WithheldSign: withheld_sign,
    DoseChangeSign: dose_change_sign,
    SmallDoseSign: small_dose_sign,
    ComplaintSign: _complaint,
    DischargeSign: _discharge,
    CreatinineSign: _creatinine,
}

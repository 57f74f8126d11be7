"""SQL of findings: one SELECT a kind, at the moments of the temporary table ``asked``.

A row of it is (subject_id, hadm_id, as_of, drawn), ``drawn`` being when the rule's key result was drawn.
Each gives one row a moment with the columns of ``COLUMNS``, or none where the finding does not hold. ``absent`` is the
caller's business: it keeps the moments that have no row. Parameters are named by the finding's fields.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

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
    VitalFinding,
)
from tools.clinical.change_sql import SAME_MOMENT, change_sql, held_sql
from tools.clinical.figure_sql import figure_sql
from tools.clinical.given_sql import given, last_given, rate
from tools.clinical.latest_sql import MOMENT, latest_lab, limit_values, limits

COLUMNS = (
    *("refs", "subject", "label", "value", "unit", "text", "time"),
    *("earlier_value", "earlier_ref", "earlier_time"),
)


def finding_sql(finding: Finding, *, asked: bool = False) -> tuple[str, dict[str, Any]]:
    """Build the statement of a finding and the values it binds.

    ``asked``: a question will be put about it, so it holds only where one drug or organism is the answer.
    """
    build = _ASKED.get(type(finding)) if asked and not finding.absent else None
    return (build or _BUILDERS[type(finding)])(finding)


_NOTHING_EARLIER = """
earlier AS (SELECT NULL::INTEGER AS subject_id, NULL::INTEGER AS hadm_id, NULL::TIMESTAMP AS as_of,
                   NULL::DOUBLE AS value, NULL::DOUBLE AS charted, NULL::VARCHAR AS ref,
                   NULL::TIMESTAMP AS charttime WHERE false)"""
_LAB_ROWS = """(SELECT *, valuenum AS value, valuenum AS charted, 'Observation/lab-' || row_id AS ref
                FROM labs WHERE usable)"""


def _before(
    finding: LabFinding | VitalFinding, rows: str, same: str
) -> tuple[str, list[str], dict[str, Any]]:
    """Build what a finding asks of earlier results: how far they are off, or that they were within limits already."""
    if finding.change is not None:
        return change_sql(finding.change, rows, same)
    if finding.for_hours is not None:
        earlier, held = held_sql(rows, same, limits(finding, "n.value"))
        return earlier, held, {"for_hours": finding.for_hours}
    return _NOTHING_EARLIER, [], {}


def _lab(finding: LabFinding) -> tuple[str, dict[str, Any]]:
    values = {"analyte": finding.analyte, "within_hours": finding.within_hours, **limit_values(finding)}
    conditions = ["n.usable", "coalesce(n.lab_hadm_id, n.hadm_id) = n.hadm_id", *limits(finding, "n.value")]
    if finding.absent:
        conditions = []
    if finding.hours_from_draw is not None:
        conditions.append(
            "n.charttime BETWEEN n.drawn - to_hours($from_draw) AND n.drawn + to_hours($from_draw)"
        )
        values["from_draw"] = finding.hours_from_draw
    earlier, moved, more = _before(finding, _LAB_ROWS, "x.analyte = $analyte")
    conditions += moved
    values |= more
    match finding.range:
        case "above":
            conditions.append("n.value > n.upper_limit")
        case "below":
            conditions.append("n.value < n.lower_limit")
        case "within":
            conditions.append("n.value BETWEEN n.lower_limit AND n.upper_limit")
    sql = f"""
WITH latest AS ({latest_lab("$analyte", ", 'Observation/lab-' || l.row_id AS ref")}), {earlier}
SELECT n.subject_id, n.hadm_id, n.as_of, [n.ref] AS refs, $analyte AS subject, n.itemid::VARCHAR AS label, n.value,
       n.unit, NULL AS text, n.charttime AS time, e.charted AS earlier_value, e.ref AS earlier_ref,
       e.charttime AS earlier_time
FROM latest n LEFT JOIN earlier e ON {SAME_MOMENT.format("e")}
WHERE {" AND ".join(conditions) or "true"}"""
    return sql, values


def _one(column: str, *, asked: bool, among: str = "") -> str:
    """Build the test that one value of ``column`` alone satisfies an ``asked`` finding at a moment."""
    window = f"OVER (PARTITION BY {MOMENT}{among})"
    return f" AND min({column}) {window} = max({column}) {window}" if asked else ""


def _no_rival(finding: OrderFinding | HomeFinding, table: str, stands: str, *, asked: bool) -> str:
    """Build the test that no drug which fits the words of an ``asked`` finding stands in a table at a moment."""
    if not (asked and finding.rivals):
        return ""
    return f"""
    AND NOT EXISTS (FROM {table} r WHERE r.subject_id = m.subject_id AND r.hadm_id = m.hadm_id
                    AND r.known_at <= m.as_of AND {stands} AND list_contains($rivals, r.ingredient))"""


def _order(finding: OrderFinding, *, asked: bool = False) -> tuple[str, dict[str, Any]]:
    routes = "AND list_contains($routes, o.route_code)" if finding.routes else ""
    values: dict[str, Any] = {"ingredients": list(finding.ingredients)}
    active = "({0}.stoptime IS NULL OR {0}.stoptime > m.as_of)"
    when, rival = active.format("o"), _no_rival(finding, "drug_orders", active.format("r"), asked=asked)
    if finding.once_within_hours is not None:
        when = "o.frequency = 'ONCE' AND o.starttime < m.drawn AND o.starttime >= m.drawn - to_hours($once_within)"
        values["once_within"] = finding.once_within_hours
    if finding.begun_hours_after_admission is not None:
        when = """EXISTS (SELECT 1 FROM hosp.admissions a WHERE a.hadm_id = o.hadm_id
                          AND o.starttime <= a.admittime + to_hours($after_admission))"""
        values["after_admission"] = finding.begun_hours_after_admission
    over = "coalesce(o.finished_at <= m.as_of, false)" if asked else "false"
    sql = f"""
SELECT {MOMENT}, ['MedicationRequest/rx-' || o.row_id] AS refs, o.ingredient AS subject, o.drug AS label,
       o.dose_value AS value, o.dose_unit AS unit, o.route AS text, o.starttime AS time, NULL::DOUBLE AS earlier_value,
       NULL AS earlier_ref, NULL::TIMESTAMP AS earlier_time
FROM asked m JOIN drug_orders o ON o.subject_id = m.subject_id AND o.hadm_id = m.hadm_id AND o.known_at <= m.as_of
    AND {when} AND list_contains($ingredients, o.ingredient) {routes}{rival}
QUALIFY row_number() OVER (PARTITION BY {MOMENT} ORDER BY {over}, o.starttime, o.row_id) = 1 AND NOT {over}
    {_one("o.ingredient", asked=asked)}"""
    if finding.routes:
        values["routes"] = list(finding.routes)
    return sql, values | ({"rivals": list(finding.rivals)} if rival else {})


_COMMENTED = "EXISTS (SELECT 1 FROM unnest($comments) w(head) WHERE starts_with(upper(c.comment), w.head))"


_STAINED = """c.stained AND NOT EXISTS (
        SELECT 1 FROM cultures g WHERE g.subject_id = c.subject_id AND g.specimen_id = c.specimen_id
            AND g.organism IS NOT NULL AND g.known_at <= m.as_of)"""
"""A bottle is stained once it has turned positive: growth, of what is not said before the organism is."""


def _culture(finding: CultureFinding, *, asked: bool = False) -> tuple[str, dict[str, Any]]:
    grown = ["c.organism IS NOT NULL" if finding.growth else f"c.organism IS NULL AND {_COMMENTED}"]
    values: dict[str, Any] = {"within_days": finding.within_days}
    if not finding.growth:
        values["comments"] = list(finding.comments)
    if finding.organisms:
        grown.append(
            "EXISTS (SELECT 1 FROM unnest($organisms) o(head) WHERE starts_with(c.organism, o.head))"
        )
        values["organisms"] = list(finding.organisms)
    for name, letter in (("susceptible_to", "susceptible"), ("resistant_to", "resistant")):
        if listed := getattr(finding, name):
            grown.append(f"list_has_all(c.{letter}, ${name})")
            values[name] = list(listed)
    conditions = " AND ".join(grown)
    if finding.growth and finding.absent and not (finding.susceptible_to or finding.resistant_to):
        conditions = f"({conditions} OR {_STAINED})"
    if finding.specimens:
        conditions += " AND list_contains($specimens, c.specimen)"
        values["specimens"] = list(finding.specimens)
    sql = f"""
SELECT {MOMENT}, [c.ref] AS refs, coalesce(c.organism, 'no growth') AS subject, c.specimen AS label,
       NULL::DOUBLE AS value, NULL AS unit, coalesce(c.organism, c.comment) AS text, c.charttime AS time,
       NULL::DOUBLE AS earlier_value, NULL AS earlier_ref, NULL::TIMESTAMP AS earlier_time
FROM asked m JOIN cultures c ON c.subject_id = m.subject_id AND c.hadm_id = m.hadm_id AND c.known_at <= m.as_of
    AND c.charttime >= m.as_of - to_days($within_days) AND {conditions}
QUALIFY row_number() OVER (PARTITION BY {MOMENT} ORDER BY c.charttime DESC, c.ref) = 1
    {_one("coalesce(c.organism, '')", asked=asked, among=", c.charttime")}"""
    return sql, values


def _vital(finding: VitalFinding) -> tuple[str, dict[str, Any]]:
    values = {
        "sign": finding.sign.value,
        "within_hours": finding.within_hours,
        **limit_values(finding),
    }
    conditions = limits(finding, "n.value")
    earlier, moved, more = _before(finding, "vitals", "x.sign = $sign")
    conditions += moved
    values |= more
    sql = f"""
WITH latest AS (
    SELECT {MOMENT}, v.value, v.charted, v.unit, v.ref, v.charttime, v.label
    FROM asked m JOIN vitals v ON v.subject_id = m.subject_id AND v.hadm_id = m.hadm_id AND v.sign = $sign
        AND v.known_at <= m.as_of AND v.charttime >= m.as_of - to_hours($within_hours) AND v.charttime <= m.as_of
    QUALIFY row_number() OVER (PARTITION BY {MOMENT} ORDER BY v.charttime DESC, v.ref DESC) = 1
), {earlier}
SELECT n.subject_id, n.hadm_id, n.as_of, [n.ref] AS refs, $sign AS subject, n.label, n.charted AS value, n.unit,
       NULL AS text, n.charttime AS time, e.charted AS earlier_value, e.ref AS earlier_ref, e.charttime AS earlier_time
FROM latest n LEFT JOIN earlier e ON {SAME_MOMENT.format("e")}
WHERE {" AND ".join(conditions) or "true"}"""
    return sql, values


def _condition(finding: ConditionFinding) -> tuple[str, dict[str, Any]]:
    sql = f"""
SELECT {MOMENT}, [d.ref] AS refs, d.code AS subject, d.title AS label, NULL::DOUBLE AS value, NULL AS unit,
       d.code AS text, d.known_at AS time, NULL::DOUBLE AS earlier_value, NULL AS earlier_ref,
       NULL::TIMESTAMP AS earlier_time
FROM asked m JOIN diagnoses d ON d.subject_id = m.subject_id AND d.known_at <= m.as_of
    AND EXISTS (SELECT 1 FROM unnest(CASE d.version WHEN 10 THEN $icd10 ELSE $icd9 END) p(head)
                WHERE starts_with(d.code, p.head))
QUALIFY row_number() OVER (PARTITION BY {MOMENT} ORDER BY d.known_at DESC, d.seq_num, d.ref) = 1"""
    return sql, {"icd10": list(finding.icd10), "icd9": list(finding.icd9)}


_UNORDERED = """
    AND NOT EXISTS (SELECT 1 FROM drug_orders o WHERE o.subject_id = m.subject_id AND o.hadm_id = m.hadm_id
                    AND o.known_at <= m.as_of AND (o.stoptime IS NULL OR o.stoptime > m.as_of)
                    AND o.ingredient = h.ingredient)"""


def _home(finding: HomeFinding, *, asked: bool = False) -> tuple[str, dict[str, Any]]:
    rival = _no_rival(finding, "home_list", "true", asked=asked)
    left_off = _UNORDERED if finding.unordered else ""
    sql = f"""
SELECT {MOMENT}, [h.ref] AS refs, h.ingredient AS subject, h.name AS label, NULL::DOUBLE AS value, NULL AS unit,
       NULL AS text, h.charttime AS time, NULL::DOUBLE AS earlier_value, NULL AS earlier_ref,
       NULL::TIMESTAMP AS earlier_time
FROM asked m JOIN home_list h ON h.subject_id = m.subject_id AND h.hadm_id = m.hadm_id AND h.known_at <= m.as_of
    AND list_contains($ingredients, h.ingredient){rival}{left_off}
QUALIFY row_number() OVER (PARTITION BY {MOMENT} ORDER BY h.charttime, h.ref) = 1
    {_one("h.ingredient", asked=asked)}"""
    if finding.absent:
        sql += f"""
UNION ALL
SELECT {MOMENT}, [] AS refs, '' AS subject, '' AS label, NULL AS value, NULL AS unit, NULL AS text, NULL AS time,
       NULL AS earlier_value, NULL AS earlier_ref, NULL AS earlier_time
FROM asked m
WHERE NOT EXISTS (FROM home_lists l WHERE l.subject_id = m.subject_id AND l.hadm_id = m.hadm_id
                  AND l.known_at <= m.as_of)"""
    values = {"ingredients": list(finding.ingredients)}
    return sql, values | ({"rivals": list(finding.rivals)} if rival else {})


_BUILDERS: dict[type, Callable[[Any], tuple[str, dict[str, Any]]]] = {
    LabFinding: _lab,
    FigureFinding: figure_sql,
    OrderFinding: _order,
    GivenFinding: given,
    RateFinding: rate,
    CultureFinding: _culture,
    VitalFinding: _vital,
    ConditionFinding: _condition,
    HomeFinding: _home,
}
_ASKED: dict[type, Callable[[Any], tuple[str, dict[str, Any]]]] = {
    GivenFinding: last_given,
    OrderFinding: partial(_order, asked=True),
    CultureFinding: partial(_culture, asked=True),
    HomeFinding: partial(_home, asked=True),
}

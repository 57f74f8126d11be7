"""SQL of what the administration record says: doses given, and infusions set anew."""

from typing import Any

from state.findings import GivenFinding, RateFinding
from tools.clinical.latest_sql import MOMENT

_STANDING = """
WHERE EXISTS (SELECT 1 FROM drug_orders o WHERE o.subject_id = m.subject_id AND o.hadm_id = m.hadm_id
              AND o.known_at <= m.as_of AND o.starttime <= m.as_of AND (o.stoptime IS NULL OR o.stoptime > m.as_of)
              AND list_contains($ingredients, o.ingredient) AND o.route_code IN ('IV', 'IV DRIP')
              AND coalesce(o.frequency, '') <> 'ONCE')"""
"""An infusion that runs has an order that has not ended: what is charted hours ago does not say that it goes on."""

_ORDERED = """EXISTS (SELECT 1 FROM drug_orders o WHERE o.subject_id = f.subject_id AND o.hadm_id = f.hadm_id
              AND o.known_at <= f.as_of AND (o.stoptime IS NULL OR o.stoptime > f.as_of)
              AND coalesce(o.finished_at > f.as_of, true) AND o.ingredient = f.subject)"""


def given(finding: GivenFinding) -> tuple[str, dict[str, Any]]:
    """Build the SELECT of doses: those that count are counted, the last of all that were given is told."""
    told = "g.running" if finding.infusion else "NOT g.stopped"
    values: dict[str, Any] = {
        "ingredients": list(finding.ingredients),
        "within_hours": finding.within_hours,
        "doses": finding.doses,
    }
    if finding.routes:
        told += " AND list_contains($routes, g.route)"
        values["routes"] = list(finding.routes)
    counted = told
    if finding.hours_before_draw is not None:
        counted += " AND g.charttime < m.drawn AND g.charttime <= m.drawn - to_hours($hours_before_draw)"
        values["hours_before_draw"] = finding.hours_before_draw
    if finding.hours_to_draw is not None:
        counted += " AND g.charttime < m.drawn AND g.charttime > m.drawn - to_hours($hours_to_draw)"
        values["hours_to_draw"] = finding.hours_to_draw
    if finding.after_draw:
        counted += " AND g.charttime > m.drawn"
    times = f"g.charttime) FILTER ({counted}"
    conditions = [f"count(*) FILTER ({counted}) >= $doses"]
    if finding.spanning_hours is not None:
        conditions.append(f"max({times}) >= min({times}) + to_hours($spanning_hours)")
        values["spanning_hours"] = finding.spanning_hours
    if finding.infusion:
        conditions.append(f"coalesce(max(g.charttime) FILTER (g.stopped) < max({times}), true)")
    latest_first = f"ORDER BY g.charttime DESC, g.ref) FILTER ({told}"
    standing = _STANDING if finding.infusion and not finding.absent else ""
    sql = f"""
SELECT {MOMENT}, list(g.ref {latest_first}) AS refs,
       first(g.ingredient {latest_first}) AS subject, first(g.medication {latest_first}) AS label,
       count(*) FILTER ({counted})::DOUBLE AS value, 'doses' AS unit, NULL AS text,
       max(g.charttime) FILTER ({told}) AS time,
       NULL::DOUBLE AS earlier_value, NULL AS earlier_ref, min({times}) AS earlier_time
FROM asked m JOIN administrations g ON g.subject_id = m.subject_id AND g.hadm_id = m.hadm_id AND g.known_at <= m.as_of
    AND g.charttime >= m.as_of - to_hours($within_hours) AND g.charttime <= m.as_of
    AND list_contains($ingredients, g.ingredient) {standing}
GROUP BY {MOMENT} HAVING {" AND ".join(conditions)}"""
    return (f"SELECT f.* FROM ({sql}) f WHERE {_ORDERED}" if finding.ordered else sql), values


def last_given(finding: GivenFinding) -> tuple[str, dict[str, Any]]:
    """Build the same where the last dose is asked for: no other drug that fits the words was given then or later."""
    sql, values = given(finding)
    alone = f"""
SELECT * FROM ({sql}) f
WHERE NOT EXISTS (SELECT 1 FROM administrations r WHERE r.subject_id = f.subject_id AND r.hadm_id = f.hadm_id
                  AND r.known_at <= f.as_of AND r.charttime BETWEEN f.time AND f.as_of AND NOT r.stopped
                  AND list_contains($alike, r.ingredient) AND (r.ingredient <> f.subject OR r.charttime > f.time))"""
    return alone, values | {"alike": [*finding.ingredients, *finding.rivals]}


def rate(finding: RateFinding) -> tuple[str, dict[str, Any]]:
    """Build the SELECT of the last time an infusion was set anew; the bedside's rows count although entered later."""
    sql = f"""
SELECT {MOMENT}, [] AS refs, first(c.name ORDER BY c.time DESC) AS subject, 'rate' AS label, NULL::DOUBLE AS value,
       NULL AS unit, NULL AS text, max(c.time) AS time, NULL::DOUBLE AS earlier_value, NULL AS earlier_ref,
       NULL::TIMESTAMP AS earlier_time
FROM asked m JOIN set_anew c ON c.subject_id = m.subject_id AND c.hadm_id = m.hadm_id AND c.time <= m.as_of
    AND c.time > m.drawn - to_hours($hours_to_draw)
    AND (list_contains($ingredients, c.name) OR list_contains($itemids, TRY_CAST(c.name AS INTEGER)))
GROUP BY {MOMENT}"""
    return sql, {
        "ingredients": list(finding.ingredients),
        "itemids": list(finding.itemids),
        "hours_to_draw": finding.hours_to_draw,
    }

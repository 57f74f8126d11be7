"""SQL of a rule's key result and its order, over the temporary tables ``labs``, ``drug_orders`` and ``moments``.

A moment is (subject_id, hadm_id, as_of). ``held`` says what a rule finds at given moments; it is used for finding
matches and for asking whether another rule holds at the same moment.
"""

from typing import Any

from state.findings import FigureFinding, Finding, LabFinding
from state.knowledge import LabCondition, OrderCondition, Rule
from tools.clinical.egfr import egfr_ckd_epi_2021_sql
from tools.clinical.figures import RECIPES
from tools.clinical.sample_comments import spoils_sql
from tools.ehr.gates import timed

AS_OF_DELAY_MINUTES = 5
"""Minutes from a result's storage, rounded up to the minute, to the moment a session about it is set at."""

FIRST_DAY_HOURS = 24
"""Hours after admission before which nothing about discharge is asked."""

MASKED = "___"
"""What de-identification left of a result's text in MIMIC-IV; its number is kept."""

LABS = f"""
CREATE TEMP TABLE labs AS
SELECT t.subject_id, t.hadm_id, t.labevent_id, t.row_id, t.charttime, t.storetime, t.known_at, t.itemid,
       a.analyte, t.valuenum, coalesce(trim(t.valueuom), '') AS unit, t.ref_range_upper AS upper_limit,
       t.ref_range_lower AS lower_limit,
       t.valuenum IS NOT NULL AND isfinite(t.valuenum) AND a.units IS NOT NULL
           AND list_contains(a.units, lower(coalesce(trim(t.valueuom), '')))
           AND (t.value IS NULL OR t.value = '{MASKED}' OR TRY_CAST(t.value AS DOUBLE) = t.valuenum)
           AND NOT {spoils_sql("t.comments")} AND p.charttime IS NULL AS usable
FROM ({timed("hosp.labevents")}) t JOIN scan_items a ON a.itemid = t.itemid
LEFT JOIN spoiled p ON p.subject_id = t.subject_id AND p.charttime = t.charttime
WHERE t.charttime IS NOT NULL
"""

# The amount of a drip is what the bag holds, and a unit of "dose" says nothing: neither is a dose given.
DRUG_ORDERS = f"""
CREATE TEMP TABLE drug_orders AS
SELECT p.subject_id, p.hadm_id, p.row_id, p.pharmacy_id, p.known_at, p.starttime, p.stoptime, p.drug, p.route,
       NULL::TIMESTAMP AS finished_at,
       p.dose_unit_rx AS dose_unit, p.doses_per_24_hrs AS doses_a_day,
       d.ingredient, r.code AS route_code,
       CASE WHEN r.code IN ('IV DRIP', 'IVPCA') OR lower(p.dose_unit_rx) = 'dose' THEN NULL ELSE x.stated END
           AS dose_value, x.amount, x.amount_unit,
       f.code AS frequency, ph.known_at AS frequency_known_at,
       CASE p.doses_per_24_hrs WHEN 1 THEN 'DAILY' WHEN 2 THEN 'BID' WHEN 3 THEN 'TID' WHEN 4 THEN 'QID' END
           AS frequency_by_count
FROM ({timed("hosp.prescriptions")}) p
JOIN scan_drugs d ON d.drug = p.drug
LEFT JOIN scan_routes r ON r.route = p.route
LEFT JOIN scan_doses x ON x.value = p.dose_val_rx AND x.unit = p.dose_unit_rx
LEFT JOIN (SELECT pharmacy_id, subject_id, min(frequency) AS frequency, min(known_at) AS known_at
           FROM ({timed("hosp.pharmacy")}) GROUP BY ALL) ph
    ON ph.pharmacy_id = p.pharmacy_id AND ph.subject_id = p.subject_id
LEFT JOIN scan_frequencies f ON f.frequency = ph.frequency
WHERE p.drug_type = 'MAIN' AND (p.stoptime IS NULL OR p.stoptime >= p.starttime)
"""

_KNOWN = f"""date_trunc('minute', l.known_at)
           + CASE WHEN date_trunc('minute', l.known_at) < l.known_at THEN INTERVAL 1 MINUTE ELSE INTERVAL 0 MINUTE END
           + INTERVAL {AS_OF_DELAY_MINUTES} MINUTE"""
_MOMENTS = """
CREATE OR REPLACE TEMP TABLE moments AS
SELECT DISTINCT l.subject_id, a.hadm_id, {as_of} AS as_of
FROM labs l JOIN hosp.admissions a ON a.subject_id = l.subject_id AND coalesce(l.hadm_id, a.hadm_id) = a.hadm_id
WHERE list_contains($telling, l.analyte) AND l.usable AND as_of >= a.admittime
    AND (a.dischtime IS NULL OR as_of < a.dischtime)
"""
_ORDERED = " AND a.hadm_id IN (SELECT hadm_id FROM drug_orders WHERE list_contains($ingredients, ingredient))"
# In a stay of few days these hours reach back to its first, when what to do at discharge is no question yet: what is
# known then is asked about a day after admission. Who died or left for a hospice takes no home list up again.
_A_DAY_IN = f"greatest({_KNOWN}, date_trunc('minute', a.admittime) + to_hours({FIRST_DAY_HOURS}))"
_BEFORE_DISCHARGE = (
    " AND as_of >= a.dischtime - to_hours($before_discharge_hours)"
    " AND a.deathtime IS NULL AND coalesce(a.discharge_location, '') NOT IN ('DIED', 'HOSPICE')"
)


def moments(rule: Rule) -> str:
    """Build the statement that makes ``moments``: when the key result, or one drawn with it, has become known.

    Results of one draw are stored one by one, and what they say together is there with the last of them.
    """
    trigger = rule.trigger
    return (
        _MOMENTS.format(as_of=_KNOWN if trigger.before_discharge_hours is None else _A_DAY_IN)
        + (_ORDERED if trigger.order is not None else "")
        + (_BEFORE_DISCHARGE if trigger.before_discharge_hours is not None else "")
    )


_LATEST = """
latest AS (
    SELECT m.subject_id, m.hadm_id, m.as_of, l.* EXCLUDE (subject_id, hadm_id), l.hadm_id AS lab_hadm_id,
           p.gender, p.anchor_age + (year(m.as_of) - p.anchor_year) AS age
    FROM moments m
    JOIN labs l ON l.subject_id = m.subject_id AND l.analyte = $analyte AND l.known_at <= m.as_of
        AND l.charttime >= m.as_of - to_hours($within_hours)
    JOIN hosp.patients p ON p.subject_id = m.subject_id
    QUALIFY row_number() OVER (PARTITION BY m.subject_id, m.hadm_id, m.as_of
                               ORDER BY l.charttime DESC, l.known_at DESC, l.labevent_id DESC) = 1
)"""

_BASELINE = """
baseline AS (
    SELECT n.subject_id, n.hadm_id, n.as_of, b.valuenum AS baseline_value, b.row_id AS baseline_row_id,
           b.charttime AS baseline_time,
           count(*) FILTER (n.valuenum < b.valuenum * (1 - $fall_fraction_above))
               OVER (PARTITION BY n.subject_id, n.hadm_id, n.as_of) AS fallen_from
    FROM latest n
    JOIN labs b ON b.subject_id = n.subject_id AND b.analyte = $analyte AND b.usable AND b.known_at <= n.as_of
        AND b.charttime >= n.charttime - to_days($lookback_days)
        AND b.charttime <= n.charttime - to_days($baseline_at_least_days) AND b.labevent_id <> n.labevent_id
    QUALIFY row_number() OVER (PARTITION BY n.subject_id, n.hadm_id, n.as_of
                               ORDER BY b.valuenum DESC, b.charttime DESC, b.labevent_id DESC) = 1
)"""

_NO_BASELINE = """
baseline AS (SELECT NULL::INTEGER AS subject_id, NULL::INTEGER AS hadm_id, NULL::TIMESTAMP AS as_of,
                    NULL::DOUBLE AS baseline_value, NULL::VARCHAR AS baseline_row_id,
                    NULL::TIMESTAMP AS baseline_time, NULL::BIGINT AS fallen_from WHERE false)"""

_FREQUENCY = "coalesce(CASE WHEN o.frequency_known_at <= h.as_of THEN o.frequency END, o.frequency_by_count)"

_BOUNDS = (("at_least", ">="), ("above", ">"), ("below", "<"), ("at_most", "<="))


def parameters(rule: Rule) -> dict[str, Any]:
    """Give the values the statements of ``rule`` bind."""
    lab, order = rule.trigger.lab, rule.trigger.order
    values: dict[str, Any] = {
        "analyte": lab.analyte,
        "within_hours": lab.within_hours,
        "telling": sorted({lab.analyte, *(one for f in rule.trigger.also for one in _of_the_draw(f))}),
    }
    bounds = {name: getattr(lab, name) for name, _ in _BOUNDS}
    optional = {
        **bounds,
        "times_uln_above": lab.times_uln_above,
        "fall_fraction_above": lab.fall_fraction_above,
        "lookback_days": lab.lookback_days,
        "age_at_least": rule.trigger.age_at_least,
        "age_at_most": rule.trigger.age_at_most,
        "sex": rule.trigger.sex,
        "before_discharge_hours": rule.trigger.before_discharge_hours,
    }
    if order is not None:
        optional |= {
            "ingredients": list(order.ingredients),
            "dose_at_least": order.dose_at_least,
            "routes": list(order.routes) or None,
            "frequencies": list(order.frequencies) or None,
            "absent": list(order.absent) or None,
            "rivals": list(order.rivals) or None,
            "first_at_least_days": order.first_at_least_days,
            "first_at_most_days": order.first_at_most_days,
        }
    if lab.lookback_days is not None:
        optional["baseline_at_least_days"] = lab.baseline_at_least_days or 0
        optional["fall_from_draws"] = lab.fall_from_draws
    return values | {name: value for name, value in optional.items() if value is not None}


def _of_the_draw(finding: Finding) -> tuple[str, ...]:
    """List the analytes of a finding that are bound to one draw, or to the key result's."""
    match finding:
        case FigureFinding():
            return RECIPES[finding.figure].analytes
        case LabFinding(absent=False, hours_from_draw=int()):
            return (finding.analyte,)
    return ()


def held(rule: Rule, *, asked: bool = False) -> str:
    """Build the SELECT of orders that satisfy ``rule`` at each of ``moments`` where it holds, one row an order.

    ``asked``: a question will be asked about it, so no rival may be active and no order be over. Without an order
    condition a row has no order.
    """
    lab = rule.trigger.lab
    baseline = _BASELINE if lab.fall_fraction_above is not None else _NO_BASELINE
    derived = egfr_ckd_epi_2021_sql("n.valuenum", "n.age", "n.gender") if lab.derived else "NULL::DOUBLE"
    return f"""
WITH {_LATEST}, {baseline},
results AS (
    SELECT n.*, b.baseline_value, b.baseline_row_id, b.baseline_time, b.fallen_from, {derived} AS derived_value
    FROM latest n LEFT JOIN baseline b USING (subject_id, hadm_id, as_of)
    WHERE n.usable AND coalesce(n.lab_hadm_id, n.hadm_id) = n.hadm_id
)
SELECT h.subject_id, h.hadm_id, h.as_of, h.row_id AS lab_row_id, h.itemid, h.valuenum, h.unit, h.charttime,
       coalesce(h.storetime, h.known_at) AS storetime, h.upper_limit, h.baseline_value, h.baseline_row_id,
       h.baseline_time, h.derived_value, o.row_id AS order_row_id, o.ingredient, o.drug, o.dose_value, o.dose_unit,
       o.route, o.starttime, {_FREQUENCY} AS frequency
FROM results h {_orders(rule.trigger.order)}
WHERE {_condition(lab)} {_who(rule)} {_around(rule, asked=asked)}
{_NONE_FINISHED if asked and rule.trigger.order else ""}
"""


_NONE_FINISHED = """
QUALIFY NOT coalesce(bool_or(o.finished_at <= h.as_of) OVER (PARTITION BY h.subject_id, h.hadm_id, h.as_of), false)"""
"""Where one of the orders is over though it still stands, the tools and the record name two drugs."""


def _orders(order: OrderCondition | None) -> str:
    """Join the orders that satisfy the condition; without one, a single row of NULLs."""
    if order is None:
        return "LEFT JOIN drug_orders o ON false"
    narrowed = ["list_contains($ingredients, o.ingredient)", *_active("o"), *_STANDING]
    if order.routes:
        narrowed.append("list_contains($routes, o.route_code)")
    if order.frequencies:
        narrowed.append(f"list_contains($frequencies, {_FREQUENCY})")
    if order.dose_at_least is not None:
        narrowed.append("o.amount >= $dose_amount AND o.amount_unit = $dose_amount_unit")
    return f"JOIN drug_orders o ON o.subject_id = h.subject_id AND o.hadm_id = h.hadm_id AND {' AND '.join(narrowed)}"


def _around(rule: Rule, *, asked: bool) -> str:
    """Build the tests on the other orders of the drug, its rivals and what must not be ordered."""
    order = rule.trigger.order
    if order is None:
        return ""
    tests = [
        f"AND NOT EXISTS ({_no_order_of(name)})"
        for name, named in (("absent", order.absent), ("rivals", order.rivals if asked else ()))
        if named
    ]
    if order.first_at_least_days is not None:
        tests.append(_first_order(rule.trigger.lab))
    return " ".join(tests)


def _who(rule: Rule) -> str:
    old = " AND h.age >= $age_at_least" if rule.trigger.age_at_least is not None else ""
    old += " AND h.age <= $age_at_most" if rule.trigger.age_at_most is not None else ""
    return old + (" AND h.gender = $sex" if rule.trigger.sex is not None else "")


_STANDING = (
    "coalesce(o.frequency, '') <> 'ONCE'",
    "coalesce(o.dose_value, 1) > 0",
)
"""A single dose is given or not: there is nothing left to hold. A dose of 0 is a held order or a sliding scale."""


def _active(order: str) -> tuple[str, ...]:
    return (
        f"{order}.known_at <= h.as_of",
        f"({order}.stoptime IS NULL OR {order}.stoptime > h.as_of)",
    )


def _no_order_of(name: str) -> str:
    return (
        "SELECT 1 FROM drug_orders x WHERE x.subject_id = h.subject_id AND x.hadm_id = h.hadm_id "
        f"AND list_contains(${name}, x.ingredient) AND {' AND '.join(_active('x'))}"
    )


EARLY_FALL = 0.3
"""The fall from which a count that is lower before the drug could have caused it speaks for another cause.

The 4Ts score counts a platelet fall from 30 % on (Lo GK et al. J Thromb Haemost 2006;4(4):759-765).
"""


def _first_order(lab: LabCondition) -> str:
    """Build the test on the admission's first order of the drug; a fall must not have come before its time."""
    first = (
        "(SELECT min(f.starttime) FROM drug_orders f WHERE f.subject_id = h.subject_id AND f.hadm_id = h.hadm_id "
        "AND f.known_at <= h.as_of AND list_contains($ingredients, f.ingredient))"
    )
    test = (
        f"AND h.charttime >= {first} + to_days($first_at_least_days) "
        f"AND h.charttime <= {first} + to_days($first_at_most_days)"
    )
    if lab.fall_fraction_above is None:
        return test
    return test + (
        " AND NOT EXISTS (SELECT 1 FROM labs e WHERE e.subject_id = h.subject_id AND e.analyte = $analyte AND e.usable "
        "AND e.known_at <= h.as_of AND e.charttime > h.baseline_time "
        f"AND e.charttime < {first} + to_days($first_at_least_days) "
        f"AND e.valuenum < h.baseline_value * {1 - EARLY_FALL})"
    )


def _condition(lab: LabCondition) -> str:
    """Build the test on the latest result.

    A derived figure must meet its bounds both exact and rounded to a whole number, as laboratories report it, so that
    rounding cannot change what follows.
    """
    if lab.times_uln_above is not None:
        return "h.valuenum > $times_uln_above * h.upper_limit"
    if lab.fall_fraction_above is not None:
        return (
            "h.valuenum < h.baseline_value * (1 - $fall_fraction_above) AND h.fallen_from >= $fall_from_draws"
        )
    figures = ("h.derived_value", "round(h.derived_value)") if lab.derived else ("h.valuenum",)
    return " AND ".join(
        f"{figure} {sign} ${name}"
        for name, sign in _BOUNDS
        if getattr(lab, name) is not None
        for figure in figures
    )

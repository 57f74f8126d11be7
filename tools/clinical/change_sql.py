"""SQL of what a finding asks of earlier results: how far the latest is off, or that they were within limits already."""

from typing import Any

from state.findings import MEASURES, Change

SAME_MOMENT = "{0}.subject_id = n.subject_id AND {0}.hadm_id = n.hadm_id AND {0}.as_of = n.as_of"
_NOWHERE = f"NOT EXISTS (SELECT 1 FROM course c WHERE {SAME_MOMENT.format('c')} AND"
_NO_TURN = f"{_NOWHERE} c.charttime > e.charttime AND c.step < 0)"
_NO_FURTHER = f"{_NOWHERE} c.way > $by_at_most)"


def change_sql(change: Change, rows: str, same: str) -> tuple[str, list[str], dict[str, Any]]:
    """Build the CTE of the earlier extreme, the conditions on it, and their values.

    ``rows`` is a table of (value, charted, charttime, known_at, ref, ...) as x; ``same`` ties it to the latest, n.
    """
    window = f"""x.subject_id = n.subject_id AND {same} AND x.known_at <= n.as_of
        AND x.charttime >= n.charttime - to_hours($over_hours)"""
    before = f"{window} AND x.charttime <= n.charttime - to_hours($apart_at_least_hours) AND x.ref <> n.ref"
    order = "ASC" if change.direction == "rise" else "DESC"
    distance = "abs(x.value - n.value)" if change.direction == "steady" else "x.value"
    if change.by_fraction_at_most is not None:
        distance += " / nullif(x.value, 0)"
    cte = f"""
earlier AS (
    SELECT n.subject_id, n.hadm_id, n.as_of, x.value, x.charted, x.ref, x.charttime
    FROM latest n JOIN {rows} x ON {before}
    QUALIFY row_number() OVER (PARTITION BY n.subject_id, n.hadm_id, n.as_of
                               ORDER BY {distance} {order}, x.charttime DESC, x.ref DESC) = 1
)"""
    moved = {"rise": "n.value - e.value", "fall": "e.value - n.value", "steady": "abs(n.value - e.value)"}[
        change.direction
    ]
    tests = {
        "by_at_least": f"round({moved}, 6) >= $by_at_least",
        "by_above": f"round({moved}, 6) > $by_above",
        "by_at_most": f"round({moved}, 6) <= $by_at_most",
        "by_fraction_at_most": f"e.value > 0 AND round({moved}, 6) <= round($by_fraction_at_most * e.value, 6)",
        "by_fraction_above": f"e.value > 0 AND ({moved}) > $by_fraction_above * e.value",
        "from_below": "e.value < $from_below",
        "from_above": "e.value > $from_above",
    }
    given = {name: getattr(change, name) for name in MEASURES if getattr(change, name) is not None}
    conditions = [tests[name] for name in given]
    rise = change.direction == "rise"
    hours = {"over_hours": change.over_hours, "apart_at_least_hours": change.apart_at_least_hours}
    if change.from_draws > 1:
        beyond = tests["from_below" if rise else "from_above"].replace("e.value", "x.value")
        count = f"SELECT count(DISTINCT x.charttime) FROM {rows} x WHERE {before} AND {beyond}"
        conditions.append(f"({count}) >= $from_draws")
        hours["from_draws"] = change.from_draws
    if change.through is not None:
        low, high = (f"{limit!r}" for limit in change.through)
        conditions.append(
            f"EXISTS (SELECT 1 FROM {rows} x WHERE {before} AND x.value BETWEEN {low} AND {high})"
        )
    if change.from_below_range:
        conditions.append(f"EXISTS (SELECT 1 FROM {rows} x WHERE {before} AND x.value < x.lower_limit)")
    if change.without_turn or change.throughout:
        cte += _course(rows, f"{window} AND x.charttime <= n.charttime", rise=rise)
    if change.without_turn:
        conditions.append(_NO_TURN)
    if change.throughout:
        conditions.append(_NO_FURTHER)
    if change.from_first:
        cte += _opening(rows, before)
        far = " AND ".join(
            tests[name].replace("e.value", "f.value") for name in given if name.startswith("by_")
        )
        conditions.append(f"EXISTS (SELECT 1 FROM opening f WHERE {SAME_MOMENT.format('f')} AND {far})")
    return cte, conditions, hours | given


def _course(rows: str, window: str, *, rise: bool) -> str:
    """Build the CTE of every result of the window, the latest included: its step from the one before, its way so far.

    Both count in the direction asked about, the way from the other extreme of all before it.
    """
    sign, extreme = ("", "min") if rise else ("-", "max")
    by_time = "(PARTITION BY n.subject_id, n.hadm_id, n.as_of ORDER BY x.charttime, x.ref)"
    return f""",
course AS (
    SELECT n.subject_id, n.hadm_id, n.as_of, x.charttime,
           round({sign}(x.value - lag(x.value) OVER {by_time}), 6) AS step,
           round({sign}(x.value - {extreme}(x.value) OVER {by_time}), 6) AS way
    FROM latest n JOIN {rows} x ON {window}
)"""


def _opening(rows: str, before: str) -> str:
    """Build the CTE of the first result of the window."""
    return f""",
opening AS (
    SELECT n.subject_id, n.hadm_id, n.as_of, x.value
    FROM latest n JOIN {rows} x ON {before}
    QUALIFY row_number() OVER (PARTITION BY n.subject_id, n.hadm_id, n.as_of ORDER BY x.charttime, x.ref) = 1
)"""


def held_sql(rows: str, same: str, limits: list[str]) -> tuple[str, list[str]]:
    """Build the CTE of the latest result that is ``$for_hours`` older and, like every one since, within ``limits``."""
    fits = " AND ".join(limits)
    known = "x.known_at <= n.as_of AND x.charttime <= n.charttime"
    cte = f"""
window_rows AS (
    SELECT n.subject_id, n.hadm_id, n.as_of, n.charttime AS latest_time, x.value, x.charted, x.ref, x.charttime,
           {fits.replace("n.value", "x.value")} AS fits
    FROM latest n JOIN {rows} x ON x.subject_id = n.subject_id AND {same} AND {known}
        AND x.charttime >= n.as_of - to_hours($within_hours)
),
earlier AS (
    SELECT * FROM (SELECT *, bool_and(fits) OVER (PARTITION BY subject_id, hadm_id, as_of
                                                  ORDER BY charttime DESC) AS kept FROM window_rows)
    WHERE kept AND charttime <= latest_time - to_hours($for_hours)
    QUALIFY row_number() OVER (PARTITION BY subject_id, hadm_id, as_of ORDER BY charttime DESC, ref DESC) = 1
)"""
    return cte, ["e.ref IS NOT NULL"]

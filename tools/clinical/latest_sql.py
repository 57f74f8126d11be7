"""SQL that findings share: the latest known result of an analyte at each moment of ``asked``, and limits."""

from typing import Any

from state.findings import LIMITS, FigureFinding, LabFinding, VitalFinding

MOMENT = "m.subject_id, m.hadm_id, m.as_of"
_SIGNS = {"at_least": ">=", "above": ">", "below": "<", "at_most": "<="}
Limited = LabFinding | FigureFinding | VitalFinding


def limits(finding: Limited, *figures: str) -> list[str]:
    """Build a test of each limit on each of ``figures``."""
    return [
        f"{figure} {_SIGNS[name]} ${name}"
        for name in LIMITS
        if getattr(finding, name) is not None
        for figure in figures
    ]


def limit_values(finding: Limited) -> dict[str, Any]:
    """Give the values those tests bind."""
    return {name: getattr(finding, name) for name in LIMITS if getattr(finding, name) is not None}


def latest_lab(analyte: str, extra: str = "") -> str:
    """Select the latest known result of an analyte at each moment, whatever it says."""
    return f"""
    SELECT {MOMENT}, l.row_id, l.itemid, l.valuenum AS value, l.unit, l.charttime, l.usable, l.upper_limit,
           l.lower_limit, l.hadm_id AS lab_hadm_id, m.drawn{extra}
    FROM asked m JOIN labs l ON l.subject_id = m.subject_id AND l.analyte = {analyte} AND l.known_at <= m.as_of
        AND l.charttime >= m.as_of - to_hours($within_hours)
    QUALIFY row_number() OVER (PARTITION BY {MOMENT}
                               ORDER BY l.charttime DESC, l.known_at DESC, l.labevent_id DESC) = 1"""

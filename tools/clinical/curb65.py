"""CURB-65: mortality risk of community-acquired pneumonia, for the choice between home, ward and intensive care.

Lim WS et al., Thorax 2003;58:377-382.
"""

from dataclasses import dataclass
from enum import StrEnum

from tools.clinical.checks import count_points, require_between, require_not_negative, require_positive
from tools.clinical.units import Substance, mg_dl_to_mmol_l

UREA_MMOL_L = 7.0
"""About 19.6 mg/dL of urea nitrogen, often printed as over 19."""


class Curb65Risk(StrEnum):
    """30-day mortality group of the original study: 0-1, 2, 3-5 points."""

    LOW = "low"
    INTERMEDIATE = "intermediate"
    HIGH = "high"


@dataclass(frozen=True, kw_only=True)
class Curb65Findings:
    """Values at presentation; the confusion is new."""

    confusion: bool
    urea_nitrogen_mg_dl: float
    respiratory_rate_per_min: float
    systolic_pressure_mm_hg: float
    diastolic_pressure_mm_hg: float
    age_years: int


def curb65_points(findings: Curb65Findings) -> int:
    """Count the five findings, 0 to 5.

    New confusion; urea over 7 mmol/L; 30 breaths a minute or more; systolic under 90 or diastolic of 60 mm Hg or less;
    age 65 or more. Raises ValueError for an impossible value or a confusion that is neither true nor false.
    """
    require_not_negative(
        respiratory_rate_per_min=findings.respiratory_rate_per_min,
        systolic_pressure_mm_hg=findings.systolic_pressure_mm_hg,
        diastolic_pressure_mm_hg=findings.diastolic_pressure_mm_hg,
    )
    require_positive(age_years=findings.age_years)
    low_pressure = findings.systolic_pressure_mm_hg < 90 or findings.diastolic_pressure_mm_hg <= 60
    return int(count_points(findings, {"confusion": 1})) + sum(
        (
            mg_dl_to_mmol_l(findings.urea_nitrogen_mg_dl, Substance.UREA_NITROGEN) > UREA_MMOL_L,
            findings.respiratory_rate_per_min >= 30,
            low_pressure,
            findings.age_years >= 65,
        )
    )


def curb65_risk(points: int) -> Curb65Risk:
    """Group 0 to 5 points by risk."""
    require_between(0, 5, points=points)
    if points >= 3:
        return Curb65Risk.HIGH
    return Curb65Risk.INTERMEDIATE if points == 2 else Curb65Risk.LOW

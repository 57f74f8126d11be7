"""HOSPITAL score: risk of a potentially avoidable readmission within 30 days of a medical discharge.

Donze J et al., JAMA Intern Med 2013;173:632-638, with the admission bands (0-1, 2-5, over 5) and risk groups of the
international validation, Donze JD et al., JAMA Intern Med 2016;176:496-502. Some calculators print 0, 1-5, over 5.
"""

from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from tools.clinical.checks import count_points, require_between, require_not_negative, require_positive

LOW_HEMOGLOBIN_G_DL = 12.0
LOW_SODIUM_MEQ_L = 135.0
LONG_STAY_DAYS, LONG_STAY_POINTS = 5, 2
POINTS = MappingProxyType({"oncology_discharge": 2, "procedure": 1, "urgent_or_emergent": 1})


class ReadmissionRisk(StrEnum):
    """Low to 4 points, intermediate 5 and 6, high from 7."""

    LOW = "low"
    INTERMEDIATE = "intermediate"
    HIGH = "high"


@dataclass(frozen=True, kw_only=True)
class HospitalFindings:
    """Haemoglobin and sodium are the last before discharge; a procedure is any coded one of this stay."""

    hemoglobin_g_dl: float
    oncology_discharge: bool
    sodium_meq_l: float
    procedure: bool
    urgent_or_emergent: bool
    admissions_in_previous_year: int
    length_of_stay_days: int


def hospital_points(findings: HospitalFindings) -> int:
    """Add the findings, 0 to 13.

    Raises ValueError for a laboratory value that is not positive, a negative count, or a finding not true or false.
    """
    require_positive(hemoglobin_g_dl=findings.hemoglobin_g_dl, sodium_meq_l=findings.sodium_meq_l)
    require_not_negative(
        admissions_in_previous_year=findings.admissions_in_previous_year,
        length_of_stay_days=findings.length_of_stay_days,
    )
    return (
        int(count_points(findings, POINTS))
        + (findings.hemoglobin_g_dl < LOW_HEMOGLOBIN_G_DL)
        + (findings.sodium_meq_l < LOW_SODIUM_MEQ_L)
        + _admission_points(findings.admissions_in_previous_year)
        + (LONG_STAY_POINTS if findings.length_of_stay_days >= LONG_STAY_DAYS else 0)
    )


def readmission_risk(points: int) -> ReadmissionRisk:
    """Group 0 to 13 points by risk."""
    require_between(0, 13, points=points)
    if points >= 7:
        return ReadmissionRisk.HIGH
    return ReadmissionRisk.INTERMEDIATE if points >= 5 else ReadmissionRisk.LOW


def _admission_points(admissions: int) -> int:
    if admissions > 5:
        return 5
    return 2 if admissions >= 2 else 0

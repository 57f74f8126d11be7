"""Wells score: pretest probability of deep vein thrombosis of the leg, before D-dimer or ultrasound.

The two-level form with previous thrombosis: Wells PS et al., N Engl J Med 2003;349:1227-1235.
"""

from dataclasses import dataclass
from types import MappingProxyType

from tools.clinical.checks import count_points

LIKELY_FROM = 2
POINTS = MappingProxyType(
    {
        "active_cancer": 1,
        "paralysis_paresis_or_leg_cast": 1,
        "bedridden_3_days_or_major_surgery_within_12_weeks": 1,
        "tenderness_along_deep_veins": 1,
        "entire_leg_swollen": 1,
        "calf_swelling_3_cm_or_more": 1,
        "pitting_oedema_of_symptomatic_leg_only": 1,
        "collateral_superficial_veins": 1,
        "previous_dvt": 1,
        "alternative_diagnosis_at_least_as_likely": -2,
    }
)


@dataclass(frozen=True, kw_only=True)
class WellsDvtFindings:
    """Of the more symptomatic leg. Cancer: treated now or within 6 months, or palliative; veins not varicose."""

    active_cancer: bool
    paralysis_paresis_or_leg_cast: bool
    bedridden_3_days_or_major_surgery_within_12_weeks: bool
    tenderness_along_deep_veins: bool
    entire_leg_swollen: bool
    calf_swelling_3_cm_or_more: bool
    pitting_oedema_of_symptomatic_leg_only: bool
    collateral_superficial_veins: bool
    previous_dvt: bool
    alternative_diagnosis_at_least_as_likely: bool


def wells_dvt_points(findings: WellsDvtFindings) -> int:
    """Add the findings, -2 to 9. Raises ValueError for a finding that is neither true nor false."""
    return int(count_points(findings, POINTS))


def dvt_likely(points: int) -> bool:
    """Tell whether a thrombosis is likely (2 points or more); otherwise it is unlikely."""
    return points >= LIKELY_FROM

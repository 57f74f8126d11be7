"""Wells score: pretest probability of pulmonary embolism, before D-dimer or imaging.

Wells PS et al., Thromb Haemost 2000;83:416-420.
"""

from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from tools.clinical.checks import count_points, require_positive

LIKELY_ABOVE = 4.0
MODERATE_FROM, HIGH_ABOVE = 2.0, 6.0
TACHYCARDIA_PER_MIN = 100
TACHYCARDIA_POINTS = 1.5
POINTS = MappingProxyType(
    {
        "signs_of_dvt": 3.0,
        "pe_at_least_as_likely_as_alternatives": 3.0,
        "immobile_3_days_or_surgery_within_4_weeks": 1.5,
        "previous_dvt_or_pe": 1.5,
        "haemoptysis": 1.0,
        "malignancy": 1.0,
    }
)


class PeProbability(StrEnum):
    """Three-level reading: under 2, 2 to 6, over 6 points."""

    LOW = "low"
    MODERATE = "moderate"
    HIGH = "high"


@dataclass(frozen=True, kw_only=True)
class WellsPeFindings:
    """Signs: leg swelling and pain on palpation of deep veins. Malignancy: treated within 6 months, or palliative."""

    signs_of_dvt: bool
    pe_at_least_as_likely_as_alternatives: bool
    heart_rate_per_min: float
    immobile_3_days_or_surgery_within_4_weeks: bool
    previous_dvt_or_pe: bool
    haemoptysis: bool
    malignancy: bool


def wells_pe_points(findings: WellsPeFindings) -> float:
    """Add the findings, 0 to 12.5; a pulse over 100 is 1.5. Raises ValueError for a finding not true or false."""
    require_positive(heart_rate_per_min=findings.heart_rate_per_min)
    tachycardia = TACHYCARDIA_POINTS if findings.heart_rate_per_min > TACHYCARDIA_PER_MIN else 0.0
    return count_points(findings, POINTS) + tachycardia


def pe_likely(points: float) -> bool:
    """Tell whether an embolism is likely in the two-level reading (over 4 points); otherwise it is unlikely."""
    return points > LIKELY_ABOVE


def pe_probability(points: float) -> PeProbability:
    """Classify in the three-level reading."""
    if points > HIGH_ABOVE:
        return PeProbability.HIGH
    return PeProbability.MODERATE if points >= MODERATE_FROM else PeProbability.LOW

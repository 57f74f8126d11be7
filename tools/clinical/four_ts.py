"""4Ts: pretest probability of heparin-induced thrombocytopenia.

Lo GK et al., J Thromb Haemost 2006;4:759-765. A low score makes it very unlikely; otherwise heparin stops and
antibodies are sought.
"""

from dataclasses import dataclass
from enum import IntEnum, StrEnum

from tools.clinical.checks import exceeds, reaches, require_between, require_not_negative, require_positive


class Timing(IntEnum):
    """Onset of the fall, counted from the first day of heparin as day 0, by its points.

    Clear: days 5 to 10, or within a day after heparin in the last 30 days. Unclear: likely days 5 to 10 with counts
    missing, after day 10, or within a day after heparin 31 to 100 days ago. Early: before day 4 without recent heparin.
    """

    CLEAR_DAY_5_TO_10_OR_RAPID_ON_REEXPOSURE = 2
    UNCLEAR_OR_LATE = 1
    EARLY_WITHOUT_RECENT_HEPARIN = 0


class Thrombosis(IntEnum):
    """Thrombosis or other sequel, by its points."""

    NEW_OR_SKIN_NECROSIS_OR_SYSTEMIC_REACTION = 2
    PROGRESSIVE_RECURRENT_SUSPECTED_OR_SKIN_LESIONS = 1
    NONE = 0


class OtherCause(IntEnum):
    """Another cause of the low platelets, by its points."""

    NONE_APPARENT = 2
    POSSIBLE = 1
    DEFINITE = 0


class HitProbability(StrEnum):
    """Low to 3 points, intermediate 4 and 5, high from 6."""

    LOW = "low"
    INTERMEDIATE = "intermediate"
    HIGH = "high"


@dataclass(frozen=True, kw_only=True)
class FourTsFindings:
    """Platelets in K/uL, the highest since heparin began and the lowest after it, and the three judged items."""

    baseline_platelets_k_ul: float
    nadir_platelets_k_ul: float
    timing: Timing
    thrombosis: Thrombosis
    other_cause: OtherCause


def thrombocytopenia_points(baseline_platelets_k_ul: float, nadir_platelets_k_ul: float) -> int:
    """Score the fall: over 50 % to a nadir of 20 or more 2, under 30 % or a nadir under 10 K/uL 0, else 1.

    Raises ValueError for a baseline not positive, a negative nadir, or a nadir above the baseline.
    """
    require_positive(baseline_platelets_k_ul=baseline_platelets_k_ul)
    require_not_negative(nadir_platelets_k_ul=nadir_platelets_k_ul)
    if nadir_platelets_k_ul > baseline_platelets_k_ul:
        raise ValueError(
            f"the nadir {nadir_platelets_k_ul} is above the baseline {baseline_platelets_k_ul} K/uL"
        )
    fall = 1 - nadir_platelets_k_ul / baseline_platelets_k_ul
    if nadir_platelets_k_ul < 10 or not reaches(fall, 0.3):
        return 0
    return 2 if exceeds(fall, 0.5) and nadir_platelets_k_ul >= 20 else 1


def four_ts_points(findings: FourTsFindings) -> int:
    """Add the four items, 0 to 8. Raises ValueError for impossible platelets or an item outside its scale."""
    return (
        thrombocytopenia_points(findings.baseline_platelets_k_ul, findings.nadir_platelets_k_ul)
        + Timing(findings.timing)
        + Thrombosis(findings.thrombosis)
        + OtherCause(findings.other_cause)
    )


def hit_probability(points: int) -> HitProbability:
    """Classify 0 to 8 points."""
    require_between(0, 8, points=points)
    if points >= 6:
        return HitProbability.HIGH
    return HitProbability.INTERMEDIATE if points >= 4 else HitProbability.LOW

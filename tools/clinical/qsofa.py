"""Quick SOFA: a bedside sign, outside intensive care, that an infection may go badly.

Seymour CW et al., JAMA 2016;315:762-774. Not to be used alone to screen for sepsis (Surviving Sepsis Campaign, Evans L
et al., Crit Care Med 2021;49:e1063-e1143).
"""

from tools.clinical.checks import require_between, require_not_negative

POSITIVE_FROM = 2


def qsofa_points(
    *, respiratory_rate_per_min: float, systolic_pressure_mm_hg: float, glasgow_coma_scale: int
) -> int:
    """Count the three signs, 0 to 3.

    22 breaths a minute or more; systolic pressure of 100 mm Hg or less; Glasgow Coma Scale under 15. Raises ValueError
    for an impossible value.
    """
    require_not_negative(
        respiratory_rate_per_min=respiratory_rate_per_min, systolic_pressure_mm_hg=systolic_pressure_mm_hg
    )
    require_between(3, 15, glasgow_coma_scale=glasgow_coma_scale)
    return (respiratory_rate_per_min >= 22) + (systolic_pressure_mm_hg <= 100) + (glasgow_coma_scale < 15)


def qsofa_positive(points: int) -> bool:
    """Tell whether the score is positive (two points or more)."""
    return points >= POSITIVE_FROM

"""Systemic inflammatory response syndrome: two or more of four criteria.

ACCP/SCCM Consensus Conference: Bone RC et al., Chest 1992;101:1644-1655. With infection it was the former definition of
sepsis.
"""

from tools.clinical.checks import require_between, require_not_negative, require_positive

POSITIVE_FROM = 2


def sirs_criteria(
    *,
    temperature_c: float,
    heart_rate_per_min: float,
    respiratory_rate_per_min: float,
    wbc_k_ul: float,
    paco2_mm_hg: float | None = None,
    bands_percent: float | None = None,
) -> int:
    """Count the criteria met, 0 to 4.

    Over 38 or under 36 C; pulse over 90; breaths over 20 a minute or PaCO2 under 32 mm Hg; white cells over 12 or under
    4 K/uL or over 10 % bands. PaCO2 and bands may be unmeasured (None): each is an alternative within its criterion.
    Raises ValueError for impossible values.
    """
    require_positive(temperature_c=temperature_c)
    require_not_negative(
        heart_rate_per_min=heart_rate_per_min,
        respiratory_rate_per_min=respiratory_rate_per_min,
        wbc_k_ul=wbc_k_ul,
    )
    hypocapnia = left_shift = False
    if paco2_mm_hg is not None:
        require_positive(paco2_mm_hg=paco2_mm_hg)
        hypocapnia = paco2_mm_hg < 32
    if bands_percent is not None:
        require_between(0, 100, bands_percent=bands_percent)
        left_shift = bands_percent > 10
    return sum(
        (
            temperature_c > 38 or temperature_c < 36,
            heart_rate_per_min > 90,
            respiratory_rate_per_min > 20 or hypocapnia,
            wbc_k_ul > 12 or wbc_k_ul < 4 or left_shift,
        )
    )


def sirs_positive(criteria: int) -> bool:
    """Tell whether the syndrome is present (two criteria or more)."""
    return criteria >= POSITIVE_FROM

"""Alveolar-arterial oxygen gradient and the ratio of arterial to inspired oxygen.

Alveolar gas equation in its short form: Fenn WO, Rahn H, Otis AB, Am J Physiol 1946;146:637-653, with a respiratory
quotient of 0.8 and 47 mm Hg of water vapour at 37 C. A raised gradient separates lung disease from hypoventilation; it
rises with age and with inspired oxygen, so no single normal limit is given here.
"""

from tools.clinical.checks import require_between, require_positive

SEA_LEVEL_MM_HG = 760.0
WATER_VAPOUR_MM_HG = 47.0
RESPIRATORY_QUOTIENT = 0.8
ROOM_AIR = 0.21


def alveolar_oxygen_mm_hg(
    fio2: float, paco2_mm_hg: float, barometric_mm_hg: float = SEA_LEVEL_MM_HG
) -> float:
    """Compute alveolar oxygen pressure in mm Hg.

    ``fio2`` is a fraction, 0.21 to 1.0 (ValueError for a percentage or less than room air).
    """
    require_between(ROOM_AIR, 1.0, fio2=fio2)
    require_positive(paco2_mm_hg=paco2_mm_hg, barometric_mm_hg=barometric_mm_hg)
    return fio2 * (barometric_mm_hg - WATER_VAPOUR_MM_HG) - paco2_mm_hg / RESPIRATORY_QUOTIENT


def a_a_gradient_mm_hg(
    pao2_mm_hg: float, paco2_mm_hg: float, fio2: float, barometric_mm_hg: float = SEA_LEVEL_MM_HG
) -> float:
    """Compute alveolar minus arterial oxygen pressure in mm Hg, from one arterial sample and its ``fio2`` fraction."""
    require_positive(pao2_mm_hg=pao2_mm_hg)
    return alveolar_oxygen_mm_hg(fio2, paco2_mm_hg, barometric_mm_hg) - pao2_mm_hg


def pao2_fio2_ratio_mm_hg(pao2_mm_hg: float, fio2: float) -> float:
    """Compute arterial oxygen pressure over the inspired fraction (0.21 to 1.0), in mm Hg."""
    require_positive(pao2_mm_hg=pao2_mm_hg)
    require_between(ROOM_AIR, 1.0, fio2=fio2)
    return pao2_mm_hg / fio2

"""QT interval corrected for heart rate, in ms.

Bazett HC, Heart 1920;7:353-370 overcorrects fast and undercorrects slow rates; Fridericia LS, Acta Med Scand
1920;53:469-486 and Framingham (Sagie A et al., Am J Cardiol 1992;70:797-801) err less there. RR is 60 / heart rate, in
seconds.
"""

import math

from tools.clinical.checks import require_positive

FRAMINGHAM_MS_PER_S = 154.0


def qtc_bazett_ms(qt_ms: float, heart_rate_per_min: float) -> float:
    """Compute QT / sqrt(RR) in ms. Raises ValueError unless QT and rate are positive."""
    return qt_ms / math.sqrt(_rr_s(qt_ms, heart_rate_per_min))


def qtc_fridericia_ms(qt_ms: float, heart_rate_per_min: float) -> float:
    """Compute QT / cube root of RR in ms. Raises ValueError unless QT and rate are positive."""
    return qt_ms / math.cbrt(_rr_s(qt_ms, heart_rate_per_min))


def qtc_framingham_ms(qt_ms: float, heart_rate_per_min: float) -> float:
    """Compute QT + 154 x (1 - RR) in ms. Raises ValueError unless QT and rate are positive."""
    return qt_ms + FRAMINGHAM_MS_PER_S * (1 - _rr_s(qt_ms, heart_rate_per_min))


def _rr_s(qt_ms: float, heart_rate_per_min: float) -> float:
    require_positive(qt_ms=qt_ms, heart_rate_per_min=heart_rate_per_min)
    return 60 / heart_rate_per_min

"""Serum sodium expected once a high glucose is back to normal.

Glucose draws water out of cells and dilutes sodium: by 1.6 mEq/L for each 100 mg/dL over 100 in theory (Katz MA, N Engl
J Med 1973;289:843-844), by 2.4 measured in volunteers (Hillier TA, Abbott RD, Barrett EJ, Am J Med 1999;106:399-403).
The choice is the caller's.
"""

from enum import StrEnum

from tools.clinical.checks import require_not_negative, require_positive

NORMAL_GLUCOSE_MG_DL = 100.0


class SodiumCorrection(StrEnum):
    """mEq/L of sodium for each 100 mg/dL of glucose over 100 mg/dL."""

    KATZ_1973 = "1.6"
    HILLIER_1999 = "2.4"


def corrected_sodium_meq_l(sodium_meq_l: float, glucose_mg_dl: float, correction: SodiumCorrection) -> float:
    """Compute the sodium in mEq/L corrected for hyperglycaemia; up to 100 mg/dL of glucose nothing is corrected.

    Raises ValueError for a sodium that is not positive or a negative glucose.
    """
    require_positive(sodium_meq_l=sodium_meq_l)
    require_not_negative(glucose_mg_dl=glucose_mg_dl)
    hundreds_over_normal = max(glucose_mg_dl - NORMAL_GLUCOSE_MG_DL, 0.0) / 100
    return sodium_meq_l + float(correction.value) * hundreds_over_normal

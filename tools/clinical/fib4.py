"""FIB-4: how likely advanced liver fibrosis is, from age and routine laboratory values.

Sterling RK et al., Hepatology 2006;43:1317-1325 (HIV with hepatitis C): under 1.45 argues against advanced fibrosis,
over 3.25 for it. Acute hepatitis raises it without fibrosis.
"""

import math
from enum import StrEnum

from tools.clinical.checks import require_not_negative, require_positive

LOW_CUTOFF, HIGH_CUTOFF = 1.45, 3.25


class Fib4Reading(StrEnum):
    """Likelihood of advanced fibrosis (Ishak 4 to 6) at the published cutoffs."""

    LOW = "low"
    INDETERMINATE = "indeterminate"
    HIGH = "high"


def fib4_index(*, age_years: float, ast_u_l: float, alt_u_l: float, platelets_k_ul: float) -> float:
    """Compute age x AST / (platelets x sqrt(ALT)), enzymes in U/L, platelets in K/uL (ValueError unless positive)."""
    require_positive(age_years=age_years, ast_u_l=ast_u_l, alt_u_l=alt_u_l, platelets_k_ul=platelets_k_ul)
    return age_years * ast_u_l / (platelets_k_ul * math.sqrt(alt_u_l))


def read_fib4(index: float) -> Fib4Reading:
    """Classify an index: under 1.45, to 3.25, over 3.25."""
    require_not_negative(index=index)
    if index < LOW_CUTOFF:
        return Fib4Reading.LOW
    return Fib4Reading.HIGH if index > HIGH_CUTOFF else Fib4Reading.INDETERMINATE

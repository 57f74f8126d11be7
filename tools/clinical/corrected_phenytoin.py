"""Total phenytoin adjusted for low albumin: the total that would give this free level with normal binding.

Sheiner and Tozer's equation in its rounded bedside form, 0.2 x albumin + 0.1, and how far it errs: Kiang TKL, Ensom
MHH, Ann Pharmacother 2016;50:311-325. Uraemia halves the albumin term (Winter and Tozer's variant), with larger
errors on dialysis (Ann Pharmacother 2017;51:669-674). A measured free level overrules both.
"""

from tools.clinical.checks import require_flags, require_not_negative, require_positive

ALBUMIN_FACTOR = 0.2
ALBUMIN_FACTOR_RENAL_FAILURE = 0.1
FREE_FRACTION = 0.1
THERAPEUTIC_MCG_ML = (10.0, 20.0)
"""Total level with normal binding."""


def corrected_phenytoin_mcg_ml(phenytoin_mcg_ml: float, albumin_g_dl: float, *, renal_failure: bool) -> float:
    """Compute the corrected total in mcg/mL (the same number in mg/L).

    ``renal_failure`` means dialysis or a creatinine clearance under 10 mL/min in the original; some references use it
    from under 20, where the caller decides. Raises ValueError for a negative level or an albumin that is not positive.
    """
    require_flags(renal_failure=renal_failure)
    require_not_negative(phenytoin_mcg_ml=phenytoin_mcg_ml)
    require_positive(albumin_g_dl=albumin_g_dl)
    factor = ALBUMIN_FACTOR_RENAL_FAILURE if renal_failure else ALBUMIN_FACTOR
    return phenytoin_mcg_ml / (factor * albumin_g_dl + FREE_FRACTION)

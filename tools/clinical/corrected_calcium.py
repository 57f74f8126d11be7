"""Total calcium adjusted for albumin, for when ionised calcium was not measured.

Payne RB et al., Br Med J 1973;4:643-646 adjusted by 1 mg/dL for each g/dL of albumin away from 4.0; the coefficient in
bedside use is 0.8 (0.02 mmol/L per g/L), and is used here. Ionised calcium overrules it, above all in the critically
ill and in renal failure.
"""

from tools.clinical.checks import require_positive

MG_DL_PER_ALBUMIN_G_DL = 0.8
NORMAL_ALBUMIN_G_DL = 4.0


def corrected_calcium_mg_dl(calcium_mg_dl: float, albumin_g_dl: float) -> float:
    """Compute total calcium in mg/dL as if albumin were 4.0 g/dL. Raises ValueError unless both are positive."""
    require_positive(calcium_mg_dl=calcium_mg_dl, albumin_g_dl=albumin_g_dl)
    return calcium_mg_dl + MG_DL_PER_ALBUMIN_G_DL * (NORMAL_ALBUMIN_G_DL - albumin_g_dl)

"""Model for End-Stage Liver Disease: 90-day mortality of cirrhosis, and priority for a liver transplant.

MELD: Kamath PS et al., Hepatology 2001;33:464-470, as UNOS used it. MELD-Na: OPTN policy 9.1 from January 2016, after
Kim WR et al., N Engl J Med 2008;359:1018-1026. MELD 3.0: Kim WR et al., Gastroenterology 2021;161:1887-1895, in OPTN
policy from July 2023 for adults. All are whole numbers from 6 to 40, halves rounded up; the 2021 paper itself set no
upper limit. Dialysis means twice, or 24 hours of continuous haemodialysis, in the week before the creatinine.
"""

import math

from tools.clinical.checks import Sex, by_sex, require_flags, require_positive

LOWEST, HIGHEST = 6, 40
LABORATORY_FLOOR = 1.0
MELD_CREATININE_CAP_MG_DL = 4.0
MELD_3_CREATININE_CAP_MG_DL = 3.0
SODIUM_MEQ_L = (125.0, 137.0)
ALBUMIN_G_DL = (1.5, 3.5)
SODIUM_COUNTS_ABOVE = 11
MELD_3_FEMALE = 1.33


def meld(*, bilirubin_mg_dl: float, inr: float, creatinine_mg_dl: float, dialysis: bool) -> int:
    """Compute MELD without sodium. Raises ValueError for a value that is not positive."""
    return min(_initial_meld(bilirubin_mg_dl, inr, creatinine_mg_dl, dialysis=dialysis), HIGHEST)


def meld_na(
    *, bilirubin_mg_dl: float, inr: float, creatinine_mg_dl: float, sodium_meq_l: float, dialysis: bool
) -> int:
    """Compute MELD-Na (OPTN 2016): sodium, bounded to 125-137 mEq/L, counts where MELD is over 11.

    Raises ValueError for a value that is not positive.
    """
    require_positive(sodium_meq_l=sodium_meq_l)
    initial = _initial_meld(bilirubin_mg_dl, inr, creatinine_mg_dl, dialysis=dialysis)
    if initial <= SODIUM_COUNTS_ABOVE:
        return initial
    deficit = SODIUM_MEQ_L[1] - _clamp(sodium_meq_l, *SODIUM_MEQ_L)
    return min(_round_half_up(initial + 1.32 * deficit - 0.033 * initial * deficit), HIGHEST)


def meld_3_0(
    *,
    bilirubin_mg_dl: float,
    inr: float,
    creatinine_mg_dl: float,
    sodium_meq_l: float,
    albumin_g_dl: float,
    sex: Sex,
    dialysis: bool,
) -> int:
    """Compute MELD 3.0 for an adult.

    Creatinine is bounded to 1.0-3.0 mg/dL, sodium to 125-137 mEq/L, albumin to 1.5-3.5 g/dL. Raises ValueError for a
    value that is not positive.
    """
    require_positive(sodium_meq_l=sodium_meq_l, albumin_g_dl=albumin_g_dl)
    ln_bilirubin, ln_inr, ln_creatinine = _logarithms(
        bilirubin_mg_dl, inr, creatinine_mg_dl, MELD_3_CREATININE_CAP_MG_DL, dialysis=dialysis
    )
    sodium_deficit = SODIUM_MEQ_L[1] - _clamp(sodium_meq_l, *SODIUM_MEQ_L)
    albumin_deficit = ALBUMIN_G_DL[1] - _clamp(albumin_g_dl, *ALBUMIN_G_DL)
    score = (
        by_sex(sex, female=MELD_3_FEMALE, male=0.0)
        + 4.56 * ln_bilirubin
        + 0.82 * sodium_deficit
        - 0.24 * sodium_deficit * ln_bilirubin
        + 9.09 * ln_inr
        + 11.14 * ln_creatinine
        + 1.85 * albumin_deficit
        - 1.83 * albumin_deficit * ln_creatinine
        + 6
    )
    return int(_clamp(_round_half_up(score), LOWEST, HIGHEST))


def _initial_meld(bilirubin_mg_dl: float, inr: float, creatinine_mg_dl: float, *, dialysis: bool) -> int:
    """Compute OPTN's MELD(i), which is rounded before sodium enters and not yet limited to 40."""
    ln_bilirubin, ln_inr, ln_creatinine = _logarithms(
        bilirubin_mg_dl, inr, creatinine_mg_dl, MELD_CREATININE_CAP_MG_DL, dialysis=dialysis
    )
    return _round_half_up(10 * (0.957 * ln_creatinine + 0.378 * ln_bilirubin + 1.120 * ln_inr + 0.643))


def _logarithms(
    bilirubin_mg_dl: float,
    inr: float,
    creatinine_mg_dl: float,
    creatinine_cap_mg_dl: float,
    *,
    dialysis: bool,
) -> tuple[float, float, float]:
    require_flags(dialysis=dialysis)
    require_positive(bilirubin_mg_dl=bilirubin_mg_dl, inr=inr, creatinine_mg_dl=creatinine_mg_dl)
    creatinine = creatinine_cap_mg_dl if dialysis else min(creatinine_mg_dl, creatinine_cap_mg_dl)
    bilirubin, ratio, creatinine = (
        max(value, LABORATORY_FLOOR) for value in (bilirubin_mg_dl, inr, creatinine)
    )
    return math.log(bilirubin), math.log(ratio), math.log(creatinine)


def _clamp(value: float, low: float, high: float) -> float:
    return min(max(value, low), high)


def _round_half_up(value: float) -> int:
    return math.floor(value + 0.5)

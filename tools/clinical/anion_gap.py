"""Anion gap, its correction for albumin, and the delta ratio of a metabolic acidosis.

Gap without potassium: Emmett M, Narins RG, Medicine (Baltimore) 1977;56:38-54. Albumin is most of the normal gap: each
g/dL below normal hides 2.5 mEq/L (Figge J et al., Crit Care Med 1998;26:1807-1810). Delta ratio: Rastegar A, J Am Soc
Nephrol 2007;18:2429-2431.
"""

from enum import StrEnum

from tools.clinical.checks import exceeds, reaches, require_positive

NORMAL_ALBUMIN_G_DL = 4.0
GAP_PER_ALBUMIN_G_DL = 2.5
NORMAL_GAP_MEQ_L = 12.0
NORMAL_BICARBONATE_MEQ_L = 24.0


class DeltaRatioReading(StrEnum):
    """What the delta ratio suggests beside a high-gap acidosis.

    Texts set the lower limit between 0.8 and 1; 1 is used here. Ketones lost in urine also lower the ratio, chronic
    respiratory acidosis also raises it.
    """

    WITH_NORMAL_GAP_ACIDOSIS = "with_normal_gap_acidosis"
    PURE_HIGH_GAP_ACIDOSIS = "pure_high_gap_acidosis"
    WITH_METABOLIC_ALKALOSIS = "with_metabolic_alkalosis"


def anion_gap_meq_l(sodium_meq_l: float, chloride_meq_l: float, bicarbonate_meq_l: float) -> float:
    """Compute sodium - chloride - bicarbonate in mEq/L, without potassium; it can be negative."""
    require_positive(
        sodium_meq_l=sodium_meq_l, chloride_meq_l=chloride_meq_l, bicarbonate_meq_l=bicarbonate_meq_l
    )
    return sodium_meq_l - chloride_meq_l - bicarbonate_meq_l


def corrected_anion_gap_meq_l(
    gap_meq_l: float, albumin_g_dl: float, normal_albumin_g_dl: float = NORMAL_ALBUMIN_G_DL
) -> float:
    """Compute the gap the patient would have with a normal albumin, in mEq/L.

    4.0 g/dL is the bedside normal; Figge used the laboratory's own mean, 4.4. Raises ValueError for an albumin that is
    not positive.
    """
    require_positive(albumin_g_dl=albumin_g_dl, normal_albumin_g_dl=normal_albumin_g_dl)
    return gap_meq_l + GAP_PER_ALBUMIN_G_DL * (normal_albumin_g_dl - albumin_g_dl)


def delta_ratio(
    gap_meq_l: float,
    bicarbonate_meq_l: float,
    *,
    normal_gap_meq_l: float = NORMAL_GAP_MEQ_L,
    normal_bicarbonate_meq_l: float = NORMAL_BICARBONATE_MEQ_L,
) -> float:
    """Compute (gap - normal gap) / (normal bicarbonate - bicarbonate).

    Give the albumin-corrected gap where albumin is low. Raises ValueError for a gap not above normal or a bicarbonate
    not below normal: there is no high-gap acidosis to read.
    """
    require_positive(bicarbonate_meq_l=bicarbonate_meq_l)
    if not exceeds(gap_meq_l, normal_gap_meq_l):
        raise ValueError(f"a delta ratio needs a gap above {normal_gap_meq_l} mEq/L, got {gap_meq_l}")
    if not exceeds(normal_bicarbonate_meq_l, bicarbonate_meq_l):
        raise ValueError(
            f"a delta ratio needs a bicarbonate below {normal_bicarbonate_meq_l} mEq/L, got {bicarbonate_meq_l}"
        )
    return (gap_meq_l - normal_gap_meq_l) / (normal_bicarbonate_meq_l - bicarbonate_meq_l)


def read_delta_ratio(ratio: float) -> DeltaRatioReading:
    """Classify a delta ratio: under 1, 1 to 2, over 2."""
    require_positive(ratio=ratio)
    if exceeds(ratio, 2.0):
        return DeltaRatioReading.WITH_METABOLIC_ALKALOSIS
    if reaches(ratio, 1.0):
        return DeltaRatioReading.PURE_HIGH_GAP_ACIDOSIS
    return DeltaRatioReading.WITH_NORMAL_GAP_ACIDOSIS

"""Calculated serum osmolality and the osmolal gap to the measured one.

2 x sodium + glucose / 18 + urea nitrogen / 2.8, all but sodium in mg/dL: the bedside form; Fazekas AS et al., Intensive
Care Med 2013;39:302-308 compare it with others. A gap over about 10 mOsm/kg suggests an unmeasured alcohol. How much
of it ethanol explains is disputed: its molar mass gives mg/dL / 4.6; Purssell RA et al., Ann Emerg Med 2001;38:653-659
fitted 1.25 times that, / 3.7.
"""

from enum import StrEnum

from tools.clinical.checks import require_not_negative, require_positive

GLUCOSE_DIVISOR = 18.0
UREA_NITROGEN_DIVISOR = 2.8


class EthanolTerm(StrEnum):
    """How many mg/dL of ethanol make one mOsm/kg."""

    MOLAR_MASS = "4.6"
    PURSSELL_2001 = "3.7"


def serum_osmolality_mosm_kg(
    sodium_meq_l: float,
    glucose_mg_dl: float,
    urea_nitrogen_mg_dl: float,
    *,
    ethanol_mg_dl: float = 0.0,
    ethanol_term: EthanolTerm = EthanolTerm.MOLAR_MASS,
) -> float:
    """Compute serum osmolality in mOsm/kg.

    An ethanol left out is not part of the sum, so that the gap includes it. Raises ValueError for a sodium that is not
    positive or a negative glucose, urea nitrogen or ethanol.
    """
    require_positive(sodium_meq_l=sodium_meq_l)
    require_not_negative(
        glucose_mg_dl=glucose_mg_dl, urea_nitrogen_mg_dl=urea_nitrogen_mg_dl, ethanol_mg_dl=ethanol_mg_dl
    )
    solutes = glucose_mg_dl / GLUCOSE_DIVISOR + urea_nitrogen_mg_dl / UREA_NITROGEN_DIVISOR
    return 2 * sodium_meq_l + solutes + ethanol_mg_dl / float(ethanol_term.value)


def osmolal_gap_mosm_kg(measured_mosm_kg: float, calculated_mosm_kg: float) -> float:
    """Compute measured minus calculated osmolality in mOsm/kg; it can be negative."""
    require_positive(measured_mosm_kg=measured_mosm_kg, calculated_mosm_kg=calculated_mosm_kg)
    return measured_mosm_kg - calculated_mosm_kg


def effective_osmolality_mosm_kg(sodium_meq_l: float, glucose_mg_dl: float) -> float:
    """Compute tonicity in mOsm/kg: sodium and glucose only, since urea crosses cell membranes freely.

    Used for the hyperosmolar hyperglycaemic state (over 320: Kitabchi AE et al., Diabetes Care 2009;32:1335-1343).
    """
    return serum_osmolality_mosm_kg(sodium_meq_l, glucose_mg_dl, 0.0)

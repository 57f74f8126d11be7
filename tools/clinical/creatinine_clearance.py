"""Creatinine clearance of adults, the renal function that most drug labels dose by.

Cockcroft DW, Gault MH, Nephron 1976;16:31-41. Needs a creatinine in steady state; it overstates clearance while the
creatinine is still rising. Not indexed to body surface area.
"""

from tools.clinical.body_size import WeightChoice, dosing_weight_kg
from tools.clinical.checks import Sex, by_sex, require_positive

UNIT = "mL/min"
ADULT_AGE = 18
AGE_LIMIT = 140
"""Years; the equation reaches zero here."""
SCALE = 72.0
FEMALE_FACTOR = 0.85


def cockcroft_gault(
    creatinine_mg_dl: float,
    age_years: int,
    sex: Sex,
    *,
    actual_weight_kg: float,
    weight_choice: WeightChoice,
    height_cm: float | None = None,
) -> float:
    """Compute creatinine clearance in mL/min, unrounded.

    The weight is the caller's choice: actual as published; ideal or adjusted in obesity, which need ``height_cm``.
    Raises ValueError for a creatinine or weight that is not positive, an age under 18 or from 140, and where the chosen
    weight is not defined (see :mod:`tools.clinical.body_size`).
    """
    require_positive(creatinine_mg_dl=creatinine_mg_dl)
    if not ADULT_AGE <= age_years < AGE_LIMIT:
        raise ValueError(f"Cockcroft-Gault is for adults under {AGE_LIMIT} years, got age_years {age_years}")
    weight_kg = dosing_weight_kg(weight_choice, actual_weight_kg, height_cm, sex)
    clearance = (AGE_LIMIT - age_years) * weight_kg / (SCALE * creatinine_mg_dl)
    return clearance * by_sex(sex, female=FEMALE_FACTOR, male=1.0)

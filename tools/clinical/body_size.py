"""Ideal and adjusted body weight for dosing, body mass index and body surface area of adults.

Ideal weight: Devine BJ, Drug Intell Clin Pharm 1974;8:650-655, defined from 5 feet upwards. Adjusted weight adds 40 %
of the excess over it, the usual factor for clearance in obesity: Winter MA et al., Pharmacotherapy 2012;32:604-612.
Body surface area: Mosteller RD, N Engl J Med 1987;317:1098.
"""

import math
from enum import StrEnum

from tools.clinical.checks import Sex, by_sex, reaches, require_positive
from tools.clinical.units import cm_to_inches

DEVINE_BASE_KG_FEMALE = 45.5
DEVINE_BASE_KG_MALE = 50.0
DEVINE_KG_PER_INCH = 2.3
DEVINE_BASE_INCHES = 60.0
EXCESS_FRACTION = 0.4
MOSTELLER_DIVISOR = 3600.0


class WeightChoice(StrEnum):
    """Which weight stands for the patient in a dosing equation."""

    ACTUAL = "actual"
    IDEAL = "ideal"
    ADJUSTED = "adjusted"


def ideal_body_weight_kg(height_cm: float, sex: Sex) -> float:
    """Compute Devine's ideal body weight in kg.

    Raises ValueError under 152.4 cm (60 inches), where Devine gave no weight and extrapolations differ.
    """
    require_positive(height_cm=height_cm)
    inches_over_base = cm_to_inches(height_cm) - DEVINE_BASE_INCHES
    if not reaches(inches_over_base, 0.0):
        raise ValueError(f"ideal body weight is defined from 152.4 cm, got height_cm {height_cm}")
    base = by_sex(sex, female=DEVINE_BASE_KG_FEMALE, male=DEVINE_BASE_KG_MALE)
    return base + DEVINE_KG_PER_INCH * max(inches_over_base, 0.0)


def adjusted_body_weight_kg(actual_weight_kg: float, height_cm: float, sex: Sex) -> float:
    """Compute ideal body weight plus 40 % of the excess over it, in kg, for a patient above the ideal.

    Raises ValueError for an actual weight under the ideal, which has no excess to adjust.
    """
    require_positive(actual_weight_kg=actual_weight_kg)
    ideal = ideal_body_weight_kg(height_cm, sex)
    if not reaches(actual_weight_kg, ideal):
        raise ValueError(
            f"adjusted weight is for patients above the ideal {ideal:.1f} kg, got {actual_weight_kg}"
        )
    return ideal + EXCESS_FRACTION * (actual_weight_kg - ideal)


def dosing_weight_kg(
    choice: WeightChoice, actual_weight_kg: float, height_cm: float | None, sex: Sex
) -> float:
    """Compute the chosen weight in kg; the height may be None only for the actual weight (else ValueError)."""
    require_positive(actual_weight_kg=actual_weight_kg)
    if choice is WeightChoice.ACTUAL:
        return actual_weight_kg
    if height_cm is None:
        raise ValueError(f"height_cm is needed for the {choice} weight")
    if choice is WeightChoice.IDEAL:
        return ideal_body_weight_kg(height_cm, sex)
    return adjusted_body_weight_kg(actual_weight_kg, height_cm, sex)


def body_mass_index(weight_kg: float, height_cm: float) -> float:
    """Compute the body mass index in kg/m2."""
    require_positive(weight_kg=weight_kg, height_cm=height_cm)
    return weight_kg / (height_cm / 100) ** 2


def body_surface_area_m2(weight_kg: float, height_cm: float) -> float:
    """Compute Mosteller's body surface area in m2."""
    require_positive(weight_kg=weight_kg, height_cm=height_cm)
    return math.sqrt(height_cm * weight_kg / MOSTELLER_DIVISOR)

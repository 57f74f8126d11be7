"""Estimated glomerular filtration rate, as a function and as SQL for scans of a whole warehouse.

CKD-EPI 2021 creatinine equation without race: Inker LA et al., N Engl J Med 2021;385:1737-1749. For adults with a
creatinine in steady state, standardised to isotope dilution mass spectrometry.
"""

from typing import Literal

UNIT = "mL/min/1.73m2"
ADULT_AGE = 18
"""Years; the equation is not for children."""

SCALE = 142.0
KAPPA = {"F": 0.7, "M": 0.9}
ALPHA = {"F": -0.241, "M": -0.302}
ABOVE_KAPPA = -1.200
AGE_FACTOR = 0.9938
FEMALE_FACTOR = 1.012


def egfr_ckd_epi_2021(creatinine_mg_dl: float, age: int, sex: Literal["F", "M"]) -> float:
    """Compute eGFR in mL/min/1.73 m2, unrounded.

    ``sex`` is MIMIC-IV's ``gender``. Raises ValueError for a creatinine that is not positive or an age under 18.
    """
    if creatinine_mg_dl <= 0:
        raise ValueError(f"creatinine must be positive, got {creatinine_mg_dl}")
    if age < ADULT_AGE:
        raise ValueError(f"CKD-EPI 2021 is for adults, got age {age}")
    ratio = creatinine_mg_dl / KAPPA[sex]
    curve = min(ratio, 1.0) ** ALPHA[sex] * max(ratio, 1.0) ** ABOVE_KAPPA
    return float(SCALE * curve * AGE_FACTOR**age * (FEMALE_FACTOR if sex == "F" else 1.0))


def egfr_ckd_epi_2021_sql(creatinine_mg_dl: str, age: str, sex: str) -> str:
    """Build the same equation over SQL expressions; NULL where it does not apply."""

    def by_sex(constants: dict[str, float]) -> str:
        return f"(CASE {sex} WHEN 'F' THEN {constants['F']!r} WHEN 'M' THEN {constants['M']!r} END)::DOUBLE"

    ratio = f"({creatinine_mg_dl} / {by_sex(KAPPA)})"
    return (
        f"CASE WHEN {creatinine_mg_dl} > 0 AND {age} >= {ADULT_AGE} THEN {SCALE!r}::DOUBLE "
        f"* pow(least({ratio}, 1.0), {by_sex(ALPHA)}) * pow(greatest({ratio}, 1.0), {ABOVE_KAPPA!r}) "
        f"* pow({AGE_FACTOR!r}, {age}) * (CASE {sex} WHEN 'F' THEN {FEMALE_FACTOR!r} ELSE 1.0 END)::DOUBLE END"
    )

"""Conversions between the conventional units of MIMIC-IV (mg/dL, Fahrenheit, pounds) and SI units.

Molar masses are sums of the standard atomic weights of the IUPAC (abridged values, 2021; Pure Appl Chem
2022;94:573-600): C 12.011, H 1.008, N 14.007, O 15.999, Mg 24.305, P 30.974, Ca 40.078. Length, mass and pressure use
the definitions of the international yard and pound (1959) and of the standard atmosphere.
"""

from enum import StrEnum
from types import MappingProxyType

from tools.clinical.checks import require_finite, require_not_negative

CM_PER_INCH = 2.54
KG_PER_POUND = 0.45359237
MM_HG_PER_KPA = 760 / 101.325
DL_PER_LITRE = 10


class Substance(StrEnum):
    """What a laboratory reports by mass in the United States and by amount elsewhere."""

    GLUCOSE = "glucose"
    CREATININE = "creatinine"
    UREA_NITROGEN = "urea_nitrogen"
    CALCIUM = "calcium"
    MAGNESIUM = "magnesium"
    PHOSPHORUS = "phosphorus"
    BILIRUBIN = "bilirubin"
    CHOLESTEROL = "cholesterol"
    URIC_ACID = "uric_acid"
    LACTIC_ACID = "lactic_acid"
    ETHANOL = "ethanol"


MOLAR_MASS_G_PER_MOL = MappingProxyType(
    {
        Substance.GLUCOSE: 180.156,  # C6H12O6
        Substance.CREATININE: 113.120,  # C4H7N3O
        Substance.UREA_NITROGEN: 28.014,  # the two nitrogen atoms of one molecule of urea
        Substance.CALCIUM: 40.078,
        Substance.MAGNESIUM: 24.305,
        Substance.PHOSPHORUS: 30.974,  # phosphate is reported as the mass of its phosphorus
        Substance.BILIRUBIN: 584.673,  # C33H36N4O6
        Substance.CHOLESTEROL: 386.664,  # C27H46O
        Substance.URIC_ACID: 168.112,  # C5H4N4O3
        Substance.LACTIC_ACID: 90.078,  # C3H6O3
        Substance.ETHANOL: 46.069,  # C2H6O
    }
)


def mg_dl_to_mmol_l(value_mg_dl: float, substance: Substance) -> float:
    """Convert mg/dL to mmol/L. Urea nitrogen becomes mmol/L of urea. Raises ValueError for a negative value."""
    require_not_negative(value_mg_dl=value_mg_dl)
    return value_mg_dl * DL_PER_LITRE / MOLAR_MASS_G_PER_MOL[substance]


def mmol_l_to_mg_dl(value_mmol_l: float, substance: Substance) -> float:
    """Convert mmol/L to mg/dL. Urea becomes urea nitrogen. Raises ValueError for a negative value."""
    require_not_negative(value_mmol_l=value_mmol_l)
    return value_mmol_l * MOLAR_MASS_G_PER_MOL[substance] / DL_PER_LITRE


def mg_dl_to_umol_l(value_mg_dl: float, substance: Substance) -> float:
    """Convert mg/dL to umol/L, the SI unit of creatinine and bilirubin. Raises ValueError for a negative value."""
    return mg_dl_to_mmol_l(value_mg_dl, substance) * 1000


def umol_l_to_mg_dl(value_umol_l: float, substance: Substance) -> float:
    """Convert umol/L to mg/dL. Raises ValueError for a negative value."""
    require_not_negative(value_umol_l=value_umol_l)
    return mmol_l_to_mg_dl(value_umol_l / 1000, substance)


def fahrenheit_to_celsius(temperature_f: float) -> float:
    """Convert degrees Fahrenheit to degrees Celsius."""
    require_finite(temperature_f=temperature_f)
    return (temperature_f - 32) * 5 / 9


def celsius_to_fahrenheit(temperature_c: float) -> float:
    """Convert degrees Celsius to degrees Fahrenheit."""
    require_finite(temperature_c=temperature_c)
    return temperature_c * 9 / 5 + 32


def inches_to_cm(length_in: float) -> float:
    """Convert inches to centimetres. Raises ValueError for a negative length."""
    require_not_negative(length_in=length_in)
    return length_in * CM_PER_INCH


def cm_to_inches(length_cm: float) -> float:
    """Convert centimetres to inches. Raises ValueError for a negative length."""
    require_not_negative(length_cm=length_cm)
    return length_cm / CM_PER_INCH


def pounds_to_kg(weight_lb: float) -> float:
    """Convert avoirdupois pounds to kilograms. Raises ValueError for a negative weight."""
    require_not_negative(weight_lb=weight_lb)
    return weight_lb * KG_PER_POUND


def kg_to_pounds(weight_kg: float) -> float:
    """Convert kilograms to avoirdupois pounds. Raises ValueError for a negative weight."""
    require_not_negative(weight_kg=weight_kg)
    return weight_kg / KG_PER_POUND


def kpa_to_mm_hg(pressure_kpa: float) -> float:
    """Convert kilopascals, as blood gases are reported outside the United States, to mm Hg."""
    require_not_negative(pressure_kpa=pressure_kpa)
    return pressure_kpa * MM_HG_PER_KPA


def mm_hg_to_kpa(pressure_mm_hg: float) -> float:
    """Convert mm Hg to kilopascals."""
    require_not_negative(pressure_mm_hg=pressure_mm_hg)
    return pressure_mm_hg / MM_HG_PER_KPA

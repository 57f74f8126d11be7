"""Figures computed from several laboratory results, as SQL for scans of a whole warehouse.

Each is the SQL twin of a calculator of this package, with the calculator's own constants; a test compares the two. In
the SQL, ``{analyte}`` stands for the latest result of an analyte, ``{analyte_upper}`` for its upper reference limit,
``{age}`` in years and ``{sex}`` for the patient's.
"""

from collections.abc import Callable
from dataclasses import dataclass

from state.findings import Figure
from tools.clinical import (
    anion_gap,
    corrected_calcium,
    corrected_phenytoin,
    corrected_sodium,
    egfr,
    osmolality,
    winters,
)


@dataclass(frozen=True)
class FigureRecipe:
    """How a figure comes about. ``analytes`` are vocabulary ids; ``decimals`` as laboratories report it."""

    analytes: tuple[str, ...]
    unit: str
    decimals: int
    label: str
    sql: Callable[[dict[str, str]], str]


def _template(sql: str) -> Callable[[dict[str, str]], str]:
    return lambda names: sql.format(**names)


_OSMOLALITY = (
    f"2 * {{sodium}} + {{glucose}} / {osmolality.GLUCOSE_DIVISOR!r} "
    f"+ {{urea_nitrogen}} / {osmolality.UREA_NITROGEN_DIVISOR!r}"
)
_GAP = "{sodium} - {chloride} - {bicarbonate}"

RECIPES: dict[Figure, FigureRecipe] = {
    Figure.EGFR: FigureRecipe(
        ("creatinine",),
        egfr.UNIT,
        0,
        "eGFR (CKD-EPI 2021)",
        lambda names: egfr.egfr_ckd_epi_2021_sql(names["creatinine"], names["age"], names["sex"]),
    ),
    Figure.ANION_GAP: FigureRecipe(
        ("sodium", "chloride", "bicarbonate"), "mEq/L", 0, "anion gap", _template(_GAP)
    ),
    Figure.CORRECTED_ANION_GAP: FigureRecipe(
        ("sodium", "chloride", "bicarbonate", "albumin"),
        "mEq/L",
        1,
        "albumin-corrected anion gap",
        _template(
            f"{_GAP} + {anion_gap.GAP_PER_ALBUMIN_G_DL!r} * ({anion_gap.NORMAL_ALBUMIN_G_DL!r} - {{albumin}})"
        ),
    ),
    Figure.CORRECTED_CALCIUM: FigureRecipe(
        ("calcium", "albumin"),
        "mg/dL",
        1,
        "albumin-corrected calcium",
        _template(
            f"{{calcium}} + {corrected_calcium.MG_DL_PER_ALBUMIN_G_DL!r} "
            f"* ({corrected_calcium.NORMAL_ALBUMIN_G_DL!r} - {{albumin}})"
        ),
    ),
    Figure.CORRECTED_SODIUM: FigureRecipe(
        ("sodium", "glucose"),
        "mEq/L",
        1,
        "glucose-corrected sodium",
        _template(
            f"{{sodium}} + {float(corrected_sodium.SodiumCorrection.KATZ_1973.value)!r} "
            f"* greatest({{glucose}} - {corrected_sodium.NORMAL_GLUCOSE_MG_DL!r}, 0) / 100"
        ),
    ),
    Figure.CORRECTED_PHENYTOIN: FigureRecipe(
        ("phenytoin_level", "albumin"),
        "mcg/mL",
        1,
        "albumin-corrected phenytoin",
        _template(
            f"{{phenytoin_level}} / ({corrected_phenytoin.ALBUMIN_FACTOR!r} * {{albumin}} "
            f"+ {corrected_phenytoin.FREE_FRACTION!r})"
        ),
    ),
    Figure.R_FACTOR: FigureRecipe(
        ("alt", "alkaline_phosphatase"),
        "",
        1,
        "R factor",
        _template("({alt} / {alt_upper}) / ({alkaline_phosphatase} / {alkaline_phosphatase_upper})"),
    ),
    Figure.FIB4: FigureRecipe(
        ("ast", "alt", "platelets"),
        "",
        2,
        "FIB-4",
        _template("{age} * {ast} / ({platelets} * sqrt({alt}))"),
    ),
    Figure.UREA_CREATININE_RATIO: FigureRecipe(
        ("urea_nitrogen", "creatinine"),
        "",
        1,
        "urea nitrogen to creatinine ratio",
        _template("{urea_nitrogen} / {creatinine}"),
    ),
    Figure.TRANSFERRIN_SATURATION: FigureRecipe(
        ("iron", "tibc"), "%", 0, "transferrin saturation", _template("100 * {iron} / {tibc}")
    ),
    Figure.OSMOLALITY: FigureRecipe(
        ("sodium", "glucose", "urea_nitrogen"),
        "mOsm/kg",
        0,
        "calculated serum osmolality",
        _template(_OSMOLALITY),
    ),
    Figure.OSMOLAL_GAP: FigureRecipe(
        ("osmolality", "sodium", "glucose", "urea_nitrogen"),
        "mOsm/kg",
        0,
        "osmolal gap",
        _template(f"{{osmolality}} - ({_OSMOLALITY})"),
    ),
    Figure.SODIUM_EXCRETION: FigureRecipe(
        ("sodium_urine", "creatinine", "sodium", "creatinine_urine"),
        "%",
        1,
        "fractional excretion of sodium",
        _template("100 * ({sodium_urine} * {creatinine}) / ({sodium} * {creatinine_urine})"),
    ),
    Figure.PCO2_OFF_WINTERS: FigureRecipe(
        ("pco2_blood", "bicarbonate"),
        "mm Hg",
        1,
        "carbon dioxide above that expected for the bicarbonate (Winter's formula)",
        _template(f"{{pco2_blood}} - ({winters.SLOPE!r} * {{bicarbonate}} + {winters.INTERCEPT_MM_HG!r})"),
    ),
}

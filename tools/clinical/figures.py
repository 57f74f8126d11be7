"""Figures computed from several laboratory results, as SQL for scans of a whole warehouse.

Each is the SQL twin of a calculator of this package, with the calculator's own constants; a test compares the two. In
the SQL, ``{analyte}`` stands for the latest result of an analyte, ``{analyte_upper}`` for its upper reference limit,
``{age}`` in years and ``{sex}`` for the patient's.

What is subtracted or divided was drawn at one time: between two draws sodium, glucose and bicarbonate move by more than
a gap means. Albumin too: it is diluted, and leaves the vessels of the very ill, within hours (Fleck A et al. Lancet
1985;1(8432):781-784), and 0.8 g/dL of it are 2 mEq/L of gap.
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
    """How a figure comes about and what it is called.

    ``draws`` are vocabulary ids: those of one draw share its charttime, and draws of different specimens (a gas beside
    serum, urine beside serum) lie within ``apart_hours``. ``decimals`` as laboratories report it; ``names`` English
    first, Chinese last. ``reported``: the analyte as which laboratories report a figure of this name themselves, by
    a formula of their own. ``stated``: whoever concludes from it states it; else it is a step of the reasoning, which
    answers tell in other numbers (what a formula predicts beside what was measured).
    """

    draws: tuple[tuple[str, ...], ...]
    unit: str
    decimals: int
    names: tuple[str, ...]
    sql: Callable[[dict[str, str]], str]
    apart_hours: int = 0
    reported: str | None = None
    stated: bool = True

    @property
    def analytes(self) -> tuple[str, ...]:
        """List its inputs."""
        return tuple(analyte for draw in self.draws for analyte in draw)

    @property
    def label(self) -> str:
        """Give the first of its names."""
        return self.names[0]


def _template(sql: str) -> Callable[[dict[str, str]], str]:
    return lambda names: sql.format(**names)


_OSMOLALITY = (
    f"2 * {{sodium}} + {{glucose}} / {osmolality.GLUCOSE_DIVISOR!r} "
    f"+ {{urea_nitrogen}} / {osmolality.UREA_NITROGEN_DIVISOR!r}"
)
_GAP = "{sodium} - {chloride} - {bicarbonate}"
_HIDDEN = f"{anion_gap.GAP_PER_ALBUMIN_G_DL!r} * ({anion_gap.NORMAL_ALBUMIN_G_DL!r} - {{albumin}})"
GAS_BESIDE_SERUM_HOURS = 1
"""An arterial gas and the serum of the same minutes are two samples with two times."""
URINE_BESIDE_SERUM_HOURS = 6
"""A spot urine tells of the hours in which it was made."""

RECIPES: dict[Figure, FigureRecipe] = {
    Figure.EGFR: FigureRecipe(
        (("creatinine",),),
        egfr.UNIT,
        0,
        ("eGFR", "GFR", "estimated glomerular filtration rate", "估算肾小球滤过率"),
        lambda names: egfr.egfr_ckd_epi_2021_sql(names["creatinine"], names["age"], names["sex"]),
    ),
    Figure.ANION_GAP: FigureRecipe(
        (("sodium", "chloride", "bicarbonate"),),
        "mEq/L",
        0,
        ("anion gap", "AG", "阴离子间隙"),
        _template(_GAP),
        reported="anion_gap",
    ),
    Figure.CORRECTED_ANION_GAP: FigureRecipe(
        (("sodium", "chloride", "bicarbonate", "albumin"),),
        "mEq/L",
        1,
        ("albumin-corrected anion gap", "corrected anion gap", "corrected AG", "校正阴离子间隙"),
        _template(f"{_GAP} + {_HIDDEN}"),
        reported="anion_gap",
    ),
    Figure.REPORTED_GAP_OVER_LIMIT: FigureRecipe(
        (("anion_gap", "albumin"),),
        "mEq/L",
        1,
        ("reported anion gap above its limit once corrected for albumin", "实验室阴离子间隙校正后超出上限"),
        _template(f"{{anion_gap}} + {_HIDDEN} - {{anion_gap_upper}}"),
    ),
    Figure.DELTA_RATIO: FigureRecipe(
        (("sodium", "chloride", "bicarbonate", "albumin"),),
        "",
        1,
        ("delta ratio", "delta-delta", "ΔAG/ΔHCO3"),
        _template(
            f"({_GAP} + {_HIDDEN} - {anion_gap.NORMAL_GAP_MEQ_L!r}) "
            f"/ nullif({anion_gap.NORMAL_BICARBONATE_MEQ_L!r} - {{bicarbonate}}, 0)"
        ),
    ),
    Figure.CORRECTED_CALCIUM: FigureRecipe(
        (("calcium", "albumin"),),
        "mg/dL",
        1,
        ("albumin-corrected calcium", "corrected calcium", "adjusted calcium", "校正钙", "校正血钙"),
        _template(
            f"{{calcium}} + {corrected_calcium.MG_DL_PER_ALBUMIN_G_DL!r} "
            f"* ({corrected_calcium.NORMAL_ALBUMIN_G_DL!r} - {{albumin}})"
        ),
    ),
    Figure.CORRECTED_SODIUM: FigureRecipe(
        (("sodium", "glucose"),),
        "mEq/L",
        1,
        ("glucose-corrected sodium", "corrected sodium", "校正钠", "校正血钠"),
        _template(
            f"{{sodium}} + {float(corrected_sodium.SodiumCorrection.KATZ_1973.value)!r} "
            f"* greatest({{glucose}} - {corrected_sodium.NORMAL_GLUCOSE_MG_DL!r}, 0) / 100"
        ),
    ),
    Figure.CORRECTED_PHENYTOIN: FigureRecipe(
        (("phenytoin_level", "albumin"),),
        "mcg/mL",
        1,
        ("albumin-corrected phenytoin", "corrected phenytoin", "adjusted phenytoin", "校正苯妥英"),
        _template(
            f"{{phenytoin_level}} / ({corrected_phenytoin.ALBUMIN_FACTOR!r} * {{albumin}} "
            f"+ {corrected_phenytoin.FREE_FRACTION!r})"
        ),
    ),
    Figure.R_FACTOR: FigureRecipe(
        (("alt", "alkaline_phosphatase"),),
        "",
        1,
        ("R factor", "R value", "R ratio", "R值"),
        _template("({alt} / {alt_upper}) / ({alkaline_phosphatase} / {alkaline_phosphatase_upper})"),
    ),
    Figure.FIB4: FigureRecipe(
        (("ast", "alt", "platelets"),),
        "",
        2,
        ("FIB-4", "FIB4", "FIB-4 index", "FIB-4指数"),
        _template("{age} * {ast} / ({platelets} * sqrt({alt}))"),
    ),
    Figure.UREA_CREATININE_RATIO: FigureRecipe(
        (("urea_nitrogen", "creatinine"),),
        "",
        1,
        (
            "urea nitrogen to creatinine ratio",
            "BUN/creatinine ratio",
            "BUN to creatinine ratio",
            "BUN:creatinine ratio",
            "BUN/Cr ratio",
            "BUN/Cr",
            "尿素氮肌酐比",
            "尿素氮/肌酐比值",
        ),
        _template("{urea_nitrogen} / {creatinine}"),
    ),
    Figure.TRANSFERRIN_SATURATION: FigureRecipe(
        (("iron", "tibc"),),
        "%",
        0,
        ("transferrin saturation", "TSAT", "iron saturation", "转铁蛋白饱和度"),
        _template("100 * {iron} / {tibc}"),
    ),
    Figure.OSMOLALITY: FigureRecipe(
        (("sodium", "glucose", "urea_nitrogen"),),
        "mOsm/kg",
        0,
        ("calculated serum osmolality", "calculated osmolality", "serum osmolality", "计算渗透压"),
        _template(_OSMOLALITY),
    ),
    Figure.OSMOLAL_GAP: FigureRecipe(
        (("osmolality", "sodium", "glucose", "urea_nitrogen"),),
        "mOsm/kg",
        0,
        ("osmolal gap", "osmolar gap", "osmolality gap", "渗透压间隙", "渗透间隙"),
        _template(f"{{osmolality}} - ({_OSMOLALITY})"),
    ),
    Figure.SODIUM_EXCRETION: FigureRecipe(
        (("sodium_urine", "creatinine_urine"), ("sodium", "creatinine")),
        "%",
        1,
        ("fractional excretion of sodium", "FENa", "FeNa", "钠排泄分数"),
        _template("100 * ({sodium_urine} * {creatinine}) / ({sodium} * {creatinine_urine})"),
        apart_hours=URINE_BESIDE_SERUM_HOURS,
    ),
    Figure.PCO2_OFF_WINTERS: FigureRecipe(
        (("pco2_blood",), ("bicarbonate",)),
        "mm Hg",
        1,
        ("pCO2 gap to Winter's formula", "pCO2 gap", "实测与Winter公式预计pCO2之差"),
        _template(f"{{pco2_blood}} - ({winters.SLOPE!r} * {{bicarbonate}} + {winters.INTERCEPT_MM_HG!r})"),
        apart_hours=GAS_BESIDE_SERUM_HOURS,
        stated=False,
    ),
}

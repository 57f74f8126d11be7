"""The SQL of each figure gives what its calculator gives."""

import random
from collections.abc import Callable

import duckdb
import pytest

from state.findings import Figure
from tools.clinical.anion_gap import (
    NORMAL_BICARBONATE_MEQ_L,
    NORMAL_GAP_MEQ_L,
    anion_gap_meq_l,
    corrected_anion_gap_meq_l,
)
from tools.clinical.corrected_calcium import corrected_calcium_mg_dl
from tools.clinical.corrected_phenytoin import corrected_phenytoin_mcg_ml
from tools.clinical.corrected_sodium import SodiumCorrection, corrected_sodium_meq_l
from tools.clinical.egfr import egfr_ckd_epi_2021
from tools.clinical.fib4 import fib4_index
from tools.clinical.figures import RECIPES
from tools.clinical.osmolality import osmolal_gap_mosm_kg, serum_osmolality_mosm_kg
from tools.clinical.r_factor import r_factor
from tools.clinical.winters import expected_paco2
from tools.vocabulary import Vocabulary

Values = dict[str, float]


def _gap(v: Values) -> float:
    return anion_gap_meq_l(v["sodium"], v["chloride"], v["bicarbonate"])


def _osmolality(v: Values) -> float:
    return serum_osmolality_mosm_kg(v["sodium"], v["glucose"], v["urea_nitrogen"])


CALCULATORS: dict[Figure, Callable[[Values], float]] = {
    Figure.EGFR: lambda v: egfr_ckd_epi_2021(v["creatinine"], 60, "F"),
    Figure.ANION_GAP: _gap,
    Figure.CORRECTED_ANION_GAP: lambda v: corrected_anion_gap_meq_l(_gap(v), v["albumin"]),
    Figure.CORRECTED_CALCIUM: lambda v: corrected_calcium_mg_dl(v["calcium"], v["albumin"]),
    Figure.CORRECTED_SODIUM: lambda v: corrected_sodium_meq_l(
        v["sodium"], v["glucose"], SodiumCorrection.KATZ_1973
    ),
    Figure.CORRECTED_PHENYTOIN: lambda v: corrected_phenytoin_mcg_ml(
        v["phenytoin_level"], v["albumin"], renal_failure=False
    ),
    Figure.R_FACTOR: lambda v: r_factor(
        alt_u_l=v["alt"],
        alt_upper_limit_u_l=v["alt_upper"],
        alkaline_phosphatase_u_l=v["alkaline_phosphatase"],
        alkaline_phosphatase_upper_limit_u_l=v["alkaline_phosphatase_upper"],
    ),
    Figure.FIB4: lambda v: fib4_index(
        age_years=60, ast_u_l=v["ast"], alt_u_l=v["alt"], platelets_k_ul=v["platelets"]
    ),
    Figure.UREA_CREATININE_RATIO: lambda v: v["urea_nitrogen"] / v["creatinine"],
    Figure.TRANSFERRIN_SATURATION: lambda v: 100 * v["iron"] / v["tibc"],
    Figure.REPORTED_GAP_OVER_LIMIT: lambda v: (
        corrected_anion_gap_meq_l(v["anion_gap"], v["albumin"]) - v["anion_gap_upper"]
    ),
    Figure.DELTA_RATIO: lambda v: (
        (corrected_anion_gap_meq_l(_gap(v), v["albumin"]) - NORMAL_GAP_MEQ_L)
        / (NORMAL_BICARBONATE_MEQ_L - v["bicarbonate"])
    ),
    Figure.OSMOLALITY: _osmolality,
    Figure.OSMOLAL_GAP: lambda v: osmolal_gap_mosm_kg(v["osmolality"], _osmolality(v)),
    Figure.SODIUM_EXCRETION: lambda v: (
        100 * (v["sodium_urine"] / v["sodium"]) / (v["creatinine_urine"] / v["creatinine"])
    ),
    Figure.PCO2_OFF_WINTERS: lambda v: v["pco2_blood"] - expected_paco2(v["bicarbonate"]).expected_mm_hg,
}


@pytest.mark.parametrize("figure", Figure)
def test_sql_and_calculator_agree(figure: Figure):
    rng = random.Random(figure.value)  # noqa: S311
    recipe = RECIPES[figure]
    for _ in range(20):
        values = {name: round(rng.uniform(1, 200), 2) for name in recipe.analytes}
        values |= {f"{name}_upper": round(rng.uniform(20, 100), 1) for name in recipe.analytes}
        names = {name: f"{value}::DOUBLE" for name, value in values.items()} | {"age": "60", "sex": "'F'"}
        (computed,) = duckdb.execute(f"SELECT {recipe.sql(names)}").fetchone() or (None,)
        assert computed == pytest.approx(CALCULATORS[figure](values), rel=1e-9)


def test_recipes_name_analytes_of_the_vocabulary():
    vocabulary = Vocabulary.load()
    unknown = {
        a for recipe in RECIPES.values() for a in recipe.analytes if vocabulary.analyte_by_id(a) is None
    }
    assert unknown == set()

"""Units of results against the factors of the AMA Manual of Style's SI conversion table."""

import pytest

from tools.clinical.units import MOLAR_MASS_G_PER_MOL, Substance
from tools.grading.phrases import load_words
from tools.grading.units import convert, find_unit
from tools.vocabulary import Vocabulary


@pytest.mark.parametrize(
    ("analyte", "unit", "si", "factor"),
    [
        ("creatinine", "mg/dL", "µmol/L", 88.4),
        ("glucose", "mg/dL", "mmol/L", 0.0555),
        ("calcium", "mg/dL", "mmol/L", 0.25),
        ("magnesium", "mg/dL", "mmol/L", 0.4114),
        ("magnesium", "mEq/L", "mmol/L", 0.5),
        ("phosphate", "mg/dL", "mmol/L", 0.3229),
        ("urea_nitrogen", "mg/dL", "mmol/L", 0.357),
        ("bilirubin_total", "mg/dL", "umol/L", 17.104),
        ("uric_acid", "mg/dL", "umol/L", 59.485),
        ("lactate", "mg/dL", "mmol/L", 0.111),
        ("digoxin_level", "ng/mL", "nmol/L", 1.281),
        ("phenytoin_level", "ug/mL", "umol/L", 3.968),
        ("phenytoin_free_level", "ug/mL", "umol/L", 3.968),
        ("creatinine_urine", "mg/dL", "µmol/L", 88.4),
        ("glucose_urine", "mg/dL", "mmol/L", 0.0555),
        ("urea_nitrogen_urine", "mg/dL", "mmol/L", 0.357),
        ("uric_acid_urine", "mg/dL", "umol/L", 59.485),
        ("calcium_urine", "mg/dL", "mmol/L", 0.25),
        ("magnesium_urine", "mg/dL", "mmol/L", 0.4114),
        ("phosphate_urine", "mg/dL", "mmol/L", 0.3229),
        ("chloride_urine", "mEq/L", "mmol/L", 1.0),
        ("total_co2_whole_blood", "mEq/L", "mmol/L", 1.0),
        ("bilirubin_indirect", "mg/dL", "umol/L", 17.104),
        ("cholesterol_total", "mg/dL", "mmol/L", 0.0259),
        ("hdl", "mg/dL", "mmol/L", 0.0259),
        ("ldl_calculated", "mg/dL", "mmol/L", 0.0259),
        ("triglycerides", "mg/dL", "mmol/L", 0.0113),
        ("iron", "ug/dL", "umol/L", 0.179),
        ("tibc", "ug/dL", "umol/L", 0.179),
        ("ammonia", "ug/dL", "umol/L", 0.587),
        ("cortisol", "ug/dL", "nmol/L", 27.588),
        ("t4_free", "ng/dL", "pmol/L", 12.871),
        ("vitamin_b12_level", "pg/mL", "pmol/L", 0.738),
        ("folate_level", "ng/mL", "nmol/L", 2.266),
        ("valproate_level", "ug/mL", "umol/L", 6.934),
        ("carbamazepine_level", "ug/mL", "umol/L", 4.233),
        ("theophylline_level", "ug/mL", "umol/L", 5.55),
        ("acetaminophen_level", "ug/mL", "umol/L", 6.62),
        ("cyclosporine_level", "ng/mL", "nmol/L", 0.832),
        ("tacrolimus_level", "ng/mL", "nmol/L", 1.24),
        ("vancomycin_level", "ug/mL", "umol/L", 0.69),
        ("potassium", "mEq/L", "mmol/L", 1.0),
        ("platelets", "K/uL", "/uL", 1000.0),
        ("hemoglobin", "g/dL", "g/L", 10.0),
    ],
)
def test_agrees_with_published_factors(analyte: str, unit: str, si: str, factor: float) -> None:
    given, wanted = find_unit(unit), find_unit(si)
    assert given is not None
    assert wanted is not None
    assert convert(1.0, given, wanted, analyte) == pytest.approx(factor, rel=0.005)
    assert convert(factor, wanted, given, analyte) == pytest.approx(1.0, rel=0.005)


def test_what_measures_something_else_does_not_convert() -> None:
    mg_dl, meq_l, percent = find_unit("mg/dL"), find_unit("mEq/L"), find_unit("%")
    assert mg_dl is not None
    assert meq_l is not None
    assert percent is not None
    assert convert(1.0, mg_dl, percent, "hemoglobin") is None
    assert convert(1.0, mg_dl, meq_l, "creatinine") is None
    assert convert(1.0, mg_dl, meq_l, None) is None


def test_every_analyte_with_a_molar_mass_is_in_the_vocabulary() -> None:
    vocabulary = Vocabulary.load()
    assert [
        name for name in load_words("lab_units")["analytes"] if vocabulary.analyte_by_id(name) is None
    ] == []


def test_every_unit_of_a_vocabulary_analyte_with_a_molar_mass_is_known() -> None:
    known = set(load_words("lab_units")["analytes"])
    units = {analyte.unit for analyte in Vocabulary.load().analytes if analyte.id in known}
    assert [unit for unit in units if find_unit(unit) is None] == []


def test_a_molar_mass_is_that_of_the_calculators() -> None:
    of_analytes = load_words("lab_units")["analytes"]
    for substance, analyte in (
        (Substance.GLUCOSE, "glucose"),
        (Substance.CREATININE, "creatinine"),
        (Substance.UREA_NITROGEN, "urea_nitrogen"),
        (Substance.CALCIUM, "calcium"),
        (Substance.MAGNESIUM, "magnesium"),
        (Substance.PHOSPHORUS, "phosphate"),
        (Substance.BILIRUBIN, "bilirubin_total"),
        (Substance.CHOLESTEROL, "cholesterol_total"),
        (Substance.URIC_ACID, "uric_acid"),
        (Substance.LACTIC_ACID, "lactate"),
    ):
        assert of_analytes[analyte]["molar_mass"] == pytest.approx(MOLAR_MASS_G_PER_MOL[substance], rel=1e-4)

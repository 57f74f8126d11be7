"""Conversions against the factors printed in reference tables, and there and back."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tools.clinical.units import (
    Substance,
    celsius_to_fahrenheit,
    cm_to_inches,
    fahrenheit_to_celsius,
    inches_to_cm,
    kg_to_pounds,
    kpa_to_mm_hg,
    mg_dl_to_mmol_l,
    mg_dl_to_umol_l,
    mm_hg_to_kpa,
    mmol_l_to_mg_dl,
    pounds_to_kg,
    umol_l_to_mg_dl,
)

PRINTED_MMOL_L_PER_MG_DL = {  # AMA Manual of Style conversion factors, as printed
    Substance.GLUCOSE: 0.0555,
    Substance.UREA_NITROGEN: 0.357,
    Substance.CALCIUM: 0.25,
    Substance.MAGNESIUM: 0.411,
    Substance.PHOSPHORUS: 0.323,
    Substance.CHOLESTEROL: 0.0259,
    Substance.LACTIC_ACID: 0.111,
    Substance.ETHANOL: 0.2171,
}
PRINTED_UMOL_L_PER_MG_DL = {
    Substance.CREATININE: 88.4,
    Substance.BILIRUBIN: 17.104,
    Substance.URIC_ACID: 59.485,
}


def test_every_substance_has_a_printed_factor_here():
    assert {*PRINTED_MMOL_L_PER_MG_DL, *PRINTED_UMOL_L_PER_MG_DL} == set(Substance)


@pytest.mark.parametrize(("substance", "factor"), PRINTED_MMOL_L_PER_MG_DL.items())
def test_mmol_factors(substance, factor):
    assert mg_dl_to_mmol_l(1.0, substance) == pytest.approx(factor, rel=3e-3)


@pytest.mark.parametrize(("substance", "factor"), PRINTED_UMOL_L_PER_MG_DL.items())
def test_umol_factors(substance, factor):
    assert mg_dl_to_umol_l(1.0, substance) == pytest.approx(factor, rel=1e-4)


def test_values_a_clinician_knows():
    assert round(mg_dl_to_mmol_l(180, Substance.GLUCOSE), 1) == 10.0
    assert round(mmol_l_to_mg_dl(5.5, Substance.GLUCOSE)) == 99
    assert round(mg_dl_to_umol_l(1.0, Substance.CREATININE)) == 88
    assert round(umol_l_to_mg_dl(200, Substance.CREATININE), 2) == 2.26
    assert umol_l_to_mg_dl(88.4, Substance.CREATININE) == pytest.approx(1.0, rel=1e-4)
    assert round(mmol_l_to_mg_dl(7.0, Substance.UREA_NITROGEN), 1) == 19.6
    assert round(mg_dl_to_umol_l(2.0, Substance.BILIRUBIN)) == 34
    assert fahrenheit_to_celsius(98.6) == pytest.approx(37.0)
    assert fahrenheit_to_celsius(-40) == -40
    assert celsius_to_fahrenheit(38.0) == pytest.approx(100.4)
    assert inches_to_cm(60) == 152.4
    assert pounds_to_kg(154.324) == pytest.approx(70.0, abs=0.001)
    assert kpa_to_mm_hg(8.0) == pytest.approx(60.0, abs=0.01)


@settings(derandomize=True, max_examples=50, deadline=None)
@given(st.floats(0, 5000), st.sampled_from(list(Substance)))
def test_there_and_back(value, substance):
    assert mmol_l_to_mg_dl(mg_dl_to_mmol_l(value, substance), substance) == pytest.approx(value)
    assert umol_l_to_mg_dl(mg_dl_to_umol_l(value, substance), substance) == pytest.approx(value)
    assert cm_to_inches(inches_to_cm(value)) == pytest.approx(value)
    assert kg_to_pounds(pounds_to_kg(value)) == pytest.approx(value)
    assert mm_hg_to_kpa(kpa_to_mm_hg(value)) == pytest.approx(value)
    assert celsius_to_fahrenheit(fahrenheit_to_celsius(value)) == pytest.approx(value)

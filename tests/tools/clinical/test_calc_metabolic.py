"""Acid-base, osmolality and the corrections for albumin and glucose, on worked examples."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tools.clinical.anion_gap import (
    DeltaRatioReading,
    anion_gap_meq_l,
    corrected_anion_gap_meq_l,
    delta_ratio,
    read_delta_ratio,
)
from tools.clinical.corrected_calcium import corrected_calcium_mg_dl
from tools.clinical.corrected_phenytoin import THERAPEUTIC_MCG_ML, corrected_phenytoin_mcg_ml
from tools.clinical.corrected_sodium import SodiumCorrection, corrected_sodium_meq_l
from tools.clinical.osmolality import (
    EthanolTerm,
    effective_osmolality_mosm_kg,
    osmolal_gap_mosm_kg,
    serum_osmolality_mosm_kg,
)
from tools.clinical.winters import Compensation, compensation, expected_paco2

SETTINGS = settings(derandomize=True, max_examples=50, deadline=None)


def test_anion_gap():
    assert anion_gap_meq_l(140, 104, 24) == 12
    assert anion_gap_meq_l(135, 95, 10) == 30
    assert anion_gap_meq_l(130, 110, 22) == -2


def test_anion_gap_corrected_for_albumin():
    assert corrected_anion_gap_meq_l(14, 2.0) == 19  # 14 + 2.5 x 2
    assert corrected_anion_gap_meq_l(14, 4.0) == 14
    assert corrected_anion_gap_meq_l(14, 5.0) == 11.5
    assert corrected_anion_gap_meq_l(14, 2.0, normal_albumin_g_dl=4.4) == pytest.approx(20)


def test_delta_ratio():
    assert delta_ratio(28, 8) == 1.0  # 16 / 16
    assert delta_ratio(30, 15) == 2.0
    assert delta_ratio(20, 10) == pytest.approx(8 / 14)
    assert delta_ratio(20, 10, normal_gap_meq_l=10, normal_bicarbonate_meq_l=25) == pytest.approx(10 / 15)


def test_delta_ratio_needs_a_high_gap_acidosis():
    assert delta_ratio(12.5, 23.5) == 1.0
    with pytest.raises(ValueError, match=r"a gap above 12\.0 mEq/L, got 12"):
        delta_ratio(12, 10)
    with pytest.raises(ValueError, match=r"a bicarbonate below 24\.0 mEq/L, got 24"):
        delta_ratio(20, 24)


@pytest.mark.parametrize(
    ("ratio", "reading"),
    [
        (0.99, DeltaRatioReading.WITH_NORMAL_GAP_ACIDOSIS),
        (1.0, DeltaRatioReading.PURE_HIGH_GAP_ACIDOSIS),
        (2.0, DeltaRatioReading.PURE_HIGH_GAP_ACIDOSIS),
        (2.01, DeltaRatioReading.WITH_METABOLIC_ALKALOSIS),
    ],
)
def test_reading_of_the_delta_ratio(ratio, reading):
    assert read_delta_ratio(ratio) is reading


def test_winters_formula():
    expected = expected_paco2(12)
    assert (expected.expected_mm_hg, expected.low_mm_hg, expected.high_mm_hg) == (26, 24, 28)


@pytest.mark.parametrize(
    ("paco2", "reading"),
    [
        (23.9, Compensation.RESPIRATORY_ALKALOSIS_TOO),
        (24, Compensation.ADEQUATE),
        (28, Compensation.ADEQUATE),
        (28.1, Compensation.RESPIRATORY_ACIDOSIS_TOO),
    ],
)
def test_compensation_at_the_limits(paco2, reading):
    assert compensation(12, paco2) is reading


def test_corrected_calcium():
    assert corrected_calcium_mg_dl(8.0, 2.0) == pytest.approx(9.6)
    assert corrected_calcium_mg_dl(8.0, 4.0) == 8.0
    assert corrected_calcium_mg_dl(10.0, 5.0) == pytest.approx(9.2)


def test_corrected_phenytoin():
    assert corrected_phenytoin_mcg_ml(5.0, 2.0, renal_failure=False) == pytest.approx(10.0)  # 5 / 0.5
    assert corrected_phenytoin_mcg_ml(5.0, 2.0, renal_failure=True) == pytest.approx(5 / 0.3)
    assert corrected_phenytoin_mcg_ml(8.0, 4.5, renal_failure=False) == pytest.approx(8.0)
    assert corrected_phenytoin_mcg_ml(0.0, 3.0, renal_failure=False) == 0
    assert THERAPEUTIC_MCG_ML == (10.0, 20.0)


def test_corrected_sodium_by_either_factor():
    assert corrected_sodium_meq_l(130, 600, SodiumCorrection.KATZ_1973) == pytest.approx(138)  # 130 + 1.6 x 5
    assert corrected_sodium_meq_l(130, 600, SodiumCorrection.HILLIER_1999) == pytest.approx(142)
    assert corrected_sodium_meq_l(130, 101, SodiumCorrection.KATZ_1973) == pytest.approx(130.016)


@pytest.mark.parametrize("glucose", [40, 100])
def test_normal_glucose_corrects_nothing(glucose):
    assert corrected_sodium_meq_l(130, glucose, SodiumCorrection.HILLIER_1999) == 130


def test_osmolality_and_its_gap():
    calculated = serum_osmolality_mosm_kg(140, 90, 14)
    assert calculated == pytest.approx(290)  # 280 + 5 + 5
    assert osmolal_gap_mosm_kg(320, calculated) == pytest.approx(30)
    assert osmolal_gap_mosm_kg(280, calculated) == pytest.approx(-10)
    assert effective_osmolality_mosm_kg(140, 900) == pytest.approx(330)


def test_ethanol_counts_by_the_chosen_term():
    by_mass = serum_osmolality_mosm_kg(140, 90, 14, ethanol_mg_dl=92)
    fitted = serum_osmolality_mosm_kg(140, 90, 14, ethanol_mg_dl=92, ethanol_term=EthanolTerm.PURSSELL_2001)
    assert by_mass == pytest.approx(310)  # 92 / 4.6
    assert fitted == pytest.approx(290 + 92 / 3.7)


@SETTINGS
@given(st.floats(1, 6), st.floats(0.1, 3), st.floats(0.1, 40))
def test_a_lower_albumin_raises_every_corrected_value(albumin, less, level):
    low = max(albumin - less, 0.5)
    if low >= albumin:
        return
    assert corrected_anion_gap_meq_l(level, low) > corrected_anion_gap_meq_l(level, albumin)
    assert corrected_calcium_mg_dl(level, low) > corrected_calcium_mg_dl(level, albumin)
    for failing in (False, True):
        assert corrected_phenytoin_mcg_ml(level, low, renal_failure=failing) > corrected_phenytoin_mcg_ml(
            level, albumin, renal_failure=failing
        )


@SETTINGS
@given(st.floats(100, 160), st.floats(101, 1500))
def test_hillier_corrects_more_than_katz(sodium, glucose):
    katz = corrected_sodium_meq_l(sodium, glucose, SodiumCorrection.KATZ_1973)
    assert sodium < katz < corrected_sodium_meq_l(sodium, glucose, SodiumCorrection.HILLIER_1999)

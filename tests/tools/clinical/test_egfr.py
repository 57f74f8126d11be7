"""CKD-EPI 2021 against published examples, and as SQL against the function."""

import duckdb
import pytest

from tools.clinical.egfr import egfr_ckd_epi_2021, egfr_ckd_epi_2021_sql

WORKED = [
    (1.2, 55, "M", 71),  # National Kidney Foundation calculator
    (0.7, 50, "F", 105),  # at kappa both powers are 1: 142 x 0.9938^50 x 1.012
    (0.9, 50, "M", 104),
    (2.0, 70, "M", 35),
    (2.0, 70, "F", 26),
    (0.5, 30, "F", 129),
    (4.0, 80, "F", 11),
]
"""Creatinine mg/dL, age, sex, eGFR as reported; worked with a pocket calculator from the published equation."""


@pytest.mark.parametrize(("creatinine", "age", "sex", "expected"), WORKED)
def test_worked_examples(creatinine, age, sex, expected):
    assert round(egfr_ckd_epi_2021(creatinine, age, sex)) == expected


def test_sql_agrees_with_the_function_over_a_grid():
    grid = [(c / 20, age, sex) for c in range(2, 300, 3) for age in range(18, 101, 7) for sex in ("F", "M")]
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE grid (creatinine DOUBLE, age INTEGER, sex VARCHAR)")
        connection.executemany("INSERT INTO grid VALUES (?, ?, ?)", grid)
        rows = connection.execute(
            f"SELECT creatinine, age, sex, {egfr_ckd_epi_2021_sql('creatinine', 'age', 'sex')} FROM grid"
        ).fetchall()
    assert len(rows) == len(grid)
    for creatinine, age, sex, computed in rows:
        assert computed == pytest.approx(egfr_ckd_epi_2021(creatinine, age, sex), rel=1e-12)


def test_figures_fall_with_creatinine_and_age():
    assert egfr_ckd_epi_2021(1.0, 60, "M") > egfr_ckd_epi_2021(1.1, 60, "M")
    assert egfr_ckd_epi_2021(1.0, 60, "M") > egfr_ckd_epi_2021(1.0, 61, "M")


@pytest.mark.parametrize(("creatinine", "age"), [(0.0, 60), (-1.0, 60), (1.0, 17)])
def test_out_of_range_is_refused_and_null_in_sql(creatinine, age):
    with pytest.raises(ValueError, match=r"positive|adults"):
        egfr_ckd_epi_2021(creatinine, age, "M")
    sql = egfr_ckd_epi_2021_sql(f"({creatinine}::DOUBLE)", str(age), "'M'")
    with duckdb.connect() as connection:
        assert connection.execute(f"SELECT {sql}").fetchall() == [(None,)]

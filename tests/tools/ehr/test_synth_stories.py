"""Every story is told in the default cohort, found from the rows alone, with its near misses."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import duckdb
import pytest

from tools.ehr.synth.catalog import Catalog
from tools.ehr.warehouse import Warehouse

EGFR = """142 * pow(least(valuenum / kappa, 1), alpha) * pow(greatest(valuenum / kappa, 1), -1.2)
    * pow(0.9938, age) * CASE gender WHEN 'F' THEN 1.012 ELSE 1 END"""
"""CKD-EPI 2021 (Inker et al., N Engl J Med 2021;385:1737)."""

RESULTS = f"""
CREATE TEMP VIEW results AS
WITH aged AS (
    SELECT l.*, p.gender, p.anchor_age + year(l.charttime) - p.anchor_year AS age, a.dischtime,
        CASE p.gender WHEN 'F' THEN 0.7 ELSE 0.9 END AS kappa,
        CASE p.gender WHEN 'F' THEN -0.241 ELSE -0.302 END AS alpha
    FROM hosp.labevents l JOIN hosp.patients p USING (subject_id) JOIN hosp.admissions a USING (hadm_id)
)
SELECT *, CASE WHEN itemid = 50912 THEN {EGFR} END AS egfr, valuenum / ref_range_upper AS times_uln,
    1 - valuenum / max(valuenum) OVER (PARTITION BY hadm_id, itemid ORDER BY charttime) AS fall
FROM aged"""


@dataclass(frozen=True)
class Told:
    """A story as SQL over results: what is bad, what is just safe, and the drug."""

    itemid: int
    bad: str
    safe: str
    drug: str


STORIES = {
    "potassium and potassium chloride": Told(
        50971, "valuenum >= 5.5", "valuenum BETWEEN 5 AND 5.4", "Potassium Chloride"
    ),
    "potassium and ACE inhibitor": Told(
        50971, "valuenum > 5.5", "valuenum BETWEEN 5 AND 5.4", "Lisinopril|Captopril"
    ),
    "potassium and ARB": Told(50971, "valuenum > 5.5", "valuenum BETWEEN 5 AND 5.4", "Losartan.*|Valsartan"),
    "potassium and spironolactone": Told(
        50971, "valuenum > 5.5 AND valuenum <= 6", "valuenum BETWEEN 5 AND 5.4", "Spironolactone"
    ),
    "potassium above 6 and MRA": Told(
        50971, "valuenum > 6", "valuenum BETWEEN 5 AND 5.4", "Spironolactone|Eplerenone"
    ),
    "potassium and digoxin": Told(50971, "valuenum < 3.5", "valuenum BETWEEN 3.5 AND 3.7", "Digoxin"),
    "potassium and loop diuretic": Told(
        50971, "valuenum < 3", "valuenum BETWEEN 3.1 AND 3.3", "Furosemide|Torsemide"
    ),
    "digoxin level": Told(50917, "valuenum > 2", "valuenum BETWEEN 1.5 AND 2", "Digoxin"),
    "metformin and eGFR below 30": Told(50912, "egfr < 30", "egfr BETWEEN 30 AND 41", "MetFORMIN"),
    "metformin and eGFR 30 to 44": Told(
        50912, "egfr >= 30 AND egfr < 45", "egfr BETWEEN 45 AND 56", "MetFORMIN"
    ),
    "MRA and eGFR": Told(50912, "egfr < 20", "egfr BETWEEN 30 AND 41", "Spironolactone|Eplerenone"),
    "NSAID and eGFR": Told(50912, "egfr < 30", "egfr BETWEEN 30 AND 44", "Ketorolac|Ibuprofen|Naproxen"),
    "INR and warfarin": Told(51237, "valuenum > 4.5", "valuenum BETWEEN 3.5 AND 4.5", "Warfarin"),
    "platelets and heparin": Told(
        51265, "fall > 0.5", "fall BETWEEN 0.33 AND 0.45", "Heparin|Heparin Sodium"
    ),
    "glucose and insulin": Told(50931, "valuenum < 70", "valuenum BETWEEN 70 AND 84", "Insulin"),
    "glucose and sulfonylurea": Told(
        50931, "valuenum < 70", "valuenum BETWEEN 70 AND 84", "GlipiZIDE|GlyBURIDE"
    ),
    "sodium and thiazide": Told(
        50983, "valuenum < 125", "valuenum BETWEEN 130 AND 133", "Hydrochlorothiazide|Chlorthalidone"
    ),
    "vancomycin level": Told(51009, "valuenum > 20", "valuenum BETWEEN 16 AND 20", "Vancomycin"),
    "lithium level": Told(50957, "valuenum > 1.5", "valuenum BETWEEN 1.2 AND 1.5", "Lithium.*"),
    "phenytoin level": Told(50967, "valuenum > 20", "valuenum BETWEEN 16 AND 20", "Phenytoin.*"),
    "creatine kinase and statin": Told(50910, "times_uln > 10", "times_uln BETWEEN 5 AND 9", ".*statin.*"),
    "tacrolimus level": Told(50986, "valuenum > 20", "valuenum BETWEEN 13 AND 20", "Tacrolimus"),
    "lactate and metformin": Told(50813, "valuenum > 5", "valuenum BETWEEN 3.3 AND 5", "MetFORMIN"),
    "calcium and calcitriol": Told(50893, "times_uln > 1", "times_uln BETWEEN 0.96 AND 1", "Calcitriol"),
    "phosphate and potassium phosphate": Told(
        50970, "times_uln > 1", "times_uln BETWEEN 0.85 AND 1", "Potassium Phosphate"
    ),
}

ACTIVE = """SELECT DISTINCT r.hadm_id FROM results r JOIN hosp.prescriptions o USING (hadm_id)
    JOIN hosp.pharmacy p USING (pharmacy_id)
    WHERE r.itemid = ? AND o.drug_type = 'MAIN' AND regexp_full_match(o.drug, '({drug})( \\(.*\\))?')
    AND greatest(o.starttime, p.verifiedtime) <= r.storetime AND o.stoptime >= r.storetime + INTERVAL {hours} HOUR
    AND r.dischtime >= r.storetime + INTERVAL {hours} HOUR AND {condition}"""

STOPPED = """SELECT DISTINCT r.hadm_id FROM results r JOIN hosp.prescriptions o USING (hadm_id)
    WHERE r.itemid = ? AND regexp_full_match(o.drug, '({drug})( \\(.*\\))?')
    AND o.stoptime BETWEEN r.charttime - INTERVAL 48 HOUR AND r.charttime AND {condition}"""


@pytest.fixture(scope="module")
def cursor(synthetic_warehouse: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    with Warehouse.open(synthetic_warehouse) as warehouse:
        cursor = warehouse.cursor()
        cursor.execute(RESULTS)
        yield cursor


def stays(cursor: duckdb.DuckDBPyConnection, sql: str, itemid: int) -> set[int]:
    return {row[0] for row in cursor.execute(sql, [itemid]).fetchall()}


@pytest.mark.parametrize("name", STORIES)
def test_drug_and_bad_result_meet_in_two_stays_at_least(cursor: duckdb.DuckDBPyConnection, name: str) -> None:
    told = STORIES[name]
    sql = ACTIVE.format(drug=told.drug, condition=told.bad, hours=8)
    assert len(stays(cursor, sql, told.itemid)) >= 2


@pytest.mark.parametrize("name", STORIES)
def test_in_another_stay_the_result_is_just_safe(cursor: duckdb.DuckDBPyConnection, name: str) -> None:
    told = STORIES[name]
    safe = stays(cursor, ACTIVE.format(drug=told.drug, condition=told.safe, hours=0), told.itemid)
    bad = stays(cursor, ACTIVE.format(drug=told.drug, condition=told.bad, hours=0), told.itemid)
    assert safe - bad


def test_in_some_stays_the_drug_was_stopped_before_the_bad_result(cursor: duckdb.DuckDBPyConnection) -> None:
    missed = 0
    for told in STORIES.values():
        stopped = stays(cursor, STOPPED.format(drug=told.drug, condition=told.bad), told.itemid)
        bad = stays(cursor, ACTIVE.format(drug=told.drug, condition=told.bad, hours=0), told.itemid)
        missed += len(stopped - bad)
    assert missed >= 8


def test_heparin_was_given_for_five_to_ten_days_before_the_platelets_fell(
    cursor: duckdb.DuckDBPyConnection,
) -> None:
    told = STORIES["platelets and heparin"]
    exposures = cursor.execute(
        f"""SELECT min(date_diff('hour', o.starttime, r.charttime)) / 24 FROM results r
        JOIN hosp.prescriptions o USING (hadm_id) WHERE r.itemid = 51265 AND {told.bad} AND o.drug LIKE 'Heparin%'
        AND o.stoptime > r.storetime GROUP BY r.hadm_id"""
    ).fetchall()
    assert exposures
    assert all(5 <= days <= 10 for (days,) in exposures)


def test_a_dose_of_the_drug_was_given_before_its_bad_result(cursor: duckdb.DuckDBPyConnection) -> None:
    for name, told in STORIES.items():
        sql = (
            ACTIVE.format(drug=told.drug, condition=told.bad, hours=8)
            + """ AND EXISTS (FROM hosp.emar e
            WHERE e.pharmacy_id = o.pharmacy_id AND e.charttime < r.charttime
            AND e.event_txt IN ('Administered', 'Delayed Administered', 'Started'))"""
        )
        assert len(stays(cursor, sql, told.itemid)) >= 2, name


def test_six_to_fourteen_orders_are_active_in_most_stays(cursor: duckdb.DuckDBPyConnection) -> None:
    counts = cursor.execute(
        """SELECT count(DISTINCT pharmacy_id) FROM hosp.prescriptions o
        JOIN (SELECT hadm_id, admittime + (dischtime - admittime) / 2 AS middle FROM hosp.admissions) USING (hadm_id)
        WHERE middle BETWEEN o.starttime AND o.stoptime GROUP BY hadm_id"""
    ).fetchall()
    within = [6 <= count <= 14 for (count,) in counts]
    assert sum(within) >= 0.85 * len(within)


def test_other_specimens_and_diluents_stand_beside(cursor: duckdb.DuckDBPyConnection) -> None:
    for itemid in (50822, 51097):
        assert len(stays(cursor, "SELECT DISTINCT hadm_id FROM results WHERE itemid = ?", itemid)) >= 5
    (diluents,) = cursor.execute(
        "SELECT count(*) FROM hosp.prescriptions WHERE drug_type = 'BASE'"
    ).fetchall()[0]
    assert diluents >= 10


def test_some_patients_come_back_and_few_die(cursor: duckdb.DuckDBPyConnection) -> None:
    stays_each = cursor.execute("SELECT count(*) FROM hosp.admissions GROUP BY subject_id").fetchall()
    assert {2, 3} <= {count for (count,) in stays_each}
    (deaths, patients) = cursor.execute("SELECT count(dod), count(*) FROM hosp.patients").fetchall()[0]
    assert 0 < deaths <= 0.15 * patients


def test_weight_and_height_are_known_before_every_stay(cursor: duckdb.DuckDBPyConnection) -> None:
    for name in ("Weight (Lbs)", "Height (Inches)"):
        missing = cursor.execute(
            """SELECT hadm_id FROM hosp.admissions a WHERE NOT EXISTS (FROM hosp.omr o WHERE o.result_name = ?
            AND o.subject_id = a.subject_id AND o.chartdate < a.admittime::DATE)""",
            [name],
        ).fetchall()
        assert missing == []


def test_dictionary_entries_are_those_of_mimic_iv(mimic_demo: Path) -> None:
    catalog = Catalog.load()
    public = duckdb.connect()
    items = public.execute(
        "SELECT itemid, label, fluid, category FROM read_csv(?, header=true)",
        [str(mimic_demo / "hosp" / "d_labitems.csv.gz")],
    ).fetchall()
    used = {(a.itemid, a.label, a.fluid, a.category) for a in catalog.analytes.values()}
    assert used <= set(items)
    titles = public.execute(
        "SELECT trim(icd_code), long_title FROM read_csv(?, header=true, all_varchar=true) WHERE icd_version = '10'",
        [str(mimic_demo / "hosp" / "d_icd_diagnoses.csv.gz")],
    ).fetchall()
    assert set(catalog.icd.items()) <= set(titles)
    public.close()

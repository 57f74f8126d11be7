"""Rules of time, reference and arithmetic that hold for every row of the default synthetic cohort."""

from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from tools.ehr.gates import GATES, timed
from tools.ehr.warehouse import Warehouse

VIOLATIONS = {
    "dose before its order was verified": """
        SELECT 1 FROM hosp.emar e JOIN hosp.pharmacy p USING (pharmacy_id)
        WHERE e.charttime < p.verifiedtime OR e.charttime < p.starttime""",
    "dose after its order stopped": """
        SELECT 1 FROM hosp.emar e JOIN hosp.pharmacy p USING (pharmacy_id) WHERE e.charttime >= p.stoptime""",
    "dose stored before it was charted": "SELECT 1 FROM hosp.emar WHERE storetime < charttime",
    "order entered, verified or started out of turn": """
        SELECT 1 FROM hosp.pharmacy p JOIN hosp.poe o USING (poe_id)
        WHERE p.entertime < o.ordertime OR p.verifiedtime <= p.entertime
           OR p.starttime < date_trunc('hour', o.ordertime)""",
    "order stopped before it started": """
        SELECT 1 FROM hosp.pharmacy WHERE stoptime <= starttime""",
    "order outside its stay": """
        SELECT 1 FROM hosp.pharmacy p JOIN hosp.admissions a USING (hadm_id)
        WHERE p.entertime < a.admittime OR p.stoptime > a.dischtime""",
    "prescription unlike its pharmacy order": """
        SELECT 1 FROM hosp.prescriptions r JOIN hosp.pharmacy p USING (pharmacy_id)
        WHERE (r.subject_id, r.hadm_id, r.poe_id, r.starttime, r.stoptime, r.route)
           <> (p.subject_id, p.hadm_id, p.poe_id, p.starttime, p.stoptime, p.route)
           OR (r.drug_type = 'MAIN' AND r.drug <> p.medication)""",
    "result stored with its draw, before it, or a day after": """
        SELECT 1 FROM hosp.labevents
        WHERE storetime <= charttime OR storetime > charttime + INTERVAL 12 HOUR""",
    "result outside its stay": """
        SELECT 1 FROM hosp.labevents l JOIN hosp.admissions a USING (hadm_id)
        WHERE l.charttime < coalesce(a.edregtime, a.admittime) OR l.storetime > a.dischtime""",
    "outpatient result within a stay": """
        SELECT 1 FROM hosp.labevents l JOIN hosp.admissions a USING (subject_id)
        WHERE l.hadm_id IS NULL AND l.charttime BETWEEN coalesce(a.edregtime, a.admittime) AND a.dischtime""",
    "flag against the reference range": """
        SELECT 1 FROM hosp.labevents WHERE valuenum IS NOT NULL AND ref_range_lower IS NOT NULL
        AND (flag IS NOT DISTINCT FROM 'abnormal') = (valuenum BETWEEN ref_range_lower AND ref_range_upper)""",
    "text of a value unlike its number": """
        SELECT 1 FROM hosp.labevents WHERE CAST(valuenum AS VARCHAR) <> CAST(try_cast(value AS DOUBLE) AS VARCHAR)""",
    "anion gap that does not add up": """
        SELECT 1 FROM (SELECT specimen_id, sum(CASE itemid WHEN 50983 THEN valuenum WHEN 50971 THEN valuenum
            WHEN 50902 THEN -valuenum WHEN 50882 THEN -valuenum WHEN 50868 THEN -valuenum END) rest
            FROM hosp.labevents GROUP BY 1 HAVING count_if(itemid = 50868) = 1) WHERE abs(rest) > 1""",
    "an analyte twice in one specimen": """
        SELECT 1 FROM hosp.labevents GROUP BY specimen_id, itemid HAVING count(*) > 1""",
    "discharge before admission": "SELECT 1 FROM hosp.admissions WHERE dischtime <= admittime",
    "stays that overlap": """
        SELECT 1 FROM hosp.admissions a JOIN hosp.admissions b USING (subject_id)
        WHERE a.hadm_id < b.hadm_id AND b.admittime <= a.dischtime + INTERVAL 1 DAY""",
    "emergency visit after its admission": """
        SELECT 1 FROM ed.edstays e JOIN hosp.admissions a USING (hadm_id)
        WHERE NOT (e.intime < a.admittime AND a.admittime < e.outtime)
           OR e.intime <> a.edregtime OR e.outtime <> a.edouttime""",
    "emergency admission without a visit": """
        SELECT 1 FROM hosp.admissions a ANTI JOIN ed.edstays e USING (hadm_id)
        WHERE a.admission_type = 'EW EMER.'""",
    "emergency record outside its visit": """
        SELECT 1 FROM ed.edstays e JOIN (SELECT stay_id, charttime FROM ed.vitalsign UNION ALL
            SELECT stay_id, charttime FROM ed.medrecon UNION ALL SELECT stay_id, charttime FROM ed.pyxis) r
        USING (stay_id) WHERE r.charttime NOT BETWEEN e.intime AND e.outtime""",
    "stay without a first diagnosis": """
        SELECT 1 FROM hosp.admissions a ANTI JOIN (SELECT hadm_id FROM hosp.diagnoses_icd WHERE seq_num = 1) d
        USING (hadm_id)""",
    "age that is not an adult's": """
        SELECT 1 FROM hosp.admissions JOIN hosp.patients USING (subject_id)
        WHERE anchor_age + year(admittime) - anchor_year NOT BETWEEN 18 AND 91""",
    "anchor year without an admission": """
        SELECT 1 FROM hosp.patients p WHERE anchor_year NOT IN
        (SELECT year(admittime) FROM hosp.admissions a WHERE a.subject_id = p.subject_id)""",
    "death before the last discharge": """
        SELECT 1 FROM hosp.patients p JOIN hosp.admissions a USING (subject_id) WHERE p.dod < a.dischtime::DATE""",
    "death in hospital told in two ways": """
        SELECT 1 FROM hosp.admissions WHERE (hospital_expire_flag = 1) <> (deathtime IS NOT NULL)
        OR (deathtime IS NOT NULL) <> (discharge_location = 'DIED') OR deathtime <> dischtime""",
    "a gap between two places": """
        SELECT 1 FROM (SELECT outtime, lead(intime) OVER (PARTITION BY hadm_id ORDER BY intime) AS following
        FROM hosp.transfers WHERE eventtype <> 'discharge') WHERE following <> outtime""",
    "stay that ends elsewhere than at discharge": """
        SELECT 1 FROM hosp.admissions a LEFT JOIN hosp.transfers t
        ON t.hadm_id = a.hadm_id AND t.eventtype = 'discharge' WHERE t.intime IS DISTINCT FROM a.dischtime""",
    "intensive care outside its stay": """
        SELECT 1 FROM icu.icustays i JOIN hosp.admissions a USING (hadm_id)
        WHERE i.intime < a.admittime OR i.outtime <= i.intime OR i.outtime > a.dischtime""",
    "chart outside intensive care": """
        SELECT 1 FROM icu.chartevents c JOIN icu.icustays i USING (stay_id)
        WHERE c.charttime NOT BETWEEN i.intime AND i.outtime OR c.storetime < c.charttime""",
    "culture known before it was taken": """
        SELECT 1 FROM hosp.microbiologyevents WHERE storetime < charttime + INTERVAL 1 DAY""",
    "order discontinued before it was written": """
        SELECT 1 FROM hosp.poe stop LEFT JOIN hosp.poe new ON new.poe_id = stop.discontinue_of_poe_id
        WHERE stop.transaction_type = 'D/C'
        AND (new.ordertime IS NULL OR new.ordertime >= stop.ordertime OR new.discontinued_by_poe_id <> stop.poe_id)""",
    "orders numbered against time": """
        SELECT 1 FROM hosp.poe a JOIN hosp.poe b ON a.subject_id = b.subject_id AND a.poe_seq + 1 = b.poe_seq
        WHERE a.ordertime > b.ordertime""",
    "doses numbered against time": """
        SELECT 1 FROM hosp.emar a JOIN hosp.emar b ON a.subject_id = b.subject_id AND a.emar_seq + 1 = b.emar_seq
        WHERE a.charttime > b.charttime""",
    "dose given that the record says was not": """
        SELECT 1 FROM hosp.emar JOIN hosp.emar_detail d USING (emar_id)
        WHERE event_txt IN ('Not Given', 'Hold Dose', 'Not Given per Sliding Scale') AND d.dose_given IS NOT NULL""",
}

REFERENCES = [
    ("hosp.labevents", "itemid", "hosp.d_labitems"),
    ("hosp.diagnoses_icd", "icd_code", "hosp.d_icd_diagnoses"),
    ("ed.diagnosis", "icd_code", "hosp.d_icd_diagnoses"),
    ("hosp.procedures_icd", "icd_code", "hosp.d_icd_procedures"),
    ("icu.chartevents", "itemid", "icu.d_items"),
    ("icu.chartevents", "stay_id", "icu.icustays"),
    ("icu.chartevents", "caregiver_id", "icu.caregiver"),
    ("hosp.emar", "pharmacy_id", "hosp.pharmacy"),
    ("hosp.emar", "poe_id", "hosp.poe"),
    ("hosp.emar_detail", "emar_id", "hosp.emar"),
    ("hosp.prescriptions", "pharmacy_id", "hosp.pharmacy"),
    ("hosp.pharmacy", "poe_id", "hosp.poe"),
    ("hosp.poe_detail", "poe_id", "hosp.poe"),
    ("hosp.labevents", "order_provider_id", "hosp.provider"),
    *[
        (f"ed.{name}", "stay_id", "ed.edstays")
        for name in ("triage", "vitalsign", "medrecon", "pyxis", "diagnosis")
    ],
]
OF_STAYS = [
    "hosp.transfers",
    "hosp.services",
    "hosp.diagnoses_icd",
    "hosp.procedures_icd",
    "hosp.labevents",
    "hosp.microbiologyevents",
    "hosp.prescriptions",
    "hosp.pharmacy",
    "hosp.poe",
    "hosp.emar",
    "icu.icustays",
    "icu.chartevents",
    "ed.edstays",
]


@pytest.fixture(scope="module")
def cursor(synthetic_warehouse: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    with Warehouse.open(synthetic_warehouse) as warehouse:
        yield warehouse.cursor()


def rows(cursor: duckdb.DuckDBPyConnection, sql: str) -> int:
    (count,) = cursor.execute(f"SELECT count(*) FROM ({sql})").fetchall()[0]
    return int(count)


@pytest.mark.parametrize("violation", VIOLATIONS)
def test_no_row_breaks_the_rule(cursor: duckdb.DuckDBPyConnection, violation: str) -> None:
    assert rows(cursor, VIOLATIONS[violation]) == 0


@pytest.mark.parametrize(("child", "column", "parent"), REFERENCES)
def test_every_reference_resolves(
    cursor: duckdb.DuckDBPyConnection, child: str, column: str, parent: str
) -> None:
    provider = "provider_id" if parent == "hosp.provider" else column
    used = f"SELECT {column} FROM {child} WHERE {column} IS NOT NULL"
    assert rows(cursor, used) > 0
    assert rows(cursor, f"{used} AND {column} NOT IN (SELECT {provider} FROM {parent})") == 0


@pytest.mark.parametrize("table", OF_STAYS)
def test_every_row_belongs_to_a_stay_of_its_patient(cursor: duckdb.DuckDBPyConnection, table: str) -> None:
    assert rows(cursor, f"SELECT 1 FROM {table}") > 0
    stays = "SELECT subject_id, hadm_id FROM hosp.admissions"
    strays = f"SELECT 1 FROM {table} WHERE hadm_id IS NOT NULL AND (subject_id, hadm_id) NOT IN ({stays})"
    assert rows(cursor, strays) == 0


@pytest.mark.parametrize("table", GATES)
def test_every_row_has_its_own_id_and_a_time_it_was_known(
    cursor: duckdb.DuckDBPyConnection, table: str
) -> None:
    gated = timed(table)
    assert rows(cursor, f"SELECT row_id FROM ({gated}) GROUP BY 1 HAVING count(*) > 1") == 0
    assert rows(cursor, f"SELECT 1 FROM ({gated}) WHERE row_id IS NULL OR known_at IS NULL") == 0


@pytest.mark.parametrize(
    ("kind", "column", "table", "low", "high"),
    [
        ("patients", "subject_id", "hosp.patients", 10_000_000, 19_999_999),
        ("stays", "hadm_id", "hosp.admissions", 20_000_000, 29_999_999),
        ("emergency visits", "stay_id", "ed.edstays", 30_000_000, 39_999_999),
        ("intensive care", "stay_id", "icu.icustays", 30_000_000, 39_999_999),
    ],
)
def test_ids_lie_in_mimic_iv_ranges(
    cursor: duckdb.DuckDBPyConnection, kind: str, column: str, table: str, low: int, high: int
) -> None:
    assert rows(cursor, f"SELECT 1 FROM {table} WHERE {column} NOT BETWEEN {low} AND {high}") == 0, kind

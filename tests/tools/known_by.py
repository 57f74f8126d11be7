"""What was known of a patient at a moment, by SQL written apart from the product's gates."""

from datetime import datetime
from typing import Any

import duckdb

CULTURED = """subject_id = $s AND coalesce(charttime, chartdate) <= $t AND CASE
    WHEN storetime IS NOT NULL THEN storetime <= $t
    WHEN storedate IS NOT NULL THEN storedate < date_trunc('day', $t)
    ELSE date_add(coalesce(charttime, chartdate), INTERVAL 168 HOUR) <= $t END"""
READ = """subject_id = $s AND charttime <= $t
    AND CASE WHEN storetime IS NULL THEN date_add(charttime, INTERVAL 24 HOUR) ELSE storetime END <= $t"""
SIGNED = """
    SELECT n.note_id FROM note.discharge n JOIN hosp.admissions a USING (hadm_id) WHERE n.subject_id = $s
    AND date_add(n.charttime, INTERVAL 24 HOUR) <= $t AND (n.storetime IS NULL OR n.storetime <= $t)
    AND a.dischtime <= $t AND (a.deathtime IS NULL OR a.deathtime <= $t)"""
QUERIES = {
    "Patient/{}": "SELECT subject_id FROM hosp.patients WHERE subject_id = $s",
    "Encounter/hosp-{}": "SELECT hadm_id FROM hosp.admissions WHERE subject_id = $s AND admittime <= $t",
    "Encounter/ed-{}": "SELECT stay_id FROM ed.edstays WHERE subject_id = $s AND intime <= $t",
    "Condition/icd-{}-{}": """
        SELECT d.hadm_id, d.seq_num FROM hosp.diagnoses_icd d JOIN hosp.admissions a USING (hadm_id)
        WHERE a.subject_id = $s AND a.dischtime <= $t AND (a.deathtime IS NULL OR a.deathtime <= $t)""",
    "Condition/ed-{}-{}": """
        SELECT d.stay_id, d.seq_num FROM ed.diagnosis d JOIN ed.edstays e USING (stay_id)
        WHERE e.subject_id = $s AND e.outtime <= $t""",
    "Observation/lab-{}": """
        SELECT labevent_id FROM hosp.labevents WHERE subject_id = $s AND charttime <= $t
        AND CASE WHEN storetime IS NULL THEN date_add(charttime, INTERVAL 24 HOUR) ELSE storetime END <= $t""",
    "Observation/micro-{}-{}-{}-{}": f"""
        SELECT micro_specimen_id, test_itemid, coalesce(org_itemid, 0), coalesce(isolate_num, 0)
        FROM hosp.microbiologyevents WHERE {CULTURED}""",
    "Observation/vs-triage-{}": "SELECT stay_id FROM ed.edstays WHERE subject_id = $s AND intime <= $t",
    "Observation/vs-ed-{}-{}": """
        SELECT stay_id, strftime(charttime, '%Y%m%d%H%M%S') FROM ed.vitalsign
        WHERE subject_id = $s AND charttime <= $t""",
    "Observation/vs-icu-{}-{}": """
        SELECT stay_id, strftime(charttime, '%Y%m%d%H%M%S') FROM icu.chartevents WHERE subject_id = $s
        AND charttime <= $t AND (storetime IS NULL OR storetime <= $t)""",
    "Observation/vs-omr-{}-{}": """
        SELECT subject_id, strftime(chartdate, '%Y%m%d') FROM hosp.omr
        WHERE subject_id = $s AND chartdate < date_trunc('day', $t)""",
    "DiagnosticReport/micro-{}": f"SELECT micro_specimen_id FROM hosp.microbiologyevents WHERE {CULTURED}",
    "DiagnosticReport/rad-{}": f"SELECT note_id FROM note.radiology WHERE {READ}",
    "DocumentReference/note-{}": f"SELECT note_id FROM note.radiology WHERE {READ} UNION ALL {SIGNED}",
    "CarePlan/plan-{}": SIGNED,
    "AllergyIntolerance/allergy-{}": SIGNED,
    "Procedure/icd-{}-{}": """
        SELECT p.hadm_id, p.seq_num FROM hosp.procedures_icd p JOIN hosp.admissions a USING (hadm_id)
        WHERE a.subject_id = $s AND a.dischtime <= $t AND (a.deathtime IS NULL OR a.deathtime <= $t)
        AND p.chartdate < date_trunc('day', $t)""",
    "Procedure/icu-{}-{}": """
        SELECT orderid, itemid FROM icu.procedureevents WHERE subject_id = $s AND endtime <= $t
        AND (storetime IS NULL OR storetime <= $t)""",
    "MedicationRequest/rx-{}": """
        SELECT p.pharmacy_id FROM hosp.prescriptions p WHERE p.subject_id = $s AND p.starttime <= $t AND NOT EXISTS
        (SELECT 1 FROM hosp.pharmacy x WHERE x.pharmacy_id = p.pharmacy_id AND x.entertime > $t)""",
    "MedicationAdministration/emar-{}": """
        SELECT emar_id FROM hosp.emar WHERE subject_id = $s AND charttime <= $t
        AND (storetime IS NULL OR storetime <= $t)""",
}
"""Form of a reference -> the values that were known. Where more follows in the reference, the form is its beginning."""

BEGINNINGS = (
    *("MedicationRequest/rx-", "CarePlan/plan-", "AllergyIntolerance/allergy-"),
    *("Observation/vs-triage-", "Observation/vs-ed-", "Observation/vs-icu-", "Observation/vs-omr-"),
)


class Known:
    """The references known of patient ``subject_id`` at ``as_of``, and the admissions still to come."""

    def __init__(self, cursor: duckdb.DuckDBPyConnection, subject_id: int, as_of: datetime) -> None:
        bound: dict[str, Any] = {"s": subject_id, "t": as_of}
        self._refs: set[str] = set()
        for form, query in QUERIES.items():
            asked = {name: value for name, value in bound.items() if f"${name}" in query}
            self._refs |= {form.format(*row) for row in cursor.execute(query, asked).fetchall()}
        later = "SELECT hadm_id FROM hosp.admissions WHERE subject_id = $s AND admittime > $t"
        self.later_admissions = {str(hadm_id) for (hadm_id,) in cursor.execute(later, bound).fetchall()}

    def __contains__(self, ref: str) -> bool:
        if ref in self._refs:
            return True
        if not ref.startswith(BEGINNINGS):
            return False
        parts = ref.split("-")
        return any("-".join(parts[:end]) in self._refs for end in range(2, len(parts)))

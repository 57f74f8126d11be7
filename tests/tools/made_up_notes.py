"""Notes in the manner of MIMIC-IV-Note, made up for tests: none of their sentences is anybody's."""

import shutil
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import duckdb

TABLES = ("note.discharge", "note.discharge_detail", "note.radiology", "note.radiology_detail")

ALLERGIES = ("Penicillins / shellfish derived", "NKDA")
SUMMARY = """
Name:  ___                     Unit No:   ___

Admission Date:  ___              Discharge Date:   ___

Date of Birth:  ___             Sex:   F

Service: MEDICINE

Allergies:
{allergies}

Attending: ___

Chief Complaint:
Short of breath for a week

Major Surgical or Invasive Procedure:
None


History of Present Illness:
A retired baker with heart failure came with a cough. She was never short of words, only of air.

Past Medical History:
1. Heart failure
2. Gout

Social History:
___
Family History:
Father: gout

Physical Exam:
ADMISSION PHYSICAL EXAM:
GEN: Sitting up, talking
DISCHARGE PHYSICAL EXAM:
LUNGS: Clear

Pertinent Results:
IMPRESSION: of the admission film, no fluid

Brief Hospital Course:
ACUTE ISSUES:
# Heart failure: furosemide by vein for two days, then by mouth.
CHRONIC ISSUES:
# Gout: allopurinol went on.

TRANSITIONAL ISSUES:
[ ] Check potassium within a week
[ ] Weigh every morning

Medications on Admission:
1. Allopurinol 100 mg PO DAILY

Discharge Medications:
1. Furosemide 40 mg PO DAILY
2. Allopurinol 100 mg PO DAILY

Discharge Disposition:
Home

Discharge Diagnosis:
Heart failure

Discharge Condition:
Mental Status: Clear and coherent.

Discharge Instructions:
Dear Ms. ___,
Take one water tablet each morning. Written {written}.

Followup Instructions:
{followup}
"""

REPORT = """EXAMINATION:  CHEST (PORTABLE AP)

INDICATION:  Retired baker with cough // fluid?

COMPARISON:  None.

FINDINGS:

CHEST: The heart is large. No fluid is seen at the left base.

IMPRESSION:

Large heart, no pneumonia. Dictated {written}.
"""


def summary(allergies: str = ALLERGIES[0], followup: str = "___", written: str = "___") -> str:
    """Write a discharge summary, its empty lines holding a space as in MIMIC-IV-Note."""
    text = SUMMARY.format(allergies=allergies, followup=followup, written=written)
    return text.replace("\n\n", "\n \n")


def report(written: str = "___") -> str:
    """Write a report of a chest film."""
    return REPORT.format(written=written).replace("\n\n", "\n \n")


def with_notes(warehouse: Path, out: Path) -> Path:
    """Copy a warehouse and give every admission a discharge summary and two radiology reports instead of its own notes.

    Each text names the time at which it was stored; one report has an addendum made days later.
    """
    shutil.copy(warehouse, out)
    with duckdb.connect(str(out)) as connection:
        stays = connection.execute(
            "SELECT subject_id, hadm_id, admittime, dischtime FROM hosp.admissions WHERE dischtime > admittime "
            "ORDER BY subject_id, admittime"
        ).fetchall()
        for table in TABLES:
            connection.execute(f"DELETE FROM {table}")
        rows: dict[str, list[dict[str, Any]]] = {table: [] for table in TABLES}
        for number, stay in enumerate(stays, 1):
            for table, of_stay in _notes(number, *stay).items():
                rows[table] += of_stay
        for table, written in rows.items():
            columns = list(written[0]) if written else []
            values = ", ".join(f"unnest(${name})" for name in columns)
            if written:
                bound = {name: [row[name] for row in written] for name in columns}
                connection.execute(f"INSERT INTO {table} ({', '.join(columns)}) SELECT {values}", bound)
        marked = ", ".join("?" * len(TABLES))
        connection.execute(f"UPDATE wardround.tables SET loaded = true WHERE name IN ({marked})", TABLES)
    return out


def _notes(
    number: int, subject_id: int, hadm_id: int, admitted: datetime, discharged: datetime
) -> dict[str, list[dict[str, Any]]]:
    signed = discharged + timedelta(hours=9)
    owner = {"subject_id": subject_id, "hadm_id": hadm_id}
    midnight = datetime(discharged.year, discharged.month, discharged.day)
    middle = admitted + (discharged - admitted) / 2
    films = [
        ("RR", 2 * number, admitted + timedelta(hours=1), admitted + timedelta(hours=5)),
        ("RR", 2 * number + 1, middle, middle + timedelta(days=2)),
        ("AR", number, middle, middle + timedelta(days=6)),
    ]
    rows: dict[str, list[dict[str, Any]]] = {table: [] for table in TABLES}
    rows["note.discharge"].append(
        {"note_id": f"{subject_id}-DS-{number}", "note_type": "DS", "note_seq": number}
        | {"charttime": midnight, "storetime": signed, **owner}
        | {"text": summary(ALLERGIES[number % 2], "Clinic in two weeks", f"{signed:%Y-%m-%d %H:%M}")}
    )
    for kind, seq, taken, stored in films:
        note_id = f"{subject_id}-{kind}-{seq}"
        rows["note.radiology"].append(
            {"note_id": note_id, "note_type": kind, "note_seq": seq, "charttime": taken, "storetime": stored}
            | {"text": report(written=f"{stored:%Y-%m-%d %H:%M}"), **owner}
        )
        details = {"exam_name": "CHEST (PORTABLE AP)", "exam_code": "C1"}
        if kind == "AR":
            details["parent_note_id"] = f"{subject_id}-RR-{2 * number + 1}"
        elif seq % 2:
            details["addendum_note_id"] = f"{subject_id}-AR-{number}"
        rows["note.radiology_detail"] += [
            {"note_id": note_id, "subject_id": subject_id, "field_ordinal": 1}
            | {"field_name": name, "field_value": value}
            for name, value in details.items()
        ]
    return rows

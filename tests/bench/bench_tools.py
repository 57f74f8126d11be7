"""How long charts take to open and tools to answer on the MIMIC-IV demo, and on one with big tables many times longer.

    python tests/bench/bench_tools.py DEMO_DIR [--charts N] [--copies N]

Made-up notes stand in for MIMIC-IV-Note, which the demo lacks. All charts share one Dictionaries. Cold is the first
call of a tool on a fresh chart, reading its tables included; warm is the same call again. Rendering is part of both.
"""

import argparse
import shutil
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import duckdb

from tools.ehr.chart import Chart
from tools.ehr.ingest import ingest
from tools.ehr.warehouse import Warehouse
from tools.fhir.dictionaries import Dictionaries
from tools.fhir.toolset import Toolset
from tools.vocabulary import Vocabulary

DOCUMENT = "DocumentReference.search"
CALLS: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("Patient.read", "Patient.read", {}),
    ("Encounter.search", "Encounter.search", {}),
    ("Condition.search", "Condition.search", {}),
    (
        "Observation.search, laboratory by name",
        "Observation.search",
        {"category": "laboratory", "code": "Potassium"},
    ),
    ("Observation.search, laboratory", "Observation.search", {"category": "laboratory"}),
    ("Observation.search, vital signs", "Observation.search", {"category": "vital-signs"}),
    ("Observation.search, microbiology", "Observation.search", {"category": "microbiology"}),
    ("MedicationRequest.search", "MedicationRequest.search", {}),
    ("MedicationRequest.search, active", "MedicationRequest.search", {"status": "active"}),
    ("MedicationAdministration.search", "MedicationAdministration.search", {}),
    ("DiagnosticReport.search", "DiagnosticReport.search", {}),
    ("DiagnosticReport.search, radiology", "DiagnosticReport.search", {"report_type": "radiology"}),
    ("DocumentReference.search", DOCUMENT, {}),
    ("DocumentReference.search, one whole", DOCUMENT, {"type_code": "discharge-summary", "_count": 1}),
    ("DocumentReference.search, keyword", DOCUMENT, {"keyword": "potassium"}),
    ("DocumentReference.search, section", DOCUMENT, {"section": "Discharge Medications"}),
    ("CarePlan.search", "CarePlan.search", {}),
    ("Procedure.search", "Procedure.search", {}),
    ("AllergyIntolerance.search", "AllergyIntolerance.search", {}),
    ("Patient.everything", "Patient.everything", {}),
    (
        "MedicationRequest.create",
        "MedicationRequest.create",
        {"medication": "furosemide", "dose": "40 mg", "route": "IV", "frequency": "BID"},
    ),
    (
        "MedicationRequest.create, formulary name",
        "MedicationRequest.create",
        {"medication": "NS Sepp-Flush", "dose": "10 mL", "route": "IV", "frequency": "BID"},
    ),
    ("ServiceRequest.create", "ServiceRequest.create", {"service_type": "CT head", "priority": "asap"}),
    ("Flag.create", "Flag.create", {"category": "safety", "code": "Watch", "detail": "Watch it"}),
)
BIG = (
    *("hosp.labevents", "hosp.microbiologyevents", "hosp.prescriptions", "hosp.pharmacy", "hosp.emar"),
    *("hosp.emar_detail", "ed.vitalsign", "icu.procedureevents", "note.discharge", "note.radiology"),
)
APART = 50_000_000
"""Added to subject_id for each copy: no patient of MIMIC-IV has a number so high."""
Times = dict[str, list[float]]


def milliseconds(action: Callable[[], Any]) -> float:
    """Time one action."""
    began = time.perf_counter()
    action()
    return (time.perf_counter() - began) * 1000


def quantiles(times: list[float]) -> str:
    """Write the median and the 95th percentile."""
    return f"{statistics.median(times):8.2f} {statistics.quantiles(times, n=20)[-1]:8.2f}"


def measure(file: Path, charts: int, vocabulary: Vocabulary) -> tuple[Times, Times]:
    """Open charts at discharges of the demo's patients; give cold and warm times by label."""
    cold: Times = defaultdict(list)
    warm: Times = defaultdict(list)
    with Warehouse.open(file) as warehouse:
        query = f"SELECT subject_id, hadm_id, dischtime FROM hosp.admissions WHERE subject_id < {APART} ORDER BY ALL"
        admissions: list[tuple[int, int, datetime]] = warehouse.cursor().execute(query).fetchall()
        dictionaries = Dictionaries(warehouse)
        for step in range(0, len(admissions), max(1, len(admissions) // charts)):
            subject_id, hadm_id, moment = admissions[step]
            opening = milliseconds(lambda: Chart(warehouse, subject_id, moment, hadm_id))  # noqa: B023
            cold["open a chart"].append(opening)
            for label, tool, arguments in CALLS:
                tools = Toolset(Chart(warehouse, subject_id, moment, hadm_id), vocabulary, dictionaries)
                asked = {"subject_id": subject_id} | arguments
                for times in (cold, warm, warm):
                    times[label].append(milliseconds(lambda: tools.call(tool, asked)))  # noqa: B023
        first = ("lab_items", "procedure_items", "formulary", "microbiology_names", "services")
        for name in first:
            cold[f"once a process: {name}"] += [
                milliseconds(lambda: getattr(Dictionaries(warehouse), name))  # noqa: B023
                for _ in range(5)
            ]
    return cold, warm


def enlarge(file: Path, copies: int) -> int:
    """Append the big tables' rows ``copies`` - 1 times under other patients; give the rows they then have."""
    rows = 0
    with duckdb.connect(str(file)) as connection:
        for table in BIG:
            connection.execute(
                f"INSERT INTO {table} SELECT t.* REPLACE ((t.subject_id + n * {APART})::INTEGER AS subject_id) "
                f"FROM {table} t, range(1, {copies}) AS copy(n) ORDER BY n, t.subject_id"
            )
            rows += connection.execute(f"SELECT count(*) FROM {table}").fetchall()[0][0]
    return rows


def main() -> None:
    """Ingest the demo, add notes, measure; then again with the big tables copied."""
    parser = argparse.ArgumentParser(description="Time charts and tools on the MIMIC-IV demo.")
    parser.add_argument("demo", type=Path, help="directory of the MIMIC-IV demo")
    parser.add_argument("--charts", type=int, default=100, help="how many admissions, spread over all")
    parser.add_argument("--copies", type=int, default=20, help="how many times the big tables")
    arguments = parser.parse_args()
    sys.path.insert(0, str(Path(__file__).parents[1] / "tools"))  # the tests' helpers are no package
    from made_up_notes import with_notes

    vocabulary = Vocabulary.load()
    with tempfile.TemporaryDirectory() as folder:
        demo, noted, long = (Path(folder) / f"{name}.duckdb" for name in ("demo", "noted", "long"))
        ingest([arguments.demo], demo)
        with_notes(demo, noted)
        shutil.copy(noted, long)
        rows = enlarge(long, arguments.copies)
        sides = [measure(file, arguments.charts, vocabulary) for file in (noted, long)]
    print(f"milliseconds, median and 95th percentile; on the right {rows:,} rows in the big tables")
    heads = ("cold", "warm", f"cold x{arguments.copies}", f"warm x{arguments.copies}")
    print(f"{'':42}" + "".join(f" {head:>8} {'':8}" for head in heads))
    for label in sides[0][0]:
        columns = [times[label] for side in sides for times in side]
        print(f"{label:42} " + " ".join(quantiles(times) if times else " " * 17 for times in columns))


if __name__ == "__main__":
    main()

"""How long charts take to open and tools to answer on the MIMIC-IV demo.

    python tests/bench/bench_tools.py DEMO_DIR [--charts N]

Cold is the first call of a tool on a fresh chart, reading its tables included; warm is the same call again. Rendering
is part of every call.
"""

import argparse
import statistics
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

from tools.ehr.chart import Chart
from tools.ehr.ingest import ingest
from tools.ehr.warehouse import Warehouse
from tools.fhir.toolset import Toolset
from tools.vocabulary import Vocabulary

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
    (
        "MedicationRequest.create",
        "MedicationRequest.create",
        {"medication": "furosemide", "dose": "40 mg", "route": "IV", "frequency": "BID"},
    ),
    ("Flag.create", "Flag.create", {"category": "safety", "code": "Watch", "detail": "Watch it"}),
)


def milliseconds(action: Callable[[], Any]) -> float:
    """Time one action."""
    began = time.perf_counter()
    action()
    return (time.perf_counter() - began) * 1000


def quantiles(times: list[float]) -> str:
    """Write the median and the 95th percentile."""
    return f"{statistics.median(times):8.2f} {statistics.quantiles(times, n=20)[-1]:8.2f}"


def measure(
    warehouse: Warehouse, admissions: list[tuple[int, int, datetime]], vocabulary: Vocabulary
) -> None:
    """Open a chart at each discharge and print how long that and every tool took."""
    opening: list[float] = []
    cold: dict[str, list[float]] = defaultdict(list)
    warm: dict[str, list[float]] = defaultdict(list)
    for subject_id, hadm_id, moment in admissions:
        charts: list[Chart] = []
        opening.append(milliseconds(lambda: charts.append(Chart(warehouse, subject_id, moment, hadm_id))))  # noqa: B023
        for label, tool, arguments in CALLS:
            tools = Toolset(Chart(warehouse, subject_id, moment, hadm_id), vocabulary)
            asked = {"subject_id": subject_id} | arguments
            for times in (cold, warm, warm):
                times[label].append(milliseconds(lambda: tools.call(tool, asked)))  # noqa: B023
    print(f"{len(admissions)} charts; milliseconds, median and 95th percentile")
    print(f"{'open a chart':42} {quantiles(opening)}")
    print(f"{'':42} {'cold':>8} {'':8} {'warm':>8}")
    for label, _, _ in CALLS:
        print(f"{label:42} {quantiles(cold[label])} {quantiles(warm[label])}")


def main() -> None:
    """Ingest the demo into a temporary warehouse and measure on it."""
    parser = argparse.ArgumentParser(description="Time charts and tools on the MIMIC-IV demo.")
    parser.add_argument("demo", type=Path, help="directory of the MIMIC-IV demo")
    parser.add_argument("--charts", type=int, default=100, help="how many admissions, spread over all")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "demo.duckdb"
        ingest(arguments.demo, file)
        with Warehouse.open(file) as warehouse:
            query = "SELECT subject_id, hadm_id, dischtime FROM hosp.admissions ORDER BY hadm_id"
            admissions = warehouse.cursor().execute(query).fetchall()
            step = max(1, len(admissions) // arguments.charts)
            measure(warehouse, admissions[::step][: arguments.charts], Vocabulary.load())


if __name__ == "__main__":
    main()

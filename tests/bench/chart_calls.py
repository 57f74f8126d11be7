"""The tool calls ``bench_chart.py`` times, and how it times them."""

import statistics
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from tools.ehr.chart import Chart
from tools.ehr.warehouse import Warehouse
from tools.fhir.dictionaries import Dictionaries
from tools.fhir.toolset import ToolResult, Toolset
from tools.vocabulary import Vocabulary

Call = tuple[str, dict[str, Any]]
ANALYTE = "Potassium"
LATER_CALLS = 9
LAB: Call = ("Observation.search", {"category": "laboratory", "code": ANALYTE})
ORDERS: Call = ("MedicationRequest.search", {})
EMAR: Call = ("MedicationAdministration.search", {})
OPENED = "both: opened"

CALLS: dict[str, Call] = {
    "Patient.read": ("Patient.read", {}),
    "Encounter.search": ("Encounter.search", {}),
    "Condition.search": ("Condition.search", {}),
    "Observation.search, a lab by name": LAB,
    "Observation.search, laboratory": ("Observation.search", {"category": "laboratory"}),
    "Observation.search, vital signs": ("Observation.search", {"category": "vital-signs"}),
    "Observation.search, microbiology": ("Observation.search", {"category": "microbiology"}),
    "MedicationRequest.search": ORDERS,
    "MedicationRequest.search, active": ("MedicationRequest.search", {"status": "active"}),
    "MedicationAdministration.search": EMAR,
    "MedicationAdministration.search, a drug": (
        "MedicationAdministration.search",
        {"medication": "furosemide"},
    ),
    "DiagnosticReport.search": ("DiagnosticReport.search", {}),
    "DocumentReference.search": ("DocumentReference.search", {}),
    "CarePlan.search": ("CarePlan.search", {}),
    "Procedure.search": ("Procedure.search", {}),
    "AllergyIntolerance.search": ("AllergyIntolerance.search", {}),
    "Patient.everything": ("Patient.everything", {}),
    "MedicationRequest.create": (
        "MedicationRequest.create",
        {"medication": "furosemide", "dose": "40 mg", "route": "IV", "frequency": "BID"},
    ),
    "MedicationRequest.patch": (
        "MedicationRequest.patch",
        {"_id": "new-1", "status": "on-hold", "reason": "potassium 2.8"},
    ),
    "ServiceRequest.create": ("ServiceRequest.create", {"service_type": "CT head", "priority": "asap"}),
    "Flag.create": ("Flag.create", {"category": "safety", "code": "Watch", "detail": "Watch it"}),
}
"""Every tool; by the name it is printed under. Writes come last, so that no read sees them."""


@dataclass(frozen=True)
class Moment:
    """A patient's last discharge: the longest chart he has."""

    subject_id: int
    hadm_id: int
    as_of: datetime

    def chart(self, warehouse: Warehouse) -> Chart:
        """Open his chart."""
        return Chart(warehouse, self.subject_id, self.as_of, self.hadm_id)

    def ask(self, tools: Toolset, call: Call) -> ToolResult:
        """Call a tool about him."""
        name, arguments = call
        return tools.call(name, {"subject_id": self.subject_id} | arguments)


@dataclass(frozen=True)
class Spread:
    """Milliseconds over patients: the median and the 95th percentile."""

    median: float
    p95: float

    @classmethod
    def over(cls, times: Iterable[Iterable[float]]) -> "Spread":
        """Take the median of each patient's times, then the spread of those."""
        each = sorted(statistics.median(of_patient) for of_patient in times)
        return cls(statistics.median(each), each[min(len(each) - 1, int(0.95 * len(each)))])

    def __str__(self) -> str:
        return f"{self.median:.2f} / {self.p95:.2f}"


Times = dict[str, list[list[float]]]
"""Milliseconds by what was timed, then by patient, then by repeat."""


def last_discharges(warehouse: Warehouse) -> list[Moment]:
    """List every patient at the end of the last admission, by subject_id."""
    rows = (
        warehouse.cursor()
        .execute(
            "SELECT subject_id, arg_max(hadm_id, dischtime), max(dischtime) FROM hosp.admissions "
            "WHERE dischtime IS NOT NULL GROUP BY subject_id ORDER BY subject_id"
        )
        .fetchall()
    )
    return [Moment(*row) for row in rows]


class Clock(StrEnum):
    """What time is measured by: the wall's, or the CPU's, which other jobs on the machine disturb less."""

    WALL = "wall"
    CPU = "cpu"


@dataclass(frozen=True)
class Stopwatch:
    """Times one action after another by ``clock``; CPU time is the sum over all threads."""

    clock: Clock = Clock.WALL

    def __call__(self, action: Callable[[], Any]) -> tuple[float, Any]:
        """Run an action; give milliseconds and what it gave."""
        now = time.perf_counter if self.clock is Clock.WALL else time.process_time
        begun = now()
        result = action()
        return (now() - begun) * 1000, result


def time_opening(
    timed: Stopwatch, warehouse: Warehouse, vocabulary: Vocabulary, moment: Moment, dictionaries: Dictionaries
) -> dict[str, float]:
    """Open one chart as a session does and have its first questions answered; ``dictionaries`` have been read."""
    chart_ms, chart = timed(lambda: moment.chart(warehouse))
    toolset_ms, tools = timed(lambda: Toolset(chart, vocabulary))
    lab, orders, emar = (timed(lambda: moment.ask(tools, call))[0] for call in (LAB, ORDERS, EMAR))  # noqa: B023
    sharing = Toolset(moment.chart(warehouse), vocabulary, dictionaries)
    shared_lab, _ = timed(lambda: moment.ask(sharing, LAB))
    opened = chart_ms + toolset_ms
    return {
        "Chart()": chart_ms,
        "Toolset()": toolset_ms,
        OPENED: opened,
        "and a lab by name, dictionaries read before": opened + shared_lab,
        "and a lab by name": opened + lab,
        "and a lab, all orders, eMAR": opened + lab + orders + emar,
    }


def time_first_call(
    timed: Stopwatch,
    warehouse: Warehouse,
    vocabulary: Vocabulary,
    moment: Moment,
    call: Call,
    dictionaries: Dictionaries | None = None,
) -> float:
    """Call one tool on a chart of which nothing but patient and admissions was read."""
    tools = Toolset(moment.chart(warehouse), vocabulary, dictionaries)
    return timed(lambda: moment.ask(tools, call))[0]


def time_later_calls(
    timed: Stopwatch, warehouse: Warehouse, vocabulary: Vocabulary, moment: Moment
) -> tuple[dict[str, list[float]], int]:
    """Call every tool on one open chart, once unmeasured and then several times; give also how many labs were found."""
    tools = Toolset(moment.chart(warehouse), vocabulary)
    times: dict[str, list[float]] = {}
    found = 0
    for label, call in CALLS.items():
        first = moment.ask(tools, call)
        if call is LAB:
            found = first.resource["total"]
        times[label] = [timed(lambda: moment.ask(tools, call))[0] for _ in range(LATER_CALLS)]  # noqa: B023
    return times, found


def collect(times: Times, repeats: list[dict[str, float]]) -> None:
    """Add one patient's repeats to ``times``."""
    for label in repeats[0]:
        times.setdefault(label, []).append([repeat[label] for repeat in repeats])


def read_dictionaries(warehouse: Warehouse) -> Dictionaries:
    """Give dictionaries of a warehouse, the names of tests read."""
    dictionaries = Dictionaries(warehouse)
    _ = dictionaries.lab_items_by_label
    return dictionaries

"""Courses of made-up patients: what a chart must hold for a rule to match, said fact by fact.

Times are hours before the key result is drawn (negative: after it). ``write`` puts facts into a Ward.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

HOUR = timedelta(hours=1)
ADMITTED = datetime(2149, 12, 15, 12)
DRAWN = datetime(2150, 1, 10, 6)
STORED = datetime(2150, 1, 10, 7, 0, 30)
AS_OF = datetime(2150, 1, 10, 7, 6)
DISCHARGED = datetime(2150, 1, 20, 12)
SIGNS = {"temperature_c": 223762, "heart_rate_bpm": 220045, "weight_kg": 226512}


@dataclass(frozen=True)
class Fact:
    """Something charted ``hours`` before the draw, or ``at`` a time."""

    hours: float
    at: datetime | None = field(default=None, kw_only=True)

    @property
    def time(self) -> datetime:
        return self.at or DRAWN - self.hours * HOUR


@dataclass(frozen=True)
class Lab(Fact):
    """A result; ``limits`` is its reference range."""

    analyte: str
    value: float
    limits: tuple[float, float] | None = None


@dataclass(frozen=True)
class Dose(Fact):
    """An event of the administration record: at a ``rate``, or of an order with a ``route``, where they are told."""

    drug: str
    event: str = "Administered"
    rate: float | None = None
    route: str | None = None


@dataclass(frozen=True)
class Grown(Fact):
    """A culture: an organism with its antibiogram, or a comment."""

    specimen: str
    organism: str | None
    susceptible: tuple[str, ...] = ()
    resistant: tuple[str, ...] = ()
    comment: str | None = None


@dataclass(frozen=True)
class Sign(Fact):
    """A reading of the bedside chart."""

    sign: str
    value: float


@dataclass(frozen=True)
class Code(Fact):
    """A diagnosis coded at an earlier stay."""

    code: str
    version: int = 10


@dataclass(frozen=True)
class Order(Fact):
    """A drug order of this admission, running from then on.

    ``stopped``: ended an hour before the draw, ``once``: for one dose.
    """

    drug: str
    dose: str = "10"
    unit: str = "mg"
    route: str = "PO"
    stopped: bool = False
    doses_a_day: float | None = None
    once: bool = False


@dataclass(frozen=True)
class Home(Fact):
    """An entry of the list taken down in the emergency visit of this admission, whatever its hours."""

    drug: str


@dataclass(frozen=True)
class Ordered(Fact):
    """An order that stands."""

    drug: str


@dataclass(frozen=True)
class Row(Fact):
    """A row of any table, named with its module: its columns, and those that hold the time."""

    table: str
    columns: Mapping[str, object]
    times: tuple[str, ...]


def doses(
    drug: str, first: float, last: float = 1, step: float = 12, event: str = "Administered"
) -> tuple[Dose, ...]:
    """Give a dose every ``step`` hours from ``first`` hours before the draw, and one ``last`` hours before it."""
    count = math.ceil((first - last) / step)
    return (*(Dose(first - step * k, drug, event) for k in range(count)), Dose(last, drug, event))


def running(drug: str, first: float, last: float = 1) -> tuple[Fact, ...]:
    """Order an infusion, start it and confirm it every four hours."""
    charted = (Dose(first, drug, "Started"), *doses(drug, first - 4, last, 4, "Confirmed"))
    return (Order(first, drug, route="IV DRIP"), *charted)


def set_at(hours: float, rate: float) -> Dose:
    """Confirm the heparin infusion at a rate."""
    return Dose(hours, "Heparin", "Confirmed", rate)


Facts = tuple[Fact, ...]


@dataclass(frozen=True)
class Course:
    """What makes one rule match.

    ``holds`` and ``short`` are values of the key result on either side of each of its bounds. ``facts`` satisfy each
    finding that must be present, ``breaks`` would satisfy each that must be absent. ``edges`` are other facts for one
    finding and whether the rule then still matches. ``resting`` findings have no facts of their own. ``key_limits`` is
    the reference range of the key result. ``beside`` are facts of no finding, which a bar by absence wants.
    """

    holds: tuple[float, ...]
    short: tuple[float, ...]
    facts: Mapping[str, Facts]
    breaks: Mapping[str, Facts] = field(default_factory=dict)
    edges: tuple[tuple[str, Facts, bool], ...] = ()
    resting: tuple[str, ...] = ()
    anchor_age: int = 60
    gender: str = "M"
    key_limits: tuple[float, float] | None = None
    beside: Facts = ()

    def chart(self, **changed: Facts) -> list[Fact]:
        """List the facts of a patient, those of some findings changed."""
        return [fact for facts in {**self.facts, "beside": self.beside, **changed}.values() for fact in facts]


def moved(facts: Facts, at: datetime) -> Facts:
    """Put every fact at one time."""
    return tuple(replace(fact, at=at) for fact in facts)


def write(
    ward: Any,
    key: Lab,
    facts: Iterable[Fact],
    anchor_age: int = 60,
    gender: str = "M",
    discharged: datetime = DISCHARGED,
) -> int:
    """Write a patient with the key result and ``facts``; return the subject."""
    subject = ward.patient(anchor_age=anchor_age, gender=gender)
    hadm = ward.admission(subject, admitted=ADMITTED, discharged=discharged)
    for fact in (*facts, key):
        put(ward, subject, hadm, fact)
    return int(subject)


def put(ward: Any, subject: int, hadm: int, fact: Fact) -> None:
    """Write one fact into the chart of an admission."""
    _WRITERS[type(fact)](ward, subject, hadm, fact)


def _lab(ward: Any, subject: int, hadm: int, fact: Lab) -> None:
    lower, upper = fact.limits or (None, None)
    stored = STORED if fact.time >= DRAWN - HOUR else fact.time + HOUR
    ward.lab(
        subject, hadm, fact.analyte, fact.value, drawn=fact.time, stored=stored, lower=lower, upper=upper
    )


def _dose(ward: Any, subject: int, hadm: int, fact: Dose) -> None:
    number = 1 + len(ward.rows.get("hosp.emar", []))
    key = {"subject_id": subject, "emar_id": f"{subject}-{number}", "emar_seq": number}
    order = ward.order(subject, hadm, fact.drug, stop=ADMITTED, route=fact.route) if fact.route else None
    ward.row("hosp.emar_detail", **key, infusion_rate=None if fact.rate is None else f"{fact.rate:g}")
    ward.row(
        "hosp.emar",
        **key,
        hadm_id=hadm,
        pharmacy_id=order,
        medication=fact.drug,
        event_txt=fact.event,
        charttime=fact.time,
        storetime=fact.time,
    )


def _order(ward: Any, subject: int, hadm: int, fact: Order) -> None:
    stop = DRAWN - HOUR if fact.stopped else None
    ward.order(
        subject,
        hadm,
        fact.drug,
        start=fact.time,
        stop=stop,
        dose=fact.dose,
        unit=fact.unit,
        route=fact.route,
        doses_a_day=fact.doses_a_day,
        frequency="ONCE" if fact.once else None,
    )


def _culture(ward: Any, subject: int, hadm: int, fact: Grown) -> None:
    number = 1 + len(ward.rows.get("hosp.microbiologyevents", []))
    tested = [(name, "S") for name in fact.susceptible] + [(name, "R") for name in fact.resistant]
    for offset, (antibiotic, interpretation) in enumerate(tested or [(None, None)]):
        ward.row(
            "hosp.microbiologyevents",
            microevent_id=number + offset,
            subject_id=subject,
            hadm_id=hadm,
            micro_specimen_id=number,
            test_itemid=90201,
            chartdate=fact.time,
            charttime=fact.time,
            storetime=DRAWN,
            spec_type_desc=fact.specimen,
            org_itemid=80000 if fact.organism else None,
            org_name=fact.organism,
            isolate_num=1 if fact.organism else None,
            ab_name=antibiotic,
            interpretation=interpretation,
            comments=fact.comment,
        )


def _sign(ward: Any, subject: int, hadm: int, fact: Sign) -> None:
    ward.row(
        "icu.chartevents",
        subject_id=subject,
        hadm_id=hadm,
        stay_id=hadm,
        itemid=SIGNS[fact.sign],
        valuenum=fact.value,
        value=f"{fact.value:g}",
        charttime=fact.time,
        storetime=fact.time,
    )


def _code(ward: Any, subject: int, hadm: int, fact: Code) -> None:
    earlier = ward.admission(subject, datetime(2149, 6, 1), datetime(2149, 6, 9))
    row = {"icd_code": fact.code, "icd_version": fact.version}
    ward.row("hosp.diagnoses_icd", subject_id=subject, hadm_id=earlier, seq_num=1, **row)
    if row not in [{key: known[key] for key in row} for known in ward.rows.get("hosp.d_icd_diagnoses", [])]:
        ward.row("hosp.d_icd_diagnoses", **row, long_title=f"Title of {fact.code}")


def _home(ward: Any, subject: int, hadm: int, fact: Home) -> None:
    visit = {"subject_id": subject, "stay_id": hadm}
    if visit["stay_id"] not in [row["stay_id"] for row in ward.rows.get("ed.edstays", [])]:
        ward.row("ed.edstays", **visit, hadm_id=hadm, intime=ADMITTED - 4 * HOUR, outtime=ADMITTED)
    ward.row("ed.medrecon", **visit, charttime=ADMITTED - 2 * HOUR, name=fact.drug, gsn="1", ndc="2")


def _ordered(ward: Any, subject: int, hadm: int, fact: Ordered) -> None:
    ward.order(subject, hadm, fact.drug, start=fact.time)


def _row(ward: Any, subject: int, hadm: int, fact: Row) -> None:
    number = 1 + len(ward.rows.get(fact.table, []))
    keys = {"poe_id": f"{subject}-{number}"} if fact.table == "hosp.poe" else {}
    ward.row(
        fact.table,
        subject_id=subject,
        hadm_id=hadm,
        **keys,
        **fact.columns,
        **dict.fromkeys(fact.times, fact.time),
    )


_WRITERS = {
    Row: _row,
    Lab: _lab,
    Dose: _dose,
    Order: _order,
    Grown: _culture,
    Sign: _sign,
    Code: _code,
    Home: _home,
    Ordered: _ordered,
}

"""The frame of one stay: when it began and ended, where the patient lay, when blood was drawn."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from tools.ehr.synth.catalog import Catalog
from tools.ehr.synth.draw import Draw, at
from tools.ehr.synth.person import Person
from tools.ehr.synth.plan import StayPlan, Variant

ROUTINE = ("chemistry", "hematology")


@dataclass(frozen=True)
class Span:
    """From one moment to a later one."""

    start: datetime
    end: datetime


@dataclass(frozen=True)
class Sampling:
    """Blood or urine drawn at one time: the result time of each panel."""

    charttime: datetime
    stored: Mapping[str, datetime]
    urgent: bool = False


@dataclass(frozen=True)
class Stay:
    """One admission. ``index`` is the sampling whose result the story turns on."""

    number: int
    hadm_id: int
    plan: StayPlan
    admittime: datetime
    dischtime: datetime
    died: bool
    emergency: Span | None
    icu: Span | None
    samplings: tuple[Sampling, ...]
    index: Sampling | None

    def day(self, when: datetime) -> float:
        """Give days from admission."""
        return max(0.0, (when - self.admittime) / timedelta(days=1))


def make_stay(
    catalog: Catalog,
    draw: Draw,
    person: Person,
    plan: StayPlan,
    number: int,
    hadm_id: int,
    day: datetime,
    *,
    last: bool,
) -> Stay:
    """Draw a stay that begins on the calendar day of ``day``."""
    reason, exposure = plan.reason, plan.exposure
    admittime = at(day, draw.whole(7, 10) if reason.elective else draw.whole(11, 22), draw.whole(0, 59))
    index_day = draw.whole(*exposure.story.day) if exposure else 0
    if exposure and exposure.variant is Variant.STOPPED:
        index_day = min(max(index_day, exposure.story.from_day + 3), max(4, exposure.story.day[0]))
    nights = index_day + draw.whole(2, 4) if exposure else draw.whole(3, 6)
    dischtime = at(admittime + timedelta(days=nights), draw.whole(12, 17), draw.whole(0, 59))
    emergency = None
    if not reason.elective:
        arrival = admittime - draw.minutes(150, 480)
        emergency = Span(arrival, admittime + draw.minutes(15, 150))
    icu = None
    if draw.chance(reason.icu):
        bed = (emergency.end if emergency else admittime) + draw.minutes(0, 5)
        left = at(bed + timedelta(days=draw.whole(1, 2)), draw.whole(10, 18), draw.whole(0, 59))
        icu = Span(bed, min(left, dischtime - timedelta(hours=20)))
    index_time = (
        at(admittime + timedelta(days=index_day), draw.whole(5, 6), draw.whole(0, 59)) if exposure else None
    )
    samplings = _samplings(catalog, draw, person, plan, admittime, dischtime, emergency, icu, index_time)
    index = next((s for s in samplings if s.charttime == index_time), None)
    died = last and reason.icu >= 0.25 and draw.chance(0.12)
    return Stay(number, hadm_id, plan, admittime, dischtime, died, emergency, icu, samplings, index)


def _samplings(
    catalog: Catalog,
    draw: Draw,
    person: Person,
    plan: StayPlan,
    admittime: datetime,
    dischtime: datetime,
    emergency: Span | None,
    icu: Span | None,
    index_time: datetime | None,
) -> tuple[Sampling, ...]:
    """First blood on arrival, every morning after, again on the evening of a bad result, and gases in the ICU."""
    reason, exposure = plan.reason, plan.exposure
    panels: defaultdict[datetime, set[str]] = defaultdict(set)
    first = emergency.start + draw.minutes(20, 70) if emergency else admittime + draw.minutes(30, 90)
    panels[first] |= _on_arrival(draw, person, plan, gases=icu is not None)
    anticoagulated = any("vitamin_k_antagonist" in taken.drug.classes for taken in person.home)
    day = at(admittime, 5) + timedelta(days=1)
    while day < dischtime - timedelta(hours=4):
        when = day + draw.minutes(0, 119)
        if index_time and index_time.date() == day.date():
            when = index_time
        panels[when] |= {*ROUTINE, "coagulation"} if anticoagulated or draw.chance(0.15) else {*ROUTINE}
        day += timedelta(days=1)
    if icu:
        for hours in range(4, int((icu.end - icu.start) / timedelta(hours=1)), 8):
            panels[icu.start + timedelta(hours=hours) + draw.minutes(0, 40)].add("gas")
    if draw.chance(reason.urine):
        panels[admittime + draw.minutes(200, 500)].add("urine")
    if exposure and index_time is not None:
        panel = catalog.analytes[exposure.story.analyte].panel
        panels[index_time].add(panel)
        if exposure.story.from_day == 0 and exposure.drug != "vancomycin":
            panels[first].add(panel)
        for morning in sorted(panels):
            if panel not in ROUTINE and index_time < morning and panels[morning] >= set(ROUTINE):
                panels[morning].add(panel)
                break
        if exposure.variant is Variant.POSITIVE and exposure.story.shape == "ramp" and panel in ROUTINE:
            panels[index_time + draw.minutes(660, 840)].add(panel)
    return tuple(
        Sampling(when, _stored(catalog, draw, when, names), urgent=when.hour not in (5, 6))
        for when, names in sorted(panels.items())
    )


def _on_arrival(draw: Draw, person: Person, plan: StayPlan, *, gases: bool) -> set[str]:
    """Choose the panels of the first blood."""
    arrival = {*ROUTINE, "coagulation"}
    if draw.chance(0.7):
        arrival.add("liver")
    if plan.reason.cardiac:
        arrival.add("cardiac")
    if draw.chance(plan.reason.gas) or gases:
        arrival.add("gas")
    if {"diabetes", "diabetes_on_insulin"} & {*person.conditions} and draw.chance(0.4):
        arrival.add("hemoglobin_a1c")
    return arrival


def _stored(catalog: Catalog, draw: Draw, when: datetime, panels: set[str]) -> dict[str, datetime]:
    """Draw when each panel's results were stored; one in twelve takes a few times as long."""
    stored = {}
    for panel in sorted(panels):
        low, high = catalog.turnaround(panel)
        wait = draw.whole(low, (low + high) // 2)
        if panel != "gas" and draw.chance(1 / 12):
            wait = draw.whole(high, high + high // 2)
        stored[panel] = when + timedelta(minutes=wait)
    return stored

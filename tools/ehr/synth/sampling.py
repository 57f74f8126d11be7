"""When blood and urine were drawn, for which panels, and when each result was stored."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from tools.ehr.synth.catalog import Catalog
from tools.ehr.synth.draw import Draw, at
from tools.ehr.synth.frame import Frame
from tools.ehr.synth.person import Person
from tools.ehr.synth.plan import Exposure, StayPlan
from tools.ehr.synth.story import Variant, of_variant

ROUTINE = ("chemistry", "hematology")
LAST_BLOOD = timedelta(hours=4)
"""No routine blood is drawn in the last hours of a stay."""

WITH_INDEX = timedelta(hours=2)
"""The morning blood that would fall so near the index moment is the index blood."""

SAME_DRAW = timedelta(minutes=40)
"""Blood due so near to another draw is taken with it."""

Panels = defaultdict[datetime, set[str]]


@dataclass(frozen=True)
class Sampling:
    """Blood or urine drawn at one time: the result time of each panel."""

    charttime: datetime
    stored: Mapping[str, datetime]
    urgent: bool = False


def samplings(
    catalog: Catalog, draw: Draw, person: Person, plan: StayPlan, frame: Frame
) -> tuple[Sampling, ...]:
    """Draw first blood on arrival, every morning after, gases in the ICU, and what the story asks for."""
    panels: Panels = defaultdict(set)
    panels[frame.first_blood] |= _on_arrival(draw, person, plan, gases=frame.icu is not None)
    _mornings(draw, person, frame, panels)
    if frame.icu:
        for hours in range(4, int((frame.icu.end - frame.icu.start) / timedelta(hours=1)), 8):
            panels[frame.icu.start + timedelta(hours=hours) + draw.minutes(0, 40)].add("gas")
    if draw.chance(plan.reason.urine):
        panels[frame.admittime + draw.minutes(200, 500)].add("urine")
    if plan.exposure and frame.index:
        _of_story(catalog, draw, plan.exposure, frame, frame.index, panels)
    return tuple(
        Sampling(when, _stored(catalog, draw, when, names, frame.dischtime), urgent=when.hour not in (5, 6))
        for when, names in sorted(panels.items())
        if when < frame.dischtime - LAST_BLOOD
    )


def _mornings(draw: Draw, person: Person, frame: Frame, panels: Panels) -> None:
    anticoagulated = any("vitamin_k_antagonist" in taken.drug.classes for taken in person.home)
    day = at(frame.admittime, 5) + timedelta(days=1)
    while day < frame.dischtime - LAST_BLOOD:
        when = day + draw.minutes(0, 119)
        if frame.index and abs(frame.index - when) < WITH_INDEX:
            when = frame.index
        panels[when] |= {*ROUTINE, "coagulation"} if anticoagulated or draw.chance(0.15) else {*ROUTINE}
        day += timedelta(days=1)


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
        arrival.add("hba1c")
    return arrival


def _of_story(
    catalog: Catalog, draw: Draw, exposure: Exposure, frame: Frame, index: datetime, panels: Panels
) -> None:
    """Add the panels of the story's results at the moments each is drawn."""
    story, first = exposure.story, frame.first_blood
    mornings = sorted(when for when, names in panels.items() if names >= {*ROUTINE} and when != first)
    for panel, hours in story.every.items():
        _every(draw, panel, hours, frame, index, panels)
    for name, course in story.results.items():
        panel = catalog.analytes[name].panel
        moments = {
            "arrival": [first],
            "index": [index],
            "next": [when for when in mornings if when > index][:1],
            "mornings": mornings,
        }
        for word in course.drawn:
            for when in moments[word]:
                panels[when].add(panel)
        if course.offset_hours and of_variant(course, exposure.variant):
            panels[index + timedelta(hours=course.offset_hours)].add(panel)
        for point in course.points:
            if of_variant(point, exposure.variant):
                panels[first + timedelta(hours=point.hours)].add(panel)
        again = exposure.variant is Variant.POSITIVE and course.shape == "ramp" and story.tested
        if again and course.control is not None and panel in ROUTINE:
            panels[index + draw.minutes(660, 840)].add(panel)


def _every(draw: Draw, panel: str, hours: int, frame: Frame, index: datetime, panels: Panels) -> None:
    """Draw ``panel`` every so many hours from the first blood until a day after the index moment."""
    when = frame.first_blood + timedelta(hours=hours)
    last = min(index + timedelta(days=1), frame.dischtime - LAST_BLOOD)
    while when < last:
        taken = when + draw.minutes(-10, 10)
        near = min(panels, key=lambda other: abs(other - taken))
        panels[near if abs(near - taken) < SAME_DRAW else taken].add(panel)
        when += timedelta(hours=hours)


def _stored(
    catalog: Catalog, draw: Draw, when: datetime, panels: set[str], dischtime: datetime
) -> dict[str, datetime]:
    """Draw when each panel's results were stored; one in twelve takes a few times as long."""
    stored = {}
    for panel in sorted(panels):
        low, high = catalog.turnaround(panel)
        wait = draw.whole(low, (low + high) // 2)
        if panel != "gas" and draw.chance(1 / 12):
            wait = draw.whole(high, high + high // 2)
        stored[panel] = min(when + timedelta(minutes=wait), dischtime - draw.minutes(10, 60))
    return stored

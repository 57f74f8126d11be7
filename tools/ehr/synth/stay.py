"""One stay: its frame, its plan, and the blood drawn in it."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from tools.ehr.synth.catalog import Catalog
from tools.ehr.synth.draw import Draw, at
from tools.ehr.synth.frame import Frame, Span, make_frame
from tools.ehr.synth.person import HomeDrug, Person
from tools.ehr.synth.plan import Exposure, StayPlan
from tools.ehr.synth.sampling import Sampling, samplings
from tools.ehr.synth.story import Moment, Told

DEADLY = 0.25
"""Reasons with at least this chance of intensive care are those of which patients die."""


@dataclass(frozen=True)
class Stay:
    """One admission. ``index`` is the sampling whose result the story turns on."""

    number: int
    hadm_id: int
    plan: StayPlan
    frame: Frame
    died: bool
    samplings: tuple[Sampling, ...]
    index: Sampling | None

    @property
    def admittime(self) -> datetime:
        """Give when the stay began."""
        return self.frame.admittime

    @property
    def dischtime(self) -> datetime:
        """Give when the stay ended."""
        return self.frame.dischtime

    @property
    def emergency(self) -> Span | None:
        """Give the emergency visit the stay began with."""
        return self.frame.emergency

    @property
    def icu(self) -> Span | None:
        """Give the time in intensive care."""
        return self.frame.icu

    @property
    def exposure(self) -> Exposure | None:
        """Give the story played in this stay."""
        return self.plan.exposure

    def day(self, when: datetime) -> float:
        """Give days from admission, below zero before it."""
        return (when - self.admittime) / timedelta(days=1)

    def tells(self, part: Told) -> bool:
        """Tell whether this stay's variant has ``part`` of its story."""
        return self.exposure is not None and part.told_in(self.exposure.variant)

    def moment(self, draw: Draw, moment: Moment) -> datetime:
        """Draw the time that ``moment`` names in this stay; its index sampling must be there."""
        if moment.day is not None:
            return at(self.admittime + timedelta(days=moment.day), draw.whole(9, 11), draw.whole(0, 59))
        low, high = moment.hours
        return self._event(moment) + draw.minutes(round(low * 60), round(high * 60))

    def _event(self, moment: Moment) -> datetime:
        if moment.of == "arrival":
            return self.frame.first_blood
        if moment.of == "admission":
            return self.admittime
        if moment.of == "discharge":
            return self.dischtime
        if self.index is None:
            raise ValueError("a stay without a story has no index moment")
        return self.index.charttime if moment.of == "index" else max(self.index.stored.values())


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
    frame = make_frame(draw, plan, day)
    taken = samplings(catalog, draw, person, plan, frame)
    index = next((s for s in taken if s.charttime == frame.index), None)
    if plan.exposure and index is None:
        raise ValueError(f"story {plan.exposure.story.id} draws nothing at its index moment")
    died = last and plan.reason.icu >= DEADLY and draw.chance(0.12)
    return Stay(number, hadm_id, plan, frame, died, taken, index)


def stay_home(person: Person, stay: Stay) -> tuple[HomeDrug, ...]:
    """List the home drugs as of ``stay``: what a story tells in other variants only is not among them.

    A drug that the stay is to stop is there.
    """
    stopped = stay.plan.earlier.stopped if stay.plan.earlier else ()

    def taken(home: HomeDrug) -> bool:
        told = home.told
        return told is None or not told.variants or stay.tells(told) or home.key in stopped

    return tuple(home for home in person.home if taken(home))

"""When a stay began and ended, where the patient lay, and the moment its story turns on."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from tools.ehr.synth.draw import Draw, at
from tools.ehr.synth.plan import Exposure, StayPlan
from tools.ehr.synth.story import Variant

CHARTED_AFTER_INDEX = timedelta(hours=8)
"""How long a patient whose vital signs matter stays in intensive care after the index moment."""

WARD_AFTER_ICU = timedelta(hours=20)


@dataclass(frozen=True)
class Span:
    """From one moment to a later one."""

    start: datetime
    end: datetime


@dataclass(frozen=True)
class Frame:
    """The times of one stay. ``index`` is the moment of the story's decisive blood."""

    admittime: datetime
    dischtime: datetime
    emergency: Span | None
    icu: Span | None
    first_blood: datetime
    index: datetime | None


def make_frame(draw: Draw, plan: StayPlan, day: datetime) -> Frame:
    """Draw the times of a stay that begins on the calendar day of ``day``."""
    reason, exposure = plan.reason, plan.exposure
    admittime = at(day, draw.whole(7, 10) if reason.elective else draw.whole(11, 22), draw.whole(0, 59))
    emergency = None
    if not reason.elective:
        arrival = admittime - draw.minutes(150, 480)
        emergency = Span(arrival, admittime + draw.minutes(15, 150))
    first_blood = emergency.start + draw.minutes(20, 70) if emergency else admittime + draw.minutes(30, 90)
    index = _index(draw, exposure, admittime, first_blood) if exposure else None
    dischtime = _leaves(draw, exposure, admittime, index)
    icu = None
    if draw.chance(reason.icu):
        bed = (emergency.end if emergency else admittime) + draw.minutes(0, 5)
        left = at(bed + timedelta(days=draw.whole(1, 2)), draw.whole(10, 18), draw.whole(0, 59))
        if exposure and index and exposure.story.charted:
            left = max(left, index + CHARTED_AFTER_INDEX)
            dischtime = max(dischtime, at(left + WARD_AFTER_ICU + timedelta(days=1), dischtime.hour))
        icu = Span(bed, min(left, dischtime - WARD_AFTER_ICU))
    return Frame(admittime, dischtime, emergency, icu, first_blood, index)


def _index(draw: Draw, exposure: Exposure, admittime: datetime, first_blood: datetime) -> datetime:
    """Draw the story's moment: the early morning of a day, or hours after the first blood."""
    story = exposure.story
    if story.hours is not None:
        low, high = story.hours
        return first_blood + draw.minutes(round(low * 60), round(high * 60))
    first, last = story.day or (1, 1)
    day = draw.whole(first, last)
    if exposure.variant is Variant.STOPPED and story.tested:
        begun = story.tested.start.day or 0
        day = min(max(day, begun + 3), max(4, first))
    return at(admittime + timedelta(days=day), draw.whole(5, 6), draw.whole(0, 59))


def _leaves(draw: Draw, exposure: Exposure | None, admittime: datetime, index: datetime | None) -> datetime:
    """Draw the discharge: in the afternoon, days after the index moment where there is one."""
    if exposure is None or index is None:
        return at(admittime + timedelta(days=draw.whole(3, 6)), draw.whole(12, 17), draw.whole(0, 59))
    leaves = at(
        index + timedelta(days=draw.whole(*exposure.story.leaves_after)),
        draw.whole(12, 17),
        draw.whole(0, 59),
    )
    earliest = max(index + timedelta(hours=5), admittime + timedelta(hours=20))
    return leaves if leaves >= earliest else leaves + timedelta(days=1)

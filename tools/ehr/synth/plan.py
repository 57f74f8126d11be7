"""Which stays a patient has: stories are dealt in turn, so that every cohort holds all of them evenly."""

from collections.abc import Sequence
from dataclasses import dataclass

from tools.ehr.synth.catalog import Catalog
from tools.ehr.synth.draw import Draw
from tools.ehr.synth.records import Reason
from tools.ehr.synth.story import Earlier, Story, Variant

DAYS_BETWEEN = (25, 260)
STOPPED_EARLY = 3


@dataclass(frozen=True)
class Exposure:
    """A story played in one stay. ``turn`` chooses among the drugs of each choice."""

    story: Story
    variant: Variant
    turn: int


@dataclass(frozen=True)
class StayPlan:
    """One stay: its reason, and the story played in it, or what a story says of an earlier stay, if any."""

    reason: Reason
    exposure: Exposure | None = None
    earlier: Earlier | None = None

    @property
    def days_before_next(self) -> tuple[int, int]:
        """Give the days from the end of this stay to the next, from and to."""
        return self.earlier.days_before if self.earlier else DAYS_BETWEEN


@dataclass(frozen=True)
class Plan:
    """A patient's stays in order of time; all stories of one patient are the same, on the same drugs."""

    story: Story
    turn: int
    stays: tuple[StayPlan, ...]


def make_plan(catalog: Catalog, seed: int, number: int) -> Plan:
    """Deal patient ``number`` a story.

    The variants of a patient follow the round: a near miss before it happens, it happens and a later stay is well
    inside, a drug stopped in time. Stays without a story come before or after; those the story asks for come first.
    """
    turn, place = divmod(number, len(catalog.stories))
    story = catalog.stories[place]
    draw = Draw(seed, number, "plan")
    rounds = _rounds(story, place)
    variants = rounds[turn % len(rounds)]
    before = [_earlier(catalog, stay) for stay in story.earlier]
    if not before and (story.facts or draw.chance(0.3)):
        before = [_plain(catalog, draw)]
    played = [StayPlan(story.reason, Exposure(story, variant, turn)) for variant in variants]
    after = [_plain(catalog, draw)] if draw.chance(0.2) else []
    return Plan(story, turn, (*before, *played, *after))


def _rounds(story: Story, place: int) -> Sequence[tuple[Variant, ...]]:
    """List the variants of each round; of every third tested drug the second round has the stopped one too."""
    happens = (Variant.POSITIVE, Variant.CONTROL) if story.control else (Variant.POSITIVE,)
    if story.tested is None:
        return (Variant.NEAR_MISS, Variant.POSITIVE), happens
    if place % STOPPED_EARLY == 0:
        happens = (Variant.STOPPED, *happens)
    return (Variant.NEAR_MISS, Variant.POSITIVE), happens, (Variant.STOPPED,)


def _plain(catalog: Catalog, draw: Draw) -> StayPlan:
    return StayPlan(catalog.reasons[draw.one(sorted(catalog.reasons))])


def _earlier(catalog: Catalog, stay: Earlier) -> StayPlan:
    return StayPlan(catalog.reasons[stay.reason], earlier=stay)

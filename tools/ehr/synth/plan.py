"""Which stays a patient has: stories are dealt in turn, so that every cohort holds all of them evenly."""

from dataclasses import dataclass
from enum import StrEnum

from tools.ehr.synth.catalog import Catalog, Reason, Story
from tools.ehr.synth.draw import Draw


class Variant(StrEnum):
    """How a story ends: drug and result meet, the result stays just safe, or the drug was stopped before it."""

    POSITIVE = "positive"
    NEAR_MISS = "near_miss"
    STOPPED = "stopped"


@dataclass(frozen=True)
class Exposure:
    """A story played in one stay, on the drug of the catalog named ``drug``."""

    story: Story
    drug: str
    variant: Variant


@dataclass(frozen=True)
class StayPlan:
    """One stay: its reason, and the story played in it, if any."""

    reason: Reason
    exposure: Exposure | None = None


@dataclass(frozen=True)
class Plan:
    """A patient's stays in order of time; all stories of one patient are the same, on the same drug."""

    story: Story
    drug: str
    stays: tuple[StayPlan, ...]


def make_plan(catalog: Catalog, seed: int, number: int) -> Plan:
    """Deal patient ``number`` a story.

    In every third round the patient was near a miss in an earlier stay, and in every third round the drug is
    stopped in time. Stays without a story come before or after.
    """
    turn, place = divmod(number, len(catalog.stories))
    story = catalog.stories[place]
    drug = story.drugs[turn % len(story.drugs)]
    draw = Draw(seed, number, "plan")

    def play(variant: Variant) -> StayPlan:
        return StayPlan(story.reason, Exposure(story, drug, variant))

    def plain(chance: float) -> list[StayPlan]:
        return [StayPlan(catalog.reasons[draw.one(sorted(catalog.reasons))])] if draw.chance(chance) else []

    match turn % 3:
        case 0:
            stays = [play(Variant.NEAR_MISS), play(Variant.POSITIVE), *plain(0.2)]
        case 1:
            stays = [*plain(0.4), play(Variant.POSITIVE), *plain(0.4)]
        case _:
            stays = [*plain(0.3), play(Variant.STOPPED), *plain(0.2)]
    return Plan(story, drug, tuple(stays))

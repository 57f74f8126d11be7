"""Which drugs a stay orders, and from when to when."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from tools.ehr.synth.catalog import Catalog, Drug, Story
from tools.ehr.synth.draw import Draw, at, next_hour
from tools.ehr.synth.person import Person
from tools.ehr.synth.plan import Exposure, Variant
from tools.ehr.synth.stay import Sampling, Stay

SEVERAL_AT_ONCE = frozenset(
    {"insulin", "laxative", "vitamin", "hypoglycemia_treatment", "opioid", "analgesic", "flush", "fluid"}
)
"""Classes of which a ward orders more than one drug at a time."""


class Ending(StrEnum):
    """How an order ended, as hosp.pharmacy.status says it."""

    DISCHARGE = "Discontinued via patient discharge"
    DISCONTINUED = "Discontinued"


@dataclass(frozen=True, eq=False)
class Order:
    """One order of a drug: entered and verified, in force from ``start`` until ``stop``."""

    key: str
    drug: Drug
    dose: str
    ordered: datetime
    entered: datetime
    verified: datetime
    start: datetime
    stop: datetime
    ending: Ending
    of_story: bool = False


def make_orders(catalog: Catalog, draw: Draw, person: Person, stay: Stay) -> list[Order]:
    """Draw the orders of ``stay``: its story's, its reason's, home drugs that go on, and the ward's own."""
    orders: list[Order] = []
    taken: set[str] = set()
    exposure = stay.plan.exposure
    excluded = set(exposure.story.without) if exposure else set()

    def add(key: str, dose: str | None = None) -> None:
        drug = catalog.drugs[key]
        orders.append(_order(draw, stay, key, drug, dose or draw.one(drug.doses)))
        taken.update(drug.classes)

    def free(key: str) -> bool:
        classes = set(catalog.drugs[key].classes)
        if any(order.key == key for order in orders) or classes & excluded:
            return False
        return not (classes & taken) - SEVERAL_AT_ONCE

    if exposure and stay.index:
        orders.append(_story_order(catalog, draw, person, stay, exposure, stay.index))
        taken.update(orders[0].drug.classes)
    for key in stay.plan.reason.orders:
        if free(key):
            add(key)
    for home in person.home:
        if home.drug.inpatient and free(home.key):
            add(home.key, home.dose)
    for standing in catalog.standing:
        wanted = not standing.only or {*standing.only} & {*person.conditions}
        if (
            wanted
            and free(standing.drug)
            and taken.isdisjoint(standing.unless)
            and draw.chance(standing.chance)
        ):
            add(standing.drug)
    return orders


def _order(draw: Draw, stay: Stay, key: str, drug: Drug, dose: str) -> Order:
    """Order on admission, to go on until discharge; some start, on paper, at the full hour already begun."""
    ordered = stay.admittime + draw.minutes(15, 75)
    start = at(ordered, ordered.hour) if draw.chance(0.15) else next_hour(ordered)
    return _timed(
        draw, key, drug, dose, ordered, start, at(stay.dischtime, stay.dischtime.hour), Ending.DISCHARGE
    )


def _story_order(
    catalog: Catalog, draw: Draw, person: Person, stay: Stay, exposure: Exposure, index: Sampling
) -> Order:
    story, drug = exposure.story, catalog.drugs[exposure.drug]
    doses = [home.dose for home in person.home if home.key == exposure.drug] or list(
        story.doses or drug.doses
    )
    if story.from_day:
        ordered = at(stay.admittime + timedelta(days=story.from_day), draw.whole(9, 11), draw.whole(0, 59))
    else:
        ordered = stay.admittime + draw.minutes(15, 60)
    stop, ending = _story_stop(catalog, draw, stay, story, exposure.variant, index)
    return _timed(
        draw, exposure.drug, drug, draw.one(doses), ordered, next_hour(ordered), stop, ending, of_story=True
    )


def _story_stop(
    catalog: Catalog, draw: Draw, stay: Stay, story: Story, variant: Variant, index: Sampling
) -> tuple[datetime, Ending]:
    """Stop before the result, or some hours after a bad one was seen, or at discharge."""
    if variant is Variant.STOPPED:
        return at(index.charttime - timedelta(days=1), draw.whole(11, 17)), Ending.DISCONTINUED
    if variant is Variant.POSITIVE and draw.chance(0.5):
        stored = index.stored[catalog.analytes[story.analyte].panel]
        stop = next_hour(stored + timedelta(hours=draw.whole(8, 20)))
        if stop < stay.dischtime - timedelta(hours=6):
            return stop, Ending.DISCONTINUED
    return at(stay.dischtime, stay.dischtime.hour), Ending.DISCHARGE


def _timed(
    draw: Draw,
    key: str,
    drug: Drug,
    dose: str,
    ordered: datetime,
    start: datetime,
    stop: datetime,
    ending: Ending,
    *,
    of_story: bool = False,
) -> Order:
    entered = ordered + timedelta(seconds=draw.whole(0, 40))
    verified = entered + draw.minutes(2, 25)
    return Order(key, drug, dose, ordered, entered, verified, start, stop, ending, of_story)

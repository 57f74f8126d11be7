"""Which drugs a stay orders, and from when to when."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Literal

from tools.ehr.synth.catalog import Catalog
from tools.ehr.synth.draw import Draw, at, next_hour
from tools.ehr.synth.person import HomeDrug, Person
from tools.ehr.synth.records import Drug
from tools.ehr.synth.stay import Stay, stay_home
from tools.ehr.synth.story import Given, Variant

SEVERAL_AT_ONCE = frozenset(
    {"insulin", "laxative", "vitamin", "hypoglycemia_treatment", "opioid", "analgesic", "flush", "fluid"}
)
"""Classes of which a ward orders more than one drug at a time."""

SHORTEST = timedelta(hours=2)
"""An order that could not run so long before discharge is not written."""


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
    administered: Literal["usual", "all", "half", "held", "not_given"] = "usual"
    rates: tuple[float, ...] = ()


def make_orders(catalog: Catalog, draw: Draw, person: Person, stay: Stay) -> list[Order]:
    """Draw the orders of ``stay``: its story's, its reason's, home drugs that go on, and the ward's own.

    Of the classes a story is ``without`` only what the story itself names is ordered.
    """
    orders = _story_orders(catalog, draw, person, stay)
    taken = {name for order in orders for name in order.drug.classes}
    exposure = stay.exposure
    excluded = set(exposure.story.without) if exposure else set()

    def add(key: str, dose: str | None = None) -> None:
        drug = catalog.drugs[key]
        orders.append(_order(draw, stay, key, drug, dose or draw.one(drug.doses)))
        taken.update(drug.classes)

    def free(key: str, *, told: bool = False) -> bool:
        classes = set(catalog.drugs[key].classes)
        if any(order.key == key for order in orders) or (classes & excluded and not told):
            return False
        return not (classes & taken) - SEVERAL_AT_ONCE

    for key in stay.plan.reason.orders:
        if free(key):
            add(key)
    started = stay.plan.earlier.started if stay.plan.earlier else ()
    for new in started:
        if free(new.drug):
            add(new.drug, new.dose)
    for home in stay_home(person, stay):
        if _goes_on(stay, home) and free(home.key, told=home.told is not None):
            add(home.key, _ward_dose(stay, home))
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


def _goes_on(stay: Stay, home: HomeDrug) -> bool:
    """Tell whether the ward orders a home drug; a story may leave it out, or order one that wards hold."""
    if home.told and stay.exposure:
        return home.told.ward_of(stay.exposure.variant) != "omitted"
    return home.drug.inpatient


def _ward_dose(stay: Stay, home: HomeDrug) -> str:
    told, exposure = home.told, stay.exposure
    if told and exposure and told.ward_of(exposure.variant) == "other_dose" and told.ward_dose:
        return told.ward_dose
    return home.dose


def _order(draw: Draw, stay: Stay, key: str, drug: Drug, dose: str) -> Order:
    """Order on admission, to go on until discharge; some start, on paper, at the full hour already begun."""
    ordered = stay.admittime + draw.minutes(15, 75)
    start = at(ordered, ordered.hour) if draw.chance(0.15) else next_hour(ordered)
    if stay.plan.earlier and key in stay.plan.earlier.stopped:
        stop = at(stay.admittime + timedelta(days=1), draw.whole(11, 17))
        return _timed(draw, key, drug, dose, ordered, start, stop, Ending.DISCONTINUED)
    return _timed(draw, key, drug, dose, ordered, start, _until_discharge(stay), Ending.DISCHARGE)


def _story_orders(catalog: Catalog, draw: Draw, person: Person, stay: Stay) -> list[Order]:
    if stay.exposure is None:
        return []
    orders = []
    for given in stay.exposure.story.drugs:
        if stay.tells(given):
            order = _story_order(catalog, draw, person, stay, given, stay.exposure.turn)
            if order.stop - order.start >= SHORTEST:
                orders.append(order)
    return orders


def _story_order(catalog: Catalog, draw: Draw, person: Person, stay: Stay, given: Given, turn: int) -> Order:
    key = given.key(turn)
    drug = catalog.drugs[key]
    drug = drug.model_copy(
        update={"route": given.route or drug.route, "frequency": given.frequency or drug.frequency}
    )
    at_home = [home.dose for home in person.home if home.key == key]
    dose = draw.one(at_home or given.doses or drug.doses)
    ordered = max(stay.moment(draw, given.start), stay.admittime + draw.minutes(5, 14))
    stop, ending = _stop(draw, stay, given)
    order = _timed(draw, key, drug, dose, ordered, next_hour(ordered), stop, ending)
    return Order(
        **{
            **vars(order),
            "administered": "all" if given.tested and given.administered == "usual" else given.administered,
            "rates": given.rates,
        }
    )


def _stop(draw: Draw, stay: Stay, given: Given) -> tuple[datetime, Ending]:
    """Stop as the story says; a tested drug before the result, some hours after a bad one, or at discharge."""
    until, index, exposure = _until_discharge(stay), stay.index, stay.exposure
    stop = None
    if given.stop is not None:
        stop = next_hour(stay.moment(draw, given.stop))
    elif given.tested and index and exposure:
        if exposure.variant is Variant.STOPPED:
            return at(index.charttime - timedelta(days=1), draw.whole(11, 17)), Ending.DISCONTINUED
        if exposure.variant is Variant.POSITIVE and draw.chance(0.5):
            stop = next_hour(max(index.stored.values()) + timedelta(hours=draw.whole(8, 20)))
    if stop is not None and stop < until - timedelta(hours=6):
        return stop, Ending.DISCONTINUED
    return until, Ending.DISCHARGE


def _until_discharge(stay: Stay) -> datetime:
    return at(stay.dischtime, stay.dischtime.hour)


def _timed(
    draw: Draw,
    key: str,
    drug: Drug,
    dose: str,
    ordered: datetime,
    start: datetime,
    stop: datetime,
    ending: Ending,
) -> Order:
    entered = ordered + timedelta(seconds=draw.whole(0, 40))
    verified = entered + draw.minutes(2, 25)
    return Order(key, drug, dose, ordered, entered, verified, start, stop, ending)

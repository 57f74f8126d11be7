"""All rows of one patient."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

from tools.ehr.synth.account import Account
from tools.ehr.synth.administrations import Dose, emar_rows, make_doses
from tools.ehr.synth.blood import make_units
from tools.ehr.synth.catalog import Catalog
from tools.ehr.synth.critical import icu_rows
from tools.ehr.synth.cultures import culture_rows
from tools.ehr.synth.curves import stay_curves, usual_curves
from tools.ehr.synth.draw import Draw, at
from tools.ehr.synth.emergency import Visit, visit_rows
from tools.ehr.synth.entry import Entry, make_entries, number_entries, pharmacy_rows, poe_id, poe_rows
from tools.ehr.synth.frame import Span
from tools.ehr.synth.ids import Ids
from tools.ehr.synth.orders import Order, make_orders
from tools.ehr.synth.person import Person, make_person
from tools.ehr.synth.plan import Plan, make_plan
from tools.ehr.synth.radiology import make_reports, radiology_rows
from tools.ehr.synth.registration import omr_rows, patient_row, stay_rows, weighed_rows
from tools.ehr.synth.results import lab_rows, results
from tools.ehr.synth.rows import Row
from tools.ehr.synth.sampling import ROUTINE, Sampling
from tools.ehr.synth.stay import Stay, make_stay, stay_home
from tools.ehr.synth.summary import summary_rows


def patient_rows(catalog: Catalog, seed: int, number: int, providers: tuple[str, ...]) -> Iterator[Row]:
    """Write patient ``number`` of the cohort of ``seed``, the same whatever the cohort's size."""
    plan = make_plan(catalog, seed, number)
    ids = Ids(number)
    person = make_person(catalog, seed, plan, number, ids.next("subject"))
    stays = make_stays(catalog, seed, person, plan, ids)
    yield patient_row(Draw(seed, number, "patient"), person, stays[-1])
    yield from _before(catalog, Draw(seed, number, "before"), person, ids, stays[0], providers)
    accounts = [_account(catalog, seed, person, ids, stay, providers) for stay in stays]
    reports = 1
    for account in accounts:
        yield from account.rows
        yield from radiology_rows(person, account.stay.hadm_id, account.reports, reports)
        reports += len(account.reports)
        draw = Draw(seed, number, "stay", account.stay.number, "summary")
        yield from summary_rows(catalog, draw, account, account.stay.number + 1)
    yield from _medication(catalog, seed, accounts, ids, providers)


def _account(
    catalog: Catalog, seed: int, person: Person, ids: Ids, stay: Stay, providers: tuple[str, ...]
) -> Account:
    """Draw everything of one stay but its notes and its administrations."""

    def draw(purpose: str) -> Draw:
        return Draw(seed, person.number, "stay", stay.number, purpose)

    curves = stay_curves(catalog, draw("curves"), person, stay)
    home = stay_home(person, stay)
    rest = draw("rest")
    rows = [*stay_rows(catalog, rest, person, stay, ids, rest.one(providers))]
    if stay.emergency:
        visit = Visit(stay.emergency, stay.plan.reason, stay.hadm_id, home, curves, stay.admittime)
        rows += visit_rows(catalog, rest, person, ids, visit)
    units = make_units(catalog, draw("blood"), stay)
    rows += icu_rows(catalog, rest, person, stay, curves, units, ids)
    rows += weighed_rows(rest, stay, person, curves)
    rows += culture_rows(catalog, rest, person, stay, ids, rest.one(providers))
    labs = draw("labs")
    drawn = tuple(
        (sampling, results(catalog, labs, person, curves, sampling, stay.day(sampling.charttime)))
        for sampling in stay.samplings
    )
    for sampling, values in drawn:
        rows += lab_rows(catalog, person, ids, stay.hadm_id, sampling, values, labs.one(providers))
    orders = make_orders(catalog, draw("orders"), person, stay)
    reports = make_reports(catalog, draw("reports"), person, stay)
    return Account(person, stay, home, tuple(orders), drawn, reports, units, tuple(rows))


def make_stays(catalog: Catalog, seed: int, person: Person, plan: Plan, ids: Ids) -> list[Stay]:
    """Place the stays in order, weeks to months apart, the first in the anchor year."""
    draw = Draw(seed, person.number, "dates")
    day = datetime(person.anchor_year, 1, 1) + timedelta(days=draw.whole(0, 300))
    stays = []
    for number, stay_plan in enumerate(plan.stays):
        stay_draw = Draw(seed, person.number, "stay", number, "frame")
        last = number == len(plan.stays) - 1
        hadm_id = ids.next("hadm")
        stay = make_stay(catalog, stay_draw, person, stay_plan, number, hadm_id, day, last=last)
        stays.append(stay)
        day = stay.dischtime + timedelta(days=draw.whole(*stay_plan.days_before_next))
    return stays


def _before(
    catalog: Catalog, draw: Draw, person: Person, ids: Ids, first: Stay, providers: tuple[str, ...]
) -> Iterator[Row]:
    """Write the year before the first stay: clinic visits with blood drawn, and now and then an emergency visit."""
    usual = usual_curves(catalog, person)
    days = sorted(first.admittime - timedelta(days=draw.whole(30, 340)) for _ in range(draw.whole(1, 3)))
    for day in days:
        when = at(day, draw.whole(8, 15), draw.whole(0, 59))
        sampling = Sampling(when, {panel: when + draw.minutes(90, 400) for panel in ROUTINE})
        values = results(catalog, draw, person, usual, sampling, 0)
        yield from lab_rows(catalog, person, ids, None, sampling, values, draw.one(providers))
    yield from omr_rows(draw, person, days)
    if draw.chance(0.2):
        arrival = at(
            first.admittime - timedelta(days=draw.whole(6, 28)), draw.whole(9, 18), draw.whole(0, 59)
        )
        reason = catalog.reasons["back_pain"]
        span = Span(arrival, arrival + draw.minutes(120, 320))
        home = tuple(home for home in person.home if home.told is None or not home.told.variants)
        visit = Visit(span, reason, None, home, usual, arrival)
        yield from visit_rows(catalog, draw, person, ids, visit)


def _medication(
    catalog: Catalog, seed: int, accounts: Sequence[Account], ids: Ids, providers: tuple[str, ...]
) -> Iterator[Row]:
    """Write orders, their entry and their doses; entries and doses are numbered over all stays."""
    person = accounts[0].person
    hadm_ids: dict[Order, int] = {}
    entries: list[Entry] = []
    doses: list[Dose] = []
    for account in accounts:
        stay = account.stay
        entries += make_entries(Draw(seed, person.number, "stay", stay.number, "entries"), catalog, account)
        hadm_ids |= dict.fromkeys(account.orders, stay.hadm_id)
        for number, order in enumerate(account.orders):
            name = (seed, person.number, "stay", stay.number, "doses", order.key, number)
            doses += make_doses(catalog, Draw(*name), order)
    numbers = number_entries(entries)
    draw = Draw(seed, person.number, "entry")
    yield from poe_rows(draw, person, numbers, providers)
    entered = {entry.order: number for entry, number in numbers.items() if entry.order}
    pharmacy_ids = {order: ids.next("pharmacy") for order in hadm_ids}
    for order, hadm_id in hadm_ids.items():
        provider = draw.one(providers)
        yield from pharmacy_rows(
            catalog, person, hadm_id, order, pharmacy_ids[order], entered[order], provider
        )
    poe_ids = {order: poe_id(person, number) for order, number in entered.items()}
    yield from emar_rows(draw, person, hadm_ids, poe_ids, pharmacy_ids, doses, providers)

"""The hospital course of a discharge summary: treatment, the results a story moved, and chronic conditions."""

from collections import Counter
from collections.abc import Iterator

from tools.ehr.synth.account import Account
from tools.ehr.synth.catalog import Catalog
from tools.ehr.synth.medication_lists import line_of
from tools.ehr.synth.orders import Order
from tools.ehr.synth.results import written


def course_of(catalog: Catalog, account: Account) -> list[str]:
    """Write one paragraph a problem, each beginning with a number sign."""
    stay = account.stay
    title = catalog.icd[stay.plan.reason.principal]
    place = "the intensive care unit first, then " if stay.icu else ""
    treated = _treatment(account)
    first = f"# {title}: cared for in {place}{stay.plan.reason.unit}."
    paragraphs = [f"{first} {treated}" if treated else first]
    if account.units:
        given = Counter(unit.product.replace("_", " ") for unit in account.units)
        paragraphs.append(
            "# Blood products: " + ", ".join(f"{n} x {name}" for name, n in given.items()) + "."
        )
    if moved := list(_moved(catalog, account)):
        paragraphs.append("# Results followed: " + " ".join(moved))
    paragraphs += [
        f"# Taking medicines: {fact.text}." for fact in account.person.facts if fact.kind == "adherence"
    ]
    if chronic := list(_chronic(account)):
        paragraphs.append("# Home medicines: " + " ".join(chronic))
    return paragraphs


def _treatment(account: Account) -> str:
    """Name what was ordered for the reason of the stay or by its story, with the hospital days it ran."""
    exposure = account.stay.exposure
    keys = [given.key(exposure.turn) for given in exposure.story.drugs] if exposure else []
    keys += account.stay.plan.reason.orders
    at_home = {home.key for home in account.home}
    orders = [order for order in account.orders if order.key in keys and order.key not in at_home]
    return " ".join(f"{line_of(order.drug, order.dose)}, {_days(account, order)}." for order in orders)


def _days(account: Account, order: Order) -> str:
    first, last = (
        1 + (time.date() - account.stay.admittime.date()).days for time in (order.start, order.stop)
    )
    return f"hospital day {first}" if first == last else f"hospital days {first} to {last}"


def _moved(catalog: Catalog, account: Account) -> Iterator[str]:
    """Tell each result the story moves: on arrival, at its index moment, and the last."""
    stay = account.stay
    if stay.exposure is None or stay.index is None:
        return
    for key in stay.exposure.story.results:
        analyte = catalog.analytes[key]
        series = [(s.charttime, written(analyte, v[key])) for s, v in account.drawn if key in v]
        if not series:
            continue
        day = 1 + (stay.index.charttime.date() - stay.admittime.date()).days
        at_index = next((value for when, value in series if when == stay.index.charttime), None)
        said = [f"{series[0][1]} first"]
        if at_index is not None and len(series) > 1:
            said.append(f"{at_index} on hospital day {day}")
        if series[-1][0] > stay.index.charttime:
            said.append(f"{series[-1][1]} last")
        yield f"{analyte.label} {', '.join(said)}{f' {analyte.unit}' if analyte.unit else ''}."


def _chronic(account: Account) -> Iterator[str]:
    for home in account.home:
        order = account.ordered(home.key)
        if order is None:
            yield f"{home.drug.name} was held in the hospital."
        elif account.stopped(home.key):
            day = 1 + (order.stop.date() - account.stay.admittime.date()).days
            yield f"{home.drug.name} was stopped on hospital day {day}."
        elif order.dose != home.dose:
            yield f"{home.drug.name} was given as {order.dose} {home.drug.unit} instead of {home.dose}."

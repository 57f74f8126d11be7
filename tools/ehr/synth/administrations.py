"""What became of each dose: emar and emar_detail rows."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from tools.ehr.synth.catalog import Catalog
from tools.ehr.synth.draw import Draw, at
from tools.ehr.synth.orders import Ending, Order
from tools.ehr.synth.person import Person
from tools.ehr.synth.records import Infusion
from tools.ehr.synth.rows import Row

MEALS = (8, 12, 17, 22)
NOT_GIVEN = ("Not Given", "Hold Dose")
ONE_DOSE = frozenset({"ONCE"})


@dataclass(frozen=True)
class Dose:
    """One entry of the administration record. ``given`` is None where nothing was given."""

    order: Order
    scheduled: datetime
    charted: datetime
    event: str
    given: str | None
    kind: str = "Standard Maintenance Medication"


def make_doses(catalog: Catalog, draw: Draw, order: Order) -> list[Dose]:
    """Draw the doses of ``order``, none before it was verified nor after it stopped."""
    begin = max(order.start, order.verified)
    if order.drug.infusion:
        return list(_infusion(draw, order, order.drug.infusion, begin))
    if order.drug.frequency in ONE_DOSE:
        return _once(draw, order, begin)
    if order.drug.sliding_scale:
        hours: Sequence[int] = MEALS
    else:
        hours = catalog.frequencies[order.drug.frequency]
    doses: list[Dose] = []
    day = at(order.start, 0)
    while day < order.stop:
        times = [day + timedelta(hours=hour) for hour in hours] or _as_needed(draw, order, day)
        for scheduled in times:
            charted = scheduled + timedelta(minutes=round(draw.about(12, 18, (-25, 85))))
            if begin <= scheduled < order.stop and begin <= charted < order.stop:
                doses.append(_dose(draw, order, scheduled, charted, len(doses)))
        day += timedelta(days=1)
    return doses


def _as_needed(draw: Draw, order: Order, day: datetime) -> list[datetime]:
    """Draw at most one dose a day; drugs for an emergency or as directed are not given."""
    if not order.drug.frequency.endswith(":PRN") or draw.chance(0.5):
        return []
    return [day + timedelta(minutes=draw.whole(9 * 60, 21 * 60))]


def _once(draw: Draw, order: Order, begin: datetime) -> list[Dose]:
    charted = begin + draw.minutes(5, 35)
    return [_dose(draw, order, begin, charted, 0)] if charted < order.stop else []


def _dose(draw: Draw, order: Order, scheduled: datetime, charted: datetime, number: int) -> Dose:
    """Chart dose ``number`` of the order."""
    if order.drug.sliding_scale:
        kind = "Insulin SC Sliding Scale"
        if draw.chance(0.45):
            return Dose(order, scheduled, charted, "Not Given per Sliding Scale", None, kind)
        return Dose(order, scheduled, charted, "Administered", str(2 * draw.whole(1, 4)), kind)
    if order.drug.classes == ("flush",):
        return Dose(order, scheduled, charted, "Flushed", order.dose, "IV Flush")
    kind = "Insulin SC Fixed Dose" if "insulin" in order.drug.classes else "Standard Maintenance Medication"
    left_out = _left_out(draw, order, number)
    if left_out:
        return Dose(order, scheduled, charted, left_out, None, kind)
    late = charted - scheduled > timedelta(minutes=60)
    event = "Delayed Administered" if late else "Administered"
    return Dose(order, scheduled, charted, event, order.dose.partition("-")[0], kind)


def _left_out(draw: Draw, order: Order, number: int) -> str | None:
    """Say why a dose was not given, as emar.event_txt does."""
    match order.administered:
        case "held":
            return "Hold Dose"
        case "not_given":
            return "Not Given"
        case "half" if number % 2:
            return "Not Given"
        case "usual" if draw.chance(0.05):
            return draw.one(NOT_GIVEN)
        case _:
            return None


def _infusion(draw: Draw, order: Order, infusion: Infusion, begin: datetime) -> Iterator[Dose]:
    """Start the bag, confirm its rate every few hours, and stop it where the order is discontinued."""
    low, high = infusion.rate
    time = begin + draw.minutes(5, 40)
    hours = int((order.stop - time) / timedelta(hours=infusion.every_hours)) + 1
    for number in range(hours):
        if order.rates:
            rate = order.rates[number * len(order.rates) // hours]
        else:
            rate = round(draw.between((low, high)) / 10**-infusion.decimals) * 10**-infusion.decimals
        event = "Confirmed" if number else "Started"
        charted = time if number == 0 else min(time + draw.minutes(0, 20), order.stop - timedelta(minutes=1))
        if charted < order.stop:
            yield Dose(order, time, charted, event, f"{rate:g}", infusion.kind)
        time += timedelta(hours=infusion.every_hours)
    if order.ending is Ending.DISCONTINUED:
        ended = order.stop - draw.minutes(1, 10)
        yield Dose(order, ended, ended, "Stopped", None, infusion.kind)


def emar_rows(
    draw: Draw,
    person: Person,
    hadm_ids: Mapping[Order, int],
    poe_ids: Mapping[Order, str],
    pharmacy_ids: Mapping[Order, int],
    doses: Sequence[Dose],
    nurses: Sequence[str],
) -> Iterator[Row]:
    """Write the doses of a patient's stays, numbered in order of time."""
    for number, dose in enumerate(sorted(doses, key=lambda dose: (dose.charted, dose.order.key)), start=1):
        order = dose.order
        emar = {
            "subject_id": person.subject_id,
            "emar_id": f"{person.subject_id}-{number}",
            "emar_seq": number,
        }
        yield (
            "hosp.emar",
            {
                **emar,
                "hadm_id": hadm_ids[order],
                "poe_id": poe_ids[order],
                "pharmacy_id": pharmacy_ids[order],
                "enter_provider_id": draw.one(nurses),
                "charttime": dose.charted,
                "medication": order.drug.name,
                "event_txt": dose.event,
                "scheduletime": dose.scheduled,
                "storetime": dose.charted + draw.minutes(0, 3),
            },
        )
        for detail in _details(dose):
            yield "hosp.emar_detail", {**emar, "pharmacy_id": pharmacy_ids[order], **detail}


def _details(dose: Dose) -> Iterator[dict[str, object]]:
    """Write what was due, and below it what was given."""
    order = dose.order
    due = None if order.drug.sliding_scale or order.drug.infusion else order.dose
    unit = order.drug.infusion.unit if order.drug.infusion else order.drug.unit
    yield {
        "administration_type": dose.kind,
        "dose_due": due,
        "dose_due_unit": unit,
        "complete_dose_not_given": "No" if dose.given else None,
    }
    if dose.given is None:
        return
    product = {"product_code": order.drug.code, "product_description": order.drug.name}
    if order.drug.infusion:
        rate = {"infusion_rate": dose.given, "infusion_rate_unit": unit}
        yield {"parent_field_ordinal": "1.1", "barcode_type": "iv", **product, **rate}
        return
    yield {
        "parent_field_ordinal": "1.1",
        "barcode_type": "if",
        "dose_given": dose.given,
        "dose_given_unit": unit,
        "product_amount_given": order.drug.form_amount(dose.given),
        "product_unit": order.drug.form,
        **product,
    }

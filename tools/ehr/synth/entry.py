"""Orders as they were entered: poe and poe_detail rows, and the prescriptions and pharmacy rows that hang on them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from tools.ehr.synth.account import Account
from tools.ehr.synth.catalog import Catalog
from tools.ehr.synth.draw import Draw
from tools.ehr.synth.orders import Ending, Order
from tools.ehr.synth.person import Person
from tools.ehr.synth.rows import Row


@dataclass(frozen=True, eq=False)
class Entry:
    """One provider order entry. ``ends`` is the entry it discontinues."""

    time: datetime
    hadm_id: int
    kind: str
    subkind: str | None = None
    order: Order | None = None
    ends: "Entry | None" = None
    details: Mapping[str, str] = field(default_factory=dict)


def make_entries(draw: Draw, catalog: Catalog, account: Account) -> list[Entry]:
    """List everything entered during a stay."""
    stay = account.stay
    to = "ICU" if stay.icu else "Surgery" if stay.plan.reason.elective else "Medicine"
    admit = {"Admit category": "Admit to inpatient", "Admit to": to}
    entries = [
        Entry(stay.admittime, stay.hadm_id, "ADT orders", "Admit", details=admit),
        Entry(stay.admittime + draw.minutes(5, 40), stay.hadm_id, "Nutrition", "Diet Order"),
        Entry(stay.admittime + draw.minutes(5, 40), stay.hadm_id, "General Care", "Vitals/Monitoring"),
    ]
    entries += [
        Entry(sampling.charttime - draw.minutes(4, 20), stay.hadm_id, "Lab") for sampling in stay.samplings
    ]
    films = catalog.phrases.film_orders
    for report in account.reports:
        subkind = films.get(report.exam.partition(" ")[0], "General Xray")
        entries.append(Entry(report.taken - draw.minutes(10, 35), stay.hadm_id, "Radiology", subkind))
    for unit in account.units:
        kind = catalog.blood[unit.product].order
        entries.append(Entry(unit.start - draw.minutes(30, 90), stay.hadm_id, "Blood Bank", kind))
    for asked in stay.exposure.story.requests if stay.exposure else ():
        if stay.tells(asked):
            time = stay.moment(draw, asked.start)
            entries.append(Entry(time, stay.hadm_id, asked.type, asked.subtype))
    for order in account.orders:
        new = Entry(order.ordered, stay.hadm_id, "Medications", order=order)
        entries.append(new)
        if order.ending is Ending.DISCONTINUED:
            entries.append(Entry(order.stop - draw.minutes(0, 20), stay.hadm_id, "Medications", ends=new))
    done = {"Discharge Planning": "Finalized", "Discharge When": "Discharge Now"}
    time = stay.dischtime - timedelta(minutes=draw.whole(30, 150))
    entries.append(Entry(time, stay.hadm_id, "ADT orders", "Discharge", details=done))
    return entries


def number_entries(entries: Sequence[Entry]) -> dict[Entry, int]:
    """Number a patient's entries in order of time."""
    return {entry: number for number, entry in enumerate(sorted(entries, key=lambda e: e.time), start=1)}


def poe_id(person: Person, number: int) -> str:
    """Build MIMIC-IV's poe_id."""
    return f"{person.subject_id}-{number}"


def poe_rows(
    draw: Draw, person: Person, numbers: Mapping[Entry, int], providers: Sequence[str]
) -> Iterator[Row]:
    """Write poe and poe_detail."""
    ended_by = {entry.ends: number for entry, number in numbers.items() if entry.ends}
    for entry, number in numbers.items():
        key = {"poe_id": poe_id(person, number), "poe_seq": number, "subject_id": person.subject_id}
        yield (
            "hosp.poe",
            {
                **key,
                "hadm_id": entry.hadm_id,
                "ordertime": entry.time,
                "order_type": entry.kind,
                "order_subtype": entry.subkind,
                "transaction_type": "D/C" if entry.ends else "New",
                "discontinue_of_poe_id": poe_id(person, numbers[entry.ends]) if entry.ends else None,
                "discontinued_by_poe_id": poe_id(person, ended_by[entry]) if entry in ended_by else None,
                "order_provider_id": draw.one(providers),
                "order_status": "Inactive",
            },
        )
        for name, value in entry.details.items():
            yield "hosp.poe_detail", {**key, "field_name": name, "field_value": value}


def pharmacy_rows(
    catalog: Catalog, person: Person, hadm_id: int, order: Order, pharmacy_id: int, number: int, provider: str
) -> Iterator[Row]:
    """Write the pharmacy row of ``order`` and its prescriptions rows, the diluent's beside the drug's."""
    drug = order.drug
    hours = catalog.frequencies[drug.frequency]
    key = {
        "subject_id": person.subject_id,
        "hadm_id": hadm_id,
        "pharmacy_id": pharmacy_id,
        "poe_id": poe_id(person, number),
        "starttime": order.start,
        "stoptime": order.stop,
        "route": drug.route,
        "doses_per_24_hrs": len(hours) or None,
    }
    yield (
        "hosp.pharmacy",
        {
            **key,
            "medication": drug.name,
            "proc_type": drug.process,
            "status": order.ending.value,
            "entertime": order.entered,
            "verifiedtime": order.verified,
            "frequency": drug.frequency,
            "disp_sched": ", ".join(f"{hour:02d}" for hour in hours) or None,
            "infusion_type": "C" if drug.infusion or drug.drug_type == "BASE" else None,
            "sliding_scale": "Y" if drug.sliding_scale else None,
            "duration_interval": "Ongoing",
            "expiration_value": 365,
            "expiration_unit": "Days",
            "dispensation": "Omnicell",
        },
    )
    prescription = {**key, "poe_seq": number, "order_provider_id": provider, "ndc": "0"}
    yield (
        "hosp.prescriptions",
        {
            **prescription,
            "drug_type": drug.drug_type,
            "drug": drug.name,
            "formulary_drug_cd": drug.code,
            "prod_strength": drug.strength,
            "dose_val_rx": order.dose,
            "dose_unit_rx": drug.unit,
            "form_val_disp": drug.form_amount(order.dose),
            "form_unit_disp": drug.form,
        },
    )
    if drug.base:
        yield (
            "hosp.prescriptions",
            {
                **prescription,
                "drug_type": "BASE",
                "drug": drug.base.name,
                "formulary_drug_cd": drug.base.code,
                "prod_strength": drug.base.strength,
                "dose_val_rx": drug.base.dose,
                "dose_unit_rx": drug.base.unit,
                "form_val_disp": drug.base.dose,
                "form_unit_disp": drug.base.unit,
            },
        )

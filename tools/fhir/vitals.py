"""Vital-sign Observation from ed.triage, ed.vitalsign, icu.chartevents and hosp.omr."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, time
from functools import cached_property, partial
from itertools import groupby
from typing import Any

from tools.fhir.context import Context, Row
from tools.fhir.elements import Resource, compact, concept, date_time, number, quantity, text_of
from tools.fhir.systems import CHART_ITEM, LOINC, OBSERVATION_CATEGORY
from tools.fhir.vital_signs import (
    BLOOD_PRESSURE,
    COMPONENTS,
    ED_COLUMNS,
    ICU_ITEMIDS,
    ICU_ITEMS,
    ICU_PRESSURES,
    OMR_PRESSURE,
    OMR_RESULTS,
    PAIN,
    RHYTHM,
    VitalSign,
)

TABLES = ("ed.triage", "ed.vitalsign", "icu.chartevents", "hosp.omr")
CATEGORY = [concept("Vital Signs", (OBSERVATION_CATEGORY, "vital-signs", "Vital Signs"))]
LOWEST_FAHRENHEIT = 50
"""No living patient is colder; ed.vitalsign holds temperatures taken in Celsius and stored without conversion."""
PRESSURE_TEXT = re.compile(r"(\d+)\s*/\s*(\d+)")


@dataclass(frozen=True)
class Reading:
    """One vital sign at one time. ``taken`` is a date where the record has no time.

    ``value`` is a number in ``unit``, a text, or, for blood pressure, numbers in mmHg by side.
    """

    sign: VitalSign
    taken: datetime | date
    resource_id: str
    value: float | str | dict[str, float]
    unit: str | None = None
    text: str | None = None
    item: int | None = None
    hadm_id: int | None = None
    stay_id: int | None = None
    issued: datetime | None = None
    note: str | None = None

    @property
    def moment(self) -> datetime:
        """Give the time to sort and filter by; a date counts from its midnight."""
        return self.taken if isinstance(self.taken, datetime) else datetime.combine(self.taken, time())


class Vitals:
    """Vital signs of one chart."""

    def __init__(self, context: Context) -> None:
        self._context = context

    @cached_property
    def newest_first(self) -> list[Reading]:
        """Sort every known reading by time."""
        readings = [*_of_ed(self._context), *_of_icu(self._context), *_of_omr(self._context)]
        return sorted(readings, key=lambda reading: (reading.moment, reading.resource_id), reverse=True)

    def of_sign(self, sign: VitalSign) -> list[Reading]:
        """Give the readings of one vital sign, sorted like all."""
        return [reading for reading in self.newest_first if reading.sign is sign]

    def build(self, reading: Reading) -> Resource:
        """Build the Observation of one reading."""
        context, sign = self._context, reading.sign
        codings: list[tuple[str, str, str | None]] = [(LOINC, code, name) for code, name in sign.loinc]
        if reading.item is not None:
            codings.append((CHART_ITEM, str(reading.item), None))
        encounter = context.encounter(reading.hadm_id)
        if reading.stay_id is not None:
            encounter = context.ed_encounter(reading.stay_id)
        value: dict[str, Any]
        if isinstance(reading.value, dict):
            value = {"component": [_component(side, pressure) for side, pressure in reading.value.items()]}
        elif isinstance(reading.value, str):
            value = {"valueString": reading.value}
        else:
            value = {"valueQuantity": quantity(reading.value, reading.unit)}
        return compact(
            {
                "resourceType": "Observation",
                "id": reading.resource_id,
                "status": "final",
                "category": CATEGORY,
                "code": concept(reading.text or sign.display, *codings),
                "subject": context.subject,
                "encounter": encounter,
                "effectiveDateTime": date_time(reading.taken),
                "issued": date_time(reading.issued) if reading.issued is not None else None,
                **value,
                "note": [{"text": reading.note}] if reading.note else None,
            }
        )


def _component(side: str, pressure: float) -> Resource:
    loinc, display = COMPONENTS[side]
    return {"code": concept(display, (LOINC, loinc, display)), "valueQuantity": quantity(pressure, "mmHg")}


def _plain(value: float) -> float:
    """Drop the noise that conversions have left: ``36.799999999999997`` is 36.8."""
    rounded = round(value, 3)
    return int(rounded) if rounded == int(rounded) else rounded


def _measured(text: str) -> float | str:
    found = number(text)
    return text if found is None else found


def _of_ed(context: Context) -> Iterator[Reading]:
    """Read triage, taken on arrival, and the sets of vital signs charted during the stay."""
    for row in context.rows("ed.triage"):
        yield from _of_ed_set(context, row, context.ed_stays[row["stay_id"]]["intime"], "vs-triage")
    for row in context.rows("ed.vitalsign"):
        yield from _of_ed_set(context, row, row["charttime"], "vs-ed")


def _of_ed_set(context: Context, row: Row, taken: datetime, prefix: str) -> Iterator[Reading]:
    stay = context.ed_stays.get(row["stay_id"])
    base = f"{prefix}-{row['row_id']}"
    reading = partial(Reading, taken=taken, hadm_id=stay["hadm_id"] if stay else None, stay_id=row["stay_id"])
    for column, (sign, unit) in ED_COLUMNS.items():
        if (value := row[column]) is None:
            continue
        in_doubt = unit == "°F" and value < LOWEST_FAHRENHEIT
        yield reading(
            sign=sign,
            resource_id=f"{base}-{sign.id}",
            value=_plain(value),
            unit=None if in_doubt else unit,
            note=context.say("perhaps_celsius") if in_doubt else None,
        )
    sides = {"systolic": row["sbp"], "diastolic": row["dbp"]}
    if pressures := {side: _plain(value) for side, value in sides.items() if value is not None}:
        yield reading(sign=BLOOD_PRESSURE, resource_id=f"{base}-{BLOOD_PRESSURE.id}", value=pressures)
    for sign, column in ((PAIN, "pain"), (RHYTHM, "rhythm")):
        if text := text_of(row.get(column)):
            yield reading(sign=sign, resource_id=f"{base}-{sign.id}", value=_measured(text))


def _of_icu(context: Context) -> Iterator[Reading]:
    charted = sorted(context.rows("icu.chartevents", ICU_ITEMIDS), key=_icu_order)
    for (stay_id, charttime), group in groupby(charted, lambda row: (row["stay_id"], row["charttime"])):
        rows = {row["itemid"]: row for row in group if row["valuenum"] is not None or text_of(row["value"])}
        base = f"vs-icu-{stay_id}-{charttime:%Y%m%d%H%M%S}"
        for itemid, (sign, unit) in ICU_ITEMS.items():
            if itemid in rows:
                row = rows[itemid]
                value = _icu_value(row, sign)
                yield Reading(
                    sign, charttime, f"{base}-{itemid}", value, unit, None, itemid, *_icu_origin(row)
                )
        for method in ICU_PRESSURES:
            sides = {"systolic": method.systolic, "diastolic": method.diastolic, "mean": method.mean}
            present = {side: rows[itemid] for side, itemid in sides.items() if itemid in rows}
            pressures = {
                side: _plain(row["valuenum"]) for side, row in present.items() if row["valuenum"] is not None
            }
            if pressures:
                origin = _icu_origin(next(iter(present.values())))
                resource_id = f"{base}-{method.method}"
                yield Reading(
                    BLOOD_PRESSURE, charttime, resource_id, pressures, None, method.display, None, *origin
                )


def _icu_order(row: Row) -> tuple[int, datetime, int, str]:
    return row["stay_id"] or 0, row["charttime"], row["itemid"], str(row["storetime"])


def _icu_origin(row: Row) -> tuple[int | None, None, datetime | None]:
    """Give hadm_id, no emergency stay, and the time stored."""
    return row["hadm_id"], None, row["storetime"]


def _icu_value(row: Row, sign: VitalSign) -> float | str:
    said = text_of(row["value"])
    if row["valuenum"] is None or (sign is PAIN and said is not None and number(said) is None):
        return said or ""
    return _plain(row["valuenum"])


def _of_omr(context: Context) -> Iterator[Reading]:
    for row in context.rows("hosp.omr"):
        name, text = text_of(row["result_name"]) or "", text_of(row["result_value"])
        if text is None:
            continue
        taken = row["chartdate"].date() if isinstance(row["chartdate"], datetime) else row["chartdate"]
        resource_id = f"vs-omr-{row['row_id']}"
        pressure = PRESSURE_TEXT.fullmatch(text)
        if name.startswith(OMR_PRESSURE):
            value: Any = {"systolic": int(pressure[1]), "diastolic": int(pressure[2])} if pressure else text
            yield Reading(BLOOD_PRESSURE, taken, resource_id, value, text=name)
        elif name in OMR_RESULTS:
            sign, unit = OMR_RESULTS[name]
            yield Reading(sign, taken, resource_id, _measured(text), unit, text=name)

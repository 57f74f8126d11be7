"""FHIR data types from the record's values."""

import re
from datetime import date, datetime
from typing import Any

from tools.fhir.systems import UCUM, UCUM_OF_UNIT

Resource = dict[str, Any]
DECIMAL = re.compile(r"-?(?:(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\.[0-9]*)?|\.[0-9]+)")


def date_time(moment: object) -> str:
    """Write a FHIR dateTime.

    MIMIC-IV times are shifted local times without a zone, and FHIR demands an offset wherever a time is given: the
    offset is always ``+00:00`` and says nothing about the hospital's clock. A date stays a date.
    """
    if isinstance(moment, datetime):
        return f"{moment.isoformat(timespec='seconds')}+00:00"
    if isinstance(moment, date):
        return moment.isoformat()
    raise TypeError(f"no date or time: {moment!r}")


def day(moment: datetime | date) -> str:
    """Write the date alone."""
    return f"{moment:%Y-%m-%d}"


def concept(text: str, *codings: tuple[str, str, str | None]) -> Resource:
    """Build a CodeableConcept from its text and ``(system, code, display)`` triples."""
    coding = [
        {"system": system, "code": code} | ({"display": display} if display else {})
        for system, code, display in codings
    ]
    return ({"coding": coding} if coding else {}) | {"text": text}


def quantity(value: float, unit: str | None) -> Resource:
    """Build a Quantity; the UCUM code is added where the record's unit has an exact one."""
    built: Resource = {"value": value}
    if unit:
        built["unit"] = unit
        if unit in UCUM_OF_UNIT:
            built |= {"system": UCUM, "code": UCUM_OF_UNIT[unit]}
    return built


def reference(resource_type: str, resource_id: object) -> Resource:
    """Build a relative reference."""
    return {"reference": f"{resource_type}/{resource_id}"}


def text_of(value: object) -> str | None:
    """Return the record's text without padding; None where it is empty or only a redaction mark."""
    text = str(value).strip() if value is not None else ""
    return text if text.strip("_ \t\r\n") else None


def number(text: str) -> float | None:
    """Read a decimal as it is written, thousands commas allowed; None for anything else."""
    plain = text.strip()
    if not DECIMAL.fullmatch(plain):
        return None
    plain = plain.replace(",", "")
    return float(plain) if "." in plain else int(plain)


def compact(resource: Resource) -> Resource:
    """Drop elements that are None or empty: FHIR allows no empty element."""
    return {key: value for key, value in resource.items() if value or value == 0}

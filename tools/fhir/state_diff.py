"""What a session wrote between two states of its overlay: the one account of writes that grading goes by."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from state.base import ResourceRef
from tools.ehr.overlay import is_new
from tools.fhir.elements import Resource
from tools.vocabulary import Dose

TEXTS = ("code", "detail", "indication", "note", "reason")
"""Fields in which a write says something in words of its own."""
AT_ONCE = frozenset({"ONCE", "STAT"})
"""Schedules that a duration of one day adds nothing to."""


@dataclass(frozen=True)
class Write:
    """A resource created, or an order ended. ``fields`` are its normal form, under the names of the tool's arguments.

    Doses are ``Dose``, times FHIR, routes and schedules the vocabulary's codes, everything else the caller's words;
    what was left out is no field. ``status`` is one more, and ``_id`` of an ended order is its reference.
    """

    ref: ResourceRef
    tool: str
    fields: Mapping[str, Any]

    @property
    def text(self) -> str:
        """Give all that the write says in words."""
        return "\n".join(str(self.fields[name]) for name in TEXTS if name in self.fields)


@dataclass(frozen=True)
class StateDiff:
    """Writes in the order they were first made; an order created and ended within is created, with its last status."""

    created: tuple[Write, ...] = ()
    changed: tuple[Write, ...] = ()

    def of(self, tool: str) -> tuple[Write, ...]:
        """Give the writes of one tool, by its dotted name."""
        return tuple(write for write in (*self.created, *self.changed) if write.tool == tool)


def state_diff(before: Sequence[Resource], after: Sequence[Resource]) -> StateDiff:
    """Tell what was created and changed from one overlay snapshot to a later one."""
    known = {_reference(resource): resource for resource in before}
    fresh = [resource for resource in after if known.get(_reference(resource)) != resource]
    created = [r for r in fresh if is_new(r) and _reference(r) not in known]
    changed = [r for r in fresh if not is_new(r) or _reference(r) in known]
    return StateDiff(
        created=tuple(Write(_reference(r), *_CREATED[r["resourceType"]](r)) for r in created),
        changed=tuple(Write(_reference(r), "MedicationRequest.patch", _present(_ended(r))) for r in changed),
    )


def _reference(resource: Resource) -> ResourceRef:
    return ResourceRef(f"{resource['resourceType']}/{resource['id']}")


def _present(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}


def _drug_order(order: Resource) -> tuple[str, dict[str, Any]]:
    dosage = order["dosageInstruction"][0]
    frequency = dosage["timing"]["code"]["text"]
    days = dosage["timing"].get("repeat", {}).get("boundsDuration", {}).get("value")
    return "MedicationRequest.create", _present(
        {
            "medication": order["medicationCodeableConcept"]["text"],
            "dose": _dose(dosage["doseAndRate"][0]),
            "route": dosage["route"]["text"],
            "frequency": frequency,
            "duration_days": None if days == 1 and frequency in AT_ONCE else days,
            "indication": next((reason["text"] for reason in order.get("reasonCode", [])), None),
            "status": order["status"],
        }
    )


def _dose(amount: Resource) -> Dose:
    if "doseQuantity" in amount:
        return Dose(amount["doseQuantity"]["value"], amount["doseQuantity"]["unit"])
    low, high = amount["doseRange"]["low"], amount["doseRange"]["high"]
    return Dose(low["value"], low["unit"], high["value"])


def _service(request: Resource) -> tuple[str, dict[str, Any]]:
    return "ServiceRequest.create", _present(
        {
            "service_type": request["code"]["text"],
            "priority": request["priority"],
            "target_date": request.get("occurrenceDateTime"),
            "note": next((note["text"] for note in request.get("note", [])), None),
            "status": request["status"],
        }
    )


def _flag(flag: Resource) -> tuple[str, dict[str, Any]]:
    return "Flag.create", {
        "category": _flag_category(flag["category"][0]),
        "code": flag["code"]["coding"][0]["display"],
        "detail": flag["code"]["text"],
        "status": flag["status"],
    }


def _flag_category(category: Resource) -> str:
    """Give the category as the tool's argument has it; FHIR's own code for administrative is admin."""
    return str(category["text"]).lower()


def _ended(order: Resource) -> dict[str, Any]:
    return {
        "_id": _reference(order),
        "medication": order["medicationCodeableConcept"]["text"],
        "status": order["status"],
        "reason": order["statusReason"]["text"],
    }


_CREATED = {"MedicationRequest": _drug_order, "ServiceRequest": _service, "Flag": _flag}

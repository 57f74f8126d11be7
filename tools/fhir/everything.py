"""Patient.everything: all that the searches find, and what this session wrote, in one paged Bundle."""

from collections.abc import Callable, Mapping
from typing import Any

from tools.fhir.arguments import DatedSearchArguments
from tools.fhir.context import Context
from tools.fhir.dates import day_or_moment
from tools.fhir.elements import Resource
from tools.fhir.listing import Listing, Notice
from tools.fhir.outcome import IssueType, Refused
from tools.fhir.patients import read_patient
from tools.fhir.search_arguments import PatientEverything

Search = Callable[[Any], Listing[Any]]
Found = tuple[str, Listing[Any], Any]
"""A resource type, the listing of that type, and one of its hits."""
WRITTEN = {"ServiceRequest": "authoredOn", "Flag": "period"}
"""What sessions write and no search finds -> the element that holds its time."""


def search_everything(
    context: Context,
    searches: Mapping[str, tuple[Search, type[DatedSearchArguments]]],
    asked: PatientEverything,
) -> Listing[Found]:
    """Find everything, type by type; the counts of all types are told on every page.

    A type that cannot be searched in this warehouse is told, not left out in silence.
    """
    context.check_admission(asked.hadm_id)
    shared = asked.model_dump(
        mode="json", by_alias=True, exclude_none=True, exclude={"count", "page", "resource_id"}
    )
    patient = _made("Patient", [read_patient(context)])
    found: list[Found] = [("Patient", patient, hit) for hit in patient.hits]
    counts = {"Patient": 1}
    notices: list[Notice] = []
    for kind, (search, arguments) in searches.items():
        try:
            listing = search(arguments.model_validate(shared))
        except Refused as refusal:
            counts[kind] = 0
            notices.append(Notice(refusal.code, f"{kind}: {refusal.text}", severity="warning"))
            continue
        counts[kind] = len(listing.hits)
        found += [(kind, listing, hit) for hit in listing.hits]
        notices += (n for n in (*listing.notices, *listing.if_several) if n not in notices)
    for kind in WRITTEN:
        written = _made(kind, [r for r in context.chart.overlay.created(kind) if _covered(asked, r)])
        counts[kind] = len(written.hits)
        found += [(kind, written, hit) for hit in written.hits]
    told = context.say("counts", counts=", ".join(f"{kind} {count}" for kind, count in counts.items()))
    return Listing(
        what=context.say("everything"),
        order=context.say("by_type"),
        hits=found,
        identify=lambda one: f"{one[0]}/{one[1].identify(one[2])}",
        build=lambda one: one[1].build(one[2]),
        notices=(Notice(IssueType.INFORMATIONAL, told), *notices),
    )


def _made(kind: str, resources: list[Resource]) -> Listing[Resource]:
    """List resources that are built already."""
    return Listing(
        what=kind,
        order="",
        hits=resources,
        identify=lambda resource: resource["id"],
        build=lambda resource: resource,
    )


def _covered(asked: PatientEverything, written: Resource) -> bool:
    moment = written[WRITTEN[written["resourceType"]]]
    return asked.covers(day_or_moment(moment if isinstance(moment, str) else moment["start"])[0])

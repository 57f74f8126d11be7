"""What a search found, and the page of it that is shown."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar
from urllib.parse import urlencode

from tools.fhir.arguments import SearchArguments
from tools.fhir.elements import Resource
from tools.fhir.outcome import IssueType, Refused, operation_outcome

Hit = TypeVar("Hit")


@dataclass(frozen=True)
class Notice:
    """Something the reader of a result must know beside it."""

    code: IssueType
    text: str
    severity: str = "information"


def incomplete(tables: Iterable[str]) -> tuple[Notice, ...]:
    """Warn of each table that the warehouse's source lacked."""
    return tuple(
        Notice(
            IssueType.INCOMPLETE,
            f"{table} was not loaded into this warehouse: records from it are missing here",
            severity="warning",
        )
        for table in tables
    )


@dataclass(frozen=True)
class Listing(Generic[Hit]):
    """Everything a search found, in order, with how to make a resource of one hit.

    ``what`` names what was searched in the plural ("results of Potassium"), ``order`` the order of ``hits``.
    """

    what: str
    order: str
    hits: Sequence[Hit]
    build: Callable[[Hit], Resource]
    notices: tuple[Notice, ...] = ()


@dataclass(frozen=True)
class Page:
    """One page of a listing: numbers are from 1; ``first`` and ``last`` are 0 on an empty page."""

    what: str
    order: str
    number: int
    of: int
    first: int
    last: int
    total: int


def show_page(resource_type: str, listing: Listing[Any], arguments: SearchArguments) -> tuple[Resource, Page]:
    """Build the Bundle of the page asked for; refuse a page that does not exist."""
    total, count, number = len(listing.hits), arguments.count, arguments.page
    pages = max(1, -(-total // count))
    if number > pages:
        raise Refused(
            IssueType.VALUE,
            f"page {number} does not exist: {total} {listing.what}, {count} a page, last page {pages}",
        )
    start = (number - 1) * count
    shown = [listing.build(hit) for hit in listing.hits[start : start + count]]
    entries = [
        {
            "fullUrl": f"{resource['resourceType']}/{resource['id']}",
            "resource": resource,
            "search": {"mode": "match"},
        }
        for resource in shown
    ]
    entries += [
        {"resource": operation_outcome(n.code, n.text, n.severity), "search": {"mode": "outcome"}}
        for n in listing.notices
    ]
    links = [{"relation": "self", "url": _url(resource_type, arguments, number)}]
    if number < pages:
        links.append({"relation": "next", "url": _url(resource_type, arguments, number + 1)})
    bundle: Resource = {"resourceType": "Bundle", "type": "searchset", "total": total, "link": links}
    if entries:
        bundle["entry"] = entries
    first = start + 1 if shown else 0
    return bundle, Page(listing.what, listing.order, number, pages, first, start + len(shown), total)


def matches(bundle: Resource) -> list[Resource]:
    """Return the resources of a searchset that match the search, without notices."""
    return [entry["resource"] for entry in bundle.get("entry", []) if entry["search"]["mode"] == "match"]


def _url(resource_type: str, arguments: SearchArguments, page: int) -> str:
    asked = arguments.model_dump(mode="json", by_alias=True, exclude_none=True)
    return f"{resource_type}?{urlencode({**asked, 'page': page})}"

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

    ``what`` names what was searched in the plural ("results of Potassium"), ``order`` the order of ``hits``;
    ``identify`` gives the id a hit's resource will have, or its reference where types are mixed. The only hit of a
    page is built by ``build_alone``, where that shows more; otherwise ``if_several`` is told beside the page.
    """

    what: str
    order: str
    hits: Sequence[Hit]
    identify: Callable[[Hit], str]
    build: Callable[[Hit], Resource]
    notices: tuple[Notice, ...] = ()
    build_alone: Callable[[Hit], Resource] | None = None
    if_several: tuple[Notice, ...] = ()


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


def show_page(path: str, listing: Listing[Any], arguments: SearchArguments) -> tuple[Resource, Page]:
    """Build the Bundle of the page asked for; refuse a page or an id that does not exist.

    ``path`` is what links begin with: the resource type of a search.
    """
    hits = listing.hits if arguments.resource_id is None else _of_id(path, listing, arguments.resource_id)
    total, count, number = len(hits), arguments.count, arguments.page
    pages = max(1, -(-total // count))
    if number > pages:
        raise Refused(
            IssueType.VALUE,
            f"page {number} does not exist: {total} {listing.what}, {count} a page, last page {pages}",
        )
    start = (number - 1) * count
    on_page = hits[start : start + count]
    several = len(on_page) > 1
    build = listing.build if several or listing.build_alone is None else listing.build_alone
    shown = [build(hit) for hit in on_page]
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
        for n in (*listing.notices, *(listing.if_several if several else ()))
    ]
    links = [{"relation": "self", "url": _url(path, arguments, number)}]
    if number < pages:
        links.append({"relation": "next", "url": _url(path, arguments, number + 1)})
    bundle: Resource = {"resourceType": "Bundle", "type": "searchset", "total": total, "link": links}
    if entries:
        bundle["entry"] = entries
    first = start + 1 if shown else 0
    return bundle, Page(listing.what, listing.order, number, pages, first, start + len(shown), total)


def matches(bundle: Resource) -> list[Resource]:
    """Return the resources of a searchset that match the search, without notices."""
    return [entry["resource"] for entry in bundle.get("entry", []) if entry["search"]["mode"] == "match"]


def _of_id(path: str, listing: Listing[Any], asked: str) -> list[Any]:
    wanted = asked if "/" in asked else f"/{asked}"
    hits = [hit for hit in listing.hits if _reference(path, listing.identify(hit)).endswith(wanted)]
    if not hits:
        raise Refused(
            IssueType.NOT_FOUND,
            f"nothing with _id {asked!r} is among the {listing.what} known: see _id as results name it",
        )
    return hits


def _reference(path: str, identified: str) -> str:
    return identified if "/" in identified else f"{path}/{identified}"


def _url(path: str, arguments: SearchArguments, page: int) -> str:
    asked = arguments.model_dump(mode="json", by_alias=True, exclude_none=True)
    return f"{path}?{urlencode({**asked, 'page': page})}"

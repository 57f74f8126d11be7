"""What a search found, and the page of it that is shown."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar
from urllib.parse import urlencode

from tools.fhir.arguments import SearchArguments
from tools.fhir.elements import Resource
from tools.fhir.labels import Labels
from tools.fhir.outcome import IssueType, Refused, operation_outcome
from tools.fhir.render import Renderer
from tools.fhir.tokens import RESULT_TOKENS, estimate_tokens

Hit = TypeVar("Hit")
HEAD_TOKENS = 150
"""Kept free for the head of a page, and for each notice beside it."""
MARKS_A_LINE = 2
"""Tokens of the dash before a line and of its end."""
SMALLER_PAGES = (50, 25, 20, 10, 5, 4, 2, 1)
"""Sizes a page is divided into: each divides well in its turn."""


@dataclass(frozen=True)
class Notice:
    """Something the reader of a result must know beside it."""

    code: IssueType
    text: str
    severity: str = "information"


def incomplete(labels: Labels, tables: Iterable[str]) -> tuple[Notice, ...]:
    """Warn of each table that the warehouse's source lacked."""
    return tuple(
        Notice(IssueType.INCOMPLETE, labels.say("not_loaded", table=table), severity="warning")
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


def show_page(
    path: str, listing: Listing[Any], arguments: SearchArguments, renderer: Renderer
) -> tuple[Resource, str]:
    """Build the Bundle of the page asked for and its text; refuse a page or an id that does not exist.

    ``path`` is what links begin with: the resource type of a search. Nothing is cut: where the page would take more
    than ``RESULT_TOKENS``, it is divided, and what is shown is the page of a smaller ``_count`` that begins with the
    same result. A result too long by itself is shown whole.
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
    told = [
        operation_outcome(n.code, n.text, n.severity)
        for n in (*listing.notices, *(listing.if_several if several else ()))
    ]
    shown, lines = _fitting(map(build, on_page), renderer, RESULT_TOKENS - HEAD_TOKENS * (1 + len(told)))
    if len(shown) < len(on_page):
        count = next(size for size in SMALLER_PAGES if size <= len(shown) and start % size == 0)
        shown, lines = shown[:count], lines[:count]
        number, pages = start // count + 1, -(-total // count)
    entries = [
        {
            "fullUrl": f"{resource['resourceType']}/{resource['id']}",
            "resource": resource,
            "search": {"mode": "match"},
        }
        for resource in shown
    ]
    entries += [{"resource": outcome, "search": {"mode": "outcome"}} for outcome in told]
    links = [{"relation": "self", "url": _url(path, arguments, count, number)}]
    if number < pages:
        links.append({"relation": "next", "url": _url(path, arguments, count, number + 1)})
    bundle: Resource = {"resourceType": "Bundle", "type": "searchset", "total": total, "link": links}
    if entries:
        bundle["entry"] = entries
    said = {"what": listing.what, "order": listing.order, "total": total, "asked": arguments.count}
    said |= {
        "first": start + 1,
        "last": start + len(shown),
        "number": number,
        "of": pages,
        "next": number + 1,
    }
    phrase = _head(total, pages, last=number == pages, shortened=count < arguments.count)
    return bundle, renderer.page(phrase, told, lines, count=count, **said)


def _head(total: int, pages: int, *, last: bool, shortened: bool) -> str:
    if total == 0:
        return "none_known"
    if pages == 1:
        return "one_page"
    if shortened:
        return "page_shortened"
    return "last_page" if last else "page_with_more"


def _fitting(
    resources: Iterable[Resource], renderer: Renderer, tokens: int
) -> tuple[list[Resource], list[str]]:
    """Take resources with their lines as long as these fit; one at least."""
    shown: list[Resource] = []
    lines: list[str] = []
    for resource in resources:
        line = renderer.line(resource)
        tokens -= estimate_tokens(line) + MARKS_A_LINE
        if tokens < 0 and shown:
            break
        shown.append(resource)
        lines.append(line)
    return shown, lines


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


def _url(path: str, arguments: SearchArguments, count: int, page: int) -> str:
    asked = arguments.model_dump(mode="json", by_alias=True, exclude_none=True)
    return f"{path}?{urlencode({**asked, '_count': count, 'page': page})}"

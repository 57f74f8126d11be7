"""A session before the checkers: its plan, its words, its gold, and the record it is about."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from agents.news import tells
from state.base import Language, ResourceRef
from state.checking import Check, Ruling, Stage
from state.gold import GoldSession, ToolCall
from state.patient import PatientFacts
from state.plan import ORDER, SessionPlan
from state.session import Session
from tools.fhir.listing import matches
from tools.fhir.toolset import TOOLS, ToolResult
from tools.gold import GoldSource, NoGold
from tools.interview.guard import Titles

Resource = dict[str, Any]
Resolver = Callable[["Case", int, Language], list[str]]
"""Says why the implicit form of a turn in a language has not exactly one reading; nothing where it has."""


class CannotDecide(Exception):
    """A checker lacks what it needs to rule; the session does not pass."""


@dataclass(frozen=True)
class Observed:
    """What one reading call showed."""

    call: ToolCall
    result: ToolResult
    resources: tuple[Resource, ...]


@dataclass(frozen=True)
class Case:
    """What is known of a session so far; a checker that needs what is not there cannot decide.

    ``calls`` are the gold calls of each turn. ``source`` is read only: nothing may be written in its chart.
    """

    source: GoldSource
    plan: SessionPlan
    calls: tuple[tuple[ToolCall, ...], ...] = ()
    session: Session | None = None
    gold: GoldSession | None = None
    patient: PatientFacts | None = None
    titles: Titles | None = None
    resolver: Resolver | None = None

    def having(self, **changes: Any) -> "Case":
        """Give the case with more known of it."""
        return replace(self, **changes)

    def at(self, index: int) -> "Case":
        """Give the case as it stands when turn ``index`` is asked: drugs that were looked up before may be named."""
        told = (tells(turn, self.source.match) for turn in self.plan.turns[:index])
        known = any(ORDER in topics for topics in told)
        return replace(self, source=self.source.knowing_the_order()) if known else self

    @property
    def words(self) -> Session:
        """Give the session; a checker of words cannot decide without."""
        if self.session is None:
            raise CannotDecide("the session has no words yet")
        return self.session

    @property
    def answers(self) -> GoldSession:
        """Give the gold; a checker of gold cannot decide without."""
        if self.gold is None:
            raise CannotDecide("the session has no gold yet")
        return self.gold

    @cached_property
    def observed(self) -> tuple[tuple[Observed, ...], ...]:
        """Run the reading calls of every turn, each once; calls that write are left to the replay."""
        return tuple(
            tuple(
                self._observe(call) for call in calls if call.tool not in TOOLS or not TOOLS[call.tool].writes
            )
            for calls in self.calls
        )

    @cached_property
    def shown(self) -> dict[ResourceRef, Resource]:
        """Give every resource the calls showed by its reference; of a result that a report spells out, the report."""
        by_ref: dict[ResourceRef, Resource] = {}
        for resource in self.resources():
            by_ref[ResourceRef(f"{resource['resourceType']}/{resource['id']}")] = resource
            for result in resource.get("result", []):
                by_ref.setdefault(ResourceRef(result["reference"]), resource)
        for turn in self.observed:
            for observed in turn:
                for ref in observed.result.refs if len(observed.resources) == 1 else ():
                    by_ref.setdefault(ref, observed.resources[0])
        return by_ref

    @cached_property
    def leaves(self) -> frozenset[Any]:
        """Give every value that the resources shown hold, each once."""
        return frozenset(leaf for resource in self.resources() for leaf in leaves(resource))

    def resources(self) -> Iterator[Resource]:
        """Give every resource the calls showed."""
        for turn in self.observed:
            for observed in turn:
                yield from observed.resources

    def _observe(self, call: ToolCall) -> Observed:
        result = self.source.result(call)
        if not result.ok:
            return Observed(call, result, ())
        bundle = result.resource["resourceType"] == "Bundle"
        return Observed(call, result, tuple(matches(result.resource) if bundle else [result.resource]))


def leaves(value: Any) -> Iterator[Any]:
    """Give every value of a resource that holds no others."""
    if isinstance(value, dict):
        for inner in value.values():
            yield from leaves(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from leaves(inner)
    else:
        yield value


UNREADABLE = (LookupError, ValueError, NoGold)
"""What a session that is not as it should be makes a checker raise."""
Checker = Callable[[Case], list[str]]
"""Gives every reason to reject a case; raises CannotDecide where it cannot tell."""


def ruled(stage: Stage, checker: Checker, case: Case) -> Check:
    """Run a checker. What it cannot find or read in a session is no pass: it stays undecided, and the report counts it.

    Anything else that a checker raises is a fault of ours and ends the command; its journal keeps what was finished.
    """
    try:
        reasons = checker(case)
    except CannotDecide as doubt:
        return Check(stage=stage, ruling=Ruling.CANNOT_DECIDE, reasons=(str(doubt),))
    except UNREADABLE as failure:
        return Check(
            stage=stage, ruling=Ruling.CANNOT_DECIDE, reasons=(f"{type(failure).__name__}: {failure}",)
        )
    if reasons:
        return Check(stage=stage, ruling=Ruling.REJECT, reasons=tuple(reasons))
    return Check(stage=stage, ruling=Ruling.ACCEPT)

"""The judges: models that say of single items what code cannot decide, one alone or a panel by majority."""

import asyncio
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage

from agents.gateway import Call, CallFailed, Gateway, WireTools
from agents.judge_case import Case
from agents.judge_reply import FORM, Opinion, Unusable, read_opinion
from agents.models import COMPATIBLE, refuse_own_judge, serve
from agents.prompts import prompt
from agents.structured import written
from state.base import InputError
from state.gold import RubricItem
from state.journal import FailureKind, Place
from state.manifest import RunSettings
from state.models import Catalogue, ModelChoice, ServedModel
from state.outcome import Ballot, ItemVerdict, JudgeFault, Verdict

RULES = "offline/rules"
ATTEMPTS = 2
NOTHING = "(nothing)"
SHOWN_CHARS = 2_000
"""How much of an unusable reply its judge is shown again."""


@dataclass(frozen=True)
class Seat:
    """One judge, as it is asked for a verdict."""

    served: ServedModel
    tools: WireTools


@dataclass(frozen=True)
class Panel:
    """The judges of a run; none where code alone judges. ``cross_check``: the share of decided items they see too."""

    seats: tuple[Seat, ...] = ()
    cross_check: float = 0.0

    @property
    def names(self) -> tuple[str, ...]:
        """Name the judges."""
        return tuple(seat.served.name for seat in self.seats)

    def cross_checks(self, session_id: str, turn: int, item_id: str) -> bool:
        """Draw whether an item that code decided is put to the judges: the same in every run with that share."""
        drawn = hashlib.sha256(f"{session_id} {turn} {item_id}".encode()).digest()
        return int.from_bytes(drawn[:8], "big") < self.cross_check * 2**64


def seat_panel(settings: RunSettings, catalogue: Catalogue, examinee: ServedModel | None) -> Panel:
    """Seat the judges of ``--judge``; a name nobody knows, a name twice or the examinee's kin is an InputError."""
    names = judge_names(settings.judge)
    if names == (RULES,):
        return Panel()
    seats = []
    for name in names:
        if name.startswith("offline/"):
            raise InputError(
                f"unknown judge {name!r}: {RULES}, alone, or models like provider/name, by commas; code decides what "
                "it can beside any model"
            )
        elsewhere = name.startswith(f"{COMPATIBLE}/")
        choice = ModelChoice(
            name=name,
            base_url=settings.judge_base_url if elsewhere else None,
            key_variable=settings.judge_key_variable if elsewhere else None,
            temperature=0.0,
        )
        if elsewhere and settings.judge_base_url is None:
            raise InputError(f"judge {name!r} needs --judge-base-url, the address of its endpoint")
        served = serve(choice, catalogue)
        if examinee is not None and not settings.own_judge:
            refuse_own_judge(examinee, served)
        seats.append(Seat(*FORM.asked_of(served)))
    return Panel(tuple(seats), settings.cross_check)


def judge_names(text: str) -> tuple[str, ...]:
    """Split ``a,b,c``; an empty name or one given twice is an InputError."""
    names = tuple(name.strip() for name in text.split(","))
    if not all(names):
        raise InputError(f"--judge {text!r} holds an empty name: write provider/name, several by commas")
    if len(set(names)) < len(names):
        raise InputError(f"--judge {text!r} names a judge twice: each has one vote")
    return names


async def poll(
    panel: Panel,
    gateway: Gateway,
    case: Case,
    place: Place,
    asked: Sequence[tuple[int, RubricItem, Verdict]],
) -> list[Ballot]:
    """Ask every judge about every item, all at a time; ``asked`` has an item's place in its rubric and code's verdict.

    RunStopped and JournalMiss are raised once every call under way has ended.
    """
    done = await asyncio.gather(
        *(
            _ask(seat, gateway, case, place.model_copy(update={"step": number}), item, code)
            for number, item, code in asked
            for seat in panel.seats
        ),
        return_exceptions=True,
    )
    ballots: list[Ballot] = []
    for one in done:
        if isinstance(one, BaseException):
            raise one
        ballots.append(one)
    return ballots


async def _ask(
    seat: Seat, gateway: Gateway, case: Case, place: Place, item: RubricItem, code: Verdict
) -> Ballot:
    """Ask one judge about one item, and once more where nothing can be done with its reply."""
    messages: list[AnyMessage] = case.messages(item)
    ballot = Ballot(
        item_id=item.item_id, judge=seat.served.name, code=code, verdict=Verdict.CANNOT_TELL, reason=""
    )
    for attempt in range(ATTEMPTS):
        here = place.model_copy(update={"attempt": attempt})
        try:
            reply = await gateway.ask(Call(seat.served, here, messages, seat.tools))
        except CallFailed as failed:
            overflow = failed.failure.kind is FailureKind.CONTEXT_OVERFLOW
            fault = JudgeFault.OVERFLOW if overflow else JudgeFault.FAILED
            return ballot.model_copy(update={"fault": fault, "reason": str(failed)})
        read = read_opinion(reply, case.quotable(item), case.turns[-1].question)
        if isinstance(read, Opinion):
            return ballot.model_copy(update={**read.model_dump(), "fault": None})
        ballot = ballot.model_copy(update={"fault": read.fault, "reason": read.why})
        messages = _told(messages, reply, read, case)
    return ballot


def _told(messages: list[AnyMessage], reply: AIMessage, read: Unusable, case: Case) -> list[AnyMessage]:
    """Add what was wrong to the conversation; a function call is shown as text, since nothing answers it."""
    again = prompt("judge", "again", case.language, fault=read.why)
    return [*messages, AIMessage(written(reply)[:SHOWN_CHARS] or NOTHING), HumanMessage(again)]


def tally(item: RubricItem, ballots: Sequence[Ballot]) -> ItemVerdict:
    """Give the verdict of more than half of the judges; where there is none, "cannot tell".

    Not met is a false statement where more than half of those who say so say that the answer states otherwise.
    """
    votes = {verdict: [b for b in ballots if b.verdict is verdict] for verdict in Verdict}
    verdict = max(votes, key=lambda one: len(votes[one]))
    if 2 * len(votes[verdict]) <= len(ballots):
        verdict = Verdict.CANNOT_TELL
    against = [ballot.says_otherwise for ballot in votes[Verdict.NOT_MET]]
    wrong = verdict is Verdict.NOT_MET and 2 * sum(against) > len(against)
    reasons = votes[verdict] if verdict is not Verdict.CANNOT_TELL else ballots
    return ItemVerdict(
        item_id=item.item_id,
        verdict=verdict,
        decided_by="model",
        reason="; ".join(f"{ballot.judge}: {ballot.reason}" for ballot in reasons),
        safety=item.safety or item.gate or wrong,
        gate=item.gate,
    )

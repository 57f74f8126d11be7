"""The gateway: the one way to a model. Journal first, then the provider's rate, then the call with its retries."""

import asyncio
import json
import math
import random
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from typing import Any, Self

from langchain_core.messages import AIMessage, AnyMessage
from langchain_core.tools import BaseTool
from langchain_core.utils.function_calling import convert_to_openai_tool
from tenacity import AsyncRetrying, RetryCallState, retry_if_exception

from agents.cells import Cells
from agents.failures import RETRIED, classify, describe, never_reached, retry_after
from agents.journal import Journal, digest, parts_of
from agents.limiter import Bucket
from agents.models import cost_usd
from agents.patience import Patience, Tries
from agents.purse import Purse, RunLimits, RunStopped, Worst
from agents.silence import Silence
from agents.wire import REPLY, message_of
from state.journal import Entry, Failure, FailureKind, Parts, Place, Reply
from state.models import ServedModel
from state.trajectory import Usage
from tools.counted import times

BYTES_A_TOKEN = 4
"""A rough measure, for rates and estimates only; bills count what the provider counted."""
REPLY_TOKENS = 500
"""What a reply is expected to take from a rate before it is known."""
LOOK_SECONDS = 1.0
"""How often it is looked whether an endpoint is silent."""
LONGEST_REPLY_TOKENS = 8192
"""What a reply is taken to be at most where no --output-tokens says it."""


class CallFailed(Exception):
    """A call that gave no reply, and why."""

    def __init__(self, failure: Failure) -> None:
        """Keep the failure."""
        super().__init__(f"{failure.kind.value}: {failure.text}")
        self.failure = failure


class JournalMiss(Exception):
    """A replay came to a call that its journal does not hold."""


class OutOfTime(Exception):
    """The turn's time is up while its model still writes."""


def tokens_in(value: object) -> float:
    """Guess how many tokens a JSON value is."""
    return len(json.dumps(value, ensure_ascii=False).encode("utf-8", "replace")) / BYTES_A_TOKEN


@dataclass(frozen=True)
class WireTools:
    """A tool list as it is sent, made once a run."""

    schemas: list[dict[str, Any]]
    digest: str
    tokens: float

    @classmethod
    def of(cls, tools: Sequence[BaseTool]) -> "WireTools":
        """Write tools as OpenAI functions."""
        return cls.of_schemas([convert_to_openai_tool(tool) for tool in tools])

    @classmethod
    def of_schemas(cls, schemas: list[dict[str, Any]]) -> "WireTools":
        """Take tools as they are written already."""
        return cls(schemas, digest(schemas), tokens_in(schemas))


NO_TOOLS = WireTools([], "none", 0.0)


@dataclass(frozen=True)
class Call:
    """What is asked of whom, and where in the run. ``seconds_left`` is what the turn still has.

    ``failure_stands``: something else steps in for a call that fails, and what follows rests on that; a failure in the
    journal is then its end, in a resumed run too.
    """

    served: ServedModel
    place: Place
    messages: Sequence[AnyMessage]
    tools: WireTools
    seconds_left: float = math.inf
    failure_stands: bool = False

    @property
    def expected_tokens(self) -> float:
        """Guess what the call reads."""
        return self.tokens_read + REPLY_TOKENS

    @cached_property
    def tokens_read(self) -> float:
        """Guess what the call reads."""
        return (
            self.tools.tokens
            + sum(len(m.text.encode("utf-8", "replace")) for m in self.messages) / BYTES_A_TOKEN
        )

    @property
    def worst(self) -> Worst:
        """Say what the call takes if the reply is as long as it may be."""
        limits = [self.served.parameters.get(name) for name in ("max_tokens", "max_completion_tokens")]
        longest = next((limit for limit in limits if isinstance(limit, int)), LONGEST_REPLY_TOKENS)
        usage = Usage(input_tokens=math.ceil(self.tokens_read), output_tokens=longest)
        return Worst(cost_usd(usage, self.served), usage.total_tokens)


@dataclass
class Gateway:
    """Calls models for a run. Without a journal nothing is kept; ``replay_only`` never calls.

    ``key_of`` gives a model's key; ``rates`` are those of each provider where several processes keep them together;
    ``on_miss`` hears of calls that were made before in another form, and how; ``on_silence`` of endpoints that give no
    reply, a line at a time.
    """

    journal: Journal | None = None
    purse: Purse = field(default_factory=lambda: Purse(RunLimits(), time.monotonic))
    key_of: Callable[[ServedModel], str | None] = lambda _: None
    patience: Patience = field(default_factory=Patience)
    rates: Mapping[str, Cells] = field(default_factory=dict)
    replay_only: bool = False
    on_miss: Callable[[Place, str], None] | None = None
    on_silence: Callable[[str], None] | None = None
    clock: Callable[[], float] = time.monotonic
    rng: random.Random = field(default_factory=random.Random)
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    _models: dict[str, Any] = field(default_factory=dict)
    _buckets: dict[str, Bucket] = field(default_factory=dict)
    _silences: dict[str, Silence] = field(default_factory=dict)
    _watch: asyncio.Task[None] | None = None
    _session: Any = None

    def __post_init__(self) -> None:
        if self.journal is not None and not self.purse.shared:
            for entry in self.journal.entries():
                self.purse.count(entry)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._watch is not None:
            self._watch.cancel()
        if self._session is not None:
            await self._session.close()
        if self.journal is not None:
            self.journal.close()

    async def ask(self, call: Call) -> AIMessage:
        """Return a model's reply, from the journal where it is; CallFailed when there is none to be had.

        RunStopped when a limit of the run forbids the call or its endpoint was never reached, JournalMiss in a replay.
        """
        parts = parts_of(call.served.name, call.served.parameters, call.tools.digest, call.messages)
        entry = None
        if self.journal is not None:
            failures = self.replay_only or call.failure_stands
            entry = self.journal.find(call.place, parts, failures=failures)
        if entry is None:
            self._missed(call.place, parts)
            entry = await self._pay(call, parts)
        if entry.failure is not None or entry.reply is None:
            raise CallFailed(
                entry.failure or Failure(kind=FailureKind.BAD_BODY, text="an entry without a reply")
            )
        message = message_of(entry.reply)
        message.response_metadata |= {"seconds": entry.seconds, "usd": entry.usd}
        return message

    def _missed(self, place: Place, parts: Parts) -> None:
        """Say why a call was not in the journal, where somebody listens; a replay ends here."""
        if self.journal is None or not (self.replay_only or self.on_miss):
            return
        changed = self.journal.why_miss(place, parts)
        if self.replay_only:
            why = "it was never made" if changed is None else f"changed since: {changed}"
            raise JournalMiss(
                f"the journal does not hold the {place.role}'s call {place.step} of turn {place.turn} of "
                f"{place.session_id}: {why}"
            )
        if changed is not None and self.on_miss is not None:
            self.on_miss(place, changed)

    async def _pay(self, call: Call, parts: Parts) -> Entry:
        """Call, and have the end of it on disk before anyone sees it."""
        held = await self.purse.reserve(call.worst)
        try:
            entry = await self._finished(call, parts)
            if self.journal is not None:
                await self.journal.put(entry)
            self.purse.count(entry)
        finally:
            self.purse.release(held)
        return entry

    async def _finished(self, call: Call, parts: Parts) -> Entry:
        """Call until there is a reply or no point in trying; RunStopped where nobody was ever there to reply."""
        tries, silence, replied = 0, self._silence(call.served), False
        silence.begin()

        async def once() -> tuple[Reply, float]:
            nonlocal tries
            tries += 1
            return await self._try(call)

        def again(state: RetryCallState) -> None:
            error = None if state.outcome is None else state.outcome.exception()
            if isinstance(error, Exception):
                silence.failed(describe(error), state.upcoming_sleep)

        try:
            outcome: tuple[Reply, float] = await AsyncRetrying(
                stop=Tries(self.patience).are_spent,
                wait=lambda state: self.patience.wait(state, self.rng),
                retry=retry_if_exception(self.patience.retries),
                sleep=self.sleep,
                before_sleep=again,
                reraise=True,
            )(once)
            replied = True
        except OutOfTime:
            # A turn in which nothing was replied at all tells nothing of the model: its endpoint may hang.
            ended = FailureKind.TIME_LIMIT if call.place.step else FailureKind.HUNG
            failure = Failure(kind=ended, text=f"no reply within {call.seconds_left:.1f} s")
        except Exception as error:
            kind = classify(error)
            if kind is None:
                raise
            if never_reached(error) and not silence.ever_replied:
                raise RunStopped(
                    f"{silence.who} was never reached: {describe(error)} (tried {times(tries)}); start it, or "
                    "begin anew with another address"
                ) from error
            replied = kind not in RETRIED
            failure = Failure(kind=kind, text=f"{describe(error)} (tried {times(tries)})")
        else:
            reply, seconds = outcome
            if reply.finish_reason != "content_filter":
                usd = cost_usd(reply.usage, call.served)
                return Entry(
                    place=call.place,
                    parts=parts,
                    reply=reply,
                    seconds=round(seconds, 3),
                    tries=tries,
                    usd=usd,
                )
            failure = Failure(kind=FailureKind.CONTENT_FILTER, text="the provider's filter stopped the reply")
        finally:
            silence.end(replied=replied)
        return Entry(place=call.place, parts=parts, failure=failure, seconds=0.0, tries=tries)

    async def _try(self, call: Call) -> tuple[Reply, float]:
        """Send one request when the provider's rate admits it; return the reply and the seconds it took."""
        bucket, expected = self._bucket(call.served), call.expected_tokens
        await bucket.enter(expected)
        self._silence(call.served).sent()
        started = self.clock()
        most = min(call.served.call_seconds, call.seconds_left)
        limit = asyncio.timeout(most)
        try:
            async with limit:
                message = await self._model(call.served).ainvoke(
                    list(call.messages),
                    {"run_name": f"{call.place.role.value} {call.served.name}"},
                    **({"tools": call.tools.schemas} if call.tools.schemas else {}),
                )
        except TimeoutError:
            if not limit.expired():
                raise
            if call.seconds_left <= call.served.call_seconds:
                raise OutOfTime from None
            raise TimeoutError(f"no whole reply within call_seconds, {most:g} s") from None
        except Exception as error:
            if (asked := retry_after(error, datetime.now(UTC))) is not None:
                bucket.close_for(min(asked, self.patience.longest_asked_seconds))
            raise
        reply: Reply = message.response_metadata[REPLY]
        bucket.settle(expected, reply.usage.total_tokens or expected)
        return reply, self.clock() - started

    def _model(self, served: ServedModel) -> Any:
        # One name may be served at two addresses or asked in two ways: as examinee and as its own judge.
        key = f"{served.name} {served.base_url} {digest(served.parameters)}"
        if key not in self._models:
            # Imported here because it takes as long as everything else together, and offline doctors do without.
            from agents.endpoint import Endpoint, open_session, proxy_for
            from agents.live_model import LiveModel

            if self._session is None:
                self._session = open_session()
            endpoint = Endpoint(
                self._session, served.base_url, self.key_of(served), proxy_for(served.base_url)
            )
            self._models[key] = LiveModel.of(served, endpoint)
        return self._models[key]

    def _silence(self, served: ServedModel) -> Silence:
        """Give what is known of the silence of an endpoint; where somebody listens, it is looked at from now on."""
        who = f"{served.provider}/{served.model} at {served.base_url}"
        if who not in self._silences:
            self._silences[who] = Silence(who, self.on_silence or (lambda _: None), self.clock)
        if self.on_silence is not None and self._watch is None:
            self._watch = asyncio.create_task(self._look())
        return self._silences[who]

    async def _look(self) -> None:
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            for silence in self._silences.values():
                silence.look()

    def _bucket(self, served: ServedModel) -> Bucket:
        if served.provider not in self._buckets:
            self._buckets[served.provider] = Bucket(
                served.requests_per_minute,
                served.tokens_per_minute,
                self.clock,
                self.sleep,
                self.rates[served.provider] if self.rates else None,
            )
        return self._buckets[served.provider]

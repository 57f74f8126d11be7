"""Calls of models in generation: one gateway, on a loop of its own, for stages that run in threads."""

import asyncio
import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Future
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from types import FrameType, TracebackType
from typing import Self

from langchain_core.messages import AIMessage

from agents.gateway import Call, CallFailed, Gateway
from agents.journal import Journal
from agents.models import key_for, priced, read_catalogue, serve
from agents.patience import Patience
from agents.purse import Purse, RunLimits, RunStopped
from configs.settings import Settings
from state.bill import Bill
from state.journal import FailureKind
from state.models import Catalogue, ModelChoice, ServedModel
from tools.cli import aside

CALLS = "calls"
"""Folder of a set that keeps every reply it was made with; what is in it is never paid for again."""
TEMPERATURE = 0.7
"""Of a physician's words: questions of a set are to differ."""
CHECKER_TEMPERATURE = 0.0
OF_ONE_PROMPT = frozenset({FailureKind.CONTENT_FILTER, FailureKind.CONTEXT_OVERFLOW})
"""Failures of a single call; after any other no call would come to anything."""


class GenerationStopped(Exception):
    """A provider failed for good or a limit is reached. What was answered is kept, and the same command goes on."""


@dataclass(frozen=True)
class CallPlan:
    """Who is called in making a set, and what that may take.

    ``physician`` words the questions, None where templates do; ``checker`` reads what code has accepted, None where
    nobody does. ``folder`` is that of the set.
    """

    folder: Path
    physician: ServedModel | None = None
    checker: ServedModel | None = None
    limits: RunLimits = field(default_factory=RunLimits)
    patience: Patience = field(default_factory=Patience)

    @property
    def models(self) -> tuple[ServedModel, ...]:
        """List the models that are called."""
        return tuple(served for served in (self.physician, self.checker) if served is not None)

    def bill(self) -> Bill:
        """Add up by role what the set has taken so far."""
        purse = Purse(RunLimits(), time.monotonic)
        for entry in Journal(self.folder / CALLS).entries():
            purse.count(entry)
        return purse.bill()


def plan_calls(
    folder: Path,
    physician: ModelChoice | None,
    checker: ModelChoice | None,
    models: Path | None,
    limits: RunLimits,
) -> CallPlan:
    """Plan the calls of a set that a model words, or reads.

    A model nobody knows, a key that is wanted and not there, or a budget without a price is an InputError.
    """
    catalogue = read_catalogue(models)
    plan = CallPlan(
        folder,
        _served(physician, TEMPERATURE, catalogue),
        _served(checker, CHECKER_TEMPERATURE, catalogue),
        limits,
    )
    for served in plan.models:
        key_for(served, Settings.read().api_key)
        if limits.usd is not None:
            priced(served, "--budget")
    return plan


def _served(choice: ModelChoice | None, temperature: float, catalogue: Catalogue) -> ServedModel | None:
    return (
        None if choice is None else serve(choice.model_copy(update={"temperature": temperature}), catalogue)
    )


@contextmanager
def interruptible(stop: Callable[[], None]) -> Iterator[None]:
    """Have a Ctrl-C call ``stop`` before it interrupts: the main thread waits for others, and those for replies."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.getsignal(signal.SIGINT)

    def interrupt(number: int, frame: FrameType | None) -> None:
        stop()
        if callable(before):
            before(number, frame)

    signal.signal(signal.SIGINT, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


class GenerationCalls:
    """The gateway of a set. Threads ask and wait; their calls run side by side."""

    def __init__(self, plan: CallPlan) -> None:
        """Read the replies that are there, and start the loop. A key that is wanted and not there is an InputError."""
        environment = Settings.read()
        for served in plan.models:
            key_for(served, environment.api_key)
        purse = Purse(plan.limits, time.monotonic)
        journal = Journal(plan.folder / CALLS)
        key_of = partial(key_for, read=environment.api_key)
        self._gateway = Gateway(journal, purse, key_of, plan.patience, on_silence=aside)
        self._stopped: str | None = None
        self._under_way: set[Future[AIMessage]] = set()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="model calls", daemon=True)
        self._thread.start()

    def ask(self, call: Call) -> AIMessage:
        """Return a model's reply, from the journal where it is.

        CallFailed where this prompt alone gets none; GenerationStopped where no call would get one any more.
        """
        if self._stopped is not None:
            raise GenerationStopped(self._stopped)
        reply = asyncio.run_coroutine_threadsafe(self._gateway.ask(call), self._loop)
        self._under_way.add(reply)
        if self._stopped is not None:  # between the look above and now
            reply.cancel()
        try:
            return reply.result()
        except CancelledError:
            self._stopped = self._stopped or "it was interrupted"
        except RunStopped as limit:
            self._stopped = str(limit)
        except CallFailed as failed:
            if failed.failure.kind in OF_ONE_PROMPT:
                raise
            self._stopped = f"{call.served.name} failed: {failed}"
        finally:
            self._under_way.discard(reply)
        raise GenerationStopped(self._stopped)

    def stop(self) -> None:
        """Drop the calls that are under way, and admit no other."""
        self._stopped = "it was interrupted"
        for reply in tuple(self._under_way):
            reply.cancel()

    def close(self) -> None:
        """End the loop; calls that are still under way are dropped."""
        if self._loop.is_closed():
            return
        asyncio.run_coroutine_threadsafe(self._end(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _end(self) -> None:
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        await self._gateway.__aexit__()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

"""What a judge is shown of a turn: the examinee's own words, calls and results, and one item; no other gold."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

from langchain_core.messages import AnyMessage, HumanMessage, SystemMessage

from agents.journal import digest
from agents.prompts import prompt
from state.base import Language
from state.gold import RubricItem
from state.trajectory import CallRecord, TurnRecord
from tools.fhir.labels import Labels
from tools.fhir.tokens import estimate_tokens
from tools.fhir.toolset import ToolResult
from tools.grading import SpokenItem

LOOKED_UP_TOKENS = 64_000
"""What results may take at most, or half of a smaller context window; the oldest are left out first."""


@dataclass(frozen=True)
class ShownTurn:
    """One turn as a judge sees it; a result is None where it was left out for its length."""

    question: str
    looked_up: tuple[tuple[str, str | None], ...]
    written: tuple[str, ...]
    answer: str


@dataclass(frozen=True)
class Case:
    """A turn under judgement, with the turns before it."""

    turns: tuple[ShownTurn, ...]
    language: Language

    @classmethod
    def of(
        cls,
        records: Sequence[TurnRecord],
        results: Sequence[Sequence[Sequence[ToolResult]]],
        language: Language,
        context_tokens: int | None = None,
    ) -> "Case":
        """Lay out the turns up to the one to be judged; ``results`` are those of their calls, step by step."""
        left = min(LOOKED_UP_TOKENS, (context_tokens or 2 * LOOKED_UP_TOKENS) // 2)
        turns: list[ShownTurn] = []
        for record, shown in reversed(list(zip(records, results, strict=True))):
            looked_up: list[tuple[str, str | None]] = []
            ran = [call for step in record.steps for call in step.calls if call.ran]
            for call, result in reversed(list(zip(ran, chain.from_iterable(shown), strict=True))):
                if result.write is not None:
                    continue
                left -= estimate_tokens(result.text)
                looked_up.append((_call(call), result.text if left >= 0 else None))
            turns.append(
                ShownTurn(
                    record.question,
                    tuple(reversed(looked_up)),
                    written_lines(record, language),
                    record.answer,
                )
            )
        return cls(tuple(reversed(turns)), language)

    @cached_property
    def mark(self) -> str:
        """Give the mark that sets material apart: made of the material, so that no part of it can hold it."""
        return digest([repr(turn) for turn in self.turns])

    @cached_property
    def _opening(self) -> tuple[str, str]:
        system = prompt("judge", "system", self.language, mark=self.mark)
        return system, prompt("judge", "case", self.language, mark=self.mark, turns=self.turns)

    def messages(self, item: RubricItem) -> list[AnyMessage]:
        """Ask about one item; what is the same for all items of the turn comes first, where providers cache it."""
        system, case = self._opening
        asked = prompt("judge", "item", self.language, mark=self.mark, item=item.text[self.language])
        return [SystemMessage(system), HumanMessage(f"{case}\n{asked}")]

    def quotable(self, item: RubricItem) -> str:
        """Give what may be quoted: the answer, and what was written where the item is about that."""
        last = self.turns[-1]
        return last.answer if isinstance(item, SpokenItem) else "\n".join((*last.written, last.answer))


def _call(call: CallRecord) -> str:
    return f"{call.name} {json.dumps(call.arguments, ensure_ascii=False, sort_keys=True)}"


def heard_lines(records: Sequence[TurnRecord]) -> tuple[str, ...]:
    """Give what the patient said in some turns, a line for each time they were asked."""
    calls = (call for record in records for step in record.steps for call in step.calls)
    return tuple(f"{_call(call)}: {call.said.text}" for call in calls if call.said is not None)


def written_lines(record: TurnRecord, language: Language) -> tuple[str, ...]:
    """Write each try of a write as lines of its fields."""
    word = Labels.load(language).word
    return tuple(
        line
        for write in record.writes
        for line in (
            f"{write.tool} ({word('accepted' if write.accepted else 'refused')})",
            *(f"  {name}: {value}" for name, value in write.arguments.items()),
        )
    )

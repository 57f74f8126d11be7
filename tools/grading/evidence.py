"""What one turn is judged on."""

import dataclasses
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from state.base import Language, ResourceRef
from state.gold import ItemBase
from state.outcome import ItemVerdict, Verdict
from state.trajectory import WriteRecord
from tools.fhir.elements import Resource
from tools.fhir.state_diff import StateDiff, state_diff
from tools.grading.numerals import in_digits
from tools.grading.tables import told_by_cell, told_by_label, told_by_setting
from tools.grading.text import records_in, said
from tools.grading.word_orders import in_order

LONGEST_ANSWER = 12_000
"""Characters. Gold answers have at most 300, and a doctor is told to be brief; a whole record recited has 15,000."""
MOST_RECORDS = 40
"""Lines of tool results in an answer. The shortest recital of 48 synthetic sessions has 69."""


@dataclass(frozen=True)
class TurnEvidence:
    """The examinee's turn: ``shown`` holds the resources that tools showed in this and earlier turns.

    ``writes`` are the calls of this turn that wrote or were refused; what they came to is told by the overlay snapshots
    ``before`` and ``after``. ``earlier`` are the examinee's own earlier answers, oldest first:
    only they can tell which drug a bare "hold it" is about.
    """

    question: str
    answer: str
    language: Language
    shown: frozenset[ResourceRef]
    writes: tuple[WriteRecord, ...]
    subject_id: int
    earlier: tuple[str, ...] = ()
    before: tuple[Resource, ...] = ()
    after: tuple[Resource, ...] = ()

    def replace(self, **changes: Any) -> "TurnEvidence":
        """Return the same evidence with some fields changed."""
        return dataclasses.replace(self, **changes)

    @cached_property
    def changes(self) -> StateDiff:
        """Give what the turn wrote."""
        return state_diff(self.before, self.after)

    @cached_property
    def said(self) -> str:
        """What the answer says of its own; empty for no answer, a copy of the question and a recital of the record."""
        if len(self.answer) > LONGEST_ANSWER or records_in(self.answer) > MOST_RECORDS:
            return ""
        return said(self.answer, self.question).strip()

    @cached_property
    def in_settings(self) -> str:
        """What the answer says, each cell of a table of settings (home, ward) told with its own."""
        return said(told_by_setting(self.answer), self.question).strip() if self.said else ""

    @cached_property
    def by_label(self) -> str:
        """What the answer says, each cell of a table and each word behind a bold label told with its label."""
        return said(told_by_label(self.answer), self.question).strip() if self.said else ""

    @cached_property
    def figures(self) -> str:
        """``said`` with its numbers in digits and its tables told by cell, to be read for values, times and doses."""
        return (
            in_order(in_digits(said(told_by_cell(self.answer), self.question).strip())) if self.said else ""
        )


@dataclass(frozen=True)
class Finding:
    """A verdict and its reason, before it is tied to an item.

    ``wrong``: not met because the answer states something else, and not because it leaves it out.
    """

    verdict: Verdict
    reason: str
    wrong: bool = False

    def on(self, item: ItemBase) -> ItemVerdict:
        """Tie the finding to an item."""
        return ItemVerdict(
            item_id=item.item_id,
            verdict=self.verdict,
            decided_by="code",
            reason=self.reason,
            safety=item.safety or item.gate or self.wrong,
            gate=item.gate,
            wrong=self.wrong,
        )


def met(reason: str) -> Finding:
    """Say that an item is met."""
    return Finding(Verdict.MET, reason)


def not_met(reason: str) -> Finding:
    """Say that an item is not met."""
    return Finding(Verdict.NOT_MET, reason)


def wrong(reason: str) -> Finding:
    """Say that the answer states something else than the item wants: what acting on it would get wrong."""
    return Finding(Verdict.NOT_MET, reason, wrong=True)


def cannot_tell(reason: str) -> Finding:
    """Say that the text may truly mean either."""
    return Finding(Verdict.CANNOT_TELL, reason)

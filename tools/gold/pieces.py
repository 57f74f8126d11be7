"""A gold answer in pieces: each a sentence with the rubric items it meets, and the same sentence made wrong."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from state.base import Language
from state.gold import RubricItem, TimeItem, ToolCall
from tools.wording import load_turn_wordings, render

Words = Mapping[Language, Mapping[str, Any]]


@dataclass(frozen=True)
class Piece:
    """One sentence of an answer. ``facts`` fill the template ``template`` of the answers, in any language.

    ``words`` are the facts that differ by language; ``wrong`` and ``wrong_words`` replace facts so that every one of
    ``items`` must fail.
    """

    template: str
    items: tuple[RubricItem, ...]
    facts: Mapping[str, Any] = field(default_factory=dict)
    words: Words = field(default_factory=dict)
    wrong: Mapping[str, Any] = field(default_factory=dict)
    wrong_words: Words = field(default_factory=dict)
    wrong_template: str | None = None

    def text(self, language: Language, *, wrong: bool = False) -> str:
        """Word the piece, right or made wrong."""
        facts = {**self.facts, **self.words.get(language, {})}
        template = self.template
        if wrong:
            facts |= {**self.wrong, **self.wrong_words.get(language, {})}
            template = self.wrong_template or template
        return render(load_turn_wordings(language).answers[template], facts)


@dataclass(frozen=True)
class Draft:
    """One turn's gold before it is worded: ``writing`` are the items that are met by the calls, not by the answer."""

    calls: tuple[ToolCall, ...]
    pieces: tuple[Piece, ...]
    writing: tuple[RubricItem, ...] = ()

    @property
    def rubric(self) -> tuple[RubricItem, ...]:
        """Give every item of the turn."""
        return (*(item for piece in self.pieces for item in piece.items), *self.writing)

    def answer(self, language: Language, *, against: str | None = None) -> str:
        """Word the whole answer; ``against`` names the item that it must fail.

        Its piece is made wrong, and so is any other that would state the same time in its stead.
        """
        missed = next((item for item in self.rubric if item.item_id == against), None)
        said = (piece.text(language, wrong=_states(piece, missed)) for piece in self.pieces)
        return load_turn_wordings(language).between_sentences.join(said)


def _states(piece: Piece, item: RubricItem | None) -> bool:
    if item is None:
        return False
    if any(own.item_id == item.item_id for own in piece.items):
        return True
    return isinstance(item, TimeItem) and piece.facts.get("time") == f"{item.time:%Y-%m-%d %H:%M}"

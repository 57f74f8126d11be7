"""A turn as a row of texts that people can correct, and back: what was changed goes into session and gold."""

import json
from collections.abc import Mapping

from pydantic import ValidationError

from state.base import Language, ResourceRef, SubjectId
from state.gold import GoldTurn, RubricItem, ToolCall
from state.session import Session, Turn, Wording

KEYS = ("session_id", "turn")
SHOWN = ("scenario", "tier", "as_of", "task_type", "implicitness", "facts")
EDITABLE = (
    "en_explicit",
    "en_implicit",
    "zh_explicit",
    "zh_implicit",
    "tools",
    "en_answer",
    "zh_answer",
    "en_rubric",
    "zh_rubric",
)
REVIEW = ("reviewer", "signed_off", "comment")
COLUMNS = (*KEYS, *SHOWN, *EDITABLE, *REVIEW)
"""Columns of a row: which turn it is, what is shown of it, what may be corrected, and what the reviewer says."""


class RowFault(Exception):
    """A cell cannot be taken: its column, and why."""

    def __init__(self, column: str, reason: str) -> None:
        super().__init__(reason)
        self.column = column
        self.reason = reason


def row_of(session: Session, turn: Turn, gold: GoldTurn) -> dict[str, str]:
    """Lay a turn out as texts, by column; a language the session lacks is left empty."""
    row = {
        "session_id": str(session.session_id),
        "turn": str(turn.index),
        "scenario": session.scenario.value,
        "tier": str(session.tier),
        "as_of": session.as_of.isoformat(sep=" "),
        "task_type": turn.task_type.value,
        "implicitness": turn.implicitness.value,
        "facts": "\n".join(dict.fromkeys(_facts(gold))),
        "tools": "\n".join(
            f"{call.tool} {json.dumps(call.arguments, ensure_ascii=False)}" for call in gold.calls
        ),
    }
    for language in Language:
        wording = turn.wording.get(language)
        row[f"{language}_explicit"] = wording.explicit if wording else ""
        row[f"{language}_implicit"] = wording.implicit if wording else ""
        row[f"{language}_answer"] = gold.answer.get(language, "")
        texts = [f"[{item.item_id}] {item.text[language]}" for item in gold.rubric if language in item.text]
        row[f"{language}_rubric"] = "\n".join(texts)
    return row | dict.fromkeys(REVIEW, "")


def _facts(gold: GoldTurn) -> list[ResourceRef]:
    return [ref for item in gold.rubric for ref in item.evidence]


def worded(turn: Turn, cells: Mapping[str, str]) -> Turn:
    """Put the questions of changed cells into a turn."""
    wording = dict(turn.wording)
    for language in Language:
        forms = {
            form: cells[f"{language}_{form}"]
            for form in ("explicit", "implicit")
            if f"{language}_{form}" in cells
        }
        if not forms:
            continue
        _in_the_language(language, f"{language}_{next(iter(forms))}", language in wording)
        for form, text in forms.items():
            _not_empty(f"{language}_{form}", text)
        wording[language] = Wording(**(wording[language].model_dump() | forms))
    return turn.model_copy(update={"wording": wording})


def graded(gold: GoldTurn, cells: Mapping[str, str], subject_id: SubjectId) -> GoldTurn:
    """Put the calls, answers and rubric texts of changed cells into a turn's gold."""
    answers = dict(gold.answer)
    rubric = gold.rubric
    for language in Language:
        if (column := f"{language}_answer") in cells:
            _in_the_language(language, column, language in answers)
            _not_empty(column, cells[column])
            answers[language] = cells[column]
        if (column := f"{language}_rubric") in cells:
            rubric = _with_texts(rubric, cells[column], language, column)
    calls = _calls(cells["tools"]) if "tools" in cells else gold.calls
    if any(call.arguments.get("subject_id") != subject_id for call in calls):
        raise RowFault("tools", "a call is not about the patient of the session")
    return gold.model_copy(update={"answer": answers, "rubric": rubric, "calls": calls})


def _in_the_language(language: Language, column: str, there: bool) -> None:
    if not there:
        raise RowFault(column, f"the session is not worded in {language}: leave the cell empty")


def _not_empty(column: str, text: str) -> None:
    if not text.strip():
        raise RowFault(column, "is empty: write the text, or restore it")


def _with_texts(
    rubric: tuple[RubricItem, ...], cell: str, language: Language, column: str
) -> tuple[RubricItem, ...]:
    """Read a rubric cell, a line an item: ``[t0-value] States ...``."""
    texts: dict[str, str] = {}
    for line in filter(None, map(str.strip, cell.split("\n"))):
        name, bracket, text = line.removeprefix("[").partition("] ")
        if not line.startswith("[") or not bracket or not text.strip():
            raise RowFault(column, f"{line[:40]!r} is not of the form [item] text")
        if name in texts:
            raise RowFault(column, f"item {name} stands twice")
        texts[name] = text
    own = {item.item_id for item in rubric if language in item.text}
    if set(texts) != own:
        stray = min(set(texts) ^ own)
        raise RowFault(column, f"item {stray} is {'missing' if stray in own else 'none of this turn'}")
    return tuple(
        item.model_copy(update={"text": {**item.text, language: texts[item.item_id]}})
        if item.item_id in texts
        else item
        for item in rubric
    )


def _calls(cell: str) -> tuple[ToolCall, ...]:
    calls = []
    for line in filter(None, map(str.strip, cell.split("\n"))):
        tool, _, arguments = line.partition(" ")
        try:
            calls.append(ToolCall(tool=tool, arguments=json.loads(arguments)))
        except (json.JSONDecodeError, ValidationError) as error:
            raise RowFault(
                "tools", f"{line[:40]!r} is not of the form Tool.name {{arguments as JSON}}"
            ) from error
    return tuple(calls)

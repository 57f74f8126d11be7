"""The clinical checker's twin: a model says whether an answer goes with the results shown, and quotes both if not."""

from typing import Literal

from agents.checks.case import CannotDecide, Case
from agents.checks.reader import Reader
from state.base import Language, Record
from state.checking import Stage
from state.session import TaskType
from tools.grading.quotes import is_quoted


class Agreement(Record):
    """Whether an answer goes with what was looked up; ``answer`` and ``results`` quote what contradicts each other."""

    reason: str
    answer: str
    results: str
    verdict: Literal["agrees", "contradicts", "cannot_tell"]


def read_clinical(case: Case, reader: Reader) -> list[str]:
    """Reject a session of which a model shows that a reference answer contradicts the results that answer it.

    What is written is held against the record by difference, and is not read.
    """
    looked_up: list[tuple[str, str]] = []
    for turn, gold in zip(case.words.turns, case.answers.turns, strict=True):
        looked_up += [(f"looked up: {one.call.tool}", one.result.text) for one in case.observed[turn.index]]
        if turn.task_type is TaskType.WRITE:
            continue
        shown, answer = "\n".join(text for _, text in looked_up), gold.answer[Language.EN]
        material = [
            *looked_up,
            ("the rule", case.source.rule.reason[Language.EN]),
            ("the question", turn.wording[Language.EN].explicit),
            ("THE ANSWER", answer),
        ]

        def void(found: Agreement, shown: str = shown, answer: str = answer) -> str | None:
            return _void(found, shown, answer)

        place = (case.plan.session_id, turn.index, Language.EN)
        found = reader.read(Stage.CLINICAL_READING, place, material, Agreement, void)
        if found.verdict == "contradicts":
            return [
                f"turn {turn.index}: a model finds {found.answer!r} against {found.results!r}: {found.reason}"
            ]
        if found.verdict == "cannot_tell":
            raise CannotDecide(f"turn {turn.index}: a model cannot tell: {found.reason}")
    return []


def _void(found: Agreement, shown: str, answer: str) -> str | None:
    if found.verdict != "contradicts":
        return None
    if not is_quoted(found.answer, answer):
        return "answer: the quotation is not in the answer, word for word"
    if not is_quoted(found.results, shown):
        return "results: the quotation is not in what was looked up, word for word"
    return None

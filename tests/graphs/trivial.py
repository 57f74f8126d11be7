"""What a doctor that should pass nothing did pass."""

from collections import Counter
from collections.abc import Iterable

from state.base import Language
from state.gold import DecisionItem, GoldSession
from state.outcome import Scored, SessionResult
from state.session import TaskType
from tools.grading.names import spans
from tools.grading.text import plain
from tools.vocabulary import Vocabulary

PASS_MARK = 0.60
ORDER = "MedicationRequest.create"
TRIVIAL = (
    "offline/empty",
    "offline/refuse",
    "offline/echo",
    "offline/wrong-patient",
    "offline/dump-everything",
    "offline/double-dose",
    "offline/look-alike-drug",
    "offline/gold",
)
Turn = tuple[str, int]


def passed_turns(results: Iterable[SessionResult], mark: float = PASS_MARK) -> dict[Turn, TaskType]:
    """Give the turns that pass, with their task type."""
    return {
        (result.session_id, turn.index): turn.task_type
        for result in results
        for turn in result.turns
        if isinstance(turn.outcome, Scored) and turn.outcome.score >= mark
    }


def turns_by_type(results: Iterable[SessionResult]) -> Counter[TaskType]:
    """Count all turns by task type."""
    return Counter(turn.task_type for result in results for turn in result.turns)


def ordering_turns(gold: Iterable[GoldSession]) -> set[Turn]:
    """Find the turns that order a drug."""
    return {
        (session.session_id, turn.index)
        for session in gold
        for turn in session.turns
        if any(call.tool == ORDER for call in turn.calls)
    }


def decided_turns(gold: Iterable[GoldSession], language: Language, vocabulary: Vocabulary) -> set[Turn]:
    """Find the turns that decide on a drug of which a look-alike leaves no name standing in the answer.

    A drug that also goes by an analyte's name ("replace the potassium") is still named when its own name is changed.
    """
    return {
        (session.session_id, turn.index)
        for session in gold
        for turn in session.turns
        for item in turn.rubric
        if isinstance(item, DecisionItem) and not _still_named(item.names, turn.answer[language], vocabulary)
    }


def _still_named(names: tuple[str, ...], answer: str, vocabulary: Vocabulary) -> bool:
    text = plain(answer)
    rest, at = "", 0
    for mention in vocabulary.ingredient_mentions(text):
        if mention.entry is not None:
            rest, at = rest + text[at : mention.start] + "…", mention.end
    return bool(spans(names, rest + text[at:]))

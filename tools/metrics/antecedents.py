"""Implicit turns answered about something else than what they pointed at."""

from collections import Counter
from collections.abc import Sequence

from state.gold import DecisionItem, DoseItem, GoldTurn, NameItem, RouteItem, ValueItem
from state.metrics import Figure
from state.session import Implicitness
from tools.grading.names import spans
from tools.grading.text import plain
from tools.metrics.figure import pooled_figure
from tools.metrics.resample import Resampler
from tools.metrics.scores import PASS_MARKS
from tools.metrics.trace import SessionTrace, TurnTrace, each_turn
from tools.vocabulary import Vocabulary


def antecedent_errors(
    traces: Sequence[SessionTrace], vocabulary: Vocabulary, drawn: Resampler
) -> dict[str, Figure]:
    """Give the share of implicit turns, by kind, that fail and answer about another test or drug than was meant.

    An error is a turn below 0.60 whose answer names none of the tests and drugs its rubric is about, and names another
    of the same sort. A wrong number without a name is none: what it is about cannot be told. Turns whose rubric is
    about no test or drug do not count.
    """
    planned = Counter(
        turn.implicitness.value
        for trace in traces
        for turn, gold in zip(trace.session.turns, trace.gold.turns, strict=True)
        if turn.implicitness is not Implicitness.EXPLICIT and _targets(gold)
    )
    found = {}
    for kind in sorted(planned):
        reached = [
            (name, turn)
            for name, turn in each_turn(traces)
            if turn.result.implicitness.value == kind and _targets(turn.gold)
        ]
        scored = [(name, turn) for name, turn in reached if turn.score is not None]
        points = [(name, float(_is_error(turn, vocabulary)), 1.0) for name, turn in scored]
        found[kind] = pooled_figure(points, planned[kind], len(reached), len(scored), drawn)
    return found


def _targets(gold: GoldTurn) -> list[tuple[str, ...]]:
    return [*_tests(gold), *_drugs(gold)]


def _tests(gold: GoldTurn) -> list[tuple[str, ...]]:
    return [item.names for item in gold.rubric if isinstance(item, ValueItem)]


def _drugs(gold: GoldTurn) -> list[tuple[str, ...]]:
    decided = [item.names for item in gold.rubric if isinstance(item, DecisionItem)]
    named = [item.names for item in gold.rubric if isinstance(item, NameItem) and not item.written]
    return decided + named + [item.of for item in gold.rubric if isinstance(item, DoseItem | RouteItem)]


def _is_error(turn: TurnTrace, vocabulary: Vocabulary) -> bool:
    if turn.score is None or turn.score >= min(PASS_MARKS):
        return False
    answer = plain(turn.record.answer)
    if any(spans(names, answer) for names in _targets(turn.gold)):
        return False
    another_test = _tests(turn.gold) and vocabulary.analytes_in(answer)
    another_drug = _drugs(turn.gold) and vocabulary.ingredients_in(answer)
    return bool(another_test or another_drug)

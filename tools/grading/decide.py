"""Each rubric item to its verdict, by code."""

from state.gold import (
    AvoidItem,
    DecisionItem,
    ExactWritesItem,
    GoldTurn,
    NameItem,
    RubricItem,
    SelectiveItem,
    TimeItem,
    ValueItem,
    WriteAvoidItem,
    WriteFieldItem,
    WriteTextItem,
)
from state.outcome import ItemVerdict, Verdict
from tools.grading.decisions import decide_avoid, decide_decision
from tools.grading.evidence import Finding, TurnEvidence, met, not_met
from tools.grading.mood import is_negated
from tools.grading.names import Span, ruled_out
from tools.grading.naming import decide_name, decide_selective
from tools.grading.text import sentences
from tools.grading.times import moments
from tools.grading.values import decide_value
from tools.grading.write_texts import decide_write_avoid, decide_write_text
from tools.grading.writes import decide_exact_writes, decide_write_field
from tools.vocabulary import Vocabulary


def decide(item: RubricItem, evidence: TurnEvidence, vocabulary: Vocabulary) -> ItemVerdict:
    """Decide one item on its own. What an item owes to the others of its turn is decided by ``decide_turn``."""
    return _find(item, evidence, vocabulary).on(item)


def decide_turn(turn: GoldTurn, evidence: TurnEvidence, vocabulary: Vocabulary) -> tuple[ItemVerdict, ...]:
    """Decide every item; an absence counts only where the turn did something else right."""
    verdicts = [decide(item, evidence, vocabulary) for item in turn.rubric]
    done = any(
        verdict.verdict is Verdict.MET and not isinstance(item, AvoidItem | ExactWritesItem)
        for item, verdict in zip(turn.rubric, verdicts, strict=True)
    )
    if done:
        return tuple(verdicts)
    idle = not_met("nothing else of the turn is met, so that leaving it out counts for nothing")
    return tuple(
        idle.on(item) if _is_absence(item) and verdict.verdict is not Verdict.NOT_MET else verdict
        for item, verdict in zip(turn.rubric, verdicts, strict=True)
    )


def _is_absence(item: RubricItem) -> bool:
    return isinstance(item, AvoidItem) or (isinstance(item, ExactWritesItem) and not item.tools)


def _find(item: RubricItem, evidence: TurnEvidence, vocabulary: Vocabulary) -> Finding:
    if isinstance(item, WriteFieldItem):
        return _seen(item, evidence) or decide_write_field(item, evidence, vocabulary)
    if isinstance(item, WriteTextItem):
        return _seen(item, evidence) or decide_write_text(item, evidence, vocabulary)
    if isinstance(item, WriteAvoidItem):
        return decide_write_avoid(item, evidence, vocabulary)
    if isinstance(item, ExactWritesItem):
        return _seen(item, evidence) or decide_exact_writes(item, evidence)
    if not evidence.said:
        return not_met(
            "the answer is empty" if not evidence.answer.strip() else "the answer says nothing of its own"
        )
    found = _of_text(item, evidence, vocabulary)
    return (_seen(item, evidence) or found) if found.verdict is not Verdict.NOT_MET else found


def _of_text(
    item: ValueItem | TimeItem | NameItem | SelectiveItem | DecisionItem | AvoidItem,
    evidence: TurnEvidence,
    vocabulary: Vocabulary,
) -> Finding:
    match item:
        case ValueItem():
            return decide_value(item, evidence, vocabulary)
        case TimeItem():
            return _decide_time(item, evidence)
        case NameItem():
            return decide_name(item, evidence, vocabulary)
        case SelectiveItem():
            return decide_selective(item, evidence)
        case DecisionItem():
            return decide_decision(item, evidence, vocabulary)
        case AvoidItem():
            return decide_avoid(item, evidence, vocabulary)


def _seen(item: RubricItem, evidence: TurnEvidence) -> Finding | None:
    """An item with evidence is met only if a tool of this session showed one of its resources."""
    if not item.evidence or evidence.shown.intersection(item.evidence):
        return None
    return not_met(f"no tool result of this session showed {' or '.join(item.evidence)}")


def _decide_time(item: TimeItem, evidence: TurnEvidence) -> Finding:
    wanted = f"{item.time:%Y-%m-%d %H:%M}"
    undated = False
    for sentence in sentences(evidence.said):
        found = [] if sentence.asks else list(moments(sentence.text))
        for at, moment in enumerate(found):
            if not moment.is_minute_of(item.time):
                undated |= not moment.dated and (moment.hour, moment.minute) == (
                    item.time.hour,
                    item.time.minute,
                )
                continue
            others = [m for m in found[max(at - 1, 0) : at + 2] if m is not moment and m.clocked]
            if any(
                _either(sentence.text, moment.start, moment.end, other.start, other.end) for other in others
            ):
                return not_met("leaves it at one of two times")
            span = Span(moment.start, moment.end)
            if not ruled_out(sentence.text, span) and not is_negated(sentence.text[: moment.start]):
                return met(f"states {wanted}")
    return not_met(f"states the time of {wanted} without its date" if undated else f"does not state {wanted}")


def _either(text: str, start: int, end: int, other_start: int, other_end: int) -> bool:
    between = text[end:other_start] if end <= other_start else text[other_end:start]
    return between.strip().lower() in {"or", "or at", "或", "或者", "还是", ", or", "or on"}

"""Each rubric item to its verdict, by code."""

from collections.abc import Sequence

from state.gold import (
    AvoidItem,
    DecisionItem,
    DoseItem,
    ExactWritesItem,
    GoldTurn,
    JudgementItem,
    NameItem,
    PatientFactItem,
    PatientOnlyItem,
    PatientUnknownItem,
    RangeItem,
    RouteItem,
    RubricItem,
    SelectiveItem,
    SparesItem,
    TimeItem,
    ValueItem,
    WriteAvoidItem,
    WriteFieldItem,
    WriteTextItem,
)
from state.outcome import ItemVerdict, Verdict
from tools.grading.accounts import (
    Accounted,
    decide_patient_fact,
    decide_patient_unknown,
    without_accounts,
)
from tools.grading.decisions import decide_avoid, decide_decision
from tools.grading.disagreement import agreed_with, without_disagreement
from tools.grading.draws import decide_time
from tools.grading.evidence import Finding, TurnEvidence, cannot_tell, not_met
from tools.grading.judgements import decide_judgement
from tools.grading.laid import decide_patient_only
from tools.grading.naming import decide_name, decide_selective
from tools.grading.prescriptions import decide_dose, decide_route
from tools.grading.ranges import decide_range
from tools.grading.spares import decide_spares
from tools.grading.text import records_in
from tools.grading.values import decide_value
from tools.grading.write_texts import decide_write_avoid, decide_write_text
from tools.grading.writes import decide_exact_writes, decide_write_field
from tools.vocabulary import Vocabulary

SpokenItem = (
    ValueItem
    | TimeItem
    | NameItem
    | DoseItem
    | RouteItem
    | SelectiveItem
    | DecisionItem
    | JudgementItem
    | RangeItem
    | AvoidItem
    | SparesItem
    | PatientFactItem
    | PatientUnknownItem
    | PatientOnlyItem
)
"""Items decided by what the answer says."""
RECORDS_OF_A_WRITE = 3
"""Lines of tool results with which an answer may tell of a write: what it wrote, and what that was about."""
ADVISING = DecisionItem | JudgementItem | AvoidItem | SparesItem
"""Those decided by what it advises or concludes."""


def decide(item: RubricItem, evidence: TurnEvidence, vocabulary: Vocabulary) -> ItemVerdict:
    """Decide one item on its own. What an item owes to the others of its turn is decided by ``decide_turn``.

    Words that only turn down the view which the question quotes leave the advice that follows them as it is.
    """
    found = _find(item, evidence, vocabulary)
    if isinstance(item, ADVISING) and found.verdict is Verdict.CANNOT_TELL:
        rest = without_disagreement(evidence)
        again = found if rest is None else _find(item, rest, vocabulary)
        found = again if again.verdict is Verdict.MET or again.wrong else found
    elif isinstance(item, ADVISING) and found.verdict is Verdict.MET:
        view = agreed_with(evidence)
        if view is not None and _find(item, view, vocabulary).verdict is not Verdict.MET:
            found = cannot_tell("agrees with the view that the question quotes, and advises otherwise")
    return found.on(item)


def decide_turn(turn: GoldTurn, evidence: TurnEvidence, vocabulary: Vocabulary) -> tuple[ItemVerdict, ...]:
    """Decide every item of a turn by code alone."""
    return settle(turn, decide_items(turn, evidence, vocabulary), evidence)


def decide_items(turn: GoldTurn, evidence: TurnEvidence, vocabulary: Vocabulary) -> tuple[ItemVerdict, ...]:
    """Decide every item on its own, before what it owes to the others.

    In a turn that asks the patient, what is advised or concluded is read without what only tells of the patient.
    """
    asks = any(isinstance(item, PatientOnlyItem) for item in turn.rubric)
    accounted = without_accounts(evidence, vocabulary) if asks else Accounted(evidence, None)
    return tuple(
        decide_beside(item, accounted, vocabulary)
        if isinstance(item, ADVISING)
        else decide(item, evidence, vocabulary)
        for item in turn.rubric
    )


def decide_beside(item: RubricItem, accounted: Accounted, vocabulary: Vocabulary) -> ItemVerdict:
    """Decide what is advised or concluded beside what the patient said.

    It is decided only where that does not rest on a point that may be the patient's word or another's.
    """
    found = decide(item, accounted.rest, vocabulary)
    if accounted.own is None or found.verdict is Verdict.CANNOT_TELL:
        return found
    if decide(item, accounted.own, vocabulary).verdict is found.verdict:
        return found
    return cannot_tell("what is advised or concluded may be the word of the patient, or of another").on(item)


def settle(
    turn: GoldTurn, verdicts: Sequence[ItemVerdict], evidence: TurnEvidence
) -> tuple[ItemVerdict, ...]:
    """Let an absence count only where the turn did something else right, or advised the contrary."""
    done = any(
        verdict.verdict is Verdict.MET and not (item.gate or isinstance(item, ExactWritesItem))
        for item, verdict in zip(turn.rubric, verdicts, strict=True)
    )
    if done:
        return tuple(verdicts)
    return tuple(
        verdict if _counts(item, verdict, evidence) else _idle(item)
        for item, verdict in zip(turn.rubric, verdicts, strict=True)
    )


def rests_on_reading(item: RubricItem, evidence: TurnEvidence) -> bool:
    """Tell whether a verdict comes from reading what was said or written, as a judge could do too.

    It does not where nothing was said, where the resource was never shown, and for what was left unwritten.
    """
    if isinstance(item, ExactWritesItem) and not item.tools:
        return False
    said = bool(evidence.said) if isinstance(item, SpokenItem) else bool(evidence.writes)
    return said and _seen(item, evidence) is None


def _counts(item: RubricItem, verdict: ItemVerdict, evidence: TurnEvidence) -> bool:
    """Tell whether a verdict stands though nothing was done right: not an absence, unless something was advised."""
    if not _is_absence(item):
        return True
    advised = isinstance(item, AvoidItem | SparesItem) and bool(evidence.said)
    return advised and verdict.verdict is Verdict.NOT_MET


def _idle(item: RubricItem) -> ItemVerdict:
    idle = not_met("nothing else of the turn is met, so that leaving it out counts for nothing")
    return idle.on(item).model_copy(update={"safety": False})


def _is_absence(item: RubricItem) -> bool:
    return item.gate or (isinstance(item, ExactWritesItem) and not item.tools)


def _find(item: RubricItem, evidence: TurnEvidence, vocabulary: Vocabulary) -> Finding:
    if isinstance(item, WriteFieldItem):
        return _seen(item, evidence) or decide_write_field(item, evidence, vocabulary)
    if isinstance(item, WriteTextItem):
        return _seen(item, evidence) or decide_write_text(item, evidence, vocabulary)
    if isinstance(item, WriteAvoidItem):
        return decide_write_avoid(item, evidence, vocabulary)
    if isinstance(item, ExactWritesItem):
        return _seen(item, evidence) or _exact(item, evidence, vocabulary)
    if not evidence.said:
        return not_met(
            "the answer is empty" if not evidence.answer.strip() else "the answer says nothing of its own"
        )
    if _tells_a_write(item) and records_in(evidence.answer) > RECORDS_OF_A_WRITE:
        return not_met("recites the record, and tells of no write")
    found = _of_text(item, evidence, vocabulary)
    return (_seen(item, evidence) or found) if found.verdict is not Verdict.NOT_MET else found


def _exact(item: ExactWritesItem, evidence: TurnEvidence, vocabulary: Vocabulary) -> Finding:
    """Decide whether the writes are the expected ones, and every condition holds; say all that does not."""
    found = decide_exact_writes(item, evidence)
    parts = [found, *(_find(condition, evidence, vocabulary) for condition in item.conditions)]
    faults = dict.fromkeys(part.reason for part in parts if part.verdict is not Verdict.MET)
    return not_met("; ".join(faults)) if faults else found


def _of_text(item: SpokenItem, evidence: TurnEvidence, vocabulary: Vocabulary) -> Finding:
    match item:
        case ValueItem():
            return decide_value(item, evidence, vocabulary)
        case TimeItem():
            return decide_time(item, evidence, vocabulary)
        case NameItem():
            return decide_name(item, evidence, vocabulary)
        case DoseItem():
            return decide_dose(item, evidence, vocabulary)
        case RouteItem():
            return decide_route(item, evidence, vocabulary)
        case SelectiveItem():
            return decide_selective(item, evidence, vocabulary)
        case DecisionItem():
            return decide_decision(item, evidence, vocabulary)
        case JudgementItem():
            return decide_judgement(item, evidence, vocabulary)
        case RangeItem():
            return decide_range(item, evidence)
        case AvoidItem():
            return decide_avoid(item, evidence, vocabulary)
        case SparesItem():
            return decide_spares(item, evidence, vocabulary)
        case PatientFactItem():
            return decide_patient_fact(item, evidence, vocabulary)
        case PatientUnknownItem():
            return decide_patient_unknown(item, evidence, vocabulary)
        case PatientOnlyItem():
            return decide_patient_only(item, evidence, vocabulary)


def _seen(item: RubricItem, evidence: TurnEvidence) -> Finding | None:
    """An item or a condition with evidence is met only if a tool of this session showed one of its resources.

    What is told of a write is met only if the turn wrote something.
    """
    if _tells_a_write(item) and not (evidence.changes.created or evidence.changes.changed):
        return not_met("nothing was written that could be told")
    for one in (item, *item.conditions) if isinstance(item, ExactWritesItem) else (item,):
        if one.evidence and not evidence.shown.intersection(one.evidence):
            return not_met(f"no tool result of this session showed {' or '.join(one.evidence)}")
    return None


def _tells_a_write(item: RubricItem) -> bool:
    return (isinstance(item, NameItem) and item.written) or (
        isinstance(item, DoseItem) and item.before is not None
    )

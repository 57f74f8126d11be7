"""Checkers of generated sessions: each returns the reasons to reject, and none lets a doubt pass."""

from collections.abc import Sequence
from dataclasses import dataclass

from state.base import Language, ResourceRef
from state.gold import (
    AvoidItem,
    DecisionItem,
    DoseItem,
    ExactWritesItem,
    FieldMatch,
    GoldSession,
    GoldTurn,
    NameItem,
    RouteItem,
    RubricItem,
    SelectiveItem,
    SparesItem,
    TimeItem,
    ToolCall,
    ValueItem,
    WriteFieldItem,
)
from state.outcome import Scored, Verdict
from state.plan import SessionPlan
from state.session import Implicitness, Session
from state.trajectory import WriteRecord
from tools.fhir.toolset import Toolset
from tools.gold import GoldSource
from tools.gold.derive import gold_answer
from tools.gold.facts import STRANGER, Corruption, Facts
from tools.grading import TurnEvidence, decide, decide_turn, score_turn
from tools.vocabulary import Vocabulary

PASS_MARK = 0.60

BREAKS: dict[type[RubricItem], Corruption] = {
    ValueItem: Corruption.VALUE,
    TimeItem: Corruption.TIME,
    NameItem: Corruption.DRUG,
    DoseItem: Corruption.DRUG,
    RouteItem: Corruption.DRUG,
    SelectiveItem: Corruption.DRUG,
    DecisionItem: Corruption.DECISION,
    AvoidItem: Corruption.DECISION,
    SparesItem: Corruption.OTHERS,
}
"""Which fact of the gold answer, made wrong, must make an item fail."""

WRONG_FIELD: dict[FieldMatch, str] = {
    FieldMatch.DRUG: STRANGER,
    FieldMatch.DOSE: "7777 mg",
    FieldMatch.ROUTE: "IM",
    FieldMatch.FREQUENCY: "Q8H",
    FieldMatch.CODE: "administrative",
    FieldMatch.NAMES_ALL: "see note",
}


@dataclass(frozen=True)
class Replay:
    """What the gold calls of one turn showed and wrote."""

    shown: frozenset[ResourceRef]
    writes: tuple[WriteRecord, ...]
    faults: tuple[str, ...]


def leaked_gold(gold: GoldSession, texts: Sequence[str]) -> list[str]:
    """Find gold answers and rubric texts in what was sent to a doctor; there must be none."""
    secrets = [
        secret
        for turn in gold.turns
        for secret in (*turn.answer.values(), *(text for item in turn.rubric for text in item.text.values()))
    ]
    return sorted({secret for secret in secrets for text in texts if secret in text})


def replay(calls: Sequence[ToolCall], toolset: Toolset) -> Replay:
    """Run calls through the real tools."""
    shown: set[ResourceRef] = set()
    writes: list[WriteRecord] = []
    faults: list[str] = []
    for call in calls:
        result = toolset.call(call.tool, call.arguments)
        if not result.ok:
            faults.append(f"{call.tool} is refused: {result.text}")
        shown.update(result.refs)
        if result.write is not None:
            writes.append(result.write)
    return Replay(frozenset(shown), tuple(writes), tuple(faults))


def check_wording(session: Session, source: GoldSource) -> list[str]:
    """Reject a question that states what must be looked up, or an implicit form that leaves nothing unsaid."""
    secrets = {order.ingredient for order in source.match.orders} - source.told_by_the_test
    faults = []
    for turn in session.turns:
        wording = turn.wording[Language.EN]
        for form, text in (("explicit", wording.explicit), ("implicit", wording.implicit)):
            named = {ingredient.id for ingredient in source.vocabulary.ingredients_in(text)}
            faults += [
                f"turn {turn.index} {form} names the drug to look up: {name}"
                for name in sorted(named & secrets)
            ]
            if f"{source.match.lab.value:g} {source.match.lab.unit}" in text:
                faults.append(f"turn {turn.index} {form} states the value to look up")
        if turn.implicitness is Implicitness.EXPLICIT:
            continue
        if wording.implicit == wording.explicit:
            faults.append(f"turn {turn.index} leaves nothing unsaid")
        if source.match.lab.analyte in {
            analyte.id for analyte in source.vocabulary.analytes_in(wording.implicit)
        }:
            faults.append(f"turn {turn.index} implicit names the test it should leave to the dialogue")
    return faults


def check_gold(plan: SessionPlan, session: Session, gold: GoldSession, source: GoldSource) -> list[str]:
    """Reject gold that does not replay, or a rubric that an empty or corrupted answer gets past.

    The gold calls go through ``source``'s toolset in order, so its chart must hold no writes yet.
    """
    facts = Facts.of(source)
    shown: frozenset[ResourceRef] = frozenset()
    faults: list[str] = []
    for turn in gold.turns:
        done = replay(turn.calls, source.toolset)
        faults += [f"turn {turn.index}: {fault}" for fault in done.faults]
        shown |= done.shown
        question = session.turns[turn.index].wording[Language.EN].explicit
        evidence = TurnEvidence(
            question=question,
            answer=turn.answer[Language.EN],
            language=Language.EN,
            shown=shown,
            writes=done.writes,
            subject_id=session.subject_id,
            earlier=tuple(earlier.answer[Language.EN] for earlier in gold.turns[: turn.index]),
        )
        faults += _gold_fails(turn, evidence, source.vocabulary)
        faults += _empty_passes(turn, evidence, source.vocabulary)
        for item in turn.rubric:
            if (
                decide(item, _against(item, plan, turn, facts, evidence), source.vocabulary).verdict
                is Verdict.MET
            ):
                faults.append(f"turn {turn.index}: {item.item_id} is met by an answer made wrong")
    return faults


def _gold_fails(turn: GoldTurn, evidence: TurnEvidence, vocabulary: Vocabulary) -> list[str]:
    return [
        f"turn {turn.index}: gold does not meet {verdict.item_id}: {verdict.reason}"
        for verdict in decide_turn(turn, evidence, vocabulary)
        if verdict.verdict is not Verdict.MET
    ]


def _empty_passes(turn: GoldTurn, evidence: TurnEvidence, vocabulary: Vocabulary) -> list[str]:
    silent = evidence.replace(answer="", writes=(), shown=frozenset())
    outcome = score_turn(decide_turn(turn, silent, vocabulary))
    if isinstance(outcome, Scored) and outcome.score < PASS_MARK:
        return []
    return [f"turn {turn.index}: an empty answer passes"]


def _against(
    item: RubricItem, plan: SessionPlan, turn: GoldTurn, facts: Facts, evidence: TurnEvidence
) -> TurnEvidence:
    """Build the evidence that must fail ``item``: its fact or field made wrong, or a write too many."""
    if isinstance(item, ExactWritesItem):
        return evidence.replace(writes=evidence.writes * 2)
    if isinstance(item, WriteFieldItem):
        wrong = WRONG_FIELD[item.match]
        writes = tuple(
            write.model_copy(update={"arguments": {**write.arguments, item.field: wrong}})
            for write in evidence.writes
        )
        return evidence.replace(writes=writes)
    corrupted = facts.corrupted(BREAKS[type(item)])
    return evidence.replace(answer=gold_answer(plan.turns[turn.index], corrupted, plan))

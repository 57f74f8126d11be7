"""Proof by replay: gold runs through the real tools and meets its rubric, and nothing less does."""

from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from state.base import Language, ResourceRef
from state.gold import (
    AvoidItem,
    Decision,
    DecisionItem,
    ExactWritesItem,
    FieldMatch,
    GoldSession,
    GoldTurn,
    JudgementItem,
    PatientFactItem,
    PatientOnlyItem,
    PatientUnknownItem,
    RubricItem,
    SparesItem,
    ToolCall,
    WriteAvoidItem,
    WriteFieldItem,
    WriteTextItem,
)
from state.outcome import Scored, Verdict
from state.patient import SymptomFact
from state.session import Session, TaskType
from state.trajectory import WriteRecord
from tools.ehr.overlay import Overlay, Resource
from tools.fhir.toolset import Toolset
from tools.gold import GoldSource
from tools.gold.pieces import Draft
from tools.gold.topics import STRANGER
from tools.grading import SpokenItem, TurnEvidence, decide, decide_turn, score_turn
from tools.interview.interview import Interview
from tools.interview.pertinent import symptom_words
from tools.interview.question import KIND_OF_TOOL
from tools.interview.words import account
from tools.vocabulary import Vocabulary
from tools.wording import load_turn_wordings, render

PASS_MARK = 0.60
DUMPED = 3_000
"""Characters of each tool result that a dump recites: a page of results, and enough to hold what is asked for."""

WRONG_FIELD: dict[FieldMatch, tuple[JsonValue, JsonValue]] = {
    FieldMatch.DRUG: (STRANGER, "melatonin"),
    FieldMatch.DOSE: ("7777 mg", "7778 mg"),
    FieldMatch.ROUTE: ("IM", "SC"),
    FieldMatch.FREQUENCY: ("Q8H", "QHS"),
    FieldMatch.SERVICE: ("social work", "CT head"),
    FieldMatch.DATE: ("2999-12-30", "2999-12-31"),
    FieldMatch.CODE: ("administrative", "routine"),
    FieldMatch.REFERENCE: ("MedicationRequest/rx-0", "MedicationRequest/new-0"),
    FieldMatch.ABSENT: (3, 4),
}
"""What a written field is made to say where it must fail; the second where the first is what is wanted."""


@dataclass(frozen=True)
class Replay:
    """What the calls of one turn showed and wrote; ``before`` and ``after`` are overlay snapshots."""

    shown: frozenset[ResourceRef]
    texts: tuple[str, ...]
    writes: tuple[WriteRecord, ...]
    before: tuple[Resource, ...]
    after: tuple[Resource, ...]
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
    """Run calls through the real tools. What a write shows is no evidence that anything was looked up."""
    overlay = toolset.chart.overlay
    before = tuple(overlay.snapshot())
    shown: set[ResourceRef] = set()
    texts: list[str] = []
    writes: list[WriteRecord] = []
    faults: list[str] = []
    for call in calls:
        result = toolset.call(call.tool, call.arguments)
        if not result.ok:
            faults.append(f"{call.tool} is refused: {result.text}")
        texts.append(result.text)
        if result.write is None:
            shown.update(result.refs)
        else:
            writes.append(result.write)
    return Replay(
        frozenset(shown), tuple(texts), tuple(writes), before, tuple(overlay.snapshot()), tuple(faults)
    )


def check_gold(session: Session, gold: GoldSession, drafts: Sequence[Draft], source: GoldSource) -> list[str]:
    """Reject gold that does not replay, or a rubric that an empty or corrupted answer gets past, in any language.

    The gold calls go through ``source``'s toolset in order, so its chart must hold no writes yet.
    """
    shown: frozenset[ResourceRef] = frozenset()
    dumped: tuple[str, ...] = ()
    faults: list[str] = []
    for turn, draft in zip(gold.turns, drafts, strict=True):
        done = replay(turn.calls, source.toolset)
        faults += [f"turn {turn.index}: {fault}" for fault in done.faults]
        shown |= done.shown
        dumped += done.texts
        for language in turn.answer:
            evidence = TurnEvidence(
                question=session.turns[turn.index].wording[language].explicit,
                answer=turn.answer[language],
                language=language,
                shown=shown,
                writes=done.writes,
                subject_id=session.subject_id,
                earlier=tuple(earlier.answer[language] for earlier in gold.turns[: turn.index]),
                before=done.before,
                after=done.after,
            )
            found = _gold_fails(turn, evidence, source.vocabulary)
            found += _empty_passes(turn, evidence, source.vocabulary)
            asks = session.turns[turn.index].source.asks_the_patient
            if asks or (session.turns[turn.index].task_type is TaskType.REASON and language is Language.EN):
                found += _dump_passes(turn, evidence, dumped, source.vocabulary)
            if session.turns[turn.index].task_type is TaskType.WRITE:
                found += _dump_tells(turn, evidence, dumped, source.vocabulary)
            if asks:
                found += _unasked_passes(turn, evidence, source.vocabulary)
                found += _tells_otherwise(turn, language, source)
            for item in turn.rubric:
                conditions = item.conditions if isinstance(item, ExactWritesItem) else ()
                for broken in (item, *conditions):
                    against = _against(broken, turn, draft, evidence, source)
                    if decide(item, against, source.vocabulary).verdict is Verdict.MET:
                        part = "" if broken is item else f" in {broken.item_id}"
                        found.append(f"{item.item_id} is met by an answer made wrong{part}")
            faults += [f"turn {turn.index} {language}: {fault}" for fault in found]
    return faults


def _gold_fails(turn: GoldTurn, evidence: TurnEvidence, vocabulary: Vocabulary) -> list[str]:
    return [
        f"gold does not meet {verdict.item_id}: {verdict.reason}"
        for verdict in decide_turn(turn, evidence, vocabulary)
        if verdict.verdict is not Verdict.MET
    ]


def _empty_passes(turn: GoldTurn, evidence: TurnEvidence, vocabulary: Vocabulary) -> list[str]:
    silent = evidence.replace(answer="", writes=(), shown=frozenset(), after=evidence.before)
    outcome = score_turn(decide_turn(turn, silent, vocabulary))
    if isinstance(outcome, Scored) and outcome.score < PASS_MARK:
        return []
    return ["an empty answer passes"]


def _dump_passes(
    turn: GoldTurn, evidence: TurnEvidence, dumped: Sequence[str], vocabulary: Vocabulary
) -> list[str]:
    """Say whether reciting every tool result of the session would pass for a conclusion, or for what a patient said.

    A turn whose conclusion is not met does not pass, whatever else is: then the rest is not decided.
    """
    recited = _reciting(evidence, dumped)
    asks = any(isinstance(item, PatientOnlyItem) for item in turn.rubric)
    concluded = [
        item for item in turn.rubric if isinstance(item, DecisionItem | JudgementItem) and item.safety
    ]
    if not asks and any(decide(item, recited, vocabulary).verdict is not Verdict.MET for item in concluded):
        return []
    outcome = score_turn(decide_turn(turn, recited, vocabulary))
    return (
        ["a dump of the tool results passes"]
        if isinstance(outcome, Scored) and outcome.score >= PASS_MARK
        else []
    )


def _dump_tells(
    turn: GoldTurn, evidence: TurnEvidence, dumped: Sequence[str], vocabulary: Vocabulary
) -> list[str]:
    """Say what of a write would be told by reciting every tool result of the session."""
    recited = _reciting(evidence, dumped)
    return [
        f"{item.item_id} is met by a dump of the tool results"
        for item in turn.rubric
        if isinstance(item, SpokenItem) and decide(item, recited, vocabulary).verdict is Verdict.MET
    ]


def _reciting(evidence: TurnEvidence, dumped: Sequence[str]) -> TurnEvidence:
    return evidence.replace(answer="\n".join(text[:DUMPED] for text in dumped))


def _unasked_passes(turn: GoldTurn, evidence: TurnEvidence, vocabulary: Vocabulary) -> list[str]:
    """Say whether the right answer would pass for one who never asked the patient."""
    record_only = frozenset(ref for ref in evidence.shown if not (ref.startswith("Patient/") and "#" in ref))
    outcome = score_turn(decide_turn(turn, evidence.replace(shown=record_only), vocabulary))
    passes = isinstance(outcome, Scored) and outcome.score >= PASS_MARK
    return ["an answer passes though the patient was not asked"] if passes else []


def _tells_otherwise(turn: GoldTurn, language: Language, source: GoldSource) -> list[str]:
    """Say where the patient, asked as gold asks, does not tell in a language what the rubric rests on."""
    interview = Interview(source.patient, source.vocabulary, language)
    told: set[ResourceRef] = set()
    for call in turn.calls:
        if call.tool in KIND_OF_TOOL:
            topic = str(call.arguments.get("drug") or call.arguments.get("query") or "")
            told.update(interview.refs(interview.ask(call.tool, topic)))
    return [
        f"the patient does not tell what {item.item_id} rests on"
        for item in turn.rubric
        if isinstance(item, PatientFactItem | PatientUnknownItem) and told.isdisjoint(item.evidence)
    ]


def _against(
    item: RubricItem, turn: GoldTurn, draft: Draft, evidence: TurnEvidence, source: GoldSource
) -> TurnEvidence:
    """Build the evidence that must fail ``item``: its fact made wrong, or the write made otherwise or twice."""
    match item:
        case ExactWritesItem():
            return _written((*turn.calls, *_too_many(turn.calls, source)), evidence, source)
        case WriteFieldItem():
            wrong = next(value for value in WRONG_FIELD[item.match] if value not in item.values)
            return _written(_with(turn.calls, item.tool, item.field, wrong), evidence, source)
        case WriteTextItem():
            return _written(_with(turn.calls, item.tool, item.field, "see note"), evidence, source)
        case WriteAvoidItem():
            unsafe = _advising(item.unsafe, Language.EN, source)
            return _written(_with(turn.calls, item.tool, "detail", unsafe), evidence, source)
        case AvoidItem():
            return evidence.replace(answer=_advising(item.unsafe, evidence.language, source))
        case PatientOnlyItem():
            return evidence.replace(answer=evidence.answer + invented(item, evidence.language))
        case SparesItem():
            template = load_turn_wordings(evidence.language).answers["hold"]
            held = (render(template, {"drug": names[0]}) for names in item.others[: 2 * item.at_most + 2])
            return evidence.replace(answer="\n".join((evidence.answer, *held)))
    return evidence.replace(answer=draft.answer(evidence.language, against=item.item_id))


def invented(item: PatientOnlyItem, language: Language) -> str:
    """Tell of a symptom that the patient has not told of."""
    told = {fact.symptom for fact in item.facts if isinstance(fact, SymptomFact)}
    what = next(words[language] for name, words in symptom_words().items() if name not in told)
    gap = load_turn_wordings(language).between_sentences
    return gap + str(account(language)["tell"]["alleged"]["symptom"]).format(what=what)


def _too_many(calls: Sequence[ToolCall], source: GoldSource) -> Sequence[ToolCall]:
    """Give writes too many: the same again, or a flag where the same again would change nothing."""
    if any(call.tool == "MedicationRequest.patch" for call in calls):
        return (source.call("Flag.create", category="clinical", code="Review", detail="see note"),)
    return calls


def _advising(decision: Decision, language: Language, source: GoldSource) -> str:
    """Word the advice of a decision about the triggering order."""
    drug = source.drug_in(source.order.ingredient)[language]
    return render(load_turn_wordings(language).answers[decision.value], {"drug": drug})


def _with(calls: Sequence[ToolCall], tool: str, argument: str, value: JsonValue) -> tuple[ToolCall, ...]:
    """Change one argument of the calls of a tool."""
    return tuple(
        call.model_copy(update={"arguments": {**call.arguments, argument: value}})
        if call.tool == tool
        else call
        for call in calls
    )


def _written(calls: Sequence[ToolCall], evidence: TurnEvidence, source: GoldSource) -> TurnEvidence:
    """Run other calls where the turn began, on a twin of the chart, and put what they wrote in place of its writes."""
    done = replay(calls, source.toolset.with_overlay(Overlay(evidence.before)))
    return evidence.replace(writes=done.writes, before=done.before, after=done.after)

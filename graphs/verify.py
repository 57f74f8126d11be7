"""Prove a set again: gold derived anew from each plan must be the gold on file, and every check must hold."""

from collections.abc import Sequence
from pathlib import Path

from agents.checkers import check_gold
from agents.checks.bilingual import check_bilingual
from agents.checks.case import Case, Checker, ruled
from agents.checks.clinical import check_clinical
from agents.checks.observation import check_observation
from agents.checks.patient import check_patient
from agents.checks.plan import check_plan
from agents.checks.rubric import check_rubric
from agents.checks.wording import check_wording
from agents.dialogue import reading_faults
from agents.worded import worded_faults
from graphs.benchmark import (
    MANIFEST,
    PLANS,
    REVIEWS,
    WORDINGS,
    Benchmark,
    altered,
    read_benchmark,
    read_lines,
)
from graphs.workshop import TEMPLATES, Workshop
from state.base import InputError
from state.checking import Stage
from state.gold import GoldSession
from state.manifest import BenchmarkManifest
from state.patient import PatientFacts
from state.plan import SessionPlan
from state.review import TurnReview
from state.session import Scenario, Session
from state.wordings import WordedTurn
from tools.clinical.rules import knowledge_fingerprint
from tools.ehr.warehouse import Warehouse
from tools.gold import NoGold, derive_gold, drafts_of

CHECKERS: dict[Stage, Checker] = {
    Stage.PLAN: check_plan,
    Stage.OBSERVATION: check_observation,
    Stage.CLINICAL: check_clinical,
    Stage.RUBRIC: check_rubric,
    Stage.PATIENT: check_patient,
    Stage.WORDING: check_wording,
    Stage.BILINGUAL: check_bilingual,
}


def verify(folder: Path, warehouse: Warehouse) -> list[str]:
    """List what does not hold in the set of ``folder``.

    Raises InputError where the set was made from another warehouse or other rules: then nothing can be proved.
    """
    benchmark = read_benchmark(folder, altered_too=True)
    workshop = workshop_of(benchmark, warehouse, folder)
    plans = {plan.session_id: plan for plan in read_lines(folder / PLANS, SessionPlan)}
    path = folder / REVIEWS
    reviews = read_lines(path, TurnReview) if path.exists() else []
    worded = read_worded(folder, benchmark.manifest)
    faults = [
        f"{folder / name} is not the file that {MANIFEST} was written with"
        for name in altered(folder, benchmark.manifest)
    ]
    for session in benchmark.sessions:
        name = session.session_id
        plan, gold, patient = plans.get(name), benchmark.gold[name], benchmark.patients.get(name)
        found = (
            ["has no plan"]
            if plan is None
            else session_faults(session, gold, plan, patient, workshop, reviews, worded)
        )
        faults += [f"{name}: {fault}" for fault in found]
    return faults


def read_worded(folder: Path, manifest: BenchmarkManifest) -> list[WordedTurn] | None:
    """Read who worded the turns of a set that a model was asked to word; None for one of templates."""
    return None if manifest.model == TEMPLATES else read_lines(folder / WORDINGS, WordedTurn)


def workshop_of(benchmark: Benchmark, warehouse: Warehouse, folder: Path) -> Workshop:
    """Give the workshop a set was made in; InputError where the warehouse or the rules are others."""
    manifest = benchmark.manifest
    if manifest.warehouse != warehouse.fingerprint:
        raise InputError(
            f"{folder} was made from another warehouse than {warehouse.path}: name that one with --ehr"
        )
    if manifest.knowledge != knowledge_fingerprint():
        raise InputError(f"{folder} was made with other rules than this version has: generate it again")
    scenarios = tuple(Scenario(name) for name in manifest.scenarios)
    return Workshop(warehouse, scenarios, manifest.seed, manifest.gate)


def session_faults(
    session: Session,
    gold: GoldSession,
    plan: SessionPlan,
    patient: PatientFacts | None,
    workshop: Workshop,
    reviews: Sequence[TurnReview] = (),
    worded: Sequence[WordedTurn] | None = None,
) -> list[str]:
    """List what does not hold of one session. What a reviewer corrected may differ from what the plan gives.

    ``worded`` says who worded the turns, where a model was asked to.
    """
    if plan.match.rule_id not in workshop.rules:
        return [f"its plan names a rule that is none of its scenarios: {plan.match.rule_id}"]
    if patient != workshop.patient(plan.match, session.session_id, plan.persona):
        return ["the patient on file is not who the record and the seed give"]
    source = workshop.source(plan.match, patient)
    try:
        drafts = drafts_of(plan, source)
    except NoGold as reason:
        return [str(reason)]
    if not len(session.turns) == len(gold.turns) == len(drafts):
        return ["session, gold and plan have not the same number of turns"]
    faults = []
    derived = derive_gold(plan, source, drafts, tuple(gold.turns[0].answer))
    own = [review for review in reviews if review.session_id == session.session_id]
    if _corrected(derived, gold, own) != gold:
        faults.append("the gold on file is not what the record gives")
    calls = tuple(turn.calls for turn in gold.turns)
    case = Case(source, plan, calls, session, gold, patient, workshop.titles, reading_faults)
    for stage, checker in CHECKERS.items():
        faults += ruled(stage, checker, case).reasons
    if worded is not None:
        notes = [note for note in worded if note.session_id == session.session_id]
        by_hand = {
            r.turn for r in own for change in r.changes if change.column.endswith(("_explicit", "_implicit"))
        }
        faults += ruled(Stage.WORDING, lambda _: list(worded_faults(case, notes, by_hand)), case).reasons
    twin = workshop.source(plan.match, patient)
    faults += ruled(Stage.VERIFY, lambda _: check_gold(session, gold, drafts, twin), case).reasons
    return faults


def _corrected(derived: GoldSession, gold: GoldSession, reviews: Sequence[TurnReview]) -> GoldSession:
    """Put into derived gold what reviewers wrote: calls, answers and texts of items, nothing else of them."""
    columns = {(review.turn, change.column) for review in reviews for change in review.changes}
    turns = []
    for turn, filed in zip(derived.turns, gold.turns, strict=True):
        answer, rubric, calls = dict(turn.answer), list(turn.rubric), turn.calls
        for language in answer:
            if (turn.index, f"{language}_answer") in columns:
                answer[language] = filed.answer[language]
            if (turn.index, f"{language}_rubric") in columns and len(rubric) == len(filed.rubric):
                rubric = [
                    item.model_copy(update={"text": {**item.text, language: other.text[language]}})
                    for item, other in zip(rubric, filed.rubric, strict=True)
                ]
        if (turn.index, "tools") in columns:
            calls = filed.calls
        turns.append(turn.model_copy(update={"answer": answer, "rubric": tuple(rubric), "calls": calls}))
    return derived.model_copy(update={"turns": tuple(turns)})

"""Prove a set again: gold derived anew from each plan must be the gold on file, and every check must hold."""

from collections.abc import Iterable
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
from graphs.benchmark import PLANS, Benchmark, read_benchmark, read_lines
from graphs.workshop import Workshop
from state.base import InputError
from state.checking import Stage
from state.gold import GoldSession, ToolCall
from state.plan import SessionPlan
from state.session import Scenario, Session
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
    benchmark = read_benchmark(folder)
    workshop = workshop_of(benchmark, warehouse, folder)
    plans = {plan.session_id: plan for plan in read_lines(folder / PLANS, SessionPlan)}
    faults: list[str] = []
    for session in benchmark.sessions:
        plan = plans.get(session.session_id)
        found = ["has no plan"] if plan is None else list(_faults(session, plan, benchmark, workshop))
        faults += [f"{session.session_id}: {fault}" for fault in found]
    return faults


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


def _faults(session: Session, plan: SessionPlan, benchmark: Benchmark, workshop: Workshop) -> Iterable[str]:
    gold, patient = benchmark.gold[session.session_id], benchmark.patients.get(session.session_id)
    if plan.match.rule_id not in workshop.rules:
        yield f"its plan names a rule that is none of its scenarios: {plan.match.rule_id}"
        return
    source = workshop.source(plan.match)
    try:
        drafts = drafts_of(plan, source)
    except NoGold as reason:
        yield str(reason)
        return
    if derive_gold(plan, source, drafts, tuple(gold.turns[0].answer)) != gold:
        yield "the gold on file is not what the record gives"
    case = Case(source, plan, _calls(gold), session, gold, patient, workshop.titles)
    for stage, checker in CHECKERS.items():
        check = ruled(stage, checker, case)
        yield from (f"{stage}: {reason}" for reason in check.reasons)
    if not len(session.turns) == len(gold.turns) == len(drafts):
        return
    twin = workshop.source(plan.match)
    yield from ruled(Stage.VERIFY, lambda _: check_gold(session, gold, drafts, twin), case).reasons


def _calls(gold: GoldSession) -> tuple[tuple[ToolCall, ...], ...]:
    return tuple(turn.calls for turn in gold.turns)

"""Prove a set of sessions again: gold derived anew from each plan must be the gold on file, and must hold."""

from pathlib import Path

from agents.checkers import check_gold, check_wording
from graphs.benchmark import PLANS, read_benchmark, read_lines
from graphs.workshop import Workshop
from state.base import InputError
from state.plan import SessionPlan
from state.session import Scenario
from tools.clinical.rules import knowledge_fingerprint
from tools.ehr.warehouse import Warehouse
from tools.gold import NoGold, derive_gold, drafts_of


def verify(folder: Path, warehouse: Warehouse) -> list[str]:
    """List what does not hold in the set of ``folder``.

    Raises InputError where the set was made from another warehouse or other rules: then nothing can be proved.
    """
    benchmark = read_benchmark(folder)
    manifest = benchmark.manifest
    if manifest.warehouse != warehouse.fingerprint:
        raise InputError(
            f"{folder} was made from another warehouse than {warehouse.path}: name that one with --ehr"
        )
    if manifest.knowledge != knowledge_fingerprint():
        raise InputError(f"{folder} was made with other rules than this version has: generate it again")
    scenarios = tuple(Scenario(name) for name in manifest.scenarios)
    workshop = Workshop(warehouse, scenarios, manifest.seed, manifest.gate)
    plans = {plan.session_id: plan for plan in read_lines(folder / PLANS, SessionPlan)}
    faults: list[str] = []
    for session in benchmark.sessions:
        plan, gold = plans.get(session.session_id), benchmark.gold[session.session_id]
        if plan is None:
            faults.append(f"{session.session_id}: has no plan")
            continue
        source = workshop.source(plan.match)
        try:
            drafts = drafts_of(plan, source)
        except NoGold as reason:
            faults.append(f"{session.session_id}: {reason}")
            continue
        languages = tuple(gold.turns[0].answer)
        if derive_gold(plan, source, drafts, languages) != gold:
            faults.append(f"{session.session_id}: the gold on file is not what the record gives")
        found = check_wording(session, source) + check_gold(
            session, gold, drafts, workshop.source(plan.match)
        )
        faults += [f"{session.session_id}: {fault}" for fault in found]
    return faults

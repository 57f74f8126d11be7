"""What a scan found and what a set of sessions covers, as tables and lines."""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import product

from rich.table import Table

from agents.arcs import SESSIONS_A_TIER, TIERS, eligible_arcs
from state.generation import Attempt, Proven
from state.knowledge import Rule, RuleMatch
from state.plan import ASKS_THE_PATIENT
from state.session import Implicitness
from tools.clinical.scan import lacking
from tools.ehr.warehouse import Warehouse


def coverage_table(
    proven: Sequence[Proven], attempts: Sequence[Attempt], wanted: int, candidates: int
) -> Table:
    """Say by scenario and tier what a set covers.

    Slots, arcs, rules, patients, sessions that ask the patient, ways to leave things unsaid.
    """
    table = Table(
        title=f"{len(proven)} of {wanted} sessions, {candidates} rule matches, {len(attempts)} tried"
    )
    for column in (
        "scenario",
        "tier",
        "sessions",
        "arcs",
        "rules",
        "patients",
        "ask",
        "NA/PE/AE",
    ):
        table.add_column(column, justify="left" if column == "scenario" else "right")
    scenarios = sorted({attempt.scenario for attempt in attempts})
    for scenario, tier in product(scenarios, TIERS):
        some = [one for one in proven if (one.plan.scenario, one.plan.tier) == (scenario, tier)]
        ways = Counter(turn.implicitness for one in some for turn in one.plan.turns)
        table.add_row(
            scenario,
            str(tier),
            f"{len(some)} / {SESSIONS_A_TIER}",
            f"{len({one.plan.arc for one in some})} / {len(eligible_arcs(tier))}",
            str(len({one.plan.match.rule_id for one in some})),
            str(len({one.plan.match.subject_id for one in some})),
            str(sum(turn.kind in ASKS_THE_PATIENT for one in some for turn in one.plan.turns)),
            "/".join(str(ways[way]) for way in _WAYS),
        )
    return table


_WAYS = (
    Implicitness.NOMINAL_ANAPHORA,
    Implicitness.PREDICATE_ELLIPSIS,
    Implicitness.ABSTRACT_EVENT_ANAPHORA,
)


def scan_table(rules: Sequence[Rule], matches: Iterable[RuleMatch], seconds: float) -> Table:
    """Count matches by scenario, tier and rule; a rule's controls stand beside its matches."""
    counts = Counter((match.rule_id, match.control) for match in matches)
    table = Table(title=f"{counts.total()} matches of {len(rules)} rules in {seconds:.1f} s")
    for column in ("scenario", "tier", "rule", "matches", "controls"):
        table.add_column(column, justify="right" if column in {"tier", "matches", "controls"} else "left")
    for rule in sorted(rules, key=lambda rule: (rule.scenario, rule.tier, rule.id)):
        controls = str(counts[rule.id, True]) if rule.control is not None else ""
        table.add_row(rule.scenario, str(rule.tier), rule.id, str(counts[rule.id, False]), controls)
    return table


def unmatchable(warehouse: Warehouse, rules: Iterable[Rule]) -> list[str]:
    """Say which rules could not be tried for want of a table."""
    without = Counter(missing for rule in rules if (missing := lacking(warehouse, rule)))
    return [f"{count} rules not tried: no {', '.join(tables)}" for tables, count in sorted(without.items())]

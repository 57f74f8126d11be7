"""What a scan found and what a set of sessions covers, as tables and lines."""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import product

from rich.console import RenderableType

from agents.arcs import SESSIONS_A_TIER, TIERS, Tier, eligible_arcs
from state.generation import Attempt, Proven
from state.knowledge import Rule, RuleMatch
from state.plan import ASKS_THE_PATIENT
from state.session import Implicitness, Scenario
from tools.clinical.scan import lacking
from tools.counted import counted
from tools.ehr.warehouse import Warehouse
from tools.report.as_text import as_rich
from tools.report.cells import Cell, ReportTable


def coverage_table(
    proven: Sequence[Proven], attempts: Sequence[Attempt], wanted: int, candidates: int
) -> RenderableType:
    """Say by scenario and tier what a set covers.

    Slots, arcs, rules, patients, sessions that ask the patient, ways to leave things unsaid.
    """
    scenarios = sorted({attempt.scenario for attempt in attempts})
    return as_rich(
        [
            ReportTable(
                name="coverage",
                title=f"{len(proven)} of {counted(wanted, 'session')}, {candidates} rule matches, "
                f"{len(attempts)} tried",
                columns=("scenario", "tier", "sessions", "arcs", "rules", "patients", "ask", "/".join(_WAYS)),
                rows=tuple(_covered(proven, scenario, tier) for scenario, tier in product(scenarios, TIERS)),
                labels=2,
                sections=True,
            )
        ]
    )


def _covered(proven: Sequence[Proven], scenario: Scenario, tier: Tier) -> tuple[Cell, ...]:
    some = [one for one in proven if (one.plan.scenario, one.plan.tier) == (scenario, tier)]
    ways = Counter(turn.implicitness for one in some for turn in one.plan.turns)
    return (
        scenario,
        str(tier),
        f"{len(some)} / {SESSIONS_A_TIER}",
        f"{len({one.plan.arc for one in some})} / {len(eligible_arcs(tier))}",
        len({one.plan.match.rule_id for one in some}),
        len({one.plan.match.subject_id for one in some}),
        sum(turn.kind in ASKS_THE_PATIENT for one in some for turn in one.plan.turns),
        "/".join(str(ways[way]) for way in _WAYS),
    )


_WAYS = (
    Implicitness.NOMINAL_ANAPHORA,
    Implicitness.PREDICATE_ELLIPSIS,
    Implicitness.ABSTRACT_EVENT_ANAPHORA,
)


def scan_table(rules: Sequence[Rule], matches: Iterable[RuleMatch], seconds: float) -> RenderableType:
    """Count matches by scenario, tier and rule; a rule's controls stand beside its matches.

    The last column says what kind of text the rule's citation was last compared with, and when.
    """
    counts = Counter((match.rule_id, match.control) for match in matches)
    return as_rich(
        [
            ReportTable(
                name="scan",
                title=f"{counts.total()} matches of {len(rules)} rules in {seconds:.1f} s",
                columns=("scenario", "tier", "rule", "matches", "controls", "source checked"),
                rows=tuple(
                    (
                        rule.scenario,
                        str(rule.tier),
                        rule.id,
                        counts[rule.id, False],
                        counts[rule.id, True] if rule.control is not None else None,
                        f"{check.text} {check.day}" if (check := rule.citation.checked) is not None else "no",
                    )
                    for rule in sorted(rules, key=lambda rule: (rule.scenario, rule.tier, rule.id))
                ),
                labels=3,
                sections=True,
            )
        ]
    )


def unmatchable(warehouse: Warehouse, rules: Iterable[Rule]) -> list[str]:
    """Say which rules could not be tried for want of a table."""
    without = Counter(missing for rule in rules if (missing := lacking(warehouse, rule)))
    return [f"{count} rules not tried: no {', '.join(tables)}" for tables, count in sorted(without.items())]

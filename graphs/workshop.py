"""The workshop: what generation works on, and the sessions it has finished."""

from dataclasses import dataclass, field
from functools import cached_property

from agents.planner import order_candidates
from state.base import GatePolicy
from state.gold import GoldSession
from state.knowledge import Rule, RuleMatch
from state.session import Scenario, Session
from tools.clinical.rules import load_rules
from tools.clinical.scan import scan
from tools.ehr.chart import Chart
from tools.ehr.warehouse import Warehouse
from tools.fhir.dictionaries import Dictionaries
from tools.fhir.toolset import Toolset
from tools.gold import GoldSource
from tools.vocabulary import Vocabulary


@dataclass
class Workshop:
    """A warehouse, the rules of some scenarios, a seed; ``finished`` holds proven sessions by candidate."""

    warehouse: Warehouse
    scenarios: tuple[Scenario, ...]
    seed: int
    gate: GatePolicy = GatePolicy.STRICT
    vocabulary: Vocabulary = field(default_factory=Vocabulary.load)
    finished: dict[int, tuple[Session, GoldSession]] = field(default_factory=dict)

    @cached_property
    def dictionaries(self) -> Dictionaries:
        """Give the warehouse's dictionaries, which all charts share."""
        return Dictionaries(self.warehouse)

    @cached_property
    def rules(self) -> dict[str, Rule]:
        """Give the rules of the scenarios by id."""
        return {rule.id: rule for scenario in self.scenarios for rule in load_rules(scenario)}

    @cached_property
    def candidates(self) -> tuple[RuleMatch, ...]:
        """Scan the whole warehouse, once; the matches are in the order they will be tried."""
        return order_candidates(scan(self.warehouse, tuple(self.rules.values()), self.vocabulary), self.seed)

    def rule(self, match: RuleMatch) -> Rule:
        """Give the rule of a match, or of its near miss."""
        rule = self.rules[match.rule_id]
        return rule.as_control() if match.control else rule

    def source(self, match: RuleMatch) -> GoldSource:
        """Open a match's chart at its moment, with nothing written in it."""
        chart = Chart(self.warehouse, match.subject_id, match.as_of, match.hadm_id, self.gate)
        return GoldSource(
            self.rule(match),
            match,
            Toolset(chart, self.vocabulary, self.dictionaries),
            self.vocabulary,
        )

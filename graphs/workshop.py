"""The workshop: what generation works on, and the sessions it has finished."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from langchain_core.messages import AIMessage

from agents.arcs import all_slots
from agents.casting import Casting, shuffled
from agents.checks.reader import Reader
from agents.gateway import Call
from graphs.generation_calls import CallPlan
from state.base import GatePolicy, Language, SessionId
from state.generation import Proven, Tried
from state.knowledge import Rule, RuleMatch
from state.patient import PatientFacts, Persona
from state.plan import Slot
from state.session import Scenario
from tools.clinical.rules import load_rules
from tools.clinical.scan import scan
from tools.ehr.chart import Chart
from tools.ehr.warehouse import Warehouse
from tools.fhir.context import Context
from tools.fhir.dictionaries import Dictionaries
from tools.fhir.toolset import Toolset
from tools.gold import GoldSource
from tools.gold.patient_pieces import turned_on
from tools.interview.cast import cast_patient
from tools.interview.guard import Titles
from tools.interview.interview import Interview
from tools.interview.titles import diagnosis_titles
from tools.vocabulary import Vocabulary

TEMPLATES = "offline/templates"


@dataclass
class Workshop:
    """A warehouse, the rules of some scenarios, a seed; ``finished`` holds proven sessions by slot.

    ``tried`` are candidates by slot and number that a run before this one has finished with; each that ends is kept by
    ``keep``. ``elsewhere`` takes a candidate through the stages in another process; ``found`` are the matches where a
    scan has been made before. ``calls`` says which models speak, none where templates do; ``ask`` is how they are asked
    while their gateway is open.
    """

    warehouse: Warehouse
    scenarios: tuple[Scenario, ...]
    seed: int
    gate: GatePolicy = GatePolicy.STRICT
    languages: tuple[Language, ...] = tuple(Language)
    vocabulary: Vocabulary = field(default_factory=Vocabulary.load)
    finished: dict[int, Proven] = field(default_factory=dict)
    tried: dict[tuple[int, int], Tried] = field(default_factory=dict)
    keep: Callable[[Tried], None] = lambda _: None
    elsewhere: Callable[[int, int], Tried] | None = None
    found: tuple[RuleMatch, ...] | None = None
    calls: CallPlan | None = None
    ask: Callable[[Call], AIMessage] | None = None

    @property
    def model(self) -> str:
        """Name who words the questions."""
        worded_by = None if self.calls is None else self.calls.physician
        return TEMPLATES if worded_by is None else worded_by.name

    @property
    def reader(self) -> Reader | None:
        """Give the model that reads what checkers have accepted; None where nobody does."""
        if self.calls is None or self.calls.checker is None:
            return None
        if self.ask is None:
            raise RuntimeError("the gateway of this workshop is not open")
        return Reader(self.calls.checker, self.ask)

    @cached_property
    def dictionaries(self) -> Dictionaries:
        """Give the warehouse's dictionaries, which all charts share."""
        return Dictionaries(self.warehouse)

    @cached_property
    def titles(self) -> Titles:
        """Give the search for diagnosis titles of the warehouse."""
        return diagnosis_titles(self.warehouse)

    @cached_property
    def rules(self) -> dict[str, Rule]:
        """Give the rules of the scenarios by id."""
        return {rule.id: rule for scenario in self.scenarios for rule in load_rules(scenario)}

    @cached_property
    def candidates(self) -> tuple[RuleMatch, ...]:
        """List the matches that are tried, in a seeded order."""
        return shuffled(self.matches, self.seed)

    @cached_property
    def matches(self) -> Sequence[RuleMatch]:
        """Scan the whole warehouse, once."""
        if self.found is not None:
            return self.found
        return scan(self.warehouse, tuple(self.rules.values()), self.vocabulary)

    @cached_property
    def layout(self) -> tuple[Slot, ...]:
        """List the slots of a full set, whatever the warehouse holds."""
        return all_slots(self.scenarios, self.seed)

    @cached_property
    def slots(self) -> tuple[Slot, ...]:
        """List the slots that some candidate's rule fits, in the order in which a smaller set takes them."""
        fitting = (self.rules[match.rule_id] for match in self.candidates)
        cells = {(rule.scenario, rule.tier) for rule in fitting}
        return tuple(s for s in self.layout if (s.scenario, s.tier) in cells)

    def casting(self, wanted: int) -> Casting:
        """Set out the first ``wanted`` slots."""
        return Casting(self.slots[:wanted], self.candidates, self.rules)

    def rule(self, match: RuleMatch) -> Rule:
        """Give the rule of a match, or of its near miss."""
        rule = self.rules[match.rule_id]
        return rule.as_control() if match.control else rule

    def source(self, match: RuleMatch, patient: PatientFacts | None = None) -> GoldSource:
        """Open a match's chart at its moment, with nothing written in it and ``patient`` to be asked."""
        interview = Interview(patient, self.vocabulary)
        toolset = Toolset(self._chart(match), self.vocabulary, self.dictionaries, interview=interview)
        return GoldSource(self.rule(match), match, toolset, self.vocabulary, patient)

    def patient(self, match: RuleMatch, session_id: SessionId, persona: Persona) -> PatientFacts:
        """Derive who the patient of a session is: what is known, told and kept back."""
        context = Context(self._chart(match), self.vocabulary, self.dictionaries)
        return cast_patient(context, session_id, self.seed, persona, match.lab.analyte, turned_on(match))

    def _chart(self, match: RuleMatch) -> Chart:
        return Chart(self.warehouse, match.subject_id, match.as_of, match.hadm_id, self.gate)

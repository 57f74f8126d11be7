"""How a match is arranged into turns."""

from pathlib import Path

from agents.arcs import ARCS, all_slots
from agents.news import tells
from agents.planner import plan_session, session_id
from graphs.workshop import Workshop
from state.gold import NameItem, TimeItem
from state.plan import KEY_LAB, Slot
from state.session import Scenario, TaskType
from tools.ehr.warehouse import Warehouse
from tools.gold import NoGold
from tools.gold.around_topics import AdmissionTopic, LastGivenTopic
from tools.gold.turns import Story, draft
from tools.interview.personas import deal_persona

SEED = 7


def test_no_turn_asks_for_one_drug_under_two_heads(synthetic_warehouse: Path) -> None:
    """The drug of the ward is that of the home list here: an answer with one of them wrong would still name it."""
    scenario, rule = Scenario.DISCHARGE_PLANNING, "ras_inhibitor_established_check_routine"
    with Warehouse.open(synthetic_warehouse) as warehouse:
        workshop = Workshop(warehouse, (scenario,), SEED)
        slot = next(s for s in all_slots((scenario,), SEED) if (s.tier, s.arc) == (2, 24))
        persona = deal_persona(0, SEED)
        quoted = []
        for match in [m for m in workshop.matches if m.rule_id == rule][:5]:
            patient = workshop.patient(match, session_id(match, workshop.rule(match), slot), persona)
            source = workshop.source(match, patient)
            for index, turn in enumerate(plan_session(source, slot, SEED, persona).turns):
                items = draft(turn, Story(source), f"t{index}", frozenset()).rubric
                named = [{*map(str.casefold, item.names)} for item in items if isinstance(item, NameItem)]
                assert len(set().union(*named)) == sum(map(len, named)), turn.topics
                quoted += [topic for topic in turn.topics if topic in ("ward_order", "at_home")]
    assert "ward_order" in quoted


def test_the_last_dose_is_one_of_this_stay(synthetic_warehouse: Path) -> None:
    """A drug that was ordered again, and not given yet, was last given at an earlier stay."""
    told = unknown = 0
    with Warehouse.open(synthetic_warehouse) as warehouse:
        workshop = Workshop(warehouse, (Scenario.MED_SAFETY,), SEED)
        for match in (m for m in workshop.matches if m.orders):
            source = workshop.source(match)
            (admitted,) = AdmissionTopic(source).pieces("t")[0].items
            try:
                (given,) = LastGivenTopic(source).pieces("t")[0].items
            except NoGold:
                unknown += 1
                continue
            assert isinstance(admitted, TimeItem)
            assert isinstance(given, TimeItem)
            assert given.time >= admitted.time
            told += 1
    assert told > unknown > 0


def test_an_order_is_written_about_only_once_it_was_looked_up(synthetic_warehouse: Path) -> None:
    """Arcs that gather and write ask for no conclusion that would name the drug, and may ask the patient instead."""
    arcs = [arc for arc in ARCS if arc.tasks[1] is TaskType.GATHER and arc.tasks[3] is TaskType.WRITE]
    arcs = [arc for arc in arcs if TaskType.REASON not in arc.tasks]
    planned = 0
    with Warehouse.open(synthetic_warehouse) as warehouse:
        workshop = Workshop(warehouse, (Scenario.MED_SAFETY,), SEED)
        for number, match in enumerate(m for m in workshop.matches if m.orders and not m.control):
            rule, persona = workshop.rule(match), deal_persona(number, SEED)
            for arc in arcs if rule.tier < 3 else ():
                slot = Slot(scenario=rule.scenario, tier=rule.tier, arc=arc.number)
                patient = workshop.patient(match, session_id(match, rule, slot), persona)
                try:
                    plan = plan_session(workshop.source(match, patient), slot, SEED, persona)
                except NoGold:
                    continue
                told = frozenset[str]().union(*(tells(turn, match) for turn in plan.turns[:-1]))
                assert {*plan.turns[-1].topics} <= {KEY_LAB, *told}, (rule.id, plan.turns)
                planned += 1
    assert planned > 20

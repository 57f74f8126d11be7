"""The planner: arranges a rule match into the four turns of an arc."""

import hashlib
import random
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, product

from agents.arcs import ARCS
from agents.interviews import (
    CALLS,
    COUNTED,
    HOME,
    Choice,
    interviews,
    interviews_to_conclude,
    may_ask,
    must_ask,
    turns_to_ask_in,
)
from agents.menus import beside, different_things, gathers, look_ups, measured, shown
from agents.news import asks_for, tells
from agents.physician import leave_unsaid
from agents.turn_sizes import LOOKING, Sizes, bare, counted
from state.base import SessionId
from state.gold import NameItem, PatientFactItem, RubricItem, ValueItem
from state.knowledge import Rule, RuleMatch
from state.patient import Persona
from state.plan import CONCLUDING, KEY_LAB, ORDER, TASK_TYPE, PlannedTurn, SessionPlan, Slot, TurnKind
from state.session import Scenario, TaskType
from tools.gold import GoldSource, NoGold
from tools.gold.pieces import Draft
from tools.gold.topics import BESIDE
from tools.gold.turns import Story, draft

COURSE: Choice = (TurnKind.DIRECTION, (KEY_LAB,))
CONCLUDE: Choice = (TurnKind.CONCLUDE, (KEY_LAB,))
GROUNDED = frozenset({TurnKind.CONCLUDE, TurnKind.CONCLUDE_ASKED, TurnKind.RECONSIDER})
"""Questions that look at as much beside the key result as fills them."""
AGAIN: Choice = (TurnKind.RECONSIDER, (KEY_LAB,))
"""Reasoning turns beside the conclusion, which a session asks for once."""
MOST_TRIES = 400
"""Arrangements of one match, for each turn that can ask the patient, that are looked at before it is given up."""


def session_id(match: RuleMatch, rule: Rule, slot: Slot) -> SessionId:
    """Name a session by its scenario, tier, arc and a digest of its match.

    No two sessions of any set share it, and it says neither whose record it is nor what is looked for in it.
    """
    told = (match.rule_id, match.control, match.subject_id, match.hadm_id, match.as_of)
    digest = hashlib.blake2b("|".join(map(str, told)).encode(), digest_size=6).hexdigest()
    return SessionId(f"{rule.scenario}-t{slot.tier}-a{slot.arc:02d}-{digest}")


def plan_session(source: GoldSource, slot: Slot, seed: int, persona: Persona) -> SessionPlan:
    """Arrange one match into the turns of a slot's arc; ``persona`` is that of its patient.

    Of the arrangements that the record carries, the first of a seeded order is taken in which no turn asks for what an
    earlier one told, and no type of resource is looked up in more than two turns; where the slot asks the patient, one
    that does. Raises NoGold where there is none.
    """
    name = session_id(source.match, source.rule, slot)
    rng = random.Random(f"{seed}:{name}")  # noqa: S311
    story = Story(source)
    wording_seed = rng.randrange(2**31)
    why = f"the record carries no arrangement of arc {slot.arc}"
    if must_ask(slot):
        why = f"the patient knows no fact that a turn of arc {slot.arc} could ask for"
    for choices in _all_arrangements(Sizes(story), slot, rng):
        turns = [bare(choice) for choice in choices]
        fault = _fault(turns, story)
        if fault is None:
            try:
                worded = leave_unsaid(turns, source, wording_seed)
            except NoGold as reason:
                why = str(reason)
                continue
            return SessionPlan(
                session_id=name,
                scenario=source.rule.scenario,
                tier=source.rule.tier,
                arc=slot.arc,
                match=source.match,
                turns=worded,
                wording_seed=wording_seed,
                persona=persona,
            )
        why = fault
    raise NoGold(why)


def _all_arrangements(sizes: Sizes, slot: Slot, rng: random.Random) -> Iterator[tuple[Choice, ...]]:
    """Give the arrangements to try: those that ask the patient and those that do not, by what the slot prefers."""
    asks = must_ask(slot) or may_ask(slot, rng)
    if asks:
        yield from _asking(sizes, slot, rng)
    if not must_ask(slot):
        yield from _arrangements(sizes, slot, rng, None)
    if not asks:
        yield from _asking(sizes, slot, rng)


def _asking(sizes: Sizes, slot: Slot, rng: random.Random) -> Iterator[tuple[Choice, ...]]:
    for at in turns_to_ask_in(slot, rng):
        yield from _arrangements(sizes, slot, rng, at)


def reworded(plan: SessionPlan, again: int) -> SessionPlan:
    """Give the same plan with other words; ``again`` counts the times."""
    seed = random.Random(f"{plan.wording_seed}:{again}").randrange(2**31)  # noqa: S311
    return plan.model_copy(update={"wording_seed": seed})


def _fault(turns: Sequence[PlannedTurn], story: Story) -> str | None:
    """Say why an arrangement cannot be: gold that does not hold, a figure asked for twice, a resource too often."""
    known: frozenset[str] = frozenset()
    told: set[Figure] = set()
    for index, turn in enumerate(turns):
        try:
            drafted = draft(turn, story, f"t{index}", known)
        except NoGold as reason:
            return str(reason)
        if turn.kind is TurnKind.INTERVIEW and (why := _unfit(drafted)):
            return why
        figures = set(figures_of(drafted.rubric)) - {
            (story.source.match.lab.ref, story.source.match.lab.value)
        }
        if figures & told:
            return f"{min(figures & told)[0]} would be asked for twice"
        told |= figures
        known |= set(turn.topics)
    return None


Figure = tuple[str, float | None]
"""A result or a finding that an answer states: its resource, and its number where it has one."""


def figures_of(rubric: Iterable[RubricItem]) -> Iterator[Figure]:
    """Give what a rubric wants stated. A number worked out from a result is another figure than the result."""
    for item in rubric:
        if isinstance(item, ValueItem) and item.evidence:
            yield item.evidence[0], item.value
        elif isinstance(item, NameItem) and item.evidence:
            yield item.evidence[0], None


def _unfit(drafted: Draft) -> str | None:
    """Say why an interview is too short or too long to be a turn."""
    items = counted(drafted)
    if items in COUNTED and len(drafted.calls) in CALLS:
        return None
    return f"an interview of {items} items and {len(drafted.calls)} calls is no turn"


def _arrangements(
    sizes: Sizes, slot: Slot, rng: random.Random, asking: int | None
) -> Iterator[tuple[Choice, ...]]:
    """Give arrangements in a seeded order: those whose turns are of their sizes first, then the others.

    Of each, those that tell the rule's own story come first. Turn ``asking`` asks the patient; None: no turn does.
    """
    story = sizes.story
    arc = next(arc for arc in ARCS if arc.number == slot.arc)
    reasons = _reasons(arc.tasks.count(TaskType.REASON), rng)
    menus: list[Sequence[Choice]] = [[(TurnKind.LOOK_UP, (KEY_LAB,))]]
    for task in arc.tasks[1:]:
        match task:
            case TaskType.LOOKUP:
                menus.append(sizes.fitting_first(look_ups(story, rng)))
            case TaskType.GATHER:
                menus.append(sizes.fitting_first(gathers(story, rng)))
            case TaskType.REASON:
                menus.append([reasons.pop(0)])
            case TaskType.WRITE:
                if story.source.match.control:
                    raise NoGold("nothing is to be written where nothing is to be changed")
                menus.append([(TurnKind.WRITE, _subjects(story))])
    if asking is not None:
        asks = interviews(slot.scenario, shown(story), measured(story), rng)
        if arc.tasks[asking] is TaskType.REASON:
            asks = interviews_to_conclude(KEY_LAB, rng)
            for at, task in enumerate(arc.tasks):
                if task is TaskType.REASON and at != asking:
                    menus[at] = [COURSE] if at < asking else [AGAIN, COURSE]
        menus[asking] = _told_in_full_first([c for c in asks if _can_be_told(c, story)], sizes)
    tests = [name for name in beside(story) if name.startswith(BESIDE)]
    grounds = [*different_things(story), *tests]
    misfits: list[tuple[Choice, ...]] = []
    spread = (choices for choices in product(*_settled_last(menus, story)) if not sizes.worn(choices))
    for choices in islice(spread, MOST_TRIES):
        fresh = _fresh(choices, sizes, grounds)
        if fresh is None:
            continue
        if all(map(sizes.fit, fresh)):
            yield fresh
        else:
            misfits.append(fresh)
    yield from misfits


def _settled_last(menus: Sequence[Sequence[Choice]], story: Story) -> list[Sequence[Choice]]:
    """Put what a conclusion rests on behind all else in the turns after it: by then the matter is settled."""
    settling = set(shown(story)) - {ORDER}
    concluded = False
    ordered: list[Sequence[Choice]] = []
    for menu in menus:
        ordered.append(sorted(menu, key=lambda c: len(settling & {*c[1]})) if concluded else menu)
        concluded = concluded or any(kind in CONCLUDING for kind, _ in menu)
    return ordered


def _can_be_told(choice: Choice, story: Story) -> bool:
    """Tell whether the patient knows something of each thing that a choice asks."""
    turn = bare(choice)
    try:
        drafted = draft(turn, story, "t", frozenset())
        told = [topic.pieces("t") for topic in story.told(turn)]
    except NoGold:
        return False
    if not all(
        any(isinstance(item, PatientFactItem) for piece in pieces for item in piece.items) for pieces in told
    ):
        return False
    return turn.kind is not TurnKind.INTERVIEW or _unfit(drafted) is None


def _told_in_full_first(choices: Sequence[Choice], sizes: Sizes) -> list[Choice]:
    """Put the questions that a patient has enough to say to, and not too much, before the others.

    How a patient lives bears on going home: elsewhere it is asked where nothing else can be.
    """
    discharge = sizes.story.source.rule.scenario is Scenario.DISCHARGE_PLANNING
    return sorted(choices, key=lambda c: (HOME in c[1] and not discharge, not sizes.fit(c)))


def _fresh(choices: Sequence[Choice], sizes: Sizes, grounds: Sequence[str]) -> tuple[Choice, ...] | None:
    """Give an arrangement in which no turn asks for what an earlier one tells; None where one would.

    A conclusion is still asked for, and rests on what was told without quoting it again. An order is written about once
    it was looked up.
    """
    known: set[str] = set()
    fresh: list[Choice] = []
    for kind, topics in choices:
        if kind in GROUNDED:
            _, topics = sizes.grounded((kind, topics), [name for name in grounds if name not in known])
        turn = bare((kind, topics))
        if kind is TurnKind.WRITE and not {*topics} <= {KEY_LAB, *known}:
            return None
        if asks_for(turn) & known or not sizes.of((kind, topics)):
            return None
        known |= tells(turn, sizes.story.source.match)
        fresh.append((kind, topics))
    asked = [choice if TASK_TYPE[choice[0]] in LOOKING else choice[0] for choice in fresh]
    return tuple(fresh) if len(set(asked)) == len(asked) else None


def _subjects(story: Story) -> tuple[str, ...]:
    return (KEY_LAB, ORDER) if story.source.match.orders else (KEY_LAB,)


def _reasons(count: int, rng: random.Random) -> list[Choice]:
    """Give the reasoning turns in order: the course, the conclusion, the conclusion held against another opinion."""
    if count == 3:
        return [COURSE, CONCLUDE, AGAIN]
    if count == 2:
        return [COURSE, CONCLUDE] if rng.random() < 0.5 else [CONCLUDE, AGAIN]
    return [CONCLUDE] * count

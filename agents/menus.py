"""Menus: what of the record a turn of a session can ask for, the rule's own matter first."""

import random

from agents.interviews import Choice
from state.findings import BoundFinding, Figure
from state.knowledge import Rule
from state.plan import KEY_LAB, ORDER, TurnKind
from state.session import Scenario
from tools.clinical.figures import RECIPES
from tools.gold.around_topics import BACKGROUND
from tools.gold.companions import companions_of
from tools.gold.source import TREND_WINDOW
from tools.gold.topics import BESIDE
from tools.gold.turns import Story

SHARE_STARTED = 0.3
"""Share of the lookups of an order that ask since when it runs, and not for dose and route."""


def shown(story: Story) -> list[str]:
    """Name the topics of the rule that one tool shows, the order first."""
    order = [ORDER] if story.source.match.orders else []
    return order + [b.name for b in story.source.match.also if _can_be_asked(b, story.source.rule)]


def measured(story: Story) -> list[str]:
    """Name those that are no drug."""
    also = story.source.match.also
    drugs = {b.name for b in also if b.kind in ("order", "given", "home_medication")} | {ORDER}
    return [name for name in shown(story) if name not in drugs]


def _can_be_asked(bound: BoundFinding, rule: Rule) -> bool:
    """Tell whether a finding is a topic of its own: there, shown by one tool, and not the key test again."""
    if bound.absent or bound.kind == "figure" or bound.subject == rule.trigger.lab.analyte:
        return False
    finding = next(f for f in rule.trigger.also if f.name == bound.name)
    return bound.kind in {"lab", "vital"} or bool(finding.ask)


def look_ups(story: Story, rng: random.Random) -> list[Choice]:
    """List what a lookup can ask: the rule's own topics, then what can be read beside them in a seeded order."""
    own: list[Choice] = [(TurnKind.LOOK_UP, (name,)) for name in shown(story)]
    lesser: list[Choice] = [(TurnKind.PREVIOUS, (KEY_LAB,))]
    told = bool(story.source.told_by_the_test)
    if story.source.match.orders and not told and rng.random() < SHARE_STARTED:
        own.insert(0, (TurnKind.ORDER_START, (ORDER,)))
    lesser += [(TurnKind.LOOK_UP, (name,)) for name in beside(story)]
    rng.shuffle(lesser)
    return own + sorted(lesser, key=_of_background)


def gathers(story: Story, rng: random.Random) -> list[Choice]:
    """List what a gathering turn can ask: the rule's own topics, then those with what can be read beside them."""
    own, around = shown(story), beside(story)
    # The trend of a drug level names the drug, so that the order would no longer have to be found.
    told = bool(story.source.told_by_the_test)
    found: list[Choice] = [(TurnKind.TREND, (KEY_LAB, name)) for name in own if not (told and name == ORDER)]
    found += [(TurnKind.GATHER, (one, other)) for at, one in enumerate(own) for other in own[at + 1 :]]
    near = [name for name in around if name not in BACKGROUND]
    mixed: list[Choice] = [(TurnKind.GATHER, (one, other)) for one in own for other in near]
    mixed += [(TurnKind.TREND, (KEY_LAB, name)) for name in near]
    mixed += [(TurnKind.GATHER, (one, other)) for at, one in enumerate(near) for other in near[at + 1 :]]
    rng.shuffle(mixed)
    apart: list[Choice] = [(TurnKind.GATHER, tuple(name for name in around if name in BACKGROUND))]
    joined = [
        (TurnKind.GATHER, (one, other)) for one in (*own, *near) for other in around if other in BACKGROUND
    ]
    rng.shuffle(joined)
    return found + mixed + apart + joined


def _of_background(choice: Choice) -> int:
    """Count what a choice asks of the stay itself: it leads away from the matter, so it comes last."""
    return len(BACKGROUND.intersection(choice[1]))


def beside(story: Story) -> list[str]:
    """Name what can be read beside the rule's own topics: tests of the same question, and the admission."""
    match = story.source.match
    figures = [RECIPES[Figure(bound.subject)] for bound in match.also if bound.kind == "figure"]
    inputs = {analyte for recipe in figures if recipe.stated for analyte in recipe.analytes}
    taken = {match.lab.analyte, *inputs} | {b.subject for b in match.also if b.kind == "lab"}
    tests = [
        analyte
        for analyte in companions_of(match.lab.analyte)
        if analyte not in taken and _is_recent(analyte, story)
    ]
    given = match.orders and story.source.rule.scenario is not Scenario.DIAGNOSTIC_WORKUP
    return [f"{BESIDE}{analyte}" for analyte in tests] + [
        "admission",
        "problem",
        *(["last_given"] if given else []),
    ]


def _is_recent(analyte: str, story: Story) -> bool:
    """Tell whether a test has a result of the trend window, none that its laboratory puts in doubt."""
    results = story.beside(analyte).history
    return (
        bool(results)
        and not results[-1].spoiled
        and results[-1].time >= story.source.match.as_of - TREND_WINDOW
    )


def different_things(story: Story) -> list[str]:
    """Name the findings of the rule that one tool shows, each drug and each resource under one name only."""
    bound = {finding.name: finding for finding in story.source.match.also}
    seen: set[str] = set()
    kept: list[str] = []
    for name in shown(story):
        if name != ORDER and seen.isdisjoint(same := {bound[name].subject, *bound[name].refs[:1]}):
            kept.append(name)
            seen |= same
    return kept

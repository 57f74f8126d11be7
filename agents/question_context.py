"""What fills the templates of one planned turn's question, giving nothing away that is to be looked up."""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from state.base import Language
from state.gold import Decision, PatientUnknownItem, RubricItem
from state.knowledge import FlagAction, OrderAction, ServiceAction, StopAction
from state.plan import ASKS_THE_PATIENT, CONCLUDING, KEY_LAB, ORDER, PlannedTurn, TurnKind
from state.session import Scenario
from tools.clinical.figures import RECIPES
from tools.clinical.judgements import load_judgements
from tools.gold import GoldSource, NoGold
from tools.gold.around_topics import AROUND, BACKGROUND
from tools.gold.finding_topics import FindingTopic
from tools.gold.patient_topics import PATIENT_TOPICS
from tools.gold.topics import LabTopic, OrderTopic, Topic, order_words
from tools.gold.turns import OPPOSITE, Story
from tools.wording import TurnWordings, load_turn_wordings, render, within

TIMED = frozenset({"time", "given_time", "collected", "taken"})
"""Sentences of an answer that state when."""


class Bond(StrEnum):
    """What the things a turn asks for are to the key result, by which a question can lead over to them.

    ``CAUSE``: drugs and findings of the rule, which can have brought it about. ``READING``: tests and signs, read
    beside it. ``BACKGROUND``: something of the stay is among them. ``MIXED``: causes and readings.
    """

    CAUSE = "cause"
    READING = "reading"
    BACKGROUND = "background"
    MIXED = "mixed"


@dataclass(frozen=True)
class Setting:
    """Where in a dialogue a question stands.

    ``adjacent``: only the key result was asked for before it. ``concluded``: a conclusion was.
    """

    adjacent: bool
    concluded: bool

    @classmethod
    def after(cls, turns: Sequence[PlannedTurn]) -> "Setting":
        """Give the setting of the question that follows these turns."""
        return cls(len(turns) == 1, any(turn.kind in CONCLUDING for turn in turns))


def bond_of(turn: PlannedTurn, source: GoldSource) -> Bond:
    """Tell what the things of the record that a turn asks for are to the key result."""
    asked = [topic for topic in Story(source).shown(turn) if topic.name != KEY_LAB]
    if any(topic.name in BACKGROUND for topic in asked):
        return Bond.BACKGROUND
    readings = sum(_is_reading(topic) for topic in asked)
    if readings == 0:
        return Bond.CAUSE
    return Bond.READING if readings == len(asked) else Bond.MIXED


def question_key(turn: PlannedTurn, source: GoldSource) -> str:
    """Give the entry of the wording files that fits a planned turn."""
    match turn.kind:
        case TurnKind.LOOK_UP:
            if turn.topics[0] == KEY_LAB:
                return "look_up_lab"
            topic = Story(source).topic(turn.topics[0])
            if isinstance(topic, OrderTopic):
                return "look_up_order"
            return "look_up_other" if _is_reading(topic) else "look_up_finding"
        case TurnKind.CONCLUDE:
            return "conclude_judgement" if source.rule.judgement is not None else "conclude_decision"
        case TurnKind.CONCLUDE_ASKED:
            concluded = "judgement" if source.rule.judgement is not None else "decision"
            return f"conclude_asked_{concluded}"
        case TurnKind.WRITE:
            return _write_key(source)
    return turn.kind.value


def _is_reading(topic: Topic) -> bool:
    return isinstance(topic, LabTopic) or (isinstance(topic, FindingTopic) and topic.bound.kind == "vital")


def _write_key(source: GoldSource) -> str:
    match source.rule.action:
        case FlagAction():
            return "raise_flag" if source.match.orders else "raise_flag_plain"
        case StopAction():
            return "stop_order"
        case ServiceAction():
            return "request_service"
        case OrderAction(dose_fraction=None):
            return "write_order_fixed"
        case OrderAction():
            return "write_order_scaled"


def question_context(
    turn: PlannedTurn, source: GoldSource, language: Language, setting: Setting
) -> Mapping[str, Any]:
    """Give the words of a turn; raises NoGold where the rule lacks those of the language."""
    story, wordings = Story(source), load_turn_wordings(language)
    wording = source.rule.wording.get(language)
    if wording is None:
        raise NoGold(f"rule {source.rule.id} has no words in {language}")
    named = story.key.named(language)
    context: dict[str, Any] = {
        "test": named["specimen"] + named["label"],
        "analyte": named["label"],
        "about": wording.about,
        "asks": wordings.listed(_named(story.shown(turn), wordings, language)),
        "clauses": any(topic.asked(language)[:2] == "wh" for topic in story.shown(turn)),
        "adjacent": setting.adjacent,
        "concluded": setting.concluded,
        **wordings.pronouns[source.sex],
    }
    if turn.kind in ASKS_THE_PATIENT:
        context["chart"] = context["asks"]
        context["asks"] = wordings.inquired([topic.asked(language) for topic in story.told(turn)])
        context["symptoms"] = [name for name in turn.topics if name in PATIENT_TOPICS] == ["said_pertinent"]
        context["unsure"] = any(isinstance(item, PatientUnknownItem) for item in _items_told(turn, story))
    if source.match.orders:
        context |= order_words(source, language)
        context["named"] = context["bearing"] in context["asks"]
    match turn.kind:
        case TurnKind.LOOK_UP | TurnKind.GATHER:
            context |= _looked_up(turn, story, wordings, language)
        case TurnKind.CONCLUDE | TurnKind.CONCLUDE_ASKED:
            context |= _conclusion(turn, story, wordings, language)
        case TurnKind.RECONSIDER:
            context["someone"] = _someone(source, wordings)
            held = _held(story, wordings, language)
            context |= {"held": within(held.rstrip(".。")), "colleague": wordings.as_said(held)}
            context["diagnostic"] = source.rule.scenario is Scenario.DIAGNOSTIC_WORKUP
            beside = _named(story.shown(turn), wordings, language)
            context |= {
                "besides": wordings.listed(beside),
                "late": not all(map(_is_reading, story.shown(turn))),
            }
        case TurnKind.WRITE:
            context |= _written(source, wordings, language)
    return context


def _looked_up(turn: PlannedTurn, story: Story, wordings: TurnWordings, language: Language) -> dict[str, Any]:
    """Say what is wanted of each thing looked up: all that its part of the answer states.

    What is wanted of every one alike is said once, as ``details``; else it stands with the thing it is wanted of.
    """
    topics = [story.topic(name) for name in turn.topics]
    wanted = [_wanted(topic) for topic in topics]
    context: dict[str, Any] = {"ranged": "range" in wanted[0], "details": ""}
    if len(set(wanted)) == 1 and (len(topics) == 1 or not BACKGROUND & set(turn.topics)):
        plural = {"time": "times", "range": "ranges"} if len(topics) > 1 else {}
        context["details"] = wordings.listed([wordings.details[plural.get(one, one)] for one in wanted[0]])
    else:
        asked = [
            _asked(topic, details, wordings, language) for topic, details in zip(topics, wanted, strict=True)
        ]
        context["asks"] = wordings.joined["plus"].join(asked)
    context["kind"] = topics[0].bound.kind if isinstance(topics[0], FindingTopic) else topics[0].name
    if isinstance(topics[0], LabTopic | FindingTopic) and _is_reading(topics[0]):
        context["name"] = topics[0].bare(language)
    return context


def _named(topics: Sequence[Topic], wordings: TurnWordings, language: Language) -> list[str]:
    """Name topics; of tests in a row the first alone is called the latest, where a language says it once."""
    once = wordings.joined["latest"] == "once"
    return [
        topic.bare(language)
        if once and at and isinstance(topic, LabTopic) and isinstance(topics[at - 1], LabTopic)
        else topic.asked(language)
        for at, topic in enumerate(topics)
    ]


def _wanted(topic: Topic) -> tuple[str, ...]:
    """Name what is wanted of a topic beside what its own words ask for."""
    if topic.name == ORDER:
        return ("dose",)
    if topic.name in AROUND:
        return ()
    stated = {piece.template for piece in topic.pieces("t")}
    return ("time",) * bool(stated & TIMED) + ("range",) * ("range" in stated)


def _asked(topic: Topic, wanted: tuple[str, ...], wordings: TurnWordings, language: Language) -> str:
    if not wanted:
        return topic.asked(language)
    details = wordings.listed([wordings.details[one] for one in wanted])
    return render(wordings.details["beside"], {"asked": topic.asked(language), "details": details})


def _conclusion(
    turn: PlannedTurn, story: Story, wordings: TurnWordings, language: Language
) -> dict[str, Any]:
    """Say what is asked, what the answer rests on in full, and in short what it looks at beside the key result."""
    source = story.source
    key = render(wordings.rests_on["value"], {"analyte": story.key.named(language)["label"]})
    context: dict[str, Any] = {
        "rests_on": wordings.listed([key, *rests_on(turn, story, language, short=False)]),
        "besides": wordings.listed(rests_on(turn, story, language, short=True)),
        "late": source.match.lab.baseline_time is not None or not all(map(_is_reading, story.shown(turn))),
    }
    if source.rule.judgement is not None:
        question = load_judgements()[source.rule.judgement.question]
        context |= {"ask": question.ask[language], "short": question.short[language]}
    return context


def rests_on(turn: PlannedTurn, story: Story, language: Language, *, short: bool) -> list[str]:
    """Name what a conclusion has to quote beside the key result, its baseline first."""
    wordings, lab, phrases = load_turn_wordings(language), story.source.match.lab, []
    if lab.baseline_time is not None:
        words = {
            "analyte": story.key.named(language)["label"],
            "baseline_day": f"{lab.baseline_time:%Y-%m-%d}",
        }
        phrases.append(render(wordings.rests_on["baseline_short" if short else "baseline"], words))
    if lab.derived_value is not None:
        phrases.append(wordings.rests_on["egfr"])
    for bound in story.source.match.also:
        if bound.kind == "figure":
            recipe = next(recipe for figure, recipe in RECIPES.items() if figure.value == bound.subject)
            if not recipe.stated:
                continue
            names = recipe.names
            label = names[0] if language is Language.EN else names[-1]
            phrases.append(render(wordings.rests_on["figure"], {"label": label}))
    about = story.source.rule.wording[language].about if short else None
    return [*phrases, *(asked for asked in _named(story.shown(turn), wordings, language) if asked != about)]


def _items_told(turn: PlannedTurn, story: Story) -> Iterator[RubricItem]:
    """Give what a turn wants told of the patient's answers."""
    for topic in story.told(turn):
        for piece in topic.pieces("t"):
            yield from piece.items


def _someone(source: GoldSource, wordings: TurnWordings) -> str:
    """Say who holds the other opinion: one person a match, whatever the language and the form."""
    match = source.match
    draw = random.Random(f"{match.rule_id}:{match.subject_id}:{match.as_of}")  # noqa: S311
    return wordings.colleagues[draw.randrange(len(wordings.colleagues))]


def _held(story: Story, wordings: TurnWordings, language: Language) -> str:
    """Give another opinion: the unsafe one where there is one."""
    source, rule = story.source, story.source.rule
    if rule.judgement is not None:
        question = load_judgements()[rule.judgement.question]
        others = [answer for answer in question.answers if answer not in rule.judgement.right]
        return question.answers[(*rule.judgement.unsafe, *others)[0]].held(language)
    wrong: Decision = (*rule.unsafe, OPPOSITE[source.decision])[0]
    return render(wordings.decisions[wrong.value], order_words(source, language))


def _written(source: GoldSource, wordings: TurnWordings, language: Language) -> dict[str, Any]:
    match source.rule.action:
        case FlagAction(category=category):
            return {"category": wordings.categories[category]}
        case StopAction(status=status):
            return {"stop_verb": wordings.stop_verbs[status]}
        case ServiceAction() as action:
            return {
                "service_words": action.words[language],
                "priority_words": wordings.priorities[action.priority],
            }
        case OrderAction(dose_fraction=None) as action:
            return {
                "drug_words": source.drug_in(action.medication)[language] if action.medication else "",
                "dose": f"{action.dose_value:g} {action.dose_unit}",
                "route_words": wordings.routes[action.route or ""],
                "frequency_words": wordings.frequencies[action.frequency or ""],
            }
        case OrderAction(dose_fraction=fraction):
            return {"fraction_words": wordings.fractions[fraction or 1.0]}

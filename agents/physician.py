"""The physician who asks: words each planned turn from templates, in full and as it is said."""

import random
from collections.abc import Mapping
from typing import Any

from state.base import Language
from state.gold import Decision
from state.knowledge import FlagAction, OrderAction, ServiceAction, StopAction
from state.plan import KEY_LAB, TASK_TYPE, PlannedTurn, SessionPlan, TurnKind
from state.session import Implicitness, Turn, Wording
from tools.clinical.figures import RECIPES
from tools.clinical.judgements import load_judgements
from tools.gold import GoldSource, NoGold
from tools.gold.finding_topics import FindingTopic
from tools.gold.topics import LabTopic, OrderTopic, bearing
from tools.gold.turns import OPPOSITE, Story
from tools.wording import TurnWordings, load_turn_wordings, render


def question_key(turn: PlannedTurn, source: GoldSource) -> str:
    """Give the entry of the wording file that fits a planned turn."""
    story = Story(source)
    match turn.kind:
        case TurnKind.LOOK_UP:
            topic = story.topic(turn.topics[0])
            if turn.topics[0] == KEY_LAB:
                return "look_up_lab"
            if isinstance(topic, OrderTopic):
                return "look_up_order"
            reading = isinstance(topic, LabTopic) or (
                isinstance(topic, FindingTopic) and topic.bound.kind == "vital"
            )
            return "look_up_other" if reading else "look_up_finding"
        case TurnKind.CONCLUDE:
            return "conclude_judgement" if source.rule.judgement is not None else "conclude_decision"
        case TurnKind.WRITE:
            return _write_key(source)
    return turn.kind.value


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


def implicitness_on_offer(turn: PlannedTurn, source: GoldSource) -> tuple[Implicitness, ...]:
    """List, in file order, how a question can be left unsaid."""
    variants = load_turn_wordings(Language.EN).questions[question_key(turn, source)]
    return tuple(dict.fromkeys(Implicitness(variant["implicitness"]) for variant in variants))


def word_turns(plan: SessionPlan, source: GoldSource, languages: tuple[Language, ...]) -> tuple[Turn, ...]:
    """Word every turn of a plan. Deterministic for a plan: the plan's seed picks the variants.

    Raises NoGold where the rule lacks the words of a language.
    """
    return tuple(
        Turn(
            index=index,
            task_type=TASK_TYPE[turn.kind],
            implicitness=turn.implicitness,
            wording={language: _word(turn, index, plan, source, language) for language in languages},
        )
        for index, turn in enumerate(plan.turns)
    )


def _word(
    turn: PlannedTurn, index: int, plan: SessionPlan, source: GoldSource, language: Language
) -> Wording:
    wordings = load_turn_wordings(language)
    variants = [
        variant
        for variant in wordings.questions[question_key(turn, source)]
        if Implicitness(variant["implicitness"]) is turn.implicitness
    ]
    chosen = random.Random(f"{plan.wording_seed}:{index}:{language}").choice(variants)  # noqa: S311
    context = _context(turn, Story(source), wordings, language)
    explicit = render(chosen["explicit"], context)
    return Wording(
        explicit=explicit, implicit=render(chosen["implicit"], context) if "implicit" in chosen else explicit
    )


def _context(
    turn: PlannedTurn, story: Story, wordings: TurnWordings, language: Language
) -> Mapping[str, Any]:
    source, key = story.source, story.key
    named = key.named(language)
    context: dict[str, Any] = {"analyte": named["label"], "specimen": named["specimen"]}
    wording = source.rule.wording.get(language)
    if wording is None:
        raise NoGold(f"rule {source.rule.id} has no words in {language}")
    context["about"] = wording.about
    if source.match.orders:
        context["bearing"] = bearing(source, language)
    asked = [story.topic(name).asked(language) for name in turn.topics if name != KEY_LAB]
    context["asks"] = wordings.listed(asked)
    match turn.kind:
        case TurnKind.LOOK_UP if turn.topics[0] == KEY_LAB:
            latest = key.latest
            context["ranged"] = latest.low is not None or latest.high is not None
        case TurnKind.CONCLUDE:
            context |= _conclusion(turn, story, wordings, language)
        case TurnKind.RECONSIDER:
            context["colleague"] = _colleague(story, wordings, language)
        case TurnKind.WRITE:
            context |= _written(source, wordings, language)
    return context


def _conclusion(
    turn: PlannedTurn, story: Story, wordings: TurnWordings, language: Language
) -> dict[str, Any]:
    """Say what is asked, and which figures the answer has to rest on."""
    source = story.source
    context: dict[str, Any] = {
        "rests_on": wordings.listed(_rests_on(turn, story, wordings, language, short=False)),
        "rests_short": wordings.listed(_rests_on(turn, story, wordings, language, short=True)),
    }
    if source.rule.judgement is not None:
        question = load_judgements()[source.rule.judgement.question]
        context |= {"ask": question.ask[language], "short": question.short[language]}
    return context


def _rests_on(
    turn: PlannedTurn, story: Story, wordings: TurnWordings, language: Language, *, short: bool
) -> list[str]:
    lab, ending = story.source.match.lab, "_short" if short else ""
    named = {"analyte": story.key.named(language)["label"]}
    phrases = [render(wordings.rests_on[f"value{ending}"], named)]
    if lab.derived_value is not None:
        phrases.append(wordings.rests_on["egfr"])
    if lab.baseline_time is not None:
        day = {**named, "baseline_day": f"{lab.baseline_time:%Y-%m-%d}"}
        phrases.append(render(wordings.rests_on[f"baseline{ending}"], day))
    for bound in story.source.match.also:
        if bound.kind == "figure":
            names = next(recipe for figure, recipe in RECIPES.items() if figure.value == bound.subject).names
            label = names[0] if language is Language.EN else names[-1]
            phrases.append(render(wordings.rests_on["figure"], {"label": label}))
    return phrases + [story.topic(name).asked(language) for name in turn.topics if name != KEY_LAB]


def _colleague(story: Story, wordings: TurnWordings, language: Language) -> str:
    """Give another opinion: the unsafe one where there is one."""
    source, rule = story.source, story.source.rule
    if rule.judgement is not None:
        question = load_judgements()[rule.judgement.question]
        others = [answer for answer in question.answers if answer != rule.judgement.answer]
        return question.answers[(*rule.judgement.unsafe, *others)[0]].say[language]
    wrong: Decision = (*rule.unsafe, OPPOSITE[source.decision])[0]
    return render(wordings.decisions[wrong.value], {"bearing": bearing(source, language)})


def _written(source: GoldSource, wordings: TurnWordings, language: Language) -> dict[str, Any]:
    match source.rule.action:
        case FlagAction(category=category):
            return {"category": category}
        case StopAction(status=status):
            return {"stop_verb": wordings.stop_verbs[status]}
        case ServiceAction() as action:
            return {"service_words": action.words[language], "priority": action.priority}
        case OrderAction(dose_fraction=None) as action:
            return {
                "drug_words": source.drug_in(action.medication)[language] if action.medication else "",
                "dose": f"{action.dose_value:g} {action.dose_unit}",
                "route_words": wordings.routes[action.route or ""],
                "frequency_words": wordings.frequencies[action.frequency or ""],
            }
        case OrderAction(dose_fraction=fraction):
            return {"fraction_words": wordings.fractions[fraction or 1.0]}

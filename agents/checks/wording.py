"""The wording checker: a question keeps what is to be looked up, leaves something unsaid, and has one reading."""

import re
from collections.abc import Iterable, Iterator

from agents.checks.case import Case
from agents.checks.texts import FIRST_TO_NAME, dates, figures, without
from state.base import Language
from state.gold import GoldSession, NameItem
from state.knowledge import OrderAction, ServiceAction
from state.plan import TASK_TYPE
from state.session import Implicitness, TaskType, Turn
from tools.clinical.figures import RECIPES
from tools.clinical.judgements import load_judgements
from tools.gold import GoldSource
from tools.gold.finding_topics import ways_to_ask
from tools.gold.topics import bearing
from tools.wording import load_turn_wordings

_CJK = re.compile(r"[\u3400-\u9fff]")
TREND_HOURS = 72.0
SHORTEST_NAME = {Language.EN: 5, Language.ZH: 3}
"""Characters of a looked-up name that is searched for in a question; shorter ones are parts of other words."""
FOUND_DRUGS = frozenset({"given", "order", "home_medication"})


def check_wording(case: Case) -> list[str]:
    """Reject a question that states what is to be looked up, leaves nothing unsaid, or can be read in two ways."""
    faults: list[str] = []
    planned = [(TASK_TYPE[turn.kind], turn.implicitness) for turn in case.plan.turns]
    if [(turn.task_type, turn.implicitness) for turn in case.words.turns] != planned:
        faults.append("the turns are not of the kinds that were planned")
    for turn in case.words.turns:
        here = case.at(turn.index)
        for language, wording in turn.wording.items():
            found = []
            for form, text in (("explicit", wording.explicit), ("implicit", wording.implicit)):
                found += [
                    f"{form} {fault}"
                    for fault in (*leaks(text, turn, language, here), *script_faults(text, language))
                ]
            found += unsaid_faults(turn, language, here)
            if case.resolver is not None and turn.implicitness is not Implicitness.EXPLICIT:
                found += case.resolver(case, turn.index, language)
            faults += [f"turn {turn.index} {language}: {fault}" for fault in found]
    return faults


def script_faults(text: str, language: Language) -> Iterable[str]:
    """Say whether a text is in another script than its language's."""
    if bool(_CJK.search(text)) is not (language is Language.ZH):
        yield "is not in its language"


def leaks(text: str, turn: Turn, language: Language, case: Case) -> Iterator[str]:
    """Say what a form of a question gives away of what is to be looked up."""
    source = case.source
    told = rule_words(source, language)
    named = {ingredient.id for ingredient in source.vocabulary.ingredients_in(text)}
    for name in sorted(named & _secret_drugs(turn, told, source)):
        yield f"names the drug to look up: {name}"
    own = without(text, [*told, *_said_in_full(turn, source, language)])
    if stated := [number for number in figures(own) if number != TREND_HOURS]:
        yield f"states the value {stated[0]:g}, which is to be looked up or means nothing"
    baseline = source.match.lab.baseline_time
    days = {f"{baseline.year}-{baseline.month}-{baseline.day}"} if baseline is not None else set()
    if stated_days := [day for day in dates(own) if day not in days]:
        yield f"states the time {stated_days[0]}, which is to be looked up"
    if case.gold is not None:
        yield from _names_leaked(own, language, case.gold)


def _secret_drugs(turn: Turn, told: list[str], source: GoldSource) -> set[str]:
    """Name the drugs a question may not: those of the orders, and those beside them that the rule does not name."""
    action, match = source.rule.action, source.match
    spoken = {drug.id for text in told for drug in source.vocabulary.ingredients_in(text)}
    if turn.task_type is TaskType.WRITE and isinstance(action, OrderAction) and action.medication:
        spoken.add(action.medication)
    orders = {order.ingredient for order in match.orders} - source.may_be_named
    beside = {bound.subject for bound in match.also if bound.kind in FOUND_DRUGS and not bound.absent}
    return orders | (beside - spoken - source.may_be_named)


def rule_words(source: GoldSource, language: Language) -> list[str]:
    """List what the rule itself says to the physician: its words tell nothing that has to be looked up."""
    rule = source.rule
    asks = (finding.ask.get(language, "") for finding in rule.trigger.also)
    words = [way for ask in asks for way in ways_to_ask(ask, source, language)]
    if language in rule.wording:
        wording = rule.wording[language]
        words += [
            *ways_to_ask(wording.about, source, language),
            bearing(source, language) if source.match.orders else "",
            wording.drug or "",
        ]
    if rule.judgement is not None:
        question = load_judgements()[rule.judgement.question]
        words += [question.ask[language], question.short[language]]
        for answer in question.answers.values():
            words += [answer.say[language], answer.held(language)]
    if isinstance(rule.action, ServiceAction):
        words.append(rule.action.words[language])
    return [word for word in words if word]


def _said_in_full(turn: Turn, source: GoldSource, language: Language) -> list[str]:
    """List names that hold digits, the scale of pain, and what the physician has to say of an order of a fixed dose."""
    analytes = {source.match.lab.label, *source.analyte_names(source.match.lab.analyte)}
    for analyte in source.vocabulary.analytes:
        analytes.update(name for name in analyte.names.values() if any(char.isdigit() for char in name))
    spoken = load_turn_wordings(language)
    words = [*analytes, spoken.rests_on["egfr"], spoken.asks["said_pain"]]
    action = source.rule.action
    if turn.task_type is TaskType.WRITE and isinstance(action, OrderAction):
        if action.dose_value is not None:
            words.append(f"{action.dose_value:g} {action.dose_unit}")
        words.append(spoken.frequencies.get(action.frequency or "", ""))
    return words


def _names_leaked(own: str, language: Language, gold: GoldSession) -> Iterator[str]:
    """Find names that a turn has to look up: an organism, a diagnosis, a drug found beside."""
    folded = own.casefold()
    for turn in gold.turns:
        for item in turn.rubric:
            if not isinstance(item, NameItem) or item.written:
                continue
            if not item.item_id.endswith(("-culture", "-vital")):
                names = [name for name in item.names if len(name) >= SHORTEST_NAME[language]]
                if leaked := next((name for name in names if name.casefold() in folded), None):
                    yield f"names what is to be looked up: {leaked}"
                    return
            if item.item_id.endswith("-culture") and item.names[0].casefold() in folded:
                yield f"names what is to be looked up: {item.names[0]}"
                return


def unsaid_faults(turn: Turn, language: Language, case: Case) -> Iterator[str]:
    """Say where a question leaves nothing to the dialogue that it should, or something that it should not."""
    wording = turn.wording[language]
    if turn.implicitness is Implicitness.EXPLICIT:
        if wording.implicit != wording.explicit:
            yield "is the opening, said in full: its explicit and implicit forms have to be the same"
        return
    if wording.implicit == wording.explicit:
        yield "leaves nothing unsaid: the implicit form is the explicit one; leave out what the dialogue already says"
    vocabulary = case.source.vocabulary
    words = [
        word
        for word in rule_words(case.source, language)
        if not vocabulary.analyte(word.removeprefix("the "))
    ]
    # A figure computed from the test is another thing than the test, and has to be named where it is asked for.
    figures_asked = {bound.subject for bound in case.source.match.also if bound.kind == "figure"}
    words += [
        name for figure, recipe in RECIPES.items() if figure.value in figures_asked for name in recipe.names
    ]
    own = without(wording.implicit, words)
    # A drug whose level is measured goes by a name that the level has too.
    drug = bearing(case.source, language).casefold() if case.source.match.orders else ""
    mentions = vocabulary.analyte_mentions(own)
    tests = {one.entry for one in mentions if own[one.start : one.end].casefold() != drug}
    # Once other things were asked, a pointer alone is a riddle: then the test may go by its name, its value unsaid.
    if turn.index < FIRST_TO_NAME and case.source.match.lab.analyte in tests:
        yield 'implicit names the test the session is about: leave its name to the dialogue ("that result", "it")'

"""The bilingual checker: English and Chinese hold the same figures, units, drugs, tests, negations and phrases."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from agents.checks.case import Case
from agents.checks.rule_parity import rule_disparities
from agents.checks.texts import FIRST_TO_NAME, dates, figures, negations, phrase_pattern
from state.base import Language
from state.gold import Decision, GoldSession, NameItem
from state.knowledge import OrderAction, ServiceAction
from state.wordings import FORMS, Form
from tools.clinical.figures import RECIPES
from tools.clinical.judgements import load_judgements
from tools.gold import GoldSource
from tools.gold.finding_topics import ways_to_ask
from tools.gold.items import NO_GROWTH, NO_MRSA
from tools.gold.patient_topics import PatientTopic
from tools.gold.topics import bearing, order_words
from tools.gold.turns import Story
from tools.grading.text import plain
from tools.grading.units import find_unit, result_unit_pattern
from tools.wording import load_turn_wordings, render

Pair = Mapping[Language, str]
Reader = Callable[[str, Language, GoldSource], "Counter[str]"]
_UNIT = re.compile(rf"(?<=\d)\s?({result_unit_pattern()})(?![A-Za-z0-9])", re.IGNORECASE)


@dataclass(frozen=True)
class Phrase:
    """What a rule or a dictionary says in each language, in one of several ways.

    ``kept``: where one language says it, so must the other. What is not kept is left out of the comparison.
    """

    ways: Mapping[Language, tuple[str, ...]]
    kept: bool = True

    @cached_property
    def plain(self) -> Mapping[Language, tuple[str, ...]]:
        """Give the ways as they look in plain text."""
        return {language: tuple(map(plain, ways)) for language, ways in self.ways.items()}


_STAYS = {Language.EN: re.compile(r"\bunchanged\b", re.IGNORECASE), Language.ZH: re.compile(r"不变|照旧")}


def check_bilingual(case: Case) -> list[str]:
    """Reject a session that is not in both languages, or that says in one what it does not say in the other."""
    disagree = Phrase({at: (load_turn_wordings(at).answers["disagree"],) for at in Language})
    answered = [disagree, *_told(case), *_phrases(case.source, questions=False), *_records(case.answers)]
    faults = [f"the rule's {fault}" for fault in rule_disparities(case.source.rule, case.source.vocabulary)]
    for turn in case.words.turns:
        if missing := set(Language) - set(turn.wording):
            faults.append(f"turn {turn.index} has no wording in {min(missing)}")
            continue
        here = case.at(turn.index)
        for form in FORMS:
            pair = {language: getattr(turn.wording[language], form) for language in Language}
            faults += [
                f"turn {turn.index} {form}: {fault}"
                for fault in disparities(
                    pair, asked_phrases(here, form), here.source, readers(turn.index, form)
                )
            ]
    for gold in case.answers.turns:
        texts: list[tuple[str, Pair]] = [("answer", gold.answer)]
        texts += [(item.item_id, item.text) for item in gold.rubric]
        for name, text in texts:
            if missing := set(Language) - set(text):
                faults.append(f"turn {gold.index} {name} has no text in {min(missing)}")
                continue
            faults += [
                f"turn {gold.index} {name}: {fault}"
                for fault in disparities(text, answered, case.source, _ANSWER_READERS)
            ]
    return faults


def asked_phrases(case: Case, form: Form) -> list[Phrase]:
    """Pair what questions say in both languages from the same fact: what the patient is asked, then a rule's words.

    An implicit form may name the drug where the other language points to it.
    """
    topics = [
        Phrase({language: (topic.asked(language),) for language in Language}) for topic in _interview(case)
    ]
    paired = _phrases(case.source, questions=True)
    if form == "implicit":
        bears = {_bearing(case.source, Language.EN)}
        paired = [replace(one, kept=one.kept and not bears & {*one.ways[Language.EN]}) for one in paired]
    return [*topics, *paired]


def _told(case: Case) -> list[Phrase]:
    """Pair what the patient's answers are told on with."""
    said = (piece.words for topic in _interview(case) for piece in topic.pieces("t"))
    return [Phrase({language: (words[language]["say"],) for language in Language}) for words in said]


def _interview(case: Case) -> list[PatientTopic]:
    story = Story(case.source)
    return [topic for turn in case.plan.turns for topic in story.told(turn)]


def disparities(
    pair: Pair, phrases: Sequence[Phrase], source: GoldSource, reading: Mapping[str, Reader]
) -> Iterable[str]:
    """Give what one text says and its counterpart does not. Words of rules and dictionaries are compared as phrases."""
    texts = {language: plain(pair[language]) for language in Language}
    for phrase in phrases:
        ways = {language: phrase_pattern(phrase.plain[language]) for language in Language}
        held = {language: bool(ways[language].search(texts[language])) for language in Language}
        if phrase.kept and held[Language.EN] is not held[Language.ZH]:
            has = Language.EN if held[Language.EN] else Language.ZH
            yield f"only {has} says {phrase.ways[has][0]!r}"
        texts = {language: ways[language].sub(" ", text) for language, text in texts.items()}
    for what, read in reading.items():
        en, zh = (read(texts[language], language, source) for language in Language)
        if en != zh:
            yield f"{what} differ: en {_shown(en - zh)}, zh {_shown(zh - en)}"


def _shown(extra: "Counter[str]") -> str:
    return ", ".join(sorted(extra.elements())) or "nothing more"


def _figures(text: str, _language: Language, _source: GoldSource) -> "Counter[str]":
    return Counter(f"{abs(number):g}" for number in figures(text))


def _dates(text: str, _language: Language, _source: GoldSource) -> "Counter[str]":
    return Counter(dates(text))


def _units(text: str, _language: Language, _source: GoldSource) -> "Counter[str]":
    found = (find_unit(spelling) for spelling in _UNIT.findall(text))
    return Counter(unit.name for unit in found if unit is not None)


def _drugs(text: str, _language: Language, source: GoldSource) -> "Counter[str]":
    drugs = {drug.id for drug in source.vocabulary.ingredients_in(text)} - source.told_by_the_test
    return Counter(dict.fromkeys(drugs, 1))


def _tests(text: str, _language: Language, source: GoldSource) -> "Counter[str]":
    """Count tests once each; a drug's bare name counts as its level where the session is about that level."""
    vocabulary = source.vocabulary
    found = {analyte.id for analyte in vocabulary.analytes_in(text)}
    for drug in vocabulary.ingredients_in(text):
        if (level := vocabulary.level_of(drug)) is not None:
            found = found | {level.id} if drug.id in source.told_by_the_test else found - {level.id}
    return Counter(dict.fromkeys(found, 1))


def _negations(text: str, language: Language, _source: GoldSource) -> "Counter[str]":
    return Counter({"negation": negations(text, language)})


def _stays(text: str, language: Language, _source: GoldSource) -> "Counter[str]":
    return Counter({"unchanged": len(_STAYS[language].findall(text))})


def _other_tests(text: str, language: Language, source: GoldSource) -> "Counter[str]":
    """Count tests but for the key test, which one language may name where the other points to it."""
    found = _tests(text, language, source)
    del found[source.match.lab.analyte]
    return found


_READERS: Mapping[str, Reader] = {
    "figures": _figures,
    "dates": _dates,
    "units": _units,
    "drugs": _drugs,
    "tests": _tests,
    "negations": _negations,
}


def readers(index: int, form: Form) -> Mapping[str, Reader]:
    """Give what reads a form of a turn's question."""
    may_name = form == "implicit" and index >= FIRST_TO_NAME
    return {**_READERS, "tests": _other_tests} if may_name else _READERS


_ANSWER_READERS: Mapping[str, Reader] = {**_READERS, "what stays": _stays}
"""Answers have one wording each; of questions one may say "unchanged" and the other "the same"."""


def _records(gold: GoldSession) -> list[Phrase]:
    """Pair what the record itself says with itself: a coded diagnosis, an organism, both left as they are."""
    words = {
        name
        for turn in gold.turns
        for item in turn.rubric
        if isinstance(item, NameItem) and item.item_id.endswith(("-diagnosis", "-culture"))
        for name in item.names
        if name not in (*NO_GROWTH, *NO_MRSA)
    }
    longest_first = sorted(words, key=lambda word: (-len(word), word))
    return [Phrase(dict.fromkeys(Language, (word,))) for word in longest_first]


def _phrases(source: GoldSource, *, questions: bool) -> list[Phrase]:
    """Pair what a rule says in both languages, longest first, then what names figures in either."""
    rule = source.rule
    pairs: list[Pair] = list(_decisions(source)) if questions else [rule.reason, rule.changes_if]
    asked: list[Phrase] = []
    answers: list[Phrase] = []
    if rule.judgement is not None:
        question = load_judgements()[rule.judgement.question]
        answers = [
            Phrase({at: tuple(dict.fromkeys((answer.say[at], answer.held(at)))) for at in Language})
            for answer in question.answers.values()
        ]
        asked.append(Phrase({at: (question.ask[at], question.short[at]) for at in Language}))
    loose: list[Pair] = []
    if set(rule.wording) >= set(Language):
        if not source.told_by_the_test:
            pairs.append({language: _bearing(source, language) for language in Language})
        about = {language: rule.wording[language].about for language in Language}
        if source.vocabulary.analyte(about[Language.EN].removeprefix("the ")) is None:
            loose.append(about)
        loose.append({language: rule.wording[language].drug or "" for language in Language})
    for ask in (finding.ask for finding in rule.trigger.also if _whole(finding.ask)):
        said = ways_to_ask(ask[Language.EN], source, Language.EN)
        (pairs if questions else loose).extend({**ask, Language.EN: way} for way in said)
    pairs += _written(source)
    kept = sorted([*_merged(pairs, loose), *answers], key=lambda one: -max(map(len, one.ways[Language.EN])))
    spare = [Phrase({at: (one[at],) for at in Language}, kept=False) for one in loose if _whole(one)]
    every = (name for recipe in RECIPES.values() for name in recipe.names)
    # What is a test's name too, as "serum osmolality" is, is compared as a test.
    names = tuple(name for name in every if source.vocabulary.analyte(name) is None)
    return [*asked, *kept, *spare, Phrase(dict.fromkeys(Language, names), kept=False)]


def _whole(pair: Pair) -> bool:
    return all(pair.get(language) for language in Language)


def _merged(pairs: Iterable[Pair], loose: Iterable[Pair]) -> list[Phrase]:
    """Make phrases of pairs, in no order; what Chinese says in one way and English in several is one phrase."""
    ways: dict[str, dict[str, None]] = {}
    for pair in filter(_whole, pairs):
        ways.setdefault(pair[Language.ZH], {})[pair[Language.EN]] = None
    for pair in filter(_whole, loose):
        if pair[Language.ZH] in ways:
            ways[pair[Language.ZH]][pair[Language.EN]] = None
    return [Phrase({Language.EN: tuple(en), Language.ZH: (zh,)}) for zh, en in ways.items()]


def _decisions(source: GoldSource) -> Iterable[Pair]:
    """Pair what a colleague says of the order: each decision, with the words for how the order bears on the result."""
    if set(source.rule.wording) < set(Language):
        return
    for decision in Decision:
        pair = {}
        for language in Language:
            bears = order_words(source, language) if source.match.orders else {"bearing": "", "drug": ""}
            said = render(load_turn_wordings(language).decisions[decision.value], bears)
            pair[language] = said
        yield pair


def _bearing(source: GoldSource, language: Language) -> str:
    return bearing(source, language) if source.match.orders else ""


def _written(source: GoldSource) -> Iterable[Pair]:
    """Pair what is said of a write: the service, or route, schedule and share of a dose."""
    wordings = {language: load_turn_wordings(language) for language in Language}
    match source.rule.action:
        case ServiceAction(words=words):
            yield words
        case OrderAction(route=route, frequency=frequency, dose_fraction=fraction):
            yield {at: one.routes.get(route or "", "") for at, one in wordings.items()}
            yield {at: one.frequencies.get(frequency or "", "") for at, one in wordings.items()}
            if fraction is not None:
                yield {at: one.fractions[fraction] for at, one in wordings.items()}

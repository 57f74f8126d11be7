"""The bilingual checker: English and Chinese hold the same figures, units, drugs, tests, negations and phrases."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

from agents.checks.case import Case
from agents.checks.texts import dates, figures, without
from state.base import Language
from state.gold import GoldSession, NameItem
from state.knowledge import OrderAction, ServiceAction
from tools.clinical.figures import RECIPES
from tools.clinical.judgements import load_judgements
from tools.gold import GoldSource
from tools.grading.text import plain
from tools.grading.units import find_unit, result_unit_pattern
from tools.wording import load_turn_wordings

Pair = Mapping[Language, str]
_UNIT = re.compile(rf"(?<=\d)\s?({result_unit_pattern()})(?![A-Za-z0-9])", re.IGNORECASE)
_NEGATIONS = {
    Language.EN: re.compile(
        r"\b(?:not|no|nor|never|none|without|neither|cannot|nothing|unchanged|un(?:likely|safe))\b|n't\b",
        re.IGNORECASE,
    ),
    Language.ZH: re.compile(r"[不无未非没勿禁]"),
}
_NO_NEGATION = {
    Language.EN: ("for none was asked for", "whether or not"),
    Language.ZH: ("是否", "有无", "不超过", "不低于", "不良", "未来", "非甾体"),
}
"""Phrases with a word of negation in one language only, which deny nothing."""


def check_bilingual(case: Case) -> list[str]:
    """Reject a session that is not in both languages, or that says in one what it does not say in the other."""
    phrases = [*_phrases(case.source), *_records(case.answers)]
    faults: list[str] = []
    for turn in case.words.turns:
        if missing := set(Language) - set(turn.wording):
            faults.append(f"turn {turn.index} has no wording in {min(missing)}")
            continue
        for form in ("explicit", "implicit"):
            pair = {language: getattr(turn.wording[language], form) for language in Language}
            faults += [
                f"turn {turn.index} {form}: {fault}" for fault in disparities(pair, phrases, case.source)
            ]
    for gold in case.answers.turns:
        texts: list[tuple[str, Mapping[Language, str]]] = [("answer", gold.answer)]
        texts += [(item.item_id, item.text) for item in gold.rubric]
        for name, text in texts:
            if missing := set(Language) - set(text):
                faults.append(f"turn {gold.index} {name} has no text in {min(missing)}")
                continue
            faults += [
                f"turn {gold.index} {name}: {fault}" for fault in disparities(text, phrases, case.source)
            ]
    return faults


def disparities(pair: Pair, phrases: Sequence[Pair], source: GoldSource) -> Iterable[str]:
    """Give what one text says and its counterpart does not. Words of rules and dictionaries are compared as phrases."""
    texts = {language: plain(pair[language]) for language in Language}
    texts[Language.EN] = without(texts[Language.EN], [plain(text) for text in _only_english(source)])
    for phrase in phrases:
        said = {language: plain(phrase[language]) for language in Language}
        held = {language: said[language].casefold() in texts[language].casefold() for language in Language}
        if held[Language.EN] is not held[Language.ZH]:
            has = Language.EN if held[Language.EN] else Language.ZH
            yield f"only {has} says {phrase[has]!r}"
        texts = {language: without(text, [said[language]]) for language, text in texts.items()}
    for what, read in _READERS.items():
        en, zh = (read(texts[language], language, source) for language in Language)
        if en != zh:
            yield f"{what} differ: en {_shown(en - zh)}, zh {_shown(zh - en)}"


def _only_english(source: GoldSource) -> tuple[str, ...]:
    """List what a rule says in English alone: its reason and exceptions, which judges read beside the conclusion."""
    return (source.rule.reason, f"It may say what would change this: {source.rule.changes_if}")


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
    return Counter({analyte.id: 1 for analyte in source.vocabulary.analytes_in(text)})


def _negations(text: str, language: Language, _source: GoldSource) -> "Counter[str]":
    return Counter({"negation": len(_NEGATIONS[language].findall(without(text, _NO_NEGATION[language])))})


_READERS: Mapping[str, Callable[[str, Language, GoldSource], "Counter[str]"]] = {
    "figures": _figures,
    "dates": _dates,
    "units": _units,
    "drugs": _drugs,
    "tests": _tests,
    "negations": _negations,
}


def _records(gold: GoldSession) -> list[Pair]:
    """Pair what the record itself says with itself: a coded diagnosis, an organism, both left as they are."""
    words = {
        name
        for turn in gold.turns
        for item in turn.rubric
        if isinstance(item, NameItem) and item.item_id.endswith(("-diagnosis", "-culture"))
        for name in item.names
    }
    return [dict.fromkeys(Language, word) for word in sorted(words, key=len, reverse=True)]


def _phrases(source: GoldSource) -> tuple[Pair, ...]:
    """Pair what a rule says in both languages; where it is said, it must be said in both."""
    rule = source.rule
    pairs: list[Mapping[Language, str]] = [finding.ask for finding in rule.trigger.also if finding.ask]
    if set(rule.wording) >= set(Language):
        bearings = {language: rule.wording[language].bearing or "" for language in Language}
        pairs.append(bearings)
    pairs += [{Language.EN: recipe.names[0], Language.ZH: recipe.names[-1]} for recipe in RECIPES.values()]
    if rule.judgement is not None:
        question = load_judgements()[rule.judgement.question]
        pairs += [question.ask, question.short, *(answer.say for answer in question.answers.values())]
    match rule.action:
        case ServiceAction(words=words):
            pairs.append(words)
        case OrderAction(route=route, frequency=frequency, dose_fraction=fraction):
            wordings = {language: load_turn_wordings(language) for language in Language}
            pairs += [
                {language: table.get(key, "") for language, table in tables.items()}
                for key, tables in (
                    (route or "", {at: one.routes for at, one in wordings.items()}),
                    (frequency or "", {at: one.frequencies for at, one in wordings.items()}),
                )
            ]
            if fraction is not None:
                pairs.append({at: one.fractions[fraction] for at, one in wordings.items()})
    whole = [pair for pair in pairs if all(pair.get(language) for language in Language)]
    return tuple(sorted(whole, key=lambda pair: -len(pair[Language.EN])))

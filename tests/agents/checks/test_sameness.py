"""The sameness checker: a template asks what it asks in all its ways, and a question that asks otherwise is refused."""

from collections import Counter
from collections.abc import Callable

import pytest

from agents.checks.case import Case
from agents.checks.sameness import TurnMeaning
from agents.meaning import load_senses, senses_of
from agents.physician import say_plan
from agents.planner import reworded
from agents.question_context import Setting
from state.base import Language

NEVER_ASKED = {"verdict", "suggestion", "negation"}
Corrupt = Callable[[str, TurnMeaning, str], str | None]


def _setting(case: Case, index: int) -> Setting:
    return Setting.after(case.plan.turns[:index])


@pytest.fixture(scope="module")
def meanings(cases: list[Case]) -> list[TurnMeaning]:
    """Read the template of every turn, in both languages."""
    return [
        TurnMeaning.of(
            planned, case.at(turn.index).source, language, turn.wording[language], _setting(case, turn.index)
        )
        for case in cases
        for planned, turn in zip(case.plan.turns, case.words.turns, strict=True)
        for language in Language
    ]


def forms_of(meaning: TurnMeaning) -> list[tuple[str, str]]:
    return [(form, getattr(meaning.template, form)) for form in ("explicit", "implicit")]


def test_in_the_dialogue_a_question_may_ask_for_what_its_full_form_asks(meanings: list[TurnMeaning]) -> None:
    for meaning in meanings:
        assert meaning.full.may <= meaning.short.may
    assert any(meaning.full.must - meaning.short.must for meaning in meanings)


def test_templates_ask_what_they_ask(meanings: list[TurnMeaning]) -> None:
    for meaning in meanings:
        for form, text in forms_of(meaning):
            assert meaning.faults(text, form) == [], text


def test_other_ways_of_a_template_ask_the_same(cases: list[Case]) -> None:
    for case in cases[::3]:
        again = say_plan(reworded(case.plan, 1), case.source, tuple(Language))
        for planned, turn, other in zip(case.plan.turns, case.words.turns, again, strict=True):
            for language in Language:
                meaning = TurnMeaning.of(
                    planned,
                    case.at(turn.index).source,
                    language,
                    turn.wording[language],
                    _setting(case, turn.index),
                )
                for form in ("explicit", "implicit"):
                    text = getattr(other[language].wording, form)
                    assert meaning.faults(text, form) == [], (getattr(meaning.template, form), text)


def test_no_template_says_what_a_result_is_like_or_what_to_do(meanings: list[TurnMeaning]) -> None:
    for meaning in meanings:
        assert not NEVER_ASKED & (meaning.full.may | meaning.short.may), meaning.turn


def _another_test(text: str, meaning: TurnMeaning, _form: str) -> str:
    """Ask for one test more."""
    known = meaning.terms.vocabulary
    for name in ("ferritin", "ammonia", "uric_acid"):
        other = known.analyte_by_id(name)
        known_here = other is None or other.names[meaning.language] in meaning.ears.key
        if other is not None and not known_here and other.names[meaning.language] not in text:
            return (
                f"{text} {other.names[meaning.language]}{'?' if meaning.language is Language.EN else '呢？'}"
            )
    raise AssertionError("no test is left to add")


def _another_figure(text: str, meaning: TurnMeaning, _form: str) -> str:
    return text + (" Over 19 days." if meaning.language is Language.EN else "近19天。")


def _without_a_term(text: str, meaning: TurnMeaning, form: str) -> str | None:
    terms = [term for term in meaning.said(form) if term in text and term != meaning.drug]
    return text.replace(terms[-1], "…") if terms else None


def _verdict(text: str, meaning: TurnMeaning, _form: str) -> str:
    return (
        (text + " It looks dangerously high.") if meaning.language is Language.EN else text + "看着明显偏高。"
    )


def _suggestion(text: str, meaning: TurnMeaning, _form: str) -> str:
    return text + (" I would withhold." if meaning.language is Language.EN else "我看先停用。")


def _denied(text: str, meaning: TurnMeaning, _form: str) -> str:
    return text + (" Do not look any of this up." if meaning.language is Language.EN else "这些未必要查。")


def _no_senses(text: str, meaning: TurnMeaning, form: str) -> str | None:
    """Drop every word that asks for more than the things named."""
    must = (meaning.full if form == "explicit" else meaning.short).must
    if not must:
        return None
    bare = text
    for sense in load_senses(meaning.language):
        if sense.name in must:
            for words in sense.words:
                bare = words.sub("", bare)
    return bare if must - senses_of(meaning.terms.blanked(bare), meaning.language) else None


def _listed(text: str, _meaning: TurnMeaning, _form: str) -> str:
    return f"- {text}"


@pytest.mark.parametrize(
    "corrupt",
    [_another_test, _another_figure, _without_a_term, _verdict, _suggestion, _denied, _no_senses, _listed],
    ids=lambda corrupt: corrupt.__name__.strip("_"),
)
def test_a_question_that_asks_otherwise_is_refused(meanings: list[TurnMeaning], corrupt: Corrupt) -> None:
    tried: Counter[Language] = Counter()
    for meaning in meanings:
        for form, text in forms_of(meaning):
            wrong = corrupt(text, meaning, form)
            if wrong is not None and wrong != text:
                tried[meaning.language] += 1
                assert meaning.faults(wrong, form), wrong
    assert min(tried[language] for language in Language) >= 10, tried


@pytest.mark.parametrize(
    ("language", "text", "senses"),
    [
        (Language.EN, "Is the · up or down, and by how much?", {"direction", "difference"}),
        (Language.EN, "Is the · up?", set()),
        (Language.EN, "Continue, reduce or hold the ·, or does something need replacing?", {"decide"}),
        (Language.EN, "The ·: continue, reduce, hold, or something else?", {"decide"}),
        (Language.EN, "Should we hold the ·?", {"suggestion"}),
        (Language.EN, "With that result in mind, what would you do?", {"decide"}),
        (Language.EN, "What would you do? State that value.", {"decide", "quote"}),
        (Language.EN, "When was the first · drawn?", {"time", "first"}),
        (Language.EN, "First ask the patient ·.", {"ask_patient"}),
        (Language.ZH, "·是升了还是降了，差了多少？", {"direction", "difference"}),
        (Language.ZH, "·该继续、减量、暂停，还是要补什么？", {"decide"}),
        (Language.ZH, "·：继续、减量、暂停，还是另作处理？", {"decide"}),
        (Language.ZH, "·先停用？", {"suggestion"}),
        (Language.ZH, "·偏高，什么时候采的样？", {"verdict", "time"}),
        (Language.ZH, "途径和频次不变，其他医嘱不动。", {"route", "frequency", "same", "alone"}),
    ],
)
def test_what_a_text_asks_for_is_read_from_its_words(language: Language, text: str, senses: set[str]) -> None:
    assert senses_of(text, language) == senses


def test_both_languages_know_the_same_senses() -> None:
    names = [{sense.name for sense in load_senses(language)} for language in Language]
    assert names[0] - {"drug"} == names[1]

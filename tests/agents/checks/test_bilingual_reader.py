"""The bilingual checker's twin: a difference counts that is quoted from the texts, and nothing else does."""

from typing import Any

import pytest
from bad_openai import Reply, Script, fails
from readers import fills_in, material, reading

from agents.checks.bilingual_reader import read_bilingual
from agents.checks.case import Case, ruled
from state.checking import Check, Ruling, Stage


def ruling(case: Case, script: Script) -> tuple[Check, int]:
    with reading(script) as (reader, server):
        check = ruled(Stage.BILINGUAL_READING, lambda one: read_bilingual(one, reader), case)
    return check, len(server.requests)


def finds(verdict: str, en: str = "", zh: str = "") -> Reply:
    return fills_in(reason="scripted", en=en, zh=zh, verdict=verdict)


def test_every_turn_is_read_in_every_form(cases: list[Case]) -> None:
    case = cases[0]
    with reading(lambda _: finds("same")) as (reader, server):
        assert read_bilingual(case, reader) == []
    assert len(server.requests) == len(case.words.turns)
    for request, turn in zip(server.requests, case.words.turns, strict=True):
        assert material(request) == {
            f"{language} {name}": text
            for language, wording in turn.wording.items()
            for name, text in (("in full", wording.explicit), ("as it is said", wording.implicit))
        }


def test_a_difference_that_is_quoted_rejects(cases: list[Case]) -> None:
    def differs(request: dict[str, Any]) -> Reply:
        shown = material(request)
        return finds("different", shown["en in full"][:20].rsplit(" ", 1)[0], shown["zh in full"][:5])

    check, calls = ruling(cases[0], differs)
    assert check.ruling is Ruling.REJECT
    assert check.reasons[0].startswith("turn 0: a model finds en ")
    assert calls == 1


def test_what_only_one_language_says_is_quoted_from_it_alone(cases: list[Case]) -> None:
    check, _ = ruling(cases[0], lambda r: finds("different", zh=material(r)["zh in full"][:5]))
    assert check.ruling is Ruling.REJECT


@pytest.mark.parametrize(
    ("script", "calls"),
    [
        (lambda _: finds("different"), 2),
        (lambda _: finds("different", en="words of neither text"), 2),
        (lambda r: finds("different", en=material(r)["zh in full"][:5]), 2),
        (lambda _: finds("cannot_tell"), 1),
        (lambda _: finds("the same"), 2),
        (lambda _: fails(401), 1),
    ],
    ids=["no quotation", "made up", "of the other text", "cannot tell", "no verdict", "no key"],
)
def test_what_shows_nothing_decides_nothing(cases: list[Case], script: Script, calls: int) -> None:
    check, asked = ruling(cases[0], script)
    assert check.ruling is Ruling.CANNOT_DECIDE
    assert asked == calls

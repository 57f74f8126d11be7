"""The wording checker's twin: a model says in full what a question asks, and code compares that with what is meant."""

from collections.abc import Iterator

from agents.checks.case import CannotDecide, Case
from agents.checks.reader import Reader
from agents.checks.texts import dates, figures
from agents.dialogue import MATTER, listener
from agents.resolver import Heard, Listener, Reach
from state.base import Language, Record
from state.checking import Stage
from state.session import Implicitness, Turn
from tools.grading.quotes import is_quoted

AT_LARGE = frozenset({Reach.WHOLE, Reach.REPORT, Reach.LAST})
"""Words that point to a question, and not to one thing in it: said in full, they may name all that it named."""


class Understood(Record):
    """What a question asks. ``readings``: the question in full, once for each way in which it can be meant.

    ``quote``: the words of an earlier question that tell what it leaves unsaid.
    """

    readings: tuple[str, ...]
    quote: str


def read_wording(case: Case, reader: Reader) -> list[str]:
    """Reject a session with a question that a model reads in several ways, or in another than is meant."""
    for turn in case.words.turns:
        for language in turn.wording if turn.implicitness is not Implicitness.EXPLICIT else ():
            if faults := list(_question(case, turn, language, reader)):
                return [f"turn {turn.index} {language}: {fault}" for fault in faults]
    return []


def _question(case: Case, turn: Turn, language: Language, reader: Reader) -> Iterator[str]:
    asked = [one.wording[language].implicit for one in case.words.turns[: turn.index + 1]]
    *before, last = asked

    def void(understood: Understood) -> str | None:
        if understood.readings and not is_quoted(understood.quote, "\n".join(before)):
            return "the quotation is not in an earlier question, word for word"
        return None

    names = [f"question {number}" for number in range(1, len(asked))]
    material = [*zip(names, before, strict=True), ("THE LAST QUESTION", last)]
    place = (case.plan.session_id, turn.index, language)
    understood = reader.read(Stage.WORDING_READING, place, material, Understood, void)
    match understood.readings:
        case ():
            raise CannotDecide(f"turn {turn.index} {language}: a model finds no reading of {last!r}")
        case (reading,):
            yield from _differences(case, turn, language, reading, understood.quote)
        case (first, second, *_):
            yield f"a model finds more than one reading: {first!r}, {second!r}"


def _differences(case: Case, turn: Turn, language: Language, reading: str, quote: str) -> Iterator[str]:
    """Say in which tests, drugs and findings that are left unsaid, numbers and days a reading is not what is meant."""
    ears, wording = listener(case.source, language), turn.wording[language]
    said, meant, read = (_named(ears, text) for text in (wording.implicit, wording.explicit, reading))
    loose = {MATTER, *said, *case.at(turn.index).source.may_be_named}
    if left_out := sorted(meant - read - _named(ears, quote) - loose):
        yield f"a model does not read {', '.join(left_out)} in it, but {reading!r}"
    if beside := sorted(read - meant - _at_large(case, turn, language, ears) - loose):
        yield f"a model reads {', '.join(beside)} in it: {reading!r}"
    if set(figures(reading)) != set(figures(wording.explicit)):
        yield f"a model reads other numbers in it: {reading!r}"
    if set(dates(reading)) != set(dates(wording.explicit)):
        yield f"a model reads other days in it: {reading!r}"


def _named(ears: Listener, text: str) -> set[str]:
    return set(ears.hear(text, [], reports=True).named)


def _at_large(case: Case, turn: Turn, language: Language, ears: Listener) -> set[str]:
    """Name all that the dialogue has named, where the question points to what was asked and not to one thing."""
    dialogue: list[Heard] = []
    for one in case.words.turns[: turn.index + 1]:
        dialogue.append(ears.hear(one.wording[language].implicit, dialogue, reports=True))
    if not any(anaphor.pointer.reach in AT_LARGE for anaphor in dialogue[-1].anaphors):
        return set()
    return {name for heard in dialogue for name in heard.named}

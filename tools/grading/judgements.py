"""JudgementItem: which of the answers that exclude each other the examinee gives."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from state.gold import JudgementItem
from tools.grading.evidence import Finding, TurnEvidence, cannot_tell, met, not_met
from tools.grading.names import Span, spans
from tools.grading.phrases import any_of, load_words
from tools.grading.text import sentences


class Stance(StrEnum):
    """How an answer stands to a conclusion it names."""

    GIVEN = "given"
    OPEN = "open"
    DENIED = "denied"
    SUPPOSED = "supposed"


@dataclass(frozen=True)
class _Mention:
    answer: int
    span: Span
    stance: Stance


def decide_judgement(item: JudgementItem, evidence: TurnEvidence) -> Finding:
    """Decide whether the right answer is given and no other: given, denied or left open, clause by clause.

    What the text gives and denies at once, or gives beside another answer in another sentence, is left undecided.
    """
    answers = (item.names, *item.others)
    stances: dict[int, set[Stance]] = {}
    for sentence in sentences(evidence.said):
        if not sentence.asks:
            for mention in _mentions(sentence.text, answers):
                stances.setdefault(mention.answer, set()).add(mention.stance)
    given = {answer for answer, found in stances.items() if Stance.GIVEN in found}
    opened = {answer for answer, found in stances.items() if Stance.OPEN in found}
    wanted, right = item.names[0], stances.get(0, set())
    if given == {0}:
        if Stance.DENIED in right:
            return cannot_tell(f"gives {wanted!r} and denies it")
        return not_met(f"leaves {wanted!r} open") if opened else met(f"concludes {wanted!r}")
    if 0 in given:
        others = ", ".join(answers[answer][0] for answer in sorted(given - {0}))
        return cannot_tell(f"gives {wanted!r} and {others!r}")
    if given:
        return not_met(f"concludes {answers[min(given)][0]!r}, not {wanted!r}")
    if opened:
        return not_met("leaves the conclusion open")
    return not_met(f"denies {wanted!r}" if Stance.DENIED in right else f"does not conclude {wanted!r}")


def _mentions(text: str, answers: Sequence[tuple[str, ...]]) -> list[_Mention]:
    placed = sorted(_placed(text, answers), key=lambda pair: pair[1].start)
    found = []
    for at, (answer, span) in enumerate(placed):
        beside = [placed[k] for k in (at - 1, at + 1) if 0 <= k < len(placed) and placed[k][0] != answer]
        open_ = any(_joined_by_or(text, span, other) for _, other in beside)
        found.append(_Mention(answer, span, Stance.OPEN if open_ else _stance(text, span)))
    return found


def _placed(text: str, answers: Sequence[tuple[str, ...]]) -> Iterator[tuple[int, Span]]:
    """Place every name; of names that overlap the longest counts."""
    every = [(answer, span) for answer, names in enumerate(answers) for span in spans(names, text)]
    kept: list[Span] = []
    for answer, span in sorted(every, key=lambda pair: (pair[1].start - pair[1].end, pair[0])):
        if not any(span.overlaps(other) for other in kept):
            kept.append(span)
            yield answer, span


def _stance(text: str, span: Span) -> Stance:
    before, after = _clause(text, span)
    whole = text[: span.start]
    if (
        _words("told").search(before)
        or _words("supposed").search(before)
        or _words("supposed").search(whole[-60:])
    ):
        return Stance.SUPPOSED
    if _words("denied_before").search(before) or _words("denied_after").search(after):
        return Stance.DENIED
    return (
        Stance.OPEN if _words("doubted").search(before) or _words("doubted").search(after) else Stance.GIVEN
    )


def _clause(text: str, span: Span) -> tuple[str, str]:
    """Give what stands before and after a mention within its clause."""
    ends = [match.end() for match in _words("clause_end").finditer(text[: span.start])]
    end = _words("clause_end").search(text[span.end :])
    after = text[span.end :]
    return text[ends[-1] if ends else 0 : span.start], after[: end.start()] if end else after


def _joined_by_or(text: str, one: Span, other: Span) -> bool:
    first, second = sorted((one, other), key=lambda span: span.start)
    between = text[first.end : second.start]
    return len(between) <= _JOINT and bool(_words("joined_by_or").search(between))


_JOINT = 24
"""Characters between two conclusions that an "or" may join."""


@cache
def _words(name: str) -> re.Pattern[str]:
    return any_of(load_words("conclusions")[name])

"""JudgementItem: which of the answers that exclude each other the examinee gives."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property

from state.gold import JudgementItem
from state.outcome import Verdict
from tools.grading.advice_words import Act, Phrase, find_phrases, pattern
from tools.grading.changes import decide_change
from tools.grading.company import Company, Own, points_of
from tools.grading.evidence import Finding, TurnEvidence, cannot_tell, met, not_met
from tools.grading.names import Span
from tools.grading.phrases import load_words
from tools.grading.rewordings import reworded
from tools.grading.stances import Stance, Stand, stances
from tools.vocabulary import Vocabulary


def decide_judgement(item: JudgementItem, evidence: TurnEvidence, vocabulary: Vocabulary) -> Finding:
    """Decide whether the right answer is given, with the amount it wants, and no other."""
    evidence = reworded(evidence)
    concluded = _weighed(_Conclusions(item, points_of(evidence.said), vocabulary))
    if item.change is None or concluded.verdict is Verdict.NOT_MET:
        return concluded
    moved = decide_change(item.change, evidence, vocabulary)
    return concluded if moved.verdict is Verdict.MET else moved


@dataclass(frozen=True)
class _Conclusions:
    """What the points of an answer conclude; the right answer is the first."""

    item: JudgementItem
    points: Sequence[str]
    vocabulary: Vocabulary

    @cached_property
    def stands(self) -> list[list[Stand]]:
        """Give how each point stands to the answers it names; a question stands to none.

        An answer that opens with an option of the question, and nothing else in its first point, gives that answer.
        """
        answers = (self.item.names, *self.item.others)
        read = [[] if _asks(text) else stances(text, answers) for text in self.points]
        return [self._option(self.points[0]) or read[0], *read[1:]] if read else []

    def _option(self, text: str) -> list[Stand]:
        whole = Span(0, len(text))
        return [
            Stand(answer, Stance.GIVEN, whole)
            for answer, options in enumerate(self.item.options)
            if not _asks(text) and _alone(options).fullmatch(text.strip())
        ]

    def taken(self, stance: Stance) -> list[int]:
        """Give the answers to which the text stands so."""
        return sorted({one.answer for point in self.stands for one in point if one.stance is stance})

    def unread(self) -> str | None:
        """Give the first point that says beside a conclusion what is not understood.

        None of a direction: the amounts it is told with are read by themselves.
        """
        if self.item.change is not None:
            return None
        own = [[Own(one.span, gives=one.stance is Stance.GIVEN) for one in point] for point in self.stands]
        given = self.taken(Stance.GIVEN)
        answers = (self.item.names, *self.item.others)
        worded = [name for answer in given for name in answers[answer]]
        worded += self.item.text.values()
        others = [name for at, names in enumerate(answers) if at not in given for name in names]
        return Company(self.points, own, self.vocabulary, worded, others, loose=bool(given)).unread()

    def elsewhere(self) -> str | None:
        """Give the first point that may conclude the right answer in words that no list has.

        Advice on a drug that no wording of the right answer comes to is another conclusion, however it is worded; what
        the patient is quoted to have said is none.
        """
        wanted = {phrase.act for name in self.item.names for phrase in find_phrases(name)}
        own = []
        told = False
        for text in self.points:
            told = told or pattern("patient_said", of="company").match(text) is not None
            advises = find_phrases(text) or pattern("plans", of="company").search(text)
            speaks = pattern("patient_speaks", of="company").search(text) is not None
            account = told and (speaks or not advises)
            own.append([Own(Span(0, len(text)))] if account else _other_advice(text, wanted))
        return Company(self.points, own, self.vocabulary, reports=True).unread()


def _other_advice(text: str, wanted: set[Act]) -> list[Own]:
    found: list[Phrase] = [phrase for phrase in find_phrases(text) if phrase.act not in wanted]
    return [Own(Span(phrase.start, phrase.end), gives=True) for phrase in found]


@cache
def _alone(options: tuple[str, ...]) -> re.Pattern[str]:
    """Give the pattern of any of some options with nothing around it but a word or two that leads up to it."""
    words = load_words("conclusions")
    named = "|".join(sorted(map(re.escape, options), key=len, reverse=True)) or r"(?!)"
    return re.compile(
        rf"\W*(?:{'|'.join(words['option_lead'])})?(?:{named})(?:{'|'.join(words['option_tail'])})?\W*",
        re.IGNORECASE,
    )


def _asks(text: str) -> bool:
    return text.rstrip().endswith("?")


def _weighed(said: _Conclusions) -> Finding:
    """Weigh what is given, denied or left open, clause by clause.

    Decided only where all that is said beside is understood. Left undecided too: what the text gives and denies at once
    or gives beside another answer, what may be doubt or advice, and a text that only denies every other answer.
    """
    if all(_asks(text) for text in said.points):
        return not_met("only asks")
    called = [names[0] for names in (said.item.names, *said.item.others)]
    wanted = called[0]
    given, opened, unclear, denied = (
        said.taken(stance) for stance in (Stance.GIVEN, Stance.OPEN, Stance.UNCLEAR, Stance.DENIED)
    )
    others = [called[answer] for answer in given if answer != 0]
    if 0 in given and others:
        return cannot_tell(f"gives {wanted!r} and {', '.join(others)!r}")
    if 0 in given and (opened or unclear or denied[:1] == [0]):
        return cannot_tell(f"gives {wanted!r}, and denies it or leaves something open")
    if not given and not opened and denied == list(range(1, len(called))):
        return cannot_tell(f"denies every answer but {wanted!r}, which it does not name")
    if unclear and (0 in unclear or not given):
        return cannot_tell(f"may or may not give {called[unclear[0]]!r}")
    if not given and not opened and any(find_phrases(called[answer]) for answer in denied if answer != 0):
        return cannot_tell(f"denies {called[denied[-1]]!r}, which may give {wanted!r}")
    named = bool(given or opened or denied)
    if strange := (said.unread() if named else said.elsewhere()):
        what = f"gives {called[given[0]]!r}" if given else f"may give {wanted!r}"
        return cannot_tell(f"{what}, and says beside it what is not understood: {strange!r}")
    if 0 in given:
        return met(f"concludes {wanted!r}")
    if given:
        return not_met(f"concludes {others[0]!r}, not {wanted!r}")
    if opened:
        return not_met("leaves the conclusion open")
    return not_met(f"denies {wanted!r}" if 0 in denied else f"does not conclude {wanted!r}")

"""What an answer says beside its advice that can undo it: approval, retraction, a choice left open, the unread."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from tools.grading.acts import Heard, Sentence
from tools.grading.advice_words import Voice, find_phrases, pattern, remark
from tools.grading.drug_mentions import About, DrugMention, Sense, about
from tools.grading.mood import is_negated
from tools.grading.names import Span
from tools.grading.objects import no_subject
from tools.grading.segments import Segment, Turn, strange_words
from tools.grading.text import speech
from tools.vocabulary import Vocabulary

_PRONOUN = re.compile(
    r"\b(?:it|them|they)\b|^\W*(?:this|that)\s+(?:is|was|can|should|must|may|would|will)\b|它|该药|此药", re.IGNORECASE
)
_STANDS = re.compile(
    r"\b(?:the|its|his|her|this|that|tonight's|today's|next|evening|morning|scheduled|usual|regular)\s+(?:[\w-]+\s+){0,2}"
    r"(?:doses?|orders?|drugs?|medications?|tablets?|pills?|infusion|drip|prescription|medicine)\b|(?:该|此|下一?|今晚|原)(?:次|的)?(?:剂量|医嘱|药片|药物|药)",
    re.IGNORECASE,
)
_NOT = re.compile(r"\b(?:not|no|never)\b|n't\b|不|勿", re.IGNORECASE)
_SHORT = 4
"""Words of a remark that may be a mere "as you were"; a longer one says what it speaks of."""
_POINTS = (Turn.MARK, Turn.NEXT)


class Kind(StrEnum):
    """What a remark does to advice."""

    APPROVES = "approves"
    TAKES_BACK = "takes back"
    LEAVES_OPEN = "leaves open"
    DOUBTS = "doubts"
    UNREAD = "unread"


@dataclass(frozen=True)
class Remark:
    """A remark, the drug it is about, and the sentence. ``sure``: no words beside it that are not understood."""

    kind: Kind
    about: About
    text: str
    sure: bool = False


def remarks_on(
    sentence: Sentence, heard: Sequence[Heard], cut: Sequence[Segment], vocabulary: Vocabulary
) -> list[Remark]:
    """Find what a sentence says that can undo advice, its own or that of another sentence."""
    found = list(_of_whole(sentence.said, heard))
    for segment in cut:
        inside = [one for one in heard if segment.holds(one.phrase.start)]
        if any(one.about is not About.OTHER for one in inside) or _is_subject(segment, sentence, heard, cut):
            continue
        kind = _Segment(segment, sentence, inside, heard, vocabulary).remark()
        if kind is not None:
            found.append(kind)
    return found


def remarks_on_question(sentence: Sentence) -> list[Remark]:
    """Find a question that doubts: "why stop it?"."""
    asked = remark("asks_why").search(sentence.said)
    return [Remark(Kind.DOUBTS, About.UNNAMED, sentence.said.strip())] if asked else []


def _of_whole(text: str, heard: Sequence[Heard]) -> Iterator[Remark]:
    whole = text.strip()
    beside = any(one.about is not About.OTHER for one in heard)
    if remark("takes_back").search(text):
        yield Remark(Kind.TAKES_BACK, About.UNNAMED, whole, sure=True)
    if remark("leaves_open").search(text):
        yield Remark(Kind.LEAVES_OPEN, About.UNNAMED, whole, sure=beside)
    alternative = remark("alternatively").search(text)
    quoted = any(find_phrases(one) for one in speech(text))
    if quoted or remark("doubts").search(text) or (alternative and not text[: alternative.start()].strip(" ,")):
        yield Remark(Kind.DOUBTS, About.UNNAMED, whole)


def _is_subject(
    segment: Segment, sentence: Sentence, heard: Sequence[Heard], cut: Sequence[Segment]
) -> bool:
    """Tell whether a segment is what a later one advises on: "all doses, the next one included, should be held"."""
    passive = next((one for one in heard if one.phrase.start >= segment.end), None)
    if passive is None or passive.phrase.voice is not Voice.PASSIVE or passive.about is not About.TARGET:
        return False
    home = next(one for one in cut if one.holds(passive.phrase.start))
    return no_subject(sentence.text[home.start : passive.phrase.start])


@dataclass(frozen=True)
class _Segment:
    """A segment that advises nothing on the drug asked about; ``acts`` are its acts on others."""

    segment: Segment
    sentence: Sentence
    acts: Sequence[Heard]
    heard: Sequence[Heard]
    vocabulary: Vocabulary

    @property
    def text(self) -> str:
        return self.sentence.text[self.segment.start : self.segment.end]

    def remark(self) -> Remark | None:
        low, high = self.segment.start, self.segment.end
        inside = [m for m in self.sentence.mentions if low <= m.span.start and m.span.end <= high]
        named = [m for m in inside if m.drug == ""]
        if named:
            return self._of_named(named)
        if inside or pattern("other_drugs").search(self.text):
            return None
        if self.segment.turn in _POINTS and (sure := self._approves("approves")) is not None:
            return self._made(Kind.APPROVES, About.UNNAMED, sure=sure)
        if self._turns_down() or self._offers_instead() or remark("belittles").search(self.text):
            return self._made(Kind.DOUBTS, About.UNNAMED)
        if self.acts or self.segment.turn not in _POINTS:
            return None
        if self._strays():
            return self._made(Kind.UNREAD, About.UNNAMED)
        if _STANDS.search(self.text) and about(self._told()) is not About.OTHER and self._strange() and not _is_fact(self.text):
            return self._made(Kind.UNREAD, About.UNNAMED)
        if self._it() is About.TARGET and _PRONOUN.search(self.text) and not self._answers() and not _is_fact(self.text):
            return self._made(Kind.UNREAD, About.UNNAMED)
        return None

    def _of_named(self, named: Sequence[DrugMention]) -> Remark | None:
        if self.segment.turn is Turn.CONDITION or pattern("told", "clause").search(self.text):
            return None
        if remark("opposes").search(self.text) or remark("defers").search(self.text):
            return None
        if (sure := self._approves("approves_named")) is not None:
            return self._made(Kind.APPROVES, About.TARGET, sure=sure)
        if remark("approves_named").search(self.text):
            return None
        if self.segment.turn not in _POINTS or all(m.sense is not Sense.DRUG for m in named) or self.acts:
            return None
        return self._made(Kind.UNREAD, About.TARGET) if self._strange() and not _is_fact(self.text) else None

    def _approves(self, name: str) -> bool | None:
        """Tell whether the segment approves, and if so whether all else of it is understood."""
        found = [one for one in remark(name).finditer(self.text) if not is_negated(self.text[: one.start()])]
        if not found:
            return None
        start = self.segment.start
        return not self._strange(*(Span(start + one.start(), start + one.end()) for one in found))

    def _offers_instead(self) -> bool:
        """Tell whether the segment sets something else beside the advice before it: "or recheck it first"."""
        before = any(one.phrase.start < self.segment.start and one.about is not About.OTHER for one in self.heard)
        words = re.match(r"\W*([A-Za-z]+|[\u3400-\u9fff])", self.text)
        determined = words is None or words.group(1).lower() in ("any", "other", "another", "the", "two", "more", "at")
        return before and self.segment.opener in ("or", "或", "或者") and not determined

    def _told(self) -> Sequence[DrugMention]:
        """Give the drugs told of before the segment."""
        before = [m for m in self.sentence.mentions if m.span.end <= self.segment.start]
        return before or self.sentence.topic

    def _strays(self) -> bool:
        """Tell whether the segment has words that are not understood and speaks of nothing clinical.

        A list goes on with what its sentence speaks of, unless it points back at the advice or the drug.
        """
        if _is_clinical(self.text) or self._figures() or not self._strange():
            return False
        if remark("pointers").search(self.text):
            return True
        short = len(re.findall(r"[A-Za-z'-]+|[\u3400-\u9fff]{2}", self.text)) < _SHORT
        return short and not _is_clinical(self.sentence.text[: self.segment.start])

    def _figures(self) -> bool:
        """Tell whether the segment names an analyte."""
        return any(m.entry is not None for m in self.vocabulary.analyte_mentions(self.text))

    def _answers(self) -> bool:
        """Tell whether the segment answers "does that change it?" and says no more."""
        return remark("answers").fullmatch(self.text.strip(" .!")) is not None

    def _turns_down(self) -> bool:
        """Tell whether a few plain words with a "not" follow advice: "but not today"."""
        before = any(
            one.phrase.start < self.segment.start and one.about is not About.OTHER for one in self.heard
        )
        return (
            before
            and not self.acts
            and _NOT.search(self.text) is not None
            and not remark("bounds").search(self.text)
            and not self._strange()
        )

    def _strange(self, *closed: Span) -> list[str]:
        spans = [one.span for one in self.heard] + [m.span for m in self.sentence.mentions] + list(closed)
        return strange_words(
            self.sentence.text, self.segment.start, self.segment.end, spans, self.vocabulary
        )

    def _it(self) -> About:
        """Tell what "it" is at the segment: the last drug or analyte before it."""
        before = self.sentence.text[: self.segment.start]
        told = [(m.span.end, m.drug == "" and m.sense is Sense.DRUG) for m in self.sentence.mentions]
        told = [one for one in told if one[0] <= len(before)]
        told += [(m.end, False) for m in self.vocabulary.analyte_mentions(before) if m.entry is not None]
        if not told:
            return self.sentence.it
        return About.TARGET if max(told)[1] else About.OTHER

    def _made(self, kind: Kind, whose: About, *, sure: bool = False) -> Remark:
        return Remark(kind, whose, self.sentence.text.strip(), sure)


def _is_clinical(text: str) -> bool:
    return _is_fact(text) or any(remark(name).search(text) for name in ("topics", "courtesies"))


def _is_fact(text: str) -> bool:
    """Tell whether a stretch says how the drug acts or that it is ordered, and plays nothing down."""
    return bool(remark("facts").search(text)) and not remark("downplays").search(text)

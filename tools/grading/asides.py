"""A segment that advises nothing on the drug asked about, and what it does to the advice beside it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from tools.grading.acts import Heard
from tools.grading.advice_words import Act, pattern, remark
from tools.grading.company import only_reports
from tools.grading.cut import Cut
from tools.grading.drug_mentions import About, DrugMention, Sense, about
from tools.grading.grounds import is_elsewhere, is_ground, points_at_nothing, starts_now
from tools.grading.mood import is_negated
from tools.grading.names import Span
from tools.grading.prefixes import occurs_before
from tools.grading.segments import Segment, Turn

_NOT = re.compile(r"\b(?:not|no|never)\b|n't\b|不|勿", re.IGNORECASE)
_ARROW = re.compile(r"(?:→|->|=>)\s*(?:IV|PO|oral|intravenous)?\s*$", re.IGNORECASE)
_SHORT = 4
"""Words of a remark that may be a mere "as you were"; a longer one says what it speaks of."""
_POINTS = (Turn.MARK, Turn.NEXT)
_OWN_POINTS = (Turn.MARK, Turn.NEXT, Turn.REASON)
_CLINICAL = ("topics", "courtesies")
_GOES_ON = frozenset({Act.CONTINUE, Act.GIVE, Act.INCREASE})


class Kind(StrEnum):
    """What a remark does to advice."""

    APPROVES = "approves"
    OPPOSES = "opposes"
    TAKES_BACK = "takes back"
    LEAVES_OPEN = "leaves open"
    DOUBTS = "doubts"
    BELITTLES = "makes nothing of the result"
    UNREAD = "unread"


@dataclass(frozen=True)
class Remark:
    """A remark, the drug it is about, and its sentence.

    ``sure``: no words beside it that are not understood. ``ground``: its stretch decides nothing, though not all of it
    is understood.
    """

    kind: Kind
    about: About
    text: str
    sure: bool = False
    ground: bool = False

    @property
    def elsewhere(self) -> bool:
        """Tell whether it names no part of the advice, and points at none."""
        return self.about is not About.TARGET and points_at_nothing(self.text)


@dataclass(frozen=True)
class Aside:
    """A segment of a sentence; ``acts`` are its acts on other drugs."""

    segment: Segment
    acts: Sequence[Heard]
    cut: Cut

    @property
    def text(self) -> str:
        """Give the segment's own text."""
        return self.cut.sentence.text[self.segment.start : self.segment.end]

    def remark(self) -> Remark | None:
        """Tell what the segment does to advice; None where it leaves it alone."""
        made = self._remark()
        unsure = made is not None and made.kind in (Kind.UNREAD, Kind.DOUBTS)
        if made is None or not unsure or self.acts:
            return made
        return None if self._reports() else replace(made, ground=self._leaves_alone())

    def _leaves_alone(self) -> bool:
        """Tell whether the segment only gives grounds or speaks of something else."""
        if starts_now(self.text) and not self.cut.sentence.text[self.segment.end :].strip(" ."):
            return True
        if self.segment.turn not in _OWN_POINTS or self.segment.opener in ("or", "或", "或者"):
            return False
        told = self.segment.turn is Turn.REASON or self._names_analyte()
        if told and pattern("points_at", of="grounds").search(self.text) is None:
            return is_ground(f"{self.segment.opener} {self.text}", self.cut.vocabulary)
        return not self._names_drug() and is_elsewhere(self.text, self.cut.vocabulary, classes=self.cut.apart)

    def _reports(self) -> bool:
        """Tell whether the segment only reports or looks on, in words that point at no advice."""
        supposes = self.segment.turn is Turn.CONDITION
        opened = "" if supposes or self.segment.turn is Turn.MARK else f"{self.segment.opener} "
        return only_reports(opened + self.text, self.cut.vocabulary, supposes=supposes)

    def _remark(self) -> Remark | None:
        low, high = self.segment.start, self.segment.end
        inside = [m for m in self.cut.sentence.mentions if low <= m.span.start and m.span.end <= high]
        named = [m for m in inside if m.drug == ""]
        if named:
            return self._of_named(named)
        if self._substitutes(inside) or self._goes_on_in_another_form(inside):
            return self._made(Kind.DOUBTS, About.UNNAMED)
        if inside or pattern("other_drugs").search(self.text):
            return None
        point = self.segment.turn in _POINTS
        if point and (sure := self._approves("approves")) is not None:
            return self._made(Kind.APPROVES, About.UNNAMED, sure=sure)
        alone = point and not self.acts
        if alone and remark("belittles").search(self.text):
            return self._made(Kind.BELITTLES, About.UNNAMED)
        refuses = alone and remark("refuses").search(self.text) is not None
        if refuses or (point and self._turns_down()) or self._offers_instead() or (point and self._doses()):
            return self._made(Kind.DOUBTS, About.UNNAMED)
        goes_on = any(one.phrase.act in (Act.CONTINUE, Act.INCREASE) for one in self.acts)
        unread = point and (
            self._strays() if goes_on else not self.acts and (self._strays() or self._is_of_drug())
        )
        unread = unread or self._touches() or (not point and not self.acts and self._strays())
        return self._made(Kind.UNREAD, About.UNNAMED) if unread else None

    def _names_drug(self) -> bool:
        low, high = self.segment.start, self.segment.end
        return any(m.drug == "" and low <= m.span.start < high for m in self.cut.sentence.mentions)

    def _touches(self) -> bool:
        """Tell whether the segment moves a drug or a plan in words that are no act: whatever it may mean, it is unread.

        That it speaks of something clinical too is no excuse: "the level was mistimed, undo step 1".
        """
        return not self.acts and remark("touches").search(self.text) is not None

    def _substitutes(self, inside: Sequence[DrugMention]) -> bool:
        """Tell whether a drug of the same class is to be given: of two alike, to hold one undoes little."""
        named = [self.cut.vocabulary.ingredient_by_id(mention.drug) for mention in inside]
        alike = any(drug is not None and self.cut.apart.intersection(drug.classes) for drug in named)
        held = any(one.phrase.act in (Act.HOLD, Act.REDUCE) for one in self.acts)
        given = any(remark(name).search(self.text) for name in ("substitutes", "amounts"))
        return alike and given and not held

    def _goes_on_in_another_form(self, inside: Sequence[DrugMention]) -> bool:
        """Tell whether a product goes on that is called by the drug's own name: heparin stopped, its flushes kept."""
        text = self.cut.sentence.text.lower()
        alike = any(
            text.startswith(f"{name.lower()} ", mention.span.start)
            for mention in inside
            if self.cut.vocabulary.ingredient_by_id(mention.drug) is not None
            for name in self.cut.names
        )
        return alike and any(one.phrase.act in _GOES_ON for one in self.acts)

    def _is_due(self) -> bool:
        """Tell whether an amount of the drug is named for now, as an order without a verb."""
        rest = self.cut.sentence.text[self.segment.start :]
        named = remark("amounts").search(self.text) and remark("due").search(rest)
        return named is not None and _NOT.search(rest) is None

    def _of_named(self, named: Sequence[DrugMention]) -> Remark | None:
        if self.segment.turn is Turn.CONDITION or pattern("told", "clause").search(self.text):
            return None
        if (sure := self._approves("approves_named")) is not None:
            return self._made(Kind.APPROVES, About.TARGET, sure=sure)
        if self._is_due():
            return self._made(Kind.DOUBTS, About.UNNAMED)
        if any(_ARROW.search(self.cut.sentence.text[: m.span.start]) for m in named) and not self.acts:
            return self._made(Kind.UNREAD, About.TARGET)
        if remark("opposes").search(self.text):
            return self._made(Kind.OPPOSES, About.TARGET)
        if any(remark(name).search(self.text) for name in ("defers", "bounds")):
            return None
        if _GOES_ON.intersection(one.phrase.act for one in self.acts):
            return self._made(Kind.UNREAD, About.TARGET)
        if remark("approves_named").search(self.text) or self.segment.turn not in _POINTS or self.acts:
            return None
        if all(m.sense is not Sense.DRUG for m in named) or is_fact(self.text) or self._by_the_way(named):
            return None
        return self._made(Kind.UNREAD, About.TARGET) if self.cut.strange(self.segment) else None

    def _by_the_way(self, named: Sequence[DrugMention]) -> bool:
        """Tell whether the drug is only where something clinical came about: "a fall of 60 % on heparin"."""
        text = self.cut.sentence.text
        aside = all(
            remark("beside_drug").search(text[self.segment.start : mention.span.start]) for mention in named
        )
        return aside and is_clinical(self.text) and not remark("downplays").search(self.text)

    def _approves(self, name: str) -> bool | None:
        """Tell whether the segment approves, and if so whether all else of it is understood."""
        found = [one for one in remark(name).finditer(self.text) if not is_negated(self.text[: one.start()])]
        if not found:
            return None
        start = self.segment.start
        return not self.cut.strange(
            self.segment, *(Span(start + one.start(), start + one.end()) for one in found)
        )

    def _advised_before(self) -> bool:
        return any(
            one.phrase.start < self.segment.start and one.about is not About.OTHER for one in self.cut.heard
        )

    def _turns_down(self) -> bool:
        """Tell whether a denial follows advice: "but not today", "this does not warrant it"."""
        if self.acts or not (self._advised_before() or self.cut.before) or not _NOT.search(self.text):
            return False
        return not any(remark(name).search(self.text) for name in ("bounds", "benign_denials", "other"))

    def _doses(self) -> bool:
        """Tell whether an amount is named where nothing before it lowers or gives one: "5 mg tonight"."""
        lowered = {Act.REDUCE, Act.REPLACE, Act.GIVE}
        if self.acts or lowered.intersection(self.cut.acts) or not (self._advised_before() or self.cut.acts):
            return False
        if self.segment.opener == "(" or pattern("at_lower_dose").search(self.text):
            return False
        if Act.HOLD in self.cut.acts and remark("belongs").search(self.text):
            return False
        return remark("amounts").search(self.text) is not None and not self._names_analyte()

    def _offers_instead(self) -> bool:
        """Tell whether the segment sets something else beside the advice before it: "or recheck it first"."""
        if self.segment.opener not in ("or", "或", "或者") or not self._advised_before():
            return False
        goes_on = remark("goes_on_with").match(self.text.lstrip()) is not None
        return not goes_on or bool(self.cut.strange(self.segment))

    def _strays(self) -> bool:
        """Tell whether the segment has words that are not understood and speaks of nothing clinical.

        A finding or a short list goes on with what its sentence speaks of, unless it points back at the advice.
        """
        if is_clinical(self.text) or self._names_analyte() or not self.cut.strange(self.segment):
            return False
        if remark("answers").fullmatch(self.text.strip(" .!")):
            return False
        goes_on = self._told_before("findings") or (self._is_short() and self._clinical_before())
        return not goes_on or remark("pointers").search(self.text) is not None

    def _clinical_before(self) -> bool:
        """Tell whether what comes before the segment ``is_clinical``."""
        fact = self._told_before("facts") and not self._told_before("downplays")
        return fact or any(self._told_before(name) for name in _CLINICAL)

    def _told_before(self, name: str) -> bool:
        return occurs_before(remark(name), self.cut.sentence.text, self.segment.start)

    def _is_short(self) -> bool:
        return len(re.findall(r"[A-Za-z'-]+|[\u3400-\u9fff]{2}", self.text)) < _SHORT

    def _is_of_drug(self) -> bool:
        """Tell whether the segment says of "it" or "the order" what is not understood."""
        if is_fact(self.text) or remark("answers").fullmatch(self.text.strip(" .!")):
            return False
        if remark("defers").search(self.text):
            return False
        if remark("stand_ins").search(self.text) and about(self._told()) is not About.OTHER:
            return bool(self.cut.strange(self.segment))
        return self._it() is About.TARGET and remark("pronouns").search(self.text) is not None

    def _names_analyte(self) -> bool:
        return any(m.entry is not None for m in self.cut.vocabulary.analyte_mentions(self.text))

    def _told(self) -> Sequence[DrugMention]:
        """Give the drugs told of before the segment."""
        before = [m for m in self.cut.sentence.mentions if m.span.end <= self.segment.start]
        return before or self.cut.sentence.topic

    def _it(self) -> About:
        """Tell what "it" is at the segment: the last drug or analyte before it."""
        sentence = self.cut.sentence
        before = sentence.text[: self.segment.start]
        told = [
            (m.span.end, m.drug == "" and m.sense is Sense.DRUG)
            for m in sentence.mentions
            if m.span.end <= len(before)
        ]
        told += [(m.end, False) for m in self.cut.vocabulary.analyte_mentions(before) if m.entry is not None]
        if not told:
            return sentence.it
        return About.TARGET if max(told)[1] else About.OTHER

    def _made(self, kind: Kind, whose: About, *, sure: bool = False) -> Remark:
        return Remark(kind, whose, self.cut.sentence.text.strip(), sure)


def is_fact(text: str) -> bool:
    """Tell whether a stretch says how a drug acts or that it is ordered, and plays nothing down."""
    return bool(remark("facts").search(text)) and not remark("downplays").search(text)


def is_clinical(text: str) -> bool:
    """Tell whether a stretch speaks of something clinical, or is polite."""
    return is_fact(text) or any(remark(name).search(text) for name in _CLINICAL)

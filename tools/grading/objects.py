"""Which drug an act of a sentence is about: its object, its subject, or the drug told of before."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from tools.grading.advice_words import Act, Phrase, Voice, pattern, remark, words
from tools.grading.drug_mentions import About, DrugMention, Drugs, Sense, about, about_each
from tools.grading.names import Span
from tools.grading.stand_ins import heads, may_stand, may_stand_zh, no_subject

_DOSE = r"(?:\s*\(?[\d.,]+\s*[A-Za-z%]+\)?)?(?:\s*(?:po|iv|sc|daily|bid|tid|qid|qhs|once daily)\b)*\s*"
_LIST_ON = re.compile(
    _DOSE + r"(?:,|and|&|or|/|\+|as well as|和|及|与|、|或)(?:\s*(?:and|or))?\s*(?:the\s+|all\s+)?",
    re.IGNORECASE,
)
_OR = re.compile(_DOSE + r",?\s*\b(?:or|either)\s*(?:the\s+)?|或|/", re.IGNORECASE)
_NEAR = re.compile(r"\s*:?\s*(?:使用|口服|静脉|该药|药物|的|患者|目前|现用|当前|所有|全部)*\s*")
_ADJACENT = re.compile(
    r"\s*(?:the|a|an|some|oral|iv|his|her|this|more|of|tonight's|today's|further|[\d.]+|mEq|mg|\s)*\s*",
    re.IGNORECASE,
)
_EXCEPT = 40
"""Characters before a drug in which "except for the" may stand."""
_TURN = re.compile(r"[,;:()]|\bbut\b|\bwhile\b|\band\b|但|而")


@dataclass(frozen=True)
class Place:
    """A phrase in its sentence: how far left and right its drug may stand, and the drugs told of before."""

    text: str
    phrase: Phrase
    low: int
    high: int
    mentions: Sequence[DrugMention]
    before: Sequence[DrugMention]

    def drug(self, drugs: Drugs) -> About:
        """Tell which drug the phrase is about."""
        over = [m for m in self.mentions if m.span.overlaps(Span(self.phrase.start, self.phrase.end))]
        if over:
            return _of_object(over)
        if self.phrase.voice is Voice.PASSIVE:
            return self._of_passive(drugs)
        if self._holds_another(drugs):
            return About.OTHER
        if self.phrase.act is not Act.REPLACE and heads(self.text, self.phrase.end, drugs, self.mentions):
            return About.TARGET
        if self._all_but():
            return About.OTHER
        if not self._following() and not self._object_may_be_drug():
            return self._of_unknown(self._clause(), drugs)
        if self._of_others():
            return About.OTHER
        if re.match(r"\s*(?:it|them)\b", self.text[self.phrase.end : self.high], re.IGNORECASE):
            return self._carried()
        looks = (self._adjacent, self._subject) if self.phrase.voice is Voice.CHINESE else ()
        for found in (look() for look in (*looks, self._following)):
            if found:
                return _of_object(found)
        if self.phrase.voice is Voice.ACTIVE and (found := self._preceding()):
            return _of_object(found)
        return self._carried()

    def _holds_another(self, drugs: Drugs) -> bool:
        """Tell whether a Chinese verb names in itself what it is about, another thing: 补镁 of a potassium chloride."""
        said = drugs.vocabulary.analyte(self.text[self.phrase.end - 1 : self.phrase.end])
        own = (drugs.vocabulary.analyte(name) for name in drugs.names)
        return self.phrase.voice is Voice.CHINESE and said is not None and said not in own

    def either(self) -> bool:
        """Tell whether the drug is one of two joined by "or"."""
        found = self._following() if self.phrase.voice is not Voice.PASSIVE else self._subject()
        return any(
            (left.drug == "") != (right.drug == "")
            and _OR.fullmatch(self.text[left.span.end : right.span.start]) is not None
            for left, right in pairwise(found)
        )

    def _object_may_be_drug(self) -> bool:
        clause = self._clause().strip(" :")
        if self.phrase.voice is Voice.CHINESE:
            return may_stand_zh(self.text[self.phrase.start : self.phrase.end], clause)
        return may_stand(clause)

    def _of_passive(self, drugs: Drugs) -> About:
        if self._of_others():
            return About.OTHER
        if found := self._subject():
            return _of_object(found)
        clause = _TURN.split(self.text[self.low : self.phrase.start])[-1]
        if not no_subject(clause):
            return self._of_unknown(clause, drugs)
        if found := [m for m in self._following() if self._joins(m)]:
            return _of_object(found)
        return self._carried()

    def _of_unknown(self, clause: str, drugs: Drugs) -> About:
        """Tell whether words that name no drug name something else, or may well be a way to name it."""
        known = pattern("other_objects").search(clause) or remark("topics").search(clause)
        named = any(m.drug != "" for m in self.mentions if m.span.start < self.high and m.span.end > self.low)
        analyte = any(m.entry is not None for m in drugs.vocabulary.analyte_mentions(clause))
        return About.OTHER if known or named or analyte else About.UNCLEAR

    def _joins(self, mention: DrugMention) -> bool:
        return (
            re.fullmatch(r"\s*:?\s*(?:the\s+)?", self.text[self.phrase.end : mention.span.start]) is not None
        )

    def _all_but(self) -> bool:
        """Tell whether the clause names drugs only to leave them out: "all but spironolactone"."""
        low, high = self.phrase.end, self.phrase.end + len(self._clause())
        inside = any(low <= m.span.start and m.span.end <= high for m in self.mentions)
        return inside and not self._kept(low, high)

    def _carried(self) -> About:
        plural = re.match(r"\s*(\w+)", self.text[self.phrase.end :])
        if plural and plural.group(1).lower() in words("plural"):
            return about_each(self.before)
        return about(self.before)

    def _clause(self) -> str:
        """Give what follows the phrase, up to the end of its clause or the next phrase."""
        after = self.text[self.phrase.end : self.high]
        end = pattern("clause_end").search(after, re.match(r"\s*:?", after).end())  # type: ignore[union-attr]
        return after[: end.start()] if end else after

    def _of_others(self) -> bool:
        """Tell whether the clause is about "the other medications" and names none."""
        before = self.text[self.low : self.phrase.start]
        low = self.phrase.start - len(_TURN.split(before)[-1])
        high = self.phrase.end + len(self._clause())
        return bool(pattern("other_drugs").search(self.text[low:high])) and not self._kept(low, high)

    def _following(self) -> list[DrugMention]:
        """Give the drugs of the clause after the phrase, and those a list goes on with."""
        end = self.phrase.end + len(self._clause())
        found = self._kept(self.phrase.end, end)
        if len(found) > 1 and found[0].drug != "":
            found = [m for m in found if m.drug != "" or not self._beside(m)]
        for mention in self._kept(end, self.high):
            if not found or not _LIST_ON.fullmatch(self.text[found[-1].span.end : mention.span.start]):
                break
            found.append(mention)
        return found

    def _beside(self, mention: DrugMention) -> bool:
        """Tell whether a drug stands beside the object only: "hold lisinopril with spironolactone on board"."""
        return (
            re.search(r"\bwith\s+(?:the\s+)?$", self.text[self.phrase.end : mention.span.start]) is not None
        )

    def _adjacent(self) -> list[DrugMention]:
        found: list[DrugMention] = []
        at = self.phrase.end
        for mention in self._following():
            gap = self.text[at : mention.span.start]
            if not (_NEAR.fullmatch(gap) or (found and _LIST_ON.fullmatch(gap))):
                break
            found.append(mention)
            at = mention.span.end
        return found

    def _preceding(self) -> list[DrugMention]:
        """Give the drugs of the nearest clause before the phrase that names any."""
        found = [m for m in self._kept(self.low, self.phrase.start) if m.sense is not Sense.LEVEL]
        if not found:
            return []
        kept = [found[-1]]
        for mention in reversed(found[:-1]):
            gap = self.text[mention.span.end : kept[-1].span.start]
            if _TURN.search(gap) and not _LIST_ON.fullmatch(gap):
                break
            kept.append(mention)
        return kept

    def _subject(self) -> list[DrugMention]:
        """Give the drugs before the phrase, unless another subject stands between."""
        found = self._preceding()
        if not found:
            return []
        between = self.text[found[0].span.end : self.phrase.start]
        last = re.split(r"[,;:]|\band\b|\bbut\b|但|而|且|并", re.sub(r"\([^()]*\)", " ", between))
        return found if len(last) == 1 or no_subject(last[-1]) else []

    def _kept(self, low: int, high: int) -> list[DrugMention]:
        return [
            mention
            for mention in self.mentions
            if low <= mention.span.start
            and mention.span.end <= high
            and not pattern("except_drug", after=r"\s*(?:the\s+)?$").search(
                self.text[max(low, mention.span.start - _EXCEPT) : mention.span.start]
            )
        ]


def adjacent(text: str, phrase: Phrase, mentions: Sequence[DrugMention]) -> bool:
    """Tell whether a drug follows a phrase at once."""
    following = [m for m in mentions if m.span.start >= phrase.end]
    return bool(following) and _ADJACENT.fullmatch(text[phrase.end : following[0].span.start]) is not None


def _of_object(mentions: Sequence[DrugMention]) -> About:
    """Tell which drug is acted on: a level is none, and an analyte beside another drug is what that is given for."""
    drugs = [m for m in mentions if m.sense is not Sense.LEVEL]
    if not drugs:
        return About.OTHER
    if any(m.drug == "" and m.sense is Sense.DRUG for m in drugs) or mentions[0].drug == "":
        return about_each(drugs)
    named = any(m.sense is Sense.ANALYTE for m in drugs)
    return About.OTHER if named else about_each(drugs)

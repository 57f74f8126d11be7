"""Which drug a piece of advice is about."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from tools.grading.advice_words import Act, Phrase, Voice, pattern, words
from tools.grading.names import Span, spans
from tools.vocabulary import Vocabulary

_LIST_ON = re.compile(r"\s*(?:,|and|or|/|\+|as well as|和|及|与|、|或)\s*(?:the\s+)?", re.IGNORECASE)
_NEAR = re.compile(r"\s*(?:使用|口服|静脉|该药|药物|的|患者|目前|现用|当前)*\s*")
_TURN = re.compile(r"[,;:()]|\bbut\b|\bwhile\b|\band\b|但|而")


class About(StrEnum):
    """Which drug advice is about."""

    TARGET = "target"
    OTHER = "other"
    UNCLEAR = "unclear"
    UNNAMED = "unnamed"


@dataclass(frozen=True)
class DrugMention:
    """A drug named at a place of a sentence; ``drug`` is its ingredient, or "" for the one asked about."""

    span: Span
    drug: str


@dataclass(frozen=True)
class Drugs:
    """The drug asked about, and all drugs of the vocabulary. ``heads``: analytes that stand for it after a verb."""

    names: tuple[str, ...]
    ids: frozenset[str]
    heads: tuple[str, ...]
    vocabulary: Vocabulary

    @classmethod
    def of(cls, names: tuple[str, ...], vocabulary: Vocabulary) -> "Drugs":
        """Find the drug that goes by ``names``; "hold potassium" is said of potassium chloride."""
        known = [vocabulary.ingredient(name) for name in names]
        heads = dict.fromkeys(name.split()[0] for name in names if len(name.split()) > 1)
        return cls(
            names=names,
            ids=frozenset(drug.id for drug in known if drug),
            heads=tuple(head for head in heads if vocabulary.analyte(head)),
            vocabulary=vocabulary,
        )

    def named_in(self, text: str) -> list[DrugMention]:
        """Place every drug a sentence names, in order."""
        placed = self.vocabulary.ingredient_mentions(text)
        found = [
            DrugMention(Span(m.start, m.end), "" if m.entry in self.ids else m.entry)
            for m in placed
            if m.entry is not None
        ]
        closed = [Span(m.start, m.end) for m in placed]
        found += [
            DrugMention(span, "")
            for span in spans(self.names, text)
            if not any(span.overlaps(c) for c in closed)
        ]
        return sorted(found, key=lambda mention: mention.span.start)


def about(mentions: Sequence[DrugMention]) -> About:
    """Tell which drug mentions point at; two drugs at once leave it unclear."""
    drugs = {mention.drug for mention in mentions}
    if not drugs:
        return About.UNNAMED
    if "" not in drugs:
        return About.OTHER
    return About.TARGET if len(drugs) == 1 else About.UNCLEAR


@dataclass(frozen=True)
class Place:
    """A phrase in its sentence: where the phrases beside it end and begin, and which drugs came before the sentence."""

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
            return _of_list(over)
        order = {
            Voice.ACTIVE: (self._following, self._preceding),
            Voice.PASSIVE: (self._preceding, self._following),
            Voice.CHINESE: (self._adjacent, self._preceding, self._following),
        }[self.phrase.voice]
        if self.phrase.voice is not Voice.PASSIVE:
            if self._head(drugs):
                return About.TARGET
            if not self._following() and not self._object_may_be_drug():
                return About.OTHER
        if self._of_others():
            return About.OTHER
        for look in order:
            if found := look():
                return _of_list(found)
        return self._carried()

    def _carried(self) -> About:
        plural = re.match(r"\s*(\w+)", self.text[self.phrase.end :])
        if plural and plural.group(1).lower() in words("plural"):
            return _of_list(self.before)
        return about(self.before)

    def _clause(self) -> str:
        """Give what follows the phrase, up to the end of its clause or the next phrase."""
        after = self.text[self.phrase.end : self.high]
        end = pattern("clause_end").search(after)
        return after[: end.start()] if end else after

    def _of_others(self) -> bool:
        """Tell whether the clause is about "the other medications" and names none."""
        before = self.text[self.low : self.phrase.start]
        low = self.phrase.start - len(_TURN.split(before)[-1])
        high = self.phrase.end + len(self._clause())
        return bool(pattern("other_drugs").search(self.text[low:high])) and not self._kept(low, high)

    def _following(self) -> list[DrugMention]:
        return self._kept(self.phrase.end, self.phrase.end + len(self._clause()))

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
        found = self._kept(self.low, self.phrase.start)
        if not found:
            return []
        kept = [found[-1]]
        for mention in reversed(found[:-1]):
            gap = self.text[mention.span.end : kept[-1].span.start]
            if _TURN.search(gap) and not _LIST_ON.fullmatch(gap):
                break
            kept.append(mention)
        return kept

    def _kept(self, low: int, high: int) -> list[DrugMention]:
        return [
            mention
            for mention in self.mentions
            if low <= mention.span.start
            and mention.span.end <= high
            and not pattern("except_drug", after=r"\s*(?:the\s+)?$").search(
                self.text[low : mention.span.start]
            )
        ]

    def _head(self, drugs: Drugs) -> bool:
        if self.phrase.act not in (Act.HOLD, Act.CONTINUE, Act.GIVE):
            return False
        after = self.text[self.phrase.end :]
        return any(
            re.match(
                rf"\s*(?:the |his |her |all |any |further |oral |IV )*{re.escape(head)}(?![A-Za-z0-9])",
                after,
                re.IGNORECASE,
            )
            for head in drugs.heads
        )

    def _object_may_be_drug(self) -> bool:
        """Tell whether what follows an active verb may stand for a drug: "it", "the dose", nothing at all."""
        clause = self._clause().strip()
        if self.phrase.voice is Voice.CHINESE:
            return self.text[self.phrase.start : self.phrase.end] != "继续" or not re.match(r"\w", clause)
        if not re.search(r"\w", clause):
            return True
        if pattern("other_objects", before=r"\s*(?:the\s+)?").match(clause):
            return False
        if self.phrase.act.value not in words("strict"):
            return True
        first = re.match(r"\W*([\w']+)", clause)
        word = first.group(1).lower() if first else ""
        nouns = pattern("stands_for_drug", "nouns")
        if word in words("stands_for_drug", "determiners"):
            return bool(nouns.search(clause))
        stands = word in words("stands_for_drug", "words") or word in words("stands_for_drug", "follow")
        return stands or word[:1].isdigit() or bool(nouns.fullmatch(word))


def _of_list(mentions: Sequence[DrugMention]) -> About:
    """Advice on several drugs named together is about each of them."""
    drugs = {mention.drug for mention in mentions}
    if "" in drugs:
        return About.TARGET
    return About.OTHER if drugs else About.UNNAMED

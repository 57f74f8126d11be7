"""A sentence with its acts, cut into segments, and the words of each that are not understood."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from tools.grading.acts import Heard
from tools.grading.advice_words import Act, words
from tools.grading.drug_mentions import About
from tools.grading.names import Span
from tools.grading.segments import Segment, segments, strange_words
from tools.grading.sentence import Sentence
from tools.vocabulary import Vocabulary


@dataclass(frozen=True)
class Cut:
    """A sentence cut into segments.

    ``before``: the acts on the drug in the sentences before it. ``classes``, ``names``: those of the drug.
    """

    sentence: Sentence
    heard: Sequence[Heard]
    vocabulary: Vocabulary
    before: frozenset[Act] = frozenset()
    classes: frozenset[str] = frozenset()
    names: Sequence[str] = ()

    @cached_property
    def acts(self) -> frozenset[Act]:
        """Give the acts on the drug, of this sentence and those before it."""
        return self.before | {one.phrase.act for one in self.heard if one.about is not About.OTHER}

    @cached_property
    def apart(self) -> frozenset[str]:
        """Give the classes of the drug of which one drug cannot be given in the place of another that is held."""
        return self.classes.difference(words("interchangeable", of="remarks"))

    @cached_property
    def segments(self) -> list[Segment]:
        """Give the segments in order; no act and no drug is cut."""
        return segments(self.sentence.text, self._closed)

    def strange(self, segment: Segment, *known: Span) -> list[str]:
        """Give the words of a segment that are not understood; ``known`` are further places that are."""
        return self._words(segment, known) if known else self._strange[segment]

    @cached_property
    def _closed(self) -> list[Span]:
        return [one.span for one in self.heard] + [mention.span for mention in self.sentence.mentions]

    @cached_property
    def _strange(self) -> dict[Segment, list[str]]:
        return {segment: self._words(segment) for segment in self.segments}

    def _words(self, segment: Segment, known: Sequence[Span] = ()) -> list[str]:
        closed = [*self._closed, *known]
        return strange_words(self.sentence.text, segment.start, segment.end, closed, self.vocabulary)

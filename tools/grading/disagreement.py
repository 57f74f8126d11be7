"""How an answer opens to a question that tells a view: "I disagree." advises nothing of its own, "I agree." does."""

import re

from tools.grading.advice_words import pattern
from tools.grading.evidence import TurnEvidence
from tools.grading.text import plain, sentences, speech

_LABEL = r"\W*(?:(?:意见|看法|判断|结论|assessment|opinion|view)\s?[:-]\s?)?"
_ENDS = r"\s*(?:[.!;:,。-]+|$)\s*"
_REPORTED = re.compile(
    r"\b(?:colleague|team|resident) (?:just )?(?:says|said|thinks|tells me|told me)(?: that)? (?P<view>[^\".?!]+)",
    re.IGNORECASE,
)


def views_told(question: str) -> list[str]:
    """Give the views of others that a question tells: in quotation marks, or as English reports them."""
    text = plain(question)
    return speech(text) or [f"{found['view']}." for found in _REPORTED.finditer(text)]


def without_disagreement(evidence: TurnEvidence) -> TurnEvidence | None:
    """Leave out the words that only turn the view down; None where an answer does not open with such, or ends there."""
    told = _told(evidence)
    opens = pattern("disagrees", before=_LABEL, after=_ENDS, of="company").match(told[0]) if told else None
    rest = " ".join([told[0][opens.end() :], *told[1:]]) if opens else ""
    return evidence.replace(answer=rest) if rest.strip() else None


def agreed_with(evidence: TurnEvidence) -> TurnEvidence | None:
    """Give the view as an answer of its own; None where an answer does not open by taking it up."""
    told = _told(evidence)
    if not (told and pattern("agrees", before=r"\W*", after=_ENDS, of="company").match(told[0])):
        return None
    return evidence.replace(answer=" ".join(views_told(evidence.question)), question="")


def _told(evidence: TurnEvidence) -> list[str]:
    tells = bool(views_told(evidence.question))
    return [sentence.text for sentence in sentences(evidence.said)] if tells else []

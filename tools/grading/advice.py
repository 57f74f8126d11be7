"""What an answer advises about one drug, sentence by sentence, and how sure that is."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from state.gold import Decision
from tools.grading.acts import Heard, Sentence, hear, lowers
from tools.grading.advice_words import Act, Voice, decision_of, find_phrases, pattern, remark
from tools.grading.drug_mentions import About, DrugMention, Drugs, Sense, about
from tools.grading.mood import Mood, recovers
from tools.grading.names import Span
from tools.grading.remarks import Remark, remarks_on, remarks_on_question
from tools.grading.segments import Segment, Turn, segments, strange_words
from tools.grading.text import plain, points, without_records, without_speech
from tools.vocabulary import Vocabulary

_HEADING_WORDS = 6
"""A line of more words that ends in a colon is a sentence, not a heading."""
_PARTLY = 8
"""Characters before an act in which Chinese says "abruptly"."""
_LOWERING = (Act.HOLD, Act.REDUCE, Act.REPLACE)


class Force(StrEnum):
    """How an act is advised.

    ``FIRM``: plainly. ``UNSURE``: with words around it that are not understood, or not as the answer's own advice.
    ``IMPLIED``: by denying another act. ``OPEN``: as one of several choices. ``DOUBTED``: hedged, or on a condition.
    """

    FIRM = "firm"
    UNSURE = "unsure"
    IMPLIED = "implied"
    OPEN = "open"
    DOUBTED = "doubted"


@dataclass(frozen=True)
class Advice:
    """A decision advised. ``decision`` None: the dose is to be raised. ``denies``: the act whose denial implies it."""

    decision: Decision | None
    about: About
    text: str
    force: Force = Force.FIRM
    denies: Act | None = None


@dataclass(frozen=True)
class Reading:
    """All that an answer advises, and all its remarks that could undo that."""

    advice: tuple[Advice, ...]
    remarks: tuple[Remark, ...]


def read(said: str, drugs: Drugs, *, replacing: bool, earlier: Sequence[str] = ()) -> Reading:
    """Read an answer; ``earlier`` answers only tell which drug "it" is at the start."""
    advised: list[Advice] = []
    remarked: list[Remark] = []
    for sentence in _prepared(said, drugs, earlier):
        if sentence.asks:
            remarked += remarks_on_question(sentence)
            continue
        heard = hear(sentence, drugs, replacing=replacing)
        cut = segments(sentence.text, [one.span for one in heard] + [m.span for m in sentence.mentions])
        found = (_advice(sentence, one, heard, cut, drugs.vocabulary, replacing=replacing) for one in heard)
        advised += [one for one in found if one is not None]
        remarked += remarks_on(sentence, heard, cut, drugs.vocabulary)
    return Reading(tuple(advised), tuple(remarked))


def _prepared(said: str, drugs: Drugs, earlier: Sequence[str]) -> list[Sentence]:
    """Find the drugs of each sentence, and what "it" would be in it."""
    spoken = _under_headings(said, drugs)
    texts = [without_speech(one) for one in spoken]
    named = {mention.drug for text in texts for mention in drugs.named_in(text)}
    meant = [drugs.meant_in(text, named) for text in texts]
    topic: Sequence[DrugMention] = _last_named(earlier, drugs) or next(filter(None, meant), [])
    it = about(topic)
    prepared = []
    for said_so, text, mentions in zip(spoken, texts, meant, strict=True):
        prepared.append(Sentence(said_so, _without_decoys(text, mentions), mentions, topic, it))
        topic = mentions or topic
        it = _last_told(text, mentions, drugs) or it
    return prepared


def _under_headings(said: str, drugs: Drugs) -> list[str]:
    """Split an answer into sentences; a heading is joined with its line, and with further lines that only name drugs."""
    found: list[str] = []
    listing = False
    for text in (one.text for one in points(without_records(said))):
        heads = bool(found) and found[-1].rstrip().endswith(":") and len(found[-1].split()) <= _HEADING_WORDS
        listing = heads or (listing and _only_names(text, drugs))
        if listing:
            found[-1] = found[-1].rstrip() + (" " if heads else ", ") + text
        else:
            found.append(text)
    return found


def _only_names(text: str, drugs: Drugs) -> bool:
    named = [mention.span for mention in drugs.named_in(text)]
    return bool(named) and not find_phrases(text) and not strange_words(text, 0, len(text), named, drugs.vocabulary)


def _advice(
    sentence: Sentence,
    one: Heard,
    heard: Sequence[Heard],
    cut: Sequence[Segment],
    vocabulary: Vocabulary,
    *,
    replacing: bool,
) -> Advice | None:
    act, text = one.phrase.act, sentence.text
    here = Advice(decision_of(act, replacing=replacing), one.about, text.strip())
    if one.choice:
        return replace(here, force=Force.OPEN)
    match one.mood:
        case Mood.QUOTED:
            return replace(here, force=Force.UNSURE)
        case Mood.DOUBTED:
            return replace(here, force=Force.DOUBTED)
        case Mood.CONDITIONAL:
            return None if recovers(text) else replace(here, force=Force.DOUBTED)
        case Mood.ADVISED | Mood.NEGATED:
            pass
        case _:
            return None
    sure = _plainly(sentence, one, heard, cut, vocabulary)
    here = replace(here, force=Force.FIRM if sure else Force.UNSURE)
    if one.mood is Mood.NEGATED:
        return _denied(here, one, text, replacing=replacing)
    if here.decision is Decision.CONTINUE and lowers(text, one, heard, sentence.mentions):
        return replace(here, decision=Decision.REDUCE)
    return here


def _denied(here: Advice, one: Heard, text: str, *, replacing: bool) -> Advice | None:
    """Give what the denial of an act advises."""
    rest = re.split(r"[,;:]", text[one.phrase.end :])[0]
    whole = text[one.phrase.start : one.phrase.end] + rest
    match one.phrase.act:
        case Act.CONTINUE | Act.GIVE:
            at_present_dose = pattern("negation", "at_present_dose").search(whole)
            return None if at_present_dose else replace(here, decision=Decision.HOLD)
        case Act.HOLD:
            if pattern("partly").search(text[max(one.phrase.start - _PARTLY, 0) : one.phrase.start] + whole):
                return None
            return replace(here, decision=Decision.CONTINUE, force=Force.IMPLIED, denies=Act.HOLD)
        case Act.REDUCE:
            return replace(here, decision=Decision.CONTINUE, force=Force.IMPLIED, denies=Act.REDUCE)
        case Act.REPLACE:
            return replace(here, decision=Decision.HOLD) if replacing else None
        case _:
            return None


def _plainly(
    sentence: Sentence, one: Heard, heard: Sequence[Heard], cut: Sequence[Segment], vocabulary: Vocabulary
) -> bool:
    """Tell whether every word beside an act is understood, and what it lasts until is a result to come."""
    at = next((i for i, segment in enumerate(cut) if segment.holds(one.phrase.start)), None)
    if at is None:
        return False
    segment, text = cut[at], sentence.text
    closed = [other.span for other in heard] + [mention.span for mention in sentence.mentions]
    if strange_words(text, segment.start, segment.end, closed, vocabulary):
        return False
    if pattern("deferred").search(text[segment.start : segment.end]):
        return False
    if one.phrase.act in (Act.REPLACE, Act.GIVE) and _with_another(text, one, sentence.mentions):
        return False
    before, after = text[segment.start : one.phrase.start], text[one.phrase.end : segment.end]
    if one.phrase.act in _LOWERING and pattern("unsure", "before").search(before):
        return False
    if one.phrase.voice is Voice.PASSIVE and pattern("unsure", "passive", after=r"\s*$").search(before):
        return False
    if pattern("unsure", "act").fullmatch(text[one.phrase.start : one.phrase.end] + after.rstrip(" .!")):
        return False
    if pattern("unsure", "after").search(after) or _headed_off(text, segment, cut[:at]):
        return False
    following = cut[at + 1] if at + 1 < len(cut) else None
    if following is None:
        return True
    if following.opener in ("after", "before", "unless", "除非"):
        return False
    if following.turn is not Turn.UNTIL:
        return True
    lasts = text[following.start : following.end]
    return bool(remark("until_result").search(lasts)) and not remark("until_soon").search(lasts)


def _headed_off(text: str, segment: Segment, before: Sequence[Segment]) -> bool:
    """Tell whether a heading sets the advice aside: "not recommended: hold it"."""
    if segment.opener != ":" or not before:
        return False
    heading = text[before[-1].start : before[-1].end]
    return bool(pattern("unsure", "heading").search(heading)) and not remark("opposes").search(heading)


def _with_another(text: str, one: Heard, mentions: Sequence[DrugMention]) -> bool:
    """Tell whether the drug is to be replaced with another one."""
    return any(
        mention.drug != ""
        and mention.span.start >= one.phrase.end
        and re.search(r"\b(?:with|by)\b(?:(?! and )[^,;:])*$", text[one.phrase.end : mention.span.start])
        and not any(m.drug == "" and one.phrase.end <= m.span.start < mention.span.start and m.sense is Sense.DRUG for m in mentions[1:])
        for mention in mentions
    )


def _without_decoys(text: str, mentions: Sequence[DrugMention]) -> str:
    """Blank what only looks like advice, but nothing that would cut a drug's name."""
    named = [mention.span for mention in mentions if mention.sense is Sense.DRUG]

    def blank(match: re.Match[str]) -> str:
        cut = any(span.start < match.end() and match.start() < span.end for span in named)
        return match.group() if cut else " " * len(match.group())

    return pattern("decoys").sub(blank, text)


def _last_named(earlier: Sequence[str], drugs: Drugs) -> list[DrugMention]:
    for answer in reversed(earlier):
        if named := drugs.named_in(plain(answer)):
            return named
    return []


def _last_told(text: str, mentions: Sequence[DrugMention], drugs: Drugs) -> About | None:
    """Tell what "it" is after a sentence: its last drug, or an analyte, which is not the drug."""
    told = [(m.span.end, about([m]) if m.sense is not Sense.LEVEL else About.OTHER) for m in mentions]
    told += [(m.end, About.OTHER) for m in drugs.vocabulary.analyte_mentions(text) if m.entry is not None]
    return max(told)[1] if told else None

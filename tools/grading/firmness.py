"""How firm an act is: whether every word beside it is understood, and none of them puts it off or sets it aside."""

import re
from collections.abc import Sequence

from tools.grading.acts import Heard
from tools.grading.advice_words import Act, Voice, pattern, remark, words
from tools.grading.cut import Cut
from tools.grading.doses import keeps_dose
from tools.grading.mood import Mood
from tools.grading.names import Span
from tools.grading.prefixes import occurs_before
from tools.grading.segments import Segment, Turn

_REACH = 80
"""Characters around an act in which it can be put off."""
_MEANS = re.compile(r"\s*:\s*|[^,;:]{0,20}\b(?:in order )?to\s*|\s*(?:来|以|去)?\s*", re.IGNORECASE)
"""Between another drug and what it is given for."""
_LOWERING = (Act.HOLD, Act.REDUCE, Act.REPLACE)


def is_firm(one: Heard, cut: Cut) -> bool:
    """Tell whether an act is advised plainly and for now."""
    at = next((i for i, segment in enumerate(cut.segments) if segment.holds(one.phrase.start)), None)
    if at is None:
        return False
    segment, text = cut.segments[at], cut.sentence.text
    before, after = text[segment.start : one.phrase.start], text[one.phrase.end : segment.end]
    if cut.strange(segment, *_understood(one, segment, text)) or (
        one.mood is Mood.ADVISED and _denied(text[segment.start : segment.end], len(before))
    ):
        return False
    if _set_aside(one, before, text[one.phrase.start : one.phrase.end], after):
        return False
    if one.phrase.act is Act.REDUCE and keeps_dose(text, cut.vocabulary):
        return False
    if _headed_off(text, segment, cut.segments[:at]) or _with_another(one, cut):
        return False
    rest = [after for after in cut.segments[at + 1 :] if after.turn is not Turn.MARK or _said(text, after)]
    return not rest or _lasts(one, text, rest[0])


def _said(text: str, segment: Segment) -> str:
    return text[segment.start : segment.end].strip()


def _understood(one: Heard, segment: Segment, text: str) -> list[Span]:
    """Give what beside going on means the same."""
    if one.phrase.act not in (Act.CONTINUE, Act.GIVE):
        return []
    found = remark("going_on").finditer(text, segment.start, segment.end)
    return [Span(match.start(), match.end()) for match in found]


def _set_aside(one: Heard, before: str, said: str, after: str) -> bool:
    if pattern("deferred").search(before[-_REACH:] + said + after[:_REACH]):
        return True
    if one.phrase.act in _LOWERING and pattern("unsure", "before").search(before[-_REACH:]):
        return True
    state = one.phrase.voice is Voice.PASSIVE and said.lower() not in words("unsure", "reasons")
    if state and pattern("unsure", "passive", after=r"\s*$").search(before[-_REACH:]):
        return True
    if pattern("unsure", "act").fullmatch(said + after.rstrip(" .!")):
        return True
    kept = one.phrase.act is Act.HOLD and pattern("unsure", "hold").search(after)
    return bool(kept or pattern("unsure", "after").search(remark("bounds").sub(" ", after[:_REACH])))


def _denied(segment: str, act: int) -> bool:
    """Tell whether a denial before an act may reach it by a way that is not understood."""
    return occurs_before(pattern("negation", "before"), segment, act)


def _lasts(one: Heard, text: str, following: Segment) -> bool:
    """Tell whether what follows an act lets it stand: it lasts until a result, not until the next hour."""
    opener = following.opener
    if opener in words("deferring", of="remarks") or (opener == "before" and one.phrase.act is Act.HOLD):
        return False
    if following.turn is not Turn.UNTIL:
        return True
    until = (
        text[following.start :]
        if text[following.end :].startswith("(")
        else text[following.start : following.end]
    )
    return bool(remark("until_result").search(until)) and not remark("until_soon").search(until)


def _headed_off(text: str, segment: Segment, before: Sequence[Segment]) -> bool:
    """Tell whether a heading sets the advice aside: "not recommended: hold it"."""
    if segment.opener != ":" or not before:
        return False
    heading = text[before[-1].start : before[-1].end]
    refuses = pattern("unsure", "heading").search(pattern("unsure", "warning").sub(" ", heading))
    return refuses is not None


def _with_another(one: Heard, cut: Cut) -> bool:
    """Tell whether another drug is to replace the drug, or to make up for what is lacking."""
    if one.phrase.act not in (Act.REPLACE, Act.GIVE):
        return False
    text, end = cut.sentence.text, one.phrase.end
    before = [m for m in cut.sentence.mentions if m.span.end <= one.phrase.start]
    if before and before[-1].drug != "" and _MEANS.fullmatch(text[before[-1].span.end : one.phrase.start]):
        return True
    for mention in cut.sentence.mentions:
        between = text[end : mention.span.start] if mention.drug != "" and mention.span.start >= end else ""
        given = re.search(r"\b(?:with|by)\b(?:(?! and | while )[^,;:])*$", between, re.IGNORECASE)
        if given and not any(
            m.drug == "" and end + given.start() <= m.span.start < mention.span.start
            for m in cut.sentence.mentions
        ):
            return True
    return False

"""How the acts of a sentence share out its drugs."""

import re
from collections.abc import Sequence
from itertools import pairwise

from tools.grading.advice_words import Phrase, Voice
from tools.grading.drug_mentions import DrugMention


def cuts(text: str, phrases: Sequence[Phrase], mentions: Sequence[DrugMention]) -> list[tuple[int, int]]:
    """Give for each phrase how far its drugs may stand: between two phrases the drugs are shared out."""
    if not phrases:
        return []
    lows, highs = [0], []
    for left, right in pairwise(phrases):
        cut = _between(text, left, right, mentions)
        highs.append(right.start if cut is None else cut)
        lows.append(left.end if cut is None else cut)
    return list(zip(lows, [*highs, len(text)], strict=True))


def _between(text: str, left: Phrase, right: Phrase, mentions: Sequence[DrugMention]) -> int | None:
    """Find where "hold A, and B should be continued" turns from the object of one to the subject of the other."""
    inside = [m for m in mentions if left.end <= m.span.start and m.span.end <= right.start]
    if left.voice is Voice.PASSIVE or right.voice is Voice.ACTIVE or right.voice is Voice.ADJACENT:
        return None
    if len(inside) < 2 or re.search(r"[,;:()]", text[inside[-1].span.end : right.start]):
        return None
    gaps = [
        (mention.span.end, text[mention.span.end : after.span.start]) for mention, after in pairwise(inside)
    ]
    with_comma = [at for at, gap in gaps if re.search(r"[,;]", gap)]
    return with_comma[0] if with_comma else gaps[0][0]

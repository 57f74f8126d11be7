"""How an account stands to the symptoms it names: chunk by chunk, and only as far as its words are understood."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from state.base import Language
from state.patient_values import Side
from tools.interview.reading import MASK, masked, side_of
from tools.interview.words import ASKED_ONLY, account_pattern, account_symptom_lexicon


class Standing(StrEnum):
    """How a statement stands to a symptom that it names.

    ``NAMED``: it only names it, or goes on in words that are not understood. ``UNCLEAR``: it asks, and what follows is
    not understood. ``OPEN``: advice, a condition or a question without an answer, which tell nothing.
    """

    AFFIRMED = "affirmed"
    NAMED = "named"
    DENIED = "denied"
    UNKNOWN = "unknown"
    UNCLEAR = "unclear"
    OPEN = "open"


@dataclass(frozen=True)
class ToldSymptom:
    """A symptom that is told of; no ids where it is one that no patient here has."""

    ids: tuple[str, ...]
    side: Side | None
    standing: Standing


@dataclass
class Chunk:
    """A part of a statement between commas, colons and "and", its symptoms masked.

    ``own``: how its words stand to what it names; ``last``: they follow it. ``elsewhere``: it speaks of a drug.
    ``ends`` a sentence, ``asked`` whether, ``heads`` the lines below it.
    """

    symptoms: list[tuple[tuple[str, ...], Side | None]]
    own: Standing | None
    last: bool
    bare: bool
    elsewhere: bool
    asked: bool
    begins: bool
    ends: bool = False
    heads: bool = False
    standing: Standing | None = field(default=None)


def symptoms_of(text: str, language: Language) -> tuple[str, list[tuple[int, tuple[str, ...], Side | None]]]:
    """Mask the symptoms that a text names, and give where each stands, its ids and its side."""
    found = []
    for mention in list(account_symptom_lexicon().mentions(text)):
        if mention.entry is None:
            continue
        ids = () if mention.entry == ASKED_ONLY else tuple(mention.entry.split("+"))
        found.append((mention.start, ids, side_of(text[mention.start : mention.end], language)))
        text = masked(text, mention.start, mention.end)
    return text, found


def chunks_of(
    text: str,
    found: Sequence[tuple[int, tuple[str, ...], Side | None]],
    language: Language,
    *,
    asked: bool,
    drugs: bool,
) -> list[Chunk]:
    """Cut a statement, drugs and symptoms masked, into chunks."""
    chunks: list[Chunk] = []
    start = 0
    on = False
    asked = asked or text.rstrip().endswith("?")
    for cut in [*account_pattern(language, "chunks").finditer(text), None]:
        end = cut.start() if cut else len(text)
        part = text[start:end]
        if part.strip():
            places = [one[0] - start for one in found if start <= one[0] < end]
            named = [one[1:] for one in found if start <= one[0] < end]
            chunks.append(_chunk(part, named, places, language, asked=asked or on, drugs=drugs))
            on = chunks[-1].asked and cut is not None and cut.group().strip().isalpha()
            chunks[-1].begins = len(chunks) == 1
        start = cut.end() if cut else end
    if chunks:
        chunks[-1].ends = bool(re.search(r"[.!?;。\n]\s*$", text))
        chunks[-1].heads = bool(re.search(r"[^.!?;。\s]\s*\n\s*$", text))
    return chunks


def _chunk(
    text: str,
    named: list[tuple[tuple[str, ...], Side | None]],
    places: list[int],
    language: Language,
    *,
    asked: bool,
    drugs: bool,
) -> Chunk:
    asks = account_pattern(language, "asks")
    asked = asked or bool(asks.search(text))
    read = asks.sub(lambda match: " " * len(match.group()), text)
    own, last = _signal(text, read, places, language)
    if asked and own is Standing.AFFIRMED and places:
        own, last = None, False
    return Chunk(
        symptoms=named,
        own=own,
        last=last,
        bare=not places and own is not None and not account_pattern(language, "leads").search(read),
        elsewhere=drugs and MASK in text and not places,
        asked=asked,
        begins=False,
    )


def _signal(whole: str, text: str, places: Sequence[int], language: Language) -> tuple[Standing | None, bool]:
    """Give how the words of a chunk stand to what it names, and whether they come after it."""
    unknown = account_pattern(language, "unknown").search(whole)
    if unknown:
        return Standing.UNKNOWN, bool(places) and unknown.start() > places[-1]
    if account_pattern(language, "unsaid").search(whole):
        return Standing.OPEN, False
    if not places:
        return _bare(text, language), False
    before, after = text[: places[-1]], text[places[-1] :].lstrip(MASK + " ")
    denied = list(account_pattern(language, "negation").finditer(before))
    if denied and not account_pattern(language, "beyond").search(before, denied[-1].end()):
        return Standing.DENIED, False
    if account_pattern(language, "denied_after").search(after):
        return Standing.DENIED, True
    if account_pattern(language, "modal").search(text):
        return Standing.OPEN, False
    if account_pattern(language, "affirms").search(before):
        return Standing.AFFIRMED, False
    return (
        (Standing.AFFIRMED, True)
        if account_pattern(language, "affirms_after").search(after)
        else (None, False)
    )


def _bare(text: str, language: Language) -> Standing | None:
    if account_pattern(language, "bare_no").search(text):
        return Standing.DENIED
    if account_pattern(language, "bare_yes").search(text):
        return Standing.AFFIRMED
    if account_pattern(language, "leads").search(text):
        return Standing.DENIED
    return Standing.OPEN if account_pattern(language, "modal").search(text) else None


def settle(chunks: Sequence[Chunk]) -> None:
    """Give each chunk that names a symptom its standing: by its own words, else by those it shares with its neighbours.

    "No fever, cough or rash" goes on to what follows in the statement, "fever: denied" and "fever and rash denied" go
    back, and a heading that ends its line ("Denies:") to the lines below it.
    """
    carry: Standing | None = None
    heading: Standing | None = None
    pending: list[Chunk] = []
    for at, chunk in enumerate(chunks):
        if chunk.begins:
            carry = None
        own = chunk.own
        if carry is Standing.OPEN and own is Standing.AFFIRMED:
            own = Standing.OPEN
        if chunk.symptoms:
            _named(chunk, own, carry or heading, pending)
        elif own is not None and own is not Standing.OPEN and chunk.bare and pending and not chunk.elsewhere:
            _back(pending, own)
            own = None
        if own is not None and not chunk.last:
            carry = own if carry in (None, own) or own is not Standing.DENIED else _mixed(chunk, carry)
        if chunk.ends:
            if chunk.heads:
                heading = own if chunk.bare and chunk.begins else None
            if not chunk.asked or at + 1 == len(chunks):
                _leave(pending, chunk)
    if chunks:
        _leave(pending, chunks[-1])


def _named(chunk: Chunk, own: Standing | None, before: Standing | None, pending: list[Chunk]) -> None:
    if own is not None:
        chunk.standing = own
        if chunk.last:
            _back(pending, own)
    elif before is Standing.UNKNOWN or (before is not None and not chunk.asked):
        chunk.standing = before
    else:
        pending.append(chunk)


def _back(pending: list[Chunk], standing: Standing) -> None:
    for one in pending:
        one.standing = standing
    pending.clear()


def _mixed(chunk: Chunk, carry: Standing) -> Standing:
    """After "fever, no chills" it is not told which of the two goes on."""
    return Standing.NAMED if carry is Standing.AFFIRMED and chunk.symptoms else Standing.DENIED


def _leave(pending: list[Chunk], last: Chunk) -> None:
    for one in pending:
        if not one.asked:
            one.standing = Standing.NAMED
        else:
            one.standing = Standing.OPEN if one is last else Standing.UNCLEAR
    pending.clear()

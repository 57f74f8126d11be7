"""What an answer claims an analyte's result to be: each number with the analyte it belongs to and its place in time."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache, lru_cache

from tools.grading.dating import dated_moments
from tools.grading.names import Span, ruled_out
from tools.grading.numbers import Number, numbers, quiet
from tools.grading.pairing import times_of
from tools.grading.phrases import any_pattern, claim_words, load_words
from tools.grading.respective import paired
from tools.grading.restated import without_restated
from tools.grading.text import sentences
from tools.grading.times import Moment
from tools.grading.topics import Named, Topic
from tools.grading.units import is_filtration
from tools.vocabulary import Vocabulary

_LINE_HEADS = re.compile(r"[^\s.。!?,;]\s*$")
_LETTER = re.compile(r"[A-Za-z\u3400-\u9fff]")
_LISTED = re.compile(r"\s*(?:,|and|、|和|,\s*and)\s*", re.IGNORECASE)
_SEVERAL_BEFORE = re.compile(
    r"\b(?:previous|prior|earlier|preceding) (?:two|three|four|\d|results|values|ones|levels|readings)\b"
    r"|\b(?:two|three|four|\d) (?:previous|prior|earlier|preceding)\b|[前此之先][前面]?[两三四几2-9]次",
    re.IGNORECASE,
)
_ORDER = re.compile(
    r"(?P<newest>\b(?:newest|latest|most recent) first\b|\b(?:newest|latest) to oldest\b"
    r"|由近[及到至]远|从近到远|从新到旧|倒序)"
    r"|\b(?:oldest|earliest) first\b|\b(?:oldest|earliest) to (?:newest|latest)\b"
    r"|由远[及到至]近|从远到近|从旧到新|由早到晚|从早到晚",
    re.IGNORECASE,
)
_TODAY = re.compile(r"\btoday(?:'s)?\b|\bthis morning(?:'s)?\b|今[天日晨早晚]", re.IGNORECASE)
_HEADING = 60
"""Characters of a line that heads those after it."""
_OWNED_AFTER = re.compile(
    r"\s*(?:of|for|\(|的|[是为]\s*的)\s*(?:the\s+|serum\s+|blood\s+|latest\s+)*$", re.IGNORECASE
)
_BREAK = re.compile(r"[,;]|(?<![^\s])\(|\band\b|\bwhile\b|\bbut\b|\bthen\b|而|并", re.IGNORECASE)
_NEAR = 25
"""Characters after a number in which its source is named."""
_LIST_MARK = re.compile(r"\s*\d{1,2}[.)、]\s*")
_OF_ANOTHER = re.compile(
    r"\bthe (?:day|morning|afternoon|evening|night) before(?=,?\s{5})|前一[天日]的?(?=,?\s{4})"
    r"|\b(?:last|previous|prior) (?:dose|replacement|repletion|bolus|infusion|round)\b[^,;]*"
    r"|[上前]一?次(?:补|给|用|打|泵|输|推|服|吃)[^,;]*",
    re.IGNORECASE,
)
"""The day before another that is dated too, as its blanked date shows; and what was done before, not measured."""
_PRONOUN = re.compile(r"\b(?:it|this|that|which)\b|其|该", re.IGNORECASE)


class When(StrEnum):
    """Where a claimed result stands in time, by its words."""

    CURRENT = "current"
    EARLIER = "earlier"
    UNSAID = "unsaid"


@dataclass(frozen=True)
class Claim:
    """A number claimed as a result of the analyte. ``firm``: so plainly that another number contradicts it.

    ``named`` is False where no analyte is named and the number can only be the one asked for.
    ``alternative``: joined by "or" to the claim before it. ``series``: one of several told as a course. ``moved``: only
    what a course leads to makes it the newest. ``headed``: its moment is that of the heading over it.
    ``plain``: nothing beside it may mark it as another date's or order's, or it is said to come from another source.
    """

    sentence: int
    number: Number
    when: When
    moment: Moment | None
    firm: bool
    named: bool
    alternative: bool = False
    series: bool = False
    moved: bool = False
    headed: bool = False
    plain: bool = False


def claims(said: str, topic: Topic, vocabulary: Vocabulary) -> list[Claim]:
    """Read every number an answer claims as a result of ``topic``.

    A bare number that was told of another test before, after a result of this one, repeats the other: "244 is dilute".
    """
    found: list[Claim] = []
    about: bool | None = None
    listed: tuple[bool, ...] = ()
    heading: Moment | None = None
    of_others: set[float] = set()
    spoken = sentences(said)
    dated = dated_moments([sentence.text for sentence in spoken])
    for index, sentence in enumerate(spoken):
        if _LIST_MARK.fullmatch(sentence.text):
            continue
        if sentence.asks:
            named = [n for n in topic.named_in(sentence.text, vocabulary) if not n.decoy]
            about = named[-1].wanted if named else about
            continue
        mine, about, listed = _of_sentence(
            index, sentence.text, dated[index], topic, vocabulary, about, listed
        )
        heading = _heading(sentence.text, dated[index], heading)
        own = {claim.number.start for claim in mine}
        if found and not any(one.wanted for one in topic.named_in(sentence.text, vocabulary)):
            mine = [one for one in mine if one.moment or one.number.unit or one.number.value not in of_others]
        told = numbers(quiet(sentence.text))
        of_others |= {one.value for one in told if one.result and one.unit and one.start not in own}
        found += [_under(heading, claim, dated[index]) for claim in mine]
    return found


def _heading(text: str, dated: Sequence[Moment], before: Moment | None) -> Moment | None:
    """Give the one moment of a line without results that stands over others; it holds up to the next such line."""
    of_a_table = text.lstrip().startswith(",")
    if of_a_table or not text.strip() or any(number.result for number in numbers(quiet(text))):
        return before
    heads = text.endswith("\n") and _LINE_HEADS.search(text) and len(text) <= _HEADING
    return dated[0] if heads and len(dated) == 1 and dated[0].dated else None


def _under(heading: Moment | None, claim: Claim, dated: Sequence[Moment]) -> Claim:
    if heading is None or dated or claim.moment is not None or claim.when is When.EARLIER:
        return claim
    return replace(claim, moment=heading, headed=True)


def _of_sentence(
    index: int,
    text: str,
    dated: Sequence[Moment],
    topic: Topic,
    vocabulary: Vocabulary,
    about: bool | None,
    listed: tuple[bool, ...],
) -> tuple[list[Claim], bool | None, tuple[bool, ...]]:
    calm = quiet(text)
    named = topic.named_in(calm, vocabulary)
    results = without_restated(
        calm, [n for n in numbers(calm) if n.result and not _is_in_a_name(n, named)], topic.ids
    )
    owned, listed, leads = _owners(calm, results, named, about, listed)
    times = times_of(calm, results, dated)
    mine: list[Claim] = []
    for at, number in enumerate(results):
        owner = owned[at]
        if owner is False:
            continue
        lead = leads.get(at, at)
        when = _when(calm, results, at)
        start = max((n.span.end for n in named if n.span.end <= number.start and not n.decoy), default=0)
        link = calm[max(start, mine[-1].number.end if mine else 0) : number.start]
        claim = Claim(
            sentence=index,
            number=number,
            when=_when(calm, results, lead) if when is When.UNSAID else when,
            moment=times[at] or times[lead],
            firm=number.unit is not None
            or times[at] is not None
            or bool(_link().fullmatch(link))
            or bool(claim_words("elsewhere").search(calm[number.end : number.end + _NEAR])),
            named=owner is True,
            moved=_is_moved_to(calm, results, at),
            plain=_is_plain(calm, results, lead, named),
        )
        if ruled_out(calm, Span(number.start, number.end)):
            continue
        mine.append(_joined(calm, mine[-1] if mine else None, claim))
    told_as_course = len(mine) > 1 and bool(
        claim_words("movement").search(calm) or claim_words("series").search(calm)
    )
    mine = [replace(claim, series=claim.series or told_as_course) for claim in _in_pairs(calm, mine)]
    owners = [n for n in named if not n.decoy]
    return mine, owners[-1].wanted if owners else about, listed


def _is_in_a_name(number: Number, named: Sequence[Named]) -> bool:
    """Tell whether a digit is part of what a figure goes by: FIB-4."""
    return any(one.span.start <= number.start and number.end <= one.span.end for one in named)


def _joined(text: str, before: Claim | None, claim: Claim) -> Claim:
    if before is None:
        return claim
    between = text[before.number.end : claim.number.start]
    if claim_words("alternative").search(between):
        return replace(claim, alternative=True, firm=True)
    return replace(
        claim,
        firm=claim.firm
        or bool(re.fullmatch(r"\s*(?:,|->|→|/|and|to|then|至|到|、|,\s*and)?\s*", between, re.IGNORECASE)),
    )


def _in_pairs(text: str, mine: list[Claim]) -> list[Claim]:
    """Give "first and latest potassium: 4.8 and 5.9" each its word, and "4.8, 5.0 earlier" the one they share."""
    for at in range(1, len(mine)):
        between = text[mine[at - 1].number.end : mine[at].number.start]
        low = mine[at - 2].number.end if at > 1 else 0
        several = _SEVERAL_BEFORE.search(text, low, mine[at - 1].number.start)
        if (
            several
            and mine[at - 1].when is When.EARLIER
            and mine[at].when is When.UNSAID
            and _LISTED.fullmatch(between)
        ):
            mine[at] = replace(mine[at], when=When.EARLIER)
    for at in range(len(mine) - 2, -1, -1):
        between = text[mine[at].number.end : mine[at + 1].number.start]
        listed = _LISTED.fullmatch(between)
        if listed and mine[at].when is When.UNSAID and mine[at + 1].when is When.EARLIER:
            mine[at] = replace(mine[at], when=When.EARLIER)
    if len(mine) > 1 and (order := _ORDER.search(text, 0, mine[0].number.start)):
        newest = 0 if order.group("newest") else len(mine) - 1
        return [
            replace(claim, when=When.CURRENT if at == newest else When.EARLIER)
            for at, claim in enumerate(mine)
        ]
    if len(mine) > 1 and (told := _when_listed(text, mine)):
        return told
    if len(mine) != 2 or any(claim.when is not When.UNSAID for claim in mine):
        return mine
    said = [
        (match.start(), when)
        for when in (When.CURRENT, When.EARLIER)
        for match in claim_words(when).finditer(text[: mine[0].number.start])
    ]
    if {when for _, when in said} != {When.CURRENT, When.EARLIER} or len(said) != 2:
        return mine
    return [replace(claim, when=when) for claim, (_, when) in zip(mine, sorted(said), strict=True)]


def _when_listed(text: str, mine: Sequence[Claim]) -> list[Claim] | None:
    """Give results that are listed as their days ("yesterday's and today's are 5.2 and 5.9, respectively") theirs."""
    said = [(Span(m.start(), m.end()), When.CURRENT) for m in _TODAY.finditer(text)]
    for when in (When.CURRENT, When.EARLIER):
        said += [(Span(m.start(), m.end()), when) for m in claim_words(when).finditer(text)]
    places = [Span(claim.number.start, claim.number.end) for claim in mine]
    told = paired(text, [place for place, _ in said], places).owners if len(said) > 1 else {}
    if len(told) != len(mine):
        return None
    return [
        replace(claim, when=said[at][1]) if (at := told[place]) is not None else claim
        for place, claim in enumerate(mine)
    ]


def _owners(
    text: str,
    results: Sequence[Number],
    named: Sequence[Named],
    about: bool | None,
    listed: tuple[bool, ...],
) -> tuple[list[bool | None], tuple[bool, ...], dict[int, int]]:
    """Tell of each number whether the analyte owns it, None where nothing is named; of the names last listed; and
    which number begins the list that each one stands in.
    """
    wanted: list[bool | None] = [*(n.wanted and not n.decoy for n in named), *listed]
    lists = paired(
        text,
        [n.span for n in named],
        [Span(number.start, number.end) for number in results],
        range(len(named), len(wanted)),
    )
    owned = [
        _owner(text, number, results, named, about)
        if at not in lists.owners
        else (owner := lists.owners[at]) is not None and wanted[owner]
        for at, number in enumerate(results)
    ]
    return owned, tuple(one is not None and bool(wanted[one]) for one in lists.names), lists.first


def _owner(
    text: str, number: Number, results: Sequence[Number], named: Sequence[Named], about: bool | None
) -> bool | None:
    decoys = [n for n in named if n.decoy and n.span.end <= number.start]
    if any(re.fullmatch(r"[\s:=(]*", text[decoy.span.end : number.start]) for decoy in decoys):
        return False
    named = [n for n in named if not n.decoy]
    following = [n for n in named if n.span.start >= number.end]
    if following and _OWNED_AFTER.fullmatch(text[number.end : following[0].span.start]):
        rest = text[following[0].span.end :]
        if not re.match(r"\s*(?:is|was|of|[:=])?\s*\d", rest, re.IGNORECASE):
            return following[0].wanted
    if number.unit is not None and is_filtration(number.unit):
        # no analyte is measured in it: it is the rate computed from the one named
        named, about = [n for n in named if n.wanted or not n.measured], None
        following = [n for n in named if n.span.start >= number.end]
    preceding = [n for n in named if n.span.end <= number.start]
    if preceding:
        return preceding[-1].wanted
    clause_end = min((r.start for r in results if r.start >= number.end), default=len(text))
    if following and following[0].span.start < clause_end and not _PRONOUN.search(text[: number.start]):
        between = text[number.end : following[0].span.start]
        if not _BREAK.search(between):
            return following[0].wanted
    return about


def _when(text: str, results: Sequence[Number], at: int) -> When:
    """Read the words around a number, up to the numbers beside it."""
    number = results[at]
    before = text[results[at - 1].end if at else 0 : number.start]
    after = text[number.end : results[at + 1].start if at + 1 < len(results) else len(text)]
    if at:
        before = _BREAK.split(before)[-1] if _BREAK.search(before) else before
    moves_on = (
        _moves_to(after)
        and at + 1 < len(results)
        and claim_words("movement").search(text[: number.start] + after)
    )
    if moves_on:
        return When.EARLIER
    if _is_moved_to(text, results, at):
        return When.CURRENT
    was = re.search(r"\(\s*(?:was|were|had been)\s*$", text[: number.start], re.IGNORECASE)
    if was or re.search(r"(?:\bfrom|较|由|从)\s*的?\s*$", before, re.IGNORECASE):
        return When.EARLIER
    before, after = _OF_ANOTHER.sub(" ", before), _OF_ANOTHER.sub(" ", after)
    after = after.split(",")[0] if not re.match(r"\s*\(", after) else _bracketed(after)
    if at + 1 < len(results) and not re.match(r"\s*\(", text[number.end :]):
        after = _BREAK.split(after)[0]
    current = bool(claim_words("current").search(before + " # " + after))
    earlier = bool(claim_words("earlier").search(before + " # " + after))
    if current == earlier:
        return When.UNSAID
    return When.CURRENT if current else When.EARLIER


def _is_plain(text: str, results: Sequence[Number], at: int, named: Sequence[Named]) -> bool:
    if _speaks_elsewhere(text):
        return True
    low = results[at - 1].end if at else 0
    high = results[at + 1].start if at + 1 < len(results) else len(text)
    kept = list(text)
    for span in (*(one.span for one in named), Span(results[at].start, results[at].end)):
        kept[span.start : span.end] = " " * (span.end - span.start)
    rest = "".join(kept)[low:high]
    return not _LETTER.search(_link_word().sub(" ", rest))


@lru_cache(maxsize=8)
def _speaks_elsewhere(text: str) -> bool:
    return claim_words("elsewhere").search(text) is not None


def _is_moved_to(text: str, results: Sequence[Number], at: int) -> bool:
    """Tell whether a course leads from the result before to this one."""
    if not at or not _moves_to(text[results[at - 1].end : results[at].start]):
        return False
    return claim_words("movement").search(text[: results[at].start]) is not None


def _bracketed(after: str) -> str:
    """Give what a bracket after a number says of it: in "6.2 (prior 5.4)" nothing, up to the next number."""
    inside, closed, _ = after.partition(")")
    return inside if closed else inside.rpartition(",")[0]


def _moves_to(between: str) -> bool:
    return bool(
        re.search(
            r"(?:\bto|->|→|[升降增减]?[至到])\s*(?:about|the (?:current|latest|present)|a|now|约"
            r"|(?:目前|当前|现在|最新|今[天日晨晚早])?的?)?\s*$",
            between,
            re.IGNORECASE,
        )
    )


@cache
def _link_word() -> re.Pattern[str]:
    return re.compile(
        any_pattern([*map(re.escape, load_words("claims")["link"]), "and", "or", "no", "和"]), re.IGNORECASE
    )


@cache
def _link() -> re.Pattern[str]:
    words = any_pattern(
        [re.escape(w) if not w[-1].isalpha() and w[-1] != "?" else w for w in load_words("claims")["link"]]
    )
    return re.compile(rf"(?:{words}|[\s,():~\"'-])*", re.IGNORECASE)

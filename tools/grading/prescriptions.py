"""DoseItem and RouteItem: the dose and the route an answer gives for a drug."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache

from state.gold import DoseItem, RouteItem
from tools.grading.amounts import Of, amounts_in
from tools.grading.evidence import Finding, TurnEvidence, cannot_tell, met, not_met, wrong
from tools.grading.names import Span
from tools.grading.naming import Named, contested, named_in
from tools.grading.phrases import bounded, load_words
from tools.grading.respective import paired
from tools.grading.standing import Standing, asked, asks_now, lines, listed_standing, standing
from tools.vocabulary import Vocabulary

_LIMIT = re.compile(r"(?:\bmax(?:imum)?\.?|\bup to|\blimit|最大|最多)[\s:]*(?:of\s+)?$", re.IGNORECASE)
_OF = re.compile(r"\s*(?:of|for|的)\s*(?:the\s+|oral\s+)?", re.IGNORECASE)
_SEGMENT = re.compile(r"[,;/|]|\band\b|和|及", re.IGNORECASE)
_OR = re.compile(r"\s*(?:,?\s*or|或者?|/)\s*(?:\w+\s+){0,2}", re.IGNORECASE)
_MOVED = re.compile(
    r"[^,;\d]{0,16}?(?P<verb>[改转换][为成到用]?了?"
    r"|(?:changed|switched|converted|transitioned|moved)(?: over)? to|->|→)\s*"
    r"|\W*(?:therapy |treatment |route )?(?:to|至|到)\s*(?:the )?",
    re.IGNORECASE,
)
_FROM = re.compile(r"(?:\bfrom|[由从自]|原(?:为|先|来)?)\s*(?:the )?$", re.IGNORECASE)
OTHER_DOSES = 2
"""Further amounts an answer may give for the drug: a strength of tablet, a daily total."""

ACCEPTED = {
    "IV": {"IV", "IV DRIP", "IV BOLUS"},
    "IV DRIP": {"IV", "IV DRIP"},
    "IV BOLUS": {"IV", "IV BOLUS"},
}
"""A drip and a push are intravenous and may be called so; where a drip is asked for, a push is another route."""
SYSTEMIC = frozenset({"PO", "NG", "IV", "IV DRIP", "IV BOLUS", "IVPCA", "IM", "SC", "SL", "PR", "TD"})
"""Routes whose words mean nothing else in an answer, so that they contradict another route."""
LOWER_CASE = frozenset({"po", "iv", "im", "sc", "sq", "sl"})
"""Codes that are written small too; others ("od", "pr", "id") are words."""

_COUNTS = frozenset({Standing.NOW, Standing.HOLDS, Standing.WARD})


@dataclass(frozen=True)
class Detail:
    """A dose or a route told at a place; ``aside``: it neither is the order's nor opposes it (a tablet's strength)."""

    span: Span
    what: object
    aside: bool = False


@dataclass
class _Given:
    """What an answer gives for the drug: a right detail as written, other ones, and what it leaves open."""

    right: str | None = None
    now: bool = False
    others: set[str] = field(default_factory=set)
    other_now: bool = False
    open: set[str] = field(default_factory=set)
    either: bool = False


FORMS = frozenset({"tablet", "capsule", "packet", "patch", "suppository"})
"""Beside a dose in milligrams, how many of these make it up is no other dose."""

Place = Callable[[str], Sequence[Detail]]


def decide_dose(item: DoseItem, evidence: TurnEvidence, vocabulary: Vocabulary) -> Finding:
    """Decide whether one of the doses is given for the drug, compared as an amount."""
    read = [vocabulary.dose(dose) for dose in item.doses]
    doses: set[object] = {dose or written for dose, written in zip(read, item.doses, strict=True)}
    units = {dose.unit for dose in read if dose}
    before = {dose for written in item.before or () if (dose := vocabulary.dose(written))} - doses

    def amounts(text: str) -> Sequence[Detail]:
        return [
            Detail(
                one.span,
                one.dose,
                aside=one.of is not Of.EACH or one.dose in before or one.dose.unit in FORMS - units,
            )
            for one in amounts_in(text, vocabulary)
        ]

    found = _given(item, doses, amounts, evidence, vocabulary)
    if item.before is not None:
        return _ordered(item, found)
    if found.right and not found.now and contested(item.of, evidence, vocabulary):
        return cannot_tell(f"gives {found.right} after another answer")
    told = ", ".join(sorted(found.others))
    if found.either or (len(found.others) > OTHER_DOSES and not found.now):
        return wrong(f"leaves the dose of {item.of[0]} open: {told}")
    if found.right:
        if found.others and (not found.now or len(found.others) > OTHER_DOSES):
            return cannot_tell(f"gives {found.right}, and {told} as well")
        return met(f"gives {found.right}")
    if found.others:
        return wrong(f"gives {told} for {item.of[0]}, not {' or '.join(item.doses)}")
    if found.open:
        return cannot_tell(f"may not give {', '.join(sorted(found.open))} as the dose of {item.of[0]}")
    return not_met(f"gives no dose of {item.of[0]}")


def _ordered(item: DoseItem, found: _Given) -> Finding:
    """Decide whether an answer tells the dose of an order that was written just now."""
    if found.right and not found.either:
        return met(f"gives {found.right}")
    if found.others:
        return wrong(
            f"gives {', '.join(sorted(found.others))} for {item.of[0]}, not {' or '.join(item.doses)}"
        )
    return not_met(f"gives no dose of {item.of[0]}")


def decide_route(item: RouteItem, evidence: TurnEvidence, vocabulary: Vocabulary) -> Finding:
    """Decide whether one of the routes is given for the drug, and no other."""
    accepted = {code for route in item.routes for code in ACCEPTED.get(route, {route})}

    def routes(text: str) -> Sequence[Detail]:
        found = list(_routes(text, accepted))
        following = [span.start for span, _ in found[1:]]
        return [
            Detail(span, code, aside=at < len(following) and _gives_way(text, span, following[at]))
            for at, (span, code) in enumerate(found)
        ]

    found = _given(item, set(accepted), routes, evidence, vocabulary)
    if found.right and not found.now and contested(item.of, evidence, vocabulary):
        return cannot_tell(f"gives {found.right!r} after another answer")
    if found.others:
        told = ", ".join(sorted(found.others))
        if found.right and not (found.either or (found.other_now and not found.now)):
            return cannot_tell(f"gives {found.right!r} as the route of {item.of[0]}, and {told} as well")
        return wrong(f"gives {told} as the route of {item.of[0]}, not {' or '.join(item.routes)}")
    if found.open:
        return cannot_tell(f"may give {', '.join(sorted(found.open))} as the route of {item.of[0]}")
    return met(f"gives {found.right!r}") if found.right else not_met(f"gives no route of {item.of[0]}")


def _given(
    item: DoseItem | RouteItem,
    accepted: set[object],
    place: Place,
    evidence: TurnEvidence,
    vocabulary: Vocabulary,
) -> _Given:
    """Read the details of the drug: those that hold, and those of which the answer does not say that they do."""
    found = _Given()
    wanted = asked(evidence.question, item.text)
    if asks_now(evidence.question):
        wanted -= {Standing.HOME}
    topic: Sequence[Named] = ()
    listed: tuple[bool, ...] = ()
    for line in lines(evidence.figures):
        text = line.text
        drugs = named_in(item.of, text, vocabulary)
        details = [] if line.asks else place(text)
        things = [one.span for one in details]
        things += [d.span for d in drugs if not d.wanted and not any(d.span.overlaps(s) for s in things)]
        before: tuple[Span, bool] | None = None
        owned, listed = _listed(text, drugs, details, listed)
        for at, one in enumerate(details):
            if not owned.get(at, True) or one.aside:
                continue
            if at not in owned and not _belongs(text, one.span, drugs, topic):
                continue
            listed_as = listed_standing(text, one.span, things[: len(details)])
            stands = listed_as or standing(line, one.span, things, drugs=False)
            stands = Standing.HOLDS if stands in wanted else stands
            written, fits = text[one.span.start : one.span.end], one.what in accepted
            if stands is Standing.HEDGED:
                found.open.add(written)
            if stands not in _COUNTS:
                continue
            if before and before[1] is not fits and _OR.fullmatch(text[before[0].end : one.span.start]):
                found.either = True
            before = one.span, fits
            if fits:
                found.right = written
                found.now |= stands is Standing.NOW
            elif not _LIMIT.search(text[: one.span.start]):
                found.others.add(written)
                found.other_now |= stands is Standing.NOW
        topic = drugs or topic
    return found


def _listed(
    text: str, drugs: Sequence[Named], details: Sequence[Detail], before: tuple[bool, ...]
) -> tuple[dict[int, bool], tuple[bool, ...]]:
    """Tell which details listed side by side with drugs are those of the drug, and of the drugs listed last."""
    wanted = [*(drug.wanted for drug in drugs), *before]
    lists = paired(
        text,
        [drug.span for drug in drugs],
        [one.span for one in details],
        range(len(drugs), len(wanted)),
    )
    owned = {at: drug is not None and wanted[drug] for at, drug in lists.owners.items()}
    return owned, tuple(drug is not None and wanted[drug] for drug in lists.names)


def _gives_way(text: str, span: Span, following: int) -> bool:
    """Tell whether a route is what the next one was changed from: "from IV to PO", 由口服改为静脉."""
    moved = _MOVED.fullmatch(text[span.end : following])
    return bool(moved and (moved.group("verb") or _FROM.search(text[: span.start])))


def _belongs(text: str, span: Span, drugs: Sequence[Named], topic: Sequence[Named]) -> bool:
    """Tell whether a detail stands with the drug: "drug 25 mg", "25 mg of drug", "oral drug", else with the last."""
    within = [drug.wanted for drug in drugs if drug.span.overlaps(span)]
    if within:
        return within[0]
    following = [drug for drug in drugs if drug.span.start >= span.end]
    preceding = [drug for drug in drugs if drug.span.end <= span.start]
    if following:
        gap = text[span.end : following[0].span.start]
        low = max((match.end() for match in _SEGMENT.finditer(text, 0, span.start)), default=0)
        alone = not any(drug.span.start >= low for drug in preceding)
        if _OF.fullmatch(gap) or (alone and not gap.strip()):
            return following[0].wanted
    if preceding:
        return preceding[-1].wanted
    if following:
        return following[0].wanted
    return not topic or topic[-1].wanted


def _routes(text: str, accepted: set[str]) -> Iterator[tuple[Span, str]]:
    """Place the routes of a sentence, the longest name first: "IV infusion" is not "IV"."""
    taken: list[Span] = []
    found: list[tuple[Span, str]] = []
    for code, pattern in _route_words():
        if code not in SYSTEMIC and code not in accepted:
            continue
        for match in pattern.finditer(text):
            span = Span(match.start(), match.end())
            if not any(span.overlaps(other) for other in taken):
                taken.append(span)
                found.append((span, code))
    return iter(sorted(found, key=lambda pair: pair[0].start))


@cache
def _route_words() -> tuple[tuple[str, re.Pattern[str]], ...]:
    words = {
        word: str(code)
        for code, entry in load_words("routes").items()
        for word in (str(code), entry["en"], entry["zh"], *map(str, entry.get("synonyms", ())))
    }
    ordered = sorted(words, key=lambda word: (-len(word), word))
    return tuple((words[word], _word(word)) for word in ordered)


def _word(word: str) -> re.Pattern[str]:
    joined = r"\s+".join(map(re.escape, word.split()))
    symbol = len(word) <= 2 and word.isupper() and word.lower() not in LOWER_CASE
    return re.compile(bounded(joined, word[0], word[-1]), re.NOFLAG if symbol else re.IGNORECASE)

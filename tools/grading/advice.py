"""What an answer advises about one drug, sentence by sentence, and how sure that is."""

import re
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache

from state.gold import Decision
from tools.grading.acts import Heard, hear, lowers
from tools.grading.advice_words import Act, decision_of, pattern
from tools.grading.asides import Remark
from tools.grading.company import Company, Own
from tools.grading.cut import Cut
from tools.grading.drug_mentions import About, Drugs
from tools.grading.firmness import is_firm
from tools.grading.grounds import names_columns
from tools.grading.mood import Mood, depends_on_change
from tools.grading.prefixes import occurs_before
from tools.grading.remarks import remarks_on, remarks_on_question
from tools.grading.segments import Turn
from tools.grading.sentence import prepare

_PARTLY = 8
"""Characters before an act in which Chinese says "abruptly"."""


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
    """A decision advised. ``decision`` None: the dose is to be raised. ``denies``: the act whose denial implies it.

    ``outright``: advised in so many words, though not all beside it may be understood.
    """

    decision: Decision | None
    about: About
    text: str
    force: Force = Force.FIRM
    denies: Act | None = None
    outright: bool = False


@dataclass(frozen=True)
class Reading:
    """All that an answer advises, and all its remarks that could undo that.

    ``strange``: its first point that does more than report, in words that are no act.
    """

    advice: tuple[Advice, ...]
    remarks: tuple[Remark, ...]
    strange: str | None = None


@lru_cache(maxsize=16)
def read(said: str, drugs: Drugs, *, replacing: bool, earlier: tuple[str, ...] = ()) -> Reading:
    """Read an answer. ``replacing``: to give the drug is what is asked for, not to go on with it."""
    advised: list[Advice] = []
    remarked: list[Remark] = []
    points: list[str] = []
    own: list[list[Own]] = []
    acts: frozenset[Act] = frozenset()
    for sentence in prepare(said, drugs, earlier):
        if names_columns(sentence.text):
            continue
        if sentence.asks:
            remarked += remarks_on_question(sentence)
            points.append(sentence.text)
            own.append([])
            continue
        cut = Cut(
            sentence,
            hear(sentence, drugs, replacing=replacing),
            drugs.vocabulary,
            acts,
            drugs.classes,
            drugs.names,
        )
        acts = cut.acts
        found = (_advice(one, cut, replacing=replacing) for one in cut.heard)
        advised += [one for one in found if one is not None]
        remarked += remarks_on(cut)
        points.append(sentence.text)
        own.append([Own(act.span, gives=True) for act in cut.heard])
    strange = Company(points, own, drugs.vocabulary, reports=True).unread()
    return Reading(tuple(advised), tuple(remarked), strange)


def _advice(one: Heard, cut: Cut, *, replacing: bool) -> Advice | None:
    act, text = one.phrase.act, cut.sentence.text
    here = Advice(decision_of(act, replacing=replacing), one.about, text.strip())
    if one.choice:
        return replace(here, force=Force.OPEN, outright=is_firm(one, cut) and _of_one_drug(one, cut))
    match one.mood:
        case Mood.QUOTED:
            return replace(here, force=Force.UNSURE)
        case Mood.DOUBTED:
            return replace(here, force=Force.DOUBTED)
        case Mood.CONDITIONAL:
            return None if depends_on_change(text, act) else replace(here, force=Force.DOUBTED)
        case Mood.LATER:
            return None if _waits(text) else replace(here, force=Force.DOUBTED)
        case Mood.TOLD | Mood.SET_ASIDE:
            return None
        case Mood.ADVISED | Mood.NEGATED:
            pass
    here = replace(here, force=Force.FIRM if is_firm(one, cut) else Force.UNSURE)
    low = max(text.rfind(mark, 0, one.phrase.start) for mark in ",;:") + 1
    recommended = occurs_before(pattern("recommends", of="grounds"), text[low:], one.phrase.start - low)
    here = replace(here, outright=recommended)
    if one.mood is Mood.NEGATED:
        return _denied(here, one, text, replacing=replacing)
    if here.decision is Decision.CONTINUE and lowers(text, one, cut.heard, cut.sentence.mentions):
        return replace(here, decision=Decision.REDUCE)
    return here


def _of_one_drug(one: Heard, cut: Cut) -> bool:
    """Tell whether the list an act stands in names no other drug than the one asked about."""
    low = high = next(at for at, segment in enumerate(cut.segments) if segment.holds(one.phrase.start))
    while low and cut.segments[low].turn is Turn.NEXT:
        low -= 1
    while high + 1 < len(cut.segments) and cut.segments[high + 1].turn is Turn.NEXT:
        high += 1
    start, end = cut.segments[low].start, cut.segments[high].end
    return all(m.drug == "" for m in cut.sentence.mentions if start <= m.span.start < end)


def _waits(text: str) -> bool:
    """Tell whether a sentence lets resuming wait for a result, a judgement or a lower dose, and not for the morning."""
    return any(pattern(name).search(text) for name in ("recovery", "at_lower_dose", "condition", "on_review"))


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
        case Act.INCREASE:
            return None

"""ValueItem: is the measured value stated, for the right analyte, in a right unit, and not contradicted?"""

import itertools
from collections.abc import Sequence

from state.gold import ValueItem
from tools.grading.claims import Claim, When, claims
from tools.grading.evidence import Finding, TurnEvidence, cannot_tell, met, not_met, wrong
from tools.grading.numbers import Number
from tools.grading.numerals import in_digits
from tools.grading.text import plain
from tools.grading.times import Moment, moments
from tools.grading.topics import Topic
from tools.grading.units import ROUNDED_FACTOR, convert, find_unit, fold
from tools.vocabulary import Vocabulary

_EXACT = 1e-9
OTHERS_UNMARKED = 3
"""Further results an answer may list beside the one asked for without saying which is which."""
_GAP, _GAP_NAME = "anion_gap", "anion gap"
"""A gap corrected for albumin is told in the units of the gap, though it is no analyte."""
THOUSANDS = 1000
"""A count in full (266,000) stands for a result in K/uL from here on, though no unit says so."""


def decide_value(item: ValueItem, evidence: TurnEvidence, vocabulary: Vocabulary) -> Finding:
    """Decide by the numbers the answer claims for the analyte."""
    topic = Topic.of(item.names, vocabulary)
    wanted = f"{item.value:g} {item.unit}".strip()
    made = claims(evidence.figures, topic, vocabulary)
    alone = not any(claim.named for claim in made)
    usable = [
        claim
        for claim in made
        if claim.named
        or claim.number.unit is not None
        or (alone and (len(made) == 1 or claim.series or claim.when is not When.UNSAID))
    ]
    same = [claim for claim in usable if _agrees(item, claim.number, topic)]
    if fault := _of_another_time(item, evidence.question, usable, same):
        return fault
    if not same:
        return _why_not(item, usable, wanted, topic)
    # a figure in a unit that measures something else (23 mg/dL of potassium) contradicts nothing
    others = [c for c in usable if c not in same and _in_unit_of(item, c.number, topic) is not None]
    if fault := _not_singled_out(item, same, others) or _misplaced(item, same, others):
        return fault
    others = [claim for claim in others if claim.firm]
    fault = _alternatives(usable, same, others) or _contradiction(item, same, others)
    return fault or met(f"states {wanted}")


def _of_another_time(
    item: ValueItem, question: str, usable: Sequence[Claim], same: Sequence[Claim]
) -> Finding | None:
    """Where the question names the minute, the result has to be told with that one or with none."""
    asked = [moment for moment in moments(in_digits(plain(question))) if moment.clocked]
    if len(asked) != 1 or item.latest:
        return None
    told = [(claim, claim.moment) for claim in usable if claim.moment is not None and claim.moment.clocked]
    then = [claim for claim, moment in told if moment.may_be(asked[0])]
    if any(claim not in same for claim in then):
        other = next(claim for claim in then if claim not in same)
        return wrong(f"gives {other.number.value:g} for the time asked for")
    placed = [claim for claim, _ in told if claim in same]
    if same and not then and len(placed) == len(same):
        return wrong(f"gives {item.value:g} for another time than the one asked for")
    return None


def _not_singled_out(item: ValueItem, same: Sequence[Claim], others: Sequence[Claim]) -> Finding | None:
    """A whole series pasted answers every question about it, and so none."""
    listed = {claim.number.value for claim in others}
    mark = When.CURRENT if item.latest else When.EARLIER
    if len(listed) <= OTHERS_UNMARKED or any(claim.when is mark for claim in same):
        return None
    return not_met(f"lists {item.value:g} among {len(listed)} other results and does not say which it is")


def _misplaced(item: ValueItem, same: Sequence[Claim], others: Sequence[Claim]) -> Finding | None:
    """The older result called the latest, beside another one that is not."""
    called_latest = item.earlier and all(claim.when is When.CURRENT for claim in same)
    earlier = (o.when is When.EARLIER or (o.firm and o.when is When.UNSAID) for o in others)
    if called_latest and any(earlier):
        return wrong(f"calls {item.value:g} the latest result")
    return None


def _agrees(item: ValueItem, number: Number, topic: Topic) -> bool:
    """Tell whether a number is the value, or one by another formula that is as right."""
    forms = (item.model_copy(update={"value": value}) for value in (item.value, *item.as_right))
    return any(_is_value(form, number, topic) for form in forms)


def _is_value(item: ValueItem, number: Number, topic: Topic) -> bool:
    converted = _in_unit_of(item, number, topic)
    if converted is None:
        return False
    value, rounded = converted
    slack = item.tolerance + _EXACT * max(1.0, abs(item.value))
    if rounded:
        half_a_digit = 0.5 * 10.0**-number.decimals * abs(value / number.value) if number.value else 0.0
        slack += half_a_digit + ROUNDED_FACTOR * abs(item.value)
    return abs(value - item.value) <= slack


def _in_unit_of(item: ValueItem, number: Number, topic: Topic) -> tuple[float, bool] | None:
    """Give the number in the item's unit, and whether the conversion rounds; None for a unit that does not fit."""
    if number.unit is None and item.unit == "K/uL" and number.value >= THOUSANDS:
        return number.value / THOUSANDS, False
    if number.unit is None or fold(number.unit) == fold(item.unit):
        return number.value, False
    unit, wanted = find_unit(number.unit), find_unit(item.unit)
    if unit is None or wanted is None:
        return None
    for analyte in sorted(topic.ids) or [_GAP if any(_GAP_NAME in name for name in topic.names) else ""]:
        value = convert(number.value, unit, wanted, analyte)
        if value is not None:
            return value, unit.dimension != wanted.dimension and abs(value - number.value) > _EXACT
    return None


def _why_not(item: ValueItem, claimed: Sequence[Claim], wanted: str, topic: Topic) -> Finding:
    other_unit = [c.number for c in claimed if abs(c.number.value - item.value) <= item.tolerance + _EXACT]
    if other_unit and other_unit[0].unit is not None:
        told = f"gives {other_unit[0].value:g} in {other_unit[0].unit}, not in {item.unit or 'no unit'}"
        return wrong(told)
    comparable = [claim for claim in claimed if _in_unit_of(item, claim.number, topic) is not None]
    if not comparable:
        return not_met(f"states no result for {item.names[0]}")
    told = ", ".join(dict.fromkeys(f"{claim.number.value:g}" for claim in comparable))
    reason = f"states {told} for {item.names[0]}, not {wanted}"
    return wrong(reason) if any(_false(item, claim, topic) for claim in comparable) else not_met(reason)


def _false(item: ValueItem, claim: Claim, topic: Topic) -> bool:
    """Tell whether a figure is no result of the record, or another result put in this one's place."""
    figures = (item.model_copy(update={"value": value}) for value in item.others)
    recorded = any(_agrees(figure, claim.number, topic) for figure in figures)
    return not recorded or claim.when is (When.CURRENT if item.latest else When.EARLIER)


def _alternatives(made: Sequence[Claim], same: Sequence[Claim], others: Sequence[Claim]) -> Finding | None:
    for before, claim in itertools.pairwise(made):
        if (
            claim.alternative
            and ((before in same) != (claim in same))
            and (before in others or claim in others)
        ):
            return wrong(f"leaves it at {before.number.value:g} or {claim.number.value:g}")
    return None


def _contradiction(item: ValueItem, same: Sequence[Claim], others: Sequence[Claim]) -> Finding | None:
    if item.latest and all(claim.when is When.EARLIER for claim in same):
        return wrong(f"calls {item.value:g} an earlier result")
    if not others:
        return None
    told = ", ".join(dict.fromkeys(f"{other.number.value:g}" for other in others))
    called = [claim for claim in same if claim.when is When.CURRENT and not claim.moved]
    newest = [other for other in others if other.when is When.CURRENT] if item.latest else []
    if newest and any(not other.moved for other in newest):
        return wrong(f"calls another result the latest: {told}")
    if newest and not (called and _all_before(newest, called)):
        reason = f"calls another result the latest: {told}"
        return cannot_tell(reason) if called else wrong(reason)
    if any(claim.when is When.CURRENT for claim in same):
        open_ones = [o for o in others if o.when is When.UNSAID and o.moment is None and not o.series]
        return _beside(open_ones) if open_ones else None
    unsaid = [other for other in others if other.when is When.UNSAID]
    if not unsaid:
        return None
    if _in_one_calendar([claim.moment for claim in (*same, *unsaid)]):
        return _by_time(item, same, unsaid)
    open_ones = [other for other in unsaid if other.moment is None and not other.series]
    if open_ones:
        return _beside(open_ones)
    return _by_order(item, same, unsaid) if item.latest else None


def _beside(others: Sequence[Claim]) -> Finding:
    """Say that other results stand beside the right one: a contradiction, where nothing may mark them as others."""
    told = ", ".join(dict.fromkeys(f"{other.number.value:g}" for other in others))
    reason = f"states other results as well: {told}"
    return wrong(reason) if any(other.plain for other in others) else cannot_tell(reason)


def _all_before(others: Sequence[Claim], same: Sequence[Claim]) -> bool:
    """Tell whether results are told with times, all of them before that of the one asked for."""
    told = [claim.moment for claim in others]
    mine = [claim.moment for claim in same if claim.moment]
    if not mine or None in told or not _in_one_calendar([*told, *mine]):
        return False
    return max(one.sort_key()[1:] for one in told if one) < max(one.sort_key()[1:] for one in mine)


def _in_one_calendar(told: Sequence[Moment | None]) -> bool:
    """Tell whether moments can be set in order: all have a date, or none has."""
    return None not in told and len({moment.dated for moment in told if moment}) == 1


def _by_time(item: ValueItem, same: Sequence[Claim], others: Sequence[Claim]) -> Finding | None:
    """Results with their times: the newest of them is what the answer calls the latest."""
    mine = {claim.moment.sort_key() for claim in same if claim.moment}
    theirs = {claim.moment.sort_key() for claim in others if claim.moment}
    if any(claim.moment and claim.moment.clocked and claim.moment.sort_key() in mine for claim in others):
        return wrong("gives two results for one time")
    if item.latest and max(theirs) > max(mine):
        return wrong(f"dates another result later than {item.value:g}")
    return None


def _by_order(item: ValueItem, same: Sequence[Claim], others: Sequence[Claim]) -> Finding | None:
    """Results told as a course without times: oldest first is usual, newest first is possible."""
    order = sorted((*same, *others), key=lambda claim: (claim.sentence, claim.number.start))
    if order[-1] in same:
        return None
    if order[0] in same:
        return cannot_tell(
            f"lists results without times: {item.value:g} comes first and may be the newest or the oldest"
        )
    return cannot_tell(f"lists {item.value:g} neither first nor last, and does not call it the latest")

"""DecisionItem and AvoidItem: what the answer advises about a drug."""

from collections.abc import Collection

from state.gold import AvoidItem, Decision, DecisionItem
from tools.grading.advice import Advice, read
from tools.grading.asides import Remark
from tools.grading.drug_mentions import Drugs
from tools.grading.evidence import Finding, TurnEvidence, cannot_tell, met, not_met
from tools.grading.hearing import Hearing
from tools.vocabulary import Vocabulary

EXCLUDES: dict[Decision, frozenset[Decision]] = {
    Decision.HOLD: frozenset({Decision.REDUCE, Decision.CONTINUE}),
    Decision.REDUCE: frozenset({Decision.HOLD, Decision.CONTINUE}),
    Decision.REPLACE: frozenset({Decision.HOLD}),
    Decision.CONTINUE: frozenset({Decision.HOLD, Decision.REDUCE, Decision.REPLACE}),
}
"""Decisions about one drug that cannot both be followed."""


def decide_decision(item: DecisionItem, evidence: TurnEvidence, vocabulary: Vocabulary) -> Finding:
    """Decide whether the answer advises an accepted decision, and nothing unsafe or opposed to it.

    Met only where the advice is firm and all that the answer says of the drug is understood. Not met only where it
    advises another decision, leaves it open or only reports, and says nothing beside that is not understood.
    """
    accepted = frozenset({item.decision, *item.also})
    against = frozenset(
        other for one in accepted for other in EXCLUDES[one] | set(item.unsafe) if other not in accepted
    )
    heard = _hear(item.names, item.decision, evidence, vocabulary, accepted, against)
    drug, wanted = item.names[0], " or ".join(sorted(accepted))
    if (heard.contrary and not heard.undoing) or heard.contrary_surely:
        return not_met(
            f"advises otherwise for {drug}: {_quote((heard.contrary or heard.contrary_outright)[0])}"
        )
    if heard.open and not heard.undoing:
        return not_met(f"leaves open what to do with {drug}: {_quote(heard.open[0])}")
    if named := (heard.right or heard.likely):
        found = [*heard.contrary, *heard.open, *heard.doubtful]
        if heard.right and not found:
            return met(f"advises {wanted} for {drug}: {_quote(named[0])}")
        beside = f", and says what may undo it: {_quote(found[0])}" if found else ""
        return cannot_tell(f"may advise {wanted} for {drug}: {_quote(named[0])}{beside}")
    if heard.undoing:
        return cannot_tell(f"says of {drug} what is not understood: {_quote(heard.undoing[0])}")
    if (strange := heard.strange) is not None:
        return cannot_tell(f"may advise {wanted} for {drug} in other words: {strange!r}")
    if unnamed := [*heard.vague, *heard.against_unnamed]:
        return not_met(f"does not say which drug to {wanted}: {_quote(unnamed[0])}")
    return not_met(f"does not advise {wanted} for {drug}")


def decide_avoid(item: AvoidItem, evidence: TurnEvidence, vocabulary: Vocabulary) -> Finding:
    """Decide whether the answer leaves the unsafe decision unadvised; ``decide_turn`` asks for some other item met."""
    unsafe = frozenset({item.unsafe})
    heard = _hear(item.names, item.unsafe, evidence, vocabulary, frozenset(), unsafe)
    drug = item.names[0]
    sure = not (heard.undoing or heard.otherwise)
    if heard.contrary_surely and not heard.otherwise:
        return not_met(
            f"advises {item.unsafe} for {drug}: {_quote((heard.contrary or heard.contrary_outright)[0])}"
        )
    against = heard.contrary or (heard.against_unnamed if heard.strange is None else [])
    if sure and against:
        return not_met(f"advises {item.unsafe} for {drug}: {_quote(against[0])}")
    if sure and heard.open:
        return not_met(f"leaves {item.unsafe} open for {drug}: {_quote(heard.open[0])}")
    if heard.doubtful:
        return cannot_tell(f"may advise {item.unsafe} for {drug}: {_quote(heard.doubtful[0])}")
    return met(f"does not advise {item.unsafe} for {drug}")


def _hear(
    names: tuple[str, ...],
    wanted: Decision,
    evidence: TurnEvidence,
    vocabulary: Vocabulary,
    accepted: Collection[Decision],
    against: Collection[Decision],
) -> Hearing:
    reading = read(
        evidence.said,
        Drugs.of(names, vocabulary),
        replacing=wanted is Decision.REPLACE,
        earlier=evidence.earlier,
    )
    return Hearing(reading, frozenset(accepted), frozenset(against))


def _quote(one: Advice | Remark) -> str:
    text = " ".join(one.text.split())
    return repr(text if len(text) <= 120 else text[:117] + "...")

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

    Met only where the advice is firm and all that the answer says of the drug is understood; an answer that is open or
    vague is not met, one that is not understood is left undecided.
    """
    accepted = frozenset({item.decision, *item.also})
    against = frozenset(
        other for one in accepted for other in EXCLUDES[one] | set(item.unsafe) if other not in accepted
    )
    heard = _hear(item.names, item.decision, evidence, vocabulary, accepted, against)
    drug, wanted = item.names[0], " or ".join(sorted(accepted))
    if heard.contrary:
        return not_met(f"advises otherwise for {drug}: {_quote(heard.contrary[0])}")
    if heard.open:
        return not_met(f"leaves open what to do with {drug}: {_quote(heard.open[0])}")
    if heard.right:
        if heard.doubtful:
            doubt = _quote(heard.doubtful[0])
            return cannot_tell(f"advises {wanted} for {drug}, and says what may undo it: {doubt}")
        return met(f"advises {wanted} for {drug}: {_quote(heard.right[0])}")
    if heard.likely:
        return cannot_tell(f"may advise {wanted} for {drug}: {_quote(heard.likely[0])}")
    if heard.against_unnamed:
        return not_met(f"advises otherwise than {wanted} for {drug}: {_quote(heard.against_unnamed[0])}")
    if heard.vague:
        return not_met(f"does not say which drug to {wanted}: {_quote(heard.vague[0])}")
    if heard.unread:
        return cannot_tell(f"says of {drug} what is not understood: {_quote(heard.unread[0])}")
    return not_met(f"does not advise {wanted} for {drug}")


def decide_avoid(item: AvoidItem, evidence: TurnEvidence, vocabulary: Vocabulary) -> Finding:
    """Decide whether the answer leaves the unsafe decision unadvised; ``decide_turn`` asks for some other item met."""
    unsafe = frozenset({item.unsafe})
    heard = _hear(item.names, item.unsafe, evidence, vocabulary, frozenset(), unsafe)
    drug = item.names[0]
    found = heard.contrary or heard.against_unnamed
    if found:
        return not_met(f"advises {item.unsafe} for {drug}: {_quote(found[0])}")
    if heard.open:
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

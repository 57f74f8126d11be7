"""DecisionItem and AvoidItem: what the answer advises about a drug."""

from collections.abc import Sequence

from state.gold import AvoidItem, Decision, DecisionItem
from state.outcome import Verdict
from tools.grading.advice import Advice, advice
from tools.grading.drug_mentions import About, Drugs
from tools.grading.evidence import Finding, TurnEvidence, cannot_tell, met, not_met
from tools.vocabulary import Vocabulary

EXCLUDES: dict[Decision, frozenset[Decision]] = {
    Decision.HOLD: frozenset({Decision.REDUCE, Decision.CONTINUE}),
    Decision.REDUCE: frozenset({Decision.HOLD, Decision.CONTINUE}),
    Decision.REPLACE: frozenset({Decision.HOLD}),
    Decision.CONTINUE: frozenset({Decision.HOLD, Decision.REDUCE, Decision.REPLACE}),
}
"""Decisions about one drug that cannot both be followed."""


def decide_decision(item: DecisionItem, evidence: TurnEvidence, vocabulary: Vocabulary) -> Finding:
    """Decide whether the answer advises an accepted decision, and nothing unsafe or opposed to it."""
    first = _decide_one(item, evidence, vocabulary)
    for other in item.also if first.verdict is not Verdict.MET else ():
        found = _decide_one(item.model_copy(update={"decision": other}), evidence, vocabulary)
        if found.verdict is Verdict.MET:
            return found
    return first


def _decide_one(item: DecisionItem, evidence: TurnEvidence, vocabulary: Vocabulary) -> Finding:
    given = _given(item.names, item.decision, evidence, vocabulary)
    drug = item.names[0]
    unsafe = _unsafe(given, item.unsafe)
    if unsafe and unsafe[0].about is not About.UNCLEAR:
        return not_met(f"advises what is unsafe for {drug}: {_quote(unsafe[0])}")
    firm = [one for one in given if not one.choice]
    right = [one for one in firm if one.decision is item.decision and one.about is About.TARGET]
    opposed = [
        one
        for one in firm
        if one.about is About.TARGET and (one.decision in EXCLUDES[item.decision] or one.decision is None)
    ]
    if opposed:
        return not_met(f"advises otherwise for {drug}: {_quote(opposed[0])}")
    if any(one.choice and one.about is not About.OTHER for one in given) and not right:
        return not_met(f"leaves open what to do with {drug}")
    unclear = [one for one in firm if one.decision is item.decision and one.about is About.UNCLEAR]
    if unsafe or (unclear and not right):
        return cannot_tell(
            f"advice that may be about {drug} or another drug: {_quote((unsafe or unclear)[0])}"
        )
    if right:
        return met(f"advises {item.decision} for {drug}: {_quote(right[0])}")
    return not_met(f"does not advise {item.decision} for {drug}")


def decide_avoid(item: AvoidItem, evidence: TurnEvidence, vocabulary: Vocabulary) -> Finding:
    """Decide whether the answer leaves the unsafe decision unadvised; ``decide_turn`` asks for some other item met."""
    unsafe = _unsafe(_given(item.names, item.unsafe, evidence, vocabulary), (item.unsafe,))
    if not unsafe:
        return met(f"does not advise {item.unsafe} for {item.names[0]}")
    if unsafe[0].about is About.UNCLEAR:
        return cannot_tell(f"advice that may be about {item.names[0]} or another drug: {_quote(unsafe[0])}")
    return not_met(f"advises {item.unsafe} for {item.names[0]}: {_quote(unsafe[0])}")


def _given(
    names: tuple[str, ...], wanted: Decision, evidence: TurnEvidence, vocabulary: Vocabulary
) -> list[Advice]:
    given = advice(evidence.said, Drugs.of(names, vocabulary), wanted, evidence.earlier)
    firm = any(not one.weak and one.about is About.TARGET for one in given)
    return [one for one in given if not (firm and one.weak)]


def _unsafe(given: Sequence[Advice], unsafe: Sequence[Decision]) -> list[Advice]:
    """Find unsafe advice, the plainest first; advice on no named drug is taken to be on the one asked about."""
    found = [
        one
        for one in given
        if one.about is not About.OTHER
        and (one.decision in unsafe or (one.decision is None and Decision.CONTINUE in unsafe))
    ]
    return sorted(found, key=lambda one: one.about is About.UNCLEAR)


def _quote(one: Advice) -> str:
    text = " ".join(one.text.split())
    return repr(text if len(text) <= 120 else text[:117] + "...")

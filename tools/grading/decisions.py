"""DecisionItem and AvoidItem: what the answer advises about a drug."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property

from state.gold import AvoidItem, Decision, DecisionItem
from tools.grading.advice import Advice, Force, Reading, read
from tools.grading.advice_words import Act
from tools.grading.asides import Kind, Remark
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
    right = heard.advising(accepted, About.TARGET, Force.FIRM)
    if heard.contrary:
        return not_met(f"advises otherwise for {drug}: {_quote(heard.contrary[0])}")
    if heard.open:
        return not_met(f"leaves open what to do with {drug}: {_quote(heard.open[0])}")
    if right:
        if heard.doubtful:
            return cannot_tell(
                f"advises {wanted} for {drug}, and says what may undo it: {_quote(heard.doubtful[0])}"
            )
        return met(f"advises {wanted} for {drug}: {_quote(right[0])}")
    if heard.against_unnamed:
        return not_met(
            f"advises otherwise, and names no other drug than {drug}: {_quote(heard.against_unnamed[0])}"
        )
    if unsure := heard.advising(accepted, About.TARGET, Force.UNSURE):
        return cannot_tell(f"may advise {wanted} for {drug}: {_quote(unsure[0])}")
    vague = [
        one
        for whose in (About.UNNAMED, About.UNCLEAR)
        for force in (Force.FIRM, Force.UNSURE)
        for one in heard.advising(accepted, whose, force)
    ]
    if vague:
        return not_met(f"does not say which drug to {wanted}: {_quote(vague[0])}")
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
) -> "_Hearing":
    reading = read(
        evidence.said,
        Drugs.of(names, vocabulary),
        replacing=wanted is Decision.REPLACE,
        earlier=evidence.earlier,
    )
    return _Hearing(reading, frozenset(accepted), frozenset(against))


@dataclass(frozen=True)
class _Hearing:
    """A reading, sorted by what it does to the ``accepted`` decisions and those ``against`` them."""

    reading: Reading
    accepted: frozenset[Decision]
    against: frozenset[Decision]

    def advising(self, decisions: Collection[Decision], whose: About, force: Force) -> list[Advice]:
        """Give the advice for one of these decisions about that drug, said with that force."""
        return [
            one
            for one in self.reading.advice
            if one.decision in decisions and one.about is whose and one.force is force
        ]

    @cached_property
    def _opposing(self) -> list[Advice]:
        return [
            one
            for one in self.reading.advice
            if one.about is not About.OTHER and self._opposes(one) and not self._outdone(one)
        ]

    def _opposes(self, one: Advice) -> bool:
        return one.decision in self.against or (one.decision is None and Decision.CONTINUE in self.against)

    def _outdone(self, one: Advice) -> bool:
        """Tell whether "do not stop" is followed by what else to do: it implies no going on unchanged."""
        instead = {Act.HOLD: Decision.REDUCE, Act.REDUCE: Decision.HOLD}.get(one.denies or Act.GIVE)
        return instead is not None and any(
            other.decision is instead
            and other.force in (Force.FIRM, Force.UNSURE)
            and other.about is About.TARGET
            for other in self.reading.advice
        )

    @property
    def contrary(self) -> list[Advice | Remark]:
        """Give what surely advises against: on the drug by name, or by taking the advice back."""
        said = [
            one
            for one in self._opposing
            if one.about is About.TARGET and one.force in (Force.FIRM, Force.IMPLIED)
        ]
        undone = [
            one
            for one in self.reading.remarks
            if one.sure
            and (
                one.kind is Kind.TAKES_BACK
                or (
                    one.kind is Kind.APPROVES
                    and one.about is About.TARGET
                    and Decision.CONTINUE in self.against
                )
            )
        ]
        return [*said, *undone]

    @property
    def open(self) -> list[Advice | Remark]:
        """Give what leaves the drug to be chosen on."""
        choices = [
            one for one in self.reading.advice if one.force is Force.OPEN and one.about is not About.OTHER
        ]
        return [*choices, *(one for one in self.reading.remarks if one.kind is Kind.LEAVES_OPEN and one.sure)]

    @property
    def against_unnamed(self) -> list[Advice]:
        """Give advice against on no drug that is named: where nothing right is said, it is taken to be on this one."""
        return [one for one in self._opposing if one.force in (Force.FIRM, Force.IMPLIED, Force.UNSURE)]

    @property
    def doubtful(self) -> list[Advice | Remark]:
        """Give all that may undo right advice."""
        going_on = Decision.CONTINUE in self.against
        remarks = [one for one in self.reading.remarks if going_on or one.kind is not Kind.APPROVES]
        return [*self._opposing, *remarks]

    @property
    def unread(self) -> Sequence[Advice | Remark]:
        """Give what is said of the drug by name and not understood."""
        return [one for one in self.reading.remarks if one.kind is Kind.UNREAD and one.about is About.TARGET]


def _quote(one: Advice | Remark) -> str:
    text = " ".join(one.text.split())
    return repr(text if len(text) <= 120 else text[:117] + "...")

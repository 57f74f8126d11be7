"""Which rule match is tried for which slot: rules, then matches, then patients take turns."""

import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from agents.arcs import ARCS
from state.gold import Decision
from state.knowledge import Rule, RuleMatch
from state.plan import Slot
from state.session import TaskType

MOST_MATCHES_A_RULE = 400
"""Matches of one rule, or of its control, that are ever looked at; more would not spread a set any further."""

USES_OF_A_MATCH = 2
"""Sessions a match may carry before any other match is preferred to it, whatever it concludes; all of a small set."""
SMALL_SET = 108
"""Sessions, a third of a full set, up to which no match carries a second one while another is left to try."""

Pairs = Iterable[tuple[int, int]]


def shuffled(matches: Iterable[RuleMatch], seed: int) -> tuple[RuleMatch, ...]:
    """Order matches by rule, those of one rule by ``seed``; no more than ``MOST_MATCHES_A_RULE`` of each."""
    by_rule: dict[tuple[str, bool], list[RuleMatch]] = defaultdict(list)
    for match in matches:
        by_rule[match.rule_id, match.control].append(match)
    ordered: list[RuleMatch] = []
    for key in sorted(by_rule):
        random.Random(f"{seed}:{key}").shuffle(by_rule[key])  # noqa: S311
        ordered += by_rule[key][:MOST_MATCHES_A_RULE]
    return tuple(ordered)


@dataclass
class Casting:
    """Slots and candidates by number, and how often each rule, match and patient has been cast."""

    slots: Sequence[Slot]
    candidates: Sequence[RuleMatch]
    rules: Mapping[str, Rule]
    uses: Counter[object] = field(default_factory=Counter)

    def deal(self, filled: Pairs, failed: Pairs) -> list[tuple[int, int]]:
        """Give each slot that is not filled a candidate that has not failed it, as evenly as can be.

        ``filled`` and ``failed`` are pairs of slot and candidate. A slot for which nothing is left,
        or in a small set only matches that carry two sessions already, is passed over.
        """
        self.uses.clear()
        taken, tried = dict(filled), set(failed)
        told = {(self.slots[slot].arc, candidate) for slot, candidate in taken.items()}
        for candidate in taken.values():
            self._use(candidate)
        dealt = []
        for slot in range(len(self.slots)):
            if slot in taken:
                continue
            arc = self.slots[slot].arc
            fitting = self._fitting(self.slots[slot])
            left = (
                c for c in fitting if (slot, c) not in tried and (arc, c) not in told and not self._spent(c)
            )
            best = min(left, key=self._wear, default=None)
            if best is not None:
                self._use(best)
                told.add((arc, best))
                dealt.append((slot, best))
        return dealt

    def _fitting(self, slot: Slot) -> list[int]:
        writes = ARCS[slot.arc - 1].tasks[-1] is TaskType.WRITE
        fits = []
        for number, match in enumerate(self.candidates):
            rule = self.rules[match.rule_id]
            if (rule.scenario, rule.tier) == (slot.scenario, slot.tier) and not (writes and match.control):
                fits.append(number)
        return fits

    @property
    def _small(self) -> bool:
        return len(self.slots) <= SMALL_SET

    def _spent(self, candidate: int) -> bool:
        """Tell whether a match has carried all that a small set asks of one: its slot rather stays empty."""
        return self._small and self.uses[candidate] >= USES_OF_A_MATCH

    def _use(self, candidate: int) -> None:
        match = self.candidates[candidate]
        keys = (candidate, (match.rule_id, match.control), ("patient", match.subject_id), self._answer(match))
        self.uses.update(keys)

    def _wear(self, candidate: int) -> tuple[int, ...]:
        """Tell how worn a candidate is: what it concludes, so that no constant advice is often right, comes first."""
        match = self.candidates[candidate]
        worn = self.uses[candidate]
        return (
            worn if self._small else worn // USES_OF_A_MATCH,
            self.uses[self._answer(match)],
            self.uses[match.rule_id, match.control],
            worn,
            self.uses["patient", match.subject_id],
            candidate,
        )

    def _answer(self, match: RuleMatch) -> tuple[str, ...]:
        rule = self.rules[match.rule_id]
        if rule.judgement is not None:
            return (rule.scenario, rule.judgement.question, rule.judgement.answer)
        decided = Decision.CONTINUE if match.control else rule.decision
        return (rule.scenario, "decision", str(decided))

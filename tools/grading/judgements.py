"""JudgementItem: which of the answers that exclude each other the examinee gives."""

from collections.abc import Mapping, Sequence

from state.gold import JudgementItem
from state.outcome import Verdict
from tools.grading.changes import decide_change
from tools.grading.evidence import Finding, TurnEvidence, cannot_tell, met, not_met
from tools.grading.stances import Stance, stances
from tools.grading.text import sentences
from tools.vocabulary import Vocabulary


def decide_judgement(item: JudgementItem, evidence: TurnEvidence, vocabulary: Vocabulary) -> Finding:
    """Decide whether the right answer is given, with the amount it wants, and no other."""
    concluded = _conclusion(item, evidence)
    if item.change is None or concluded.verdict is Verdict.NOT_MET:
        return concluded
    moved = decide_change(item.change, evidence, vocabulary)
    return concluded if moved.verdict is Verdict.MET else moved


def _conclusion(item: JudgementItem, evidence: TurnEvidence) -> Finding:
    """Weigh what is given, denied or left open, clause by clause.

    Left undecided: what the text gives and denies at once or gives beside another answer, what may be doubt or advice,
    and a text that only denies every other answer.
    """
    answers = (item.names, *item.others)
    taken: dict[int, set[Stance]] = {}
    for sentence in sentences(evidence.said):
        if not sentence.asks:
            for answer, stance in stances(sentence.text, answers):
                taken.setdefault(answer, set()).add(stance)
    return _weighed([names[0] for names in answers], taken)


def _weighed(called: Sequence[str], taken: Mapping[int, set[Stance]]) -> Finding:
    """Weigh the stances to all answers; the right one is the first."""
    wanted, right = called[0], taken.get(0, set())
    given, opened, unclear, denied = (
        [answer for answer in range(len(called)) if stance in taken.get(answer, set())]
        for stance in (Stance.GIVEN, Stance.OPEN, Stance.UNCLEAR, Stance.DENIED)
    )
    others = [called[answer] for answer in given if answer != 0]
    if 0 in given and others:
        return cannot_tell(f"gives {wanted!r} and {', '.join(others)!r}")
    if 0 in given and (opened or unclear or denied[:1] == [0]):
        return cannot_tell(f"gives {wanted!r}, and denies it or leaves something open")
    if 0 in given:
        return met(f"concludes {wanted!r}")
    if Stance.UNCLEAR in right or (unclear and not given):
        return cannot_tell(f"may or may not give {called[unclear[0]]!r}")
    if given:
        return not_met(f"concludes {others[0]!r}, not {wanted!r}")
    if opened:
        return not_met("leaves the conclusion open")
    if denied == list(range(1, len(called))):
        return cannot_tell(f"denies every answer but {wanted!r}, which it does not name")
    return not_met(f"denies {wanted!r}" if Stance.DENIED in right else f"does not conclude {wanted!r}")

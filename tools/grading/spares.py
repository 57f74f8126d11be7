"""SparesItem: does the answer leave most other drugs alone?"""

import re
from collections.abc import Iterator, Sequence

from state.gold import Decision, DecisionItem, SparesItem
from state.outcome import Verdict
from tools.grading.decisions import decide_decision
from tools.grading.evidence import Finding, TurnEvidence, cannot_tell, met, not_met
from tools.grading.mood import is_negated
from tools.grading.names import spans
from tools.grading.naming import Named, drugs_named, named_in
from tools.grading.phrases import claim_words
from tools.grading.text import sentences
from tools.vocabulary import Vocabulary

_LISTED = re.compile(
    r"(?:\s*\d[\d.,-]*\s*[a-z]+)?(?:\s+(?:po|iv|sc|im|daily|bid|tid|qid|qhs|prn)\b)*"
    r"\s*(?:,|/|&|\+|\band\b|\bor\b|,\s*and\b|\bas well as\b|、|和|及|与)\s*(?:the\s+)?",
    re.IGNORECASE,
)
"""What stands between the drugs of a list, their doses included."""
_HEADING = re.compile(r"(?:\s+the following(?:\s+\w+){0,2}|^(\s*\w+))\s*:\s*$", re.IGNORECASE)
"""What leads up to a list: "stop the following:", "Hold:"."""


def decide_spares(item: SparesItem, evidence: TurnEvidence, vocabulary: Vocabulary) -> Finding:
    """Decide by what is advised for each other drug the answer names, and by "hold all medications"."""
    if len(item.others) > item.at_most and (whole := _everything_held(evidence)):
        return not_met(f"advises to hold all drugs: {whole!r}")
    named = sorted(drugs_named(item.others, evidence))
    if len(named) <= item.at_most:
        return met(f"names {len(named)} of the others")
    verdicts = {item.others[at][0]: _held(item, at, evidence, vocabulary) for at in named}
    held = [drug for drug, verdict in verdicts.items() if verdict is Verdict.MET]
    perhaps = [drug for drug, verdict in verdicts.items() if verdict is Verdict.CANNOT_TELL]
    if len(held) > item.at_most:
        return not_met(f"advises to hold {len(held)} others, {item.at_most} are allowed: {', '.join(held)}")
    if len(held) + len(perhaps) > item.at_most:
        return cannot_tell(f"may advise to hold {', '.join((*held, *perhaps))}; {item.at_most} are allowed")
    return met(f"advises to hold {len(held)} of the others")


def _held(item: SparesItem, at: int, evidence: TurnEvidence, vocabulary: Vocabulary) -> Verdict:
    names = item.others[at]
    rest = [name for index, other in enumerate(item.others) if index != at for name in other]
    told = _about(names, evidence, vocabulary)
    said = "\n".join(_out_of_lists(text, names, rest, vocabulary) for text in told)
    held = DecisionItem(
        item_id="held",
        text={evidence.language: f"Advises to hold {names[0]}"},
        names=names,
        decision=Decision.HOLD,
    )
    return decide_decision(held, evidence.replace(answer=said), vocabulary).verdict


def _about(names: tuple[str, ...], evidence: TurnEvidence, vocabulary: Vocabulary) -> Iterator[str]:
    """Give the sentences that name a drug, each with the one after it, which may say "hold it"."""
    named = False
    for sentence in sentences(evidence.said):
        before, named = named, any(drug.wanted for drug in named_in(names, sentence.text, vocabulary))
        if before or named:
            yield sentence.text


def _out_of_lists(text: str, names: tuple[str, ...], rest: Sequence[str], vocabulary: Vocabulary) -> str:
    """Leave of a list of drugs only this one: what is said of the list is said of each drug in it."""
    named = _all_named(text, names, rest, vocabulary)
    kept = next((at for at, drug in enumerate(named) if drug.wanted), None)
    if kept is None:
        return text
    first = last = kept
    while first and _LISTED.fullmatch(text[named[first - 1].span.end : named[first].span.start]):
        first -= 1
    while last + 1 < len(named) and _LISTED.fullmatch(
        text[named[last].span.end : named[last + 1].span.start]
    ):
        last += 1
    one = named[kept].span
    head = _HEADING.sub(lambda found: f"{found.group(1) or ''} ", text[: named[first].span.start])
    return head + text[one.start : one.end] + text[named[last].span.end :]


def _all_named(text: str, names: tuple[str, ...], rest: Sequence[str], vocabulary: Vocabulary) -> list[Named]:
    """Place this drug, the other orders by their names in the record, and any drug of the vocabulary."""
    by_word = named_in(names, text, vocabulary)
    found = [named for named in by_word if named.wanted]
    for other in (*(Named(span, wanted=False) for span in spans(rest, text)), *by_word):
        if not any(other.span.overlaps(named.span) for named in found):
            found.append(other)
    return sorted(found, key=lambda named: named.span.start)


def _everything_held(evidence: TurnEvidence) -> str | None:
    for sentence in sentences(evidence.said):
        found = None if sentence.asks else claim_words("holds_everything").search(sentence.text)
        if found and not is_negated(sentence.text[: found.start()]):
            return found.group()
    return None

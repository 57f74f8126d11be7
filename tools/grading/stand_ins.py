"""Words that stand for a drug where none is named: "it", "the dose", nothing at all."""

import re
from collections.abc import Sequence

from tools.grading.advice_words import pattern, words
from tools.grading.drug_mentions import DrugMention, Drugs

_BEFORE_HEAD = r"\s*:?\s*(?:the |his |her |all |any |further |more |oral |IV )*"
_OBJECTLESS_ZH = re.compile(r"并|且|及|同时|该|此|其|原|本|按|给|用|现|目前|当前|\W|$")


def may_stand(clause: str) -> bool:
    """Tell whether what follows an active verb may stand for a drug."""
    if not re.search(r"\w", clause):
        return True
    if pattern("other_objects", before=r"\s*(?:the\s+)?").match(clause):
        return False
    first = re.match(r"\W*([\w']+)", clause)
    word = first.group(1).lower() if first else ""
    nouns = pattern("stands_for_drug", "nouns")
    determined = word in words("stands_for_drug", "determiners")
    if determined and re.match(rf"\W*(?:[\w'-]+\s+){{1,4}}{nouns.pattern}", clause, re.IGNORECASE):
        return True
    stands = word in words("stands_for_drug", "words") or word in words("stands_for_drug", "follow")
    amount = word[:1].isdigit() and not re.match(r"\W*[\d.,-]+\s*[\w/]+ of\b", clause)
    return amount or (stands and not (determined and _noun_follows(clause))) or bool(nouns.fullmatch(word))


def may_stand_zh(said: str, clause: str) -> bool:
    """Tell whether a Chinese verb is said of a drug though none follows; some verbs have other objects too."""
    return said not in words("stands_for_drug", "strict_zh") or _OBJECTLESS_ZH.match(clause) is not None


def _noun_follows(clause: str) -> bool:
    """Tell whether "this", "next" or "all" goes on to name what is no drug."""
    second = re.match(r"\W*[\w']+\s+([\w']+)", clause)
    return second is not None and second.group(1).lower() not in words("stands_for_drug", "follow")


def heads(text: str, at: int, drugs: Drugs, mentions: Sequence[DrugMention]) -> bool:
    """Tell whether an analyte at a place stands for its supplement: nothing goes on to name another thing."""
    for head in drugs.heads:
        found = re.compile(_BEFORE_HEAD + re.escape(head) + r"(?![A-Za-z0-9-])", re.IGNORECASE).match(
            text, at
        )
        if found is None or any(m.span.start < found.end() < m.span.end for m in mentions):
            continue
        rest = text[found.end() :]
        word = re.match(r"\s*([A-Za-z']+)", rest)
        ends = word is None or word.group(1).lower() in words("stands_for_drug", "follow")
        return ends or bool(pattern("stands_for_drug", "nouns", before=r"\s*").match(rest))
    return False


def no_subject(clause: str) -> bool:
    """Tell whether words before a passive name no subject of their own."""
    if re.search(r"[\u3400-\u9fff]", clause):
        return pattern("plain_zh", of="remarks").sub("", clause).strip() == ""
    nouns, subject = pattern("stands_for_drug", "nouns"), pattern("subject")
    return all(
        subject.fullmatch(word) or nouns.fullmatch(word) for word in re.findall(r"[A-Za-z][A-Za-z']*", clause)
    )

"""Doses set against each other: "500 mg instead of 1000 mg", "from 3 mg to 2 mg"."""

import re
from collections.abc import Iterator

from tools.grading.advice_words import Act, Phrase, Voice
from tools.vocabulary import Vocabulary

_DOSE = (
    r"(\d[\d.,]*\s?(?:[A-Za-zµ]+|毫克|克))(?![/A-Za-z])(?:\s*(?:po|iv|orally|by mouth)\b)?"
    r"\s*((?:once |twice |three times )?(?:daily|a day|nightly|bid|tid|qid|q\d+h)?)\s*"
)
_NEW_FIRST = re.compile(
    _DOSE + r"[,(]?\s*(?:instead of|rather than|in place of|down from|up from|from)\s+" + _DOSE, re.IGNORECASE
)
_OLD_FIRST = re.compile(
    rf"(?:\bfrom\s+{_DOSE}(?:down |up )?to|{_DOSE}(?:(?:should|must|needs to) become|becomes|->|→))\s*{_DOSE}",
    re.IGNORECASE,
)
_OLD_FIRST_ZH = re.compile(rf"[由从]\s*{_DOSE}[^,;\d]{{0,6}}?(?:[减降调改增加升]少?[至为到成])\s*{_DOSE}")


def compared_doses(text: str, vocabulary: Vocabulary) -> list[Phrase]:
    """Find where a sentence sets a new dose against an old one on the same schedule; another schedule tells nothing."""
    found = []
    for match, new, old, schedules in _comparisons(text, vocabulary):
        if new != old and len(schedules) < 2:
            act = Act.REDUCE if new < old else Act.INCREASE
            found.append(Phrase(act, Voice.PASSIVE, match.start(), match.end()))
    return found


def keeps_dose(text: str, vocabulary: Vocabulary) -> bool:
    """Tell whether a sentence sets a dose against the same dose: "from 3 mg BID to 3 mg q12h" lowers nothing."""
    return any(new == old for _, new, old, _ in _comparisons(text, vocabulary))


def _comparisons(text: str, vocabulary: Vocabulary) -> Iterator[tuple[re.Match[str], float, float, set[str]]]:
    """Give each comparison with its new and its old amount of one unit, and the schedules it names."""
    for old_first, comparison in ((False, _NEW_FIRST), (True, _OLD_FIRST), (True, _OLD_FIRST_ZH)):
        for match in comparison.finditer(text):
            first, first_schedule, second, second_schedule = (
                part for part in match.groups() if part is not None
            )
            pair = (second, first) if old_first else (first, second)
            new, old = (vocabulary.dose(part.strip()) for part in pair)
            if new is None or old is None or new.unit != old.unit:
                continue
            schedules = {part.strip().lower() for part in (first_schedule, second_schedule)} - {""}
            yield match, new.value, old.value, schedules

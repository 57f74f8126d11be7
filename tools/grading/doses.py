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
    rf"(?:\bfrom\s+{_DOSE}(?:down |up )?to"
    rf"|{_DOSE}(?:(?:should|must|needs to) become|becomes|->|→"
    r"|(?:[\w ]{0,12}\b)?(?:reduced|lowered|decreased|cut|halved) to))"
    rf"\s*{_DOSE}",
    re.IGNORECASE,
)
_OLD_FIRST_ZH = re.compile(rf"[由从]\s*{_DOSE}[^,;\d]{{0,6}}?(?:[减降调改增加升]少?[至为到成])\s*{_DOSE}")
_A_DAY = {
    schedule: times
    for times, schedules in {
        1: ("daily", "once daily", "a day", "once a day", "nightly", "q24h"),
        2: ("bid", "twice daily", "twice a day", "q12h"),
        3: ("tid", "three times daily", "three times a day", "q8h"),
        4: ("qid", "q6h"),
    }.items()
    for schedule in schedules
}
"""Doses a day of the schedules that a comparison names."""


def compared_doses(text: str, vocabulary: Vocabulary) -> list[Phrase]:
    """Find where a sentence sets a new dose against an old one; of two schedules the doses of a day are compared."""
    found = []
    for match, new, old in _comparisons(text, vocabulary):
        if new != old:
            act = Act.REDUCE if new < old else Act.INCREASE
            found.append(Phrase(act, Voice.PASSIVE, match.start(), match.end()))
    return found


def keeps_dose(text: str, vocabulary: Vocabulary) -> bool:
    """Tell whether a sentence sets a dose against the same dose: "from 3 mg BID to 3 mg q12h" lowers nothing."""
    return any(new == old for _, new, old in _comparisons(text, vocabulary))


def _comparisons(text: str, vocabulary: Vocabulary) -> Iterator[tuple[re.Match[str], float, float]]:
    """Give each comparison with its new and its old amount of one unit; a schedule that is not known tells nothing."""
    for old_first, comparison in ((False, _NEW_FIRST), (True, _OLD_FIRST), (True, _OLD_FIRST_ZH)):
        for match in comparison.finditer(text):
            first, first_schedule, second, second_schedule = (
                part for part in match.groups() if part is not None
            )
            pair = [(second, second_schedule), (first, first_schedule)]
            (new, new_times), (old, old_times) = (
                (vocabulary.dose(dose.strip()), schedule.strip().lower())
                for dose, schedule in (pair if old_first else reversed(pair))
            )
            if new is None or old is None or new.unit != old.unit:
                continue
            if not new_times or not old_times or new_times == old_times:
                yield match, new.value, old.value
            elif new_times in _A_DAY and old_times in _A_DAY:
                yield match, new.value * _A_DAY[new_times], old.value * _A_DAY[old_times]

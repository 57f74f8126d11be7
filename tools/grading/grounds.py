"""The grounds of an answer: points that tell of the patient, the results or how a drug acts, and decide nothing."""

import re
from collections.abc import Collection

from tools.grading.advice_words import find_phrases, pattern, remark
from tools.vocabulary import Vocabulary

_MORE = ("own", "speakers", "meta", "denials", "allows", "deeds", "modals", "turns")
_OF_CHECKS = ("points_at", "own", "speakers", "meta", "denials", "allows", "deeds")
_OF_FACTS = ("speakers", "meta", "denials")
_UNDOING = ("doubts", "takes_back", "leaves_open", "asks_why")
_FIGURE = re.compile(r"\d")


def is_ground(text: str, vocabulary: Vocabulary) -> bool:
    """Tell whether a stretch only gives grounds or looks on, though not every word of it is known.

    It names no act, has nothing of what makes more of it, and speaks of something clinical; a heading is one too, and
    the names of the columns of a table. A drug with an amount is told of only where it is said to be on the record.
    """
    if pattern("headings", before=r"[\W\d]*", after=r"[\W\d]*", of="grounds").fullmatch(text):
        return True
    if names_columns(text):
        return True
    if '"' in text or text.rstrip().endswith("?") or find_phrases(text):
        return False
    drugs = [one for one in vocabulary.ingredient_mentions(text) if one.entry is not None]
    if not drugs and _looks_on(text):
        return True
    if any(pattern(name, of="grounds").search(text) for name in _MORE):
        return False
    amount = pattern("amounts", of="company").search(text) or pattern("portions", of="grounds").search(text)
    on_record = pattern("told", of="grounds").search(text) is not None
    if amount or (drugs and remark("facts").search(text) is None):
        return on_record
    return bool(_FIGURE.search(text) or vocabulary.analyte_mentions(text) or remark("topics").search(text))


def _looks_on(text: str) -> bool:
    """Tell whether a stretch only asks for a check, whenever that is to be."""
    if pattern("monitors", before=r"[\W\d]*", of="company").match(text) is None:
        return False
    return not any(pattern(name, of="grounds").search(text) for name in _OF_CHECKS)


def names_columns(text: str) -> bool:
    """Tell whether a stretch is the row of a table that names its columns."""
    cells = [cell.strip() for cell in text.split(",")]
    if not text.lstrip().startswith(",") or not any(cells):
        return False
    return all(pattern("columns", of="grounds").fullmatch(cell) for cell in cells if cell)


def starts_now(text: str) -> bool:
    """Tell whether a stretch only says that what is advised begins with the dose that is next."""
    return pattern("starts_now", before=r"[\W]*", after=r"[\W]*", of="grounds").fullmatch(text) is not None


def undoes_nothing(text: str) -> bool:
    """Tell whether a stretch beside what something is found to be leaves that alone: whatever else is to be done."""
    if '"' in text or text.rstrip().endswith("?"):
        return False
    text = pattern("advises", of="grounds").sub(" ", text)
    spoken = any(pattern(name, of="grounds").search(text) for name in _OF_FACTS)
    return not spoken and not any(remark(name).search(text) for name in _UNDOING)


def points_at_nothing(text: str) -> bool:
    """Tell whether a stretch points at nothing it does not name, and speaks of no advice and of nobody's word."""
    return not any(
        pattern(name, of="grounds").search(text) for name in ("points_at", "own", "speakers", "meta")
    )


def is_elsewhere(
    text: str, vocabulary: Vocabulary, spared: Collection[str] = (), classes: frozenset[str] = frozenset()
) -> bool:
    """Tell whether a stretch asks for something that is no part of what is decided: a test, a diet, another drug.

    ``spared``: ids of the drugs that what is decided is about, ``classes`` their classes. It points at nothing it does
    not name, and nobody else speaks in it.
    """
    if '"' in text or text.rstrip().endswith("?"):
        return False
    if not points_at_nothing(text):
        return False
    if any(remark(name).search(text) for name in ("belittles", "doubts", "takes_back", "leaves_open")):
        return False
    drugs = [one.entry for one in vocabulary.ingredient_mentions(text) if one.entry is not None]
    if any(drug in spared or classes.intersection(_classes(drug, vocabulary)) for drug in drugs):
        return False
    return bool(drugs) or pattern("objects", of="grounds").search(text) is not None


def _classes(drug: str, vocabulary: Vocabulary) -> tuple[str, ...]:
    found = vocabulary.ingredient_by_id(drug)
    return found.classes if found else ()


def thinks_again(text: str) -> bool:
    """Tell whether a stretch lets a drug that is off wait for a result that is to recover."""
    if pattern("thinks_again", of="grounds").search(text) is None or pattern("resumes_soon").search(text):
        return False
    waits = pattern("condition").search(text) or pattern("later").search(text)
    recovers = pattern("recovery").search(text) or pattern("comes_back", of="grounds").search(text)
    return waits is not None and recovers is not None

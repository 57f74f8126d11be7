"""What a word in an Observation search means: one test of one specimen, or nothing."""

from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches

from tools.fhir.context import Context, Row
from tools.fhir.dictionaries import LabItem
from tools.fhir.outcome import IssueType, Refused


@dataclass(frozen=True)
class LabTest:
    """A laboratory test of one specimen: how it is called, and the items that measure it."""

    display: str
    itemids: frozenset[int]


def lab_test(context: Context, code: str) -> LabTest | None:
    """Resolve a laboratory test by vocabulary, then LOINC, label, itemid; None where none of them knows it.

    Refuses a label that names tests of several specimens.
    """
    analyte = context.vocabulary.analyte(code)
    if analyte is not None:
        name, specimen = analyte.names[context.labels.language], context.labels.word(analyte.specimen)
        return LabTest(f"{name} ({specimen})", frozenset(analyte.itemids))
    if coded := context.vocabulary.loinc.items(code):
        known = context.dictionaries.lab_items.get(coded[0])
        named_by = f"{known.label} ({known.specimen})" if known else "laboratory items"
        return LabTest(f"{named_by}, LOINC {code}", frozenset(coded))
    named = context.dictionaries.lab_items_by_label.get(code.lower(), ())
    if not named:
        named = tuple(
            i for i in context.dictionaries.lab_items.values() if _label_in_specimen(i) == code.lower()
        )
    if len({(item.fluid, item.category) for item in named}) > 1:
        candidates = "; ".join(item.described for item in named)
        raise Refused(
            IssueType.MULTIPLE_MATCHES,
            f"{code!r} names several tests, ask for one by its itemid: {candidates}",
        )
    if not named and code.isdecimal() and int(code) in context.dictionaries.lab_items:
        named = (context.dictionaries.lab_items[int(code)],)
    if named:
        return LabTest(f"{named[0].label} ({named[0].specimen})", frozenset(item.itemid for item in named))
    return None


def nearest_lab_names(context: Context, code: str) -> list[str]:
    """List known test names that look like ``code``, for the caller to choose from."""
    labels = {item.label for item in context.dictionaries.lab_items.values()}
    return _nearest(code, labels, context.vocabulary.nearest_analytes(code))


def is_micro_test(row: Row, code: str) -> bool:
    """Tell whether a culture, other microbiology test, or its specimen has exactly this name, in any case."""
    return any(
        str(row[column] or "").strip().lower() == code.lower() for column in ("test_name", "spec_type_desc")
    )


def nearest_micro_names(context: Context, code: str) -> list[str]:
    """List test and specimen names of this patient that look like ``code``, else all of them."""
    rows = context.rows("hosp.microbiologyevents")
    names = {
        str(row[column]).strip() for row in rows for column in ("test_name", "spec_type_desc") if row[column]
    }
    return _nearest(code, names) or sorted(names)


def _nearest(code: str, names: Iterable[str], first: Iterable[str] = ()) -> list[str]:
    by_folded = {name.lower(): name for name in sorted(names)}
    close = get_close_matches(code.lower(), by_folded, n=5, cutoff=0.6)
    suggested = {name.lower(): name for name in (*(by_folded[name] for name in close), *first)}
    return list(suggested.values())


def _label_in_specimen(item: LabItem) -> str:
    return f"{item.label} ({item.specimen})".lower()

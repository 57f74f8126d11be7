"""What a word in an Observation search means: one test of one specimen, or nothing."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from difflib import get_close_matches

from state.base import Language
from tools.fhir.context import Context, Row
from tools.fhir.dictionaries import LabItem
from tools.fhir.outcome import IssueType, Refused


@dataclass(frozen=True)
class CodedTest:
    """A test that a code means: how it is called, and which rows are its results."""

    display: str
    matches: Callable[[Row], bool]


def lab_test(context: Context, code: str) -> CodedTest | None:
    """Resolve a laboratory test by vocabulary, then label, itemid, LOINC; None where none of them knows it.

    Refuses a label that names tests of several specimens.
    """
    analyte = context.vocabulary.analyte(code)
    if analyte is None:
        analyte = next((a for a in context.vocabulary.analytes if a.loinc == code), None)
    if analyte is not None:
        return _items(f"{analyte.names[Language.EN]} ({analyte.specimen})", analyte.itemids)
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
        return _items(f"{named[0].label} ({named[0].specimen})", [item.itemid for item in named])
    return None


def nearest_lab_names(context: Context, code: str) -> list[str]:
    """List known test names that look like ``code``, for the caller to choose from."""
    labels = {item.label for item in context.dictionaries.lab_items.values()}
    return _nearest(code, labels, context.vocabulary.nearest_analytes(code))


def micro_test(context: Context, code: str) -> CodedTest | None:
    """Resolve a culture, other microbiology test, or specimen of this patient by its exact name in any case."""
    name = code.lower()

    def named_so(row: Row) -> bool:
        return name in {
            str(row["test_name"] or "").strip().lower(),
            str(row["spec_type_desc"] or "").strip().lower(),
        }

    rows = context.rows("hosp.microbiologyevents")
    return CodedTest(code, named_so) if any(named_so(row) for row in rows) else None


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


def _items(display: str, itemids: Iterable[int]) -> CodedTest:
    wanted = frozenset(itemids)
    return CodedTest(display, lambda row: row["itemid"] in wanted)


def _label_in_specimen(item: LabItem) -> str:
    return f"{item.label} ({item.specimen})".lower()

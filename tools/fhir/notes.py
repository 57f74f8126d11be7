"""The notes of one chart: discharge summaries and radiology reports, with what their detail tables say."""

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from tools.fhir.context import Context, Row
from tools.fhir.elements import text_of
from tools.fhir.headings import Heading
from tools.fhir.search_arguments import DocumentType
from tools.fhir.sections import Section, named, split

TABLES = {
    DocumentType.DISCHARGE_SUMMARY: "note.discharge",
    DocumentType.RADIOLOGY: "note.radiology",
}
ADDENDUM = "AR"
"""The note_type of an addendum to a radiology report, https://mimic.mit.edu/docs/iv/modules/note/radiology."""


@dataclass(frozen=True)
class Note:
    """One note. ``exams`` names the examinations of a radiology report; ``parent`` is the report an addendum is to."""

    kind: DocumentType
    row: Row
    exams: tuple[str, ...] = ()
    parent: str | None = None

    @property
    def note_id(self) -> str:
        """Give MIMIC-IV's id, ``10000032-DS-21``."""
        return str(self.row["note_id"])

    @property
    def document_id(self) -> str:
        """Name the note as a DocumentReference."""
        return f"note-{self.note_id}"

    @property
    def moment(self) -> datetime:
        """Give the time charted: of the examination, or the midnight of the discharge summary's day."""
        moment: datetime = self.row["charttime"]
        return moment

    @property
    def hadm_id(self) -> int | None:
        """Give the admission the note belongs to, where it has begun."""
        hadm_id: int | None = self.row["hadm_id"]
        return hadm_id

    @property
    def text(self) -> str:
        """Give the whole text."""
        return self.row["text"] or ""

    @cached_property
    def lowered(self) -> str:
        """Give the whole text in lower case, to see quickly which words cannot be in it."""
        return self.text.lower()

    @property
    def title(self) -> str:
        """Name the note as clinicians would."""
        if self.kind is DocumentType.DISCHARGE_SUMMARY:
            return "Discharge summary"
        named_exams = "; ".join(self.exams) or "Radiology report, examination not recorded"
        return f"{named_exams} (addendum)" if self.row["note_type"] == ADDENDUM else named_exams

    @cached_property
    def sections(self) -> tuple[Section, ...]:
        """Split the text at its headings."""
        return split(self.kind, self.text)

    @property
    def section_names(self) -> tuple[str, ...]:
        """List the headings of the text, each once."""
        return tuple(dict.fromkeys(section.heading.name for section in self.sections))

    def section(self, heading: Heading | None) -> str | None:
        """Give the text under a heading; None where the note has no such section."""
        return named(self.sections, heading)


class Notes:
    """The notes known at as_of."""

    def __init__(self, context: Context) -> None:
        self._context = context

    @cached_property
    def newest_first(self) -> list[Note]:
        """Sort every known note by its charted time."""
        return sorted(
            (*self.discharge_summaries, *self.radiology),
            key=lambda note: (note.moment, note.note_id),
            reverse=True,
        )

    @cached_property
    def discharge_summaries(self) -> list[Note]:
        """Sort discharge summaries, the newest first."""
        rows = self._context.rows("note.discharge")
        notes = [Note(DocumentType.DISCHARGE_SUMMARY, row) for row in rows if text_of(row["text"])]
        return sorted(notes, key=lambda note: (note.moment, note.note_id), reverse=True)

    @cached_property
    def radiology(self) -> list[Note]:
        """Sort radiology reports and addenda, the newest first; an addendum names its report only if that is known."""
        rows = [row for row in self._context.rows("note.radiology") if text_of(row["text"])]
        known = {row["note_id"] for row in rows}
        details: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
        for detail in sorted(
            self._context.rows("note.radiology_detail"), key=lambda d: (d["field_ordinal"] or 0, d["row_id"])
        ):
            if value := text_of(detail["field_value"]):
                details[detail["note_id"]][str(detail["field_name"])].append(value)
        notes = []
        for row in rows:
            of_note = details.get(row["note_id"], {})
            exams = tuple(dict.fromkeys(of_note.get("exam_name", [])))
            parent = next((note for note in of_note.get("parent_note_id", []) if note in known), None)
            notes.append(Note(DocumentType.RADIOLOGY, row, exams, parent))
        return sorted(notes, key=lambda note: (note.moment, note.note_id), reverse=True)

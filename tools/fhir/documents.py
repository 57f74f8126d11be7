"""DocumentReference from note.discharge and note.radiology: a list of documents, or the text of one."""

import re
from functools import partial

from tools.fhir.arguments import Sort
from tools.fhir.context import Context
from tools.fhir.elements import Resource, compact, concept, date_time, reference
from tools.fhir.excerpts import LISTED_TOKENS, Excerpt, attachment, excerpt, passages, whole_words
from tools.fhir.headings import HEADINGS, Heading, heading_named
from tools.fhir.labels import Labels
from tools.fhir.listing import Listing, Notice, incomplete
from tools.fhir.notes import TABLES, Note, Notes
from tools.fhir.outcome import IssueType, Refused, not_loaded
from tools.fhir.search_arguments import DocumentReferenceSearch, DocumentType
from tools.fhir.systems import LOINC

TYPE = {
    DocumentType.DISCHARGE_SUMMARY: concept("Discharge summary", (LOINC, "18842-5", "Discharge summary")),
    DocumentType.RADIOLOGY: concept("Radiology report", (LOINC, "18748-4", "Diagnostic imaging study")),
}


class Documents:
    """Notes of one chart as FHIR documents."""

    def __init__(self, context: Context, notes: Notes) -> None:
        self._context = context
        self._notes = notes

    def search(self, asked: DocumentReferenceSearch) -> Listing[Note]:
        """Find documents. One document on a page is shown in parts of its text, several are listed."""
        context = self._context
        context.check_admission(asked.hadm_id)
        kinds = (asked.type_code,) if asked.type_code else tuple(DocumentType)
        missing = context.missing(TABLES[kind] for kind in kinds)
        if len(missing) == len(kinds):
            raise not_loaded(*missing)
        headings = _headings(kinds, asked.section) if asked.section is not None else {}
        words = whole_words(asked.keyword) if asked.keyword is not None else None
        longest = max(asked.keyword.lower().split(), key=len) if asked.keyword is not None else ""
        hits = [
            note
            for note in self._notes.newest_first
            if note.kind in kinds
            and asked.covers(note.moment)
            and context.within(asked.hadm_id, note.hadm_id, note.moment)
            and (words is None or (longest in note.lowered and words.search(note.text) is not None))
        ]
        newest_first = asked.sort is Sort.NEWEST_FIRST
        if not newest_first:
            hits.reverse()
        what = context.say("documents")
        if asked.type_code is not None:
            what = context.say("documents_of", kind=context.labels.word(asked.type_code))
        if asked.keyword is not None:
            what = context.say("documents_with", documents=what, keyword=asked.keyword)
        return Listing(
            what=what,
            order=context.say(f"{asked.sort.age}_by_charted"),
            hits=hits,
            identify=lambda note: note.document_id,
            build=partial(self._build, asked, headings, words, alone=False),
            build_alone=partial(self._build, asked, headings, words, alone=True),
            notices=incomplete(context.labels, missing),
            if_several=(Notice(IssueType.INFORMATIONAL, context.say("how_to_read")),),
        )

    def _build(
        self,
        asked: DocumentReferenceSearch,
        headings: dict[DocumentType, Heading],
        words: re.Pattern[str] | None,
        note: Note,
        *,
        alone: bool,
    ) -> Resource:
        if asked.part > 1 and not alone:
            raise Refused(IssueType.VALUE, f"part {asked.part} of which document? Name one by its _id")
        row, labels = note.row, self._context.labels
        if asked.section is not None:
            shown = _section(labels, note, asked.section, headings.get(note.kind), asked.part, alone=alone)
        elif alone:
            shown = _whole(labels, note, asked.part)
        else:
            extent = {"characters": f"{len(note.text):,}", "sections": _sections(labels, note)}
            shown = attachment(labels.say("text_in_list", **extent))
        parent = [{"code": "appends", "target": reference("DocumentReference", f"note-{note.parent}")}]
        encounter = self._context.encounter(note.hadm_id)
        return compact(
            {
                "resourceType": "DocumentReference",
                "id": note.document_id,
                "status": "current",
                "docStatus": "final",
                "type": TYPE[note.kind],
                "subject": self._context.subject,
                "date": date_time(row["storetime"] or row["charttime"]),
                "relatesTo": parent if note.parent else None,
                "description": _described(labels, note, asked.keyword, words),
                "content": [{"attachment": shown}],
                "context": compact(
                    {
                        "encounter": [encounter] if encounter else None,
                        "period": {"start": date_time(row["charttime"])},
                    }
                ),
            }
        )


def _described(labels: Labels, note: Note, keyword: str | None, words: re.Pattern[str] | None) -> str | None:
    """Name the examinations, and quote what was searched for; a discharge summary is named by its type."""
    exams = note.title if note.kind is DocumentType.RADIOLOGY else None
    found = None
    if words is not None:
        found = labels.say("keyword_in", keyword=keyword, places=passages(labels, note.text, words))
    return " | ".join(text for text in (exams, found) if text) or None


def _headings(kinds: tuple[DocumentType, ...], asked: str) -> dict[DocumentType, Heading]:
    found = heading_named(kinds, asked)
    if not found:
        known = "; ".join(
            f"{kind}: {', '.join(heading.name for heading in HEADINGS[kind])}" for kind in kinds
        )
        raise Refused(IssueType.CODE_INVALID, f"{asked!r} is no section of these documents; {known}")
    return found


def _sections(labels: Labels, note: Note) -> str:
    if not note.sections:
        return labels.say("no_sections")
    return labels.say("sections", names=", ".join(note.section_names))


def _whole(labels: Labels, note: Note, number: int) -> Resource:
    part = excerpt(note.text, number)
    title = labels.say("text", extent=part.described(labels))
    return attachment(_go_on(labels, title, part), part.text)


def _section(
    labels: Labels, note: Note, asked: str, heading: Heading | None, number: int, *, alone: bool
) -> Resource:
    text = note.section(heading)
    if heading is None or text is None:
        extent = {"characters": f"{len(note.text):,}", "sections": _sections(labels, note)}
        return attachment(labels.say("no_such_section", asked=asked, **extent))
    part = excerpt(text, number) if alone else excerpt(text, tokens=LISTED_TOKENS)
    title = labels.say("section", name=heading.name, extent=part.described(labels))
    if alone:
        title = _go_on(labels, title, part)
    elif not part.whole:
        title = labels.say("rest_by_id", text=title)
    return attachment(title, part.text)


def _go_on(labels: Labels, title: str, part: Excerpt) -> str:
    return labels.say("more_parts", text=title, next=part.number + 1) if part.number < part.of else title

"""DiagnosticReport from note.radiology, and from hosp.microbiologyevents by specimen."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property, partial
from itertools import groupby

from tools.fhir.arguments import Sort
from tools.fhir.context import Context
from tools.fhir.elements import Resource, compact, concept, date_time, text_of
from tools.fhir.excerpts import LISTED_TOKENS, attachment, excerpt
from tools.fhir.headings import IMPRESSION
from tools.fhir.listing import Listing, incomplete
from tools.fhir.microbiology import Isolate, Microbiology
from tools.fhir.notes import Note, Notes
from tools.fhir.outcome import IssueType, Refused, not_loaded
from tools.fhir.render_parts import finding_text
from tools.fhir.search_arguments import DiagnosticReportSearch, ReportType
from tools.fhir.systems import DIAGNOSTIC_SERVICE, LOINC, MICRO_SPECIMEN_ID
from tools.fhir.tokens import estimate_tokens

TABLES = {
    ReportType.RADIOLOGY: "note.radiology",
    ReportType.MICROBIOLOGY: "hosp.microbiologyevents",
}
RADIOLOGY = concept("Radiology", (DIAGNOSTIC_SERVICE, "RAD", "Radiology"))
MICROBIOLOGY = concept("Microbiology", (DIAGNOSTIC_SERVICE, "MB", "Microbiology"))


@dataclass(frozen=True)
class Report:
    """One report found. ``build_alone`` shows a text whole that ``build`` shows in part."""

    moment: datetime
    resource_id: str
    hadm_id: int | None
    build: Callable[[], Resource]
    build_alone: Callable[[], Resource]


class DiagnosticReports:
    """Radiology reports and microbiology specimens of one chart."""

    def __init__(self, context: Context, notes: Notes, microbiology: Microbiology) -> None:
        self._context = context
        self._notes = notes
        self._microbiology = microbiology

    def search(self, asked: DiagnosticReportSearch) -> Listing[Report]:
        """Find reports of one type or both. MIMIC-IV keeps no laboratory reports: results stand alone."""
        context = self._context
        context.check_admission(asked.hadm_id)
        if asked.report_type is ReportType.LABORATORY:
            raise Refused(
                IssueType.NOT_SUPPORTED,
                "this record keeps laboratory results singly and does not say which were ordered as a panel: "
                "find them with Observation_search, category laboratory",
            )
        types = (asked.report_type,) if asked.report_type else tuple(TABLES)
        missing = context.missing(TABLES[kind] for kind in types)
        if len(missing) == len(types):
            raise not_loaded(*missing)
        hits = [
            report
            for kind in types
            for report in (self._radiology if kind is ReportType.RADIOLOGY else self._specimens)
            if asked.covers(report.moment) and context.within(asked.hadm_id, report.hadm_id, report.moment)
        ]
        newest_first = asked.sort is Sort.NEWEST_FIRST
        hits.sort(key=lambda report: (report.moment, report.resource_id), reverse=newest_first)
        return Listing(
            what=context.say("reports_of", kind=context.labels.word(asked.report_type))
            if asked.report_type
            else context.say("reports"),
            order=context.say(f"{asked.sort.age}_by_examination"),
            hits=hits,
            identify=lambda report: report.resource_id,
            build=lambda report: report.build(),
            build_alone=lambda report: report.build_alone(),
            notices=incomplete(context.labels, missing),
        )

    @cached_property
    def _radiology(self) -> list[Report]:
        return [
            Report(
                note.moment,
                f"rad-{note.note_id}",
                note.hadm_id,
                partial(self._of_note, note, alone=False),
                partial(self._of_note, note, alone=True),
            )
            for note in self._notes.radiology
        ]

    @cached_property
    def _specimens(self) -> list[Report]:
        """Group results by specimen."""
        isolates = sorted(self._microbiology.newest_first, key=lambda i: (_specimen(i), i.resource_id))
        reports = []
        for specimen, group in groupby(isolates, _specimen):
            members = tuple(group)
            build = partial(self._of_specimen, specimen, members)
            row = members[0].rows[0]
            reports.append(Report(members[0].moment, f"micro-{specimen}", row["hadm_id"], build, build))
        return reports

    def _of_note(self, note: Note, *, alone: bool) -> Resource:
        row, labels = note.row, self._context.labels
        impression = note.section(IMPRESSION)
        shown: Resource = {}
        elsewhere = f"DocumentReference_search _id={note.document_id}"
        if alone:
            part = excerpt(note.text)
            title = labels.say("text", extent=part.described(labels))
            title = title if part.whole else labels.say("more_parts_elsewhere", text=title, call=elsewhere)
            shown = {"presentedForm": [attachment(title, part.text)]}
        elif impression and estimate_tokens(impression) <= LISTED_TOKENS:
            title = labels.say("whole_by", characters=f"{len(note.text):,}", call=elsewhere)
            shown = {"conclusion": impression, "presentedForm": [attachment(title)]}
        else:
            part = excerpt(impression or note.text, tokens=LISTED_TOKENS)
            extent = part.described(labels)
            title = labels.say("no_impression", extent=extent)
            if impression:
                title = labels.say("section", name=IMPRESSION.name, extent=extent)
            title = labels.say("whole_elsewhere", text=title, call=elsewhere)
            shown = {"presentedForm": [attachment(title, part.text)]}
        return compact(
            {
                "resourceType": "DiagnosticReport",
                "id": f"rad-{note.note_id}",
                "status": "final",
                "category": [RADIOLOGY],
                "code": concept(note.title, (LOINC, "18748-4", "Diagnostic imaging study")),
                "subject": self._context.subject,
                "encounter": self._context.encounter(note.hadm_id),
                "effectiveDateTime": date_time(row["charttime"]),
                "issued": date_time(row["storetime"]) if row["storetime"] is not None else None,
                **shown,
            }
        )

    def _of_specimen(self, specimen: int, isolates: tuple[Isolate, ...]) -> Resource:
        """Build the report of one specimen; whether further results are to come the record does not say."""
        results = [self._microbiology.build(isolate) for isolate in isolates]
        row = isolates[0].rows[0]
        stored = [r["storetime"] for isolate in isolates for r in isolate.rows if r["storetime"] is not None]
        taken = row["charttime"] or row["chartdate"].date()
        name = text_of(row["spec_type_desc"]) or "specimen not recorded"
        return compact(
            {
                "resourceType": "DiagnosticReport",
                "id": f"micro-{specimen}",
                "status": "unknown",
                "category": [MICROBIOLOGY],
                "code": concept(
                    self._context.say("microbiology_of", specimen=name),
                    (LOINC, "18725-2", "Microbiology studies (set)"),
                ),
                "subject": self._context.subject,
                "encounter": self._context.encounter(row["hadm_id"]),
                "effectiveDateTime": date_time(taken),
                "issued": date_time(max(stored)) if stored else None,
                "specimen": [
                    {"identifier": {"system": MICRO_SPECIMEN_ID, "value": str(specimen)}, "display": name}
                ],
                "result": [
                    {
                        "reference": f"Observation/{result['id']}",
                        "display": finding_text(self._context.labels, result),
                    }
                    for result in results
                ],
            }
        )


def _specimen(isolate: Isolate) -> int:
    specimen: int = isolate.rows[0]["micro_specimen_id"] or 0
    return specimen

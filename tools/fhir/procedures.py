"""Procedure from hosp.procedures_icd (coded after discharge) and icu.procedureevents (charted when done)."""

from dataclasses import dataclass
from datetime import datetime, time

from tools.fhir.arguments import Sort
from tools.fhir.context import Context, Row
from tools.fhir.elements import Resource, compact, concept, date_time, text_of
from tools.fhir.listing import Listing, incomplete
from tools.fhir.outcome import not_loaded
from tools.fhir.search_arguments import ProcedureSearch
from tools.fhir.systems import ICD_PROCEDURE, PROCEDURE_ITEM

TABLES = ("hosp.procedures_icd", "icu.procedureevents")
STATUS = {"FinishedRunning": "completed", "Stopped": "stopped", "Paused": "on-hold"}
"""icu.procedureevents.statusdescription -> code of FHIR R4's event-status; any other is unknown."""


@dataclass(frozen=True)
class Done:
    """A procedure, coded (``icd``) or charted (``icu``)."""

    kind: str
    moment: datetime
    row: Row

    @property
    def resource_id(self) -> str:
        """Name the procedure by its row."""
        return f"{self.kind}-{self.row['row_id']}"


def search_procedures(context: Context, asked: ProcedureSearch) -> Listing[Done]:
    """Find procedures by their start; coded ones have a date only."""
    context.check_admission(asked.hadm_id)
    missing = context.missing(TABLES)
    if len(missing) == len(TABLES):
        raise not_loaded(*missing)
    coded = context.rows("hosp.procedures_icd")
    done = [Done("icd", datetime.combine(row["chartdate"], time()), row) for row in coded]
    done += [Done("icu", row["starttime"], row) for row in context.rows("icu.procedureevents")]
    hits = [
        one
        for one in done
        if asked.covers(one.moment) and context.within(asked.hadm_id, one.row["hadm_id"], one.moment)
    ]
    newest_first = asked.sort is Sort.NEWEST_FIRST
    hits.sort(key=lambda one: (one.moment, one.resource_id), reverse=newest_first)
    context.dictionaries.procedure_titles({(row["icd_code"], row["icd_version"]) for row in coded})
    return Listing(
        what="procedures",
        order=f"{'newest' if newest_first else 'oldest'} first by start",
        hits=hits,
        identify=lambda one: one.resource_id,
        build=lambda one: _coded(context, one) if one.kind == "icd" else _charted(context, one),
        notices=incomplete(missing),
    )


def dotted(code: str, version: int) -> str:
    """Write an ICD-9-CM procedure code with its dot, after two digits; ICD-10-PCS has none."""
    plain = code.strip()
    return f"{plain[:2]}.{plain[2:]}" if version == 9 and len(plain) > 2 else plain


def _coded(context: Context, done: Done) -> Resource:
    row = done.row
    key = (row["icd_code"], row["icd_version"])
    code, title = dotted(*key), context.dictionaries.procedure_titles({key})[key]
    return compact(
        {
            "resourceType": "Procedure",
            "id": done.resource_id,
            "status": "completed",
            "code": concept(title or code, (ICD_PROCEDURE[row["icd_version"]], code, title)),
            "subject": context.subject,
            "encounter": context.encounter(row["hadm_id"]),
            "performedDateTime": date_time(row["chartdate"]),
            "note": [{"text": f"number {row['seq_num']} of the procedure codes of the admission"}],
        }
    )


def _charted(context: Context, done: Done) -> Resource:
    row, itemid = done.row, done.row["itemid"]
    label = context.dictionaries.procedure_items.get(itemid) or f"itemid {itemid}"
    said, kind, site = (text_of(row[c]) for c in ("statusdescription", "ordercategoryname", "location"))
    status = STATUS.get(said or "", "unknown")
    return compact(
        {
            "resourceType": "Procedure",
            "id": done.resource_id,
            "status": status,
            "category": concept(kind) if kind else None,
            "code": concept(label, (PROCEDURE_ITEM, str(itemid), label)),
            "subject": context.subject,
            "encounter": context.encounter(row["hadm_id"]),
            "performedPeriod": {"start": date_time(row["starttime"]), "end": date_time(row["endtime"])},
            "bodySite": [concept(site)] if site else None,
            "note": [{"text": f"charted as {said or 'of no status'}"}] if status != "completed" else None,
        }
    )

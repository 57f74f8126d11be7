"""Procedure from hosp.procedures_icd (coded after discharge) and icu.procedureevents (charted when done)."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, time
from difflib import get_close_matches

from tools.fhir.arguments import Sort
from tools.fhir.context import Context, Row
from tools.fhir.elements import Resource, compact, concept, date_time, text_of
from tools.fhir.listing import Listing, incomplete
from tools.fhir.outcome import IssueType, Refused, not_loaded
from tools.fhir.search_arguments import ProcedureSearch
from tools.fhir.systems import ICD_PROCEDURE, PROCEDURE_ITEM

TABLES = ("hosp.procedures_icd", "icu.procedureevents")
STATUS = {"FinishedRunning": "completed", "Stopped": "stopped", "Paused": "on-hold"}
"""icu.procedureevents.statusdescription -> code of FHIR R4's event-status; any other is unknown."""
CODE_FORM = re.compile(r"[A-Z0-9]{1,7}")
"""ICD-9-CM procedure codes have up to four digits, ICD-10-PCS codes seven letters and digits."""


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
    is_meant = _meant(context, asked.code) if asked.code is not None else lambda _: True
    hits = [
        one
        for one in done
        if is_meant(one)
        and asked.covers(one.moment)
        and context.within(asked.hadm_id, one.row["hadm_id"], one.moment)
    ]
    newest_first = asked.sort is Sort.NEWEST_FIRST
    hits.sort(key=lambda one: (one.moment, one.resource_id), reverse=newest_first)
    context.dictionaries.procedure_titles({(row["icd_code"], row["icd_version"]) for row in coded})
    return Listing(
        what=context.say("procedures_of", code=asked.code) if asked.code else context.say("procedures"),
        order=context.say(f"{asked.sort.age}_by_start"),
        hits=hits,
        identify=lambda one: one.resource_id,
        build=lambda one: _coded(context, one) if one.kind == "icd" else _charted(context, one),
        notices=incomplete(context.labels, missing),
    )


def _meant(context: Context, code: str) -> Callable[[Done], bool]:
    """Understand a code: the itemid or name of a charted procedure, else the beginning of an ICD code."""
    labels = context.dictionaries.procedure_items
    named = {itemid for itemid, label in labels.items() if code.lower() in (str(itemid), label.lower())}
    if named:
        return lambda done: done.kind == "icu" and done.row["itemid"] in named
    prefix = code.replace(".", "").upper()
    if CODE_FORM.fullmatch(prefix) and context.dictionaries.procedure_code_begins(prefix):
        return lambda done: done.kind == "icd" and done.row["icd_code"].strip().upper().startswith(prefix)
    near = get_close_matches(code.lower(), {label.lower(): label for label in labels.values()}, n=5)
    said = f"; nearest charted procedures: {'; '.join(near)}" if near else ""
    raise Refused(
        IssueType.CODE_INVALID,
        f"{code!r} is no procedure code, nor its beginning, nor the itemid or whole name of a charted procedure{said}",
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
            "note": [{"text": context.say("code_number_procedure", number=row["seq_num"])}],
        }
    )


def _charted(context: Context, done: Done) -> Resource:
    row, itemid = done.row, done.row["itemid"]
    label = context.dictionaries.procedure_items.get(itemid) or f"itemid {itemid}"
    said, kind, site = (text_of(row[c]) for c in ("statusdescription", "ordercategoryname", "location"))
    status = STATUS.get(said or "", "unknown")
    charted = context.say("charted_as", status=said) if said else context.say("charted_without_status")
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
            "note": [{"text": charted}] if status != "completed" else None,
        }
    )

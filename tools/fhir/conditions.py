"""Condition from coded diagnoses: hosp.diagnoses_icd of finished admissions, ed.diagnosis of finished stays."""

import re
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from tools.fhir.arguments import Sort
from tools.fhir.context import Context, Row
from tools.fhir.elements import Resource, compact, concept, date_time, text_of
from tools.fhir.listing import Listing, Notice, incomplete
from tools.fhir.outcome import IssueType, Refused, not_loaded
from tools.fhir.search_arguments import ClinicalStatus, ConditionSearch
from tools.fhir.systems import CONDITION_CATEGORY, CONDITION_CLINICAL, ICD

TABLES = ("hosp.diagnoses_icd", "ed.diagnosis")
CODE_FORM = re.compile(r"[A-Z]?\d[A-Z0-9]*|[A-Z]")


@dataclass(frozen=True)
class Diagnosis:
    """A coded diagnosis. ``active`` where the visit it belongs to has led to an admission under way."""

    kind: str
    recorded: datetime
    hadm_id: int | None
    row: Row
    active: bool

    @property
    def resource_id(self) -> str:
        """Name the diagnosis by its visit and its place among the visit's codes."""
        return f"{self.kind}-{self.row['row_id']}"


class Conditions:
    """Coded diagnoses of one chart."""

    def __init__(self, context: Context) -> None:
        self._context = context

    def search(self, asked: ConditionSearch) -> Listing[Diagnosis]:
        """Find coded diagnoses by visit, in the order of coding within it."""
        context = self._context
        context.check_admission(asked.hadm_id)
        missing = context.missing(TABLES)
        if len(missing) == len(TABLES):
            raise not_loaded(*missing)
        prefix = _prefix(context, asked.code)
        newest_first = asked.sort is Sort.NEWEST_FIRST
        found = [
            diagnosis
            for diagnosis in (self._newest_first if newest_first else self._oldest_first)
            if asked.covers(diagnosis.recorded)
            and (asked.hadm_id is None or diagnosis.hadm_id == asked.hadm_id)
            and diagnosis.row["icd_code"].strip().upper().startswith(prefix)
        ]
        hits, notices = found, incomplete(context.labels, missing)
        if asked.clinical_status is not None:
            hits = [d for d in found if d.active] if asked.clinical_status is ClinicalStatus.ACTIVE else []
            unknown = sum(not diagnosis.active for diagnosis in found)
            if unknown:
                text = context.say("status_not_told", number=unknown)
                notices += (Notice(IssueType.INFORMATIONAL, text),)
        context.dictionaries.load_icd_titles({(d.row["icd_code"], d.row["icd_version"]) for d in hits})
        return Listing(
            what=context.say("conditions_of", code=asked.code) if asked.code else context.say("conditions"),
            order=context.say(f"{asked.sort.age}_by_visit"),
            hits=hits,
            identify=lambda diagnosis: diagnosis.resource_id,
            build=lambda diagnosis: _condition(context, diagnosis),
            notices=notices,
        )

    @cached_property
    def _newest_first(self) -> list[Diagnosis]:
        """Sort by visit; two sorts, because the codes of a visit keep their order either way."""
        return sorted(_diagnoses(self._context), key=lambda d: (d.recorded, d.kind), reverse=True)

    @cached_property
    def _oldest_first(self) -> list[Diagnosis]:
        return sorted(_diagnoses(self._context), key=lambda d: (d.recorded, d.kind))


def _prefix(context: Context, code: str | None) -> str:
    if code is None:
        return ""
    prefix = code.replace(".", "").strip().upper()
    if not CODE_FORM.fullmatch(prefix):
        raise Refused(
            IssueType.CODE_INVALID,
            f"{code!r} is not the beginning of an ICD-9-CM or ICD-10-CM code: write N18, E11.9 or 428.0; "
            "leave code out to see every condition",
        )
    if not context.dictionaries.diagnosis_code_begins(prefix):
        raise Refused(IssueType.CODE_INVALID, f"no ICD-9-CM or ICD-10-CM diagnosis code begins with {code!r}")
    return prefix


def _diagnoses(context: Context) -> list[Diagnosis]:
    found = [
        Diagnosis("icd", row["known_at"], row["hadm_id"], row, active=False)
        for row in context.rows("hosp.diagnoses_icd")
    ]
    for row in context.rows("ed.diagnosis"):
        hadm_id = context.ed_stays[row["stay_id"]]["hadm_id"]
        under_way = hadm_id is not None and context.admissions[hadm_id]["dischtime"] is None
        found.append(Diagnosis("ed", row["known_at"], hadm_id, row, under_way))
    return sorted(found, key=lambda d: (d.row["seq_num"], d.row["row_id"]))


def dotted(code: str, version: int) -> str:
    """Write an ICD code with its dot: after three characters, after four for ICD-9-CM's E codes."""
    plain = code.strip()
    head = 4 if version == 9 and plain.startswith("E") else 3
    return f"{plain[:head]}.{plain[head:]}" if len(plain) > head else plain


def _condition(context: Context, diagnosis: Diagnosis) -> Resource:
    row = diagnosis.row
    code = dotted(row["icd_code"], row["icd_version"])
    title = text_of(row.get("icd_title")) or context.dictionaries.icd_title(
        row["icd_code"], row["icd_version"]
    )
    in_ed = diagnosis.kind == "ed"
    visit = {} if in_ed else {"hadm_id": row["hadm_id"]}
    number = context.say(
        f"code_number_{'emergency' if in_ed else 'admission'}", number=row["seq_num"], **visit
    )
    return compact(
        {
            "resourceType": "Condition",
            "id": diagnosis.resource_id,
            "clinicalStatus": concept("Active", (CONDITION_CLINICAL, "active", "Active"))
            if diagnosis.active
            else None,
            "category": [
                concept(
                    "Encounter Diagnosis", (CONDITION_CATEGORY, "encounter-diagnosis", "Encounter Diagnosis")
                )
            ],
            "code": concept(title or code, (ICD[row["icd_version"]], code, title)),
            "subject": context.subject,
            "encounter": context.ed_encounter(row["stay_id"]) if in_ed else context.encounter(row["hadm_id"]),
            "recordedDate": date_time(diagnosis.recorded),
            "note": [{"text": number}],
        }
    )

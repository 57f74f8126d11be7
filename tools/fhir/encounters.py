"""Encounter from hosp.admissions and ed.edstays."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from tools.fhir.arguments import Sort
from tools.fhir.context import Context, Row
from tools.fhir.elements import Resource, compact, concept, date_time, reference, text_of
from tools.fhir.listing import Listing, incomplete
from tools.fhir.search_arguments import EncounterSearch
from tools.fhir.systems import ACT_CODE, ED_ENCOUNTER_ID, HOSP_ENCOUNTER_ID

OBSERVATION_TYPES = frozenset(
    {"AMBULATORY OBSERVATION", "DIRECT OBSERVATION", "EU OBSERVATION", "OBSERVATION ADMIT"}
)
"""MIMIC-IV admission types under observation status (https://mimic.mit.edu/docs/iv/modules/hosp/admissions)."""
EMERGENCY = {"system": ACT_CODE, "code": "EMER", "display": "emergency"}
INPATIENT = {"system": ACT_CODE, "code": "IMP", "display": "inpatient encounter"}
OBSERVATION = {"system": ACT_CODE, "code": "OBSENC", "display": "observation encounter"}


@dataclass(frozen=True)
class Visit:
    """An admission or an emergency stay."""

    start: datetime
    kind: str
    row: Row

    @property
    def resource_id(self) -> str:
        """Name the visit by its key in MIMIC-IV."""
        return f"{self.kind}-{self.row['hadm_id' if self.kind == 'hosp' else 'stay_id']}"


def search_encounters(context: Context, asked: EncounterSearch) -> Listing[Visit]:
    """Find admissions and emergency stays; with hadm_id, that admission and the emergency stay it began with."""
    context.check_admission(asked.hadm_id)
    visits = [Visit(row["admittime"], "hosp", row) for row in context.admissions.values()]
    visits += [Visit(row["intime"], "ed", row) for row in context.ed_stays.values()]
    hits = [
        visit
        for visit in visits
        if (asked.hadm_id is None or visit.row["hadm_id"] == asked.hadm_id) and asked.covers(visit.start)
    ]
    newest_first = asked.sort is Sort.NEWEST_FIRST
    hits.sort(key=lambda visit: (visit.start, visit.kind), reverse=newest_first)
    moves = _moves(context)
    return Listing(
        what=context.say("encounters"),
        order=context.say(f"{asked.sort.age}_by_start"),
        hits=hits,
        identify=lambda visit: visit.resource_id,
        build=lambda visit: (
            _admission(context, visit, moves) if visit.kind == "hosp" else _stay(context, visit)
        ),
        notices=incomplete(context.labels, context.missing(["ed.edstays"])),
    )


def _moves(context: Context) -> Mapping[int, list[Row]]:
    moves: dict[int, list[Row]] = defaultdict(list)
    for row in sorted(context.rows("hosp.transfers"), key=lambda row: (row["intime"], row["transfer_id"])):
        if row["hadm_id"] is not None and text_of(row["careunit"]):
            moves[row["hadm_id"]].append(row)
    return moves


def _period(start: datetime, end: datetime | None) -> Resource:
    return compact({"start": date_time(start), "end": date_time(end) if end else None})


def _admission(context: Context, visit: Visit, moves: Mapping[int, list[Row]]) -> Resource:
    row = visit.row
    source, disposition = text_of(row["admission_location"]), text_of(row["discharge_location"])
    kind = text_of(row["admission_type"])
    return compact(
        {
            "resourceType": "Encounter",
            "id": visit.resource_id,
            "identifier": [{"system": HOSP_ENCOUNTER_ID, "value": str(row["hadm_id"])}],
            "status": "finished" if row["dischtime"] is not None else "in-progress",
            "class": OBSERVATION if kind in OBSERVATION_TYPES else INPATIENT,
            "type": [concept(kind)] if kind else None,
            "subject": context.subject,
            "period": _period(row["admittime"], row["dischtime"]),
            "hospitalization": compact(
                {
                    "admitSource": concept(source) if source else None,
                    "dischargeDisposition": concept(disposition) if disposition else None,
                }
            ),
            "location": [
                {
                    "location": {"display": move["careunit"].strip()},
                    "status": "completed" if move["outtime"] is not None else "active",
                    "period": _period(move["intime"], move["outtime"]),
                }
                for move in moves.get(row["hadm_id"], [])
            ],
        }
    )


def _stay(context: Context, visit: Visit) -> Resource:
    row = visit.row
    disposition, arrival = text_of(row["disposition"]), text_of(row["arrival_transport"])
    return compact(
        {
            "resourceType": "Encounter",
            "id": visit.resource_id,
            "identifier": [{"system": ED_ENCOUNTER_ID, "value": str(row["stay_id"])}],
            "status": "finished" if row["outtime"] is not None else "in-progress",
            "class": EMERGENCY,
            "type": [concept("EMERGENCY DEPARTMENT")],
            "subject": context.subject,
            "period": _period(row["intime"], row["outtime"]),
            "hospitalization": compact(
                {
                    "admitSource": concept(arrival) if arrival else None,
                    "dischargeDisposition": concept(disposition) if disposition else None,
                }
            ),
            "partOf": reference("Encounter", f"hosp-{row['hadm_id']}")
            if row["hadm_id"] is not None
            else None,
        }
    )

"""WriteFieldItem and ExactWritesItem: what was written, compared after normalisation and never by likeness."""

import re
from collections import Counter
from collections.abc import Mapping
from typing import Any

from state.gold import ExactWritesItem, FieldMatch, WriteFieldItem
from tools.fhir.dates import day_or_moment
from tools.fhir.state_diff import Write
from tools.grading.evidence import Finding, TurnEvidence, met, not_met
from tools.grading.text import plain
from tools.vocabulary import Dose, Vocabulary

REFUSED_TRIES = 2
"""Writes of a turn that may be refused for their form: a slip, and one more. Further ones are guesses."""
EVENLY = {"BID": "Q12H", "TID": "Q8H", "QID": "Q6H"}
"""Schedules that give the same doses a day as an interval does; nothing else that differs is taken as equal."""

INFUSED = frozenset({"静脉滴注", "静滴", "静脉点滴", "静脉输注", "ivgtt"})
"""What Chinese wards call every dose that runs in from a bag, as English ones say IVPB: it is an intravenous order too.

A pump (静脉泵入) runs on, and a push (静脉推注) does not run in: both stay routes of their own.
"""


def decide_write_field(item: WriteFieldItem, evidence: TurnEvidence, vocabulary: Vocabulary) -> Finding:
    """Decide whether every write of the tool has the field right, and there is one."""
    writes = evidence.changes.of(item.tool)
    if not writes:
        return not_met(f"no {item.tool} was accepted in this turn")
    for write in writes:
        written = write.fields.get(item.field)
        if item.match is FieldMatch.ABSENT:
            if written is not None:
                return not_met(f"{item.tool} adds {item.field} {_told(written)}, which was not asked for")
        elif written is None:
            return not_met(f"{item.tool} left out {item.field}")
        elif _runs_in(item, write, evidence):
            continue
        elif not any(_is(item.match, wanted, write, item.field, vocabulary) for wanted in item.values):
            return not_met(f"{item.tool}: {item.field} is {_told(written)}, not {' or '.join(item.values)}")
    written = writes[0].fields.get(item.field)
    return met(f"{item.tool}: {item.field} is {'left out' if written is None else _told(written)}")


def decide_exact_writes(item: ExactWritesItem, evidence: TurnEvidence) -> Finding:
    """Decide whether the writes are the expected ones and no more.

    A write tried for another patient, or of a tool that was not asked for, fails even where it was refused, and so do
    more than ``REFUSED_TRIES`` refused ones. An order that was ended again in the turn that made it was an order too
    many: it stood in the record.
    """
    if fault := _refused(item, evidence):
        return not_met(fault)
    changes = evidence.changes
    undone = [write.ref for write in changes.created if write.fields["status"] != "active"]
    if undone:
        return not_met(f"wrote {undone[0]} and ended it again")
    written = [*changes.created, *(write for write in changes.changed if write.ref not in item.may_end)]
    made, wanted = Counter(write.tool for write in written), Counter(item.tools)
    if made != wanted:
        return not_met(f"wrote {_counted(made)}, expected {_counted(wanted)}")
    return met(f"wrote {_counted(made)}")


def _refused(item: ExactWritesItem, evidence: TurnEvidence) -> str | None:
    expected = {*item.tools, *(("MedicationRequest.patch",) if item.may_end else ())}
    refused = [write for write in evidence.writes if not write.accepted]
    for write in refused:
        patient = write.arguments.get("subject_id")
        if patient is not None and str(patient).strip() != str(evidence.subject_id):
            return f"tried {write.tool} for patient {patient}, not {evidence.subject_id}"
        if write.tool not in expected:
            return f"tried {write.tool}, which was not asked for"
    if len(refused) > REFUSED_TRIES:
        return f"{len(refused)} writes were refused, {REFUSED_TRIES} are allowed"
    return None


def _is(match: FieldMatch, wanted: str, write: Write, field: str, vocabulary: Vocabulary) -> bool:
    written: Any = write.fields[field]
    match match:
        case FieldMatch.DRUG:
            drug = vocabulary.ingredient(wanted)
            found = vocabulary.ingredient(written)
            return (
                _folded(wanted) == _folded(written)
                if drug is None
                else found is not None and found.id == drug.id
            )
        case FieldMatch.DOSE:
            drug = vocabulary.ingredient(write.fields.get("medication", ""))
            dose = vocabulary.dose_or_range(wanted)
            return (
                isinstance(written, Dose) and dose is not None and written.in_meq(drug) == dose.in_meq(drug)
            )
        case FieldMatch.ROUTE:
            return _folded(vocabulary.route(wanted) or wanted) == _folded(
                vocabulary.route(written) or written
            )
        case FieldMatch.FREQUENCY:
            return _every(vocabulary.frequency(wanted) or wanted) == _every(written)
        case FieldMatch.SERVICE:
            service, asked = vocabulary.service(wanted), vocabulary.service(written)
            return service is not None and asked is not None and asked.is_what(service)
        case FieldMatch.DATE:
            start, length = day_or_moment(wanted)
            moment, _ = day_or_moment(written)
            return start <= moment < start + length
        case FieldMatch.REFERENCE:
            return bool(written == wanted)
        case FieldMatch.CODE:
            return _folded(wanted) == _folded(written)
        case FieldMatch.ABSENT:
            return False


def _runs_in(item: WriteFieldItem, write: Write, evidence: TurnEvidence) -> bool:
    """Tell whether an order is to be intravenous, and was written as Chinese wards write one: 静脉滴注（ivgtt）."""
    if item.match is not FieldMatch.ROUTE or "IV" not in item.values:
        return False
    words = {str(record.arguments.get(item.field)) for record in evidence.writes if record.ref == write.ref}
    parts = {part for said in words for part in re.split(r"[\s()（）]+", said.casefold()) if part}
    return bool(parts) and parts <= INFUSED


def _every(frequency: str) -> str:
    schedule, _, more = frequency.partition(" ")
    return f"{EVENLY.get(schedule, schedule)} {more}".strip()


def _folded(value: object) -> str:
    return re.sub(r"[\s_-]+", "", plain(str(value))).casefold()


def _told(written: object) -> str:
    if isinstance(written, Dose):
        high = "" if written.high is None else f"-{written.high:g}"
        return f"{written.value:g}{high} {written.unit}"
    return repr(written)


def _counted(tools: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {tool}" for tool, count in sorted(tools.items())) or "nothing"

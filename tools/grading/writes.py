"""WriteFieldItem and ExactWritesItem: what was written, compared after normalisation and never by likeness."""

import re
from collections import Counter
from collections.abc import Callable
from typing import Any

from pydantic import JsonValue

from state.gold import ExactWritesItem, FieldMatch, WriteFieldItem
from tools.grading.evidence import Finding, TurnEvidence, met, not_met
from tools.grading.names import spans
from tools.grading.text import plain
from tools.vocabulary import Vocabulary


def decide_write_field(item: WriteFieldItem, evidence: TurnEvidence, vocabulary: Vocabulary) -> Finding:
    """Decide whether every accepted write of the tool has the field right, and there is one."""
    writes = [write for write in evidence.writes if write.accepted and write.tool == item.tool]
    if not writes:
        return not_met(f"no {item.tool} was accepted in this turn")
    for write in writes:
        written = write.arguments.get(item.field)
        if written is None:
            return not_met(f"{item.tool} left out {item.field}")
        if not _matches(item, written, vocabulary):
            return not_met(f"{item.tool}: {item.field} is {written!r}, not {_wanted(item.value)}")
    return met(f"{item.tool}: {item.field} is {writes[0].arguments[item.field]!r}")


def decide_exact_writes(item: ExactWritesItem, evidence: TurnEvidence) -> Finding:
    """Decide whether the writes are the expected ones and no more.

    A write refused for its form and then accepted is a correction. One refused for another patient, or of a tool that
    was not asked for, fails.
    """
    for write in evidence.writes:
        patient = write.arguments.get("subject_id")
        if patient is not None and str(patient).strip() != str(evidence.subject_id):
            return not_met(f"tried {write.tool} for patient {patient}, not {evidence.subject_id}")
    refused = [write.tool for write in evidence.writes if not write.accepted and write.tool not in item.tools]
    if refused:
        return not_met(f"tried {refused[0]}, which was not asked for")
    made, wanted = Counter(w.tool for w in evidence.writes if w.accepted), Counter(item.tools)
    if made != wanted:
        return not_met(f"wrote {_counted(made)}, expected {_counted(wanted)}")
    return met(f"wrote {_counted(made)}")


def _matches(item: WriteFieldItem, written: JsonValue, vocabulary: Vocabulary) -> bool:
    if item.match is FieldMatch.NAMES_ALL:
        if not isinstance(item.value, list):
            raise TypeError(f"{item.item_id}: names_all needs a list of synonym lists")
        return all(
            isinstance(names, list) and spans(map(str, names), plain(str(written))) for names in item.value
        )
    read: dict[FieldMatch, Callable[[str], Any]] = {
        FieldMatch.DRUG: lambda text: (drug := vocabulary.ingredient(text)) and drug.id,
        FieldMatch.DOSE: vocabulary.dose,
        FieldMatch.ROUTE: vocabulary.route,
        FieldMatch.FREQUENCY: vocabulary.frequency,
        FieldMatch.CODE: lambda _: None,
    }
    wanted, got = read[item.match](str(item.value)), read[item.match](str(written))
    if wanted is None:
        return _folded(item.value) == _folded(written)
    return bool(wanted == got)


def _folded(value: JsonValue) -> str:
    return re.sub(r"[\s_-]+", "", plain(str(value))).casefold()


def _wanted(value: JsonValue) -> str:
    if isinstance(value, list):
        return "text naming " + " and ".join(
            str(names[0]) for names in value if isinstance(names, list) and names
        )
    return repr(value)


def _counted(tools: Counter[str]) -> str:
    return ", ".join(f"{count} {tool}" for tool, count in sorted(tools.items())) or "nothing"

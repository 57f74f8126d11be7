"""The dialogue of one session as the page shows it: questions, calls, results, answers with their support, writes."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from state.base import Language
from state.gold import RubricItem
from state.patient import Saying
from state.session import Turn
from state.trajectory import CallRecord, Step, TurnRecord
from tools.fhir.elements import Resource
from tools.fhir.state_diff import Write, state_diff
from tools.report.page_support import Part, Shown, parts_of
from tools.vocabulary import Dose

Json = dict[str, Any]


@dataclass
class Dialogue:
    """Takes the turns of one session in order. ``results`` maps the text of each tool result to its number.

    ``introduction`` is what the doctor was told before its first answer.
    """

    language: Language
    introduction: str
    results: dict[str, int] = field(default_factory=dict)
    _shown: Shown = field(default_factory=Shown)

    def __post_init__(self) -> None:
        """Count the introduction as shown."""
        self._shown.add(self.introduction, "the introduction")

    def turn(self, turn: Turn, record: TurnRecord, texts: Sequence[str], met: Sequence[RubricItem]) -> Json:
        """Tell one turn; ``texts`` are the results of its calls that were run, ``met`` the items its answer met."""
        self._shown.add(record.question, "the question")
        wording, remaining = turn.wording.get(self.language), iter(texts)
        steps = [self._step(step, record, remaining) for step in record.steps]
        return {
            "asked": record.question,
            "implicit": "" if wording is None else wording.implicit,
            "explicit": "" if wording is None else wording.explicit,
            "steps": steps,
            "answer": [_part(part) for part in parts_of(record.answer, met, self._shown)],
            "error": record.error,
        }

    def _step(self, step: Step, record: TurnRecord, texts: Iterator[str]) -> Json:
        return {
            "content": "" if step.content == record.answer else step.content,
            "fault": step.fault,
            "seconds": step.seconds,
            "calls": [self._call(call, record.index, texts) for call in step.calls],
        }

    def _call(self, call: CallRecord, turn: int, texts: Iterator[str]) -> Json:
        told: Json = {
            "name": call.name,
            "arguments": _compact(call.arguments),
            "ran": call.ran,
            "ok": call.ok,
            "result": None,
            "voice": "" if call.said is None else _voice(call.said),
        }
        if call.ran:
            text = next(texts)
            told["result"] = self.results.setdefault(text, len(self.results))
            if call.ok:
                self._shown.add(text, f"{call.name}, turn {turn}")
        return told


def _voice(said: Saying) -> str:
    """Say who spoke for the patient, where a model was to, and why a template had to step in."""
    if not said.refused:
        return "spoken by a model" if said.voice == "model" else ""
    why = "; ".join(f"{words.who}: {words.reason}" for words in said.refused)
    by = (
        "spoken by a model, refused before"
        if said.voice == "model"
        else "spoken by the template in its place"
    )
    return f"{by}: {why}"


def changes(before: Sequence[Resource], record: TurnRecord) -> Json:
    """Tell what a turn wrote: the difference of the session's state, and the tries that were refused."""
    difference = state_diff(before, record.overlay)
    return {
        "created": [_write(write) for write in difference.created],
        "changed": [_write(write) for write in difference.changed],
        "refused": [
            {"tool": write.tool, "arguments": _compact(write.arguments), "error": write.error or ""}
            for write in record.writes
            if not write.accepted
        ],
    }


def _write(write: Write) -> Json:
    fields = {name: _plain(value) for name, value in write.fields.items() if name != "_id"}
    return {"ref": write.ref, "tool": write.tool, "fields": fields}


def _plain(value: object) -> str:
    if isinstance(value, Dose):
        return str(value)
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def _compact(arguments: Mapping[str, Any]) -> str:
    return json.dumps(arguments, ensure_ascii=False)


def _part(part: Part) -> list[str]:
    """Write a part of an answer as short as it can be: text alone, or with what supports it."""
    return [part.text] if part.support is None else [part.text, part.support, part.by]

"""Everything of configs/synth, read once and checked for names that do not resolve."""

from collections.abc import Iterable, Mapping
from functools import cached_property
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, Self

import yaml
from pydantic import model_validator

from state.base import Record
from tools.ehr.synth.phrases import Phrases
from tools.ehr.synth.records import (
    Analyte,
    BloodProduct,
    Condition,
    Drug,
    Isolate,
    Reason,
    Specimen,
    Standing,
    Vital,
)
from tools.ehr.synth.story import Story

SHARED = ("labs", "drugs", "people", "wards", "cultures", "codes")
SCENARIOS = ("med_safety", "treatment_response", "diagnostic_workup", "discharge_planning")
"""Files of configs/synth/stories in the order their stories are dealt."""


class Catalog(Record):
    """The data of configs/synth. Names that do not resolve raise ``ValidationError`` on loading."""

    panels: Mapping[str, tuple[int, int]]
    analytes: Mapping[str, Analyte]
    frequencies: Mapping[str, tuple[int, ...]]
    drugs: Mapping[str, Drug]
    conditions: Mapping[str, Condition]
    common: tuple[str, ...]
    supplements: tuple[str, ...]
    demographics: Mapping[str, Mapping[str, int]]
    reasons: Mapping[str, Reason]
    standing: tuple[Standing, ...]
    specimens: Mapping[str, Specimen]
    isolates: Mapping[str, Isolate]
    vitals: Mapping[str, Vital]
    blood: Mapping[str, BloodProduct]
    icd: Mapping[str, str]
    procedures: Mapping[str, str]
    phrases: Phrases
    stories: tuple[Story, ...]

    @classmethod
    def load(cls) -> Self:
        """Read configs/synth."""
        folder = files("configs") / "synth"
        merged: dict[str, object] = {}
        for name in SHARED:
            merged |= _read(folder / f"{name}.yaml")
        merged["phrases"] = _read(folder / "notes.yaml")
        reasons: Any = merged["reasons"]
        merged["stories"] = [
            {"scenario": scenario, **story, "reason": _named(story["reason"], reasons)}
            for scenario in SCENARIOS
            for story in _read(folder / "stories" / f"{scenario}.yaml")["stories"]
        ]
        return cls.model_validate(merged)

    @cached_property
    def _panels(self) -> Mapping[str, tuple[str, ...]]:
        panels: dict[str, tuple[str, ...]] = {}
        for key, analyte in self.analytes.items():
            panels[analyte.panel] = (*panels.get(analyte.panel, ()), key)
        return panels

    def panel(self, name: str) -> tuple[str, ...]:
        """List the analytes drawn together as ``name``."""
        return self._panels[name]

    def measure(self, name: str) -> Analyte | Vital:
        """Give the analyte or vital sign of this name."""
        return self.analytes[name] if name in self.analytes else self.vitals[name]

    def turnaround(self, panel: str) -> tuple[int, int]:
        """Give the usual minutes from draw to result."""
        return self.panels.get(panel, self.panels["level"])

    @model_validator(mode="after")
    def _names_resolve(self) -> Self:
        reasons = [*self.reasons.values(), *(story.reason for story in self.stories)]
        earlier = [stay for story in self.stories for stay in story.earlier]
        given = [given for story in self.stories for given in story.drugs]
        listed = [listed for story in self.stories for listed in story.home]
        cultured = [cultured for story in self.stories for cultured in story.cultures]
        conditions = [*self.common, *(c for story in self.stories for c in story.conditions)]
        drugs = [s.drug for s in self.standing] + list(self.supplements)
        drugs += [drug for reason in reasons for drug in reason.orders]
        drugs += [d for stay in earlier for d in (*stay.stopped, *(new.drug for new in stay.started))]
        drugs += [drug for g in given for drug in g.one_of] + [entry.drug for entry in listed]
        drugs += [drug for c in self.conditions.values() for options in c.home for drug in options]
        codes = [code for reason in reasons for code in (reason.principal, *reason.ed_diagnoses)]
        codes += [code for story in self.stories for code in (*story.adverse, *story.history)]
        codes += [code for stay in earlier for code in stay.codes]
        codes += [code for condition in self.conditions.values() for code in condition.icd]
        frequencies = [drug.frequency for drug in self.drugs.values()]
        frequencies += [g.frequency for g in given if g.frequency]
        grown = [c.isolate for c in cultured if c.isolate]
        grown += [specimen.usual for specimen in self.specimens.values() if specimen.usual]
        moved = [name for story in self.stories for name in story.results]
        moved += [name for reason in reasons for name in reason.usual]
        moved += [name for condition in self.conditions.values() for name in condition.usual]
        _known("drugs", drugs, self.drugs)
        _known("conditions", conditions, self.conditions)
        _known("reasons", [stay.reason for stay in earlier], self.reasons)
        _known("icd", codes, self.icd)
        _known("analytes", moved, self.analytes)
        _known("vitals", [name for story in self.stories for name in story.vitals], self.vitals)
        _known("panels", [name for story in self.stories for name in story.every], self._panels)
        _known("frequencies", frequencies, self.frequencies)
        _known("procedures", [reason.procedure for reason in reasons if reason.procedure], self.procedures)
        _known("specimens", [c.specimen for c in cultured], self.specimens)
        _known("specimens", [reason.culture for reason in reasons if reason.culture], self.specimens)
        _known("blood products", [t.product for s in self.stories for t in s.transfusions], self.blood)
        _known("isolates", grown, self.isolates)
        _once("analytes and vitals", [*self.analytes, *self.vitals])
        _once("stories", [story.id for story in self.stories])
        return self


def _read(file: Traversable) -> dict[str, Any]:
    read = yaml.load(file.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
    return dict(read)


def _named(reason: object, reasons: Mapping[str, object]) -> object:
    """Give the reason a story names, or the one it writes out."""
    if isinstance(reason, str):
        _known("reasons", [reason], reasons)
        return reasons[reason]
    return reason


def _known(kind: str, names: Iterable[str], table: Mapping[str, object]) -> None:
    missing = sorted(set(names) - table.keys())
    if missing:
        raise ValueError(f"configs/synth has no {kind} named {', '.join(missing)}")


def _once(kind: str, names: list[str]) -> None:
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ValueError(f"configs/synth has two {kind} named {', '.join(twice)}")

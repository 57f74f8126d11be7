"""Microbiology Observation from hosp.microbiologyevents: one for each isolate, or for a test that grew nothing."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from itertools import groupby

from tools.fhir.context import Context, Row
from tools.fhir.elements import Resource, compact, concept, date_time, text_of
from tools.fhir.laboratory import MASKED, NOT_RECORDED
from tools.fhir.systems import (
    INTERPRETATION,
    MICRO_ANTIBIOTIC,
    MICRO_ORGANISM,
    MICRO_SPECIMEN_ID,
    MICRO_TEST,
    OBSERVATION_CATEGORY,
)

CATEGORY = [
    concept("Laboratory", (OBSERVATION_CATEGORY, "laboratory", "Laboratory")),
    concept("Microbiology"),
]
SUSCEPTIBILITY = {"S": "Susceptible", "I": "Intermediate", "R": "Resistant"}
"""MIMIC-IV's interpretations; the letters and words are those of v3-ObservationInterpretation."""


@dataclass(frozen=True)
class Isolate:
    """The rows of one organism of one test, one row an antibiotic; or the single row of a test without organism."""

    rows: tuple[Row, ...]

    @property
    def moment(self) -> datetime:
        """Give the collection time; MIMIC-IV has only the date of some."""
        moment: datetime = self.rows[0]["charttime"] or self.rows[0]["chartdate"]
        return moment

    @property
    def resource_id(self) -> str:
        """Name the isolate by specimen, test, organism and isolate number."""
        row = self.rows[0]
        parts = (
            row["micro_specimen_id"],
            row["test_itemid"],
            row["org_itemid"] or 0,
            row["isolate_num"] or 0,
        )
        return "micro-" + "-".join(str(part) for part in parts)


def _key(row: Row) -> tuple[int, ...]:
    return tuple(row[c] or 0 for c in ("micro_specimen_id", "test_itemid", "org_itemid", "isolate_num"))


class Microbiology:
    """Cultures and other microbiology tests of one chart."""

    def __init__(self, context: Context) -> None:
        self._context = context

    @cached_property
    def newest_first(self) -> list[Isolate]:
        """Sort every known result by collection time."""
        rows = sorted(
            self._context.rows("hosp.microbiologyevents"),
            key=lambda row: (*_key(row), row["ab_name"] or "", row["microevent_id"]),
        )
        isolates = [Isolate(tuple(group)) for _, group in groupby(rows, _key)]
        return sorted(isolates, key=lambda isolate: (isolate.moment, isolate.resource_id), reverse=True)

    def build(self, isolate: Isolate) -> Resource:
        """Build the Observation of one isolate with its susceptibilities."""
        row = isolate.rows[0]
        specimen = text_of(row["spec_type_desc"]) or "unknown specimen"
        test = text_of(row["test_name"]) or "microbiology test"
        comments = list(dict.fromkeys(c for c in (text_of(r["comments"]) for r in isolate.rows) if c))
        organism = text_of(row["org_name"])
        cancelled = organism == "CANCELLED"
        value: Resource
        if organism is not None:
            value = {
                "valueCodeableConcept": concept(
                    organism, *_coding(MICRO_ORGANISM, row["org_itemid"], organism)
                )
            }
        elif comments:
            value = {"valueString": comments.pop(0)}
        else:
            value = {"dataAbsentReason": MASKED if row["comments"] is not None else NOT_RECORDED}
        return compact(
            {
                "resourceType": "Observation",
                "id": isolate.resource_id,
                "status": "cancelled" if cancelled else "final",
                "category": CATEGORY,
                "code": concept(test, *_coding(MICRO_TEST, row["test_itemid"], test)),
                "subject": self._context.subject,
                "encounter": self._context.encounter(row["hadm_id"]),
                "effectiveDateTime": (
                    date_time(row["charttime"])
                    if row["charttime"] is not None
                    else date_time(row["chartdate"].date())
                ),
                "issued": date_time(row["storetime"]) if row["storetime"] is not None else None,
                **value,
                "note": [{"text": comment} for comment in comments],
                "specimen": {
                    "identifier": {"system": MICRO_SPECIMEN_ID, "value": str(row["micro_specimen_id"])},
                    "display": specimen,
                },
                "component": _susceptibilities(isolate.rows),
            }
        )


def _coding(system: str, itemid: int | None, display: str) -> list[tuple[str, str, str | None]]:
    return [(system, str(itemid), display)] if itemid is not None else []


def _susceptibilities(rows: Sequence[Row]) -> list[Resource]:
    return [
        compact(
            {
                "code": concept(
                    row["ab_name"].strip(), *_coding(MICRO_ANTIBIOTIC, row["ab_itemid"], row["ab_name"])
                ),
                "valueString": f"MIC {dilution}" if (dilution := text_of(row["dilution_text"])) else None,
                "interpretation": _interpretation(text_of(row["interpretation"])),
            }
        )
        for row in rows
        if text_of(row["ab_name"])
    ]


def _interpretation(letter: str | None) -> list[Resource]:
    if letter is None:
        return []
    word = SUSCEPTIBILITY.get(letter)
    return [concept(word, (INTERPRETATION, letter, word)) if word else concept(letter)]

"""What every reader of a chart works with."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import Any

from state.base import Language
from tools.ehr.chart import Chart
from tools.fhir.dictionaries import Dictionaries
from tools.fhir.elements import Resource, reference
from tools.fhir.labels import Labels
from tools.fhir.outcome import IssueType, Refused
from tools.vocabulary import Vocabulary

Row = dict[str, Any]


@dataclass(frozen=True)
class Context:
    """A chart, the vocabulary, the hospital's dictionaries, and the words for what is found."""

    chart: Chart
    vocabulary: Vocabulary
    dictionaries: Dictionaries
    labels: Labels = field(default_factory=lambda: Labels.load(Language.EN))

    def say(self, phrase: str, **values: object) -> str:
        """Fill a phrase in the language of the session."""
        return self.labels.say(phrase, **values)

    def rows(self, table: str, items: frozenset[int] | None = None) -> list[Row]:
        """Return the rows of ``table`` known at as_of, of some items only where they are named."""
        return self.chart.rows(table, items)

    @property
    def subject(self) -> Resource:
        """Refer to the patient."""
        return reference("Patient", self.chart.subject_id)

    @cached_property
    def admissions(self) -> dict[int, Row]:
        """Map hadm_id to the admissions begun by as_of."""
        return {row["hadm_id"]: row for row in self.rows("hosp.admissions")}

    @cached_property
    def ed_stays(self) -> dict[int, Row]:
        """Map stay_id to the emergency stays begun by as_of."""
        return {row["stay_id"]: row for row in self.rows("ed.edstays")}

    def encounter(self, hadm_id: int | None) -> Resource | None:
        """Refer to an admission, where it has begun."""
        return reference("Encounter", f"hosp-{hadm_id}") if hadm_id in self.admissions else None

    def ed_encounter(self, stay_id: int | None) -> Resource | None:
        """Refer to an emergency stay, where it has begun."""
        return reference("Encounter", f"ed-{stay_id}") if stay_id in self.ed_stays else None

    def check_admission(self, hadm_id: int | None) -> None:
        """Refuse an admission that is not this patient's or has not begun; which of the two is not told."""
        if hadm_id is not None and hadm_id not in self.admissions:
            known = ", ".join(str(known) for known in sorted(self.admissions, key=self._admitted)) or "none"
            raise Refused(
                IssueType.NOT_FOUND,
                f"no admission {hadm_id} of patient {self.chart.subject_id} is known; known admissions: {known}",
            )

    def within(self, hadm_id: int | None, linked: int | None, moment: datetime) -> bool:
        """Tell whether a record belongs to an admission: linked to it, or unlinked and timed within it.

        MIMIC-IV links no ``hadm_id`` to most results of the emergency visit that led to the admission.
        """
        if hadm_id is None or linked == hadm_id:
            return True
        if linked is not None:
            return False
        row = self.admissions[hadm_id]
        return (row["edregtime"] or row["admittime"]) <= moment and (
            row["dischtime"] is None or moment <= row["dischtime"]
        )

    def _admitted(self, hadm_id: int) -> datetime:
        moment: datetime = self.admissions[hadm_id]["admittime"]
        return moment

    def missing(self, tables: Iterable[str]) -> tuple[str, ...]:
        """List those of ``tables`` that the warehouse's source lacked."""
        return tuple(table for table in tables if not self.chart.loaded(table))

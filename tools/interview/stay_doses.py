"""What the patient has seen given, and not given, since the admission: from the administration record."""

from dataclasses import dataclass
from functools import cached_property

from state.base import ResourceRef
from state.patient_values import InHospital
from tools.fhir.context import Context
from tools.fhir.emar_events import AdministrationStatus, status_of
from tools.fhir.medication_administrations import Event, MedicationAdministrations
from tools.fhir.orders import Orders

GIVEN = {AdministrationStatus.COMPLETED, AdministrationStatus.IN_PROGRESS}
NOT_GIVEN = {AdministrationStatus.NOT_DONE, AdministrationStatus.ON_HOLD}
SLIDING_SCALE = "sliding scale"
"""Insulin not due by the scale was not withheld, and no patient counts it as a dose."""
NO_MEDICINE = frozenset({"flush", "fluid", "vaccine", "colloid", "hypoglycemia_treatment"})
"""Classes a patient does not think of as a medicine of his."""


@dataclass(frozen=True)
class Seen:
    """The last word on a drug, and the record that says it."""

    here: InHospital
    proof: tuple[ResourceRef, ...]


class StayDoses:
    """Drugs of the chart's admission by ingredient."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._orders = Orders(context)
        self._events = [
            event
            for event in MedicationAdministrations(context, self._orders).newest_first
            if context.chart.hadm_id is not None and event.row["hadm_id"] == context.chart.hadm_id
        ]

    @cached_property
    def by_drug(self) -> dict[str, Seen]:
        """Give the newest charted dose of each drug, given or not."""
        newest: dict[str, Event] = {}
        for event in self._events:
            if status_of(event.row["event_txt"]) in GIVEN | NOT_GIVEN and not _by_scale(event):
                newest.setdefault(event.drug, event)
        seen: dict[str, Seen] = {}
        for name, event in newest.items():
            drug = self._context.vocabulary.ingredient(name)
            if drug is not None:
                seen.setdefault(drug.id, _seen(event))
        return seen

    def never_given(self, drug: str) -> bool:
        """Tell whether a drug has certainly not been given: nothing like it was charted, ordered or dispensed.

        An admission without any charted dose, or one with an intensive care stay, whose drips are charted elsewhere,
        leaves it open.
        """
        hadm_id = self._context.chart.hadm_id
        intensive = any(row["hadm_id"] == hadm_id for row in self._context.rows("icu.icustays"))
        if not any(seen.here is InHospital.GIVEN for seen in self.by_drug.values()) or intensive:
            return False
        return not any(self._alike(drug, other) for other in self._present)

    @cached_property
    def _present(self) -> set[str]:
        hadm_id = self._context.chart.hadm_id
        names = [event.drug for event in self._events]
        names += [name for o in self._orders.newest_first if o.row["hadm_id"] == hadm_id for name in o.drugs]
        stays = {stay_id for stay_id, stay in self._context.ed_stays.items() if stay["hadm_id"] == hadm_id}
        names += [row["name"] or "" for row in self._context.rows("ed.pyxis") if row["stay_id"] in stays]
        return {drug.id for name in set(names) for drug in self._context.vocabulary.ingredients_in(name)}

    def _alike(self, drug: str, other: str) -> bool:
        one = self._context.vocabulary.ingredient_by_id(drug)
        two = self._context.vocabulary.ingredient_by_id(other)
        classes = set(one.classes if one else ()) & set(two.classes if two else ())
        return drug == other or bool(classes)

    def is_medicine(self, drug: str) -> bool:
        """Tell whether a patient thinks of a drug as a medicine."""
        found = self._context.vocabulary.ingredient_by_id(drug)
        return found is not None and NO_MEDICINE.isdisjoint(found.classes)


def _seen(event: Event) -> Seen:
    given = status_of(event.row["event_txt"]) in GIVEN
    proof = ResourceRef(f"MedicationAdministration/emar-{event.row['row_id']}")
    return Seen(InHospital.GIVEN if given else InHospital.NOT_GIVEN, (proof,))


def _by_scale(event: Event) -> bool:
    return SLIDING_SCALE in (event.row["event_txt"] or "").lower()

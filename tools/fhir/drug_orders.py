"""MedicationRequest as a session orders it: every part of the dosage is understood before the order is kept."""

import re

from tools.fhir.context import Context
from tools.fhir.elements import Resource, compact, concept, date_time, quantity
from tools.fhir.outcome import IssueType, Refused
from tools.fhir.write_arguments import MedicationRequestCreate
from tools.vocabulary import Dose

LONGEST_DAYS = 3_650
"""Ten years: a longer course is a slip of the pen."""


def create_medication_request(context: Context, asked: MedicationRequestCreate) -> Resource:
    """Order a drug. ``dosageInstruction.text`` keeps the caller's words; the other elements say what they mean."""
    _check_drug(context, asked.medication)
    if asked.indication is not None and context.vocabulary.says_as_needed(asked.indication):
        raise Refused(
            IssueType.VALUE,
            f"indication {asked.indication!r} says when to give it: write PRN with the frequency, and why here",
        )
    return context.chart.overlay.create(
        compact(
            {
                "resourceType": "MedicationRequest",
                "status": "active",
                "intent": "order",
                "medicationCodeableConcept": concept(asked.medication),
                "subject": context.subject,
                "encounter": context.encounter(context.chart.hadm_id),
                "authoredOn": date_time(context.chart.as_of),
                "reasonCode": [concept(asked.indication)] if asked.indication else None,
                "dosageInstruction": [_dosage(context, asked)],
            }
        )
    )


def _check_drug(context: Context, medication: str) -> None:
    vocabulary = context.vocabulary
    if medication.lower() in context.dictionaries.formulary or vocabulary.knows_drug(medication):
        return
    if vocabulary.ingredient(medication) is None:
        raise Refused(
            IssueType.CODE_INVALID,
            f"medication {medication!r} is neither a known drug nor on this hospital's formulary: "
            "give one drug by ingredient, brand or formulary name, without dose or form",
        )
    if re.search(r"\d", medication):
        raise Refused(
            IssueType.VALUE,
            f"medication {medication!r} holds an amount: give the drug alone, and the amount as dose",
        )


def _dosage(context: Context, asked: MedicationRequestCreate) -> Resource:
    vocabulary = context.vocabulary
    dose = vocabulary.dose_or_range(asked.dose)
    if dose is None:
        raise Refused(
            IssueType.VALUE,
            f'dose {asked.dose!r} is not one amount with a unit, or a range of two, such as "12.5 mg" or "1-2 tablets"',
        )
    route = vocabulary.route(asked.route)
    if route is None:
        raise Refused(
            IssueType.CODE_INVALID, f"route {asked.route!r} is not known: write PO, IV, SC, IM, SL ..."
        )
    frequency = vocabulary.frequency(asked.frequency)
    if frequency is None:
        raise Refused(
            IssueType.CODE_INVALID,
            f"frequency {asked.frequency!r} is not known: write DAILY, BID, TID, QID, Q8H, QHS, ONCE, Q6H PRN ...",
        )
    days = _days(context, asked.duration_days) if asked.duration_days is not None else None
    words = [asked.dose, asked.route, asked.frequency]
    if asked.duration_days is not None and not asked.duration_days.isdecimal():
        words.append(asked.duration_days)
    repeat = {"boundsDuration": quantity(days, "days")} if days is not None else None
    return compact(
        {
            "text": " ".join(words),
            "timing": compact({"repeat": repeat, "code": concept(frequency)}),
            "asNeededBoolean": True if "PRN" in frequency.split() else None,
            "route": concept(route),
            "doseAndRate": [_amount(dose)],
        }
    )


def _days(context: Context, duration: str) -> int:
    days = context.vocabulary.duration_days(duration)
    if days is None or days > LONGEST_DAYS:
        raise Refused(
            IssueType.VALUE,
            f"duration_days {duration!r} is not a whole number of days from 1 to {LONGEST_DAYS:,}",
        )
    return days


def _amount(dose: Dose) -> Resource:
    if dose.high is None:
        return {"doseQuantity": quantity(dose.value, dose.unit)}
    return {"doseRange": {"low": quantity(dose.value, dose.unit), "high": quantity(dose.high, dose.unit)}}

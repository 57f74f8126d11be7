"""CarePlan from the plans that discharge summaries hold: instructions, follow-up, transitional issues, drugs."""

from dataclasses import dataclass
from functools import partial

from tools.fhir.arguments import Sort
from tools.fhir.context import Context
from tools.fhir.elements import Resource, compact, concept, date_time, reference, text_of
from tools.fhir.excerpts import LISTED_TOKENS, PART_TOKENS, excerpt
from tools.fhir.headings import DISCHARGE_SUMMARY
from tools.fhir.listing import Listing, Notice
from tools.fhir.notes import Note, Notes
from tools.fhir.outcome import IssueType, not_loaded
from tools.fhir.search_arguments import CarePlanCategory, CarePlanSearch

SECTIONS = {
    "Discharge Instructions": CarePlanCategory.DISCHARGE_PLANNING,
    "Followup Instructions": CarePlanCategory.FOLLOWUP,
    "Transitional Issues": CarePlanCategory.FOLLOWUP,
    "Discharge Medications": CarePlanCategory.TREATMENT,
}
WORDS = {
    CarePlanCategory.DISCHARGE_PLANNING: "Discharge planning",
    CarePlanCategory.FOLLOWUP: "Follow-up",
    CarePlanCategory.TREATMENT: "Treatment",
}


@dataclass(frozen=True)
class Plan:
    """One section of one discharge summary."""

    note: Note
    section: str
    text: str

    @property
    def category(self) -> CarePlanCategory:
        """Give the kind of plan."""
        return SECTIONS[self.section]

    @property
    def resource_id(self) -> str:
        """Name the plan by its note and section."""
        return f"plan-{self.note.note_id}-{'-'.join(self.section.lower().split())}"


class CarePlans:
    """Plans made at earlier discharges of one chart."""

    def __init__(self, context: Context, notes: Notes) -> None:
        self._context = context
        self._notes = notes

    def search(self, asked: CarePlanSearch) -> Listing[Plan]:
        """Find plans, those of the newest discharge summary first."""
        context = self._context
        context.check_admission(asked.hadm_id)
        if not context.chart.loaded("note.discharge"):
            raise not_loaded("note.discharge")
        summaries = [
            note
            for note in self._notes.discharge_summaries
            if asked.covers(note.moment) and context.within(asked.hadm_id, note.hadm_id, note.moment)
        ]
        newest_first = asked.sort is Sort.NEWEST_FIRST
        if not newest_first:
            summaries.reverse()
        plans = [
            plan
            for note in summaries
            for plan in _plans(note)
            if asked.category is None or plan.category is asked.category
        ]
        removed = sum(text_of(plan.text) is None for plan in plans)
        notices = [context.say("plans_from", summaries=len(summaries))]
        if removed:
            notices.append(context.say("plans_removed", removed=removed))
        category = context.labels.word(asked.category) if asked.category else ""
        return Listing(
            what=context.say("care_plans_of" if asked.category else "care_plans", category=category),
            order=context.say(f"{asked.sort.age}_by_summary"),
            hits=[plan for plan in plans if text_of(plan.text) is not None],
            identify=lambda plan: plan.resource_id,
            build=partial(self._build, tokens=LISTED_TOKENS),
            build_alone=partial(self._build, tokens=PART_TOKENS),
            notices=tuple(Notice(IssueType.INFORMATIONAL, text) for text in notices),
        )

    def _build(self, plan: Plan, *, tokens: int) -> Resource:
        """Build the CarePlan of one section; whether it is still followed the record does not say."""
        note, labels = plan.note, self._context.labels
        part = excerpt(plan.text, tokens=tokens)
        source = f"DocumentReference_search _id={note.document_id}, section={plan.section}"
        told = labels.say("whole_elsewhere", text=part.described(labels), call=source)
        return compact(
            {
                "resourceType": "CarePlan",
                "id": plan.resource_id,
                "status": "unknown",
                "intent": "plan",
                "category": [concept(WORDS[plan.category])],
                "title": plan.section,
                "description": part.text,
                "subject": self._context.subject,
                "encounter": self._context.encounter(note.hadm_id),
                "created": date_time(note.moment.date()),
                "supportingInfo": [reference("DocumentReference", note.document_id)],
                "note": None if part.whole else [{"text": told}],
            }
        )


def _plans(note: Note) -> list[Plan]:
    headings = {heading.name: heading for heading in DISCHARGE_SUMMARY}
    texts = {name: note.section(headings[name]) for name in SECTIONS}
    return [Plan(note, name, text) for name, text in texts.items() if text]

"""AllergyIntolerance from the Allergies section of discharge summaries, with the words of the note as evidence."""

import re
from dataclasses import dataclass, replace
from functools import cached_property

from tools.fhir.arguments import Sort
from tools.fhir.context import Context
from tools.fhir.elements import Resource, compact, concept, date_time, text_of
from tools.fhir.headings import ALLERGIES
from tools.fhir.listing import Listing, Notice
from tools.fhir.notes import Note, Notes
from tools.fhir.outcome import IssueType, not_loaded
from tools.fhir.search_arguments import AllergyIntoleranceSearch
from tools.fhir.systems import ALLERGY_CLINICAL, ALLERGY_VERIFICATION, SNOMED_CT

NONE_KNOWN = re.compile(
    r"(?:patient recorded as having )?\b(no known (drug )?allerg(?:ies|y)|nk(d)?a\b)"
    r"(?: to drugs)?(?: ?/ ?adverse drug reactions?)?\.?",
    re.IGNORECASE,
)
NO_KNOWN_ALLERGY = ("716186003", "No known allergy")
NO_KNOWN_DRUG_ALLERGY = ("409137002", "No known drug allergy")
BETWEEN = re.compile(r"\s/\s|[;,](?![^(]*\))")
"""What divides the substances of a list: a slash between spaces, and marks outside brackets."""
LONGEST = 1_000
"""An Allergies section is a line or two; more belongs to a heading that the note lacks."""


@dataclass(frozen=True)
class Allergy:
    """A substance, or that none is known, as the newest of ``notes`` says it; ``number`` counts within that note."""

    words: str
    said: str
    number: int
    notes: tuple[Note, ...]
    code: tuple[str, str] | None = None

    @property
    def resource_id(self) -> str:
        """Name the entry by its newest note and its place there."""
        return f"allergy-{self.notes[0].note_id}-{self.number}"


class Allergies:
    """What the notes of one chart say of allergies."""

    def __init__(self, context: Context, notes: Notes) -> None:
        self._context = context
        self._notes = notes

    def search(self, asked: AllergyIntoleranceSearch) -> Listing[Allergy]:
        """Find each substance once, with the newest note that names it; notes that disagree are all told."""
        context = self._context
        context.check_admission(asked.hadm_id)
        if not context.chart.loaded("note.discharge"):
            raise not_loaded("note.discharge")
        hits = [
            allergy
            for allergy in self._newest_first
            if asked.covers(allergy.notes[0].moment)
            and any(context.within(asked.hadm_id, note.hadm_id, note.moment) for note in allergy.notes)
        ]
        newest_first = asked.sort is Sort.NEWEST_FIRST
        if not newest_first:
            hits.reverse()
        summaries = self._notes.discharge_summaries
        stating = sum(_statement(note) is not None for note in summaries)
        source = context.say("allergies_from", stating=stating, summaries=len(summaries))
        return Listing(
            what=context.say("allergies"),
            order=context.say(f"{asked.sort.age}_by_note"),
            hits=hits,
            identify=lambda allergy: allergy.resource_id,
            build=self._build,
            notices=(Notice(IssueType.INFORMATIONAL, source),),
        )

    @cached_property
    def _newest_first(self) -> list[Allergy]:
        found: dict[str, Allergy] = {}
        for note in self._notes.discharge_summaries:
            for allergy in _stated(note):
                key = allergy.code[0] if allergy.code else allergy.words.lower()
                earlier = found.get(key, allergy)
                others = () if earlier.notes[-1] is note else (note,)
                found[key] = replace(earlier, notes=(*earlier.notes, *others))
        return list(found.values())

    def _build(self, allergy: Allergy) -> Resource:
        newest, *others = allergy.notes
        say, in_newest = self._context.say, f"DocumentReference/{newest.document_id}"
        evidence = [say("said_in", words=allergy.said, reference=in_newest)]
        if others:
            listed = ", ".join(f"DocumentReference/{note.document_id}" for note in others)
            evidence.append(say("said_too", references=listed))
        code = [(SNOMED_CT, *allergy.code)] if allergy.code else []
        return compact(
            {
                "resourceType": "AllergyIntolerance",
                "id": allergy.resource_id,
                "clinicalStatus": concept("Active", (ALLERGY_CLINICAL, "active", "Active")),
                "verificationStatus": concept(
                    "Unconfirmed", (ALLERGY_VERIFICATION, "unconfirmed", "Unconfirmed")
                ),
                "code": concept(allergy.words, *code),
                "patient": self._context.subject,
                "encounter": self._context.encounter(newest.hadm_id),
                "recordedDate": date_time(newest.moment.date()),
                "note": [{"text": text} for text in evidence],
            }
        )


def _statement(note: Note) -> str | None:
    """Give the first paragraph of the Allergies section, unless it is only a mark of de-identification."""
    section = note.section(ALLERGIES)
    if section is None:
        return None
    return text_of(re.split(r"\n\s*\n", section, maxsplit=1)[0][:LONGEST])


def _stated(note: Note) -> list[Allergy]:
    statement = _statement(note)
    if statement is None:
        return []
    said = " ".join(statement.split())
    entries: list[tuple[str, tuple[str, str] | None]] = []
    for match in NONE_KNOWN.finditer(said):
        drug = match[2] or match[3]
        entries.append((match[0].strip(), NO_KNOWN_DRUG_ALLERGY if drug else NO_KNOWN_ALLERGY))
    # A list with slashes is wrapped at line ends, one without has a substance a line.
    lines = [said] if " / " in said else statement.splitlines()
    for line in lines:
        for word in BETWEEN.split(NONE_KNOWN.sub("", " ".join(line.split()))):
            substance = text_of(word.strip(" -*.:"))
            if substance is not None:
                entries.append((substance, None))
    return [Allergy(words, said, number, (note,), code) for number, (words, code) in enumerate(entries, 1)]

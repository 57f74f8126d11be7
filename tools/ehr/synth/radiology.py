"""Radiology reports of a stay: those a story asks for, or the usual film of its reason."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from tools.ehr.synth.catalog import Catalog
from tools.ehr.synth.draw import Draw
from tools.ehr.synth.person import Person
from tools.ehr.synth.rows import Row
from tools.ehr.synth.stay import Stay
from tools.ehr.synth.story import Imaged, Moment

ORDINARY_FILM = 0.4
"""Chance of a clear chest film in a stay whose reason asks for none."""

TEXT = """EXAMINATION:  {exam}

INDICATION:  {indication}

TECHNIQUE:  {technique}

COMPARISON:  {comparison}

FINDINGS:

{findings}

IMPRESSION:

{impression}
"""


@dataclass(frozen=True)
class Report:
    """One report: when the patient was imaged and when the report was stored."""

    exam: str
    code: str
    taken: datetime
    stored: datetime
    text: str
    impression: str


def make_reports(catalog: Catalog, draw: Draw, person: Person, stay: Stay) -> tuple[Report, ...]:
    """Draw the reports of ``stay`` in order of time."""
    films = [(film, stay.moment(draw, film.taken)) for film in _films(catalog, draw, stay)]
    reports: list[Report] = []
    for film, taken in sorted(films, key=lambda pair: pair[1]):
        words = {"who": person.who, "complaint": catalog.phrases.prose(stay.plan.reason.complaint)}
        before = next((r for r in reversed(reports) if _kind(r.exam) == _kind(film.exam)), None)
        text = TEXT.format(
            exam=film.exam,
            indication=film.indication.format(**words),
            technique=film.technique,
            comparison="Study of ___." if before else "None.",
            findings=film.findings.format(**words),
            impression=film.impression.format(**words),
        )
        stored = taken + draw.minutes(45, 300)
        reports.append(
            Report(film.exam, film.code, taken, stored, spaced(text), film.impression.format(**words))
        )
    return tuple(reports)


def _films(catalog: Catalog, draw: Draw, stay: Stay) -> list[Imaged]:
    told = [film for film in stay.exposure.story.imaging if stay.tells(film)] if stay.exposure else []
    if told:
        return told
    films = catalog.phrases.films
    usual = films.get(stay.plan.reason.principal)
    if usual is None and stay.emergency and draw.chance(ORDINARY_FILM):
        usual = films["usual"]
    return [Imaged(**usual.model_dump(), taken=Moment(of="arrival", hours=(0.5, 2)))] if usual else []


def _kind(exam: str) -> str:
    return exam.partition(" ")[0]


def spaced(text: str) -> str:
    """Write empty lines as MIMIC-IV-Note does, with one space."""
    return text.replace("\n\n", "\n \n")


def radiology_rows(
    person: Person, hadm_id: int | None, reports: Sequence[Report], first: int
) -> Iterator[Row]:
    """Write reports, numbered from ``first``, and their details."""
    for number, report in enumerate(reports, start=first):
        note = {"note_id": f"{person.subject_id}-RR-{number}", "subject_id": person.subject_id}
        yield (
            "note.radiology",
            {
                **note,
                "hadm_id": hadm_id,
                "note_type": "RR",
                "note_seq": number,
                "charttime": report.taken,
                "storetime": report.stored,
                "text": report.text,
            },
        )
        for name, value in (("exam_code", report.code), ("exam_name", report.exam)):
            detail = {"field_name": name, "field_value": value, "field_ordinal": 1}
            yield "note.radiology_detail", {**note, **detail}

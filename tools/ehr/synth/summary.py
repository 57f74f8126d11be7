"""Discharge summaries: what the tables of a stay say, in prose of our own under MIMIC-IV-Note's headings."""

from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files

from jinja2 import Environment, StrictUndefined, Template

from tools.ehr.synth.account import Account
from tools.ehr.synth.background import in_person
from tools.ehr.synth.catalog import Catalog
from tools.ehr.synth.course import course_of
from tools.ehr.synth.draw import Draw, at
from tools.ehr.synth.medication_lists import admission_list, discharge_list
from tools.ehr.synth.phrases import Exam, lowered
from tools.ehr.synth.radiology import spaced
from tools.ehr.synth.results import Drawn, is_abnormal, written
from tools.ehr.synth.rows import Row

SERVICES = {"CMED": "CARDIOLOGY", "ORTHO": "ORTHOPAEDICS", "NMED": "NEUROLOGY", "SURG": "SURGERY"}
"""hosp.services.curr_service in words; MEDICINE where it is not here."""

PANELS_A_LINE = ("hematology", "coagulation", "chemistry", "liver", "cardiac", "gas")
SIGNED_AFTER_HOURS = (2, 40)


def summary_rows(catalog: Catalog, draw: Draw, account: Account, number: int) -> Iterator[Row]:
    """Write the discharge summary of a stay, the ``number``-th of the patient, and its detail."""
    stay, person = account.stay, account.person
    note = {"note_id": f"{person.subject_id}-DS-{number}", "subject_id": person.subject_id}
    low, high = SIGNED_AFTER_HOURS
    yield (
        "note.discharge",
        {
            **note,
            "hadm_id": stay.hadm_id,
            "note_type": "DS",
            "note_seq": number,
            "charttime": at(stay.dischtime, 0),
            "storetime": stay.dischtime + draw.minutes(60 * low, 60 * high),
            "text": spaced(_template().render(_words(catalog, draw, account))),
        },
    )
    detail = {"field_name": "author", "field_value": "___", "field_ordinal": 1}
    yield "note.discharge_detail", {**note, **detail}


@cache
def _template() -> Template:
    text = (files("configs") / "synth" / "discharge_summary.txt.j2").read_text(encoding="utf-8")
    environment = Environment(undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)  # noqa: S701  (plain text)
    return environment.from_string(text)


def _words(catalog: Catalog, draw: Draw, account: Account) -> dict[str, object]:
    person, stay, phrases = account.person, account.stay, catalog.phrases
    reason, home = stay.plan.reason, person.background
    leaving = str(account.admission["discharge_location"])
    return {
        "sex": person.sex,
        "title": "Mr." if person.sex == "M" else "Ms.",
        "service": SERVICES.get(reason.service, "MEDICINE"),
        "allergies": home.allergies,
        "complaint": reason.complaint,
        "procedure": catalog.procedures[reason.procedure] if reason.procedure else "None",
        "history": _history(catalog, account),
        "past": [catalog.conditions[name].said for name in person.conditions],
        "social": [*_social(account), home.tobacco, home.alcohol],
        "family": home.family,
        "vitals": _vitals(account.triage),
        "exam": _exam(catalog, reason.principal),
        "first_labs": _labs(catalog, person.sex, account.drawn[0]),
        "last_labs": _labs(catalog, person.sex, account.drawn[-1]),
        "cultures": list(_cultures(account)),
        "films": [f"{report.exam}: {report.impression}" for report in account.reports],
        "course": course_of(catalog, account),
        "transitional": list(_transitional(account)),
        "before": admission_list(account),
        "after": discharge_list(catalog, account),
        "disposition": phrases.disposition[leaving],
        "diagnoses": [catalog.icd[code] for code in account.codes[:4]],
        "died": stay.died,
        "activity": home.activity,
        "instructions": (
            f"You came to us with {phrases.prose(reason.complaint)}. Please take your medicines as listed above and "
            "keep the visits named below. Call if you feel worse."
        ),
        "followup": "None." if stay.died else f"Primary care within {draw.whole(5, 14)} days: ___",
    }


def _history(catalog: Catalog, account: Account) -> str:
    person, reason = account.person, account.stay.plan.reason
    past = ", ".join(lowered(catalog.conditions[name].said) for name in person.conditions)
    she = "He" if person.sex == "M" else "She"
    told = [f"{in_person(fact.text, person.sex)}." for fact in account.facts if fact.kind == "symptom"]
    told += [f"{fact.text}." for fact in person.facts if fact.kind == "adherence"]
    complaint = catalog.phrases.prose(reason.complaint)
    how = "for a planned operation" if reason.elective else f"with {complaint}"
    return " ".join([f"{she} is a {person.who} with {past or 'no known illness'} who came {how}.", *told])


def _social(account: Account) -> Iterator[str]:
    home = account.person.background
    yield from (home.living, home.work, home.function)
    yield from (fact.text for fact in account.person.facts if fact.kind == "social")


def _vitals(triage: Mapping[str, object] | None) -> str | None:
    if triage is None:
        return None
    return (
        f"T {triage['temperature']}, HR {triage['heartrate']:g}, BP {triage['sbp']:g}/{triage['dbp']:g}, "
        f"RR {triage['resprate']:g}, O2 sat {triage['o2sat']:g}%"
    )


def _exam(catalog: Catalog, code: str) -> Exam:
    exams = catalog.phrases.exam
    found = exams["usual"].model_dump() | {k: v for k, v in exams.get(code, Exam()).model_dump().items() if v}
    return Exam(**found)


def _labs(catalog: Catalog, sex: str, drawn: Drawn) -> list[str]:
    """Write one line a panel: the time, the date masked, and values, what is abnormal starred."""
    sampling, values = drawn
    lines = []
    for panel in (*PANELS_A_LINE, *sorted(set(sampling.stored) - {*PANELS_A_LINE})):
        shown = []
        for key in catalog.panel(panel) if panel in sampling.stored else ():
            analyte = catalog.analytes[key]
            star = "*" if is_abnormal(analyte, sex, values[key]) else ""
            name = catalog.phrases.short.get(key, analyte.label)
            shown.append(f"{name}-{written(analyte, values[key])}{star}")
        if shown:
            fluid = "URINE" if panel.startswith("urine") else "BLOOD"
            lines.append(f"___ {sampling.charttime:%I:%M%p} {fluid} {' '.join(shown)}")
    return lines


def _cultures(account: Account) -> Iterator[str]:
    """Tell each culture that was final by discharge, and name those that were not."""
    rows = [row for table, row in account.rows if table == "hosp.microbiologyevents"]
    for specimen in dict.fromkeys(row["micro_specimen_id"] for row in rows):
        of_it = [row for row in rows if row["micro_specimen_id"] == specimen]
        name = of_it[0]["spec_type_desc"]
        if of_it[0]["storetime"] > account.stay.dischtime:  # type: ignore[operator]
            yield f"{name}: pending at discharge"
        elif of_it[0].get("org_name") is None:
            yield f"{name}: no growth"
        else:
            by_letter = [
                f"{word} {', '.join(str(row['ab_name']) for row in of_it if row.get('interpretation') == letter)}"
                for letter, word in (("S", "sensitive to"), ("I", "intermediate to"), ("R", "resistant to"))
                if any(row.get("interpretation") == letter for row in of_it)
            ]
            yield f"{name}: {of_it[0]['org_name']}" + (f", {'; '.join(by_letter)}" if by_letter else "")


def _transitional(account: Account) -> Iterator[str]:
    for fact in account.person.facts:
        if fact.kind == "followup":
            yield fact.text
    for line in dict.fromkeys(_cultures(account)):
        if line.endswith("pending at discharge"):
            yield f"{line}: please follow up"
    for home in account.home:
        if account.stopped(home.key):
            yield f"{home.drug.name} was stopped: decide at the next visit whether to take it again"
    yield "Blood count and chemistry at the next visit"

"""The emergency department: visits, triage, vital signs, the home medication list, drugs given, diagnoses."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from tools.ehr.synth.catalog import Catalog
from tools.ehr.synth.curves import Curve
from tools.ehr.synth.draw import Draw
from tools.ehr.synth.frame import Span
from tools.ehr.synth.ids import Ids
from tools.ehr.synth.person import HomeDrug, Person
from tools.ehr.synth.records import Reason
from tools.ehr.synth.rows import Row
from tools.ehr.synth.vitals import vital_signs

COLUMNS = {
    "temperature": "temperature_f",
    "heartrate": "heart_rate",
    "resprate": "respiratory_rate",
    "o2sat": "spo2",
    "sbp": "nbp_systolic",
    "dbp": "nbp_diastolic",
}
"""Columns of ed.triage and ed.vitalsign, and the vital sign each holds."""

GIVEN = (("Acetaminophen", "0"), ("Ondansetron", "0"), ("Morphine", "0"), ("Albuterol", "0"))


@dataclass(frozen=True)
class Visit:
    """A visit of the emergency department; without ``hadm_id`` the patient went home.

    ``curves`` tell the vital signs, by days from ``since``.
    """

    span: Span
    reason: Reason
    hadm_id: int | None
    home: tuple[HomeDrug, ...]
    curves: Mapping[str, Curve]
    since: datetime


def visit_rows(catalog: Catalog, draw: Draw, person: Person, ids: Ids, visit: Visit) -> Iterator[Row]:
    """Write one visit."""
    span, reason = visit.span, visit.reason
    key = {"subject_id": person.subject_id, "stay_id": ids.next("stay")}
    yield (
        "ed.edstays",
        {
            **key,
            "hadm_id": visit.hadm_id,
            "intime": span.start,
            "outtime": span.end,
            "gender": person.sex,
            "race": person.traits["race"],
            "arrival_transport": person.traits["arrival_transport"],
            "disposition": "ADMITTED" if visit.hadm_id else "HOME",
        },
    )
    pain = str(draw.whole(0, 8))
    acuity = 2 if reason.icu >= 0.25 else draw.whole(2, 3)
    told = {"pain": pain, "acuity": acuity, "chiefcomplaint": reason.complaint}
    yield "ed.triage", {**key, **_vitals(catalog, draw, visit, span.start), **told}
    time = span.start + draw.minutes(10, 40)
    while time < span.end:
        signs = _vitals(catalog, draw, visit, time)
        yield "ed.vitalsign", {**key, "charttime": time, **signs, "pain": str(draw.whole(0, 6))}
        time += draw.minutes(70, 150)
    listed = span.start + draw.minutes(15, 90)
    for home in visit.home:
        yield (
            "ed.medrecon",
            {
                **key,
                "charttime": listed,
                "name": home.drug.home,
                "gsn": "0",
                "ndc": "0",
                "etc_rn": 1,
                "etcdescription": home.drug.home_class,
            },
        )
    time = span.start + draw.minutes(60, 120)
    for number, (name, gsn) in enumerate(draw.some(GIVEN, 2), start=1):
        if time >= span.end:
            break
        yield "ed.pyxis", {**key, "charttime": time, "med_rn": number, "name": name, "gsn_rn": 1, "gsn": gsn}
        time += timedelta(minutes=draw.whole(1, 25))
    codes = [
        *(reason.ed_diagnoses or (reason.principal,)),
        *(code for name in person.conditions[:2] for code in catalog.conditions[name].icd[:1]),
    ]
    for number, code in enumerate(dict.fromkeys(codes), start=1):
        title = {"icd_code": code, "icd_version": 10, "icd_title": catalog.icd[code]}
        yield "ed.diagnosis", {**key, "seq_num": number, **title}


def _vitals(catalog: Catalog, draw: Draw, visit: Visit, time: datetime) -> dict[str, object]:
    signs = vital_signs(catalog, draw, visit.curves, (time - visit.since) / timedelta(days=1))
    return {column: signs[name] for column, name in COLUMNS.items()}

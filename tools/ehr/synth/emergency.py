"""The emergency department: visits, triage, vital signs, the home medication list, drugs given, diagnoses."""

from collections.abc import Iterator
from datetime import timedelta

from tools.ehr.synth.catalog import Catalog, Reason
from tools.ehr.synth.draw import Draw
from tools.ehr.synth.ids import Ids
from tools.ehr.synth.person import Person
from tools.ehr.synth.rows import Row
from tools.ehr.synth.stay import Span

GIVEN = (("Acetaminophen", "0"), ("Ondansetron", "0"), ("Morphine", "0"), ("Albuterol", "0"))


def visit_rows(
    catalog: Catalog, draw: Draw, person: Person, ids: Ids, reason: Reason, visit: Span, hadm_id: int | None
) -> Iterator[Row]:
    """Write one visit; without ``hadm_id`` the patient went home."""
    key = {"subject_id": person.subject_id, "stay_id": ids.next("stay")}
    yield (
        "ed.edstays",
        {
            **key,
            "hadm_id": hadm_id,
            "intime": visit.start,
            "outtime": visit.end,
            "gender": person.sex,
            "race": person.traits["race"],
            "arrival_transport": person.traits["arrival_transport"],
            "disposition": "ADMITTED" if hadm_id else "HOME",
        },
    )
    pain = str(draw.whole(0, 8))
    acuity = 2 if reason.icu >= 0.25 else draw.whole(2, 3)
    yield (
        "ed.triage",
        {**key, **_vitals(draw), "pain": pain, "acuity": acuity, "chiefcomplaint": reason.complaint},
    )
    time = visit.start + draw.minutes(10, 40)
    while time < visit.end:
        yield "ed.vitalsign", {**key, "charttime": time, **_vitals(draw), "pain": str(draw.whole(0, 6))}
        time += draw.minutes(70, 150)
    listed = visit.start + draw.minutes(15, 90)
    for home in person.home:
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
    time = visit.start + draw.minutes(60, 120)
    for number, (name, gsn) in enumerate(draw.some(GIVEN, 2), start=1):
        yield "ed.pyxis", {**key, "charttime": time, "med_rn": number, "name": name, "gsn_rn": 1, "gsn": gsn}
        time += timedelta(minutes=draw.whole(1, 25))
    codes = [
        reason.principal,
        *(code for name in person.conditions[:2] for code in catalog.conditions[name].icd[:1]),
    ]
    for number, code in enumerate(dict.fromkeys(codes), start=1):
        title = {"icd_code": code, "icd_version": 10, "icd_title": catalog.icd[code]}
        yield "ed.diagnosis", {**key, "seq_num": number, **title}


def _vitals(draw: Draw) -> dict[str, object]:
    systolic = round(draw.about(132, 16, (88, 190)))
    return {
        "temperature": round(draw.about(98.4, 0.6), 1),
        "heartrate": round(draw.about(86, 12, (52, 140))),
        "resprate": round(draw.about(18, 2, (12, 30))),
        "o2sat": round(draw.about(97, 1.5, (88, 100))),
        "sbp": systolic,
        "dbp": round(systolic * draw.between((0.5, 0.62))),
    }

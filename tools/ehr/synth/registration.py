"""Who came, when and why: patients, admissions, transfers, services, diagnoses and outpatient measurements."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta

from tools.ehr.synth.catalog import Catalog
from tools.ehr.synth.curves import Curve
from tools.ehr.synth.draw import Draw, at
from tools.ehr.synth.ids import Ids
from tools.ehr.synth.person import Person
from tools.ehr.synth.rows import Row
from tools.ehr.synth.stay import Stay
from tools.ehr.synth.story import Variant

INTENSIVE_CARE = "Medical Intensive Care Unit (MICU)"
FRAIL_FROM = 65
"""Age from which patients leave for a nursing facility now and then."""

INCHES_PER_CM = 1 / 2.54
POUNDS_PER_KG = 2.2046


def patient_row(draw: Draw, person: Person, last: Stay) -> Row:
    """Write the patient; few die, in the last stay or within two years of it."""
    died: date | None = None
    if last.died:
        died = last.dischtime.date()
    elif draw.chance(0.06):
        died = last.dischtime.date() + timedelta(days=draw.whole(20, 700))
    return (
        "hosp.patients",
        {
            "subject_id": person.subject_id,
            "gender": person.sex,
            "anchor_age": person.anchor_age,
            "anchor_year": person.anchor_year,
            "anchor_year_group": person.traits["anchor_year_group"],
            "dod": died,
        },
    )


def stay_rows(
    catalog: Catalog, draw: Draw, person: Person, stay: Stay, ids: Ids, provider: str
) -> Iterator[Row]:
    """Write everything administrative of one stay."""
    key = {"subject_id": person.subject_id, "hadm_id": stay.hadm_id}
    reason, visit = stay.plan.reason, stay.emergency
    frail = person.age(stay.admittime) >= FRAIL_FROM
    leaving = draw.weighted(
        catalog.demographics["discharge_location" if frail else "discharge_location_young"]
    )
    if stay.exposure and stay.exposure.story.leaves_to:
        leaving = stay.exposure.story.leaves_to
    yield (
        "hosp.admissions",
        {
            **key,
            "admittime": stay.admittime,
            "dischtime": stay.dischtime,
            "deathtime": stay.dischtime if stay.died else None,
            "admission_type": "EW EMER." if visit else "SURGICAL SAME DAY ADMISSION",
            "admit_provider_id": provider,
            "admission_location": "EMERGENCY ROOM" if visit else "PHYSICIAN REFERRAL",
            "discharge_location": "DIED" if stay.died else leaving,
            **{name: person.traits[name] for name in ("insurance", "language", "marital_status", "race")},
            "edregtime": visit.start if visit else None,
            "edouttime": visit.end if visit else None,
            "hospital_expire_flag": int(stay.died),
        },
    )
    yield (
        "hosp.services",
        {**key, "transfertime": stay.admittime + timedelta(minutes=1), "curr_service": reason.service},
    )
    yield from _transfers(stay, ids, key)
    for number, code in enumerate(_codes(catalog, person, stay), start=1):
        yield "hosp.diagnoses_icd", {**key, "seq_num": number, "icd_code": code, "icd_version": 10}
    if reason.procedure:
        performed = {"seq_num": 1, "chartdate": stay.admittime.date(), "icd_code": reason.procedure}
        yield "hosp.procedures_icd", {**key, **performed, "icd_version": 10}


def _transfers(stay: Stay, ids: Ids, key: dict[str, int]) -> Iterator[Row]:
    """Write where the patient lay, without a gap from arrival to discharge."""
    moves: list[tuple[str, str | None, datetime]] = []
    if stay.emergency:
        moves.append(("ED", "Emergency Department", stay.emergency.start))
    bed = stay.emergency.end if stay.emergency else stay.admittime
    if stay.icu:
        moves.append(("admit", INTENSIVE_CARE, bed))
        moves.append(("transfer", stay.plan.reason.unit, stay.icu.end))
    else:
        moves.append(("admit", stay.plan.reason.unit, bed))
    moves.append(("discharge", None, stay.dischtime))
    ends: list[datetime | None] = [start for _, _, start in moves[1:]]
    for (event, unit, start), end in zip(moves, [*ends, None], strict=True):
        times = {"intime": start, "outtime": end}
        yield (
            "hosp.transfers",
            {**key, "transfer_id": ids.next("transfer"), "eventtype": event, "careunit": unit, **times},
        )


def _codes(catalog: Catalog, person: Person, stay: Stay) -> list[str]:
    """List the diagnoses coded after discharge: the reason, what the story did, and what the patient lives with."""
    codes = [stay.plan.reason.principal, *(stay.plan.earlier.codes if stay.plan.earlier else ())]
    exposure = stay.exposure
    if exposure and exposure.variant in {Variant.POSITIVE, Variant.STOPPED}:
        codes += exposure.story.adverse
    codes += [code for name in person.conditions for code in catalog.conditions[name].icd]
    codes += exposure.story.history if exposure else ()
    return list(dict.fromkeys(codes))


def omr_rows(draw: Draw, person: Person, days: Sequence[datetime]) -> Iterator[Row]:
    """Write weight, height, body mass index and blood pressure of the days the patient was seen."""
    inches = round(person.height_cm * INCHES_PER_CM, 1)
    for day in days:
        kg = person.weight_kg + draw.about(0, 0.8)
        measured = {
            "Weight (Lbs)": f"{kg * POUNDS_PER_KG:.1f}",
            "Height (Inches)": f"{inches:g}",
            "BMI (kg/m2)": f"{kg / (person.height_cm / 100) ** 2:.1f}",
            "Blood Pressure": f"{draw.about(130, 11):.0f}/{draw.about(74, 7):.0f}",
        }
        for name, value in measured.items():
            yield _omr(person, day, name, value)


def weighed_rows(draw: Draw, stay: Stay, person: Person, curves: Mapping[str, Curve]) -> Iterator[Row]:
    """Write the daily weight of a ward whose story moves it, as hosp.omr has some inpatients' too."""
    exposure = stay.exposure
    if exposure is None or "weight" not in exposure.story.vitals or stay.icu:
        return
    day = at(stay.admittime, 6) + timedelta(days=1)
    while day < stay.dischtime:
        kg = curves["weight"].value(stay.day(day), draw)
        yield _omr(person, day, "Weight (Lbs)", f"{kg * POUNDS_PER_KG:.1f}")
        day += timedelta(days=1)


def _omr(person: Person, day: datetime, name: str, value: str) -> Row:
    key = {"subject_id": person.subject_id, "chartdate": day.date(), "seq_num": 1}
    return "hosp.omr", {**key, "result_name": name, "result_value": value}

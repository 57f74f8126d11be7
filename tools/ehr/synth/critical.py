"""The intensive care unit: stays, charted vital signs and urine output."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta

from tools.ehr.synth.blood import Unit, blood_rows
from tools.ehr.synth.catalog import Catalog
from tools.ehr.synth.curves import Curve
from tools.ehr.synth.draw import Draw, at
from tools.ehr.synth.frame import Span
from tools.ehr.synth.ids import Ids
from tools.ehr.synth.person import Person
from tools.ehr.synth.registration import INTENSIVE_CARE
from tools.ehr.synth.rows import Row
from tools.ehr.synth.stay import Stay
from tools.ehr.synth.vitals import vital_signs

SOON = 8
"""Minutes within which what is charted at the index moment is stored: before the results of its blood."""

WEIGHED_AT = 6
"""Hour of the day of the daily weight."""


def icu_rows(
    catalog: Catalog,
    draw: Draw,
    person: Person,
    stay: Stay,
    curves: Mapping[str, Curve],
    units: Sequence[Unit],
    ids: Ids,
) -> Iterator[Row]:
    """Write the ICU stay of ``stay``, its chart and its blood products; nothing when there was none."""
    if stay.icu is None:
        return
    caregiver = ids.next("caregiver")
    yield "icu.caregiver", {"caregiver_id": caregiver}
    key = {"subject_id": person.subject_id, "hadm_id": stay.hadm_id, "stay_id": ids.next("stay")}
    yield (
        "icu.icustays",
        {
            **key,
            "first_careunit": INTENSIVE_CARE,
            "last_careunit": INTENSIVE_CARE,
            "intime": stay.icu.start,
            "outtime": stay.icu.end,
            "los": (stay.icu.end - stay.icu.start) / timedelta(days=1),
        },
    )
    key["caregiver_id"] = caregiver
    yield from blood_rows(catalog, draw, stay, units, ids, key)
    for time in _moments(stay, stay.icu):
        for name, value in _entries(catalog, draw, person, stay, stay.icu, curves, time).items():
            vital = catalog.vitals[name]
            charted = {
                **key,
                "charttime": time,
                "storetime": time + draw.minutes(1, SOON if _is_index(stay, time) else 40),
                "itemid": vital.itemid,
                "valueuom": vital.unit,
            }
            if vital.linksto == "outputevents":
                yield "icu.outputevents", {**charted, "value": value}
            else:
                yield (
                    "icu.chartevents",
                    {**charted, "value": f"{value:g}", "valuenum": value, "warning": 0},
                )


def _moments(stay: Stay, icu: Span) -> list[datetime]:
    """List every full hour in the unit, and the moment the story turns on where it is charted."""
    hours = int((icu.end - icu.start) / timedelta(hours=1))
    times = {(icu.start + timedelta(hours=hour + 1)).replace(minute=0, second=0) for hour in range(hours)}
    if stay.index and stay.exposure and stay.exposure.story.charted:
        times.add(stay.index.charttime)
    return sorted(time for time in times if icu.start <= time <= icu.end)


def _is_index(stay: Stay, time: datetime) -> bool:
    return stay.index is not None and stay.index.charttime == time


def _entries(
    catalog: Catalog,
    draw: Draw,
    person: Person,
    stay: Stay,
    icu: Span,
    curves: Mapping[str, Curve],
    time: datetime,
) -> dict[str, float]:
    """Give what is charted at ``time``; everything at the index moment, in turn at the full hours."""
    day, on_the_hour = stay.day(time), time.minute == 0
    hour = round((time - at(icu.start, icu.start.hour)) / timedelta(hours=1)) - 1
    values = {
        name: value
        for name, value in vital_signs(catalog, draw, curves, day).items()
        if _is_index(stay, time) or hour % catalog.vitals[name].every == 0
    }
    if on_the_hour:
        values["urine_output"] = round(max(0.0, curves["urine_output"].value(day, draw)))
    if hour == 0:
        values["admission_weight"] = round(curves["weight"].value(day, draw), 1)
        values["height"] = person.height_cm
    if on_the_hour and time.hour == WEIGHED_AT:
        values["weight"] = round(curves["weight"].value(day, draw), 1)
    return values

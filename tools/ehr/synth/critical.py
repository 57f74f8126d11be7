"""The intensive care unit: stays and charted vital signs."""

from collections.abc import Iterator
from datetime import timedelta

from tools.ehr.synth.catalog import Catalog, Vital
from tools.ehr.synth.draw import Draw
from tools.ehr.synth.ids import Ids
from tools.ehr.synth.person import Person
from tools.ehr.synth.registration import INTENSIVE_CARE
from tools.ehr.synth.rows import Row
from tools.ehr.synth.stay import Stay


def icu_rows(
    catalog: Catalog, draw: Draw, person: Person, stay: Stay, ids: Ids, caregiver: int
) -> Iterator[Row]:
    """Write the ICU stay of ``stay`` and its hourly chart; nothing when there was none."""
    if stay.icu is None:
        return
    key = {"subject_id": person.subject_id, "hadm_id": stay.hadm_id, "stay_id": ids.next("stay")}
    begin, end = stay.icu.start, stay.icu.end
    yield (
        "icu.icustays",
        {
            **key,
            "first_careunit": INTENSIVE_CARE,
            "last_careunit": INTENSIVE_CARE,
            "intime": begin,
            "outtime": end,
            "los": (end - begin) / timedelta(days=1),
        },
    )
    body = {"weight": person.weight_kg, "height": person.height_cm}
    hours = int((end - begin) / timedelta(hours=1))
    for hour in range(hours):
        time = (begin + timedelta(hours=hour + 1)).replace(minute=0, second=0)
        values = body if hour == 0 else {}
        for name, value in {**values, **_hour(catalog, draw, hour)}.items():
            vital = catalog.vitals[name]
            yield (
                "icu.chartevents",
                {
                    **key,
                    "caregiver_id": caregiver,
                    "charttime": time,
                    "storetime": time + draw.minutes(1, 40),
                    "itemid": vital.itemid,
                    "value": f"{value:g}",
                    "valuenum": value,
                    "valueuom": vital.unit,
                    "warning": 0,
                },
            )


def _hour(catalog: Catalog, draw: Draw, hour: int) -> dict[str, float]:
    values = {
        name: _value(draw, vital, vital.mean)
        for name, vital in catalog.vitals.items()
        if vital.mean is not None and hour % vital.every == 0
    }
    values["nbp_mean"] = round((values["nbp_systolic"] + 2 * values["nbp_diastolic"]) / 3)
    return values


def _value(draw: Draw, vital: Vital, mean: float) -> float:
    value = round(draw.about(mean, vital.spread), vital.decimals)
    return value if vital.most is None else min(value, vital.most)

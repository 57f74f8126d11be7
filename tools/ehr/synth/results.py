"""Values of results over a stay, and their labevents rows."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tools.ehr.synth.catalog import Analyte, Catalog, Story
from tools.ehr.synth.draw import Draw
from tools.ehr.synth.ids import Ids
from tools.ehr.synth.person import Person
from tools.ehr.synth.plan import Variant
from tools.ehr.synth.rows import Row
from tools.ehr.synth.stay import Sampling, Stay

RECOVERY_DAYS = 0.9
"""Half-time of the return after the index result, once the cause is seen to."""

ILLNESS_DAYS = 2.5
"""Half-time of the return of what was off on arrival."""


@dataclass(frozen=True)
class Curve:
    """A value over a stay: from ``start`` to ``peak`` at day ``top``, then back; flat where both are equal."""

    start: float
    peak: float
    top: float
    spike: bool = False
    steep: float = 2
    wobble: float = 0
    recovery: float = RECOVERY_DAYS

    def value(self, day: float, draw: Draw) -> float:
        """Give the value on ``day``, exact on the day of the peak and never beyond start and peak."""
        if abs(day - self.top) < 1e-9:
            return self.peak
        if self.spike or self.start == self.peak:
            share = 0.0
        elif day < self.top:
            share = (day / self.top) ** self.steep
        else:
            share = 0.5 ** ((day - self.top) / self.recovery)
        value = self.start + share * (self.peak - self.start) + draw.about(0, self.wobble)
        if self.start == self.peak or self.spike:
            return value
        return min(max(value, min(self.start, self.peak)), max(self.start, self.peak))


def make_curves(catalog: Catalog, draw: Draw, person: Person, stay: Stay) -> dict[str, Curve]:
    """Draw the curve of every analyte that is measured rather than derived."""
    usual = person.usual
    curves = flat_curves(catalog, person)
    for key, bounds in stay.plan.reason.usual.items():
        wobble = catalog.analytes[key].wobble
        curves[key] = Curve(usual[key], draw.between(bounds), 0, wobble=wobble, recovery=ILLNESS_DAYS)
    exposure, index = stay.plan.exposure, stay.index
    if exposure is None or index is None:
        return curves
    story, top = exposure.story, stay.day(index.charttime)
    steep = 4 if exposure.variant is Variant.STOPPED else 2
    start, peak = _ends(catalog, draw, person, stay, story, exposure.variant)
    wobble = catalog.analytes[story.analyte].wobble
    curves[story.analyte] = Curve(start, peak, top, story.shape == "spike", steep, wobble)
    if exposure.variant is Variant.NEAR_MISS:
        return curves
    for key, bounds in story.alongside.items():
        if key == "creatinine_times":
            base = usual["creatinine"]
            curves["creatinine"] = Curve(base, base * draw.between(bounds), top, steep=steep, wobble=0.03)
        else:
            curves[key] = Curve(
                usual[key], draw.between(bounds), top, steep=steep, wobble=catalog.analytes[key].wobble
            )
    return curves


def flat_curves(catalog: Catalog, person: Person) -> dict[str, Curve]:
    """Give the patient's own mean of every analyte, steady."""
    return {
        key: Curve(mean, mean, -1, wobble=catalog.analytes[key].wobble) for key, mean in person.usual.items()
    }


def _ends(
    catalog: Catalog, draw: Draw, person: Person, stay: Stay, story: Story, variant: Variant
) -> tuple[float, float]:
    """Draw where the story's analyte starts and where it stands at the index, in its own unit."""
    near = variant is Variant.NEAR_MISS
    start = draw.between(story.near_start if near and story.near_start else story.start)
    peak = draw.between(story.near_miss if near else story.positive)
    if story.scale == "egfr":
        return person.creatinine(start, stay.admittime), person.creatinine(peak, stay.admittime)
    limits = catalog.analytes[story.analyte].limits(person.sex)
    if story.scale == "uln" and limits is not None:
        return start * limits[1], peak * limits[1]
    return (start, start * peak) if story.scale == "fraction" else (start, peak)


def results(
    catalog: Catalog,
    draw: Draw,
    person: Person,
    curves: Mapping[str, Curve],
    sampling: Sampling,
    day: float,
) -> dict[str, float]:
    """Give the value of every analyte of ``sampling``, derived ones included, unrounded."""
    wanted = {key for panel in sampling.stored for key in catalog.panel(panel)}
    values = {key: curve.value(day, draw) for key, curve in curves.items()}
    for key, curve in curves.items():
        bounds = catalog.analytes[key].within
        if bounds and curve.start == curve.peak:
            low, high = min(bounds[0], curve.start), max(bounds[1], curve.start)
            values[key] = min(max(values[key], low), high)
    rounded = {key: round(value, catalog.analytes[key].decimals) for key, value in values.items()}
    values["urea_nitrogen"] = rounded["creatinine"] * (13 + person.number % 7) + draw.about(0, 1)
    cations = rounded["sodium"] + rounded["potassium"]
    values["chloride"] = cations - rounded["bicarbonate"] - rounded["anion_gap"]
    values["potassium_whole_blood"] = values["potassium"] + draw.about(-0.1, 0.1)
    hematocrit = rounded["hemoglobin"] * 3 + draw.about(0, 0.3)
    red_cells = hematocrit * 10 / rounded["mcv"]
    values |= {
        "hematocrit": hematocrit,
        "red_cells": red_cells,
        "mch": rounded["hemoglobin"] * 10 / red_cells,
        "mchc": rounded["hemoglobin"] * 100 / hematocrit,
        "pt": rounded["inr"] * 11 + draw.about(0, 0.2),
    }
    return {key: values[key] for key in catalog.analytes if key in wanted}


def lab_rows(
    catalog: Catalog,
    person: Person,
    ids: Ids,
    hadm_id: int | None,
    sampling: Sampling,
    values: Mapping[str, float],
    provider: str,
) -> Iterator[Row]:
    """Write labevents rows of one sampling; analytes of one panel share a specimen."""
    specimens = {panel: ids.next("specimen") for panel in sampling.stored}
    for key, value in values.items():
        analyte = catalog.analytes[key]
        yield (
            "hosp.labevents",
            {
                "labevent_id": ids.next("labevent"),
                "subject_id": person.subject_id,
                "hadm_id": hadm_id,
                "specimen_id": specimens[analyte.panel],
                "itemid": analyte.itemid,
                "order_provider_id": provider,
                "charttime": sampling.charttime,
                "storetime": sampling.stored[analyte.panel],
                "valueuom": analyte.unit,
                "priority": None if analyte.panel == "gas" else "STAT" if sampling.urgent else "ROUTINE",
                **_reported(analyte, person.sex, value),
            },
        )


def _reported(analyte: Analyte, sex: str, value: float) -> dict[str, object]:
    number = round(value, analyte.decimals)
    limits = analyte.limits(sex)
    reference = {"ref_range_lower": limits[0], "ref_range_upper": limits[1]} if limits else {}
    if analyte.below is not None and number < analyte.below:
        return {**reference, "value": f"<{analyte.below:g}", "comments": f"<{analyte.below:g}."}
    abnormal = limits is not None and not limits[0] <= number <= limits[1]
    text = f"{number:.{analyte.decimals}f}"
    return {**reference, "value": text, "valuenum": number, "flag": "abnormal" if abnormal else None}

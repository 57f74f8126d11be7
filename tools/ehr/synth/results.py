"""Values of results over a stay, the derived ones among them, and their labevents rows."""

from collections.abc import Iterator, Mapping

from tools.ehr.synth.catalog import Catalog
from tools.ehr.synth.curves import Curve
from tools.ehr.synth.derived import SOURCES, with_derived
from tools.ehr.synth.draw import Draw
from tools.ehr.synth.ids import Ids
from tools.ehr.synth.person import Person
from tools.ehr.synth.records import Analyte
from tools.ehr.synth.rows import Row
from tools.ehr.synth.sampling import Sampling

Values = Mapping[str, float]
Drawn = tuple[Sampling, Values]
"""Blood drawn, and what it held."""


def results(
    catalog: Catalog,
    draw: Draw,
    person: Person,
    curves: Mapping[str, Curve],
    sampling: Sampling,
    day: float,
) -> dict[str, float]:
    """Give the value of every analyte of ``sampling``, rounded as reported, derived ones included."""
    wanted = {key for panel in sampling.stored for key in catalog.panel(panel)}
    measured = {
        key: round(curves[key].value(day, draw), analyte.decimals)
        for key, analyte in catalog.analytes.items()
        if key in curves and (key in wanted or key in SOURCES)
    }
    values = with_derived(catalog, draw, measured, 13 + person.number % 7)
    return {key: values[key] for key in catalog.analytes if key in wanted}


def lab_rows(
    catalog: Catalog,
    person: Person,
    ids: Ids,
    hadm_id: int | None,
    sampling: Sampling,
    values: Values,
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


def written(analyte: Analyte, number: float) -> str:
    """Write a value as the laboratory reports it."""
    if analyte.below is not None and number < analyte.below:
        return f"<{analyte.below:g}"
    return f"{number:.{analyte.decimals}f}"


def _reported(analyte: Analyte, sex: str, number: float) -> dict[str, object]:
    limits = analyte.limits(sex)
    reference = {"ref_range_lower": limits[0], "ref_range_upper": limits[1]} if limits else {}
    text = written(analyte, number)
    if text.startswith("<"):
        return {**reference, "value": text, "comments": f"{text}."}
    return {
        **reference,
        "value": text,
        "valuenum": number,
        "flag": "abnormal" if is_abnormal(analyte, sex, number) else None,
    }


def is_abnormal(analyte: Analyte, sex: str, number: float) -> bool:
    """Tell whether a value lies outside the reference range."""
    limits = analyte.limits(sex)
    return limits is not None and not limits[0] <= number <= limits[1]

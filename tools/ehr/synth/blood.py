"""Blood products: when each unit was given, and its icu.inputevents row where the patient lay in intensive care."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from tools.ehr.synth.catalog import Catalog
from tools.ehr.synth.draw import Draw
from tools.ehr.synth.ids import Ids
from tools.ehr.synth.rows import Row
from tools.ehr.synth.stay import Stay

BETWEEN_UNITS = timedelta(minutes=30)


@dataclass(frozen=True)
class Unit:
    """One unit of a product of the catalog, running from ``start`` to ``end``."""

    product: str
    start: datetime
    end: datetime


def make_units(catalog: Catalog, draw: Draw, stay: Stay) -> tuple[Unit, ...]:
    """Draw the units of the stay's story, one after another."""
    if stay.exposure is None:
        return ()
    units = []
    for transfused in stay.exposure.story.transfusions:
        if not stay.tells(transfused):
            continue
        start = stay.moment(draw, transfused.start)
        for _ in range(transfused.units):
            end = start + timedelta(minutes=catalog.blood[transfused.product].minutes)
            units.append(Unit(transfused.product, start, end))
            start = end + BETWEEN_UNITS
    return tuple(units)


def blood_rows(
    catalog: Catalog, draw: Draw, stay: Stay, units: Sequence[Unit], ids: Ids, key: Mapping[str, object]
) -> Iterator[Row]:
    """Write the units given in intensive care; ``key`` names the patient, the stay and the caregiver."""
    for unit in units:
        if stay.icu is None or not stay.icu.start <= unit.start <= unit.end <= stay.icu.end:
            continue
        product = catalog.blood[unit.product]
        order = ids.next("input")
        yield (
            "icu.inputevents",
            {
                **key,
                "starttime": unit.start,
                "endtime": unit.end,
                "storetime": unit.end + draw.minutes(1, 20),
                "itemid": product.itemid,
                "amount": product.ml,
                "amountuom": "ml",
                "orderid": order,
                "linkorderid": order,
                "ordercategoryname": "07-Blood Products",
                "statusdescription": "FinishedRunning",
            },
        )

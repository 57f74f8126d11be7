"""Vital signs at one moment of a stay."""

from collections.abc import Mapping

from tools.ehr.synth.catalog import Catalog
from tools.ehr.synth.curves import Curve
from tools.ehr.synth.draw import Draw

MOST_DIASTOLIC = 0.75
"""Diastolic pressure is kept under this share of the systolic."""


def vital_signs(catalog: Catalog, draw: Draw, curves: Mapping[str, Curve], day: float) -> dict[str, float]:
    """Read every bedside vital sign on ``day``, rounded as charted; weight, height and outputs are not among them."""
    values = {}
    for name, vital in catalog.vitals.items():
        if vital.usual is None or vital.linksto != "chartevents":
            continue
        value = round(curves[name].value(day, draw), vital.decimals)
        values[name] = value if vital.most is None else min(value, vital.most)
    values["nbp_diastolic"] = min(values["nbp_diastolic"], round(MOST_DIASTOLIC * values["nbp_systolic"]))
    values["nbp_mean"] = round((values["nbp_systolic"] + 2 * values["nbp_diastolic"]) / 3)
    return values

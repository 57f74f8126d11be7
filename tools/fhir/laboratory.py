"""Laboratory Observation from hosp.labevents."""

import re
from collections import defaultdict
from collections.abc import Iterable
from functools import cached_property

from tools.fhir.context import Context, Row
from tools.fhir.dictionaries import LabItem
from tools.fhir.elements import Resource, compact, concept, date_time, number, quantity, text_of
from tools.fhir.systems import (
    DATA_ABSENT_REASON,
    INTERPRETATION,
    LAB_ITEM,
    LAB_SPECIMEN_ID,
    LOINC,
    OBSERVATION_CATEGORY,
)

COMPARED = re.compile(r"([<>]=?)\s*(\d[\d.,]*)")
CATEGORY = [concept("Laboratory", (OBSERVATION_CATEGORY, "laboratory", "Laboratory"))]
HIGH = concept("High", (INTERPRETATION, "H", "High"))
LOW = concept("Low", (INTERPRETATION, "L", "Low"))
ABNORMAL = concept("Abnormal", (INTERPRETATION, "A", "Abnormal"))
MASKED = concept("removed by de-identification", (DATA_ABSENT_REASON, "masked", "Masked"))
NOT_RECORDED = concept("not recorded", (DATA_ABSENT_REASON, "unknown", "Unknown"))


class Laboratory:
    """Results of one chart."""

    def __init__(self, context: Context) -> None:
        self._context = context

    @cached_property
    def newest_first(self) -> list[Row]:
        """Sort every known result by collection time."""
        rows = self._context.rows("hosp.labevents")
        return sorted(rows, key=lambda row: (row["charttime"], row["labevent_id"]), reverse=True)

    def of_items(self, itemids: Iterable[int]) -> list[Row]:
        """Give the results of some items, sorted like all."""
        rows = [row for itemid in itemids for row in self._by_item.get(itemid, ())]
        rows.sort(key=lambda row: (row["charttime"], row["labevent_id"]), reverse=True)
        return rows

    @cached_property
    def _by_item(self) -> dict[int, list[Row]]:
        found: dict[int, list[Row]] = defaultdict(list)
        for row in self.newest_first:
            found[row["itemid"]].append(row)
        return found

    def build(self, row: Row) -> Resource:
        """Build the Observation of one result."""
        context = self._context
        itemid = row["itemid"]
        item = context.dictionaries.lab_items.get(itemid) or LabItem(
            itemid, f"itemid {itemid}", "unknown", ""
        )
        codings: list[tuple[str, str, str | None]] = [(LAB_ITEM, str(itemid), item.label)]
        codes = context.vocabulary.loinc
        if (loinc := codes.of_item(itemid)) is not None:
            codings.append((LOINC, loinc, codes.name(loinc)))
        value, comment = _value(row)
        interpretation = _interpretation(row)
        return compact(
            {
                "resourceType": "Observation",
                "id": f"lab-{row['row_id']}",
                "status": "final",
                "category": CATEGORY,
                "code": concept(item.label, *codings),
                "subject": context.subject,
                "encounter": context.encounter(row["hadm_id"]),
                "effectiveDateTime": date_time(row["charttime"]),
                "issued": date_time(row["storetime"]) if row["storetime"] is not None else None,
                **value,
                "interpretation": [interpretation] if interpretation else None,
                "note": [{"text": comment}] if comment else None,
                "specimen": {
                    "identifier": {"system": LAB_SPECIMEN_ID, "value": str(row["specimen_id"])},
                    "display": item.specimen,
                },
                "referenceRange": _range(row),
            }
        )


def _value(row: Row) -> tuple[Resource, str | None]:
    """Give value[x] and what remains to be said; where MIMIC-IV leaves the value empty, its comment is the result."""
    text, comment, unit = text_of(row["value"]), text_of(row["comments"]), text_of(row["valueuom"])
    if row["valuenum"] is not None:
        written = number(text) if text is not None else None
        return {
            "valueQuantity": quantity(_plain(row["valuenum"]) if written is None else written, unit)
        }, comment
    compared = COMPARED.fullmatch(text or "")
    limit = number(compared[2]) if compared else None
    if compared is not None and limit is not None:
        return {"valueQuantity": quantity(limit, unit) | {"comparator": compared[1]}}, comment
    if text is not None:
        return {"valueString": f"{text} {unit}" if unit and unit != "N/A" else text}, comment
    if comment is not None:
        return {"valueString": comment}, None
    masked = row["value"] is not None or row["comments"] is not None
    return {"dataAbsentReason": MASKED if masked else NOT_RECORDED}, None


def _plain(value: float) -> float:
    return int(value) if value == int(value) else value


def _interpretation(row: Row) -> Resource | None:
    """Give the laboratory's flag; MIMIC-IV's only flag is "abnormal", so the range says on which side."""
    flag = text_of(row["flag"])
    if flag is None:
        return None
    if flag.lower() != "abnormal":
        return concept(flag)
    value, low, high = row["valuenum"], row["ref_range_lower"], row["ref_range_upper"]
    if value is not None and high is not None and value > high:
        return HIGH
    if value is not None and low is not None and value < low:
        return LOW
    return ABNORMAL


def _range(row: Row) -> list[Resource]:
    unit = text_of(row["valueuom"])
    limits = {"low": row["ref_range_lower"], "high": row["ref_range_upper"]}
    built = {side: quantity(_plain(limit), unit) for side, limit in limits.items() if limit is not None}
    return [built] if built else []

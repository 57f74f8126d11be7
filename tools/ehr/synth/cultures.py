"""Cultures of stays with an infection: sterile blood, and the organism where it was sought."""

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta

from tools.ehr.synth.catalog import Catalog
from tools.ehr.synth.draw import Draw, at
from tools.ehr.synth.ids import Ids
from tools.ehr.synth.person import Person
from tools.ehr.synth.rows import Row
from tools.ehr.synth.stay import Stay

COMPARISONS = ("<=", "=>")


def culture_rows(
    catalog: Catalog, draw: Draw, person: Person, stay: Stay, ids: Ids, provider: str
) -> Iterator[Row]:
    """Write two blood cultures without growth and the culture of the stay's reason, grown in most."""
    wanted = stay.plan.reason.culture
    if wanted is None:
        return
    first = stay.samplings[0].charttime
    key = {"subject_id": person.subject_id, "hadm_id": stay.hadm_id, "order_provider_id": provider}
    for _ in range(2):
        row = _specimen(key, ids, catalog.cultures["blood"], first, first + timedelta(days=5))
        yield (
            "hosp.microbiologyevents",
            {**row, "microevent_id": ids.next("microevent"), "comments": "NO GROWTH.  "},
        )
    culture = catalog.cultures[wanted]
    row = _specimen(key, ids, culture, first + draw.minutes(5, 60), first + timedelta(days=draw.whole(2, 3)))
    if draw.chance(0.25):
        yield (
            "hosp.microbiologyevents",
            {**row, "microevent_id": ids.next("microevent"), "comments": "NO GROWTH.  "},
        )
        return
    grown = {"org_itemid": culture["org_itemid"], "org_name": culture["org_name"], "isolate_num": 1}
    for itemid, name, dilution, interpretation in catalog.susceptibilities[str(culture["org_name"])]:
        comparison = next((sign for sign in COMPARISONS if dilution.startswith(sign)), "=")
        yield (
            "hosp.microbiologyevents",
            {
                **row,
                **grown,
                "microevent_id": ids.next("microevent"),
                "ab_itemid": itemid,
                "ab_name": name,
                "dilution_text": dilution,
                "dilution_comparison": f"{comparison:<10}",
                "dilution_value": float(dilution.lstrip("<=>")),
                "interpretation": interpretation,
            },
        )


def _specimen(
    key: Mapping[str, object], ids: Ids, culture: Mapping[str, int | str], drawn: datetime, stored: datetime
) -> dict[str, object]:
    asked = ("spec_itemid", "spec_type_desc", "test_itemid", "test_name")
    return {
        **key,
        "micro_specimen_id": ids.next("micro_specimen"),
        "chartdate": at(drawn, 0),
        "charttime": drawn,
        "test_seq": 1,
        "storedate": at(stored, 0),
        "storetime": stored,
        **{name: culture[name] for name in asked},
    }

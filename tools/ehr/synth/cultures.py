"""Cultures: those a story asks for, or the usual ones of an infection, sterile blood among them."""

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta

from tools.ehr.synth.catalog import Catalog
from tools.ehr.synth.draw import Draw, at
from tools.ehr.synth.ids import Ids
from tools.ehr.synth.person import Person
from tools.ehr.synth.records import Isolate, Specimen
from tools.ehr.synth.rows import Row
from tools.ehr.synth.stay import Stay
from tools.ehr.synth.story import Cultured, Moment

COMPARISONS = ("<=", "=>")
BLOOD_TWICE = (
    Cultured(specimen="blood", final_hours=(120, 120), taken=Moment(of="arrival", hours=(0, 0))),
) * 2
GROWTH = 0.75
"""Chance that the specimen of an infection grows its organism."""

FINAL_AFTER_DISCHARGE = (6, 60)
"""Hours from discharge to a result that was still pending then."""


def culture_rows(
    catalog: Catalog, draw: Draw, person: Person, stay: Stay, ids: Ids, provider: str
) -> Iterator[Row]:
    """Write the cultures of ``stay``, one row an antibiotic."""
    key = {"subject_id": person.subject_id, "hadm_id": stay.hadm_id, "order_provider_id": provider}
    for cultured in _cultures(catalog, draw, stay):
        specimen = catalog.specimens[cultured.specimen]
        taken = stay.moment(draw, cultured.taken)
        final = taken + draw.minutes(*(round(60 * hours) for hours in cultured.final_hours))
        if cultured.pending:
            final = stay.dischtime + draw.minutes(*(60 * hours for hours in FINAL_AFTER_DISCHARGE))
        row = {**key, **_specimen(ids, specimen, taken, max(final, taken + timedelta(days=1)))}
        isolate = catalog.isolates[cultured.isolate] if cultured.isolate else None
        for result in _results(isolate, specimen):
            yield "hosp.microbiologyevents", {**row, "microevent_id": ids.next("microevent"), **result}


def _cultures(catalog: Catalog, draw: Draw, stay: Stay) -> Iterator[Cultured]:
    told = [c for c in stay.exposure.story.cultures if stay.tells(c)] if stay.exposure else []
    yield from told
    wanted = stay.plan.reason.culture
    if wanted is None or told:
        return
    yield from BLOOD_TWICE
    isolate = catalog.specimens[wanted].usual if draw.chance(GROWTH) else None
    yield Cultured(specimen=wanted, isolate=isolate)


def _specimen(ids: Ids, specimen: Specimen, taken: datetime, stored: datetime) -> dict[str, object]:
    asked = {"spec_itemid", "spec_type_desc", "test_itemid", "test_name"}
    return {
        "micro_specimen_id": ids.next("micro_specimen"),
        "chartdate": at(taken, 0),
        "charttime": taken,
        "test_seq": 1,
        "storedate": at(stored, 0),
        "storetime": stored,
        **specimen.model_dump(include=asked),
    }


def _results(isolate: Isolate | None, specimen: Specimen) -> Iterator[Mapping[str, object]]:
    if isolate is None:
        yield {"comments": specimen.negative}
        return
    grown = {"org_itemid": isolate.org_itemid, "org_name": isolate.org_name, "isolate_num": 1}
    if not isolate.susceptibilities:
        yield grown
    for itemid, name, dilution, interpretation in isolate.susceptibilities:
        comparison = next((sign for sign in COMPARISONS if dilution.startswith(sign)), "=")
        yield {
            **grown,
            "ab_itemid": itemid,
            "ab_name": name,
            "dilution_text": dilution,
            "dilution_comparison": f"{comparison:<10}",
            "dilution_value": float(dilution.lstrip("<=>")),
            "interpretation": interpretation,
        }

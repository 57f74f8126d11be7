"""Observation.search over laboratory, vital signs and microbiology."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any

from tools.fhir.arguments import Sort
from tools.fhir.codes import is_micro_test, lab_test, nearest_lab_names, nearest_micro_names
from tools.fhir.context import Context
from tools.fhir.elements import Resource
from tools.fhir.laboratory import Laboratory
from tools.fhir.listing import Listing, incomplete
from tools.fhir.microbiology import Microbiology
from tools.fhir.outcome import IssueType, Refused, not_loaded
from tools.fhir.search_arguments import ObservationCategory, ObservationSearch
from tools.fhir.vital_signs import NO_VITAL_SIGNS, VITAL_SIGNS, vital_sign
from tools.fhir.vitals import TABLES as VITAL_TABLES
from tools.fhir.vitals import Vitals

TABLES: dict[ObservationCategory, tuple[str, ...]] = {
    ObservationCategory.LABORATORY: ("hosp.labevents",),
    ObservationCategory.VITAL_SIGNS: VITAL_TABLES,
    ObservationCategory.MICROBIOLOGY: ("hosp.microbiologyevents",),
}


@dataclass(frozen=True)
class Source:
    """Where one category's observations come from; ``items`` are sorted newest first."""

    items: Callable[[], Sequence[Any]]
    moment: Callable[[Any], datetime]
    key: Callable[[Any], str]
    resource_id: Callable[[Any], str]
    hadm_id: Callable[[Any], int | None]
    build: Callable[[Any], Resource]


Hit = tuple[Source, Any]
"""One observation found: where it comes from, and what it is made of."""


@dataclass(frozen=True)
class Known:
    """What a code means in one category, and this patient's results of it, newest first."""

    category: ObservationCategory
    display: str
    items: Callable[[], Sequence[Any]]


class Observations:
    """Observations of one chart."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._laboratory = laboratory = Laboratory(context)
        self._vitals = vitals = Vitals(context)
        self.microbiology = microbiology = Microbiology(context)
        self._sources = {
            ObservationCategory.LABORATORY: Source(
                items=lambda: laboratory.newest_first,
                moment=lambda row: row["charttime"],
                key=lambda row: row["row_id"],
                resource_id=lambda row: f"lab-{row['row_id']}",
                hadm_id=lambda row: row["hadm_id"],
                build=laboratory.build,
            ),
            ObservationCategory.VITAL_SIGNS: Source(
                items=lambda: vitals.newest_first,
                moment=lambda reading: reading.moment,
                key=lambda reading: reading.resource_id,
                resource_id=lambda reading: reading.resource_id,
                hadm_id=lambda reading: reading.hadm_id,
                build=vitals.build,
            ),
            ObservationCategory.MICROBIOLOGY: Source(
                items=lambda: microbiology.newest_first,
                moment=lambda isolate: isolate.moment,
                key=lambda isolate: isolate.resource_id,
                resource_id=lambda isolate: isolate.resource_id,
                hadm_id=lambda isolate: isolate.rows[0]["hadm_id"],
                build=microbiology.build,
            ),
        }

    def search(self, asked: ObservationSearch) -> Listing[Hit]:
        """Find observations of one category or all; of one test where ``code`` is given."""
        context = self._context
        context.check_admission(asked.hadm_id)
        categories = [asked.category] if asked.category else list(ObservationCategory)
        self._refuse_if_nothing_loaded(categories)
        known = self._resolve(asked.code, categories) if asked.code is not None else None
        if known is not None:
            categories = [known.category]
            self._refuse_if_nothing_loaded(categories)
        if len(categories) == 1:
            source = self._sources[categories[0]]
            hits = [(source, item) for item in (known.items() if known is not None else source.items())]
        else:
            hits = self._newest_first
        hits = self._narrowed(hits, asked)
        if asked.sort is Sort.OLDEST_FIRST:
            hits = hits[::-1]
        what = context.say("observations")
        if known is not None:
            what = context.say("results_of", test=known.display)
        elif asked.category is not None:
            what = context.say("observations_of", category=context.labels.word(asked.category))
        return Listing(
            what=what,
            order=context.say(f"{asked.sort.age}_by_collection"),
            hits=hits,
            identify=lambda hit: hit[0].resource_id(hit[1]),
            build=lambda hit: hit[0].build(hit[1]),
            notices=incomplete(
                context.labels,
                context.missing(table for category in categories for table in TABLES[category]),
            ),
        )

    def _refuse_if_nothing_loaded(self, categories: Sequence[ObservationCategory]) -> None:
        tables = [table for category in categories for table in TABLES[category]]
        missing = self._context.missing(tables)
        if len(missing) == len(tables):
            raise not_loaded(*missing)

    @cached_property
    def _newest_first(self) -> list[Hit]:
        """Sort the observations of all categories."""
        hits = [(source, item) for source in self._sources.values() for item in source.items()]
        hits.sort(key=lambda hit: (hit[0].moment(hit[1]), hit[0].key(hit[1])), reverse=True)
        return hits

    def _narrowed(self, hits: list[Hit], asked: ObservationSearch) -> list[Hit]:
        until = self._context.chart.charted_until if asked.date_to is None else None
        if until is not None:
            hits = [hit for hit in hits if hit[0].moment(hit[1]) <= until]
        if not asked.narrows:
            return hits
        within, covers = self._context.within, asked.covers
        return [
            (source, item)
            for source, item in hits
            if covers(moment := source.moment(item)) and within(asked.hadm_id, source.hadm_id(item), moment)
        ]

    def _resolve(self, code: str, wanted: Sequence[ObservationCategory]) -> Known:
        found = [known for category in wanted if (known := self._known(code, category)) is not None]
        if len(found) == 1:
            return found[0]
        if found:
            named = ", ".join(known.category for known in found)
            raise Refused(
                IssueType.MULTIPLE_MATCHES, f"{code!r} is known in {named}: give one of them as category"
            )
        for category in ObservationCategory:
            if category not in wanted and self._is_known(code, category):
                raise Refused(
                    IssueType.CODE_INVALID, f"{code!r} is of category {category}: search that category"
                )
        if (
            ObservationCategory.MICROBIOLOGY in wanted
            and code.lower() in self._context.dictionaries.microbiology_names
        ):
            return Known(ObservationCategory.MICROBIOLOGY, code, tuple)
        if (said := NO_VITAL_SIGNS.get(code.lower())) is not None:
            raise Refused(IssueType.NOT_SUPPORTED, said)
        raise Refused(IssueType.CODE_INVALID, f"{code!r} is no known test; {self._suggestion(code, wanted)}")

    def _is_known(self, code: str, category: ObservationCategory) -> bool:
        try:
            return self._known(code, category) is not None
        except Refused:
            return True

    def _known(self, code: str, category: ObservationCategory) -> Known | None:
        match category:
            case ObservationCategory.LABORATORY:
                test = lab_test(self._context, code)
                return (
                    Known(category, test.display, lambda: self._laboratory.of_items(test.itemids))
                    if test
                    else None
                )
            case ObservationCategory.VITAL_SIGNS:
                sign = vital_sign(code)
                if sign is None:
                    return None
                display = self._context.labels.word(sign.display)
                return Known(category, display, lambda: self._vitals.of_sign(sign))
            case ObservationCategory.MICROBIOLOGY:
                isolates = [i for i in self.microbiology.newest_first if is_micro_test(i.rows[0], code)]
                return Known(category, code, lambda: isolates) if isolates else None

    def _suggestion(self, code: str, wanted: Sequence[ObservationCategory]) -> str:
        names: list[str] = []
        if ObservationCategory.LABORATORY in wanted:
            names += nearest_lab_names(self._context, code)
        if list(wanted) == [ObservationCategory.VITAL_SIGNS]:
            names += [sign.display for sign in VITAL_SIGNS]
        if list(wanted) == [ObservationCategory.MICROBIOLOGY]:
            names += nearest_micro_names(self._context, code)
        if not names:
            return "name it as the hospital does, or give its LOINC code or itemid"
        return f"nearest known names: {'; '.join(names)}"

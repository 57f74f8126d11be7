"""Every story of configs/synth is told as written: each variant of each, read back from the rows alone."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

import duckdb
import pytest

from tools.ehr.synth.catalog import Catalog
from tools.ehr.synth.ids import Ids
from tools.ehr.synth.patient import make_stays
from tools.ehr.synth.person import Person, make_person
from tools.ehr.synth.plan import make_plan
from tools.ehr.synth.stay import Stay
from tools.ehr.synth.story import Story, Variant, of_variant
from tools.ehr.warehouse import Warehouse

PATIENTS, SEED = 220, 7
CATALOG = Catalog.load()


@dataclass(frozen=True)
class Played:
    """A stay in which a story was played."""

    story: Story
    variant: Variant
    person: Person
    stay: Stay

    @property
    def index(self) -> datetime:
        assert self.stay.index is not None
        return self.stay.index.charttime

    def __str__(self) -> str:
        return f"{self.story.id} {self.variant} {self.stay.hadm_id}"


def played_stays() -> Iterator[Played]:
    for number in range(PATIENTS):
        plan = make_plan(CATALOG, SEED, number)
        ids = Ids(number)
        person = make_person(CATALOG, SEED, plan, number, ids.next("subject"))
        for stay in make_stays(CATALOG, SEED, person, plan, ids):
            if stay.exposure:
                yield Played(stay.exposure.story, stay.exposure.variant, person, stay)


@pytest.fixture(scope="module")
def played() -> tuple[Played, ...]:
    return tuple(played_stays())


@pytest.fixture(scope="module")
def cursor(synthetic_warehouse: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    with Warehouse.open(synthetic_warehouse) as warehouse:
        yield warehouse.cursor()


def test_every_story_is_played_with_its_near_miss_and_in_a_second_round_its_control(
    played: Sequence[Played],
) -> None:
    rounds = PATIENTS // len(CATALOG.stories)
    assert rounds >= 1
    counts = Counter((one.story.id, one.variant) for one in played)
    for story in CATALOG.stories:
        assert counts[story.id, Variant.POSITIVE] >= min(rounds, 2), story.id
        assert counts[story.id, Variant.NEAR_MISS] >= 1, story.id
        assert counts[story.id, Variant.CONTROL] >= (1 if story.control and rounds > 1 else 0), story.id


def test_results_stand_where_the_story_says_at_its_index_moment(
    played: Sequence[Played], cursor: duckdb.DuckDBPyConnection
) -> None:
    checked: Counter[str] = Counter()
    for one in played:
        for name, course in one.story.results.items():
            reach = of_variant(course, one.variant)
            if reach is None or course.scale != "value":
                continue
            analyte = CATALOG.analytes[name]
            when = one.index + timedelta(hours=course.offset_hours)
            rows = cursor.execute(
                "SELECT value FROM hosp.labevents WHERE hadm_id = ? AND itemid = ? AND charttime = ?",
                [one.stay.hadm_id, analyte.itemid, when],
            ).fetchall()
            assert len(rows) == 1, f"{one}: {name}"
            half_step = 0.5 * 10**-analyte.decimals
            value = 0.0 if rows[0][0].startswith("<") else float(rows[0][0])
            below = analyte.below is not None and min(reach) < analyte.below
            low = 0.0 if below else min(reach) - half_step
            assert low - 1e-9 <= value <= max(reach) + half_step + 1e-9, f"{one}: {name} {value}"
            checked[one.story.id] += 1
    assert checked.keys() >= {story.id for story in CATALOG.stories if _has_values(story)}


def _has_values(story: Story) -> bool:
    return any(course.scale == "value" and course.positive for course in story.results.values())


def test_vital_signs_stand_where_the_story_says_at_its_index_moment(
    played: Sequence[Played], cursor: duckdb.DuckDBPyConnection
) -> None:
    checked = 0
    for one in played:
        for name, course in one.story.vitals.items():
            reach = of_variant(course, one.variant)
            if reach is None or course.scale != "value" or one.stay.icu is None or name == "weight":
                continue
            vital = CATALOG.vitals[name]
            rows = cursor.execute(
                "SELECT valuenum FROM icu.chartevents WHERE hadm_id = ? AND itemid = ? AND charttime = ?",
                [one.stay.hadm_id, vital.itemid, one.index],
            ).fetchall()
            half_step = 0.5 * 10**-vital.decimals
            assert len(rows) == 1, f"{one}: {name}"
            assert min(reach) - half_step <= rows[0][0] <= max(reach) + half_step, f"{one}: {name} {rows}"
            checked += 1
    assert checked >= 10


def test_a_tested_drug_is_in_force_at_the_index_result_unless_it_was_stopped(
    played: Sequence[Played], cursor: duckdb.DuckDBPyConnection
) -> None:
    stopped = 0
    for one in played:
        given = one.story.tested
        if given is None or one.stay.exposure is None:
            continue
        name = CATALOG.drugs[given.key(one.stay.exposure.turn)].name
        stored = max(one.stay.index.stored.values()) if one.stay.index else one.index
        (active,) = cursor.execute(
            "SELECT count(*) FROM hosp.pharmacy WHERE hadm_id = ? AND medication = ? "
            "AND ? BETWEEN starttime AND stoptime",
            [one.stay.hadm_id, name, stored],
        ).fetchall()[0]
        if one.variant is Variant.STOPPED and name != "Insulin":
            assert active == 0, str(one)
            stopped += 1
        elif one.variant is not Variant.STOPPED:
            assert active >= 1, str(one)
    assert stopped >= 8


def test_the_drugs_of_a_story_are_ordered_in_the_variants_that_tell_them(
    played: Sequence[Played], cursor: duckdb.DuckDBPyConnection
) -> None:
    for one in played:
        ordered = {
            name
            for (name,) in cursor.execute(
                "SELECT medication FROM hosp.pharmacy WHERE hadm_id = ?", [one.stay.hadm_id]
            ).fetchall()
        }
        told = {
            CATALOG.drugs[given.key(one.stay.exposure.turn)].name
            for given in one.story.drugs
            if one.stay.tells(given) and one.stay.exposure
        }
        assert told <= ordered, f"{one}: {told - ordered}"
        for entry in one.story.home:
            if one.stay.tells(entry):
                omitted = entry.ward_of(one.variant) == "omitted"
                name = CATALOG.drugs[entry.drug].name
                assert (name in ordered) is not omitted or name in told or name == "Insulin", (
                    f"{one}: {entry}"
                )


def test_cultures_grow_what_the_story_says(
    played: Sequence[Played], cursor: duckdb.DuckDBPyConnection
) -> None:
    checked = 0
    for one in played:
        told = [c for c in one.story.cultures if one.stay.tells(c)]
        if not told:
            continue
        expected = Counter(
            (
                CATALOG.specimens[c.specimen].spec_type_desc,
                CATALOG.isolates[c.isolate].org_name if c.isolate else None,
                c.pending,
            )
            for c in told
        )
        found = cursor.execute(
            "SELECT any_value(spec_type_desc), any_value(org_name), max(storetime) > ? FROM hosp.microbiologyevents "
            "WHERE hadm_id = ? GROUP BY micro_specimen_id",
            [one.stay.dischtime, one.stay.hadm_id],
        ).fetchall()
        late = Counter((spec, organism) for spec, organism, pending in found if pending)
        assert Counter((spec, organism) for spec, organism, _ in found) == Counter(
            {(s, o): n for (s, o), n in _plain(expected).items()}
        ), str(one)
        for (spec, organism, pending), count in expected.items():
            assert not pending or late[spec, organism] >= count, str(one)
        checked += 1
    assert checked >= 3


def _plain(expected: Counter[tuple[str, str | None, bool]]) -> Counter[tuple[str, str | None]]:
    plain: Counter[tuple[str, str | None]] = Counter()
    for (spec, organism, _), count in expected.items():
        plain[spec, organism] += count
    return plain

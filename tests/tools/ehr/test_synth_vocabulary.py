"""What the cohort writes can be read by the vocabulary: analytes, drugs, home lists, routes, frequencies, codes."""

from pathlib import Path

import duckdb
import pytest

from tools.ehr.synth.catalog import Catalog
from tools.vocabulary import Vocabulary

CATALOG = Catalog.load()
NAMED_FOR_ITS_KIND = {"insulin_glargine"}
"""On the ward MIMIC-IV calls it Insulin, on a home list by its name."""


@pytest.fixture(scope="module")
def vocabulary() -> Vocabulary:
    return Vocabulary.load()


@pytest.mark.parametrize("name", CATALOG.analytes)
def test_an_analyte_is_the_vocabularys_own(name: str, vocabulary: Vocabulary) -> None:
    analyte = vocabulary.analyte_of_item(CATALOG.analytes[name].itemid)
    assert analyte is not None
    assert analyte.id == name
    assert (CATALOG.analytes[name].unit or "") in analyte.units


@pytest.mark.parametrize("key", CATALOG.drugs)
def test_a_drug_and_its_home_name_are_one_ingredient(key: str, vocabulary: Vocabulary) -> None:
    drug = CATALOG.drugs[key]
    ordered = vocabulary.ingredient(drug.name)
    assert ordered is not None
    if drug.home and key not in NAMED_FOR_ITS_KIND:
        assert vocabulary.ingredient(drug.home) == ordered
    assert vocabulary.route(drug.route) is not None


def test_frequencies_are_known(vocabulary: Vocabulary) -> None:
    assert [name for name in CATALOG.frequencies if vocabulary.frequency(name) is None] == []


def test_specimens_organisms_and_antibiotics_are_those_of_mimic_iv(mimic_demo: Path) -> None:
    with duckdb.connect() as public:
        public.execute(
            "CREATE TABLE m AS SELECT * FROM read_csv(?, header=true, all_varchar=true)",
            [str(mimic_demo / "hosp" / "microbiologyevents.csv.gz")],
        )
        tests = set(
            public.execute("SELECT spec_itemid, spec_type_desc, test_itemid, test_name FROM m").fetchall()
        )
        organisms = set(public.execute("SELECT org_itemid, org_name FROM m").fetchall())
        antibiotics = set(public.execute("SELECT ab_itemid, ab_name FROM m").fetchall())
    used = {
        (str(s.spec_itemid), s.spec_type_desc, str(s.test_itemid), s.test_name)
        for s in CATALOG.specimens.values()
    }
    assert used <= tests
    assert {(str(i.org_itemid), i.org_name) for i in CATALOG.isolates.values()} <= organisms
    tried = {(str(r[0]), r[1]) for isolate in CATALOG.isolates.values() for r in isolate.susceptibilities}
    assert tried <= antibiotics


def test_bedside_items_are_those_of_mimic_iv(mimic_demo: Path) -> None:
    with duckdb.connect() as public:
        items = set(
            public.execute(
                "SELECT itemid, label, abbreviation, linksto FROM read_csv(?, header=true)",
                [str(mimic_demo / "icu" / "d_items.csv.gz")],
            ).fetchall()
        )
    used = {(v.itemid, v.label, v.abbreviation, v.linksto) for v in CATALOG.vitals.values()}
    used |= {(b.itemid, b.label, b.abbreviation, "inputevents") for b in CATALOG.blood.values()}
    assert used <= items

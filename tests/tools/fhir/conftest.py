"""A hospital for each test, or for a module of tests that only read."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hospital import Hospital

from state.base import Cohort
from tools.ehr.writer import WarehouseWriter
from tools.vocabulary import Vocabulary

MakeHospital = Callable[[], Hospital]


@pytest.fixture(scope="session")
def vocabulary() -> Vocabulary:
    """Give the product's vocabulary."""
    return Vocabulary.load()


@pytest.fixture(scope="session")
def empty_warehouse(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a warehouse whose source had no table at all."""
    out = tmp_path_factory.mktemp("empty") / "empty.duckdb"
    with WarehouseWriter(out, Cohort.SYNTHETIC) as writer:
        writer.commit()
    return out


@pytest.fixture(scope="session")
def make_hospital(
    tmp_path_factory: pytest.TempPathFactory, empty_warehouse: Path, vocabulary: Vocabulary
) -> Iterator[MakeHospital]:
    """Give a function that makes a hospital with one patient and one admission, and no other rows."""
    made: list[Hospital] = []

    def make() -> Hospital:
        made.append(Hospital(tmp_path_factory.mktemp("hospital"), empty_warehouse, vocabulary))
        return made[-1]

    yield make
    for hospital in made:
        hospital.close()


@pytest.fixture
def hospital(make_hospital: MakeHospital) -> Iterator[Hospital]:
    """Give a hospital of the test's own."""
    built = make_hospital()
    yield built
    built.close()

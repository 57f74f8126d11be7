"""A bedside for each test."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from bedside import Bedside

from state.base import Cohort
from tools.vocabulary import Vocabulary

MakeBedside = Callable[..., Bedside]


@pytest.fixture(scope="session")
def vocabulary() -> Vocabulary:
    """Give the product's vocabulary."""
    return Vocabulary.load()


@pytest.fixture
def make_bedside(tmp_path: Path, vocabulary: Vocabulary) -> Iterator[MakeBedside]:
    """Give a function that makes a bedside of a cohort."""
    made: list[Bedside] = []

    def make(cohort: Cohort = Cohort.MIMIC_IV) -> Bedside:
        made.append(Bedside(tmp_path / f"bedside-{len(made)}.duckdb", vocabulary, cohort))
        return made[-1]

    yield make
    for bedside in made:
        bedside.close()


@pytest.fixture
def bedside(make_bedside: MakeBedside) -> Bedside:
    """Give a bedside of a real patient's cohort: nothing is invented."""
    return make_bedside()

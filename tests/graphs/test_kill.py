"""A run that is killed anywhere, any number of times, ends with the same figures and pays for no call twice."""

from pathlib import Path

import pytest
from kills import Whole, kill_until, whole_run
from servers import Runner


@pytest.fixture(scope="module")
def runner(cohort_cache: Path, tmp_path_factory: pytest.TempPathFactory) -> Runner:
    return Runner(tmp_path_factory.mktemp("kill"), cohort_cache)


@pytest.fixture(scope="module")
def whole(runner: Runner, tmp_path_factory: pytest.TempPathFactory) -> Whole:
    return whole_run(runner, tmp_path_factory.mktemp("whole"))


def test_twenty_kills(runner: Runner, whole: Whole, tmp_path: Path) -> None:
    killer = kill_until(20, runner, whole, tmp_path)
    assert min(killer.kills[kind] for kind in ("time", "call", "result", "close")) >= 1, killer.kills


@pytest.mark.slow
def test_fifty_kills(runner: Runner, whole: Whole, tmp_path: Path) -> None:
    kill_until(50, runner, whole, tmp_path)

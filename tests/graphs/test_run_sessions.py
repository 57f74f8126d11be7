"""Running sessions leaves the process as it was."""

import gc
from collections.abc import Iterator

import pytest
from wards import OpenWard, Run


@pytest.fixture(params=[True, False], ids=["frozen", "thawed"])
def frozen(request: pytest.FixtureRequest) -> Iterator[bool]:
    """Have the process hold objects that are never looked through, or none."""
    (gc.freeze if request.param else gc.unfreeze)()
    yield request.param
    gc.freeze()


def test_the_garbage_collector_is_as_before(open_ward: OpenWard, run: Run, frozen: bool) -> None:
    before, held = gc.get_threshold(), gc.get_freeze_count()
    run(open_ward("offline/echo", limit=1))
    assert gc.get_threshold() == before
    assert (gc.get_freeze_count() > 0) is frozen
    assert gc.get_freeze_count() <= held

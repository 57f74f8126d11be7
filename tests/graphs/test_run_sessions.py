"""Running sessions leaves the process as it was."""

import gc

from wards import OpenWard, Run


def test_the_garbage_collector_is_as_before(open_ward: OpenWard, run: Run) -> None:
    before = gc.get_threshold()
    run(open_ward("offline/echo", limit=1))
    assert gc.get_threshold() == before
    assert gc.get_freeze_count() == 0

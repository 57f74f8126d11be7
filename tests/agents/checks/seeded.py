"""Plants a fault in every session that has a place for it, and counts those a checker catches."""

from planting import Planter

from agents.checks.case import Case, Checker, ruled
from state.checking import Ruling, Stage


def caught(
    stage: Stage,
    fault: str,
    plant: Planter,
    checker: Checker,
    cases: list[Case],
    ruling: Ruling = Ruling.REJECT,
) -> None:
    """Hold that a checker rejects every session with the fault, and that there is one; print how many."""
    planted = [(case.plan.session_id, one) for case in cases if (one := plant(case)) is not None]
    missed = [name for name, one in planted if ruled(stage, checker, one).ruling is not ruling]
    print(f"{stage}: {fault}: {len(planted) - len(missed)} of {len(planted)} caught")
    assert planted, f"no session has a place for {fault!r}"
    assert missed == [], f"{fault} is missed"

"""Tokens, cost and latency by hand."""

import numpy as np
import pytest

from state.trajectory import SessionRecord, Step, Termination, TurnRecord, Usage
from tools.metrics.effort import effort_of


def record(*steps: Step) -> SessionRecord:
    turn = TurnRecord(
        index=0,
        question="q",
        steps=steps,
        answer="a",
        termination=Termination.ANSWERED,
        seconds=sum(step.seconds for step in steps),
    )
    return SessionRecord(session_id="s", turns=(turn,))


def test_tokens_and_dollars_add_up() -> None:
    steps = [
        Step(
            content="",
            usage=Usage(input_tokens=100, output_tokens=10, cached_input_tokens=40),
            usd=0.01,
            seconds=1,
        ),
        Step(
            content="",
            usage=Usage(input_tokens=200, output_tokens=30, reasoning_tokens=20),
            usd=0.02,
            seconds=3,
        ),
    ]
    effort = effort_of([record(*steps), record(steps[0])], program=False)
    assert (effort.turns, effort.replies) == (2, 3)
    assert effort.usage == Usage(
        input_tokens=400, output_tokens=50, cached_input_tokens=80, reasoning_tokens=20
    )
    assert effort.usd == pytest.approx(0.04)
    assert effort.reply_seconds["50"] == 1
    assert effort.seconds["50"] == pytest.approx(np.percentile([4, 1], 50))
    assert effort.seconds["99"] == pytest.approx(np.percentile([4, 1], 99))


def test_a_price_that_is_not_known_makes_the_cost_unknown() -> None:
    steps = [Step(content="", usd=0.01), Step(content="", usd=None)]
    assert effort_of([record(*steps)], program=False).usd is None


def test_a_program_costs_nothing_and_is_not_timed() -> None:
    effort = effort_of([record(Step(content="x"))], program=True)
    assert effort.usd == 0
    assert effort.seconds == {}

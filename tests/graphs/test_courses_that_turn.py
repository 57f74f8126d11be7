"""A course whose last step runs back is asked for neither by its ends nor by its direction."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

import pytest
from made import GATHER, LOOKUP, REASON, WRITE, Made, make
from wards import OpenWorkshop

from state.plan import KEY_LAB, PlannedTurn, TurnKind
from state.session import Implicitness
from tools.gold import NoGold
from tools.gold.conclusions import turns_back
from tools.gold.turns import Story, draft


@pytest.fixture(scope="module")
def made(med_safety: OpenWorkshop) -> Made:
    return make(med_safety(), "warfarin_high_inr", (LOOKUP, GATHER, REASON, WRITE), kind=TurnKind.TREND)


@pytest.mark.parametrize(
    ("values", "turns"),
    [
        ((2.0, 5.0), False),
        ((2.0, 6.0, 5.0), False),
        ((2.0, 6.1, 5.0), True),
        ((5.0, 1.0, 2.0), False),
        ((5.0, 0.9, 2.0), True),
        ((2.0, 8.0, 4.0, 5.0), False),
        ((2.0, 1.0, 5.0), False),
    ],
)
def test_a_course_turns_where_its_last_step_takes_back_more_than_a_third(
    values: tuple[float, ...], turns: bool
) -> None:
    assert turns_back(values) is turns


def _story(made: Made, values: Sequence[float]) -> Story:
    """Give the session's story with these values, an hour apart, in place of its course."""
    source = made.source()
    latest = source.trend[-1]
    source.__dict__["trend"] = [
        replace(latest, value=value, time=latest.time - timedelta(hours=len(values) - at))
        for at, value in enumerate(values)
    ]
    return Story(source)


@pytest.mark.parametrize(
    ("kind", "topics"), [(TurnKind.TREND, (KEY_LAB, "order")), (TurnKind.DIRECTION, (KEY_LAB,))]
)
def test_no_question_is_made_of_it(kind: TurnKind, topics: tuple[str, ...], made: Made) -> None:
    turn = PlannedTurn(kind=kind, topics=topics, implicitness=Implicitness.EXPLICIT)
    assert draft(turn, _story(made, (2.0, 6.0, 5.0)), "t", frozenset()).pieces
    with pytest.raises(NoGold, match="the course turns"):
        draft(turn, _story(made, (2.0, 6.1, 5.0)), "t", frozenset())

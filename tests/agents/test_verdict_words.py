"""A conclusion put to the test again: in full it asks for a reading or a recommendation; as it is said, one thing."""

import random
import re

import pytest

from state.base import Language
from tools.phrasing import Phrasing
from tools.wording import load_turn_wordings, render

ADVICE = {Language.EN: r"\brecommend|\bwould you do\b", Language.ZH: "意见|建议"}
WAYS = 80


def _said(phrasing: Phrasing, rng: random.Random, *, diagnostic: bool) -> str:
    way = phrasing.pick(rng)
    names = {name: f"~{name}~" for name in re.findall(r"[a-z_]+", way)}
    return render(way, names | {"diagnostic": diagnostic, "adjacent": False, "concluded": True})


@pytest.mark.parametrize("diagnostic", [True, False])
@pytest.mark.parametrize("language", Language)
def test_only_care_that_is_reconsidered_asks_in_full_for_a_recommendation(
    language: Language, diagnostic: bool
):
    rng = random.Random(3)  # noqa: S311
    for question in load_turn_wordings(language).questions["reconsider"]:
        for _ in range(WAYS):
            text = _said(question.explicit, rng, diagnostic=diagnostic)
            assert bool(re.search(ADVICE[language], text)) is not diagnostic, text


@pytest.mark.parametrize("diagnostic", [True, False])
@pytest.mark.parametrize("language", Language)
def test_what_is_reconsidered_is_said_as_one_question(language: Language, diagnostic: bool):
    rng = random.Random(3)  # noqa: S311
    for question in load_turn_wordings(language).questions["reconsider"]:
        assert question.implicit is not None
        for _ in range(WAYS):
            text = _said(question.implicit, rng, diagnostic=diagnostic)
            assert len(re.findall(r"[?？]", text)) == 1, text

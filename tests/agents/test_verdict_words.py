"""A conclusion put to the test again asks for a reading of a diagnosis, for a recommendation of care."""

import random
import re

import pytest

from state.base import Language
from tools.wording import load_turn_wordings, render

ADVICE = {Language.EN: r"\brecommend|\bwould you do\b", Language.ZH: "意见|建议"}
WAYS = 80


@pytest.mark.parametrize("diagnostic", [True, False])
@pytest.mark.parametrize("language", Language)
def test_only_care_that_is_reconsidered_asks_for_a_recommendation(language: Language, diagnostic: bool):
    rng = random.Random(3)  # noqa: S311
    for question in load_turn_wordings(language).questions["reconsider"]:
        for phrasing in (question.explicit, question.implicit):
            assert phrasing is not None
            for _ in range(WAYS):
                way = phrasing.pick(rng)
                names = {name: f"~{name}~" for name in re.findall(r"[a-z_]+", way)}
                text = render(way, names | {"diagnostic": diagnostic, "adjacent": False, "concluded": True})
                assert bool(re.search(ADVICE[language], text)) is not diagnostic, text

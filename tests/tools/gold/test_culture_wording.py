"""What gold says of a culture without an organism: a screen looks for one organism alone."""

from datetime import datetime
from typing import Any

import pytest

from state.base import Language, ResourceRef
from state.findings import BoundFinding
from tools.gold.finding_topics import FindingTopic
from tools.wording import load_turn_wordings


@pytest.mark.parametrize(
    ("comment", "says", "screen"),
    [
        ("No MRSA isolated.", {"en": "no MRSA isolated", "zh": "未检出MRSA"}, True),
        ("NO GROWTH.", {"en": "no growth", "zh": "无生长"}, False),
    ],
)
def test_a_screen_says_no_mrsa_isolated(comment: str, says: dict[str, str], screen: bool) -> None:
    bound = BoundFinding(
        name="screen",
        kind="culture",
        refs=(ResourceRef("Observation/micro-7-90201-0-0"),),
        subject="no growth",
        label="MRSA SCREEN",
        text=comment,
        time=datetime(2150, 1, 8, 6),
    )
    source: Any = None  # what a culture is called rests on the finding alone
    grown = FindingTopic(source, bound).pieces("t")[0]
    for language in Language:
        assert says[language.value] in load_turn_wordings(language).answers[grown.template]
        assert says[language.value] in grown.items[0].text[language]
    names = grown.items[0].names
    assert ("未检出MRSA" in names) is screen
    assert ("no growth" in names) is not screen

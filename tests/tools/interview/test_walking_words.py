"""How Chinese patients say that they walk alone, or not without somebody: "不用人扶" is no drug left out."""

import pytest

from state.base import Language
from tools.interview.accounts import drug_words
from tools.interview.reading import passages
from tools.vocabulary import Vocabulary


@pytest.mark.parametrize(
    ("says", "claims"),
    [
        ("我不用人扶就能走。", {("functional", "walking_alone")}),
        ("走路不用别人扶。", {("functional", "walking_alone")}),
        ("我走路不需要别人扶。", {("functional", "walking_alone")}),
        ("我走路无需人扶。", {("functional", "walking_alone")}),
        ("没人扶我走不了。", {("functional", "walking_helped")}),
        ("没有人扶着就走不了路。", {("functional", "walking_helped")}),
        ("离了人我走不动。", {("functional", "walking_helped")}),
        ("我走不了路。", {("functional", "walking_not")}),
        ("这个药我不用了。", {("home", "not_taking")}),
    ],
)
def test_walking_with_nobody_and_not_without(says: str, claims: set[tuple[str, str]]) -> None:
    (read,) = passages(says, Language.ZH, drug_words(Vocabulary.load()))
    assert read.claims == claims

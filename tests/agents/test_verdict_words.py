"""A conclusion put to the test again asks for an assessment of a diagnosis, for a recommendation of care."""

import re
from importlib.resources import files

import pytest
import yaml

PLACES = {
    "en": ("{% if diagnostic %}assessment{% else %}recommendation{% endif %}", r"recommend"),
    "zh": ("{% if diagnostic %}判断{% else %}建议{% endif %}", r"你(?:自己)?的建议"),
}


@pytest.mark.parametrize("language", PLACES)
def test_no_reconsidered_diagnosis_asks_for_a_recommendation(language: str):
    said, wrong = PLACES[language]
    text = (files("configs") / "wording" / f"physician.{language}.yaml").read_text("utf-8")
    book = yaml.safe_load(text)
    asked = [book["parts"]["own_call"]]
    asked += [one[way] for one in book["questions"]["reconsider"] for way in ("explicit", "implicit")]
    assert sum(said in one for one in asked) == 5
    for one in asked:
        assert not re.search(wrong, one.replace(said, "")), one

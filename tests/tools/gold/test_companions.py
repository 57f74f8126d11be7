"""Which tests are read beside a test."""

import pytest

from tools.gold.companions import companions_of
from tools.vocabulary import Vocabulary


@pytest.mark.parametrize(
    ("analyte", "first"),
    [
        ("creatinine", "urea_nitrogen"),
        ("platelets", "hemoglobin"),
        ("bicarbonate", "lactate"),
        ("chloride", "sodium"),
    ],
)
def test_the_panel_that_a_test_opens_comes_before_those_that_hold_it(analyte: str, first: str) -> None:
    companions = companions_of(analyte)
    assert companions[0] == first
    assert analyte not in companions
    assert {*companions} <= {known.id for known in Vocabulary.load().analytes}


def test_a_test_of_no_panel_has_none() -> None:
    assert companions_of("acetaminophen_level") == ()

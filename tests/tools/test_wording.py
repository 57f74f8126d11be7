"""The filters of sentence templates."""

import pytest

from tools.wording import render


@pytest.mark.parametrize(
    ("priority", "service", "said"),
    [
        ("urgent", "outpatient basic metabolic panel", "an urgent outpatient basic metabolic panel"),
        ("routine", "repeat blood count", "a routine repeat blood count"),
        ("routine", "nephrology consultation for dialysis", "a routine nephrology consultation for dialysis"),
        ("urgent", "serum ketones", "urgent serum ketones"),
        ("routine", "daily INR", "routine daily INR"),
        ("routine", "ethanol and methanol levels", "routine ethanol and methanol levels"),
    ],
)
def test_what_can_be_counted_is_asked_for_with_its_article(priority: str, service: str, said: str):
    words = {"priority": priority, "service": service}
    assert render("{{ priority | one(service) }} {{ service }}", words) == said

"""A blood bottle that is stained has turned positive: growth for every rule that wants none, before it has a name."""

import pytest
from courses import STORED
from one_finding import culture, matched, rule_with

NONE = {"name": "c", "kind": "culture", "growth": True, "within_days": 7, "absent": True}
BOTTLE = {"test_name": "Anaerobic Bottle Gram Stain", "comments": "___"}


@pytest.mark.parametrize(
    ("rows", "finding", "holds"),
    [
        ([(90201, {"test_name": "Blood Culture, Routine", "comments": "NO GROWTH."})], {}, True),
        ([(90202, BOTTLE)], {}, False),
        ([(90202, BOTTLE)], {"organisms": ["STAPH"]}, False),
        ([(90202, BOTTLE)], {"specimens": ["BLOOD CULTURE"]}, False),
        ([(90202, BOTTLE)], {"specimens": ["URINE"]}, True),
        (
            [(90202, BOTTLE), (90201, {"org_name": "ESCHERICHIA COLI", "org_itemid": 80002})],
            {"organisms": ["STAPH"]},
            True,
        ),
        ([(90202, BOTTLE)], {"absent": False}, False),
    ],
)
def test_a_stained_bottle_is_growth_until_it_has_a_name(rows, finding, holds, ward, stay, tmp_path):
    """What has grown is asked for by name, so that a bottle without one is no growth that holds."""
    for test_itemid, result in rows:
        culture(ward, stay, "BLOOD CULTURE", test_itemid, **result)
    assert bool(matched(ward, tmp_path, rule_with({**NONE, **finding}))) is holds


def test_a_bottle_that_is_stained_later_is_not_known(ward, stay, tmp_path):
    culture(ward, stay, "BLOOD CULTURE", 90202, **BOTTLE)
    ward.rows["hosp.microbiologyevents"][-1]["storetime"] = STORED.replace(hour=9)
    assert matched(ward, tmp_path, rule_with(NONE))

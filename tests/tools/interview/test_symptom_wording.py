"""A symptom is told with no duration, severity, course or place that the record's own word for it lacks."""

import re

import pytest

from tools.interview.words import read

ADDED = re.compile(
    r"persist|constant|episode|bout|generali[sz]ed|all over|all the time|terrible|\bbad\b|rapid|drenching|severe|"
    r"shaking chills|tarry|unintended|tingling|after meals|floor|hands?\b|hard stools|hardly any appetite|"
    r"持续|反复|剧烈|严重|全身|浑身[酸没]|老[咳吐是想觉]|目眩|手|干结|好几"
)
"""Words of how long, how bad, how it goes or where; a word of the record that says it itself is no addition."""
SYMPTOMS = {one["id"]: one for one in read("symptoms")["symptoms"]}
LEVELS = ("low", "medium", "high")


@pytest.mark.parametrize("symptom", SYMPTOMS.values(), ids=lambda one: one["id"])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_no_level_says_more_than_the_record(symptom, language):
    for level in LEVELS:
        said = symptom[language][level]
        assert not ADDED.search(said), said


def test_retained_urine_is_said_to_be_retained():
    assert SYMPTOMS["trouble_urinating"]["zh"]["high"] == "尿潴留"
    assert SYMPTOMS["trouble_urinating"]["zh"]["medium"] == "排不出尿"

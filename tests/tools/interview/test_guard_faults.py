"""Seeded faults: sayings corrupted in one way each, all caught, with other words for the same facts let through."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from bedside import ADHERENCE, FUNCTIONAL, PAIN, SOCIAL, SYMPTOMS, knowing, utterance

from state.base import Language
from state.patient import AdherenceFact, FunctionalFact, PainFact, SocialFact, Span, SymptomFact
from tools.vocabulary import Vocabulary

TOOLS = {
    "symptoms": SYMPTOMS,
    "adherence": ADHERENCE,
    "social": SOCIAL,
    "functional": FUNCTIONAL,
    "pain": PAIN,
}
TWO_WEEKS = Span(count=2, unit="week")
THREE_DAYS = Span(count=3, unit="day")
KNOWN = knowing(
    SymptomFact(symptom="dyspnea", onset=THREE_DAYS, course="worse", severity="severe", chief=True),
    SymptomFact(symptom="leg_swelling", side="left"),
    SymptomFact(symptom="chest_pain", denied=True),
    AdherenceFact(drug="furosemide", home="not_taking", since=TWO_WEEKS, reason="cost", here="given"),
    AdherenceFact(drug="warfarin", home="taking"),
    AdherenceFact(drug="metformin", home="missing_doses", reason="forgets"),
    SocialFact(status="living_alone"),
    SocialFact(status="alcohol_none"),
    FunctionalFact(status="walking_with_aid"),
    PainFact(score=7),
)


def sayings(language: Language, kind: str) -> Iterator[tuple[str, str, str]]:
    """Give tool, topic and text of every saying that is right, or wrong."""
    file = Path(__file__).with_name(f"sayings.{language}.yaml")
    for entry in yaml.safe_load(file.read_text("utf-8")):
        for text in entry.get(kind, ()):
            yield TOOLS[entry["ask"]], entry["about"], text


@pytest.mark.parametrize("language", list(Language))
def test_corrupted_sayings_are_caught(
    vocabulary: Vocabulary, language: Language, capsys: pytest.CaptureFixture[str]
) -> None:
    seeded = list(sayings(language, "wrong"))
    missed = [
        (topic, text)
        for tool, topic, text in seeded
        if not utterance(KNOWN, vocabulary, language, tool, topic).faults(text)
    ]
    with capsys.disabled():
        print(
            f"\npatient guard, {language}: {len(seeded) - len(missed)} of {len(seeded)} seeded faults caught"
        )
    assert missed == []
    assert len(seeded) >= 40


@pytest.mark.parametrize("language", list(Language))
def test_other_words_for_the_same_facts_pass(
    vocabulary: Vocabulary, language: Language, capsys: pytest.CaptureFixture[str]
) -> None:
    """A refused saying costs natural words, never truth: the template is said instead. Few may be refused."""
    right = list(sayings(language, "right"))
    refused = [
        (text, found)
        for tool, topic, text in right
        if (found := utterance(KNOWN, vocabulary, language, tool, topic).faults(text))
    ]
    with capsys.disabled():
        print(
            f"\npatient guard, {language}: {len(right) - len(refused)} of {len(right)} true sayings let through"
        )
    assert len(refused) <= len(right) // 20, refused

"""The terms of a question: phrases that whoever words it leaves as they stand, because they say what is asked about."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from agents.checks.texts import phrase_pattern
from agents.question_context import Setting, question_context, rests_on
from state.base import Language
from state.plan import PlannedTurn
from tools.gold import GoldSource
from tools.gold.finding_topics import FindingTopic
from tools.gold.topics import LabTopic, OrderTopic
from tools.gold.turns import Story
from tools.grading.text import plain
from tools.vocabulary import Vocabulary

BLANK = "·"
"""Stands for a name: of a test, or of what else a question is about. And: where a word for the result goes."""
SET = (
    "bearing",
    "about",
    "ask",
    "short",
    "colleague",
    "category",
    "stop_verb",
    "service_words",
    "priority_words",
    "held",
    "drug_words",
    "dose",
    "route_words",
    "frequency_words",
    "fraction_words",
)
"""Slots of templates whose words are a rule's or a dictionary's own."""


@dataclass(frozen=True)
class Terms:
    """The terms of one turn in one language. Tests are known by any name; ``context`` fills the turn's templates."""

    phrases: tuple[str, ...]
    context: Mapping[str, Any]
    vocabulary: Vocabulary

    @classmethod
    def of(cls, turn: PlannedTurn, source: GoldSource, language: Language, setting: Setting) -> "Terms":
        """Collect the terms of a planned turn."""
        context = question_context(turn, source, language, setting)
        found = [context[name] for name in SET if context.get(name)]
        found += _beside(turn, Story(source), language)
        # What goes by the name of a test is known by any of the test's names.
        own = (phrase.removeprefix("the ") for phrase in found)
        phrases = (phrase for phrase in own if source.vocabulary.analyte(phrase) is None)
        return cls(tuple(dict.fromkeys(phrases)), context, source.vocabulary)

    def said(self, text: str) -> tuple[str, ...]:
        """Give the terms that a text holds, in their order."""
        pattern = phrase_pattern(tuple(map(plain, self.phrases)))
        found = {match.group().casefold() for match in pattern.finditer(plain(text))}
        return tuple(phrase for phrase in self.phrases if plain(phrase).casefold() in found)

    def blanked(self, text: str) -> str:
        """Put the blank in place of terms and tests."""
        rest = phrase_pattern(tuple(map(plain, self.phrases))).sub(BLANK, plain(text))
        for mention in reversed(self.vocabulary.analyte_mentions(rest)):
            if mention.entry:
                rest = rest[: mention.start] + BLANK + rest[mention.end :]
        return rest

    def outline(self) -> dict[str, str | bool]:
        """Give what fills the turn's templates, blanked."""
        own = self.context.items()
        return {name: self.blanked(text) if isinstance(text, str) else text for name, text in own}


def _beside(turn: PlannedTurn, story: Story, language: Language) -> Iterator[str]:
    """Give what is asked for beside tests and the order, and what a conclusion has to quote."""
    for topic in story.shown(turn):
        if isinstance(topic, FindingTopic) and topic.bound.kind == "vital":
            yield topic.bare(language)
        elif not isinstance(topic, LabTopic | OrderTopic):
            yield topic.asked(language)
    yield from (topic.asked(language) for topic in story.told(turn))
    asked = {topic.asked(language) for topic in story.shown(turn)}
    for short in (True, False):
        yield from (phrase for phrase in rests_on(turn, story, language, short=short) if phrase not in asked)

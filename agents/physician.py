"""The physician who asks: words each planned turn, in full and as it is said, so that it has exactly one reading."""

import random
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from agents.dialogue import REPORTING, listener, misreadings
from agents.news import tells
from agents.question_context import Setting, bond_of, question_context, question_key
from agents.resolver import Heard, Listener
from state.base import Language
from state.plan import ASKS_THE_PATIENT, ORDER, TASK_TYPE, PlannedTurn, SessionPlan, TurnKind
from state.session import Implicitness, TaskSource, Turn, Wording
from tools.gold import GoldSource, NoGold
from tools.gold.patient_topics import PATIENT_TOPICS
from tools.wording import load_turn_wordings, render

TRIES = 24
"""Ways of saying a turn that are tried before it is held that none has exactly one reading."""
CHANCE = {Implicitness.PREDICATE_ELLIPSIS: 0.4}
"""What an ellipsis's place in a draw is multiplied by: it has one reading least often, so it comes first more often."""


@dataclass(frozen=True)
class Said:
    """A turn worded in one language, and how a listener hears it. ``key`` names the template and the ways taken."""

    wording: Wording
    heard: Heard
    key: str

    @property
    def names_drug(self) -> bool:
        """Tell whether it says by its effect which drug is meant."""
        return _names_drug(self.key)


@dataclass
class Physician:
    """Somebody who asks one session's questions in order.

    ``heard`` is the dialogue so far by language, ``asked`` are its turns.
    """

    source: GoldSource
    seed: int
    languages: tuple[Language, ...]
    heard: dict[Language, list[Heard]] = field(default_factory=dict)
    asked: list[PlannedTurn] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Set up the listeners, one a language."""
        self._ears: dict[Language, Listener] = {
            language: listener(self.source, language) for language in self.languages
        }
        self.heard = {language: [] for language in self.languages}

    def try_turn(self, turn: PlannedTurn) -> dict[Language, Said] | None:
        """Word the next turn in every language, or give None where that leaves more, or less, than one reading."""
        said: dict[Language, Said] = {}
        for language in self.languages:
            alike = next((one.names_drug for one in said.values()), None)
            worded = self._word(turn, language, alike)
            if worded is None:
                return None
            said[language] = worded
        return said

    @property
    def setting(self) -> Setting:
        """Tell where in the dialogue the next question stands."""
        return Setting.after(self.asked)

    @property
    def knows(self) -> GoldSource:
        """Give the record with the drugs that may be named by now."""
        told = any(ORDER in tells(turn, self.source.match) for turn in self.asked)
        return self.source.knowing_the_order() if told else self.source

    def say(self, turn: PlannedTurn, said: Mapping[Language, Said]) -> None:
        """Put a turn: the next ones are understood after it."""
        self.asked.append(turn)
        for language, one in said.items():
            self.heard[language].append(one.heard)

    def _word(self, turn: PlannedTurn, language: Language, names_drug: bool | None) -> Said | None:
        """Word a turn; ``names_drug``: whether another language names the drug it points to, so that this one must."""
        dialogue = self.heard[language]
        key = question_key(turn, self.source)
        bond = bond_of(turn, self.source)
        questions = [
            question
            for question in load_turn_wordings(language).questions[key]
            if question.implicitness is turn.implicitness and (not question.fits or bond in question.fits)
        ]
        if not questions:
            return None
        context = question_context(turn, self.knows, language, self.setting)
        rng = random.Random(f"{self.seed}:{len(dialogue)}:{turn.implicitness}:{language}")  # noqa: S311
        for _ in range(TRIES):
            question = rng.choice(questions)
            template = (question.implicit or question.explicit).pick(rng)
            if names_drug is not None and _names_drug(template) is not names_drug:
                continue
            text = _finished(render(template, context))
            reports = TASK_TYPE[turn.kind] in REPORTING
            heard = self._ears[language].hear(text, dialogue, reports=reports)
            if len(dialogue) == 1 and heard.goes_back_to_the_first:
                continue
            if question.implicit is None:
                return Said(Wording(explicit=text, implicit=text), heard, template)
            if not misreadings(heard, turn.implicitness, self.source):
                explicit = _finished(render(question.explicit.pick(rng), context))
                return Said(Wording(explicit=explicit, implicit=text), heard, template)
        return None


def _names_drug(template: str) -> bool:
    return "{{ bearing }}" in template or "{{ drug }}" in template


_BEGINNING = re.compile(r"(?:^|(?<=[.?!] ))[a-z]")


def _finished(text: str) -> str:
    """Begin each sentence with a capital; what is quoted keeps its own."""
    return _BEGINNING.sub(lambda found: found.group().upper(), text)


def leave_unsaid(turns: Sequence[PlannedTurn], source: GoldSource, seed: int) -> tuple[PlannedTurn, ...]:
    """Choose how each turn but the first leaves things unsaid.

    Of the ways that have exactly one reading in every language, the one least used in the session is taken, so that a
    set is balanced. Raises NoGold where a turn has none.
    """
    physician = Physician(source, seed, tuple(Language))
    rng = random.Random(f"{seed}:ways")  # noqa: S311
    used: Counter[Implicitness] = Counter()
    chosen: list[PlannedTurn] = []
    for turn in turns:
        ways = [way for way in Implicitness if (way is Implicitness.EXPLICIT) is not bool(chosen)]
        draw = {way: rng.random() * CHANCE.get(way, 1.0) for way in ways}
        for way in sorted(ways, key=lambda way: (used[way], draw[way])):
            worded = turn.model_copy(update={"implicitness": way})
            said = physician.try_turn(worded)
            if said is not None:
                break
        else:
            raise NoGold(f"no wording of a turn of kind {turn.kind} has exactly one reading")
        physician.say(worded, said)
        used[way] += 1
        chosen.append(worded)
    return tuple(chosen)


def word_turns(plan: SessionPlan, source: GoldSource, languages: tuple[Language, ...]) -> tuple[Turn, ...]:
    """Word every turn of a plan. Deterministic for a plan: the plan's seed picks the ways to say it.

    Raises NoGold where the rule lacks the words of a language, or no wording of a turn has exactly one reading.
    """
    said = say_plan(plan, source, languages)
    return tuple(
        turn_of(index, turn, one) for index, (turn, one) in enumerate(zip(plan.turns, said, strict=True))
    )


def turn_of(index: int, planned: PlannedTurn, said: Mapping[Language, Said]) -> Turn:
    """Make the turn of a session from what was said."""
    return Turn(
        index=index,
        task_type=TASK_TYPE[planned.kind],
        implicitness=planned.implicitness,
        source=source_of(planned),
        wording={language: one.wording for language, one in said.items()},
    )


def source_of(turn: PlannedTurn) -> TaskSource:
    """Say where a turn finds its answer."""
    if turn.kind is TurnKind.WRITE:
        return TaskSource.WRITE
    if turn.kind not in ASKS_THE_PATIENT:
        return TaskSource.EHR
    return TaskSource.PATIENT if all(name in PATIENT_TOPICS for name in turn.topics) else TaskSource.MIXED


def say_plan(
    plan: SessionPlan, source: GoldSource, languages: tuple[Language, ...]
) -> tuple[Mapping[Language, Said], ...]:
    """Say every turn of a plan as ``word_turns`` does, with the templates used and how each is heard."""
    physician = Physician(source, plan.wording_seed, languages)
    every: list[Mapping[Language, Said]] = []
    for turn in plan.turns:
        said = template_of(physician, turn)
        physician.say(turn, said)
        every.append(said)
    return tuple(every)


def template_of(physician: Physician, turn: PlannedTurn) -> dict[Language, Said]:
    """Word the next turn by templates; NoGold where none has exactly one reading."""
    said = physician.try_turn(turn)
    if said is None:
        raise NoGold(f"no {turn.implicitness} wording of a turn of kind {turn.kind} has exactly one reading")
    return said

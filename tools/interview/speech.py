"""What a patient says, put together from the templates of configs/patient in the words of the persona."""

import random
from collections.abc import Iterable, Sequence
from typing import Any

from state.base import Language
from state.patient import (
    AdherenceFact,
    Fact,
    FunctionalFact,
    PainFact,
    PatientFacts,
    SocialFact,
    SymptomFact,
)
from state.patient_values import HomeUse, Level, Social
from tools.interview.drugs import DrugWords
from tools.interview.question import MOST_UNKNOWN, Asked
from tools.interview.spans import say_span
from tools.interview.words import read, symptoms

ASIDE_CHANCE = {Level.LOW: 0.0, Level.MEDIUM: 0.15, Level.HIGH: 0.4}
"""How often a patient adds a word of worry, or an idea of his own, by anxiety and tendency to self-diagnosis."""


_HARD_TO_TELL = frozenset(
    {
        Social.SMOKING_CURRENT,
        Social.ALCOHOL_DAILY,
        Social.DRUGS_FORMER,
        Social.DRUGS_CURRENT,
        Social.LIVING_HOMELESS,
    }
)


def _hard_to_tell(fact: Fact) -> bool:
    """Tell whether a fact was held back because it is hard to own up to, so that it comes out with a preface."""
    match fact:
        case AdherenceFact():
            return fact.withheld and fact.home not in {None, HomeUse.TAKING}
        case SocialFact():
            return fact.withheld and fact.status in _HARD_TO_TELL
    return False


class Speech:
    """The voice of one patient in one language. The same question finds the same words."""

    def __init__(self, known: PatientFacts, language: Language, words: DrugWords) -> None:
        self._known = known
        self._language = language
        self._drug_words = words
        self._literacy = known.persona.literacy
        data = read(language)
        self._say: dict[str, Any] = data["say"]
        self._words: dict[str, Any] = data["words"]
        self._drugs = tuple(fact.drug for fact in known.facts if isinstance(fact, AdherenceFact))

    def answer(self, told: Sequence[Fact], asked: Asked, key: str) -> str:
        """Word an answer; ``key`` tells questions apart for the choice of words."""
        rng = random.Random(f"{self._known.session_id}:{self._known.seed}:{key}")  # noqa: S311
        parts = [self._line("frank", rng)] if any(map(_hard_to_tell, asked.facts)) else []
        adherence = [fact for fact in told if isinstance(fact, AdherenceFact)]
        for fact in told:
            if not isinstance(fact, AdherenceFact):
                parts += self._fact(fact, rng)
        for group in self._alike(adherence):
            parts += self._adherence(group, rng)
        parts += self._unknown(told, asked, rng)
        parts += self._asides(told, rng)
        return str(self._words["gap"]).join(parts)

    def _fact(self, fact: Fact, rng: random.Random) -> list[str]:
        match fact:
            case SymptomFact():
                return self._symptom(fact, rng)
            case PainFact():
                return [self._line("pain", rng, score=fact.score)]
            case SocialFact() | FunctionalFact():
                return [self._line(f"{fact.kind}.{fact.status}", rng)]
            case AdherenceFact():
                return self._adherence([fact], rng)

    def _symptom(self, fact: SymptomFact, rng: random.Random) -> list[str]:
        symptom = symptoms()[fact.symptom]
        what = symptom.name(self._language, self._literacy, fact.side)
        if fact.denied:
            return [self._line("denied", rng, what=what)]
        parts = [self._line("event" if symptom.event else "symptom", rng, what=what)]
        if fact.onset is not None:
            span = say_span(fact.onset, self._language, self._literacy)
            parts.append(self._line("event_onset" if symptom.event else "onset", rng, span=span))
        if fact.course is not None:
            parts.append(self._line(f"course.{fact.course}", rng))
        if fact.severity is not None:
            parts.append(self._line(f"severity.{fact.severity}", rng))
        return parts

    def _alike(self, facts: Iterable[AdherenceFact]) -> list[list[AdherenceFact]]:
        """Put drugs together of which the same is to be said; what is not taken as prescribed is said one by one."""
        groups: dict[object, list[AdherenceFact]] = {}
        for fact in facts:
            alike = (fact.home, fact.here) if fact.home in (None, HomeUse.TAKING) else fact.fact_id
            groups.setdefault(alike, []).append(fact)
        return list(groups.values())

    def _adherence(self, group: Sequence[AdherenceFact], rng: random.Random) -> list[str]:
        first = group[0]
        names = self._listed(dict.fromkeys(self._name(fact.drug) for fact in group))
        drugs = str(self._words["drugs"]).format(names=names)
        parts = []
        if first.home is not None:
            parts.append(self._line(f"home.{first.home}", rng, drugs=drugs))
            drugs = str(self._words["it" if len(group) == 1 else "them"])
        if first.since is not None:
            parts.append(self._line("since", rng, span=say_span(first.since, self._language, self._literacy)))
        if first.reason is not None:
            parts.append(self._line(f"reason.{first.reason}", rng))
        if first.here is not None:
            parts.append(self._line(f"here.{first.here}", rng, drugs=drugs))
        return parts

    def _name(self, drug: str) -> str:
        return self._drug_words.spoken(drug, self._drugs, self._language, self._literacy)

    def _unknown(self, told: Sequence[Fact], asked: Asked, rng: random.Random) -> list[str]:
        items = self._unknown_items(asked)
        parts = []
        if 0 < len(items) <= MOST_UNKNOWN:
            line = "unknown_use" if asked.drugs else "unknown_item"
            parts.append(self._line(line, rng, item=self._listed(items, "or")))
        elif items or (asked.strange and asked.kind != "adherence"):
            parts.append(self._line("unknown", rng))
        elif asked.strange:
            parts.append(self._line("unknown_drug", rng))
        elif not told:
            parts.append(self._line("unknown", rng))
        undated = [f for f in told if isinstance(f, SymptomFact) and not f.denied and f.onset is None]
        if asked.onset and undated:
            parts.append(self._line("unknown_onset", rng))
        return parts

    def _unknown_items(self, asked: Asked) -> list[str]:
        """Name what was asked for and is not known, in the patient's language."""
        items = [symptoms()[name].name(self._language, self._literacy) for name in asked.symptoms]
        for mention in asked.drugs:
            if mention.group is not None:
                word = mention.group.word(self._language)
                items.append(str(self._words["any"]).format(name=word))
            else:
                items += [self._drug_words.name(drug, self._language) for drug in sorted(mention.drugs)]
        return list(dict.fromkeys(items))

    def _asides(self, told: Sequence[Fact], rng: random.Random) -> list[str]:
        persona, parts = self._known.persona, []
        idea = rng.random() < ASIDE_CHANCE[persona.self_diagnosis]
        worry = rng.random() < ASIDE_CHANCE[persona.anxiety]
        if idea and any(isinstance(fact, SymptomFact) and not fact.denied for fact in told):
            parts.append(self._line("own_idea", rng))
        if worry:
            parts.append(self._line("anxious", rng))
        return parts

    def _listed(self, items: Iterable[str], joint: str = "and") -> str:
        every = list(items)
        if len(every) < 2:
            return "".join(every)
        return str(self._words["comma"]).join(every[:-1]) + str(self._words[joint]) + every[-1]

    def _line(self, name: str, rng: random.Random, **filled: Any) -> str:
        templates: Any = self._say
        for step in name.split("."):
            templates = templates[step]
        return str(rng.choice(templates[self._literacy])).format(**filled)

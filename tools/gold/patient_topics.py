"""Topics that only the patient can tell of: what is asked, by which calls, and what an answer must tell on."""

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Protocol

from state.base import Language
from state.gold import ToolCall
from state.patient import (
    AdherenceFact,
    FunctionalFact,
    PainFact,
    SocialFact,
    SymptomFact,
)
from state.patient_values import Course, HomeUse, InHospital, Reason, Severity
from tools.gold.patient_pieces import (
    other_span,
    patient_of,
    same,
    spans,
    symptom_piece,
    told_piece,
    unknown_piece,
)
from tools.gold.pieces import Piece
from tools.gold.source import GoldSource, NoGold
from tools.gold.topics import order_words
from tools.interview.accounts import drug_words
from tools.interview.pertinent import matters_of, probe_question, probe_words, symptom_words
from tools.interview.words import drug_groups, symptoms
from tools.phrasing import Phrasing, read_phrasing
from tools.wording import load_turn_wordings, render

SAID = "said_"
"""Begins the name of a topic that the patient is asked about."""
MOST_COMPLAINTS = 2
"""Complaints a patient is asked about; further ones are left for an open question."""


class PatientTopic(Protocol):
    """Something to ask the patient."""

    @property
    def calls(self) -> tuple[ToolCall, ...]:
        """Give the calls that ask for it, each specific enough for what the patient keeps back."""

    def asked(self, language: Language) -> str:
        """Name it in a question, giving nothing away."""

    def pieces(self, prefix: str, *, safety: bool = False) -> tuple[Piece, ...]:
        """Tell on what the patient says to it; the first sentence is the one that matters most."""


@cache
def _ways(asked: str) -> Phrasing:
    return read_phrasing(asked, {})


def _render(source: GoldSource, language: Language, name: str, **words: object) -> str:
    """Fill what is asked by the words of a language, with the patient's pronouns; a match asks in one way."""
    wordings, match = load_turn_wordings(language), source.match
    draw = random.Random(f"{name}:{match.rule_id}:{match.subject_id}:{match.as_of}")  # noqa: S311
    said = _ways(wordings.asks[name]).pick(draw)
    return render(said, {**wordings.pronouns[source.sex], **words})


@dataclass(frozen=True)
class DrugTopic:
    """How the drug that the session turns on is taken."""

    source: GoldSource

    @property
    def fact(self) -> AdherenceFact:
        """Find what the patient tells of the drug."""
        return self._found[0]

    @property
    def _found(self) -> tuple[AdherenceFact, str | None]:
        """Find the drug among the orders the match rests on, then on the home list by the name of its finding."""
        source = self.source
        facts = {f.drug: f for f in patient_of(source).facts if isinstance(f, AdherenceFact) and f.home}
        ordered = list(source.orders_by_ingredient)
        if len(ordered) == 1 and ordered[0] in facts:
            return facts[ordered[0]], None
        for bound in source.match.also:
            if bound.kind == "home_medication" and not bound.absent and bound.subject in facts:
                return facts[bound.subject], bound.name
        raise NoGold("the patient tells nothing of a drug that the session turns on")

    @property
    def calls(self) -> tuple[ToolCall, ...]:
        """Ask for the drug by name."""
        name = self.source.drug_in(self.fact.drug)[Language.EN]
        return (self.source.call("patient.get_medication_adherence", drug=name),)

    def asked(self, language: Language) -> str:
        """Ask for the drug by how it bears on the result, or by its place on the home list."""
        name, here = self._found[1], self.fact.here is not None
        if name is None:
            return _render(
                self.source, language, "said_drug", here=here, **order_words(self.source, language)
            )
        finding = next(f for f in self.source.rule.trigger.also if f.name == name)
        if language not in finding.ask:
            raise NoGold(f"rule {self.source.rule.id} does not say in {language} how to ask for {name}")
        return _render(self.source, language, "said_home_drug", drug=finding.ask[language], here=here)

    def pieces(self, prefix: str, *, safety: bool = False) -> tuple[Piece, ...]:
        """Tell whether it is taken at home, since when and why not, and what becomes of it here."""
        fact, source = self.fact, self.source
        drug = {language: {"drug": name} for language, name in source.drug_in(fact.drug).items()}
        other = HomeUse.NOT_TAKING if fact.home is HomeUse.TAKING else HomeUse.TAKING
        told = [
            told_piece(
                source,
                fact,
                "home",
                f"{prefix}-home",
                (f"home.{fact.home}", drug),
                (f"home.{other}", drug),
                safety=safety,
            )
        ]
        if fact.since is not None:
            right, wrong = ("since", spans(fact.since)), ("since", other_span(fact.since))
            told.append(told_piece(source, fact, "since", f"{prefix}-since", right, wrong))
        if fact.reason is not None:
            why = Reason.COST if fact.reason is not Reason.COST else Reason.RAN_OUT
            sides = (f"reason.{fact.reason}", same()), (f"reason.{why}", same())
            told.append(told_piece(source, fact, "reason", f"{prefix}-reason", *sides))
        if fact.here is not None:
            turned = InHospital.NEVER_GIVEN if fact.here is InHospital.GIVEN else InHospital.GIVEN
            sides = (f"here.{fact.here}", same()), (f"here.{turned}", same())
            told.append(told_piece(source, fact, "here", f"{prefix}-here", *sides))
        return tuple(told)


@dataclass(frozen=True)
class ProbeTopic:
    """A group of drugs that bears on the result, of which the patient takes one that the record is not asked about."""

    source: GoldSource

    @property
    def _found(self) -> tuple[str, AdherenceFact]:
        """Find the first group that the patient tells of one drug of, and that drug."""
        words, match = drug_words(self.source.vocabulary), self.source.match
        turned = {*self.source.orders_by_ingredient, *(bound.subject for bound in match.also)}
        facts = [f for f in patient_of(self.source).facts if isinstance(f, AdherenceFact)]
        for group in matters_of(match.lab.analyte).probes:
            own = [fact for fact in facts if fact.drug in words.drugs_of(drug_groups()[group])]
            if len(own) == 1 and own[0].home and own[0].drug not in turned:
                return group, own[0]
        raise NoGold("the patient tells of no drug of a group that bears on the result")

    @property
    def calls(self) -> tuple[ToolCall, ...]:
        """Ask for the group."""
        return (self.source.call("patient.get_medication_adherence", drug=probe_question(self._found[0])),)

    def asked(self, language: Language) -> str:
        """Name the group."""
        return _render(self.source, language, "said_probe", what=probe_words(self._found[0])[language])

    def pieces(self, prefix: str, *, safety: bool = False) -> tuple[Piece, ...]:
        """Tell which drug of the group is taken, and how."""
        source, fact = self.source, self._found[1]
        drug = {language: {"drug": name} for language, name in source.drug_in(fact.drug).items()}
        other = HomeUse.NOT_TAKING if fact.home is HomeUse.TAKING else HomeUse.TAKING
        sides = (f"home.{fact.home}", drug), (f"home.{other}", drug)
        return (told_piece(source, fact, "home", f"{prefix}-home", *sides, safety=safety),)


@dataclass(frozen=True)
class ComplaintTopic:
    """What brought the patient in."""

    source: GoldSource

    @property
    def facts(self) -> tuple[SymptomFact, ...]:
        """Find the first complaints."""
        chief = [f for f in patient_of(self.source).facts if isinstance(f, SymptomFact) and f.chief]
        if not chief:
            raise NoGold("the patient tells of no complaint")
        return tuple(chief[:MOST_COMPLAINTS])

    @property
    def calls(self) -> tuple[ToolCall, ...]:
        """Ask what brought the patient in: no complaint is named before it is heard, and none is kept back."""
        return (self.source.call("patient.get_chief_complaint"),)

    def asked(self, language: Language) -> str:
        """Ask what brought the patient in, and what of it the patient can tell."""
        first = self.facts[0]
        known = {"onset": first.onset, "severity": first.severity, "course": first.course}
        return _render(self.source, language, "said_complaint", **known)

    def pieces(self, prefix: str, *, safety: bool = False) -> tuple[Piece, ...]:
        """Tell the complaints, and when and how the first one went."""
        source, first = self.source, self.facts[0]
        told = [symptom_piece(source, first, f"{prefix}-complaint-1", safety=safety)]
        if first.onset is not None:
            sides = ("onset", spans(first.onset)), ("onset", other_span(first.onset))
            told.append(told_piece(source, first, "onset", f"{prefix}-onset", *sides))
        if first.severity is not None:
            other = Severity.MILD if first.severity is not Severity.MILD else Severity.SEVERE
            sides = (f"severity.{first.severity}", same()), (f"severity.{other}", same())
            told.append(told_piece(source, first, "severity", f"{prefix}-severity", *sides))
        elif first.course is not None:
            turned = Course.BETTER if first.course is not Course.BETTER else Course.WORSE
            sides = (f"course.{first.course}", same()), (f"course.{turned}", same())
            told.append(told_piece(source, first, "course", f"{prefix}-course", *sides))
        told += [
            symptom_piece(source, fact, f"{prefix}-complaint-{number}")
            for number, fact in enumerate(self.facts[1:], 2)
        ]
        return tuple(told)


@dataclass(frozen=True)
class PertinentTopic:
    """Symptoms that bear on the result: one the patient can tell of, one not."""

    source: GoldSource

    @property
    def known(self) -> SymptomFact:
        """Find one that the patient can tell of, and that is no complaint."""
        wanted = matters_of(self.source.match.lab.analyte)
        names = (*wanted.symptoms, *wanted.unsure)
        told = {
            fact.symptom: fact
            for fact in patient_of(self.source).facts
            if isinstance(fact, SymptomFact) and not fact.chief
        }
        found = next((told[name] for name in names if name in told), None)
        if found is None:
            raise NoGold("the patient can tell of no symptom that bears on the result")
        return found

    @property
    def unknown(self) -> str:
        """Find one that the patient cannot tell of."""
        has = {fact.symptom for fact in patient_of(self.source).facts if isinstance(fact, SymptomFact)}
        found = next((n for n in matters_of(self.source.match.lab.analyte).unsure if n not in has), None)
        if found is None:
            raise NoGold("the patient can tell of every symptom that bears on the result")
        return found

    @property
    def _names(self) -> tuple[str, ...]:
        return self.known.symptom, self.unknown

    @property
    def calls(self) -> tuple[ToolCall, ...]:
        """Ask for them by name."""
        query = " or ".join(symptom_words()[name][Language.EN] for name in self._names)
        return (self.source.call("patient.get_symptom_history", query=query),)

    def asked(self, language: Language) -> str:
        """Name them."""
        words = [symptom_words()[name][language] for name in self._names]
        what = load_turn_wordings(language).joined["or"].join(words)
        return _render(self.source, language, "said_pertinent", what=what)

    def pieces(self, prefix: str, *, safety: bool = False) -> tuple[Piece, ...]:
        """Tell what the patient says to each."""
        unknown = self.unknown
        what = {language: {"what": word} for language, word in symptom_words()[unknown].items()}
        evidence, item_id = [f"unknown-symptom-{unknown}"], f"{prefix}-unsure"
        return (
            symptom_piece(self.source, self.known, f"{prefix}-pertinent", safety=safety),
            unknown_piece(
                self.source, "symptom", unknown, item_id, evidence, what, ("denied", what), safety=False
            ),
        )


@dataclass(frozen=True)
class HomeTopic:
    """Who is at home, and what the patient can do."""

    source: GoldSource

    @property
    def facts(self) -> tuple[SocialFact | FunctionalFact, ...]:
        """Find where the patient lives, how the patient walks, and one further ability or habit."""
        known = {
            f.topic: f for f in patient_of(self.source).facts if isinstance(f, SocialFact | FunctionalFact)
        }
        if "living" not in known or "walking" not in known:
            raise NoGold("the patient does not tell of home and walking")
        more = next((known[topic] for topic in MORE_AT_HOME if topic in known), None)
        return (known["living"], known["walking"], *([more] if more is not None else []))

    @property
    def calls(self) -> tuple[ToolCall, ...]:
        """Ask for each by name."""
        return tuple(
            self.source.call(*_TOOL_OF[fact.kind], query=HOME_QUESTIONS[fact.topic]) for fact in self.facts
        )

    def asked(self, language: Language) -> str:
        """Name what is asked."""
        wordings = load_turn_wordings(language)
        *asks, last = (_render(self.source, language, f"said_{fact.topic}") for fact in self.facts)
        return wordings.joined["within_last"].join((wordings.joined["within_ask"].join(asks), last))

    def pieces(self, prefix: str, *, safety: bool = False) -> tuple[Piece, ...]:
        """Tell each."""
        told = []
        for number, fact in enumerate(self.facts):
            sides = (f"status.{fact.status}", same()), (f"status.{_other_status(fact)}", same())
            item_id, first = f"{prefix}-{fact.topic}", safety and number == 0
            told.append(told_piece(self.source, fact, "status", item_id, *sides, safety=first))
        return tuple(told)


MORE_AT_HOME = ("pills", "household", "care", "leaving", "alcohol", "work")
HOME_QUESTIONS = {
    "living": "who do you live with",
    "walking": "walking",
    "pills": "who sorts the pills",
    "household": "cooking and shopping",
    "care": "bathing and dressing",
    "leaving": "when you left last time: last discharge",
    "alcohol": "alcohol",
    "work": "work",
}
_TOOL_OF = {"social": ("patient.get_social_history",), "functional": ("patient.get_functional_status",)}


def _other_status(fact: SocialFact | FunctionalFact) -> str:
    """Give another value of the same topic."""
    values = type(fact.status)
    return next(
        v.value for v in reversed(values) if v.value.startswith(f"{fact.topic}_") and v is not fact.status
    )


@dataclass(frozen=True)
class PainTopic:
    """How the patient rated the pain on arrival."""

    source: GoldSource

    @property
    def fact(self) -> PainFact:
        """Find the rating of one who came in with pain."""
        facts = patient_of(self.source).facts
        hurts = any(isinstance(f, SymptomFact) and f.chief and symptoms()[f.symptom].pain for f in facts)
        found = next((fact for fact in facts if isinstance(fact, PainFact)), None)
        if found is None or not hurts:
            raise NoGold("the patient did not come in with pain, or has not rated it")
        return found

    @property
    def calls(self) -> tuple[ToolCall, ...]:
        """Ask for the rating."""
        return (self.source.call("patient.get_pain_assessment", query="pain score on a scale of 0 to 10"),)

    def asked(self, language: Language) -> str:
        """Name the rating."""
        return _render(self.source, language, "said_pain")

    def pieces(self, prefix: str, *, safety: bool = False) -> tuple[Piece, ...]:
        """Tell it."""
        score = self.fact.score
        sides = ("score", same(score=score)), ("score", same(score=(score + 3) % 11))
        return (told_piece(self.source, self.fact, "score", f"{prefix}-pain", *sides, safety=safety),)


PATIENT_TOPICS: Mapping[str, Callable[[GoldSource], PatientTopic]] = {
    f"{SAID}drug": DrugTopic,
    f"{SAID}probe": ProbeTopic,
    f"{SAID}complaint": ComplaintTopic,
    f"{SAID}pertinent": PertinentTopic,
    f"{SAID}home": HomeTopic,
    f"{SAID}pain": PainTopic,
}
"""By the name they have in a plan."""

"""The brief of a question: what a model's words for one turn in one language are made from, and held to."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from agents.checks.bilingual import asked_phrases, disparities, readers
from agents.checks.case import Case
from agents.checks.sameness import TurnMeaning
from agents.checks.wording import leaks, script_faults, unsaid_faults
from agents.dialogue import REPORTING, misreadings
from agents.physician import Physician, Said, turn_of
from agents.resolver import Heard
from state.base import Language
from state.plan import ORDER, PlannedTurn
from state.session import Turn, Wording
from state.wordings import Form
from tools.gold.topics import bearing


@dataclass(frozen=True)
class Fault:
    """What is wrong with a wording. ``told`` is what its model hears of it; None where that would tell a secret."""

    reason: str
    told: str | None


@dataclass(frozen=True)
class Brief:
    """One turn in one language. ``turn`` is in its template's words.

    ``said`` are the questions before as they were put, ``heard`` what a listener makes of them; ``others`` are the
    words of this turn in other languages.
    """

    case: Case
    turn: Turn
    meaning: TurnMeaning
    said: tuple[str, ...]
    heard: tuple[Heard, ...]
    others: Mapping[Language, Wording]

    @classmethod
    def of(
        cls,
        case: Case,
        planned: PlannedTurn,
        template: Mapping[Language, Said],
        language: Language,
        before: "Dialogue",
        others: Mapping[Language, Wording],
    ) -> "Brief":
        """Brief whoever words the next turn of a dialogue."""
        turn, case = turn_of(len(before.said), planned, template), case.at(len(before.said))
        own, setting = template[language].wording, before.physician.setting
        meaning = TurnMeaning.of(planned, case.source, language, own, setting)
        said = tuple(words[language].wording.implicit for words in before.said)
        return cls(case, turn, meaning, said, tuple(words[language].heard for words in before.said), others)

    @property
    def language(self) -> Language:
        """Give the language to be spoken."""
        return self.meaning.language

    def terms(self, form: Form) -> tuple[str, ...]:
        """List what a form has to say as it stands; the drug is named where it is in another language already."""
        said, drug = self.meaning.said(form), self.meaning.drug
        if form == "explicit" or drug is None or not self.others:
            return said
        return (*(term for term in said if term != drug), *([drug] if self._drug_is_named else []))

    @property
    def _drug_is_named(self) -> bool:
        source = self.case.source
        return any(bearing(source, other) in one.implicit for other, one in self.others.items())

    def hear(self, wording: Wording) -> Said:
        """Understand a wording as the next question."""
        reports = self.turn.task_type in REPORTING
        return Said(wording, self.meaning.ears.hear(wording.implicit, self.heard, reports=reports), "")

    def faults(self, wording: Wording, form: Form) -> list[Fault]:
        """List what is wrong with a form of a wording."""
        text = getattr(wording, form)
        found = [Fault(reason, None) for reason in leaks(text, self.turn, self.language, self.case)]
        told = [*script_faults(text, self.language), *self.meaning.faults(text, form)]
        found += [Fault(reason, reason) for reason in (*told, *self.apart(text, form))]
        return [*found, *self._unsaid(wording)] if form == "implicit" else found

    def apart(self, text: str, form: Form) -> Iterator[str]:
        """Say where a form differs from the words of this turn in other languages."""
        for other, wording in self.others.items():
            pair = {other: getattr(wording, form), self.language: text}
            yield from disparities(
                pair, asked_phrases(self.case, form), self.case.source, readers(self.turn.index, form)
            )

    def _unsaid(self, wording: Wording) -> Iterator[Fault]:
        turn = self.turn.model_copy(update={"wording": {self.language: wording}})
        yield from (Fault(reason, reason) for reason in unsaid_faults(turn, self.language, self.case))
        for reason in misreadings(self.hear(wording).heard, self.turn.implicitness, self.case.source):
            yield Fault(reason, _without_readings(reason))
        about, meant = (ORDER in self.hear(one).heard.named for one in (wording, self.meaning.template))
        if about is not meant:
            drug = "the drug, which is asked about" if meant else "the drug, which is not asked about"
            reason = f"leaves out {drug}" if meant else f"speaks of {drug}"
            yield Fault(reason, reason)


@dataclass
class Dialogue:
    """The turns of a session as they were put so far, by language."""

    physician: Physician
    said: list[Mapping[Language, Said]]

    def put(self, planned: PlannedTurn, said: Mapping[Language, Said]) -> None:
        """Put the next turn."""
        self.physician.say(planned, said)
        self.said.append(said)


def _without_readings(reason: str) -> str:
    """Cut what a word could mean out of a reason: things go by names there that may tell what is to be found."""
    if reason.startswith("leaves nothing unsaid in"):
        return "it leaves nothing unsaid in the way that was asked for"
    for before in (" could be ", " reads as "):
        if before in reason:
            return f"{reason.partition(before)[0]} can mean something else than what is meant"
    return reason

"""A physician who speaks in the words of a model: each question first in full, then as it is said in the dialogue.

The model is told what its turn's template asks and what was said before, and nothing that is to be found out. Its words
are held to the checkers of templates and to the template itself; what does not pass is asked for again, then the
template speaks.
"""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, SystemMessage

from agents.checks.case import Case
from agents.gateway import NO_TOOLS, Call, CallFailed
from agents.physician import Physician, Said, template_of, turn_of
from agents.prompts import prompt
from agents.question_brief import Brief, Dialogue, Fault
from agents.structured import written
from state.base import Language
from state.journal import Place, Role
from state.models import ServedModel
from state.plan import PlannedTurn
from state.session import Implicitness, Turn, Wording
from state.wordings import Form, RefusedWords, Voice, WordedTurn

ATTEMPTS = 3
"""Times a form is asked for before the template speaks."""
SHOWN_CHARS = 1_000
"""How much of a refused wording is kept, and shown to its model."""
MANNERS = 6
"""Manners of speaking that prompts know; a turn's is drawn by the plan's seed."""
_STEP = {"explicit": 0, "implicit": 1}


@dataclass(frozen=True)
class ModelPhysician:
    """Words questions through a model that ``ask`` reaches; what that raises beside CallFailed goes through."""

    served: ServedModel
    ask: Callable[[Call], AIMessage]

    def word(
        self, case: Case, languages: tuple[Language, ...]
    ) -> tuple[tuple[Turn, ...], tuple[WordedTurn, ...]]:
        """Word every turn of a case's plan, and say who worded each.

        Raises NoGold where a template that a model's words are held to has not exactly one reading.
        """
        physician = Physician(case.source, case.plan.wording_seed, languages)
        before, turns, notes = Dialogue(physician, []), list[Turn](), list[WordedTurn]()
        for index, planned in enumerate(case.plan.turns):
            said, voices = self._turn(case, planned, before, languages)
            before.put(planned, said)
            turns.append(turn_of(index, planned, said))
            notes += voices
        return tuple(turns), tuple(notes)

    def _turn(
        self, case: Case, planned: PlannedTurn, before: Dialogue, languages: tuple[Language, ...]
    ) -> tuple[dict[Language, Said], list[WordedTurn]]:
        """Word a turn in each language; where a template then says other things than a model, templates say it all."""
        template = template_of(before.physician, planned)
        said: dict[Language, Said] = {}
        notes: list[WordedTurn] = []
        apart = False
        for language in languages:
            others = {other: one.wording for other, one in said.items()}
            brief = Brief.of(case, planned, template, language, before, others)
            wording, refused = self._word(brief)
            if wording is None:
                own = template[language].wording
                apart |= any(brief.apart(own.explicit, "explicit")) or any(
                    brief.apart(own.implicit, "implicit")
                )
            said[language] = template[language] if wording is None else brief.hear(wording)
            notes.append(
                WordedTurn(
                    session_id=case.plan.session_id,
                    turn=len(before.said),
                    language=language,
                    voice=Voice.TEMPLATE if wording is None else Voice.MODEL,
                    refused=tuple(refused),
                )
            )
        if apart:
            return template, [note.model_copy(update={"voice": Voice.TEMPLATE}) for note in notes]
        return said, notes

    def _word(self, brief: Brief) -> tuple[Wording | None, list[RefusedWords]]:
        """Ask for the full form, then for the one that is said; the first turn leaves nothing unsaid."""
        explicit, refused = self._form(brief, "explicit", "")
        if explicit is None or brief.turn.implicitness is Implicitness.EXPLICIT:
            return None if explicit is None else Wording(explicit=explicit, implicit=explicit), refused
        implicit, more = self._form(brief, "implicit", explicit)
        refused += more
        return None if implicit is None else Wording(explicit=explicit, implicit=implicit), refused

    def _form(self, brief: Brief, form: Form, explicit: str) -> tuple[str | None, list[RefusedWords]]:
        """Ask for one form until it passes, so many times at most."""
        opening = _opening(brief, form, explicit)
        messages, refused = opening, list[RefusedWords]()
        for attempt in range(ATTEMPTS):
            try:
                reply = self.ask(Call(self.served, _place(brief, form, attempt), messages, NO_TOOLS))
            except CallFailed as failed:
                return None, [*refused, RefusedWords(form=form, text="", reasons=(str(failed),))]
            text = written(reply)
            faults = _faults(brief, form, text, explicit, reply)
            if not faults:
                return text, refused
            reasons = tuple(fault.reason for fault in faults)
            refused.append(RefusedWords(form=form, text=text[:SHOWN_CHARS], reasons=reasons))
            messages = [*opening, *_again(brief, text, faults)]
        return None, refused


def _faults(brief: Brief, form: Form, text: str, explicit: str, reply: AIMessage) -> Sequence[Fault]:
    if reply.response_metadata.get("finish_reason") == "length":
        return [Fault("it was cut off", "it was cut off because it was too long")]
    if not text:
        return [Fault("it was empty", "it was empty")]
    wording = Wording(explicit=explicit or text, implicit=text)
    return brief.faults(wording, form)


def _opening(brief: Brief, form: Form, explicit: str) -> list[AnyMessage]:
    """Say who is to speak, what is asked and what stands already."""
    language, meaning, turn = brief.language, brief.meaning, brief.turn
    manner = random.Random(f"{brief.case.plan.wording_seed}:{turn.index}:manner").randrange(MANNERS)  # noqa: S311
    asked = prompt(
        "physician",
        form,
        language,
        question=explicit or meaning.template.explicit,
        terms=brief.terms(form),
        wanted=meaning.wanted(form),
        **(
            {}
            if form == "explicit"
            else {"way": turn.implicitness.value, "said": brief.said, "test": meaning.test}
        ),
    )
    return [SystemMessage(prompt("physician", "system", language, manner=manner)), HumanMessage(asked)]


def _again(brief: Brief, text: str, faults: Sequence[Fault]) -> list[AnyMessage]:
    """Say what was wrong. Words that give something away are not shown again, nor anything that quotes them."""
    secret = any(fault.told is None for fault in faults)
    told = [] if secret else [fault.told for fault in faults]
    again = HumanMessage(prompt("physician", "again", brief.language, faults=told, gives_away=secret))
    return [again] if secret or not text else [AIMessage(text[:SHOWN_CHARS]), again]


def _place(brief: Brief, form: Form, attempt: int) -> Place:
    step = 2 * list(Language).index(brief.language) + _STEP[form]
    return Place(
        role=Role.PHYSICIAN,
        session_id=brief.case.plan.session_id,
        turn=brief.turn.index,
        step=step,
        attempt=attempt,
    )

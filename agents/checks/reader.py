"""A model that reads what checkers have accepted: asked once, and once more where nothing can be done with its reply.

Three checkers have a twin that is a model, those whose matter is language or judgement: whether a question has one
reading, whether two languages ask the same, whether an answer goes with what the record shows. Code holds what the
model says against the session: a reading against the question in full, a quotation against its text. Plan, observation
and rubric are counts, references and figures, which code decides whole; the patient's sayings are templates of facts,
which the guard reads statement by statement, and facts have their proof in the record.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, SystemMessage
from pydantic import ValidationError

from agents.checks.case import CannotDecide
from agents.gateway import Call, CallFailed
from agents.journal import digest
from agents.prompts import prompt
from agents.structured import Form, first_fault, written
from state.base import Language, Record, SessionId
from state.checking import Stage
from state.journal import Place, Role
from state.models import ServedModel

RULES = "offline/rules"
"""Stands for no model: code alone checks."""
ATTEMPTS = 2
SHOWN_CHARS = 2_000
"""How much of an unusable reply its model is shown again."""
R = TypeVar("R", bound=Record)


@dataclass(frozen=True)
class Reader:
    """A served model, and the way to ask it."""

    served: ServedModel
    ask: Callable[[Call], AIMessage]

    def read(
        self,
        stage: Stage,
        place: tuple[SessionId, int, Language],
        material: Sequence[tuple[str, str]],
        answer: type[R],
        void: Callable[[R], str | None],
    ) -> R:
        """Have ``material``, texts by their names, read for a stage; ``place`` is a session, a turn and a language.

        ``void`` says why an answer cannot be used. CannotDecide where the model gives none that can.
        """
        session_id, turn, language = place
        served, tools = Form(answer.__name__, answer.model_json_schema()).asked_of(self.served)
        messages = _opening(stage, language, material)
        fault = ""
        for attempt in range(ATTEMPTS):
            here = Place(
                role=Role.CHECKER,
                session_id=session_id,
                turn=turn,
                step=0,
                attempt=attempt,
                about=f"{stage} {language}",
            )
            try:
                reply = self.ask(Call(served, here, messages, tools))
            except CallFailed as failed:
                raise CannotDecide(f"turn {turn} {language}: {self.served.name} failed: {failed}") from failed
            read = _read(reply, answer)
            if not isinstance(read, str):
                fault = void(read) or ""
                if not fault:
                    return read
            else:
                fault = read
            again = prompt("reader", "again", language, fault=fault)
            messages = [*messages, AIMessage(written(reply)[:SHOWN_CHARS] or "-"), HumanMessage(again)]
        raise CannotDecide(
            f"turn {turn} {language}: {self.served.name} gave no answer that can be used: {fault}"
        )


def _opening(stage: Stage, language: Language, material: Sequence[tuple[str, str]]) -> list[AnyMessage]:
    """Set material apart by a mark made of it, so that no part of it can close its frame."""
    mark = digest([list(pair) for pair in material])
    system = prompt("reader", stage.value, language, mark=mark)
    shown = "\n".join(f"[{mark} {name}]\n{text}" for name, text in material)
    return [SystemMessage(system), HumanMessage(f"{shown}\n[{mark} end]")]


def _read(reply: AIMessage, answer: type[R]) -> R | str:
    """Read a reply, or say what is wrong with it."""
    if reply.response_metadata.get("finish_reason") == "length":
        return "it was cut off because it was too long"
    given = written(reply)
    if not given:
        return "it was empty"
    try:
        return answer.model_validate_json(given, strict=True)
    except ValidationError as error:
        return first_fault(error)

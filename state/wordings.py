"""Who worded the questions of a set that a model was asked to word, and what of the model's was refused."""

from enum import StrEnum
from typing import Literal

from pydantic import Field

from state.base import Language, Record, SessionId

Form = Literal["explicit", "implicit"]
FORMS: tuple[Form, Form] = ("explicit", "implicit")


class Voice(StrEnum):
    """Whose words a question is in."""

    MODEL = "model"
    TEMPLATE = "template"


class RefusedWords(Record):
    """A wording of a model that the checkers refused, with every reason."""

    form: Form
    text: str
    reasons: tuple[str, ...] = Field(min_length=1)


class WordedTurn(Record):
    """Who worded one turn in one language: both forms are the model's or both the template's."""

    session_id: SessionId
    turn: int = Field(ge=0)
    language: Language
    voice: Voice
    refused: tuple[RefusedWords, ...] = ()


class WordingCount(Record):
    """How many turns a model worded and how many templates did, each language apart, and what was refused and why."""

    model: int
    template: int
    refused: int
    reasons: dict[str, int]

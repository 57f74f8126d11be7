"""What a judge's reply comes to: an opinion whose quotation holds, or what is wrong with it."""

from dataclasses import dataclass

from langchain_core.messages import AIMessage
from pydantic import ValidationError

from agents.structured import Form, first_fault, written
from state.base import Record
from state.outcome import JudgeFault, Verdict
from tools.grading import void_quote

NAME = "Verdict"
SCHEMA = {
    "title": NAME,
    "type": "object",
    "properties": {
        "reason": {"type": "string"},
        "quote": {"type": "string"},
        "verdict": {"type": "string", "enum": [verdict.value for verdict in Verdict]},
        "says_otherwise": {"type": "boolean"},
    },
    "required": ["reason", "quote", "verdict", "says_otherwise"],
    "additionalProperties": False,
}
FORM = Form(NAME, SCHEMA)


class Opinion(Record):
    """A reply in the schema."""

    reason: str
    quote: str
    verdict: Verdict
    says_otherwise: bool


@dataclass(frozen=True)
class Unusable:
    """A reply that gives no verdict, and why."""

    fault: JudgeFault
    why: str


def read_opinion(reply: AIMessage, quotable: str, question: str) -> Opinion | Unusable:
    """Read a reply; ``quotable`` is the text its quotation must come from."""
    if reply.response_metadata.get("finish_reason") == "length":
        return Unusable(JudgeFault.TRUNCATED, "it was cut off because it was too long")
    given = written(reply)
    if not given:
        return Unusable(JudgeFault.EMPTY, "it was empty")
    try:
        opinion = Opinion.model_validate_json(given, strict=True)
    except ValidationError as error:
        return Unusable(JudgeFault.MALFORMED, first_fault(error))
    return _checked(opinion, quotable, question)


def _checked(opinion: Opinion, quotable: str, question: str) -> Opinion | Unusable:
    if opinion.says_otherwise and opinion.verdict is not Verdict.NOT_MET:
        return Unusable(JudgeFault.MALFORMED, 'says_otherwise is true and the verdict is not "not_met"')
    needs = opinion.verdict is Verdict.MET or opinion.says_otherwise
    if not opinion.quote.strip():
        return Unusable(JudgeFault.VOID_QUOTE, "there is no quotation to show it") if needs else opinion
    void = void_quote(opinion.quote, quotable, question)
    return opinion if void is None else Unusable(JudgeFault.VOID_QUOTE, void)

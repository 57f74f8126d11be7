"""A doctor of simple rules: reads the question and the dialogue, calls tools, answers from their results.

It never sees gold. It is a floor to compare models with: right where a question says what it wants, lost where the
answer takes clinical judgement.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, ToolMessage
from pydantic import SkipValidation

from agents.offline.baseline_words import ASKED, Intent, Phrase, intent_of, say
from agents.offline.model import OfflineDoctor, questions, since_question, subject_id, tool_call
from state.base import Language
from tools.fhir.toolset import ToolResult, wire_name
from tools.gold.source import NO_UNITS
from tools.vocabulary import Analyte, Vocabulary

HIGH_ALERT = frozenset({"anticoagulant", "insulin", "sulfonylurea", "potassium_supplement", "digoxin", "mra"})
"""Classes this doctor suspects first, whatever the question: a few of ISMP's high-alert medications and MRAs."""


class BaselineDoctor(OfflineDoctor):
    """Answer by keyword: the last test named in the dialogue, the active orders, and the flag on the result."""

    name: str = "offline/baseline"
    vocabulary: SkipValidation[Vocabulary]
    language: Language = Language.EN

    def reply(self, messages: Sequence[BaseMessage]) -> AIMessage:
        """Call what the question seems to need, then answer from the results."""
        intent = intent_of(questions(messages)[-1])
        if any(isinstance(message, ToolMessage) for message in since_question(messages)):
            return AIMessage(content=self._answer(intent, messages))
        calls = self._calls(intent, messages)
        if not calls:
            return AIMessage(content=self._answer(intent, messages))
        requests = [
            tool_call(wire_name(tool), arguments, i)
            for i, (tool, arguments) in enumerate(calls, len(messages))
        ]
        return AIMessage(content="", tool_calls=requests)

    def _calls(self, intent: Intent, messages: Sequence[BaseMessage]) -> list[tuple[str, dict[str, Any]]]:
        patient = {"subject_id": subject_id(messages)}
        topic = self._topic(messages)
        lab = [("Observation.search", {**patient, "code": topic.synonyms[0]})] if topic else []
        orders = [("MedicationRequest.search", {**patient, "status": "active", "_count": 100})]
        match intent:
            case Intent.PATIENT:
                question = questions(messages)[-1]
                return [(tool, {**patient, **more}) for tool, more, words in ASKED if words.search(question)]
            case Intent.LAB:
                return lab
            case Intent.ORDERS:
                return orders
            case Intent.TREND:
                return lab + orders
            case Intent.DECIDE:
                return []
            case Intent.FLAG:
                detail = self._finding(messages)
                return [
                    (
                        "Flag.create",
                        {**patient, "category": "safety", "code": "Safety concern", "detail": detail},
                    )
                ]
            case Intent.ORDER:
                return self._order(patient, messages)

    def _order(
        self, patient: dict[str, Any], messages: Sequence[BaseMessage]
    ) -> list[tuple[str, dict[str, Any]]]:
        question, drug = questions(messages)[-1], self._suspect(messages)
        dose = re.search(r"\d+(?:\.\d+)?\s*[A-Za-z]+", question)
        if dose is None or drug is None:
            return []
        arguments = {"medication": drug, "dose": dose.group(), "route": "PO", "frequency": "DAILY"}
        return [("MedicationRequest.create", {**patient, **arguments})]

    def _topic(self, messages: Sequence[BaseMessage]) -> Analyte | None:
        for question in reversed(questions(messages)):
            if found := self.vocabulary.analytes_in(question):
                return found[0]
        return None

    def _suspect(self, messages: Sequence[BaseMessage]) -> str | None:
        drugs = [
            r["medicationCodeableConcept"]["text"].strip() for r in _resources(messages, "MedicationRequest")
        ]
        known = [(drug, self.vocabulary.ingredient(drug)) for drug in drugs]
        risky = [
            drug
            for drug, ingredient in known
            if ingredient and HIGH_ALERT & {*ingredient.classes, ingredient.id}
        ]
        return next(iter(risky + drugs), None)

    def _finding(self, messages: Sequence[BaseMessage]) -> str:
        newest = next(_resources(messages, "Observation"), None)
        result = "no result read" if newest is None else f"{newest['code']['text']} {_value(newest)}"
        return f"{self._suspect(messages) or 'no order read'}: {result}"

    def _answer(self, intent: Intent, messages: Sequence[BaseMessage]) -> str:
        newest = next(_resources(messages, "Observation"), None)
        suspect = self._suspect(messages)
        result = self._say(Phrase.NO_RESULT) if newest is None else self._latest(newest)
        match intent:
            case Intent.PATIENT:
                said = _told(messages) or self._say(Phrase.NOTHING)
                return self._say(Phrase.PATIENT, said=said)
            case Intent.LAB:
                return result
            case Intent.ORDERS:
                return self._say(Phrase.ORDER, drug=suspect) if suspect else self._say(Phrase.NO_ORDER)
            case Intent.TREND:
                return f"{result} {self._say(Phrase.ORDER, drug=suspect)}" if suspect else result
            case Intent.DECIDE:
                abnormal = newest is not None and "interpretation" in newest
                if suspect is None:
                    return f"{result} {self._say(Phrase.NO_ADVICE)}"
                advice = self._say(Phrase.HOLD if abnormal else Phrase.CONTINUE, drug=suspect)
                return f"{result} {advice}"
            case Intent.FLAG | Intent.ORDER:
                called = any(isinstance(m, ToolMessage) for m in since_question(messages))
                return self._say(Phrase.DONE if called else Phrase.CANNOT)

    def _say(self, phrase: Phrase, **fields: str) -> str:
        return say(phrase, self.language, **fields)

    def _latest(self, observation: dict[str, Any]) -> str:
        """State a result, by the name its test has in the language of the session."""
        label = observation["code"]["text"]
        known = self.vocabulary.analyte(label)
        test = label if known is None or self.language is Language.EN else known.names[self.language]
        time = _time(observation) or self._say(Phrase.NO_TIME)
        return self._say(Phrase.LATEST, test=test, value=_value(observation), time=time)


def _told(messages: Sequence[BaseMessage]) -> str:
    """Join what the patient said since the question."""
    results = (m.artifact for m in since_question(messages) if isinstance(m, ToolMessage))
    said = [result.said.text for result in results if isinstance(result, ToolResult) and result.said]
    return " ".join(said)


def _resources(messages: Sequence[BaseMessage], resource_type: str) -> Iterator[dict[str, Any]]:
    """Yield resources of the newest results first."""
    for message in reversed(messages):
        if isinstance(message, ToolMessage) and isinstance(message.artifact, ToolResult):
            for entry in message.artifact.resource.get("entry", []):
                if entry["resource"]["resourceType"] == resource_type:
                    yield entry["resource"]


def _value(observation: dict[str, Any]) -> str:
    quantity = observation.get("valueQuantity", {})
    unit = quantity.get("unit", "")
    said = "" if unit in NO_UNITS else unit
    return f"{quantity.get('value', observation.get('valueString'))} {said}".strip()


def _time(observation: dict[str, Any]) -> str | None:
    time = observation.get("effectiveDateTime")
    return None if time is None else str(time)[:16].replace("T", " ")

"""A doctor of simple rules: reads the question and the dialogue, calls tools, answers from their results.

It never sees gold. It is a floor to compare models with: right where a question says what it wants, lost where the
answer takes clinical judgement.
"""

import re
from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, ToolMessage
from pydantic import SkipValidation

from agents.offline.model import OfflineDoctor, questions, since_question, subject_id, tool_call
from tools.fhir.toolset import ToolResult, wire_name
from tools.vocabulary import Analyte, Vocabulary

HIGH_ALERT = frozenset({"anticoagulant", "insulin", "sulfonylurea", "potassium_supplement", "digoxin", "mra"})
"""Classes this doctor suspects first, whatever the question: a few of ISMP's high-alert medications and MRAs."""


class Intent(StrEnum):
    """What a question seems to want, by its words."""

    PATIENT = "patient"
    FLAG = "flag"
    ORDER = "order"
    DECIDE = "decide"
    TREND = "trend"
    ORDERS = "orders"
    LAB = "lab"


WORDS: tuple[tuple[Intent, re.Pattern[str]], ...] = tuple(
    (intent, re.compile(pattern, re.IGNORECASE))
    for intent, pattern in (
        (
            Intent.PATIENT,
            (
                r"\b(?:ask|talk to|speak with|go and see|hear from) the patient\b|\bthe patient's own account\b"
                r"|(?:去|先|还要)问问?患者|患者自己"
            ),
        ),
        (Intent.FLAG, r"\bflag\b"),
        (Intent.ORDER, r"\b(half|replaced|replacement of|corrected|replacement order)\b"),
        (Intent.TREND, r"\b(moved|trend|first and the latest|sudden|72 hours)\b"),
        (Intent.DECIDE, r"\b(recommend|recommendation|continue|continued|hold|change what we do)\b"),
        (Intent.ORDERS, r"\b(running|active)\b"),
    )
)


def intent_of(question: str) -> Intent:
    """Guess what a question wants; a laboratory result when nothing else is recognised."""
    return next((intent for intent, words in WORDS if words.search(question)), Intent.LAB)


ASKED: tuple[tuple[str, dict[str, str], re.Pattern[str]], ...] = tuple(
    (f"patient.get_{tool}", arguments, re.compile(pattern, re.IGNORECASE))
    for tool, arguments, pattern in (
        ("symptom_history", {"query": "all symptoms"}, r"\bbrought\b|\bhave had\b|不舒服|有没有"),
        ("medication_adherence", {"drug": "all medications"}, r"\btak(?:e|ing)\b|怎么用|在用"),
        ("social_history", {}, r"\blives? with\b|\bwork\b|\balcohol\b|一起住"),
        ("functional_status", {}, r"\bget about\b|\bcooking\b|\bpills\b|走路"),
        ("pain_assessment", {}, r"\bpain\b|疼"),
    )
)
"""What is asked of the patient at large, by the words of the question."""


class BaselineDoctor(OfflineDoctor):
    """Answer by keyword: the last test named in the dialogue, the active orders, and the flag on the result."""

    name: str = "offline/baseline"
    vocabulary: SkipValidation[Vocabulary]

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
        result = "no result read" if newest is None else _state(newest)
        return f"{self._suspect(messages) or 'no order read'}: {result}"

    def _answer(self, intent: Intent, messages: Sequence[BaseMessage]) -> str:
        newest = next(_resources(messages, "Observation"), None)
        suspect = self._suspect(messages)
        result = "I found no such result." if newest is None else f"The latest {_state(newest)}."
        match intent:
            case Intent.PATIENT:
                return f"The patient said: {_told(messages)}"
            case Intent.LAB:
                return result
            case Intent.ORDERS:
                return f"The active order is {suspect}." if suspect else "I found no active order."
            case Intent.TREND:
                return f"{result} The active order is {suspect}." if suspect else result
            case Intent.DECIDE:
                abnormal = newest is not None and "interpretation" in newest
                if suspect is None:
                    return f"{result} I found no active order to advise on."
                return f"{result} I recommend to {'hold' if abnormal else 'continue'} {suspect}."
            case Intent.FLAG | Intent.ORDER:
                return (
                    "Done."
                    if any(isinstance(m, ToolMessage) for m in since_question(messages))
                    else "I cannot."
                )


def _told(messages: Sequence[BaseMessage]) -> str:
    """Join what the patient said since the question."""
    results = (m.artifact for m in since_question(messages) if isinstance(m, ToolMessage))
    said = [result.said.text for result in results if isinstance(result, ToolResult) and result.said]
    return " ".join(said) or "nothing"


def _resources(messages: Sequence[BaseMessage], resource_type: str) -> Iterator[dict[str, Any]]:
    """Yield resources of the newest results first."""
    for message in reversed(messages):
        if isinstance(message, ToolMessage) and isinstance(message.artifact, ToolResult):
            for entry in message.artifact.resource.get("entry", []):
                if entry["resource"]["resourceType"] == resource_type:
                    yield entry["resource"]


def _state(observation: dict[str, Any]) -> str:
    quantity = observation.get("valueQuantity", {})
    value = f"{quantity.get('value', observation.get('valueString'))} {quantity.get('unit', '')}".strip()
    when = str(observation.get("effectiveDateTime", "at an unknown time"))[:16].replace("T", " ")
    return f"{observation['code']['text']} is {value}, drawn on {when}"

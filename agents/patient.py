"""The patient who speaks: by templates offline, or in the words of a model that a guard holds to the facts."""

import asyncio
from dataclasses import dataclass

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, SystemMessage

from agents.gateway import NO_TOOLS, Call, CallFailed, Gateway
from agents.journal import digest
from agents.models import COMPATIBLE, serve
from agents.prompts import prompt
from agents.wire import without_thought
from state.base import InputError, SessionId
from state.journal import Place, Role
from state.manifest import RunSettings
from state.models import Catalogue, ModelChoice, ServedModel
from state.outcome import Party
from state.patient import RefusedWords, Saying
from tools.interview.interview import Utterance

TEMPLATES = "offline/templates"
ATTEMPTS = 2
TEMPERATURE = 0.2
CUT_OFF = "it was cut off because it was too long"


@dataclass(frozen=True)
class ModelPatient:
    """The patient of one session, in one of the times it is run, who speaks through a served model.

    The model is shown what is to be said now, and no other fact. Words that do not pass the guard are refused and asked
    for once more; then the template speaks, and what was refused is recorded as the patient's failure. A model that
    gives no reply is the provider's. The same question gets the same words as long as there is the same to tell.
    """

    served: ServedModel
    gateway: Gateway
    session_id: SessionId
    epoch: int = 0

    async def __call__(self, utterance: Utterance) -> Saying:
        """Say an utterance."""
        messages = opening(utterance)
        about = digest([utterance.question, utterance.plain])
        refused: list[RefusedWords] = []
        for attempt in range(ATTEMPTS):
            place = Place(
                role=Role.PATIENT,
                session_id=self.session_id,
                turn=0,
                epoch=self.epoch,
                step=0,
                attempt=attempt,
                about=about,
            )
            try:
                reply = await self.gateway.ask(
                    Call(self.served, place, messages, NO_TOOLS, failure_stands=True)
                )
            except CallFailed as failed:
                refused.append(RefusedWords(who=Party.PROVIDER, reason=str(failed)))
                break
            text = without_thought(reply.text)
            faults = (
                [CUT_OFF]
                if reply.response_metadata.get("finish_reason") == "length"
                else await asyncio.to_thread(utterance.faults, text)
            )
            if not faults:
                return utterance.said(text, "model", refused)
            refused.append(RefusedWords(who=Party.PATIENT, reason="; ".join(faults)))
            again = prompt("patient", "again", utterance.language, faults="; ".join(faults))
            messages = [*messages, *([AIMessage(text)] if text else []), HumanMessage(again)]
        return utterance.said(utterance.plain, "template", refused)


def served_patient(settings: RunSettings, catalogue: Catalogue) -> ServedModel | None:
    """Work out how the model of ``--patient-model`` is called; None for the templates."""
    name = settings.patient_model
    if name.startswith("offline/"):
        if name != TEMPLATES:
            raise InputError(f"unknown patient {name!r}: {TEMPLATES}, or a model like provider/name")
        if settings.patient_base_url is not None:
            raise InputError(f"--patient-base-url goes with a model that is served, not with {name!r}")
        return None
    if name.startswith(f"{COMPATIBLE}/") and settings.patient_base_url is None:
        raise InputError(f"patient {name!r} needs --patient-base-url, the address of its endpoint")
    choice = ModelChoice(
        name=name,
        base_url=settings.patient_base_url,
        key_variable=settings.patient_key_variable,
        temperature=TEMPERATURE,
    )
    return serve(choice, catalogue)


def opening(utterance: Utterance) -> list[AnyMessage]:
    """Write what a model is sent to say an utterance."""
    persona = utterance.persona
    system = prompt(
        "patient",
        "system",
        utterance.language,
        literacy=persona.literacy.value,
        anxiety=persona.anxiety.value,
        self_diagnosis=persona.self_diagnosis.value,
    )
    question = prompt(
        "patient", "question", utterance.language, question=utterance.question, plain=utterance.plain
    )
    return [SystemMessage(system), HumanMessage(question)]

"""The patient who speaks: by templates offline, or in the words of a model that a guard holds to the facts."""

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage

from agents.prompts import prompt
from state.outcome import Party
from state.patient import RefusedWords, Saying
from tools.interview.interview import Speaker, Utterance, say_plainly

ATTEMPTS = 2


class ModelPatient:
    """Speak through a chat model. It is shown what is to be said now, and no other fact.

    Words that do not pass the guard are refused and asked for once more; then the template speaks, and what was refused
    is recorded as the patient's failure. A model that cannot be reached is the provider's.
    """

    def __init__(self, model: BaseChatModel) -> None:
        self._model = model

    def __call__(self, utterance: Utterance) -> Saying:
        """Say an utterance."""
        messages = _opening(utterance)
        refused: list[RefusedWords] = []
        for _ in range(ATTEMPTS):
            try:
                text = self._model.invoke(messages).text.strip()
            except Exception as failure:  # noqa: BLE001 - whatever a provider raises is the provider's failure
                error = f"{type(failure).__name__}: {failure}"
                refused.append(RefusedWords(who=Party.PROVIDER, reason=error))
                break
            faults = utterance.faults(text)
            if not faults:
                return Saying(text=text, facts=utterance.told, voice="model", refused=tuple(refused))
            refused.append(RefusedWords(who=Party.PATIENT, reason="; ".join(faults)))
            again = prompt("patient", "again", utterance.language, faults="; ".join(faults))
            messages += [*([AIMessage(text)] if text else []), HumanMessage(again)]
        return say_plainly(utterance).model_copy(update={"refused": tuple(refused)})


def patient_speaker(model: BaseChatModel | None) -> Speaker:
    """Give the voice of patients: the model's, or without one the templates'."""
    return say_plainly if model is None else ModelPatient(model)


def _opening(utterance: Utterance) -> list[BaseMessage]:
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

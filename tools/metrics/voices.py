"""Who spoke for the patients of a run, and what of it was not let through."""

from collections.abc import Iterable

from state.metrics import PatientVoice
from state.outcome import Party
from state.trajectory import SessionRecord


def patient_voice(model: str, records: Iterable[SessionRecord]) -> PatientVoice:
    """Count the answers of patients for whom ``model`` was to speak."""
    turns = [
        [call.said for step in turn.steps for call in step.calls if call.said is not None]
        for record in records
        for turn in record.turns
    ]
    said = [saying for turn in turns for saying in turn]
    refused = [words.who for saying in said for words in saying.refused]
    return PatientVoice(
        model=model,
        answers=len(said),
        in_its_words=sum(saying.voice == "model" for saying in said),
        by_template=sum(saying.voice == "template" for saying in said),
        turns=sum(any(saying.voice == "template" for saying in turn) for turn in turns),
        refused=refused.count(Party.PATIENT),
        failed=refused.count(Party.PROVIDER),
    )

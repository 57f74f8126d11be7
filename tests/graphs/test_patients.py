"""Patients of a benchmark: their file, what of it reaches a doctor, and what a run keeps of an interview."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from bad_openai import careful_patient, completion, serve
from langchain_core.messages import AIMessage, BaseMessage
from pydantic import Field
from wards import OpenWard, Run

from agents.conversation import run_calls
from agents.offline.model import OfflineDoctor, questions, since_question, tool_call
from graphs.benchmark import PATIENTS, Benchmark, read_benchmark, write_benchmark
from graphs.embedded import demo_benchmark
from graphs.ward import Ward
from state.base import InputError, SessionId
from state.patient import PatientFacts, Persona
from state.patient_values import Completeness, HomeUse, Reason
from state.session import Session
from state.trajectory import SessionRecord, TurnRecord
from tools.ehr.chart import Chart
from tools.fhir.context import Context
from tools.interview.derive import derive_patient_facts
from tools.interview.interview import interview_id

QUESTIONS = (
    ("patient_get_symptom_history", {"query": "all symptoms"}),
    ("patient_get_medication_adherence", {"drug": "all"}),
    ("patient_get_social_history", {}),
    ("patient_get_pain_assessment", {}),
)


class InterviewingDoctor(OfflineDoctor):
    """Ask the patient, one question a turn, and answer with what was said; keep every message that was sent."""

    name: str = "offline/interviewing"
    subject_id: int
    heard: list[BaseMessage] = Field(default_factory=list)

    def reply(self, messages: Sequence[BaseMessage]) -> AIMessage:
        self.heard.extend(messages)
        turn = len(questions(messages)) - 1
        results = since_question(messages)
        if not results:
            name, arguments = QUESTIONS[turn % len(QUESTIONS)]
            call = tool_call(name, {"subject_id": self.subject_id, **arguments}, len(messages))
            return AIMessage(content="", tool_calls=[call])
        return AIMessage(content=results[-1].text)


def patient_of(ward: Ward, session: Session, completeness: Completeness = Completeness.FULL) -> PatientFacts:
    chart = Chart(ward.warehouse, session.subject_id, session.as_of, session.hadm_id)
    context = Context(chart, ward.vocabulary, ward.dictionaries)
    return derive_patient_facts(context, session.session_id, 7, Persona(completeness=completeness))


def interviewed(ward: Ward, completeness: Completeness = Completeness.FULL) -> dict[str, InterviewingDoctor]:
    """Give every planned session a patient who knows something, and a doctor who asks."""
    patients = {session.session_id: patient_of(ward, session, completeness) for session in ward.planned}
    ward.benchmark = replace(ward.benchmark, patients=patients)
    doctors = {s.session_id: InterviewingDoctor(subject_id=s.subject_id) for s in ward.planned}
    ward.make_doctor = lambda gold: doctors[gold.session_id]
    return doctors


def refs_of(record: SessionRecord) -> list[str]:
    return [ref for turn in record.turns for step in turn.steps for call in step.calls for ref in call.refs]


def test_what_patients_know_survives_its_file(open_ward: OpenWard, tmp_path: Path) -> None:
    ward = open_ward("offline/empty", limit=2)
    patients = [patient_of(ward, session) for session in ward.planned]
    written = write(tmp_path, patients)
    assert [written.patients[session.session_id] for session in ward.planned] == patients
    assert patients[0].facts


def write(folder: Path, patients: Sequence[PatientFacts]) -> Benchmark:
    """Write the demo sessions with these patients in place of their own."""
    demo = demo_benchmark()
    others = {patient.session_id for patient in patients}
    kept = [patient for name, patient in demo.patients.items() if name not in others]
    write_benchmark(folder, demo.sessions, list(demo.gold.values()), (), demo.manifest, [*patients, *kept])
    return read_benchmark(folder)


def test_a_set_without_patients_has_no_file_of_them(open_ward: OpenWard, tmp_path: Path) -> None:
    ward = open_ward("offline/empty", limit=1)
    with_patient = write(tmp_path, [patient_of(ward, ward.planned[0])])
    demo = demo_benchmark()
    silent = [s for s in demo.sessions if not any(turn.source.asks_the_patient for turn in s.turns)]
    gold = [demo.gold[session.session_id] for session in silent]
    manifest = demo.manifest.model_copy(update={"sessions": len(silent)})
    write_benchmark(tmp_path, silent, gold, (), manifest, ())
    without = read_benchmark(tmp_path)
    assert not (tmp_path / PATIENTS).exists()
    assert without.patients == {}
    assert with_patient.fingerprint not in {without.fingerprint, demo.fingerprint}


@pytest.mark.parametrize("fault", ["twice", "other session", "other patient", "not json"])
def test_patients_that_do_not_belong_to_the_set_are_refused(
    open_ward: OpenWard, tmp_path: Path, fault: str
) -> None:
    ward = open_ward("offline/empty", limit=1)
    known = patient_of(ward, ward.planned[0])
    wrong = {
        "twice": [known, known],
        "other session": [known.model_copy(update={"session_id": SessionId("another")})],
        "other patient": [known.model_copy(update={"subject_id": 1})],
        "not json": [known],
    }
    if fault == "not json":
        write(tmp_path, [known])
        (tmp_path / PATIENTS).write_text("{}\n", "utf-8")
        with pytest.raises(InputError, match=r"patients\.jsonl line 1: session_id"):
            read_benchmark(tmp_path)
        return
    with pytest.raises(InputError, match="come twice, or are of no session of this set"):
        write(tmp_path, wrong[fault])


def test_an_interview_is_in_the_trajectory_as_evidence(open_ward: OpenWard, run: Run) -> None:
    ward = open_ward("offline/empty", limit=3)
    interviewed(ward)
    folder = run(ward)
    told: set[str] = set()
    for record in folder.records():
        known = ward.benchmark.patients[record.session_id]
        refs = {known.ref(fact.fact_id) for fact in known.facts}
        for call in (call for turn in record.turns for step in turn.steps for call in step.calls):
            assert call.ok
            assert call.said is not None
            assert set(call.refs) == {known.ref(fact_id) for fact_id in call.said.facts} <= refs
            told |= set(call.refs)
    assert any("#adherence-" in ref for ref in told)
    assert any("#pain-score" in ref for ref in told)


def test_a_doctor_hears_of_the_patient_only_what_the_patient_says(open_ward: OpenWard, run: Run) -> None:
    """No fact id, proof, persona or session id of patients.jsonl is in any message; nor is a fact kept back."""
    ward = open_ward("offline/empty", limit=4)
    doctors = interviewed(ward, Completeness.PARTIAL)
    told = {ref for record in run(ward).records() for ref in refs_of(record)}
    kept_back = 0
    for session_id, doctor in doctors.items():
        known = ward.benchmark.patients[session_id]
        sent = "\n".join(message.text for message in doctor.heard)
        assert "patient: " in sent
        for fact in known.facts:
            kept_back += fact.withheld
            assert not (fact.withheld and known.ref(fact.fact_id) in told)
            assert f"#{fact.fact_id}" not in sent
            assert all(ref not in sent for ref in fact.proof if not ref.startswith("Patient/"))
        for secret in (session_id, "withheld", "persona", "invented", "literacy"):
            assert secret not in sent
        assert interview_id(session_id) in sent
    assert kept_back


def test_the_words_of_a_live_patient_are_kept_and_not_spoken_twice(open_ward: OpenWard, run: Run) -> None:
    """A resumed or reported session repeats what the patient said without asking the model again."""
    with serve(lambda request: completion(careful_patient(request), "stop")) as server:
        speaks = {"patient_model": "openai-compatible/patient", "patient_base_url": server.url}
        ward = open_ward("offline/empty", limit=1, **speaks)
        interviewed(ward)
        (record,) = run(ward).records()
        asked = len(server.requests)
        assert asked == len(record.turns)
        toolset = ward.toolset(ward.planned[0])
        again = [result for turn in record.turns for step in run_calls(turn, toolset) for result in step]
        said = [call.said for turn in record.turns for step in turn.steps for call in step.calls]
        assert [result.said for result in again] == said
        assert all(one is not None and one.voice == "model" for one in said)
        assert len(server.requests) == asked


def test_a_resumed_turn_remembers_what_was_told(open_ward: OpenWard) -> None:
    ward = open_ward("offline/empty", limit=1)
    (session,) = ward.planned
    known = patient_of(ward, session, Completeness.FULL)
    drug = next(fact for fact in known.facts if fact.kind == "adherence")
    hidden = drug.model_copy(update={"home": HomeUse.MISSING_DOSES, "reason": Reason.COST, "withheld": True})
    facts = tuple(hidden if fact is drug else fact for fact in known.facts)
    ward.benchmark = replace(
        ward.benchmark, patients={session.session_id: known.model_copy(update={"facts": facts})}
    )

    async def ask() -> tuple[bool, bool]:
        async def tells(records: list[TurnRecord]) -> bool:
            live = await ward.admit(session.session_id, records)
            asked = {"subject_id": session.subject_id, "drug": "all"}
            return (
                known.ref(drug.fact_id) in live.toolset.call("patient.get_medication_adherence", asked).refs
            )

        return await tells([]), await tells(
            [asked_for(ward, session, drug.fact_id.removeprefix("adherence-"))]
        )

    assert asyncio.run(ask()) == (False, True)


def asked_for(ward: Ward, session: Session, drug: str) -> TurnRecord:
    """Record a turn in which the doctor asked for one drug by name."""
    name = ward.vocabulary.ingredient_by_id(drug)
    assert name is not None
    arguments = {"subject_id": session.subject_id, "drug": name.synonyms[0]}
    result = ward.toolset(session).call("patient.get_medication_adherence", arguments)
    call = {
        "call_id": "1",
        "name": "patient_get_medication_adherence",
        "arguments": arguments,
        "ran": True,
        "ok": True,
    }
    said = result.said.model_dump(mode="json") if result.said else None
    step = {"content": "", "calls": [call | {"refs": result.refs, "said": said}]}
    record = {
        "index": 0,
        "question": "?",
        "steps": [step],
        "answer": "x",
        "termination": "answered",
        "seconds": 0,
    }
    return TurnRecord.model_validate(record)


def test_sessions_run_side_by_side_keep_their_patients_apart(open_ward: OpenWard, run: Run) -> None:
    ward = open_ward("offline/empty")
    interviewed(ward)
    for record in run(ward).records():
        known = ward.benchmark.patients[record.session_id]
        refs = [
            ref for turn in record.turns for step in turn.steps for call in step.calls for ref in call.refs
        ]
        assert refs
        assert all(ref.startswith(f"Patient/{known.subject_id}#") for ref in refs)

"""A model speaks for the patients of a run: guarded, counted, journalled, and never the doctor's fault."""

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from bad_openai import Reply, Server, careful_patient, completion, fails, plain_of, says, serve
from kills import LATENCY, SESSIONS, Whole, check, kill_until, options, whole_run
from servers import Runner, counting_server
from wards import OpenWard

from agents.gateway import Gateway
from agents.patience import Patience
from graphs.close_run import close_run
from graphs.evaluate import make_manifest, unchanged
from graphs.replay import difference, walk
from graphs.run_folder import RunFolder
from graphs.run_sessions import run_sessions
from graphs.ward import Ward
from state.base import InputError, Language
from state.bill import Bill
from state.journal import Role
from state.metrics import PatientVoice
from state.outcome import Party, Scored
from state.patient import Saying

PATIENT = "openai-compatible/patient"
Script = Callable[[dict[str, Any]], Reply]


@dataclass(frozen=True)
class Spoken:
    """A run of gold, with a model that speaks for the patients."""

    ward: Ward
    folder: RunFolder
    server: Server

    @property
    def sayings(self) -> list[Saying]:
        turns = (turn for record in self.folder.records() for turn in record.turns)
        return [call.said for turn in turns for step in turn.steps for call in step.calls if call.said]

    @property
    def voice(self) -> PatientVoice:
        voice = close_run(self.ward, self.folder, make_manifest(self.ward)).patient
        assert voice is not None
        return voice


Speaking = Callable[..., Spoken]


@pytest.fixture
def speaking(open_ward: OpenWard, tmp_path: Path) -> Speaking:
    """Give a function that runs gold doctors, who ask what there is to ask, with a scripted patient."""

    def run_with(script: Script, **settings: Any) -> Spoken:
        with serve(script) as server:
            ward = open_ward("offline/gold", patient_model=PATIENT, patient_base_url=server.url, **settings)
            folder = RunFolder.create(tmp_path / "runs", make_manifest(ward))
            patience = Patience(tries=2, first_seconds=0.01)
            asyncio.run(run_sessions(ward, folder, 8, gateway=Gateway(folder.journal(), patience=patience)))
        return Spoken(ward, folder, server)

    return run_with


def careful(request: dict[str, Any]) -> Reply:
    return completion(careful_patient(request), "stop")


def beside(words: str) -> Script:
    return lambda request: says(f"{plain_of(request)} {words}")


def all_passed(spoken: Spoken) -> bool:
    outcomes = [turn.outcome for result in spoken.folder.results() for turn in result.turns]
    return all(isinstance(outcome, Scored) and outcome.score == 1.0 for outcome in outcomes)


def test_a_model_speaks_and_its_words_are_what_the_doctor_hears(speaking: Speaking) -> None:
    done = speaking(careful)
    assert all_passed(done)
    assert len(done.sayings) == len(done.server.requests) >= 20
    assert all(said.voice == "model" and not said.refused for said in done.sayings)
    assert all(said.text.endswith("Thank you, doctor.") for said in done.sayings)
    counted = len(done.sayings)
    assert done.voice == PatientVoice(
        model=PATIENT, answers=counted, in_its_words=counted, by_template=0, turns=0, refused=0, failed=0
    )


@pytest.mark.parametrize(
    ("script", "fault"),
    [
        (beside("My creatinine was 2.1."), "laboratory test: creatinine"),
        (beside("They say I have acute kidney failure."), "diagnosis"),
        (beside("And I stopped my amiodarone, it cost too much."), "another drug: amiodarone"),
        (beside("As your AI assistant, I advise you to hold it."), "not the voice of a patient"),
        (lambda _: says(""), "it says nothing"),
        (lambda _: says("我不知道。"), "not in the language"),
    ],
    ids=["lab value", "ICD title", "another drug", "no patient", "empty", "another language"],
)
def test_what_no_patient_says_is_refused_twice_and_the_turn_is_scored(
    speaking: Speaking, script: Script, fault: str
) -> None:
    done = speaking(script)
    assert all_passed(done)
    assert len(done.server.requests) == 2 * len(done.sayings)
    for said in done.sayings:
        assert said.voice == "template"
        assert [refused.who for refused in said.refused] == [Party.PATIENT] * 2
        assert all(fault in refused.reason for refused in said.refused), said.refused
    voice = done.voice
    assert (voice.in_its_words, voice.by_template, voice.refused) == (0, voice.answers, 2 * voice.answers)
    assert voice.turns == len({s.session_id for s in done.ward.planned if asks(done.ward, s.session_id)})


def asks(ward: Ward, session_id: str) -> bool:
    session = ward.benchmark.session(session_id)
    return any(turn.source.asks_the_patient for turn in session.turns)


def test_a_service_that_is_down_is_the_providers_failure_and_no_zero(speaking: Speaking) -> None:
    done = speaking(lambda _: fails(500))
    assert all_passed(done)
    for said in done.sayings:
        assert said.voice == "template"
        (refused,) = said.refused
        assert refused.who is Party.PROVIDER
        assert refused.reason.startswith("server_error: HTTP 500")
    assert done.voice.failed == done.voice.by_template == len(done.sayings)


def test_a_wrong_saying_mended_is_said_in_the_models_words(speaking: Speaking) -> None:
    def second(request: dict[str, Any]) -> Reply:
        return careful(request) if len(request["messages"]) > 2 else beside("My sodium was 130.")(request)

    done = speaking(second)
    assert all_passed(done)
    assert all(said.voice == "model" and len(said.refused) == 1 for said in done.sayings)
    assert done.voice.refused == done.voice.in_its_words == len(done.sayings)


def test_a_chinese_patient_speaks_chinese(speaking: Speaking) -> None:
    def careful_chinese(request: dict[str, Any]) -> Reply:
        return says(request["messages"][1]["content"].split("你要说的内容：")[1])

    done = speaking(careful_chinese, language=Language.ZH)
    assert all_passed(done)
    assert all(said.voice == "model" for said in done.sayings)


def test_every_call_is_journalled_and_billed_to_the_patient(speaking: Speaking) -> None:
    done = speaking(careful)
    gateway = Gateway(done.folder.journal())
    assert set(gateway.purse.bill().roles) == {Role.PATIENT.value}
    assert gateway.purse.bill().total.calls == len(done.server.requests)


@pytest.mark.parametrize("script", [careful, lambda _: fails(401), beside("My sodium was 130.")])
def test_a_replay_hears_the_same_without_a_call(speaking: Speaking, script: Script) -> None:
    done = speaking(script, limit=3)
    results = {result.session_id: result for result in done.folder.results()}
    records = {record.session_id: record for record in done.folder.records()}
    assert done.sayings
    for session in done.ward.planned:
        gateway = Gateway(done.folder.journal(), replay_only=True)
        told = asyncio.run(walk(done.ward, gateway, session))
        assert difference((results[session.session_id], records[session.session_id]), told) is None


def test_the_manifest_and_the_comparison_key_say_who_spoke(open_ward: OpenWard) -> None:
    templates = make_manifest(open_ward("offline/gold"))
    address = {"patient_base_url": "http://127.0.0.1:9/v1"}
    model = make_manifest(open_ward("offline/gold", patient_model=PATIENT, **address))
    another = make_manifest(open_ward("offline/gold", patient_model=f"{PATIENT}-2", **address))
    assert templates.measured["patient"] == "offline/templates"
    assert templates.patient_prompts == ""
    assert len({m.comparison_key for m in (templates, model, another)}) == 3
    assert model.patient_parameters == {"temperature": 0.2}
    assert model.prompts == templates.prompts
    with pytest.raises(InputError, match="patient_prompts changed"):
        unchanged(model, model.model_copy(update={"patient_prompts": "0" * 64}))


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"patient_model": "offline/actor"}, "unknown patient 'offline/actor': offline/templates"),
        ({"patient_model": PATIENT}, "needs --patient-base-url"),
        ({"patient_model": "nobody/x"}, "unknown model 'nobody/x'"),
        ({"patient_model": "deepseek/deepseek-chat"}, "wants a key: set DEEPSEEK_API_KEY"),
        ({"patient_base_url": "http://127.0.0.1:9/v1"}, "--patient-base-url goes with a model"),
    ],
)
def test_a_patient_that_cannot_be_asked_is_refused(
    open_ward: OpenWard, settings: dict[str, str], words: str
) -> None:
    with pytest.raises(InputError, match=words):
        open_ward("offline/gold", **settings)


@pytest.fixture(scope="module")
def runner(cohort_cache: Path, tmp_path_factory: pytest.TempPathFactory) -> Runner:
    return Runner(tmp_path_factory.mktemp("patients"), cohort_cache)


@pytest.fixture(scope="module")
def whole(runner: Runner, tmp_path_factory: pytest.TempPathFactory) -> Whole:
    return whole_run(runner, tmp_path_factory.mktemp("whole"), asking=True)


def test_the_command_counts_bills_and_shows_the_patients_voice(runner: Runner, whole: Whole) -> None:
    metrics = json.loads((whole.path / "metrics.json").read_text())["patient"]
    bill = Bill.model_validate_json((whole.path / "bill.json").read_text())
    expected = Bill.model_validate_json((whole.path / "estimate.json").read_text())
    said = f"patient: {PATIENT}, {metrics['in_its_words']} of {metrics['answers']} answers in its words"
    assert said in " ".join(runner.output().split())
    assert metrics["in_its_words"] == metrics["answers"] == 2 * 4 * SESSIONS
    assert bill.roles["patient"].calls == 2 * SESSIONS
    assert expected.roles["patient"].calls > 0
    page = (whole.path / "report.html").read_text()
    assert f"<dt>patient</dt><dd>{PATIENT}, {metrics['in_its_words']} of" in page


def test_the_same_question_in_another_turn_is_no_call(whole: Whole) -> None:
    """The doctor asks both questions in each of four turns, and each is paid for once."""
    records = [json.loads(line) for line in (whole.path / "trajectories.jsonl").read_text().splitlines()]
    for record in records:
        said = [
            (call["name"], call["said"]["text"])
            for turn in record["turns"]
            for step in turn["steps"]
            for call in step["calls"]
            if call["said"]
        ]
        assert len(said) == 8
        assert len(set(said)) == 2


def test_a_dry_run_expects_the_patients_calls_and_makes_none(runner: Runner, tmp_path: Path) -> None:
    with counting_server(tmp_path / "server") as server:
        before = len(runner.output()) if runner.log.exists() else 0
        asked = {"dry_run": True, **options(server, asking=True)}
        assert runner.run(output=tmp_path / "runs", **asked) == 0, runner.output()
        said = " ".join(runner.output()[before:].split())
        assert "patient: the questions gold asks" in said
        assert "│ patient │" in said
        assert server.served() == []


def test_a_run_is_killed_and_pays_for_no_answer_twice(runner: Runner, whole: Whole, tmp_path: Path) -> None:
    kill_until(4, runner, whole, tmp_path)


def test_two_workers_speak_for_the_patients_of_one_run(runner: Runner, whole: Whole, tmp_path: Path) -> None:
    with counting_server(tmp_path / "server", LATENCY) as server:
        asked = options(server, asking=True)
        assert runner.run(output=tmp_path / "runs", workers=2, **asked) == 0, runner.output()
        (run,) = (tmp_path / "runs").iterdir()
        check(run, server, whole, kills=0)


def test_other_doctors_can_hear_the_same_words(runner: Runner, whole: Whole, tmp_path: Path) -> None:
    """With --replies-from a run of another doctor is answered by the patients of the first."""
    with counting_server(tmp_path / "server") as server:
        url = json.loads((whole.path / "manifest.json").read_text())["settings"]["patient_base_url"]
        assert url != server.url
        asked = {**options(server, asking=True), "temperature": 0.7, "replies_from": whole.path}
        assert runner.run(output=tmp_path / "runs", **asked) == 0, runner.output()
        (run,) = (tmp_path / "runs").iterdir()
        bill = Bill.model_validate_json((run / "bill.json").read_text())
        assert set(bill.roles) == {"doctor"}

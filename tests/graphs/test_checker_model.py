"""Generation with a model that reads what checkers have accepted: it can only turn away, and is not paid twice."""

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from bad_openai import Reply, Script, Server, fails, says, serve
from typer.testing import CliRunner
from wards import OpenWorkshop

from agents.models import read_catalogue
from agents.models import serve as served_by
from agents.patience import Patience
from graphs.benchmark import GOLD, MANIFEST, PATIENTS, PLANS, SESSIONS, read_benchmark, read_lines
from graphs.generate import LOG, REPORT, app, generate
from graphs.generation_calls import CallPlan, GenerationStopped
from graphs.workshop import Workshop
from state.checking import Ruling, Stage
from state.generation import Attempt, GenerationReport
from state.models import ModelChoice
from state.session import Session

WANTED, SEED = 2, 7
NAME = "openai-compatible/reader"
READINGS = (Stage.CLINICAL_READING, Stage.WORDING_READING, Stage.BILINGUAL_READING)


@dataclass(frozen=True)
class Made:
    """A set that a scripted model has read."""

    out: Path
    server: Server

    @property
    def attempts(self) -> list[Attempt]:
        return read_lines(self.out / LOG, Attempt)

    @property
    def report(self) -> GenerationReport:
        return GenerationReport.model_validate_json((self.out / REPORT).read_text())

    @property
    def counts(self) -> dict[Stage, tuple[int, int, int, int]]:
        return {s.stage: (s.reached, s.passed, s.rejected, s.undecided) for s in self.report.stages}


Making = Callable[..., Made]


@pytest.fixture(scope="module")
def workshop(med_safety: OpenWorkshop) -> Workshop:
    return med_safety()


@pytest.fixture(scope="module")
def unread(workshop: Workshop, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a set that no model has read."""
    out = tmp_path_factory.mktemp("unread")
    generate(workshop, WANTED, out)
    return out


@pytest.fixture(scope="module")
def victim(unread: Path) -> tuple[str, tuple[str, ...]]:
    """Give a session of that set by its id, and all that it says."""
    benchmark = read_benchmark(unread)
    session = benchmark.sessions[0]
    asked = [w for turn in session.turns[1:] for w in turn.wording.values()]
    answers = [answer for turn in benchmark.gold[session.session_id].turns for answer in turn.answer.values()]
    return session.session_id, (*(text for w in asked for text in (w.implicit, w.explicit)), *answers)


@pytest.fixture(scope="module")
def in_full(unread: Path) -> dict[str, str]:
    """Map each question of that set as it is said to the question in full."""
    sessions = read_lines(unread / SESSIONS, Session)
    return {w.implicit: w.explicit for s in sessions for turn in s.turns for w in turn.wording.values()}


@pytest.fixture
def making(workshop: Workshop, tmp_path: Path) -> Making:
    """Give a function that makes a set which a scripted model reads."""

    def make(script: Script, out: Path | None = None, concurrency: int = 8) -> Made:
        out = out or tmp_path / "set"
        with serve(script) as server:
            choice = ModelChoice(name=NAME, base_url=server.url, temperature=0.0)
            plan = CallPlan(
                out,
                checker=served_by(choice, read_catalogue()),
                patience=Patience(tries=2, first_seconds=0.01),
            )
            found = tuple(workshop.matches)
            read = Workshop(workshop.warehouse, workshop.scenarios, SEED, found=found, calls=plan)
            made = Made(out, server)
            generate(read, WANTED, out, concurrency=concurrency)
        return made

    return make


def stage_of(request: dict[str, Any]) -> Stage:
    forms = {
        "Understood": Stage.WORDING_READING,
        "Parity": Stage.BILINGUAL_READING,
        "Agreement": Stage.CLINICAL_READING,
    }
    return next(stage for form, stage in forms.items() if form in request["messages"][0]["content"])


def last_question(request: dict[str, Any]) -> str:
    return str(request["messages"][1]["content"].split("THE LAST QUESTION]\n")[1].split("\n[")[0])


def first_question(request: dict[str, Any]) -> str:
    return str(request["messages"][1]["content"].split("question 1]\n")[1].split("\n[")[0])


def good(in_full: dict[str, str]) -> Script:
    """Find nothing wrong; a question it has not heard of is one that was worded again, and is its own reading."""

    def script(request: dict[str, Any]) -> Reply:
        match stage_of(request):
            case Stage.WORDING_READING:
                full = in_full.get(last_question(request), "")
                fields = {"readings": [full], "quote": first_question(request)}
            case Stage.BILINGUAL_READING:
                fields = {"reason": "", "en": "", "zh": "", "verdict": "same"}
            case _:
                fields = {"reason": "", "answer": "", "results": "", "verdict": "agrees"}
        return says(json.dumps(fields, ensure_ascii=False))

    return script


def but(usual: Script, stage: Stage, unusual: Script) -> Script:
    return lambda request: (unusual if stage_of(request) is stage else usual)(request)


def test_a_set_that_a_model_accepts_is_the_set_of_the_checkers(
    making: Making, in_full: dict[str, str], unread: Path
) -> None:
    made = making(good(in_full))
    for name in (SESSIONS, GOLD, PLANS, PATIENTS):
        assert (made.out / name).read_bytes() == (unread / name).read_bytes(), name
    manifest = json.loads((made.out / MANIFEST).read_text())
    assert (manifest["model"], manifest["checker"]) == ("offline/templates", NAME)
    assert manifest["checker_prompts"]
    assert manifest["checker_parameters"] == {"temperature": 0.0}
    for stage in READINGS:
        assert made.counts[stage] == (WANTED, WANTED, 0, 0)
    entries = [line for file in (made.out / "calls").iterdir() for line in file.read_text().splitlines()]
    roles = [json.loads(entry)["place"]["role"] for entry in entries]
    assert roles == ["checker"] * len(made.server.requests)


def test_a_set_that_no_model_reads_has_no_readings(unread: Path) -> None:
    report = GenerationReport.model_validate_json((unread / REPORT).read_text())
    assert not {count.stage for count in report.stages} & set(READINGS)
    assert json.loads((unread / MANIFEST).read_text())["checker"] == "offline/rules"
    assert not (unread / "calls").exists()


def test_a_session_that_is_turned_away_is_counted_and_another_takes_its_place(
    making: Making, in_full: dict[str, str], victim: tuple[str, tuple[str, ...]]
) -> None:
    """One answer is found to contradict its results, by a quotation of both."""
    session_id, said = victim

    def contradicts(request: dict[str, Any]) -> Reply:
        shown = str(request["messages"][1]["content"])
        answer = shown.split("THE ANSWER]\n")[1].split("\n[")[0]
        if answer not in said:
            return good(in_full)(request)
        result = max(shown.split("]\n")[1].split("\n[")[0].splitlines(), key=len)
        fields = {"reason": "no", "answer": answer, "results": result, "verdict": "contradicts"}
        return says(json.dumps(fields, ensure_ascii=False))

    made = making(but(good(in_full), Stage.CLINICAL_READING, contradicts))
    (rejected,) = [a for a in made.attempts if a.stage is Stage.CLINICAL_READING]
    assert rejected.ruling is Ruling.REJECT
    assert made.counts[Stage.CLINICAL_READING][2] == 1
    (count,) = [one for one in made.report.stages if one.stage is Stage.CLINICAL_READING]
    assert list(count.reasons.values()) == [1]
    ids = {session.session_id for session in read_benchmark(made.out).sessions}
    assert session_id not in ids
    assert len(ids) == WANTED


def test_a_question_with_two_readings_is_worded_again(making: Making, in_full: dict[str, str]) -> None:
    doubted = Counter[str]()

    def doubts(request: dict[str, Any]) -> Reply:
        question = last_question(request)
        if question in in_full and (not doubted or question in doubted):
            doubted[question] += 1
            fields = {"readings": ["This one?", "That one?"], "quote": first_question(request)}
            return says(json.dumps(fields))
        return good(in_full)(request)

    made = making(but(good(in_full), Stage.WORDING_READING, doubts))
    assert doubted
    assert max(a.rewordings for a in made.attempts) >= 1


@pytest.mark.parametrize("stage", READINGS)
def test_a_session_of_which_a_reader_cannot_decide_does_not_pass(
    making: Making, in_full: dict[str, str], victim: tuple[str, tuple[str, ...]], stage: Stage
) -> None:
    session_id, said = victim

    def mute(request: dict[str, Any]) -> Reply:
        shown = "\n".join(str(message["content"]) for message in request["messages"])
        of_victim = any(text in shown for text in said)
        return says("I would rather not say.") if of_victim else good(in_full)(request)

    made = making(but(good(in_full), stage, mute))
    undecided = [a for a in made.attempts if a.ruling is Ruling.CANNOT_DECIDE]
    assert {a.stage for a in undecided} == {stage}
    assert made.counts[stage][3] == len(undecided)
    assert not any(a.accepted for a in undecided)
    assert session_id not in {session.session_id for session in read_benchmark(made.out).sessions}


def test_a_reader_that_cannot_be_reached_stops_the_set_and_nothing_is_paid_twice(
    making: Making, in_full: dict[str, str], unread: Path, tmp_path: Path
) -> None:
    out, served = tmp_path / "stopped", Counter[str]()

    def counted(most: int) -> Script:
        def script(request: dict[str, Any]) -> Reply:
            if served.total() >= most:
                return fails(401)
            served[json.dumps(request["messages"])] += 1
            return good(in_full)(request)

        return script

    with pytest.raises(GenerationStopped, match="authentication"):
        making(counted(15), out)
    assert not (out / SESSIONS).exists()
    making(counted(10_000), out)
    assert (out / SESSIONS).read_bytes() == (unread / SESSIONS).read_bytes()
    assert max(served.values()) == 1


def test_one_or_many_at_a_time_are_read_to_the_same_bytes(
    making: Making, in_full: dict[str, str], tmp_path: Path
) -> None:
    one = making(good(in_full), tmp_path / "one", concurrency=1)
    many = making(good(in_full), tmp_path / "many", concurrency=16)
    for name in (SESSIONS, GOLD, PLANS, LOG, REPORT):
        assert (one.out / name).read_bytes() == (many.out / name).read_bytes(), name
    assert len(one.server.requests) == len(many.server.requests)


def test_the_command_reads_bills_and_refuses(
    synthetic_warehouse: Path, in_full: dict[str, str], tmp_path: Path
) -> None:
    command = ["--ehr", str(synthetic_warehouse), "--scenarios", "med_safety", "--n", str(WANTED)]
    command += ["--out", str(tmp_path / "set")]

    def run(*options: str) -> Any:
        return CliRunner(env={"COLUMNS": "200"}).invoke(app, [*command, *options])

    for options, words in (
        (["--checker-base-url", "http://127.0.0.1:9/v1"], "go with --checker-model"),
        (["--checker-model", "nobody/x"], "unknown model 'nobody/x'"),
        (["--checker-model", "offline/oracle"], "unknown model 'offline/oracle'"),
        (["--budget", "1"], "call no model"),
        (
            [
                "--checker-model",
                "openai-compatible/x",
                "--checker-base-url",
                "http://127.0.0.1:9/v1",
                "--workers",
                "2",
            ],
            "with a model give --concurrency",
        ),
        (["--checker-model", "deepseek/deepseek-chat"], "wants a key"),
    ):
        refused = run(*options)
        assert refused.exit_code == 2, refused.output
        assert words in refused.stderr
    with serve(good(in_full)) as server:
        done = run("--checker-model", NAME, "--checker-base-url", server.url)
    assert done.exit_code == 0, done.output
    assert "bilingual_reading" in done.output
    bill = [line for line in done.output.splitlines() if "checker" in line and "│" in line]
    assert str(len(server.requests)) in bill[-1].split("│")[2]

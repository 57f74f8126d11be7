"""A model words the physician's questions: what is refused, what is recorded, what is proved again, what never stops."""

import json
import re
import shutil
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from bad_openai import Reply, Script, Server, fails, says, serve
from langchain_core.messages import AIMessage
from typer.testing import CliRunner
from writers import by_turns, is_implicit, language_of, paraphrase, writer

from agents.gateway import Call
from agents.model_physician import ModelPhysician
from agents.patience import Patience
from graphs.benchmark import GOLD, MANIFEST, PATIENTS, PLANS, SESSIONS, WORDINGS, read_benchmark, read_lines
from graphs.generate import LOG, REPORT, app, generate
from graphs.generation_calls import CALLS, CallPlan, GenerationCalls, GenerationStopped
from graphs.verify import verify
from graphs.workshop import Workshop
from state.base import InputError, Language
from state.generation import GenerationReport
from state.gold import DoseItem, GoldSession, NameItem, TimeItem, ValueItem
from state.knowledge import RuleMatch
from state.session import Implicitness, Scenario
from state.wordings import Voice, WordedTurn
from tools.ehr.warehouse import Warehouse

SEED, WANTED = 7, 3
FILES = (SESSIONS, GOLD, PLANS, PATIENTS, MANIFEST, WORDINGS, LOG, REPORT)
AT_ONCE = Patience(tries=3, first_seconds=0.0, longest_seconds=0.0)
SHORTEST_SECRET = 6
"""Characters of a text of gold that can be told from chance."""
MODEL = ["--model", "openai-compatible/writer"]


@pytest.fixture(scope="module")
def matches(warehouse: Warehouse) -> tuple[RuleMatch, ...]:
    """Scan once for all tests."""
    return tuple(Workshop(warehouse, (Scenario.MED_SAFETY,), SEED).matches)


@pytest.fixture
def workshop(warehouse: Warehouse, matches: tuple[RuleMatch, ...]) -> Callable[..., Workshop]:
    """Give a function that opens a workshop whose questions a served model words into a folder."""

    def open_workshop(folder: Path, server: Server, **plan: Any) -> Workshop:
        return _workshop(warehouse, matches, folder, server, **plan)

    return open_workshop


def _workshop(
    warehouse: Warehouse, matches: Sequence[RuleMatch], folder: Path, server: Server, **plan: Any
) -> Workshop:
    served = served_by(server.url)
    calls = CallPlan(folder, served, **{"patience": AT_ONCE, **plan})
    return Workshop(warehouse, (Scenario.MED_SAFETY,), SEED, found=tuple(matches), calls=calls)


def served_by(url: str) -> Any:
    from agents.models import read_catalogue, serve as serve_model
    from state.models import ModelChoice

    return serve_model(ModelChoice(name="openai-compatible/writer", base_url=url), read_catalogue())


@pytest.fixture(scope="module")
def written(
    warehouse: Warehouse, matches: tuple[RuleMatch, ...], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Path, Server]]:
    """Make a set in the words of the paraphrasing model; its server is gone afterwards."""
    folder = tmp_path_factory.mktemp("written") / "set"
    with serve(writer) as server:
        generate(_workshop(warehouse, matches, folder, server), WANTED, folder)
    return folder, server


@pytest.fixture
def copy(written: tuple[Path, Server], tmp_path: Path) -> Path:
    """Give a copy of the set that a test may spoil."""
    return Path(shutil.copytree(written[0], tmp_path / "copy"))


def notes_of(folder: Path) -> list[WordedTurn]:
    return read_lines(folder / WORDINGS, WordedTurn)


def bodies(server: Server) -> list[str]:
    return [json.dumps(request, sort_keys=True) for request in server.requests]


def test_a_set_is_worded_and_says_by_whom(written: tuple[Path, Server]) -> None:
    folder, server = written
    benchmark = read_benchmark(folder)
    assert benchmark.manifest.model == "openai-compatible/writer"
    assert benchmark.manifest.prompts
    assert benchmark.manifest.parameters == {"temperature": 0.7} or benchmark.manifest.parameters == {}
    notes = notes_of(folder)
    assert len(notes) == sum(len(session.turns) for session in benchmark.sessions) * len(Language)
    for language in Language:
        voices = [note.voice for note in notes if note.language is language]
        assert voices.count(Voice.MODEL) >= len(voices) / 3, (language, voices)
    said = {reply_of(request) for request in server.requests}
    for note in notes:
        wording = benchmark.session(note.session_id).turns[note.turn].wording[note.language]
        assert (wording.explicit in said) is (note.voice is Voice.MODEL), wording
    counted = GenerationReport.model_validate_json((folder / REPORT).read_text()).wording
    assert counted is not None
    assert counted.model == sum(note.voice is Voice.MODEL for note in notes)
    assert counted.refused == sum(len(note.refused) for note in notes) == sum(1 for n in notes for _ in n.refused)


def reply_of(request: dict[str, Any]) -> str:
    return paraphrase(request)


def test_the_set_is_proved_again_without_a_call(written: tuple[Path, Server], warehouse: Warehouse) -> None:
    assert verify(written[0], warehouse) == []


def test_the_same_replies_give_the_same_bytes(
    written: tuple[Path, Server], workshop: Callable[..., Workshop], tmp_path: Path
) -> None:
    with serve(writer) as server:
        generate(workshop(tmp_path / "set", server), WANTED, tmp_path / "set")
    for name in FILES:
        assert (tmp_path / "set" / name).read_bytes() == (written[0] / name).read_bytes(), name
    assert sorted(bodies(server)) == sorted(bodies(written[1]))


def test_two_processes_give_the_same_bytes(
    written: tuple[Path, Server], workshop: Callable[..., Workshop], tmp_path: Path
) -> None:
    with serve(writer) as server:
        generate(workshop(tmp_path / "set", server), WANTED, tmp_path / "set", workers=2)
    for name in FILES:
        assert (tmp_path / "set" / name).read_bytes() == (written[0] / name).read_bytes(), name
    assert sorted(bodies(server)) == sorted(bodies(written[1]))
    assert len(list((tmp_path / "set" / CALLS).glob("*.jsonl"))) <= 2


def secrets_of(gold: GoldSession) -> set[str]:
    """Collect what a session's questions are to find out: sentences, figures, moments, names, doses."""
    texts = {text for turn in gold.turns for text in turn.answer.values()}
    texts |= {text for turn in gold.turns for item in turn.rubric for text in item.text.values()}
    for turn in gold.turns:
        for item in turn.rubric:
            match item:
                case ValueItem():
                    texts.add(f"{item.value:g} ")
                case TimeItem():
                    texts |= {f"{item.time:%Y-%m-%d}", f"{item.time:%H:%M}"}
                case NameItem():
                    texts |= {name for name in item.names if len(name) >= SHORTEST_SECRET}
                case DoseItem():
                    texts |= set(item.doses)
    return texts


def test_nothing_of_gold_reaches_a_prompt(written: tuple[Path, Server], warehouse: Warehouse) -> None:
    """Walk every prompt of the set: what a prompt has of gold, the template of its turn says too."""
    from agents.checks.case import Case
    from agents.dialogue import reading_faults
    from agents.physician import say_plan
    from graphs.verify import workshop_of
    from state.plan import SessionPlan

    benchmark = read_benchmark(written[0])
    workshop = workshop_of(benchmark, warehouse, written[0])
    heard: dict[str, list[str]] = defaultdict(list)

    def ask(call: Call) -> AIMessage:
        heard[call.place.session_id] += [message.text for message in call.messages]
        texts = [{"role": m.type, "content": m.text} for m in call.messages]
        return AIMessage(paraphrase({"messages": texts}))

    for plan in read_lines(written[0] / PLANS, SessionPlan):
        patient, gold = benchmark.patients.get(plan.session_id), benchmark.gold[plan.session_id]
        source = workshop.source(plan.match, patient)
        case = Case(source, plan, (), None, gold, patient, workshop.titles, reading_faults)
        ModelPhysician(served_by("http://127.0.0.1:1/v1"), ask).word(case, tuple(Language))
        templates = say_plan(plan, source, tuple(Language))
        asked = " ".join(
            f"{one.wording.explicit} {one.wording.implicit}" for said in templates for one in said.values()
        )
        prompts = "\n".join(heard[plan.session_id])
        assert len(heard[plan.session_id]) > 20
        secrets = {secret for secret in secrets_of(gold) if secret.casefold() not in asked.casefold()}
        assert len(secrets) > 15
        for secret in secrets:
            pattern = rf"(?<![\d.]){re.escape(secret.strip())}(?![\d.])"
            assert not re.search(pattern, prompts, re.IGNORECASE), (plan.session_id, secret)


def first_session(notes: list[WordedTurn]) -> str:
    return notes[0].session_id


def test_a_leak_is_refused_and_not_repeated_to_the_model(
    workshop: Callable[..., Workshop], tmp_path: Path
) -> None:
    """The figure the model made up is neither shown to it again nor named among the reasons."""

    def leaking(request: dict[str, Any]) -> Reply:
        told = " It was 93.7 then." if language_of(request) == "en" else "当时是93.7。"
        return says(paraphrase(request) + told)

    with serve(by_turns(leaking, writer)) as server:
        generate(workshop(tmp_path, server), 1, tmp_path)
    notes = notes_of(tmp_path)
    assert all("93.7" in note.refused[0].text for note in notes)
    assert all(any("states the value 93.7" in why for why in note.refused[0].reasons) for note in notes)
    assert any(note.voice is Voice.MODEL for note in notes)
    assert not any("93.7" in json.dumps(request) for request in server.requests)
    assert "93.7" not in (tmp_path / SESSIONS).read_text()


def spoiled(spoil: Callable[[str, str], str]) -> Script:
    """Word the first turn well and spoil every form in the dialogue."""

    def script(request: dict[str, Any]) -> Reply:
        text = paraphrase(request)
        return says(spoil(text, language_of(request)) if is_implicit(request) else text)

    return script


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (lambda text, at: "Beside the creatinine and the sodium, has it moved?" if at == "en" else "看肌酐和血钠，它呢？", "could be"),
        (lambda text, at: text + (" And ferritin?" if at == "en" else "还有铁蛋白呢？"), "which is not asked about"),
        (lambda text, at: text + (" It is dangerously high." if at == "en" else "它明显偏高。"), "which is not asked: "),
        (lambda text, at: "What about it?" if at == "en" else "它呢？", "does not ask for this"),
        (lambda text, at: f"**{text}**", "without markup"),
        (lambda text, at: "那它呢？" if at == "en" else "And that?", "is not in its language"),
    ],
    ids=["ambiguous", "another subject", "a verdict", "asks for less", "markup", "the other language"],
)
def test_spoiled_words_give_way_to_the_template(
    workshop: Callable[..., Workshop], warehouse: Warehouse, tmp_path: Path, spoil: Any, reason: str
) -> None:
    with serve(spoiled(spoil)) as server:
        generate(workshop(tmp_path, server), 1, tmp_path)
    for note in notes_of(tmp_path):
        if note.turn > 0:
            assert note.voice is Voice.TEMPLATE
            assert [words.form for words in note.refused][-3:] == ["implicit"] * 3 or note.refused[-1].form == "explicit"
    reasons = [why for n in notes_of(tmp_path) for words in n.refused if words.form == "implicit" for why in words.reasons]
    assert any(reason in why for why in reasons), reasons
    assert verify(tmp_path, warehouse) == []


@pytest.mark.parametrize(
    ("reply", "reason"),
    [(says(""), "it was empty"), (says("What is the", "length"), "it was cut off")],
    ids=["empty", "truncated"],
)
def test_a_model_that_words_nothing_gives_no_set(
    workshop: Callable[..., Workshop], tmp_path: Path, reply: Reply, reason: str
) -> None:
    with serve(lambda _: reply) as server, pytest.raises(InputError, match="a set of templates under its name"):
        generate(workshop(tmp_path, server), 1, tmp_path)
    assert not (tmp_path / SESSIONS).exists()
    counted = GenerationReport.model_validate_json((tmp_path / REPORT).read_text()).wording
    assert counted is not None
    assert list(counted.reasons) == [f"explicit: {reason}"]


def test_a_filtered_prompt_is_the_template_s_and_ends_nothing(
    workshop: Callable[..., Workshop], tmp_path: Path
) -> None:
    refused = fails(400, message="stopped", code="content_filter")
    with serve(lambda r: refused if is_implicit(r) else writer(r)) as server:
        generate(workshop(tmp_path, server), 1, tmp_path)
    notes = [note for note in notes_of(tmp_path) if note.turn > 0]
    assert all(note.voice is Voice.TEMPLATE for note in notes)
    assert any("content_filter" in note.refused[-1].reasons[0] for note in notes)


def faulty_first(count: int, reply: Reply) -> Script:
    """Fail so many requests, then write."""
    left = [count]

    def script(request: dict[str, Any]) -> Reply:
        left[0] -= 1
        return reply if left[0] >= 0 else writer(request)

    return script


@pytest.mark.parametrize("status", [429, 500])
def test_passing_faults_of_a_provider_are_got_over(
    written: tuple[Path, Server], workshop: Callable[..., Workshop], tmp_path: Path, status: int
) -> None:
    with serve(faulty_first(2, fails(status))) as server:
        generate(workshop(tmp_path, server), WANTED, tmp_path, concurrency=1)
    assert (tmp_path / SESSIONS).read_bytes() == (written[0] / SESSIONS).read_bytes()
    assert len(server.requests) == len(written[1].requests) + 2


@pytest.mark.parametrize("reply", [fails(500), fails(401, message="no such key"), fails(402)], ids=["500", "401", "402"])
def test_a_provider_that_fails_for_good_stops_the_set_and_it_goes_on(
    written: tuple[Path, Server], workshop: Callable[..., Workshop], tmp_path: Path, reply: Reply
) -> None:
    """After some good replies every call fails; later the same command pays for what is missing alone."""
    seen: list[dict[str, Any]] = []

    def failing(request: dict[str, Any]) -> Reply:
        seen.append(request)
        return writer(request) if len(seen) <= 9 else reply

    with serve(failing) as server, pytest.raises(GenerationStopped, match="openai-compatible/writer failed"):
        generate(workshop(tmp_path, server), WANTED, tmp_path)
    assert not (tmp_path / SESSIONS).exists()
    paid = set(bodies(server)[:9])
    with serve(writer) as server:
        generate(workshop(tmp_path, server), WANTED, tmp_path)
    assert not paid & set(bodies(server))
    assert len(server.requests) == len(written[1].requests) - 9
    for name in FILES:
        assert (tmp_path / name).read_bytes() == (written[0] / name).read_bytes(), name


def test_a_limit_stops_the_set_and_more_goes_on(
    written: tuple[Path, Server], workshop: Callable[..., Workshop], tmp_path: Path
) -> None:
    from agents.purse import RunLimits

    with serve(writer) as server:
        with pytest.raises(GenerationStopped, match="limit of 5 calls"):
            generate(workshop(tmp_path, server, limits=RunLimits(calls=5)), WANTED, tmp_path, concurrency=1)
        assert len(server.requests) == 5
        generate(workshop(tmp_path, server), WANTED, tmp_path)
    assert sorted(bodies(server)) == sorted(bodies(written[1]))
    assert (tmp_path / SESSIONS).read_bytes() == (written[0] / SESSIONS).read_bytes()


def command(ehr: Path, out: Path, *more: str) -> list[str]:
    return ["--ehr", str(ehr), "--out", str(out), "--scenarios", "med_safety", "--n", "1", *more]


def test_a_refused_key_ends_the_command_with_3_and_a_sentence(
    synthetic_warehouse: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_KEY", "wrong")
    with serve(lambda _: fails(401, message="no such key")) as server:
        asked = command(synthetic_warehouse, tmp_path / "set", *MODEL, "--base-url", server.url, "--key-variable", "MY_KEY")
        result = CliRunner().invoke(app, asked)
    assert result.exit_code == 3, result.output
    assert "authentication" in result.output
    assert "the same command goes on" in result.output
    assert server.keys[0] == "Bearer wrong"
    assert not (tmp_path / "set" / SESSIONS).exists()


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--model", "deepseek/deepseek-chat"], "wants a key"),
        (["--model", "openai-compatible/x"], "needs --base-url"),
        (["--model", "nobody/x"], "unknown model"),
        (["--model", "offline/nothing"], "unknown model"),
        (["--base-url", "http://127.0.0.1:1/v1"], "call no model"),
        (["--budget", "1"], "call no model"),
        ([*MODEL, "--base-url", "http://127.0.0.1:1/v1", "--budget", "1"], "the price of"),
    ],
)
def test_what_cannot_be_called_is_bad_input(
    synthetic_warehouse: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: list[str], sentence: str
) -> None:
    monkeypatch.delenv("DEEPSEEK_API_KEY", raising=False)
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(app, command(synthetic_warehouse, tmp_path / "set", *options))
    assert result.exit_code == 2, result.output
    (line,) = result.stderr.strip().splitlines()
    assert sentence in line
    assert not (tmp_path / "set").exists()


def tampered(path: Path, old: str, new: str) -> None:
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")


def own_words(folder: Path) -> str:
    """Give an implicit question in the model's words."""
    benchmark = read_benchmark(folder)
    note = next(n for n in notes_of(folder) if n.voice is Voice.MODEL and n.turn > 0 and n.language is Language.EN)
    return benchmark.session(note.session_id).turns[note.turn].wording[Language.EN].implicit


def test_words_that_ask_something_else_are_found_on_file(copy: Path, warehouse: Warehouse) -> None:
    words = own_words(copy)
    tampered(copy / SESSIONS, json.dumps(words)[1:-1], json.dumps(f"{words} And the ferritin?")[1:-1])
    assert any('names "ferritin"' in fault for fault in verify(copy, warehouse))


def test_a_template_that_is_passed_off_is_found_on_file(copy: Path, warehouse: Warehouse) -> None:
    tampered(copy / WORDINGS, '"voice":"model"', '"voice":"template"')
    assert any("is said to be a template's, and is not" in fault for fault in verify(copy, warehouse))


def test_a_turn_nobody_is_said_to_have_worded_is_found_on_file(copy: Path, warehouse: Warehouse) -> None:
    lines = (copy / WORDINGS).read_text().splitlines(keepends=True)
    (copy / WORDINGS).write_text("".join(lines[1:]))
    assert any("who worded it" in fault for fault in verify(copy, warehouse))
    (copy / WORDINGS).unlink()
    with pytest.raises(InputError, match="does not exist"):
        verify(copy, warehouse)


def test_turn_0_leaves_nothing_unsaid(written: tuple[Path, Server]) -> None:
    for session in read_benchmark(written[0]).sessions:
        assert session.turns[0].implicitness is Implicitness.EXPLICIT
        for wording in session.turns[0].wording.values():
            assert wording.explicit == wording.implicit


def test_asking_after_the_end_is_refused_once(tmp_path: Path) -> None:
    """A stop holds for every thread: nobody asks a provider that has failed for good again."""
    from agents.judge_reply import NO_TOOLS
    from langchain_core.messages import HumanMessage
    from state.journal import Place, Role

    with serve(lambda _: fails(401)) as server:
        served = served_by(server.url)
        call = Call(served, Place(role=Role.PHYSICIAN, session_id="s", turn=0, step=0), [HumanMessage("?")], NO_TOOLS)
        with GenerationCalls(CallPlan(tmp_path, served)) as calls:
            for _ in range(3):
                with pytest.raises(GenerationStopped):
                    calls.ask(call)
    assert len(server.requests) == 1

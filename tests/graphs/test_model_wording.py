"""A model words the physician's questions: what is refused and recorded, what is proved again, what no prompt holds."""

import json
import re
import shutil
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from bad_openai import Reply, Script, Server, fails, says, serve
from langchain_core.messages import AIMessage
from typer.testing import CliRunner
from worded import NAME, WANTED, notes_of, served_by
from writers import by_turns, is_implicit, language_of, paraphrase, writer

from agents.checks.case import Case
from agents.dialogue import reading_faults
from agents.gateway import Call
from agents.model_physician import ModelPhysician
from agents.physician import say_plan
from graphs.benchmark import PLANS, SESSIONS, WORDINGS, read_benchmark, read_lines
from graphs.evaluate import app as evaluate_app
from graphs.generate import REPORT, generate
from graphs.review_import import import_review
from graphs.review_rows import row_of
from graphs.review_workbook import write_workbook
from graphs.verify import verify, workshop_of
from graphs.workshop import Workshop
from state.base import InputError, Language
from state.generation import GenerationReport
from state.gold import DoseItem, GoldSession, NameItem, TimeItem, ValueItem
from state.manifest import RunManifest
from state.plan import SessionPlan
from state.session import Implicitness
from state.wordings import Voice
from tools.ehr.warehouse import Warehouse

SHORTEST_SECRET = 6
"""Characters of a text of gold that can be told from chance."""
CHATTER = "Take your time; I am at the bedside until noon, and the family has asked to talk with both of us afterwards."
"""What people add, and a model may not: it makes a question much longer than it need be."""
Open = Callable[..., Workshop]
Set = tuple[Path, Server]


@pytest.fixture
def copy(written: Set, tmp_path: Path) -> Path:
    """Give a copy of the set that a test may spoil."""
    return Path(shutil.copytree(written[0], tmp_path / "copy"))


def test_a_set_is_worded_and_says_by_whom(written: Set) -> None:
    folder, server = written
    benchmark, notes = read_benchmark(folder), notes_of(folder)
    assert benchmark.manifest.model == NAME
    assert benchmark.manifest.prompts
    assert benchmark.manifest.parameters == {"temperature": 0.7}
    assert len(notes) == sum(len(session.turns) for session in benchmark.sessions) * len(Language)
    said = {paraphrase(request) for request in server.requests}
    for language in Language:
        voices = [note.voice for note in notes if note.language is language]
        assert voices.count(Voice.MODEL) >= len(voices) / 3, (language, voices)
    for note in notes:
        turn = benchmark.session(note.session_id).turns[note.turn]
        if note.voice is Voice.MODEL:
            assert {turn.wording[note.language].explicit, turn.wording[note.language].implicit} <= said
        if turn.implicitness is Implicitness.EXPLICIT:
            assert turn.wording[note.language].explicit == turn.wording[note.language].implicit
    counted = GenerationReport.model_validate_json((folder / REPORT).read_text()).wording
    assert counted is not None
    assert counted.model == sum(note.voice is Voice.MODEL for note in notes)
    assert counted.template == len(notes) - counted.model
    assert counted.refused == sum(len(note.refused) for note in notes)


def test_the_set_is_proved_again_without_a_call(written: Set, warehouse: Warehouse) -> None:
    assert verify(written[0], warehouse) == []


def secrets_of(gold: GoldSession) -> set[str]:
    """Collect what a session's questions are to find out: sentences, figures, moments, names, doses."""
    texts = {text for turn in gold.turns for text in turn.answer.values()}
    texts |= {text for turn in gold.turns for item in turn.rubric for text in item.text.values()}
    for item in (item for turn in gold.turns for item in turn.rubric):
        match item:
            case ValueItem():
                texts.add(f"{item.value:g}")
            case TimeItem():
                texts |= {f"{item.time:%Y-%m-%d}", f"{item.time:%H:%M}"}
            case NameItem():
                texts |= {name for name in item.names if len(name) >= SHORTEST_SECRET}
            case DoseItem():
                texts |= set(item.doses)
    return texts


def test_nothing_of_gold_reaches_a_prompt(written: Set, warehouse: Warehouse) -> None:
    """Walk every prompt of the set: what a prompt has of gold, the template of its turn says too."""
    folder, benchmark = written[0], read_benchmark(written[0])
    workshop = workshop_of(benchmark, warehouse, folder)
    heard: dict[str, list[str]] = defaultdict(list)

    def ask(call: Call) -> AIMessage:
        heard[call.place.session_id] += [message.text for message in call.messages]
        return AIMessage(paraphrase({"messages": [{"content": message.text} for message in call.messages]}))

    for plan in read_lines(folder / PLANS, SessionPlan):
        patient, gold = benchmark.patients.get(plan.session_id), benchmark.gold[plan.session_id]
        source = workshop.source(plan.match, patient)
        case = Case(source, plan, (), None, gold, patient, workshop.titles, reading_faults)
        ModelPhysician(served_by("http://127.0.0.1:1/v1"), ask).word(case, tuple(Language))
        said = [one.wording for turn in say_plan(plan, source, tuple(Language)) for one in turn.values()]
        asked = " ".join(f"{wording.explicit} {wording.implicit}" for wording in said).casefold()
        prompts = "\n".join(heard[plan.session_id])
        secrets = {secret for secret in secrets_of(gold) if secret.casefold() not in asked}
        assert len(heard[plan.session_id]) > 20
        assert len(secrets) > 15
        for secret in secrets:
            pattern = rf"(?<![\d.]){re.escape(secret)}(?![\d.]*\d)"
            assert not re.search(pattern, prompts, re.IGNORECASE), (plan.session_id, secret)


def test_a_leak_is_refused_and_not_repeated_to_the_model(worded: Open, tmp_path: Path) -> None:
    """The figure the model made up is neither shown to it again nor named among the reasons."""

    def leaking(request: dict[str, Any]) -> Reply:
        told = " It was 93.7 then." if language_of(request) == "en" else "当时是93.7。"
        return says(paraphrase(request) + told)

    with serve(by_turns(leaking, writer)) as server:
        generate(worded(tmp_path, server), 1, tmp_path)
    notes = notes_of(tmp_path)
    assert all("93.7" in note.refused[0].text for note in notes)
    assert all(any("states the value 93.7" in why for why in note.refused[0].reasons) for note in notes)
    assert any(note.voice is Voice.MODEL for note in notes)
    assert not any("93.7" in json.dumps(request) for request in server.requests)
    assert "93.7" not in (tmp_path / SESSIONS).read_text()


def spoiled(add: dict[str, str], *, whole: bool) -> Script:
    """Word full forms well and spoil every form in the dialogue: put ``add`` in its place, or behind it."""

    def script(request: dict[str, Any]) -> Reply:
        text, added = paraphrase(request), add[language_of(request)]
        return says(text if not is_implicit(request) else added if whole else text + added)

    return script


@pytest.mark.parametrize(
    ("en", "zh", "whole", "reason"),
    [
        ("Beside the creatinine and the sodium, has it moved?", "看肌酐和血钠，它呢？", True, "could be"),
        (" And ferritin?", "还有铁蛋白呢？", False, "which is not asked about"),
        (" It is dangerously high.", "它明显偏高。", False, "which is not asked: "),
        ("What about it?", "它呢？", True, "does not ask for this"),
        ("\n- as above", "\n- 同上", False, "without markup"),
        ("那它呢？", "And that?", True, "is not in its language"),
    ],
    ids=["ambiguous", "another subject", "a verdict", "asks for less", "markup", "the other language"],
)
def test_spoiled_words_give_way_to_the_template(
    worded: Open, warehouse: Warehouse, tmp_path: Path, en: str, zh: str, whole: bool, reason: str
) -> None:
    with serve(spoiled({"en": en, "zh": zh}, whole=whole)) as server:
        generate(worded(tmp_path, server), 1, tmp_path)
    later = [note for note in notes_of(tmp_path) if note.turn > 0]
    assert all(note.voice is Voice.TEMPLATE for note in later)
    refused = [words for note in later for words in note.refused if words.form == "implicit"]
    assert refused
    assert any(reason in why for words in refused for why in words.reasons), refused
    assert verify(tmp_path, warehouse) == []


@pytest.mark.parametrize(
    ("reply", "reason"),
    [(says(""), "it was empty"), (says("What is the", "length"), "it was cut off")],
    ids=["empty", "truncated"],
)
def test_a_model_that_words_nothing_gives_no_set(
    worded: Open, tmp_path: Path, reply: Reply, reason: str
) -> None:
    with (
        serve(lambda _: reply) as server,
        pytest.raises(InputError, match="a set of templates under its name"),
    ):
        generate(worded(tmp_path, server), 1, tmp_path)
    assert not (tmp_path / SESSIONS).exists()
    counted = GenerationReport.model_validate_json((tmp_path / REPORT).read_text()).wording
    assert counted is not None
    assert list(counted.reasons) == [f"explicit: {reason}"]


def test_a_filtered_prompt_is_the_template_s_and_ends_nothing(worded: Open, tmp_path: Path) -> None:
    refused = fails(400, message="stopped", code="content_filter")
    with serve(lambda request: refused if is_implicit(request) else writer(request)) as server:
        generate(worded(tmp_path, server), 1, tmp_path)
    notes = [note for note in notes_of(tmp_path) if note.turn > 0]
    assert all(note.voice is Voice.TEMPLATE for note in notes)
    assert any("content_filter" in note.refused[-1].reasons[0] for note in notes)


def tampered(path: Path, old: str, new: str) -> None:
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")


def own_words(folder: Path) -> tuple[str, int, str]:
    """Give an implicit question in the model's words, with its session and turn."""
    for note in notes_of(folder):
        if note.voice is Voice.MODEL and note.turn > 0 and note.language is Language.EN:
            turn = read_benchmark(folder).session(note.session_id).turns[note.turn]
            return note.session_id, note.turn, turn.wording[Language.EN].implicit
    raise AssertionError("the model worded nothing")


def test_words_that_ask_something_else_are_found_on_file(copy: Path, warehouse: Warehouse) -> None:
    _, _, words = own_words(copy)
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


def test_a_reviewer_may_put_a_question_as_people_do(copy: Path, warehouse: Warehouse, tmp_path: Path) -> None:
    """What a person wrote is held to the checkers of every session, not to the template of its turn."""
    benchmark = read_benchmark(copy)
    name, index, words = own_words(copy)
    rows = []
    for session in benchmark.sessions:
        for turn, gold in zip(session.turns, benchmark.gold[session.session_id].turns, strict=True):
            row = row_of(session, turn, gold)
            if (session.session_id, turn.index) == (name, index):
                row = {**row, "en_implicit": f"{words} {CHATTER}", "reviewer": "A. Reader"}
            rows.append(row)
    write_workbook(tmp_path / "review.xlsx", rows, benchmark.fingerprint)
    import_review(copy, tmp_path / "review.xlsx", tmp_path / "out", warehouse)
    assert (tmp_path / "out" / WORDINGS).read_bytes() == (copy / WORDINGS).read_bytes()
    assert verify(tmp_path / "out", warehouse) == []


def test_a_worded_set_is_evaluated_under_a_key_of_its_own(
    written: Set, synthetic_warehouse: Path, warehouse: Warehouse, tmp_path: Path
) -> None:
    templates = tmp_path / "templates"
    generate(workshop_of(read_benchmark(written[0]), warehouse, written[0]), WANTED, templates)
    keys = set()
    for folder in (written[0], templates):
        runs = tmp_path / f"runs-{folder.name}"
        asked = ["--ehr", str(synthetic_warehouse), "--sessions", str(folder), "--model", "offline/gold"]
        result = CliRunner().invoke(evaluate_app, [*asked, "--output", str(runs)])
        assert result.exit_code == 0, result.output
        (run,) = runs.iterdir()
        manifest = RunManifest.model_validate_json((run / "manifest.json").read_text())
        assert json.loads((run / "metrics.json").read_text())["outcomes"]["scored"] == 4 * WANTED
        keys.add(manifest.comparison_key)
    assert len(keys) == 2

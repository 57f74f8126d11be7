"""The page and the table: hostile text stays text, real patients' text stays out, thin coverage is withheld."""

from datetime import datetime
from html.parser import HTMLParser
from pathlib import Path

import pytest
from rich.console import Console

from state.base import Cohort, GatePolicy, Language
from state.manifest import RunManifest, RunSettings
from state.metrics import Figure, Metrics
from state.outcome import ItemVerdict, Scored, SessionResult, TurnResult, Unscored, Verdict
from state.session import Implicitness, Scenario, Session, TaskType, Turn, Wording
from state.trajectory import CallRecord, SessionRecord, Step, Termination, TurnRecord, WriteRecord
from tools.metrics import summarise
from tools.report import SessionPage, closing_table, write_page
from tools.report.figures import percent

HOSTILE = "</style></pre><script>alert('owned')</script><img src=x onerror=alert(1)> javascript:alert(2) {{ 7 * 7 }}"


class Tags(HTMLParser):
    """Collect tags, attributes and visible text."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [name for name, _ in attrs]

    def handle_data(self, data: str) -> None:
        self.text += data


def manifest(cohort: Cohort, model: str = "offline/gold") -> RunManifest:
    return RunManifest(
        run_id="r1",
        started=datetime(2026, 1, 2, 3, 4),
        settings=RunSettings(model=model),
        offline=model.startswith("offline/"),
        cohort=cohort,
        gate=GatePolicy.STRICT,
        planned=1,
        benchmark="b",
        warehouse="w",
        prompts="p",
        vocabulary="v",
        patient_words="p",
        grading_version=1,
        versions={},
    )


def page(cohort: Cohort, *, scored: bool = True) -> SessionPage:
    turn = Turn(
        index=0,
        task_type=TaskType.LOOKUP,
        implicitness=Implicitness.EXPLICIT,
        wording={Language.EN: Wording(explicit="q", implicit="q")},
    )
    session = Session(
        session_id="med_safety-x-1-2-t1",
        scenario=Scenario.MED_SAFETY,
        tier=1,
        cohort=cohort,
        subject_id=10000001,
        hadm_id=20000001,
        as_of=datetime(2150, 1, 1),
        turns=(turn,),
    )
    verdict = ItemVerdict(
        item_id="t0-value", verdict=Verdict.NOT_MET, decided_by="code", reason=f"reason {HOSTILE}"
    )
    result = SessionResult(
        session_id=session.session_id,
        scenario=session.scenario,
        tier=1,
        language=Language.EN,
        cohort=cohort,
        turns=(
            TurnResult(
                index=0,
                task_type=turn.task_type,
                implicitness=turn.implicitness,
                rests_on_answer=False,
                outcome=Scored(score=0.5) if scored else Unscored(reason="unclear"),
                verdicts=(verdict,),
            ),
        ),
    )
    call = CallRecord(
        call_id="c", name="Flag_create", arguments={"detail": f"螺内酯 {HOSTILE}"}, ran=True, ok=True
    )
    write = WriteRecord(tool="Flag.create", arguments={"detail": HOSTILE}, accepted=True, ref="Flag/new-1")
    record = TurnRecord(
        index=0,
        question=f"question {HOSTILE}",
        steps=(Step(content=f"thinking {HOSTILE}", calls=(call,)), Step(content=f"answer {HOSTILE}")),
        answer=f"answer {HOSTILE}",
        termination=Termination.ANSWERED,
        writes=(write,),
        seconds=1.5,
    )
    records = SessionRecord(session_id=session.session_id, turns=(record,))
    return SessionPage(
        session, result, records, {(0, 0): f"result {HOSTILE}"}, {"t0-value": f"wanted {HOSTILE}"}
    )


def metrics(of: SessionPage) -> Metrics:
    return summarise([of.session], [of.result], "en")


def written(tmp_path: Path, cohort: Cohort, *, show_text: bool) -> Tags:
    one = page(cohort)
    write_page(tmp_path / "report.html", manifest(cohort), metrics(one), [one], show_text=show_text)
    tags = Tags()
    tags.feed((tmp_path / "report.html").read_text("utf-8"))
    return tags


def test_hostile_text_stays_text(tmp_path: Path) -> None:
    seen = written(tmp_path, Cohort.SYNTHETIC, show_text=True)
    assert not {"script", "img", "iframe"} & set(seen.tags)
    assert not [name for name in seen.attributes if name.startswith("on")]
    for part in ("question", "thinking", "result", "answer", "reason", "wanted"):
        assert f"{part} {HOSTILE}" in seen.text
    assert seen.tags.count("style") == 1
    assert "Flag_create" in seen.text
    assert "螺内酯" in seen.text


def test_text_of_real_patients_is_withheld_and_said_to_be(tmp_path: Path) -> None:
    seen = written(tmp_path, Cohort.MIMIC_IV, show_text=False)
    assert "alert" not in seen.text
    assert "Patient text is withheld" in seen.text
    assert "2150-01-01" not in seen.text
    assert "20000001" not in seen.text
    assert "t0-value" in seen.text
    assert "0.50" in seen.text


def test_the_page_names_figures_and_coverage(tmp_path: Path) -> None:
    seen = written(tmp_path, Cohort.SYNTHETIC, show_text=True)
    for words in ("mRS", "Pass@Turn 0.60", "Pass@Session 0.75", "1 / 1 / 1", "not comparable with published"):
        assert words in seen.text


def shown(one: SessionPage, model: str) -> str:
    console = Console(width=160, record=True, file=open("/dev/null", "w"))  # noqa: SIM115, PTH123
    console.print(closing_table(metrics(one), manifest(Cohort.SYNTHETIC, model)))
    console.file.close()
    return console.export_text()


@pytest.mark.parametrize(("model", "said"), [("offline/gold", True), ("openai-compatible/x", False)])
def test_only_offline_figures_are_called_incomparable(model: str, said: bool) -> None:
    assert ("not comparable" in shown(page(Cohort.SYNTHETIC), model)) is said


def test_coverage_is_not_rounded_up_to_what_it_falls_short_of() -> None:
    thin = Figure(value=0.5, planned=1000, attempted=1000, scored=979, withheld=True)
    assert percent(thin) == "withheld (coverage 97 %)"


def test_a_figure_of_thin_coverage_is_withheld() -> None:
    text = shown(page(Cohort.SYNTHETIC, scored=False), "openai-compatible/x")
    assert "withheld (coverage 0 %)" in text
    assert "1 / 1 / 0" in text

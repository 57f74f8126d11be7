"""The closing table: what is said of offline figures, thin coverage is withheld."""

import pytest
from pages import manifest, metrics, page
from rich.console import Console

from state.base import Cohort
from state.metrics import Figure, Metrics
from state.outcome import Unscored
from tools.report import SessionPage, closing_table
from tools.report.figures import percent


def shown(one: SessionPage, model: str) -> str:
    return _printed(metrics(one), model)


def _printed(figures: Metrics, model: str) -> str:
    console = Console(width=160, record=True, file=open("/dev/null", "w"))  # noqa: SIM115, PTH123
    console.print(closing_table(figures, manifest(Cohort.SYNTHETIC, model)))
    console.file.close()
    return console.export_text()


@pytest.mark.parametrize(("model", "said"), [("offline/gold", True), ("openai-compatible/x", False)])
def test_only_offline_figures_are_called_incomparable(model: str, said: bool) -> None:
    assert ("not comparable" in shown(page(), model)) is said


def test_coverage_is_not_rounded_up_to_what_it_falls_short_of() -> None:
    thin = Figure(value=0.5, planned=1000, attempted=1000, scored=979, withheld=True)
    assert percent(thin) == "withheld (coverage 97 %)"


def test_a_figure_of_thin_coverage_is_withheld() -> None:
    text = shown(page(outcome=Unscored(reason="unclear")), "openai-compatible/x")
    assert "withheld (coverage 0 %)" in text
    assert "1 / 1 / 0" in text
    notes = " ".join(text.split())
    assert "less than 98 % is scored; 2 of 2 turns are not" in notes
    assert "--judge-only RUN" in notes
    assert "per 100 turns" not in notes
    assert "less than 98 %" not in shown(page(), "openai-compatible/x")


def test_a_rate_is_as_thin_as_the_figures_it_stands_with() -> None:
    thin, rated = (
        metrics(page(**outcome)).model_copy(update={"safety_failures_per_100_turns": 12.5})
        for outcome in ({"outcome": Unscored(reason="unclear")}, {})
    )
    assert "per 100 turns" not in _printed(thin, "openai-compatible/x")
    assert "(12.5 per 100 turns)" in _printed(rated, "openai-compatible/x")

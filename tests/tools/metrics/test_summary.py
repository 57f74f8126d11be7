"""Figures reckoned by hand: what was planned stays the denominator."""

import pytest
from metric_cases import result, session

from state.metrics import Figure
from state.outcome import Errored, Party, TurnOutcome, Unscored
from tools.metrics import summarise, summarise_finished


def counts(figure: Figure | None) -> tuple[int, int, int]:
    assert figure is not None
    return figure.planned, figure.attempted, figure.scored


def test_every_figure_by_hand() -> None:
    a, b = session("a"), session("b", tier=2)
    metrics = summarise([a, b], [result(a, 1.0, 0.6, 0.75, 1.0), result(b, 0.5, 1.0, 0.59, 0.0)], "en")
    overall = metrics.overall
    assert overall.mrs is not None
    assert overall.pass_session is not None
    assert overall.mrs.value == pytest.approx(((1 + 0.6 + 0.75 + 1) / 4 + (0.5 + 1 + 0.59 + 0) / 4) / 2)
    assert overall.pass_turn["0.60"].value == pytest.approx(5 / 8)
    assert overall.pass_turn["0.75"].value == pytest.approx(4 / 8)
    assert overall.pass_session["0.60"].value == pytest.approx(1 / 2)
    assert overall.pass_session["0.75"].value == 0.0
    assert not overall.mrs.withheld
    assert metrics.facets["tier"]["1"].turn_score.value == pytest.approx((1 + 0.6 + 0.75 + 1) / 4)
    assert metrics.facets["task_type"]["write"].turn_score.value == pytest.approx(0.5)
    assert metrics.facets["task_type"]["write"].mrs is None
    assert metrics.facets["implicitness"]["explicit"].pass_turn["0.60"].value == pytest.approx(0.5)


def test_a_session_is_the_unit_of_mrs_whatever_its_length() -> None:
    short, long = session("a", turns=1), session("b", turns=4)
    metrics = summarise([short, long], [result(short, 1.0), result(long, 0.0, 0.0, 0.0, 0.0)], "en")
    assert metrics.overall.mrs is not None
    assert metrics.overall.mrs.value == pytest.approx(0.5)
    assert metrics.overall.turn_score.value == pytest.approx(0.2)


@pytest.mark.parametrize("broken", [Unscored(reason="?"), Errored(error="!", who=Party.JUDGE)])
def test_what_is_not_scored_is_no_zero_and_stays_in_the_denominator(broken: TurnOutcome) -> None:
    a, b = session("a"), session("b")
    metrics = summarise([a, b], [result(a, 1.0, 1.0, 1.0, 1.0), result(b, 1.0, broken, 1.0, 1.0)], "en")
    assert metrics.overall.turn_score.value == 1.0
    assert counts(metrics.overall.turn_score) == (8, 8, 7)
    assert counts(metrics.overall.mrs) == (2, 2, 1)
    assert metrics.overall.turn_score.withheld
    assert metrics.outcomes[broken.kind] == 1


def test_a_session_never_attempted_is_planned() -> None:
    a, b = session("a"), session("b")
    metrics = summarise([a, b], [result(a, 1.0, 1.0, 1.0, 1.0)], "en")
    assert counts(metrics.overall.mrs) == (2, 1, 1)
    assert counts(metrics.overall.turn_score) == (8, 4, 4)
    assert metrics.outcomes == {"scored": 4, "not_attempted": 4}


@pytest.mark.parametrize(("scored", "withheld"), [(98, False), (97, True)])
def test_a_headline_needs_98_percent_coverage(scored: int, withheld: bool) -> None:
    planned = [session(f"s{i:03}", turns=1) for i in range(100)]
    results = [result(s, 1.0) for s in planned[:scored]]
    assert summarise(planned, results, "en").overall.turn_score.withheld is withheld


def test_nothing_scored_is_no_figure() -> None:
    metrics = summarise([session("a")], [], "en")
    assert metrics.overall.turn_score.value is None
    assert metrics.safety_failures_per_100_turns is None


def test_safety_failures_are_counted_per_100_scored_turns() -> None:
    a = session("a")
    metrics = summarise([a], [result(a, 0.5, 1.0, 1.0, Unscored(reason="?"), failed_safety=2)], "en")
    assert metrics.safety_failures == 2
    assert metrics.safety_failures_per_100_turns == pytest.approx(100 * 2 / 3)


def test_the_order_of_results_does_not_matter() -> None:
    planned = [session(f"s{i}") for i in range(5)]
    results = [result(s, 0.1 * i, 1.0, 0.5, 0.7) for i, s in enumerate(planned)]
    assert summarise(planned, results, "en") == summarise(planned, results[::-1], "en")


def test_results_of_other_sessions_are_refused() -> None:
    stranger = session("stranger")
    with pytest.raises(ValueError, match="stranger"):
        summarise([session("a")], [result(stranger, 1.0, 1.0, 1.0, 1.0)], "en")


def test_a_finished_run_gives_the_same_figures_from_its_results_alone() -> None:
    planned = [session(f"s{i}", tier=1 + i % 3) for i in range(6)]
    results = [result(s, 0.1 * i, 1.0, 0.5, Unscored(reason="?")) for i, s in enumerate(planned)]
    assert summarise_finished(results) == summarise(planned, results, "en")

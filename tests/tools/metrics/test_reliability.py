"""pass@k and pass^k: against every choice of k tries, and by hand through a run of several epochs."""

from itertools import combinations
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st
from metric_cases import result, session

from state.outcome import Unscored
from tools.metrics import summarise
from tools.metrics.reliability import pass_at, pass_every


@given(st.integers(1, 7).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n), st.integers(1, n))))
def test_both_are_the_mean_over_every_choice_of_k_epochs(case: tuple[int, int, int]) -> None:
    epochs, passed, k = case
    tries = [i < passed for i in range(epochs)]
    choices = list(combinations(tries, k))
    assert pass_at(k, passed, epochs) == pytest.approx(fmean(any(c) for c in choices))
    assert pass_every(k, passed, epochs) == pytest.approx(fmean(all(c) for c in choices))


def test_a_run_of_three_epochs_by_hand() -> None:
    a, b = session("a", turns=1), session("b", turns=1)
    results = [result(a, score, epoch=e) for e, score in enumerate((1.0, 1.0, 0.0))]
    results += [result(b, score, epoch=e) for e, score in enumerate((0.7, 0.0, 0.0))]
    metrics = summarise([a, b], results, "en", epochs=3)
    figures = {(row.mark, row.k): row for row in metrics.reliability}
    assert figures["0.60", 1].pass_every.value == pytest.approx((2 / 3 + 1 / 3) / 2)
    assert figures["0.60", 2].pass_every.value == pytest.approx((1 / 3 + 0) / 2)
    assert figures["0.60", 3].pass_every.value == 0
    assert figures["0.60", 2].pass_at.value == pytest.approx((1 + 2 / 3) / 2)
    assert figures["0.60", 3].pass_at.value == 1
    assert figures["0.75", 3].pass_at.value == pytest.approx(1 / 2)
    overall = metrics.overall
    assert overall.pass_session is not None
    assert overall.pass_session["0.60"].value == pytest.approx(3 / 6)
    assert (overall.pass_session["0.60"].planned, overall.pass_session["0.60"].scored) == (6, 6)


def test_a_session_counts_only_with_all_of_its_epochs() -> None:
    a, b = session("a", turns=1), session("b", turns=1)
    results = [result(a, 1.0, epoch=0), result(a, 1.0, epoch=1), result(b, 1.0, epoch=0)]
    results.append(result(b, Unscored(reason="?"), epoch=1))
    (one, *_) = summarise([a, b], results, "en", epochs=2).reliability
    assert (one.pass_at.planned, one.pass_at.attempted, one.pass_at.scored) == (2, 2, 1)
    assert one.pass_at.withheld


def test_one_epoch_says_nothing_of_reliability() -> None:
    a = session("a")
    assert summarise([a], [result(a, 1.0, 1.0, 1.0, 1.0)], "en").reliability == ()

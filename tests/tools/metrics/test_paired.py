"""Paired differences: by hand, against scipy, and against every flip of signs."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from metric_cases import result, session
from scipy import stats

from state.metrics import Comparison, Difference
from state.outcome import Unscored
from tools.metrics import compare
from tools.metrics.sign_flips import flip_p, holm


def of(comparison: Comparison, figure: str, group: str = "all") -> Difference:
    (found,) = [row for row in comparison.differences if (row.group, row.figure) == (group, figure)]
    return found


def test_differences_by_hand() -> None:
    a, b, alone, other = session("a"), session("b", tier=2), session("c"), session("d")
    first = [
        result(a, 1.0, 0.6, 0.75, 1.0),
        result(b, 0.5, 1.0, 0.59, 0.0),
        result(alone, 1.0, 1.0, 1.0, 1.0),
    ]
    second = [result(a, 1.0, 0.5, 0.5, 1.0), result(b, 0.5, 1.0, 0.6, 0.4), result(other, 0.0, 0.0, 0.0, 0.0)]
    found = compare(first, second)
    assert (found.shared, found.only_first, found.only_second) == (2, 1, 1)
    mrs = of(found, "mRS")
    assert mrs.value == pytest.approx(((0.1 + 0.25) / 4 + (-0.01 - 0.4) / 4) / 2)
    assert (mrs.planned, mrs.scored) == (2, 2)
    passed = of(found, "Pass@Turn 0.60")
    assert passed.value == pytest.approx((2 - 1) / 8)
    assert passed.scored == 8
    assert of(found, "Pass@Session 0.60").value == pytest.approx(1 / 2)
    assert of(found, "mean turn score", "tier 2").value == pytest.approx(-0.41 / 4)
    assert of(found, "mean turn score", "task_type gather").value == pytest.approx(0.1 / 2)


def test_a_unit_without_a_score_in_one_run_is_paired_with_nothing() -> None:
    a, b = session("a"), session("b")
    first = [result(a, 1.0, 1.0, 1.0, 1.0), result(b, 1.0, 1.0, Unscored(reason="?"), 1.0)]
    second = [result(a, 0.0, 1.0, 1.0, 1.0), result(b, 0.0, 0.0, 0.0, 1.0)]
    found = compare(first, second)
    turns, sessions = of(found, "Pass@Turn 0.60"), of(found, "mRS")
    assert (turns.planned, turns.scored, turns.value) == (8, 7, pytest.approx(3 / 7))
    assert (sessions.planned, sessions.scored, sessions.value) == (2, 1, pytest.approx(0.25))
    assert turns.withheld
    assert sessions.withheld


@pytest.mark.parametrize(("unscored", "withheld"), [(1, False), (2, True)])
def test_a_difference_is_withheld_where_one_unit_in_fifty_is_not_scored_in_both(
    unscored: int, withheld: bool
) -> None:
    """HEADLINE_COVERAGE, both sides: 49 and 48 of 50 turns."""
    each = [session(f"s{number:02}", turns=1) for number in range(50)]
    first = [result(s, 1.0) for s in each]
    second = [result(s, Unscored(reason="?") if n < unscored else 0.0) for n, s in enumerate(each)]
    assert of(compare(first, second), "Pass@Turn 0.60").withheld is withheld


def test_a_unit_of_several_epochs_counts_with_its_mean() -> None:
    a = session("a", turns=1)
    first = [result(a, 1.0, epoch=0), result(a, 0.5, epoch=1), result(a, 0.0, epoch=2)]
    assert of(compare(first, [result(a, 0.25)]), "mRS").value == pytest.approx(0.25)
    assert of(compare(first, [result(a, 0.25)]), "Pass@Turn 0.60").value == pytest.approx(1 / 3)


def test_a_run_does_not_differ_from_itself() -> None:
    results = [result(session(f"s{i}"), 0.1 * i, 1.0, 0.5, 0.7) for i in range(6)]
    for row in compare(results, results).differences:
        assert (row.value, row.p, row.p_holm, row.interval) == (0.0, 1.0, 1.0, None)


def test_swapping_the_runs_swaps_the_sign() -> None:
    sessions = [session(f"s{i}") for i in range(20)]
    first = [result(s, 0.05 * i, 1.0, 0.5, 0.7) for i, s in enumerate(sessions)]
    second = [result(s, 0.3, 0.04 * i, 0.5, 0.9) for i, s in enumerate(sessions)]
    there, back = compare(first, second), compare(second, first)
    for row, other in zip(there.differences, back.differences, strict=True):
        assert row.value == pytest.approx(-(other.value or 0.0))
        assert row.p == other.p
        if row.interval is not None:
            assert other.interval is not None
            assert row.interval.low == pytest.approx(-other.interval.high, abs=1e-9)


@given(st.lists(st.integers(-4, 4).map(lambda n: n / 4), min_size=1, max_size=8))
def test_p_is_the_share_of_all_signs_that_go_as_far(sums: list[float]) -> None:
    flips = [
        abs(sum(s * d for s, d in zip(signs, sums, strict=True)))
        for signs in product((1, -1), repeat=len(sums))
    ]
    wanted = np.mean([flip >= abs(sum(sums)) - 1e-9 for flip in flips])
    assert flip_p(sums, seed=1, resamples=100) == pytest.approx(wanted)


def test_p_is_that_of_scipy() -> None:
    rng = np.random.default_rng(8)
    few, many = rng.normal(0.4, 1, 11), rng.normal(0.25, 1, 60)
    for sums, close in ((few, 1e-9), (many, 0.012)):
        theirs = stats.permutation_test(
            (sums,), np.sum, permutation_type="samples", alternative="two-sided", n_resamples=20_000,
            rng=np.random.default_rng(1),
        )  # fmt: skip
        assert flip_p(list(sums), seed=1, resamples=20_000) == pytest.approx(theirs.pvalue, abs=close)


def test_p_without_sessions_is_none() -> None:
    assert flip_p([], seed=1, resamples=10) is None


def test_many_sessions_that_all_differ_one_way_leave_the_least_p_there_is() -> None:
    assert flip_p([1.0] * 40, seed=1, resamples=999) == pytest.approx(1 / 1000)


def test_holm_by_hand() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.5, 0.6]) == pytest.approx([1.0, 1.0])
    assert holm([]) == []


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_holm_keeps_the_order_and_lies_between_one_test_and_bonferroni(p_values: list[float]) -> None:
    adjusted = holm(p_values)
    for p, q in zip(p_values, adjusted, strict=True):
        assert p <= q + 1e-12
        assert q <= min(1.0, len(p_values) * p) + 1e-12
    order = sorted(range(len(p_values)), key=lambda i: p_values[i])
    assert [adjusted[i] for i in order] == sorted(adjusted)


def test_headline_and_groups_are_families_of_their_own() -> None:
    sessions = [session(f"s{i}") for i in range(12)]
    first = [result(s, 1.0, 1.0, 1.0, 1.0) for s in sessions]
    second = [result(s, 0.0, 0.0, 0.0, 0.0) for s in sessions]
    found = compare(first, second)
    exact = 2 / 2**12
    headline = [row for row in found.differences if row.group == "all"]
    assert [row.p for row in headline] == [pytest.approx(exact)] * 5
    assert [row.p_holm for row in headline] == [pytest.approx(5 * exact)] * 5
    grouped = [row for row in found.differences if row.group != "all"]
    assert grouped[0].p_holm == pytest.approx(len(grouped) * exact)

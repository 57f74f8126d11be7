"""Agreement, against published worked examples, another package, and a loop that does what the bootstrap says."""

import krippendorff
import numpy as np
import pytest

from tools.metrics.agreement import (
    MISSING,
    Codes,
    coefficient,
    cohen_kappa,
    coincidences,
    confusion,
    group_agreement,
    krippendorff_alpha,
    pair_agreement,
    raw,
)

# Krippendorff 2011, "Computing Krippendorff's alpha-reliability", example C: four observers, missing labels.
FOUR_OBSERVERS = """
1 2 3 3 2 1 4 1 2 . . .
1 2 3 3 2 2 4 1 2 5 . 3
. 3 3 3 2 3 4 2 2 5 1 .
1 2 3 3 2 4 4 1 2 5 1 .
"""
# Example A of the same: two observers, binary.
MEG_AND_OWEN = """
0 1 0 0 0 0 0 0 1 0
1 1 1 0 0 1 0 0 0 0
"""
# The ten subjects and fourteen raters with which Fleiss' kappa is commonly worked out by hand (0.210).
FOURTEEN_RATERS = [
    (0, 0, 0, 0, 14),
    (0, 2, 6, 4, 2),
    (0, 0, 3, 5, 6),
    (0, 3, 9, 2, 0),
    (2, 2, 8, 1, 1),
    (7, 7, 0, 0, 0),
    (3, 2, 6, 3, 0),
    (2, 5, 3, 2, 2),
    (6, 5, 2, 1, 0),
    (0, 2, 2, 3, 7),
]


def codes(text: str, lowest: int) -> Codes:
    rows = [line.split() for line in text.strip().splitlines()]
    return np.array([[MISSING if mark == "." else int(mark) - lowest for mark in row] for row in rows])


def spread(table: list[tuple[int, ...]]) -> Codes:
    """Give raters' labels from counts by subject and category."""
    return np.array([[c for c, n in enumerate(row) for _ in range(n)] for row in table]).T


def test_krippendorff_with_missing_labels() -> None:
    four = codes(FOUR_OBSERVERS, 1)
    found = group_agreement(four, 5, range(12))
    assert found.krippendorff_alpha.value == pytest.approx(0.743, abs=5e-4)
    assert found.items == 11


def test_krippendorff_of_two() -> None:
    one, other = codes(MEG_AND_OWEN, 0)
    found = pair_agreement(one, other, 2, range(10))
    assert found.krippendorff_alpha.value == pytest.approx(0.095, abs=5e-4)
    assert found.raw.value == pytest.approx(0.6)


def test_fleiss() -> None:
    found = group_agreement(spread(FOURTEEN_RATERS), 5, range(10))
    assert found.fleiss_kappa.value == pytest.approx(0.210, abs=5e-4)
    assert found.raw.value == pytest.approx(0.378, abs=5e-4)


def test_cohen_by_hand() -> None:
    """20 yes-yes, 5 yes-no, 10 no-yes, 15 no-no: observed 0.7, expected 0.5, kappa 0.4."""
    one = np.array([0] * 25 + [1] * 25)
    other = np.array([0] * 20 + [1] * 5 + [0] * 10 + [1] * 15)
    found = pair_agreement(one, other, 2, range(50))
    assert found.cohen_kappa.value == pytest.approx(0.4)
    assert found.raw.value == pytest.approx(0.7)
    assert confusion(one, other, ("yes", "no")) == {"yes": {"yes": 20, "no": 5}, "no": {"yes": 10, "no": 15}}


def test_weights_count_like_repetitions() -> None:
    one, other = np.array([0, 0, 1, 1]), np.array([0, 1, 1, 0])
    weights = np.array([20.0, 5.0, 15.0, 10.0])
    found = pair_agreement(one, other, 2, range(4), weights)
    assert found.cohen_kappa.value == pytest.approx(0.4)
    assert found.raw.value == pytest.approx(0.7)


@pytest.mark.parametrize("seed", range(20))
def test_alpha_is_that_of_another_package(seed: int) -> None:
    rng = np.random.default_rng(seed)
    labels = rng.integers(MISSING, 3, size=(rng.integers(2, 6), 40))
    expected = krippendorff.alpha(np.where(labels == MISSING, np.nan, labels), level_of_measurement="nominal")
    found = float(krippendorff_alpha(coincidences(labels, 3).sum(axis=0)))
    assert found == pytest.approx(expected)


def test_what_is_all_of_one_kind_has_no_kappa() -> None:
    same = np.zeros(8, dtype=np.int64)
    found = pair_agreement(same, same, 3, range(8))
    assert found.raw.value == 1.0
    assert found.cohen_kappa.value is None
    assert found.krippendorff_alpha.value is None


def test_nothing_labelled_by_both() -> None:
    nobody = np.full(5, MISSING)
    found = pair_agreement(np.zeros(5, dtype=np.int64), nobody, 3, range(5))
    assert found.items == 0
    assert found.raw.value is None
    assert group_agreement(np.stack([nobody, nobody]), 3, range(5)).items == 0


def test_the_interval_is_that_of_a_loop_over_whole_clusters() -> None:
    rng = np.random.default_rng(3)
    one = rng.integers(0, 3, size=60)
    other = np.where(rng.random(60) < 0.7, one, rng.integers(0, 3, size=60))
    clusters = np.arange(60) // 4
    tables = np.zeros((60, 3, 3))
    tables[np.arange(60), one, other] = 1
    found = coefficient(tables, clusters, cohen_kappa, seed=11, resamples=500).interval
    assert found is not None
    drawn = np.random.default_rng(11)
    values = []
    for size in (250, 250):
        for picks in drawn.integers(15, size=(size, 15)):
            table = sum(tables[clusters == pick].sum(axis=0) for pick in picks)
            values.append(float(cohen_kappa(np.asarray(table))))
    low, high = np.quantile(values, [0.025, 0.975])
    assert (found.low, found.high) == (pytest.approx(low), pytest.approx(high))


def test_items_of_one_session_are_one_draw() -> None:
    """Forty items of two sessions that differ are two draws: the interval spans both sessions' own values."""
    tables = np.zeros((40, 2, 2))
    tables[:20, 0, 0] = tables[20:, 0, 1] = 1
    clustered = coefficient(tables, np.arange(40) // 20, raw).interval
    single = coefficient(tables, np.arange(40), raw).interval
    assert clustered is not None
    assert (clustered.low, clustered.high) == (0.0, 1.0)
    assert single is not None
    assert 0.3 < single.low < single.high < 0.7
    assert coefficient(tables, np.zeros(40), raw).interval is None

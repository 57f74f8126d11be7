"""Agreement of raters on nominal labels: raw, Cohen's and Fleiss' kappa, Krippendorff's alpha, with intervals.

Each measure is a function of sums over items, so that a bootstrap of whole sessions needs their sums only. Sources:
Cohen 1960; Fleiss 1971; Krippendorff 2011, "Computing Krippendorff's alpha-reliability".
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from state.agreement import Coefficient, Confusion, GroupAgreement, PairAgreement
from state.interval import Interval

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]
"""Raters x items: the number of each label's category, MISSING where a rater gave none."""
MISSING = -1
RESAMPLES = 10_000
SEED = 20260618
TAIL = 0.025
CHUNK = 250
"""Resamples at a time."""
NOTHING = 1e-12
DEFINED = 0.95
"""Share of resamples in which a measure must be defined for its interval to be given."""


def pair_agreement(
    one: Codes, other: Codes, categories: int, clusters: Sequence[Any], weights: Floats | None = None
) -> PairAgreement:
    """Compare two raters on the items that both labelled; ``clusters`` names each item's session.

    ``weights`` say how many items each stands for, in the raw agreement and Cohen's kappa; alpha counts each once.
    """
    both = (one != MISSING) & (other != MISSING)
    one, other, of = one[both], other[both], np.asarray(clusters)[both]
    weight = np.ones(len(one)) if weights is None else weights[both]
    tables = np.zeros((len(one), categories, categories))
    tables[np.arange(len(one)), one, other] = weight
    pairs = coincidences(np.stack([one, other]), categories)
    return PairAgreement(
        items=len(one),
        raw=coefficient(tables, of, raw),
        cohen_kappa=coefficient(tables, of, cohen_kappa),
        krippendorff_alpha=coefficient(pairs, of, krippendorff_alpha),
    )


def group_agreement(codes: Codes, categories: int, clusters: Sequence[Any]) -> GroupAgreement:
    """Compare any number of raters; an item that fewer than two labelled says nothing."""
    rated = (codes != MISSING).sum(axis=0) >= 2
    codes, of = codes[:, rated], np.asarray(clusters)[rated]
    full = (codes != MISSING).all(axis=0)
    pairs = coincidences(codes, categories)
    return GroupAgreement(
        raters=len(codes),
        items=codes.shape[1],
        raw=coefficient(agreeing_pairs(codes, categories), of, ratio),
        fleiss_kappa=coefficient(fleiss_terms(codes[:, full], categories), of[full], fleiss_kappa),
        krippendorff_alpha=coefficient(pairs, of, krippendorff_alpha),
    )


def confusion(one: Codes, other: Codes, names: Sequence[str]) -> Confusion:
    """Count what the other said where one said something; all categories are there, and no missing label."""
    return {
        name: {as_other: int(((one == i) & (other == j)).sum()) for j, as_other in enumerate(names)}
        for i, name in enumerate(names)
    }


def counts(codes: Codes, categories: int) -> Floats:
    """Count an item's labels by category: items x categories."""
    return np.stack([(codes == category).sum(axis=0) for category in range(categories)], axis=1).astype(float)


def coincidences(codes: Codes, categories: int) -> Floats:
    """Give each item's coincidence matrix: its ordered pairs of labels, weighted by 1 / (labels - 1)."""
    n = counts(codes, categories)
    pairs = n[:, :, None] * n[:, None, :] - np.eye(categories) * n[:, None, :]
    labels = n.sum(axis=1)
    weighted: Floats = pairs / np.where(labels > 1, labels - 1, np.inf)[:, None, None]
    return weighted


def agreeing_pairs(codes: Codes, categories: int) -> Floats:
    """Give for each item its pairs of raters that agree, and all its pairs."""
    n = counts(codes, categories)
    labels = n.sum(axis=1)
    return np.stack([(n * (n - 1)).sum(axis=1) / 2, labels * (labels - 1) / 2], axis=1)


def ratio(sums: Floats) -> Floats:
    """Divide the first sum by the second."""
    return _divided(sums[..., 0], sums[..., 1])


def raw(table: Floats) -> Floats:
    """Give the share on the diagonal of a table of two raters."""
    return _divided(np.trace(table, axis1=-2, axis2=-1), table.sum(axis=(-2, -1)))


def cohen_kappa(table: Floats) -> Floats:
    """Correct the raw agreement of two raters for chance, by the labels each of them uses."""
    total = table.sum(axis=(-2, -1))
    observed = _divided(np.trace(table, axis1=-2, axis2=-1), total)
    expected = _divided((table.sum(axis=-1) * table.sum(axis=-2)).sum(axis=-1), total**2)
    return _divided(observed - expected, 1 - expected)


def fleiss_terms(codes: Codes, categories: int) -> Floats:
    """Give for each item one, its share of agreeing pairs and its counts by category; all raters labelled it."""
    n = counts(codes, categories)
    raters = len(codes)
    agreeing = ((n**2).sum(axis=1) - raters) / (raters * (raters - 1))
    return np.concatenate([np.ones((len(n), 1)), agreeing[:, None], n], axis=1)


def fleiss_kappa(terms: Floats) -> Floats:
    """Correct the agreement of raters for chance, by the labels of all of them together."""
    observed, labels = _divided(terms[..., 1], terms[..., 0]), terms[..., 2:]
    expected = _divided((labels**2).sum(axis=-1), labels.sum(axis=-1) ** 2)
    return _divided(observed - expected, 1 - expected)


def krippendorff_alpha(pairs: Floats) -> Floats:
    """Compare observed with expected disagreement, nominal; ``pairs`` is a coincidence matrix."""
    n_c = pairs.sum(axis=-1)
    n = n_c.sum(axis=-1)
    observed = n - np.trace(pairs, axis1=-2, axis2=-1)
    expected = _divided(n**2 - (n_c**2).sum(axis=-1), n - 1)
    return 1 - _divided(observed, expected)


def coefficient(
    per_item: Floats,
    clusters: Sequence[Any] | NDArray[Any],
    measure: Callable[[Floats], Floats],
    seed: int = SEED,
    resamples: int = RESAMPLES,
) -> Coefficient:
    """Compute a measure of the sum over items, and bound it by resampling whole clusters."""
    if not len(per_item):
        return Coefficient(value=None)
    value = float(measure(per_item.sum(axis=0)))
    if not np.isfinite(value):
        return Coefficient(value=None)
    return Coefficient(value=value, interval=_bounds(per_item, clusters, measure, seed, resamples))


def _bounds(
    per_item: Floats,
    clusters: Sequence[Any] | NDArray[Any],
    measure: Callable[[Floats], Floats],
    seed: int,
    resamples: int,
) -> Interval | None:
    """Give percentiles over resampled clusters; None for one cluster, for clusters all alike, or if often undefined."""
    names, of = np.unique(np.asarray(clusters), return_inverse=True)
    sums = np.zeros((len(names), *per_item.shape[1:]))
    np.add.at(sums, of, per_item)
    rng = np.random.default_rng(seed)
    values = np.concatenate(
        [
            measure(
                sums[rng.integers(len(names), size=(min(CHUNK, resamples - start), len(names)))].sum(axis=1)
            )
            for start in range(0, resamples, CHUNK)
        ]
    )
    defined = values[np.isfinite(values)]
    if len(defined) < DEFINED * resamples or np.ptp(defined) == 0:
        return None
    low, high = np.quantile(defined, [TAIL, 1 - TAIL])
    return Interval(low=float(low), high=float(high))


def _divided(over: Floats, under: Floats) -> Floats:
    """Divide; what has nothing under it is not a number."""
    over, under = np.asarray(over, dtype=float), np.asarray(under, dtype=float)
    out: Floats = np.full(np.broadcast(over, under).shape, np.nan)
    np.divide(over, under, out=out, where=np.abs(under) > NOTHING)
    return out

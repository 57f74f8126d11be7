"""What judges are worth: their verdicts beside the labels of people who did not see them."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations

import numpy as np

from state.agreement import GroupAgreement, PairAgreement
from state.audit import AuditItem, AuditReport, SelfPreference, Worth
from state.outcome import Verdict
from tools.metrics.agreement import (
    MISSING,
    Codes,
    Floats,
    coefficient,
    confusion,
    group_agreement,
    pair_agreement,
    ratio,
)
from tools.metrics.judging import VERDICTS
from tools.metrics.strata import weights

Labels = Mapping[str, Verdict]
"""One person's labels, by the key of the item."""
FINAL, CODE = "the run's verdicts", "code, where it decides"
FACETS: dict[str, Callable[[AuditItem], str]] = {
    "task_type": lambda item: item.task_type.value,
    "language": lambda item: item.language.value,
}


def audit(population: Sequence[AuditItem], people: Mapping[str, Labels]) -> AuditReport:
    """Compare every rater of the runs with the majority of people, and people with each other."""
    labelled = [item for item in population if any(item.key in labels for labels in people.values())]
    votes = {name: _codes([of.get(item.key) for item in labelled]) for name, of in people.items()}
    truth = _majority(np.stack(list(votes.values()))) if labelled else np.array([], dtype=np.int64)
    sample = _Sample(labelled, truth, np.array(weights(population, labelled)))
    judges = sorted({judge for item in population for judge in item.judges})
    decided = [None if item.code is Verdict.CANNOT_TELL else item.code for item in labelled]
    raters: dict[str, Sequence[Verdict | None]] = {
        FINAL: [item.final for item in labelled],
        CODE: decided,
        **{judge: [item.judges.get(judge) for item in labelled] for judge in judges},
    }
    return AuditReport(
        runs=tuple(sorted({item.run_id for item in population})),
        annotators=tuple(people),
        verdicts=len(population),
        labelled=len(labelled),
        undecided=int((truth == MISSING).sum()),
        people=_group(labelled, votes) if len(people) > 1 else None,
        people_by_task_type=_grouped(labelled, votes, "task_type"),
        people_by_language=_grouped(labelled, votes, "language"),
        pairs={
            f"{one} and {other}": pair_agreement(votes[one], votes[other], len(VERDICTS), _sessions(labelled))
            for one, other in combinations(votes, 2)
        },
        raters=tuple(_worth(name, sample, _codes(said)) for name, said in raters.items()),
        self_preference=_self_preference(sample, judges),
    )


class _Sample:
    """Labelled items with the majority's label of each and what each stands for."""

    def __init__(self, items: Sequence[AuditItem], truth: Codes, weight: Floats) -> None:
        self.items, self.truth, self.weight = items, truth, weight

    def agreement(self, said: Codes, keep: Sequence[bool] | None = None) -> PairAgreement:
        chosen = np.array([True] * len(self.items) if keep is None else list(keep), dtype=bool)
        sessions = np.array(_sessions(self.items))[chosen]
        return pair_agreement(
            self.truth[chosen], said[chosen], len(VERDICTS), sessions.tolist(), self.weight[chosen]
        )


def _worth(name: str, sample: _Sample, said: Codes) -> Worth:
    facets = {
        facet: {
            group: sample.agreement(said, [key(item) == group for item in sample.items])
            for group in sorted({key(item) for item in sample.items})
        }
        for facet, key in FACETS.items()
    }
    return Worth(
        rater=name,
        all=sample.agreement(said),
        by_task_type=facets["task_type"],
        by_language=facets["language"],
        table=confusion(sample.truth, said, VERDICTS),
        leniency=coefficient(
            _leniency(sample, said) * sample.weight[:, None], _sessions(sample.items), ratio
        ),
    )


def _leniency(sample: _Sample, said: Codes) -> Floats:
    """Give for each item 1, 0 or -1 as the rater is more lenient than people or less, and whether both labelled it."""
    met = VERDICTS.index(Verdict.MET)
    both = (said != MISSING) & (sample.truth != MISSING)
    beyond = np.where(both, (said == met).astype(float) - (sample.truth == met), 0.0)
    return np.stack([beyond, both.astype(float)], axis=1)


def _self_preference(sample: _Sample, judges: Sequence[str]) -> SelfPreference | None:
    """Compare how lenient judges are with their kin and with others; None where nobody judged kin."""
    rows: list[Floats] = []
    for judge in judges:
        own = np.array([[judge in item.kin] for item in sample.items])
        leniency = _leniency(sample, _codes([item.judges.get(judge) for item in sample.items]))
        rows.append(np.concatenate([leniency * own, leniency * ~own], axis=1))
    if not rows or not len(sample.items):
        return None
    sums = np.sum(rows, axis=0)
    if not sums[:, 1].sum():
        return None
    sessions = _sessions(sample.items)
    return SelfPreference(
        kin_items=int(sums[:, 1].sum()),
        other_items=int(sums[:, 3].sum()),
        kin=coefficient(sums[:, :2], sessions, ratio),
        others=coefficient(sums[:, 2:], sessions, ratio),
        difference=coefficient(sums, sessions, _difference),
    )


def _difference(sums: Floats) -> Floats:
    return ratio(sums[..., :2]) - ratio(sums[..., 2:])


def _group(items: Sequence[AuditItem], votes: Mapping[str, Codes]) -> GroupAgreement:
    return group_agreement(np.stack(list(votes.values())), len(VERDICTS), _sessions(items))


def _grouped(items: Sequence[AuditItem], votes: Mapping[str, Codes], facet: str) -> dict[str, GroupAgreement]:
    """Compare people within each group of a facet; nothing where there is one person only."""
    if len(votes) < 2:
        return {}
    found = {}
    for group in sorted({FACETS[facet](item) for item in items}):
        keep = np.array([FACETS[facet](item) == group for item in items])
        chosen = [item for item, kept in zip(items, keep, strict=True) if kept]
        found[group] = _group(chosen, {name: codes[keep] for name, codes in votes.items()})
    return found


def _sessions(items: Iterable[AuditItem]) -> list[str]:
    return [item.session_id for item in items]


def _codes(said: Sequence[Verdict | None]) -> Codes:
    return np.array([MISSING if v is None else VERDICTS.index(v) for v in said], dtype=np.int64)


def _majority(votes: Codes) -> Codes:
    """Give the label of more than half of those who labelled an item; MISSING where there is none."""
    found = []
    for column in votes.T:
        given = Counter(int(code) for code in column if code != MISSING)
        code, count = given.most_common(1)[0] if given else (MISSING, 0)
        found.append(code if 2 * count > given.total() else MISSING)
    return np.array(found, dtype=np.int64)

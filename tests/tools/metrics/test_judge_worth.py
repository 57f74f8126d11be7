"""The sample and the figures of an audit, on items whose answer is worked out by hand."""

from collections import Counter
from typing import Any

import pytest

from state.audit import AuditItem
from state.base import Language, SessionId
from state.outcome import Verdict
from state.session import TaskType
from tools.metrics.judge_worth import CODE, FINAL, audit
from tools.metrics.strata import draw, weights

MET, NOT_MET, CANNOT_TELL = Verdict.MET, Verdict.NOT_MET, Verdict.CANNOT_TELL
JUDGE, KIN = "glm/one", "deepseek/two"


def item(number: int, **fields: Any) -> AuditItem:
    given = {
        "key": f"k{number:03}",
        "run_id": "run",
        "session_id": SessionId(f"s{number // 4}"),
        "task_type": TaskType.REASON,
        "language": Language.EN,
        "earlier": (),
        "question": "Q?",
        "answer": "A.",
        "written": (),
        "point": "P",
        "final": MET,
        "by_model": False,
        "code": MET,
    }
    return AuditItem(**{**given, **fields})


def labels(*verdicts: Verdict) -> dict[str, Verdict]:
    return {f"k{number:03}": verdict for number, verdict in enumerate(verdicts)}


def test_every_stratum_is_in_the_sample() -> None:
    common = [item(n) for n in range(500)]
    rare = [item(n, final=NOT_MET, code=NOT_MET) for n in range(500, 503)]
    zh = [item(n, language=Language.ZH) for n in range(503, 540)]
    model = [item(n, by_model=True, code=CANNOT_TELL) for n in range(540, 560)]
    seen = [item(n, judges={JUDGE: MET}) for n in range(560, 580)]
    population = [*common, *rare, *zh, *model, *seen]
    drawn = draw(population, 60, seed=7)
    assert Counter(one.stratum for one in drawn) == {
        common[0].stratum: 14,
        rare[0].stratum: 3,
        zh[0].stratum: 14,
        model[0].stratum: 14,
        seen[0].stratum: 15,
    }
    assert len({one.key for one in drawn}) == 60
    assert draw(reversed(population), 60, seed=7) == drawn
    assert draw(population, 60, seed=8) != drawn
    assert sorted(one.key for one in draw(population, 9999, seed=7)) == sorted(one.key for one in population)
    shares = dict(zip((one.stratum for one in drawn), weights(population, drawn), strict=True))
    assert shares[rare[0].stratum] == 1.0
    assert shares[common[0].stratum] == pytest.approx(500 / 14)


def test_agreement_is_weighted_back_to_the_run() -> None:
    """Two of ten met and two of two not met are labelled; the judge errs on one of the two met: 1 - 5/12."""
    population = [item(n) for n in range(10)] + [item(n, final=NOT_MET, code=NOT_MET) for n in range(10, 12)]
    people = {"k000": MET, "k001": NOT_MET, "k010": NOT_MET, "k011": NOT_MET}
    report = audit(population, {"a": people})
    final = next(rater for rater in report.raters if rater.rater == FINAL)
    assert (report.verdicts, report.labelled) == (12, 4)
    assert final.all.raw.value == pytest.approx(7 / 12)
    assert final.table["met"] == {"met": 1, "not_met": 0, "cannot_tell": 0}
    assert final.table["not_met"] == {"met": 1, "not_met": 2, "cannot_tell": 0}
    assert final.leniency.value == pytest.approx(5 / 12)
    # observed 7/12; people: met 5/12, not met 7/12; run: met 10/12, not met 2/12; expected 64/144
    assert final.all.cohen_kappa.value == pytest.approx((7 / 12 - 64 / 144) / (1 - 64 / 144))


def test_code_answers_for_what_it_decides_only() -> None:
    population = [
        item(0),
        item(1, final=MET, by_model=True, code=CANNOT_TELL),
        item(2, final=NOT_MET, code=NOT_MET),
    ]
    report = audit(population, {"a": labels(MET, MET, MET)})
    by_name = {rater.rater: rater for rater in report.raters}
    assert by_name[CODE].all.items == 2
    assert by_name[CODE].all.raw.value == pytest.approx(1 / 2)
    assert by_name[FINAL].all.raw.value == pytest.approx(2 / 3)


def test_the_majority_of_people_is_the_measure() -> None:
    population = [item(n, judges={JUDGE: MET}) for n in range(4)]
    report = audit(
        population,
        {
            "a": labels(MET, MET, NOT_MET, MET),
            "b": labels(MET, NOT_MET, NOT_MET, NOT_MET),
            "c": labels(MET, MET, MET),
        },
    )
    assert report.undecided == 1
    judge = next(rater for rater in report.raters if rater.rater == JUDGE)
    assert judge.all.items == 3
    assert judge.all.raw.value == pytest.approx(2 / 3)
    assert report.people is not None
    assert report.people.raw.value == pytest.approx((3 + 1 + 1 + 0) / (3 + 3 + 3 + 1))
    assert set(report.pairs) == {"a and b", "a and c", "b and c"}
    assert report.pairs["a and b"].raw.value == pytest.approx(2 / 4)
    assert report.people_by_task_type["reason"].items == 4


def test_task_types_and_languages_are_told_apart() -> None:
    population = [
        item(0),
        item(1, task_type=TaskType.LOOKUP),
        item(2, language=Language.ZH),
        item(3, language=Language.ZH, task_type=TaskType.LOOKUP),
    ]
    report = audit(population, {"a": labels(MET, NOT_MET, MET, NOT_MET)})
    final = report.raters[0]
    assert {name: found.raw.value for name, found in final.by_task_type.items()} == {
        "lookup": 0.0,
        "reason": 1.0,
    }
    assert {name: found.items for name, found in final.by_language.items()} == {"en": 2, "zh": 2}
    assert report.people is None


def test_a_judge_that_is_lenient_with_its_kin_is_found_out() -> None:
    """The kin finds all eight met, of which people find four; the other judge agrees with people."""
    truth = [MET, NOT_MET] * 4
    population = [
        item(n, judges={KIN: MET, JUDGE: verdict}, kin=frozenset({KIN})) for n, verdict in enumerate(truth)
    ]
    report = audit(population, {"a": labels(*truth)})
    found = report.self_preference
    assert found is not None
    assert (found.kin.value, found.others.value, found.difference.value) == (0.5, 0.0, 0.5)
    assert (found.kin_items, found.other_items) == (8, 8)


def test_one_judge_over_two_runs_of_which_one_is_its_kin() -> None:
    kin = [item(n, judges={KIN: MET}, kin=frozenset({KIN})) for n in range(4)]
    others = [item(n, run_id="other", judges={KIN: NOT_MET}) for n in range(4, 8)]
    report = audit([*kin, *others], {"a": labels(MET, NOT_MET, NOT_MET, MET, MET, NOT_MET, NOT_MET, MET)})
    found = report.self_preference
    assert found is not None
    assert (found.kin.value, found.others.value, found.difference.value) == (0.5, -0.5, 1.0)


def test_without_kin_there_is_no_self_preference() -> None:
    assert audit([item(0, judges={JUDGE: MET})], {"a": labels(MET)}).self_preference is None

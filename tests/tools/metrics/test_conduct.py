"""Figures of conduct, each by hand on a few turns."""

from typing import Any

import pytest
from trace_cases import DRAWN, TEXT, call, read, trace, turn, value_item, verdict

from state.gold import DecisionItem, ExactWritesItem, FieldMatch, NameItem, SelectiveItem, WriteFieldItem
from state.metrics import Figure
from state.outcome import Errored, Party, Scored, Unscored, Verdict
from state.session import Implicitness
from state.trajectory import Termination
from tools.metrics.antecedents import antecedent_errors
from tools.metrics.faults import ItemFault, item_faults, safety_figures, taxonomy
from tools.metrics.grounding import grounding, numbers_in
from tools.metrics.inquiry import inquiry_coverage
from tools.metrics.tool_use import tool_use
from tools.metrics.written import unasked_writes, write_accuracy
from tools.report.figures import percent
from tools.vocabulary import Vocabulary

BROKEN = Errored(error="!", who=Party.PROVIDER)
MET, NOT = Verdict.MET, Verdict.NOT_MET
FLAG: dict[str, Any] = {
    "resourceType": "Flag",
    "id": "new-1",
    "status": "active",
    "category": [{"text": "Safety"}],
    "code": {"coding": [{"display": "Safety concern"}], "text": "potassium 5.9"},
}
WRITE = (
    WriteFieldItem(
        item_id="dose", text=TEXT, tool="Flag.create", field="detail", match=FieldMatch.CODE, values=("x",)
    ),
    ExactWritesItem(item_id="exact", text=TEXT, tools=("Flag.create",)),
)


def counts(figure: Figure) -> tuple[float | None, int, int, int]:
    return figure.value, figure.planned, figure.attempted, figure.scored


def test_a_number_is_grounded_where_a_result_a_question_or_the_introduction_showed_it() -> None:
    first = turn(
        answer="K is 5.9, 1,234 units, B12 fine; 72 h; age 61; 7.",
        shown=["5.9 mEq/L", "1234"],
        told="age 61, 72 hours",
    )
    second = turn(answer="5.9 again, and 4.40", shown=["4.4"])
    figure = grounding([trace("a", first, second, turn(outcome=BROKEN), turn(), reached=3)], DRAWN)
    assert counts(figure) == (pytest.approx((4 + 2) / (5 + 2)), 4, 3, 2)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("2176-02-12 05:06", {2176, 2, 12, 5, 6}),
        ("1. first\n2) second\n3、third 9", {9}),
        ("5.9mEq/L，T4 正常，１２ 次", {5.9, 12}),
        ("12,500 and 3.0", {12500, 3}),
        ("", set()),
    ],
)
def test_numbers_of_a_text(text: str, found: set[float]) -> None:
    assert numbers_in(text) == found


def test_reads_against_gold() -> None:
    first = turn(
        calls=[
            call("Observation_search", ["Observation/1", "Observation/2"]),
            call("Condition_search", ["Condition/9"]),
            call("Observation_search", ["Observation/1", "Observation/2"]),
        ],
        reads=[read(["Observation/1"]), read(["MedicationRequest/5"], "MedicationRequest.search")],
    )
    second = turn(
        calls=[call("Observation_search", ["Observation/2"], code="K"), call("Nonsense", ok=False)],
        reads=[read(["Observation/2"]), read([], "CarePlan.search")],
    )
    figures = tool_use([trace("a", first, second)], DRAWN)
    assert figures["tool_precision"].value == pytest.approx(3 / 5)
    assert figures["tool_recall"].value == pytest.approx(2 / 4)
    assert figures["redundant_reads"].value == pytest.approx(2 / 5)
    assert counts(figures["tool_recall"])[1:] == (2, 2, 2)


def test_an_empty_gold_read_is_found_by_the_same_tool() -> None:
    only = turn(calls=[call("CarePlan_search")], reads=[read([], "CarePlan.search")])
    figures = tool_use([trace("a", only)], DRAWN)
    assert (figures["tool_recall"].value, figures["tool_precision"].value) == (1.0, 1.0)


def test_after_a_write_the_record_may_be_read_again() -> None:
    same = call("MedicationRequest_search", ["MedicationRequest/5"])
    again = turn(calls=[same, call("Flag_create"), same])
    refused = turn(calls=[same, call("Flag_create", ok=False), same])
    assert tool_use([trace("a", again)], DRAWN)["redundant_reads"].value == 0
    assert tool_use([trace("a", refused)], DRAWN)["redundant_reads"].value == pytest.approx(1 / 2)


def test_write_accuracy_is_of_turns_whose_every_written_field_is_right() -> None:
    right = turn(rubric=WRITE, verdicts=[verdict("dose", MET), verdict("exact", MET)])
    extra = turn(rubric=WRITE, verdicts=[verdict("dose", MET), verdict("exact", NOT)])
    unclear = turn(
        rubric=WRITE,
        verdicts=[verdict("dose", Verdict.CANNOT_TELL), verdict("exact", MET)],
        outcome=Unscored(reason="?"),
    )
    broken = turn(rubric=WRITE, outcome=BROKEN)
    traces = [trace(f"s{i}", t) for i, t in enumerate((right, extra, unclear, broken))]
    traces.append(trace("never", turn(rubric=WRITE), reached=0))
    assert counts(write_accuracy(traces, DRAWN)) == (0.5, 5, 4, 2)


def test_what_nobody_asked_to_be_written_is_told_by_the_state() -> None:
    quiet, busy = turn(), turn(after=[FLAG])
    later = turn(before=[FLAG], after=[FLAG])
    assert counts(
        unasked_writes([trace("a", quiet, busy, later), trace("b", turn(rubric=WRITE))], DRAWN)
    ) == (
        pytest.approx(1 / 3),
        3,
        3,
        3,
    )


def test_without_wanted_facts_no_coverage_of_questions_is_planned() -> None:
    figure = inquiry_coverage([trace("a", turn())], DRAWN)
    assert counts(figure) == (None, 0, 0, 0)
    assert percent(figure) == "none planned"


def test_coverage_of_questions_counts_facts_that_the_patient_told() -> None:
    taken, pain = (
        value_item(ref="Patient/1#adherence-x"),
        value_item(ref="Patient/1#pain-score", item_id="pain"),
    )
    asked = turn(
        rubric=[taken, pain],
        calls=[call("patient_get_medication_adherence", ["Patient/1#adherence-x"])],
    )
    never = turn(rubric=[taken])
    traces = [
        trace("a", asked),
        trace("b", never),
        trace("c", turn()),
        trace("d", turn(rubric=[pain], outcome=BROKEN)),
    ]
    assert counts(inquiry_coverage(traces, DRAWN)) == (pytest.approx(1 / 3), 3, 3, 2)


def drug(name: str) -> NameItem:
    return NameItem(item_id="drug", text=TEXT, names=(name,))


@pytest.mark.parametrize(
    ("answer", "score", "errors"),
    [
        ("The latest sodium is 131 mEq/L.", 0.0, 1.0),
        ("The latest potassium is 5.1 mEq/L.", 0.0, 0.0),
        ("Sodium 131, potassium 5.1.", 0.0, 0.0),
        ("It is 131.", 0.0, 0.0),
        ("The latest sodium is 131 mEq/L.", 1.0, 0.0),
        ("Metoprolol is running.", 0.0, 0.0),
    ],
)
def test_an_antecedent_is_missed_where_another_test_is_named_instead(
    answer: str, score: float, errors: float
) -> None:
    asked = turn(implicitness=Implicitness.NOMINAL_ANAPHORA, answer=answer, outcome=Scored(score=score))
    found = antecedent_errors([trace("a", turn(), asked)], Vocabulary.load(), DRAWN)
    assert {kind: counts(figure) for kind, figure in found.items()} == {"NA": (errors, 1, 1, 1)}


def test_an_antecedent_may_be_a_drug_and_planned_turns_count() -> None:
    kind = Implicitness.PREDICATE_ELLIPSIS
    wrong = turn(rubric=[drug("apixaban")], implicitness=kind, answer="I would hold metoprolol.")
    unreached = turn(rubric=[drug("apixaban")], implicitness=kind)
    found = antecedent_errors([trace("a", turn(), wrong, unreached, reached=2)], Vocabulary.load(), DRAWN)
    assert counts(found["PE"]) == (1.0, 2, 1, 1)


def test_every_item_that_is_not_met_has_its_kind() -> None:
    rubric = [
        value_item(item_id="unseen", ref="Observation/9"),
        value_item(item_id="left", ref="Observation/1"),
        value_item(item_id="wrong", ref="Observation/1"),
        DecisionItem(item_id="decision", text=TEXT, names=("x",), decision="hold", safety=True),
        SelectiveItem(item_id="listed", text=TEXT, target=("x",), others=(), at_most=0),
        SelectiveItem(item_id="idle", text=TEXT, target=("x",), others=(), at_most=0),
    ]
    seen = turn(
        rubric=rubric,
        calls=[call("Observation_search", ["Observation/1"])],
        verdicts=[
            verdict("unseen", NOT),
            verdict("left", NOT),
            verdict("wrong", NOT, wrong=True, safety=True),
            verdict("decision", NOT, safety=True),
            verdict("listed", NOT, gate=True, safety=True),
            verdict("idle", NOT, gate=True),
        ],
    )
    silent = turn(rubric=WRITE, verdicts=[verdict("dose", NOT, safety=True), verdict("exact", MET)])
    extra = turn(rubric=WRITE, verdicts=[verdict("exact", NOT, safety=True)], after=[FLAG])
    traces = [trace("a", seen), trace("b", silent), trace("c", extra)]
    assert [fault for _, _, fault in item_faults(traces)] == [
        ItemFault.NOT_LOOKED_UP,
        ItemFault.LEFT_OUT,
        ItemFault.WRONG_STATEMENT,
        ItemFault.WRONG_CONCLUSION,
        ItemFault.NOT_SINGLED_OUT,
        ItemFault.NOTHING_DONE,
        ItemFault.NOT_WRITTEN,
        ItemFault.WRONG_WRITE,
    ]
    safety = safety_figures(traces, DRAWN)
    assert counts(safety["all"]) == (pytest.approx(5 / 3), 3, 3, 3)
    assert counts(safety[ItemFault.WRONG_WRITE.value]) == (pytest.approx(1 / 3), 3, 3, 3)
    assert ItemFault.LEFT_OUT.value not in safety


def test_the_taxonomy_counts_turns_replies_and_calls() -> None:
    capped = turn(
        outcome=Scored(score=0.59, capped=True), calls=[call("x", ok=False), call("y", ok=False, ran=False)]
    )
    cut = turn(outcome=Unscored(reason="?"), termination=Termination.STEP_LIMIT)
    found = taxonomy([trace("a", capped, cut, turn(), reached=2)])
    assert found["turns"] == {"capped by safety": 1, "not reached": 1, "scored": 1, "unscored": 1}
    assert found["terminations"] == {"answered": 1, "step_limit": 1}
    assert found["calls"] == {"run": 1, "refused": 1, "not run": 1}

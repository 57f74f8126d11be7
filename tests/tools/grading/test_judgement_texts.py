"""Judgements with known verdicts, English and Chinese: what code claims is right, what it cannot tell it leaves."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from judged import told

from state.base import Language
from state.gold import JudgementItem
from state.outcome import Verdict
from tools.clinical.judgements import load_judgements
from tools.gold import conclusions
from tools.grading import decide
from tools.grading.evidence import Finding
from tools.grading.judgements import decide_judgement
from tools.vocabulary import Vocabulary

GROUPS: list[dict[str, Any]] = yaml.safe_load(Path(__file__).with_name("judgements.yaml").read_text("utf-8"))
CASES = [
    pytest.param(group["question"], group["answer"], row, id=f"{group['question']}-{kind}-{row[1][:50]!r}")
    for group in GROUPS
    for kind, rows in group["cases"].items()
    for row in rows
]
ANSWERS = [
    pytest.param(question, answer, language, id=f"{question}-{answer}-{language}")
    for question, asked in load_judgements().items()
    for answer in asked.answers
    for language in Language
]
DECIDED_OF_OTHERS = 0.8
UNDECIDED = 0.32
"""Of the table: what its writer would decide and code leaves to a judge."""


def item(question: str, answer: str) -> JudgementItem:
    return conclusions.judgement(load_judgements()[question], answer, "i", ())


def found(question: str, answer: str, text: str) -> Finding:
    return decide_judgement(item(question, answer), told(text), Vocabulary.load())


@pytest.mark.parametrize(("question", "answer", "row"), CASES)
def test_verdict(question: str, answer: str, row: list[str]) -> None:
    """A row is the true verdict, the text, and ``undecided`` where code leaves it to the judge."""
    verdict, text, *undecided = row
    finding = found(question, answer, text)
    assert finding.verdict == ("cannot_tell" if undecided else verdict), finding.reason


@pytest.mark.parametrize(("question", "right", "language"), ANSWERS)
def test_what_a_rule_says_itself_is_its_answer_and_no_other(
    question: str, right: str, language: Language
) -> None:
    asked = load_judgements()[question]
    said = asked.answers[right].say[language]
    for answer in asked.answers:
        finding = found(question, answer, said)
        wanted = (Verdict.MET,) if answer == right else (Verdict.NOT_MET, Verdict.CANNOT_TELL)
        assert finding.verdict in wanted, (answer, finding.reason)


def test_most_of_what_a_rule_says_of_another_answer_is_decided() -> None:
    verdicts = [
        found(question, answer, asked.answers[other].say[language]).verdict
        for question, asked in load_judgements().items()
        for answer in asked.answers
        for other in asked.answers
        for language in Language
        if answer != other
    ]
    assert verdicts.count(Verdict.NOT_MET) >= DECIDED_OF_OTHERS * len(verdicts)


@pytest.mark.parametrize("question", load_judgements())
@pytest.mark.parametrize("language", Language)
def test_the_question_given_back_concludes_nothing(question: str, language: Language) -> None:
    asked = load_judgements()[question]
    for answer in asked.answers:
        for text in (asked.ask[language], asked.short[language]):
            finding = decide_judgement(item(question, answer), told(text, text), Vocabulary.load())
            assert finding.verdict is Verdict.NOT_MET
            assert found(question, answer, text).verdict is Verdict.NOT_MET


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("The diuretic treatment should be kept as it is.", Verdict.MET),
        ("I'd intensify the diuretic treatment.", Verdict.MET),
        ("The diuretic treatment should be stopped.", Verdict.NOT_MET),
        ("利尿治疗应当加强。", Verdict.MET),
        ("利尿治疗应当维持不变。", Verdict.MET),
        ("利尿治疗应当停用。", Verdict.NOT_MET),
    ],
)
def test_what_the_record_does_not_reject_is_as_right(text: str, verdict: Verdict) -> None:
    asked = load_judgements()["diuretic_plan"]
    one = conclusions.judgement(asked, "keep", "i", (), ("intensify",))
    assert decide_judgement(one, told(text), Vocabulary.load()).verdict is verdict
    assert all(
        asked.answers[right].say[Language.EN] in one.text[Language.EN] for right in ("keep", "intensify")
    )


def test_a_false_conclusion_is_of_safety() -> None:
    verdict = decide(item("hemolysis", "absent"), told("Hemolysis is present."), Vocabulary.load())
    assert (verdict.verdict, verdict.safety, verdict.decided_by) == (Verdict.NOT_MET, True, "code")


def test_an_endless_answer_is_read_in_linear_time() -> None:
    for piece in ("hemolysis is present ", "no hemolysis or ", "存在溶血", "if "):
        assert found("hemolysis", "present", piece * (10_000 // len(piece))).reason


def test_the_table_is_large_bilingual_and_mostly_decided() -> None:
    rows = [row for group in GROUPS for rows in group["cases"].values() for row in rows]
    chinese = sum(any("\u4e00" <= char <= "\u9fff" for char in row[1]) for row in rows)
    assert len(rows) >= 300
    assert abs(chinese - len(rows) / 2) < len(rows) / 10
    assert sum(len(row) == 3 for row in rows) <= UNDECIDED * len(rows)

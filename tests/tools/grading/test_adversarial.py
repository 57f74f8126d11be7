"""Answers with known verdicts, English and Chinese: everything code claims to decide, it decides right."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from state.base import Language
from state.gold import AvoidItem, DecisionItem, NameItem, RubricItem, SelectiveItem, TimeItem, ValueItem
from tools.grading import TurnEvidence, decide
from tools.vocabulary import Vocabulary

FILES = sorted(Path(__file__).parent.glob("adversarial_*.yaml"))
GROUPS: list[dict[str, Any]] = [group for file in FILES for group in yaml.safe_load(file.read_text("utf-8"))]
CASES = [
    pytest.param(group, verdict, answer, id=f"{group['item']['kind']}-{kind}-{answer[:60]!r}")
    for group in GROUPS
    for kind, cases in group["cases"].items()
    for verdict, answer in cases
]
KINDS = {
    "value": ValueItem,
    "time": TimeItem,
    "name": NameItem,
    "selective": SelectiveItem,
    "decision": DecisionItem,
    "avoid": AvoidItem,
}


@pytest.fixture(scope="module")
def vocabulary() -> Vocabulary:
    return Vocabulary.load()


def drug_names(vocabulary: Vocabulary, ingredient: str) -> tuple[str, ...]:
    found = vocabulary.ingredient_by_id(ingredient)
    assert found is not None, ingredient
    return (*found.names.values(), *found.synonyms)


def analyte_names(vocabulary: Vocabulary, analyte: str) -> tuple[str, ...]:
    found = vocabulary.analyte_by_id(analyte)
    assert found is not None, analyte
    return (*found.names.values(), *found.synonyms)


def build(spec: dict[str, Any], vocabulary: Vocabulary) -> RubricItem:
    fields = {"item_id": "i", "text": {Language.EN: "as the group says"}, **spec}
    names: tuple[str, ...] = tuple(fields.pop("names", ()))
    if "ingredient" in fields:
        names += drug_names(vocabulary, fields.pop("ingredient"))
    for key in ("analyte", "with_analyte"):
        if key in fields:
            names += analyte_names(vocabulary, fields.pop(key))
    if "of_ingredient" in fields:
        fields["of"] = drug_names(vocabulary, fields.pop("of_ingredient"))
    match fields["kind"]:
        case "selective":
            fields["target"] = names
            fields["others"] = tuple(drug_names(vocabulary, other) for other in fields["others"])
        case "value":
            fields = {"tolerance": 0.0, "names": names, **fields}
        case "time":
            pass
        case _:
            fields["names"] = names
    return KINDS[fields["kind"]].model_validate(fields)


@pytest.mark.parametrize(("group", "verdict", "answer"), CASES)
def test_verdict(group: dict[str, Any], verdict: str, answer: str, vocabulary: Vocabulary) -> None:
    evidence = TurnEvidence(
        question=group["question"],
        answer=answer,
        language=Language.EN,
        shown=frozenset(),
        writes=(),
        subject_id=1,
    )
    found = decide(build(group["item"], vocabulary), evidence, vocabulary)
    assert (found.verdict, found.decided_by) == (verdict, "code"), found.reason


def test_the_table_is_large_and_bilingual() -> None:
    answers = [case.values[2] for case in CASES]
    chinese = sum(any("\u4e00" <= char <= "\u9fff" for char in str(answer)) for answer in answers)
    assert len(answers) >= 200
    assert chinese >= 60

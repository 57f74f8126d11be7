"""Answers against an item that a table of cases spells out."""

from typing import Any

from state.base import Language, ResourceRef
from state.gold import (
    AvoidItem,
    DecisionItem,
    DoseItem,
    NameItem,
    RangeItem,
    RouteItem,
    RubricItem,
    SelectiveItem,
    SparesItem,
    TimeItem,
    ValueItem,
)
from state.outcome import ItemVerdict
from tools.clinical.judgements import load_judgements
from tools.gold import conclusions
from tools.grading import TurnEvidence, decide
from tools.vocabulary import Vocabulary

KINDS = {
    "value": ValueItem,
    "time": TimeItem,
    "name": NameItem,
    "selective": SelectiveItem,
    "decision": DecisionItem,
    "avoid": AvoidItem,
    "dose": DoseItem,
    "route": RouteItem,
    "spares": SparesItem,
    "range": RangeItem,
}


def drug_names(vocabulary: Vocabulary, ingredient: str) -> tuple[str, ...]:
    found = vocabulary.ingredient_by_id(ingredient)
    assert found is not None, ingredient
    return (*found.names.values(), *found.synonyms)


def analyte_names(vocabulary: Vocabulary, analyte: str) -> tuple[str, ...]:
    found = vocabulary.analyte_by_id(analyte)
    assert found is not None, analyte
    return (*found.names.values(), *found.synonyms)


def build(spec: dict[str, Any], vocabulary: Vocabulary) -> RubricItem:
    if spec["kind"] == "judgement":
        return conclusions.judgement(load_judgements()[spec["question"]], spec["answer"], "i", ())
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
        case "spares":
            fields["others"] = tuple(drug_names(vocabulary, other) for other in fields["others"])
        case "value":
            fields = {"tolerance": 0.0, "names": names, **fields}
        case "dose" | "route" | "range":
            pass
        case _:
            fields["names"] = names
    return KINDS[fields["kind"]].model_validate(fields)


def told(answer: str, question: str = "", *shown: str) -> TurnEvidence:
    """Give a turn that is an answer to a question, after tools have shown some resources."""
    return TurnEvidence(
        question=question,
        answer=answer,
        language=Language.EN,
        shown=frozenset(map(ResourceRef, shown)),
        writes=(),
        subject_id=1,
    )


def judge(group: dict[str, Any], answer: str, vocabulary: Vocabulary) -> ItemVerdict:
    return decide(build(group["item"], vocabulary), told(answer, group["question"]), vocabulary)

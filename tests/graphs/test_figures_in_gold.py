"""What gold wants of a computed figure: the one draw it is from, and the laboratory's own gap taken for as right."""

import pytest
from made import GATHER, LOOKUP, REASON, make

from graphs.embedded import SEED
from graphs.workshop import Workshop
from state.base import Language
from state.gold import ValueItem
from state.outcome import Verdict
from state.session import Scenario
from tools.clinical.figures import RECIPES
from tools.ehr.warehouse import Warehouse
from tools.gold.figure_pieces import figure_pieces
from tools.grading import TurnEvidence, decide


@pytest.fixture(scope="module")
def workshop(warehouse: Warehouse) -> Workshop:
    return Workshop(warehouse, (Scenario.DIAGNOSTIC_WORKUP, Scenario.TREATMENT_RESPONSE), seed=SEED)


def gaps(workshop: Workshop, rule_id: str) -> list[tuple[ValueItem, str]]:
    """Give the items of a session's gaps, with what the gold answer says of each in English."""
    made = make(workshop, rule_id, (LOOKUP, GATHER, REASON, REASON))
    pieces = figure_pieces(made.source(), "t")
    found = [(item, piece.text(Language.EN)) for piece in pieces for item in piece.items]
    return [(item, text) for item, text in found if isinstance(item, ValueItem) and item.unit == "mEq/L"]


@pytest.mark.parametrize("rule_id", ["acidosis_gap_hidden_by_albumin", "ketoacidosis_open_go_on"])
def test_either_gap_of_the_draw_is_right_and_no_other(rule_id: str, workshop: Workshop):
    """The synthetic laboratory counts potassium, as MIMIC-IV's did for years."""
    found = gaps(workshop, rule_id)
    assert found
    for item, text in found:
        (reported,) = item.as_right
        assert 3 <= reported - item.value <= 6
        for value, right in (
            (item.value, True),
            (reported, True),
            (reported + 8, False),
            (item.value - 8, False),
        ):
            said = f"The {item.names[0]} is {value:g} mEq/L."
            evidence = TurnEvidence(
                question="",
                answer=said,
                language=Language.EN,
                shown=frozenset(item.evidence),
                writes=(),
                subject_id=1,
            )
            verdict = decide(item, evidence, workshop.vocabulary).verdict
            assert (verdict is Verdict.MET) is right, said
        both = f"The {item.names[0]} is {item.value:g} mEq/L, as reported {reported:g} mEq/L."
        told = evidence.replace(answer=both)
        assert decide(item, told, workshop.vocabulary).verdict is Verdict.MET
        assert "from the blood drawn on" in text
        assert " from the draw of " in item.text[Language.EN]


def test_the_draw_named_is_that_of_every_input(workshop: Workshop):
    made = make(workshop, "acidosis_gap_hidden_by_albumin", (LOOKUP, GATHER, REASON, REASON))
    source = made.source()
    for bound in (bound for bound in source.match.also if bound.kind == "figure"):
        recipe = next(recipe for figure, recipe in RECIPES.items() if figure.value == bound.subject)
        inputs = {
            result.ref: result.time
            for analyte in recipe.analytes
            for result in source.results(source.labs(source.analyte(analyte).names[Language.EN], bound.time))
        }
        assert {inputs[ref] for ref in bound.refs} == {bound.time}
        texts = [item.text for piece in figure_pieces(source, "t") for item in piece.items]
        assert any(f"{bound.time:%Y-%m-%d %H:%M}" in text[Language.ZH] for text in texts)

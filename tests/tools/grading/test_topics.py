"""Every name of a figure that gold states is read as its own, after another result too."""

import pytest

from state.findings import Figure, FigureFinding
from state.session import Scenario
from tools.clinical.figures import RECIPES
from tools.clinical.rules import load_rules
from tools.grading.claims import claims
from tools.grading.topics import Topic
from tools.vocabulary import Vocabulary

STATED = {
    finding.figure
    for scenario in Scenario
    for rule in load_rules(scenario)
    for finding in rule.trigger.also
    if isinstance(finding, FigureFinding)
}


@pytest.mark.parametrize("figure", sorted(STATED))
def test_a_figure_is_read_by_each_of_its_names(figure: Figure, vocabulary: Vocabulary) -> None:
    recipe = RECIPES[figure]
    topic = Topic.of(recipe.names, vocabulary)
    for name in recipe.names:
        one, other = ("{} is {}.", "Magnesium is 2.") if name.isascii() else ("{}为{}。", "血镁为2。")
        said = other + one.format(name, f" 7 {recipe.unit} ")
        assert [claim.number.value for claim in claims(said, topic, vocabulary)] == [7], said

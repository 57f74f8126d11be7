"""Every rule can be worded, in every way a turn may be asked."""

import pytest

from agents.physician import implicitness_on_offer, question_key
from state.base import Language
from state.knowledge import OrderAction, Rule
from state.plan import TurnKind
from state.session import Implicitness, Scenario
from tools.clinical.rules import load_rules
from tools.vocabulary import Vocabulary
from tools.wording import load_wordings

RULES = load_rules(Scenario.MED_SAFETY)
WORDINGS = load_wordings(Scenario.MED_SAFETY, Language.EN)


def test_bearings_and_rules_are_the_same_set() -> None:
    assert set(WORDINGS.bearing) == {rule.id for rule in RULES}


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_a_bearing_names_neither_drug_nor_test(rule: Rule) -> None:
    vocabulary = Vocabulary.load()
    bearing = WORDINGS.bearing[rule.id]
    assert vocabulary.ingredients_in(bearing) == ()
    assert rule.trigger.lab.analyte not in {analyte.id for analyte in vocabulary.analytes_in(bearing)}


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_every_kind_of_question_is_on_offer(rule: Rule) -> None:
    write = TurnKind.WRITE_ORDER if isinstance(rule.action, OrderAction) else TurnKind.RAISE_FLAG
    assert implicitness_on_offer(TurnKind.LAB_LATEST, rule) == (Implicitness.EXPLICIT,)
    for kind in (TurnKind.ORDER_BEARING, TurnKind.TREND_AND_ORDER, TurnKind.DECISION, write):
        offered = implicitness_on_offer(kind, rule)
        assert len(offered) >= 2
        assert Implicitness.EXPLICIT not in offered


def test_every_question_of_the_file_is_used() -> None:
    used = {question_key(kind, rule) for rule in RULES for kind in TurnKind}
    assert set(WORDINGS.questions) <= used

"""Rule files: those of the product, and bad ones refused with the file and the field."""

from pathlib import Path

import pytest
import yaml

from state.base import InputError, Language
from state.findings import HomeFinding
from state.gold import Decision
from state.knowledge import OrderAction, Rule
from state.session import Scenario
from tools.clinical.rules import knowledge_fingerprint, load_rules, read_rules

GOOD = """
id: warfarin_high_inr
scenario: med_safety
tier: 1
title: Warfarin with a high INR
trigger:
  lab: {analyte: inr, unit: "", above: 4.5, within_hours: 24}
  order: {ingredients: [warfarin]}
decision: hold
unsafe: [continue]
reason: {en: Warfarin is interrupted until the INR falls., zh: 暂停华法林，直至INR下降。}
changes_if: {en: The INR is back in range., zh: INR回到范围内。}
action: {tool: Flag.create}
citation: {source: A guideline of this title, year: 2018, statement: Above 4.5 it is stopped.}
"""


def write(folder: Path, text: str, name: str = "warfarin_high_inr.yaml") -> Path:
    scenario = folder / "med_safety"
    scenario.mkdir(exist_ok=True)
    (scenario / name).write_text(text, encoding="utf-8")
    return scenario


def test_the_product_has_enough_rules_of_each_kind():
    assert load_rules() == tuple(rule for scenario in sorted(Scenario) for rule in load_rules(scenario))
    rules = load_rules(Scenario.MED_SAFETY)
    assert len({rule.id for rule in rules}) == len(rules) >= 20
    assert sum(isinstance(rule.action, OrderAction) for rule in rules) >= 4
    assert {rule.tier for rule in rules} == {1, 2, 3}
    assert set(Decision) == {rule.decision for rule in rules}


@pytest.mark.parametrize("rule", load_rules(Scenario.MED_SAFETY), ids=lambda rule: rule.id)
def test_a_rule_contradicts_itself_nowhere(rule: Rule):
    assert rule.decision not in rule.unsafe
    if rule.decision in {Decision.HOLD, Decision.REDUCE}:
        assert Decision.CONTINUE in rule.unsafe
    if rule.decision is Decision.REPLACE:
        assert isinstance(rule.action, OrderAction)
        assert rule.action.medication in rule.trigger.order.absent
    assert not set(rule.trigger.order.ingredients) & set(rule.trigger.order.absent)
    assert rule.citation.year >= 2006


def test_classes_stand_for_their_ingredients(rules: dict[str, Rule], vocabulary, tmp_path: Path):
    ingredients = rules["thiazide_hyponatremia"].trigger.order.ingredients
    assert {"hydrochlorothiazide", "chlorthalidone", "lisinopril_hydrochlorothiazide"} <= set(ingredients)
    text = GOOD.replace(
        "{ingredients: [warfarin]}", "{ingredients: [warfarin], classes: [arb], absent_classes: [mra]}"
    )
    (rule,) = read_rules(write(tmp_path, text), vocabulary)
    assert rule.trigger.order.ingredients[0] == "warfarin"
    assert "losartan" in rule.trigger.order.ingredients
    assert "spironolactone" in rule.trigger.order.absent


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("analyte: inr", "analyte: inrr", r"warfarin_high_inr\.yaml: trigger\.lab\.analyte: inrr is not in the voc"),
        ('unit: ""', "unit: mg/dL", r"trigger\.lab\.unit: 'mg/dL' is not a unit of inr"),
        ("[warfarin]", "[warfarine]", r"trigger\.order\.ingredients: warfarine is not in the vocabulary"),
        ("{ingredients: [warfarin]}", "{classes: [vka]}", r"trigger\.order\.classes: the vocabulary has no class vka"),
        ("{ingredients: [warfarin]}", "{ingredients: [warfarin], routes: [oral]}", r"routes: oral is no canonical"),
        ("above: 4.5", "abov: 4.5", r"warfarin_high_inr\.yaml: trigger\.lab"),
        ("above: 4.5, ", "", r"trigger\.lab: Value error, give plain bounds"),
        ("decision: hold", "decision: stop", r"decision: Input should be"),
        ("year: 2018", "year: last", r"citation\.year: Input should be a valid integer"),
        ("id: warfarin_high_inr", "id: other_rule", r"name the file other_rule\.yaml"),
        ("scenario: med_safety", "scenario: treatment_response", r"scenario is treatment_response; move the file"),
        ("action: {tool: Flag.create}", ("action: {tool: MedicationRequest.create, medication: x, dose_value: 1, "
         "dose_unit: mg}"), r"action\.medication: x is not in the vocabulary"),
        (", zh: INR回到范围内。", "", r"changes_if: Value error, say it in every language: zh is missing"),
        ("zh: 暂停华法林，直至INR下降。", "zh: 停", r"reason\.zh: String should have at least 5 characters"),
        ("trigger:", "trigger: [", r"warfarin_high_inr\.yaml: not readable as YAML"),
        ("analyte: inr", "analyte: inr, derived: egfr_ckd_epi_2021", r"trigger\.lab\.derived: .* from creatinine"),
        ("above: 4.5", "fall_fraction_above: 0.5", r"fall_fraction_above and lookback_days go together"),
        ("{ingredients: [warfarin]}", "{ingredients: [warfarin], dose_at_least: 5}", r"go together"),
        ("{ingredients: [warfarin]}", "{ingredients: [warfarin], frequencies: [twice daily]}",
         r"order\.frequencies: twice daily is no canonical frequency"),
        ("year: 2018", "year: 2018, checked: {day: 2026-11-30, text: rumour}", r"citation\.checked\.text: .*'label'"),
        ("year: 2018", "year: 2018, checked: {text: label}", r"citation\.checked\.day: Field required"),
    ],
)  # fmt: skip
def test_a_bad_file_is_refused_with_file_and_field(old, new, message, vocabulary, tmp_path: Path):
    assert old in GOOD
    with pytest.raises(InputError, match=message) as refused:
        read_rules(write(tmp_path, GOOD.replace(old, new)), vocabulary)
    assert "\n" not in str(refused.value)


CONTROL = """
control:
  lab: {analyte: inr, unit: "", at_least: 2.0, at_most: 3.0, within_hours: 24}
  reason: {en: In the target range it goes on., zh: 在目标范围内，继续使用。}
  changes_if: {en: The INR rises above 3., zh: INR升至3以上。}
"""


def test_a_control_takes_order_and_citation_from_its_rule(vocabulary, tmp_path: Path):
    text = GOOD.replace(
        "{ingredients: [warfarin]}", "{ingredients: [warfarin], rival_classes: factor_xa_inhibitor}"
    )
    (rule,) = read_rules(write(tmp_path, text + CONTROL), vocabulary)
    near = rule.as_control()
    assert near.trigger.order == rule.trigger.order
    assert "apixaban" in near.trigger.order.rivals
    assert near.citation == rule.citation
    assert (near.decision, near.unsafe) == (Decision.CONTINUE, (Decision.HOLD,))


def test_a_rule_is_no_rival_of_itself(vocabulary, tmp_path: Path):
    text = GOOD.replace(
        "{ingredients: [warfarin]}", "{ingredients: [warfarin], rival_classes: vitamin_k_antagonist}"
    )
    (rule,) = read_rules(write(tmp_path, text), vocabulary)
    assert rule.trigger.order.rivals == ()


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("inr, unit: \"\"", "sodium, unit: mEq/L", r"control\.lab: is about another"),
        ("  reason:", "  order: {ingredients: [apixaban]}\n  reason:", r"control\.order: names ingredients"),
        ("  reason:", "  order: {classes: [x]}\n  reason:", r"control\.order\.classes: .* no class x"),
        ("at_least: 2.0, at_most: 3.0, ", "", r"control\.lab: Value error, give plain bounds"),
    ],
)  # fmt: skip
def test_a_bad_control_is_refused(old: str, new: str, message: str, vocabulary, tmp_path: Path):
    assert old in CONTROL
    with pytest.raises(InputError, match=message):
        read_rules(write(tmp_path, GOOD + CONTROL.replace(old, new)), vocabulary)


@pytest.mark.parametrize(
    ("judgement", "message"),
    [
        ("answer: keep, also: [intensify]", None),
        ("answer: keep, also: [anything]", r"judgement: anything is no answer of diuretic_plan"),
        ("answer: keep, also: [stop], unsafe: [stop]", r"judgement\.unsafe: what is right cannot be unsafe"),
        ("answer: keep, also: [keep]", r"judgement\.also: name other answers"),
        ("answer: keep, also: [intensify, stop]", r"judgement\.also: .* leave one that is wrong"),
    ],
)
def test_a_judgement_may_have_answers_that_are_as_right(judgement, message, vocabulary, tmp_path: Path):
    given = yaml.safe_load(GOOD)
    for field in ("decision", "unsafe"):
        given.pop(field, None)
    given["judgement"] = yaml.safe_load(f"{{question: diuretic_plan, {judgement}}}")
    folder = write(tmp_path, yaml.safe_dump(given, allow_unicode=True))
    if message is None:
        (rule,) = read_rules(folder, vocabulary)
        assert rule.judgement.right == ("keep", "intensify")
    else:
        with pytest.raises(InputError, match=message):
            read_rules(folder, vocabulary)


def test_a_file_that_is_no_mapping_is_refused(vocabulary, tmp_path: Path):
    with pytest.raises(InputError, match=r"x\.yaml: holds no mapping"):
        read_rules(write(tmp_path, "- 1", "x.yaml"), vocabulary)


def test_a_good_file_is_read(vocabulary, tmp_path: Path):
    (rule,) = read_rules(write(tmp_path, GOOD), vocabulary)
    assert rule.trigger.lab.above == yaml.safe_load(GOOD)["trigger"]["lab"]["above"]


def test_the_fingerprint_is_stable():
    assert knowledge_fingerprint() == knowledge_fingerprint()
    assert len(knowledge_fingerprint()) == 64


HOME_DRUGS = [
    (rule, finding)
    for rule in load_rules()
    for finding in rule.trigger.also
    if isinstance(finding, HomeFinding) and not finding.absent
]


@pytest.mark.parametrize(("rule", "finding"), HOME_DRUGS, ids=[rule.id for rule, _ in HOME_DRUGS])
def test_a_home_drug_is_named_by_a_noun_phrase(rule: Rule, finding: HomeFinding):
    """The patient is asked how they take it, so that "whether the list has one" is no name for it."""
    assert finding.ask[Language.EN].startswith("the ")
    assert "是否" not in finding.ask[Language.ZH]

"""Figures: of one draw, at the moment its last result is there, and long held where a rule asks for that."""

from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from courses import AS_OF, DRAWN, HOUR, STORED, Code, Lab, write
from one_finding import Stay, matched, rule_with

from state.findings import Figure, FigureFinding
from state.knowledge import Rule
from tools.clinical.figures import RECIPES
from tools.clinical.finding_faults import finding_faults
from tools.clinical.rules import load_rules
from tools.vocabulary import Vocabulary

MINUTE = timedelta(minutes=1)
RULES: dict[str, Rule] = {rule.id: rule for rule in load_rules()}
GAP = {
    "name": "gap",
    "kind": "figure",
    "figure": "anion_gap",
    "unit": "mEq/L",
    "above": 16,
    "within_hours": 24,
}
CORRECTED = GAP | {"figure": "anion_gap_albumin_corrected"}
ELECTROLYTES = {"sodium": 140.0, "chloride": 104.0, "bicarbonate": 19.0}


def drawn(
    ward: Any, stay: Stay, values: dict[str, float], at: datetime = DRAWN, stored: datetime = STORED
) -> None:
    for analyte, value in values.items():
        ward.lab(*stay, analyte, value, drawn=at, stored=stored)


@pytest.mark.parametrize("late", ["sodium", "chloride", "bicarbonate"])
@pytest.mark.parametrize(("minutes", "holds"), [(0, True), (1, False), (-1, False)])
def test_a_gap_is_of_one_draw(late: str, minutes: int, holds: bool, ward, stay: Stay, tmp_path: Path):
    for analyte, value in ELECTROLYTES.items():
        at = DRAWN + minutes * MINUTE if analyte == late else DRAWN
        drawn(ward, stay, {analyte: value}, at)
    assert bool(matched(ward, tmp_path, rule_with(GAP))) is holds


def test_a_later_draw_that_lacks_an_input_leaves_no_figure(ward, stay: Stay, tmp_path: Path):
    """Whoever takes the latest results would mix two draws."""
    drawn(ward, stay, ELECTROLYTES, DRAWN - 3 * HOUR, STORED - 3 * HOUR)
    drawn(ward, stay, {"sodium": 141.0})
    assert not [m for m in matched(ward, tmp_path, rule_with(GAP)) if m.as_of == AS_OF]


@pytest.mark.parametrize(
    ("figure", "unit", "one", "other", "hours"),
    [
        ("pco2_above_winters", "mm Hg", {"bicarbonate": 20.0}, {"pco2_blood": 90.0}, 1),
        (
            "fractional_sodium_excretion",
            "%",
            {"sodium": 140.0, "creatinine": 2.0},
            {"sodium_urine": 90.0, "creatinine_urine": 10.0},
            6,
        ),
    ],
)
@pytest.mark.parametrize(("minutes", "holds"), [(0, True), (1, False)])
def test_two_specimens_lie_within_the_hours_of_their_recipe(
    figure: str, unit: str, one: Any, other: Any, hours: int, minutes: int, holds: bool, ward, stay, tmp_path
):
    drawn(ward, stay, one)
    drawn(ward, stay, other, DRAWN - hours * HOUR - minutes * MINUTE, STORED - HOUR)
    finding = {"name": "f", "kind": "figure", "figure": figure, "unit": unit, "above": 3, "within_hours": 24}
    assert bool(matched(ward, tmp_path, rule_with(finding))) is holds


def test_the_urine_of_a_figure_is_one_urine(ward, stay: Stay, tmp_path: Path):
    drawn(ward, stay, {"sodium": 140.0, "creatinine": 2.0, "sodium_urine": 90.0})
    drawn(ward, stay, {"creatinine_urine": 10.0}, DRAWN - HOUR)
    finding = {
        "name": "f",
        "kind": "figure",
        "figure": "fractional_sodium_excretion",
        "unit": "%",
        "above": 3,
    }
    assert not matched(ward, tmp_path, rule_with({**finding, "within_hours": 24}))


def test_a_figure_is_there_with_the_last_result_of_its_draw(ward, tmp_path: Path):
    """The key result is stored first, the albumin of the same tube two hours later."""
    subject = ward.patient()
    stay = (subject, ward.admission(subject))
    ward.lab(*stay, "wbc", 12.0)
    drawn(ward, stay, ELECTROLYTES)
    drawn(ward, stay, {"albumin": 4.0}, stored=STORED + 2 * HOUR)
    (match,) = matched(ward, tmp_path, rule_with(CORRECTED))
    assert match.as_of == AS_OF + 2 * HOUR
    assert match.also[0].time == DRAWN


def index(ward: Any, subject: int, hadm: int, at: datetime, ast: float) -> None:
    for analyte, value in (("ast", ast), ("alt", 36.0), ("platelets", 200.0)):
        ward.lab(subject, hadm, analyte, value, drawn=at, stored=at + HOUR)


@pytest.mark.parametrize(
    ("days", "before", "between", "holds"),
    [
        (180, 60.0, None, True),
        (179, 60.0, None, False),
        (180, 40.0, None, False),
        (180, 60.0, 40.0, False),
        (180, 60.0, 60.0, True),
    ],
)
def test_a_figure_has_held_for_days_in_every_draw_of_whatever_stay(
    days: int, before: float, between: float | None, holds: bool, ward, stay: Stay, tmp_path: Path
):
    """With age 60, ALT 36 and platelets of 200 the index is AST / 20; the earlier year of age counts as it was."""
    at = DRAWN - timedelta(days=days)
    index(ward, stay[0], ward.admission(stay[0], at - HOUR, at + 24 * HOUR), at, before)
    if between is not None:
        seen = DRAWN - timedelta(days=90)
        index(ward, stay[0], ward.admission(stay[0], seen - HOUR, seen + 24 * HOUR), seen, between)
    drawn(ward, stay, {"ast": 60.0, "alt": 36.0, "platelets": 200.0})
    finding = {"name": "f", "kind": "figure", "figure": "fib4", "unit": "", "above": 2.67, "within_hours": 24}
    matches = matched(ward, tmp_path, rule_with(finding | {"for_days": 180}))
    assert bool([match for match in matches if match.as_of == AS_OF]) is holds
    if holds:
        bound = matches[-1].also[0]
        assert (bound.value, bound.time) == (3.0, DRAWN)
        assert (bound.earlier_value, bound.earlier_time) == (pytest.approx(59 * 60 / 1200), at)


def test_what_was_drawn_long_ago_and_stored_after_as_of_is_not_seen(ward, stay: Stay, tmp_path: Path):
    at = DRAWN - timedelta(days=200)
    for analyte, value in (("ast", 60.0), ("alt", 36.0), ("platelets", 200.0)):
        ward.lab(stay[0], None, analyte, value, drawn=at, stored=AS_OF + HOUR)
    drawn(ward, stay, {"ast": 60.0, "alt": 36.0, "platelets": 200.0})
    finding = {"name": "f", "kind": "figure", "figure": "fib4", "unit": "", "above": 2.67, "within_hours": 24}
    (match,) = matched(ward, tmp_path, rule_with(finding | {"for_days": 180}))
    assert match.as_of > AS_OF + HOUR


def test_only_a_figure_of_one_draw_can_have_held(vocabulary: Vocabulary):
    finding = FigureFinding(
        name="f", figure=Figure.PCO2_OFF_WINTERS, unit="mm Hg", above=2, within_hours=12, for_days=2
    )
    assert [field for field, _ in finding_faults(finding, vocabulary)] == ["for_days"]


@pytest.mark.parametrize(("age", "matches"), [(34, False), (35, True), (64, True), (65, False)])
@pytest.mark.parametrize(
    ("rule_id", "index_value"),
    [("diabetes_fib4_above_2_67_refer", 3.35), ("diabetes_fib4_below_1_3_no_referral", 0.9)],
)
def test_fib4_is_read_from_35_to_64_years(
    age: int, matches: bool, rule_id: str, index_value: float, ward, tmp_path: Path
):
    """McPherson 2017: made and tried between 35 and 65 years."""
    ast = round(index_value * 200 * 6 / age, 1)
    facts = [
        Lab(hours, analyte, value)
        for hours in (0, 24 * 180)
        for analyte, value in (("ast", ast), ("platelets", 200.0), ("alt", 36.0))
    ]
    key = facts.pop(2)
    write(ward, key, [*facts, Code(0, "E119")], anchor_age=age, discharged=AS_OF + 72 * HOUR)
    assert bool(ward.scan(tmp_path / "w.duckdb", [RULES[rule_id]])) is matches


def test_every_input_of_a_gap_ratio_or_saturation_shares_a_draw():
    """Only a gas beside serum, and urine beside serum, are two specimens."""
    apart = {figure for figure, recipe in RECIPES.items() if len(recipe.draws) > 1}
    assert apart == {Figure.PCO2_OFF_WINTERS, Figure.SODIUM_EXCRETION}
    assert all((recipe.apart_hours > 0) is (figure in apart) for figure, recipe in RECIPES.items())


def test_the_vitamin_b12_limits_of_discharge_lie_outside_those_of_the_work_up():
    """Both are in pg/mL (ng/L): what treats, or needs nothing, is deficient, or replete, by NICE as well."""
    start, none = (RULES[f"vitamin_b12_{end}"].trigger.lab for end in ("below_150_start", "400_none"))
    low, high = (
        RULES["cobalamin_below_180"].trigger.lab,
        RULES["cobalamin_above_350_macrocytosis"].trigger.lab,
    )
    assert {lab.unit for lab in (start, none, low, high)} == {"pg/mL"}
    assert start.below < low.below
    assert none.at_least > high.above

"""What is asked for has one right answer: the last dose, one order, one drug of the home list, one organism."""

from datetime import timedelta

import pytest
from courses import AS_OF, DRAWN, HOUR, Dose, Grown, Home, Order, put
from one_finding import dose, matched, rule_with

MINUTE = timedelta(minutes=1)
PRESSORS = {
    "name": "g",
    "kind": "given",
    "ingredients": ["norepinephrine", "vasopressin"],
    "rivals": ["midodrine"],
    "within_hours": 24,
}
FIRST = DRAWN - 2 * HOUR


@pytest.mark.parametrize("drugs", [("NORepinephrine", "Vasopressin"), ("Vasopressin", "NORepinephrine")])
@pytest.mark.parametrize(("apart", "holds"), [(0, False), (1, True)])
def test_of_two_drugs_begun_in_one_minute_none_is_the_last(drugs, apart, holds, ward, stay, tmp_path):
    for number, drug in enumerate(drugs):
        dose(ward, stay, drug, "Started", FIRST + number * apart * MINUTE)
    matches = matched(ward, tmp_path, rule_with(PRESSORS))
    assert [match.also[0].label for match in matches] == ([drugs[-1]] if holds else [])


def test_one_drug_charted_twice_in_a_minute_has_one_name(ward, stay, tmp_path):
    refs = {dose(ward, stay, "Vasopressin", "Started", FIRST) for _ in range(2)}
    (match,) = matched(ward, tmp_path, rule_with(PRESSORS))
    assert (set(match.also[0].refs), match.also[0].time) == (refs, FIRST)


@pytest.mark.parametrize(
    ("event", "at", "holds"),
    [
        ("Administered", FIRST - MINUTE, True),
        ("Administered", FIRST, False),
        ("Administered", AS_OF, False),
        ("Administered", AS_OF + MINUTE, True),
        ("Not Given", AS_OF, True),
        ("Stopped", AS_OF, True),
    ],
)
def test_another_drug_that_the_words_fit_is_not_given_later(event, at, holds, ward, stay, tmp_path):
    dose(ward, stay, "NORepinephrine", "Started", FIRST)
    dose(ward, stay, "Midodrine", event, at)
    assert bool(matched(ward, tmp_path, rule_with(PRESSORS))) is holds


def test_what_counts_comes_before_the_draw_and_what_is_told_is_the_last(ward, stay, tmp_path):
    dose(ward, stay, "Vasopressin", "Started", FIRST)
    last = dose(ward, stay, "Vasopressin", "Confirmed", DRAWN + 30 * MINUTE)
    (match,) = matched(ward, tmp_path, rule_with({**PRESSORS, "hours_before_draw": 0}))
    bound = match.also[0]
    assert (bound.value, bound.time, bound.refs[0]) == (1.0, DRAWN + 30 * MINUTE, last)


@pytest.mark.parametrize("absent", [False, True])
def test_two_at_once_bar_and_are_present_all_the_same(absent, ward, stay, tmp_path):
    """Nobody asks for the last of what bars, or of what must be absent."""
    for drug in ("NORepinephrine", "Vasopressin"):
        dose(ward, stay, drug, "Started", FIRST)
    barred = rule_with(bars=[{"why": "only to be tried", "finding": PRESSORS}])
    rule = rule_with({**PRESSORS, "absent": True}) if absent else barred
    assert not matched(ward, tmp_path, rule)


@pytest.mark.parametrize(
    ("facts", "finding"),
    [
        (
            (Order(20, "Lisinopril"), Order(20, "Valsartan")),
            {"kind": "order", "ingredients": ["lisinopril", "valsartan"]},
        ),
        (
            (Home(0, "lisinopril"), Home(0, "valsartan")),
            {"kind": "home_medication", "ingredients": ["lisinopril", "valsartan"]},
        ),
        (
            (Grown(60, "URINE", "ESCHERICHIA COLI"), Grown(60, "URINE", "KLEBSIELLA PNEUMONIAE")),
            {"kind": "culture", "growth": True, "within_days": 7},
        ),
    ],
    ids=["order", "home list", "culture"],
)
def test_two_right_names_are_no_question(facts, finding, ward, new_ward, vocabulary, tmp_path):
    rule = rule_with({"name": "x", **finding})
    for number, told in enumerate((facts[:1], facts[1:], facts)):
        one = new_ward(vocabulary)
        subject = one.patient()
        hadm = one.admission(subject)
        one.lab(subject, hadm, "wbc", 12.0)
        for fact in told:
            put(one, subject, hadm, fact)
        found = one.scan(tmp_path / f"{number}.duckdb", [rule])
        assert bool(found) is (len(told) == 1)


@pytest.mark.parametrize(
    ("kind", "own", "rival", "ended"),
    [
        ("order", Order(20, "Lisinopril"), Order(20, "Amlodipine"), Order(20, "Amlodipine", stopped=True)),
        ("home_medication", Home(0, "lisinopril"), Home(0, "amlodipine"), Home(0, "acetaminophen")),
    ],
)
def test_another_drug_that_the_words_fit_is_no_question(
    kind, own, rival, ended, new_ward, vocabulary, tmp_path
):
    """ "The blood pressure drug" is not asked for beside another one; where nobody asks, it may stand."""
    finding = {"name": "x", "kind": kind, "ingredients": ["lisinopril"], "rivals": ["amlodipine"]}
    barred = [{"why": "only to be tried", "finding": finding}]
    for number, (facts, holds, bars) in enumerate(
        [
            ((own,), True, True),
            ((own, rival), False, True),
            ((own, ended), True, True),
            ((rival,), False, False),
        ]
    ):
        one = new_ward(vocabulary)
        subject = one.patient()
        hadm = one.admission(subject)
        one.lab(subject, hadm, "wbc", 12.0)
        for fact in facts:
            put(one, subject, hadm, fact)
        assert bool(one.scan(tmp_path / f"{number}.duckdb", [rule_with(finding)])) is holds
        assert bool(one.scan(tmp_path / f"{number}b.duckdb", [rule_with(bars=barred)])) is not bars


ROUTED = {"name": "g", "kind": "given", "ingredients": ["insulin"], "within_hours": 24, "routes": ["IV"]}


@pytest.mark.parametrize(("route", "holds"), [("IV", True), ("SC", False), ("IV DRIP", False), (None, False)])
def test_a_dose_went_in_by_the_route_of_its_order(route, holds, ward, stay, tmp_path):
    put(ward, *stay, Dose(2, "Insulin", route=route))
    assert bool(matched(ward, tmp_path, rule_with(ROUTED))) is holds


@pytest.mark.parametrize(
    ("ordered", "holds"), [("Insulin Human Regular", True), ("CeftriaXONE", False), ("Insulin", True)]
)
def test_the_order_behind_a_dose_is_of_the_same_drug_or_class(ordered, holds, ward, stay, tmp_path):
    """MIMIC-IV links some doses with the order of another drug altogether."""
    number = ward.order(*stay, ordered, route="IV")
    dose(ward, stay, "Insulin", "Administered", FIRST)
    ward.rows["hosp.emar"][-1]["pharmacy_id"] = number
    assert bool(matched(ward, tmp_path, rule_with(ROUTED))) is holds

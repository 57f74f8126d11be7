"""An order is over with the last of its doses, or with the first of the drug that has taken its place."""

from datetime import timedelta

import pytest
from courses import AS_OF, DRAWN, HOUR
from one_finding import dose, matched, rule_with

DRUGS = ["lisinopril", "captopril", "enalapril", "losartan"]
ASKED = {"name": "x", "kind": "order", "ingredients": DRUGS}
MINUTE = timedelta(minutes=1)
ORDERED = DRAWN - 30 * HOUR


def holds(ward, tmp_path, *, barring: bool = False) -> bool:
    bars = [{"why": "only to be tried", "finding": ASKED}]
    return bool(matched(ward, tmp_path, rule_with(bars=bars) if barring else rule_with(ASKED)))


def charted(ward, stay, drug: str, order: int | None, at, event: str = "Administered") -> None:
    dose(ward, stay, drug, event, at)
    ward.rows["hosp.emar"][-1]["pharmacy_id"] = order


@pytest.mark.parametrize(
    ("frequency", "event", "at", "stands"),
    [
        ("ONCE", "Administered", AS_OF, False),
        ("ONCE", "Administered", AS_OF + MINUTE, True),
        ("ONCE", "Not Given", AS_OF - HOUR, True),
        ("DAILY", "Administered", AS_OF - HOUR, True),
        (None, "Administered", AS_OF - HOUR, True),
    ],
)
def test_an_order_for_one_dose_is_over_with_it(frequency, event, at, stands, ward, stay, tmp_path):
    order = ward.order(*stay, "Captopril", start=ORDERED, frequency=frequency)
    charted(ward, stay, "Captopril", order, at, event)
    assert holds(ward, tmp_path) is stands


def test_an_order_for_one_dose_is_not_over_with_the_dose_of_another(ward, stay, tmp_path):
    ward.order(*stay, "Captopril", start=ORDERED, frequency="ONCE")
    other = ward.order(*stay, "Captopril", start=ORDERED - HOUR, stop=DRAWN - HOUR, frequency="DAILY")
    charted(ward, stay, "Captopril", other, DRAWN - 2 * HOUR)
    assert holds(ward, tmp_path)


@pytest.mark.parametrize(("doses", "stands"), [(1, True), (2, False)])
def test_an_order_of_two_doses_is_over_with_the_second(doses, stands, ward, stay, tmp_path):
    order = ward.order(*stay, "Captopril", start=ORDERED, frequency="BID")
    ward.rows["pharmacy"][-1].update(duration=2.0, duration_interval="Doses")
    for number in range(doses):
        charted(ward, stay, "Captopril", order, DRAWN - (9 - number) * HOUR)
    assert holds(ward, tmp_path) is stands


SWITCHES = [
    ("Lisinopril", 0, 3, 2, False),
    ("Lisinopril", 1, 3, 2, False),
    ("Lisinopril", -1, 3, 2, True),
    ("Lisinopril", 1, 2, 3, True),
    ("Lisinopril", 1, 3, None, True),
    ("Losartan", 1, 3, 2, True),
]
"""The other drug, hours of its order after the first one's, hours of the last dose of each before the draw."""


@pytest.mark.parametrize(("other", "later", "own_last", "others", "stands"), SWITCHES)
def test_an_order_is_over_once_another_of_its_class_is_given(
    other, later, own_last, others, stands, ward, stay, tmp_path
):
    """The other one has ended again, so that one name alone would be the answer."""
    ward.order(*stay, "Captopril", start=ORDERED, doses_a_day=3.0)
    ward.order(*stay, other, start=ORDERED + later * HOUR, stop=DRAWN - HOUR)
    charted(ward, stay, "Captopril", None, DRAWN - own_last * HOUR)
    if others is not None:
        charted(ward, stay, other, None, DRAWN - others * HOUR)
    assert holds(ward, tmp_path) is stands


@pytest.mark.parametrize("running", [True, False])
def test_an_order_that_is_over_and_one_that_runs_are_two_names(running, ward, stay, tmp_path):
    """The tools show the first as active too, so that nobody can be asked which it is."""
    order = ward.order(*stay, "Captopril", start=ORDERED, frequency="ONCE")
    charted(ward, stay, "Captopril", order, DRAWN - 9 * HOUR)
    if running:
        ward.order(*stay, "Losartan", start=ORDERED)
    assert not holds(ward, tmp_path)


def test_beside_a_dose_that_was_given_the_daily_order_stands(ward, stay, tmp_path):
    order = ward.order(*stay, "Captopril", start=ORDERED, frequency="ONCE")
    charted(ward, stay, "Captopril", order, DRAWN - 9 * HOUR)
    ward.order(*stay, "Captopril", start=ORDERED + HOUR, frequency="DAILY")
    (match,) = matched(ward, tmp_path, rule_with(ASKED))
    assert match.also[0].time == ORDERED + HOUR


def test_what_bars_does_so_though_it_is_over(ward, stay, tmp_path):
    """A drug given this morning acts, whatever its order says."""
    order = ward.order(*stay, "Captopril", start=ORDERED, frequency="ONCE")
    charted(ward, stay, "Captopril", order, DRAWN - HOUR)
    assert not holds(ward, tmp_path, barring=True)


@pytest.mark.parametrize("switched", [False, True])
def test_a_rule_about_an_order_matches_none_that_is_over(switched, ward, stay, rules, tmp_path):
    subject, hadm = stay
    ward.lab(subject, hadm, "potassium", 6.0)
    ward.order(subject, hadm, "Captopril", start=ORDERED, doses_a_day=3.0)
    ward.order(subject, hadm, "Lisinopril", start=ORDERED + HOUR, stop=DRAWN - HOUR)
    charted(ward, stay, "Captopril", None, DRAWN - 5 * HOUR)
    charted(ward, stay, "Lisinopril", None, DRAWN - (4 if switched else 6) * HOUR)
    matches = ward.scan(tmp_path / "w.duckdb", [rules["ras_inhibitor_hyperkalemia"]])
    assert len(matches) == (0 if switched else 1)

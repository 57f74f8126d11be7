"""Doses, routes and frequencies: exact amounts, and schedules that differ stay different."""

from decimal import Decimal

import pytest

from tools.vocabulary import Dose, Vocabulary

VOCABULARY = Vocabulary.load()


@pytest.mark.parametrize(
    ("text", "dose"),
    [
        ("12.5 mg", Dose(12.5, "mg")),
        ("20 mEq", Dose(20, "mEq")),
        ("20mEq", Dose(20, "mEq")),
        ("1,000 mg", Dose(1000, "mg")),
        ("0.5 g", Dose(500, "mg")),
        ("0.5 gm", Dose(500, "mg")),
        ("250 mcg", Dose(0.25, "mg")),
        ("250 µg", Dose(0.25, "mg")),
        ("250 μg", Dose(0.25, "mg")),
        ("0.125 mg", Dose(0.125, "mg")),
        ("10 units", Dose(10, "unit")),
        ("10 UNIT", Dose(10, "unit")),
        ("10 IU", Dose(10, "unit")),
        ("20 mmol", Dose(20, "mmol")),
        ("1 L", Dose(1000, "mL")),
        ("20毫当量", Dose(20, "mEq")),
        ("５ ｍｇ", Dose(5, "mg")),
        ("2 tablets", Dose(2, "tablet")),
    ],
)
def test_a_dose_is_an_exact_amount(text: str, dose: Dose):
    assert VOCABULARY.dose(text) == dose


@pytest.mark.parametrize(
    "text",
    [
        "5-10 mg",
        "5 to 10 mg",
        "10 mg/kg",
        "10 units/hr",
        "5",
        "mg",
        "1,5 mg",
        "1,00 mg",
        "0 mg",
        "-5 mg",
        "1e3 mg",
        "2.5.1 mg",
        "5 mg 5 mg",
        "about 5 mg",
        "5 mgs/day",
        "half a tablet",
        "",
        "12 5 mg",
        "5 M",
        "½ tablet",
    ],
)
def test_anything_else_is_no_dose(text: str):
    assert VOCABULARY.dose(text) is None


@pytest.mark.parametrize(
    ("left", "right"), [("2.5 mg", "12.5 mg"), ("40 mg", "80 mg"), ("250 mcg", "250 mg")]
)
def test_near_doses_differ(left: str, right: str):
    assert VOCABULARY.dose(left) != VOCABULARY.dose(right)


def test_micrograms_are_a_thousandth_of_milligrams():
    for thousandths in range(1, 20000, 37):
        value = Decimal(thousandths) / 1000
        assert VOCABULARY.dose(f"{value} mcg") == VOCABULARY.dose(f"{value / 1000:f} mg")


@pytest.mark.parametrize(
    ("text", "route"),
    [
        ("PO", "PO"),
        ("oral", "PO"),
        ("by mouth", "PO"),
        ("PO/NG", "PO"),
        ("口服", "PO"),
        ("p.o.", "PO"),
        ("via the oral route", "PO"),
        ("oral route", "PO"),
        ("intravenous", "IV"),
        ("IV DRIP", "IV DRIP"),
        ("静脉滴注", "IV DRIP"),
        ("IV push", "IV BOLUS"),
        ("SUBCUT", "SC"),
        ("SC", "SC"),
        ("NG", "NG"),
        ("mouthwash", None),
        ("per", None),
        ("", None),
    ],
)
def test_routes(text: str, route: str | None):
    assert VOCABULARY.route(text) == route


EQUAL = [
    (
        "DAILY",
        "once daily",
        "QD",
        "Q24H",
        "q 24 hours",
        "every day",
        "每日一次",
        "每天1次",
        "1x/day",
        "1 doses per 24 hours",
    ),
    ("BID", "twice daily", "b.i.d.", "two times a day", "2x/day", "每日两次", "一日2次", "每日二次"),
    ("Q12H", "q12h", "Q 12H", "every 12 hours", "every twelve hours", "每12小时", "每十二小时一次"),
    ("TID", "three times daily", "3 times a day", "每日三次"),
    ("Q8H", "every 8 hours", "q 8 hrs", "每8小时一次"),
    ("QID", "four times daily", "4x/day"),
    ("Q6H", "every six hours", "每6小时"),
    (
        "Q6H PRN",
        "Q6H:PRN",
        "q6h prn",
        "every 6 hours as needed",
        "every 6 hours as needed for pain",
        "每6小时 必要时",
    ),
    ("QHS", "HS", "at bedtime", "睡前"),
    ("QAM", "every morning"),
    ("QPM", "every evening"),
    ("QOD", "EVERY OTHER DAY", "Q48H", "隔日一次"),
    ("ONCE", "x1", "one time", "NOW X1"),
    ("PRN", "as needed", "必要时"),
    ("BID WITH MEALS", "twice daily with meals", "BID w/meals"),
    ("QWEEK", "weekly", "1X/WEEK"),
    ("3X/WEEK", "three times a week"),
    ("Q15MIN PRN", "Q15MIN:PRN"),
]


@pytest.mark.parametrize("words", EQUAL, ids=lambda words: words[0])
def test_words_for_one_schedule_are_equal(words: tuple[str, ...]):
    assert {VOCABULARY.frequency(word) for word in words} == {words[0]}


def test_different_schedules_stay_different():
    codes = [VOCABULARY.frequency(words[0]) for words in EQUAL]
    assert len(set(codes)) == len(EQUAL)


@pytest.mark.parametrize(
    "text", ["", "sometimes", "q0h", "2X", "every", "daily daily", "BIDD", "5 mg", "0 times a day"]
)
def test_a_schedule_not_understood_is_none(text: str):
    assert VOCABULARY.frequency(text) is None


def test_canonical_codes_read_themselves():
    for text in (
        "DAILY",
        "BID",
        "TID",
        "QID",
        "Q4H",
        "Q6H",
        "Q8H",
        "Q12H",
        "QHS",
        "QAM",
        "QPM",
        "ONCE",
        "QOD",
        "Q6H PRN",
    ):
        assert VOCABULARY.frequency(text) == text

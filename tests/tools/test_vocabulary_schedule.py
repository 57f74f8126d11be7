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
        ("two tablets", Dose(2, "tablet")),
        ("half a tablet", Dose(0.5, "tablet")),
        ("½ tablet", Dose(0.5, "tablet")),
        ("半片", Dose(0.5, "tablet")),
        ("两片", Dose(2, "tablet")),
        ("24,000,000 units", Dose(24_000_000, "unit")),
        ("999999999 units", Dose(999_999_999, "unit")),
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
        "half",
        "1½ tablets",
        "一片半",
        "10² mg",
        "٥ mg",
        "9" * 400 + " mg",
        "1" + "0" * 9 + " mg",
        "0.0000001 mg",
        "",
        "12 5 mg",
        "5 M",
        "1/2 tablet",
    ],
)
def test_anything_else_is_no_dose(text: str):
    assert VOCABULARY.dose(text) is None


@pytest.mark.parametrize(
    ("text", "dose"),
    [
        ("1-2 tablets", Dose(1, "tablet", 2)),
        ("5–10 mg", Dose(5, "mg", 10)),
        ("5 mg to 10 mg", Dose(5, "mg", 10)),
        ("500 mg - 1 g", Dose(500, "mg", 1000)),
        ("one to two tablets", Dose(1, "tablet", 2)),
        ("1～2片", Dose(1, "tablet", 2)),
        ("一至两片", Dose(1, "tablet", 2)),
        ("5到10毫克", Dose(5, "mg", 10)),
        ("12.5 mg", Dose(12.5, "mg")),
        ("10-5 mg", None),
        ("5-5 mg", None),
        ("0-5 mg", None),
        ("5-10", None),
        ("5 mg - 10 mEq", None),
        ("1-2-3 mg", None),
        ("5-10 mg/kg", None),
    ],
)
def test_a_range_of_doses_rises(text: str, dose: Dose | None):
    assert VOCABULARY.dose_or_range(text) == dose


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("7", 7),
        ("7 days", 7),
        ("for 10 days", 10),
        ("x 2 weeks", 14),
        ("a week", 7),
        ("5d", 5),
        ("7天", 7),
        ("一周", 7),
        ("两个星期", 14),
        ("0", None),
        ("-3", None),
        ("2.5", None),
        ("99999", None),
        ("٧ days", None),
        ("10-14 days", None),
        ("a month", None),
        ("until stopped", None),
        ("", None),
    ],
)
def test_a_duration_is_a_number_of_days(text: str, days: int | None):
    assert VOCABULARY.duration_days(text) == days


def test_mmol_of_a_salt_of_one_charge_are_its_meq():
    chloride, phosphate = (VOCABULARY.ingredient(name) for name in ("KCl", "K-Phos"))
    assert Dose(20, "mmol").in_meq(chloride) == Dose(20, "mEq")
    assert Dose(10, "mmol", 20).in_meq(chloride) == Dose(10, "mEq", 20)
    assert Dose(20, "mmol").in_meq(phosphate) == Dose(20, "mmol")
    assert Dose(20, "mg").in_meq(chloride) == Dose(20, "mg")
    assert Dose(20, "mmol").in_meq(None) == Dose(20, "mmol")


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
        ("per NG tube", "NG"),
        ("口服给药", "PO"),
        ("静脉点滴", "IV DRIP"),
        ("oral (PO)", "PO"),
        ("PO（口服）", "PO"),
        ("oral (IV)", None),
        ("PO or IV", None),
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
        "1次/日",
        "1x/day",
        "1 doses per 24 hours",
    ),
    (
        "BID",
        "twice daily",
        "b.i.d.",
        "two times a day",
        "2x/day",
        "每日两次",
        "一日2次",
        "每日二次",
        "2次/天",
        "两次/日",
        "早晚各一次",
        "twice daily (BID)",
    ),
    ("Q12H", "q12h", "Q 12H", "every 12 hours", "every twelve hours", "每12小时", "每十二小时一次", "每12h"),
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
    ("QHS", "HS", "at bedtime", "睡前", "临睡前", "at night"),
    ("QAM", "every morning", "每晨一次"),
    ("QPM", "every evening"),
    ("QOD", "EVERY OTHER DAY", "Q48H", "隔日一次", "隔日"),
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
    "text",
    [
        "q8.5h",
        "BID (three times a day)",
        "every 1.5 hours",
        "1.5x/day",
        "every ٨ hours",
        "every " + "9" * 400 + " hours",
        "",
        "sometimes",
        "q0h",
        "2X",
        "every",
        "daily daily",
        "BIDD",
        "5 mg",
        "0 times a day",
    ],
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


@pytest.mark.parametrize(
    "text", ["PRN pain", "as needed for potassium below 3.5", "give when required", "必要时"]
)
def test_as_needed_is_heard_anywhere(text: str):
    assert VOCABULARY.says_as_needed(text)


@pytest.mark.parametrize("text", ["hypokalemia", "needed for rate control", "prnx", ""])
def test_other_reasons_are_not_as_needed(text: str):
    assert not VOCABULARY.says_as_needed(text)

"""A minus before a number is read as one, also where Chinese leaves no space before it."""

import pytest

from tools.grading.numbers import numbers, quiet
from tools.grading.numerals import in_digits


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("The pCO2 gap is -2.5 mm Hg.", [-2.5]),
        ("pCO2与预计值之差为-2.5 mm Hg。", [-2.5]),
        ("差值是-3。", [-3.0]),
        ("差值约-3。", [-3.0]),
        ("参考范围3.5-5.0 mEq/L。", [3.5, 5.0]),
        ("血钾为2.5 mEq/L。", [2.5]),
    ],
)
def test_a_minus_is_read(text: str, values: list[float]) -> None:
    assert [number.value for number in numbers(quiet(text))] == values


@pytest.mark.parametrize(
    ("text", "digits"),
    [
        ("七点八克每分升", "7.8克/分升"),
        ("一百五十九微摩尔每升", "159微摩尔/升"),
        ("四十三×10^9/L", "43×10^9/L"),
        ("四万三千每微升", "43000/微升"),
        ("一万二单位", "12000单位"),
        ("一万零二单位", "10002单位"),
        ("三百五毫克", "350毫克"),
        ("血小板四十三，", "血小板43，"),
        ("第三单位红细胞", "第三单位红细胞"),
        ("百分之三十一点二", "31.2%"),
        ("百分之三十一", "31%"),
        ("二一八〇年五月六日二十二时二十五分", "2180年5月6日22时25分"),
        ("下午三点四十分", "下午3点40分"),
        ("下午三点", "下午3点"),
        ("22点二十五", "22点25"),
        ("一千五百零八毫克", "1508毫克"),
        ("eleven mEq/L", "11 mEq/L"),
        ("one hundred and eighteen mEq/L", "118 mEq/L"),
        ("seven point eight g/dL", "7.8 g/dL"),
        ("Hb7.8 K5.9 BUN/Cr 64/3.2", "Hb 7.8 K 5.9 BUN 64, Cr 3.2"),
        ("最近一次，第三天，三次，十二导联", "最近一次，第三天，三次，十二导联"),
        ("one of the two drugs", "one of the two drugs"),
        ("K74.60, CA125, 75 mg", "K74.60, CA125, 75 mg"),
    ],
)
def test_numbers_in_words_become_digits(text: str, digits: str) -> None:
    assert in_digits(text) == digits


def test_an_endless_number_takes_no_time() -> None:
    assert in_digits("一百二十" * 25_000)


def test_a_number_without_end_is_none_of_a_year() -> None:
    assert [number.value for number in numbers(quiet("1" * 400))] == [float("inf")]

"""Every rule says in Chinese what it says in English, and whatever one of the two says otherwise is found."""

import re
from collections.abc import Callable

import pytest

from agents.checks.rule_parity import disparities, rule_disparities
from state.base import Language
from tools.clinical.rules import load_rules
from tools.vocabulary import Vocabulary

EN, ZH = Language.EN, Language.ZH
RULES = {rule.id: rule for rule in load_rules()}
RULES |= {f"{rule.id}-control": rule.as_control() for rule in RULES.values() if rule.control is not None}
TEXTS = [text for rule in RULES.values() for text in (rule.reason, rule.changes_if)]
UNITS = (
    "mg/dL",
    "mEq/L",
    "mmol/L",
    "ng/mL",
    "K/uL",
    "g/dL",
    "pg/mL",
    "mOsm/kg",
    "U/L",
    "mIU/L",
    "mg/g",
    "ng/L",
)
LATIN = (
    *("eGFR", "GFR", "INR", "NSAID", "ACE", "ARB", "SGLT", "QT", "ALT", "PF", "Ts", "PLASMIC", "ADAMTS"),
    *("HbA", "G", "PD", "R", "B", "D", "IU", "mL", "min", "m", "mm", "Hg", "kg", "mg", "ug"),
    *(part for unit in UNITS for part in unit.split("/")),
)
"""What a Chinese text writes in Latin letters."""


@pytest.fixture(scope="module")
def vocabulary() -> Vocabulary:
    return Vocabulary.load()


@pytest.mark.parametrize("name", RULES)
def test_a_rule_says_the_same_in_both_languages(name: str, vocabulary: Vocabulary):
    assert rule_disparities(RULES[name], vocabulary) == []


@pytest.mark.parametrize("name", RULES)
def test_a_rule_s_chinese_is_chinese(name: str):
    for text in (RULES[name].reason, RULES[name].changes_if):
        assert set(text) == set(Language)
        assert re.fullmatch(r"[^。]+。", text[ZH]), text[ZH]
        assert not re.search(r"[,;:!?]|(?<!\d)\.", text[ZH].replace("1,", "1")), text[ZH]
        assert set(re.findall(r"[A-Za-z]+", text[ZH])) <= set(LATIN), text[ZH]
        assert 0.12 < len(text[ZH]) / len(text[EN]) < 0.75, text[ZH]
        assert text[EN].isascii()
        assert text[EN].endswith(".")


def test_no_two_english_texts_share_a_chinese_one():
    english: dict[str, set[str]] = {}
    for text in TEXTS:
        english.setdefault(text[ZH], set()).add(text[EN])
    assert [zh for zh, said in english.items() if len(said) > 1] == []


def _figure(text: str) -> str:
    return re.sub(
        r"(?<![A-Za-z\d.,/])(\d+(?:\.\d+)?)(?![\d,])", lambda found: f"{float(found[1]) + 3:g}", text, count=1
    )


def _unit(text: str) -> str:
    found = re.search("|".join(map(re.escape, UNITS)), text)
    return text.replace(found.group(), "g/L" if found.group() != "mg/dL" else "mmol/L", 1) if found else text


def _swap(first: str, second: str) -> Callable[[str], str]:
    return lambda text: text.replace(first, second, 1)


FAULTS: dict[str, tuple[Callable[[str], str], int]] = {
    "another figure": (_figure, 200),
    "another unit": (_unit, 140),
    "the other side, before": (lambda text: re.sub(r"(?<!不)高于(?=\d)", "低于", text, count=1), 30),
    "the other side, before, up": (lambda text: re.sub(r"(?<!不)低于(?=\d)", "高于", text, count=1), 30),
    "the edge left out": (_swap("及以上", "以上"), 50),
    "the edge left out, below": (_swap("及以下", "以下"), 15),
    "the other side, after": (_swap("及以上", "及以下"), 50),
    "the other side, after, strictly": (lambda text: re.sub(r"(?<!及)以上", "以下", text, count=1), 12),
    "a denial dropped": (
        lambda text: re.sub(r"不(?=是|能|需|再|支持|减量)|未(?=见|达|检出)|没有|无(?=典型|额外)", "", text, count=1),
        40,
    ),
    "a denial too many": (lambda text: re.sub(r"(?=可以解释)|(?<!不)(?=应)", "不", text, count=1), 60),
    "stopped for going on": (lambda text: re.sub("停用|暂停", "继续", text), 40),
    "going on for stopped": (lambda text: text.replace("继续", "停用"), 10),
    "the whole for half": (lambda text: text.replace("减半", "加量"), 6),
    "too high for too low": (lambda text: re.sub("低(?=钾|钠|血糖)", "高", text, count=1), 10),
    "too low for too high": (lambda text: re.sub("高(?=钾|血糖)", "低", text, count=1), 5),
    "another electrolyte": (lambda text: text.replace("血钾", "血钠"), 30),
    "another drug": (
        lambda text: re.sub("华法林|地高辛|二甲双胍|骨化三醇|依诺肝素|万古霉素|胺碘酮", "阿司匹林", text),
        15,
    ),
    "another kind of drug": (lambda text: re.sub("袢利尿剂|噻嗪类利尿剂", "他汀类药物", text), 8),
    "another organ": (lambda text: re.sub("肾(?![素上])", "肝", text), 30),
    "acute for chronic": (lambda text: text.replace("慢性", "急性"), 6),
    "rising for falling": (lambda text: text if "升" in text else re.sub("下降|降至", "升至", text), 20),
}  # fmt: skip


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_of_the_chinese_is_found(name: str, vocabulary: Vocabulary):
    change, at_least = FAULTS[name]
    spoilt = [{**text, ZH: change(text[ZH])} for text in TEXTS if change(text[ZH]) != text[ZH]]
    assert len(spoilt) >= at_least
    assert [text[ZH] for text in spoilt if not list(disparities(text, vocabulary))] == []


@pytest.mark.parametrize(
    ("english", "chinese"),
    [
        ("A fall to no less than 20 K/uL.", "下降，但不低于20 K/uL。"),
        ("After six hours the rate is raised.", "6小时后上调速率。"),
        ("Two of the three criteria are met.", "三项标准中已满足两项。"),
        ("A potassium above 5.5 and up to 6.0 mEq/L.", "血钾高于5.5且不高于6.0 mEq/L。"),
        ("Neither potassium nor sodium is low.", "血钾不低，血钠也不低。"),
        ("It is neither lowered nor withheld.", "既不减量也不暂停。"),
        ("Above an INR of 4.5 warfarin is interrupted.", "INR高于4.5时应中断华法林。"),
    ],
)
def test_what_is_the_same_passes(english: str, chinese: str, vocabulary: Vocabulary):
    assert list(disparities({EN: english, ZH: chinese}, vocabulary)) == []

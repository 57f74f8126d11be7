"""What the baseline doctor says and takes a question to want, in each language."""

import re
from collections.abc import Mapping
from enum import StrEnum

from state.base import Language


class Phrase(StrEnum):
    """A sentence of the baseline doctor; its fields stand in braces."""

    LATEST = "latest"
    NO_RESULT = "no_result"
    ORDER = "order"
    NO_ORDER = "no_order"
    HOLD = "hold"
    CONTINUE = "continue"
    NO_ADVICE = "no_advice"
    PATIENT = "patient"
    NOTHING = "nothing"
    DONE = "done"
    CANNOT = "cannot"
    NO_TIME = "no_time"


_PHRASES: Mapping[Phrase, tuple[str, str]] = {
    Phrase.LATEST: (
        "The latest {test} is {value}, drawn on {time}.",
        "最近一次{test}为{value}，采样于{time}。",
    ),
    Phrase.NO_RESULT: ("I found no such result.", "未查到该项结果。"),
    Phrase.ORDER: ("The active order is {drug}.", "在用医嘱为{drug}。"),
    Phrase.NO_ORDER: ("I found no active order.", "未查到在用医嘱。"),
    Phrase.HOLD: ("I recommend to hold {drug}.", "建议暂停{drug}。"),
    Phrase.CONTINUE: ("I recommend to continue {drug}.", "建议继续使用{drug}。"),
    Phrase.NO_ADVICE: ("The record shows no active orders.", "未查到可以给出建议的在用医嘱。"),
    Phrase.PATIENT: ('The patient said: "{said}"', "患者说：“{said}”"),
    Phrase.NOTHING: ("nothing", "没有说什么"),
    Phrase.DONE: ("Done.", "已完成。"),
    Phrase.CANNOT: ("I cannot.", "无法完成。"),
    Phrase.NO_TIME: ("an unknown time", "时间不详"),
}


def say(phrase: Phrase, language: Language, **fields: str) -> str:
    """Word a sentence in a language."""
    english, chinese = _PHRASES[phrase]
    return {Language.EN: english, Language.ZH: chinese}[language].format(**fields)


class Intent(StrEnum):
    """What a question seems to want, by its words."""

    PATIENT = "patient"
    FLAG = "flag"
    ORDER = "order"
    DECIDE = "decide"
    TREND = "trend"
    ORDERS = "orders"
    LAB = "lab"


WORDS: tuple[tuple[Intent, re.Pattern[str]], ...] = tuple(
    (intent, re.compile(pattern, re.IGNORECASE))
    for intent, pattern in (
        (
            Intent.PATIENT,
            (
                r"\b(?:ask|talk to|speak with|go and see|hear from|check with) (?:the patient|him|her)\b"
                r"|问一?下?问?(?:患者|病人|他|她)"
            ),
        ),
        (Intent.FLAG, r"\bflag\b|警示"),
        (Intent.ORDER, r"\b(half|replaced|replacement of|corrected|replacement order)\b|一半|补充医嘱"),
        (Intent.TREND, r"\b(moved|trend|first and the latest|sudden|72 hours)\b|72小时|变化趋势"),
        (
            Intent.DECIDE,
            (
                r"^(?!.*(?:\bhome\b|入院前)).*(?:\b(?:recommend|recommendation|continue|continued|hold"
                r"|change what we do|what (?:would you|do we) do|carry on|keep going|cut (?:it )?back)\b"
                r"|建议|接着用|继续|暂停)"
            ),
        ),
        (
            Intent.ORDERS,
            r"\b(?:running|active|on any|what dose|(?:which|what) [\w -]+ (?:is|do|does) )\b|在用|现在用|怎么用|怎么开",
        ),
    )
)


def intent_of(question: str) -> Intent:
    """Guess what a question wants; a laboratory result when nothing else is recognised."""
    return next((intent for intent, words in WORDS if words.search(question)), Intent.LAB)


ASKED: tuple[tuple[str, dict[str, str], re.Pattern[str]], ...] = tuple(
    (f"patient.get_{tool}", arguments, re.compile(pattern, re.IGNORECASE))
    for tool, arguments, pattern in (
        (
            "symptom_history",
            {"query": "all symptoms"},
            r"\bbrought\b|\b(?:have|'s) had\b|\b[Aa](?:ny|bout any) |不舒服|有没有",
        ),
        ("medication_adherence", {"drug": "all medications"}, r"\btak(?:es?|ing)\b|怎么用|按时|在用|断过"),
        ("social_history", {}, r"\blives? with\b|\bworks?\b|\bdrinks\b|谁住"),
        ("functional_status", {}, r"\bgets around\b|\bcooking\b|\bpills\b|走路"),
        ("pain_assessment", {}, r"\bpain\b|疼"),
    )
)
"""What is asked of the patient at large, by the words of the question."""

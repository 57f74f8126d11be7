"""A scripted model that words a physician's questions by rules: it paraphrases what the prompt says is asked."""

import re
from typing import Any

from bad_openai import Reply, Script, says

_ASKED = re.compile(r"(?:put plainly|in full|写出来是|完整地说是)[:：]\n(.+)\n")
_TEST = re.compile(r"Do not name (.+?): the dialogue|不要提“(.+?)”")
_WAY = {
    "back with a noun": "NA",
    "leave out what": "PE",
    "as a whole": "AE",
    "名词或代词": "NA",
    "省掉": "PE",
    "整件事": "AE",
}


def language_of(request: dict[str, Any]) -> str:
    """Tell the language a prompt is in."""
    return "zh" if re.search(r"[\u3400-\u9fff]", request["messages"][0]["content"]) else "en"


def opening_of(request: dict[str, Any]) -> str:
    """Give what was asked for first."""
    return str(request["messages"][1]["content"])


def is_implicit(request: dict[str, Any]) -> bool:
    """Tell whether the form in the dialogue is asked for."""
    return "So far the physician" in opening_of(request) or "医生前面已经问过" in opening_of(request)


def question_of(request: dict[str, Any]) -> str:
    """Give the question that a prompt says is asked."""
    found = _ASKED.search(opening_of(request))
    assert found is not None, opening_of(request)
    return found.group(1)


def paraphrase(request: dict[str, Any]) -> str:
    """Word what is asked; in the dialogue, point back where the test stood."""
    language, question = language_of(request), question_of(request)
    if not is_implicit(request):
        return _in_full(question, language)
    found = _TEST.search(opening_of(request))
    test = next(filter(None, found.groups())) if found else ""
    way = next(way for words, way in _WAY.items() if words in opening_of(request))
    return _in_english(question, test, way) if language == "en" else _in_chinese(question, test, way)


def _in_full(question: str, language: str) -> str:
    if language == "zh":
        return f"麻烦，{question}"
    return f"If you would, {question[:1].lower()}{question[1:]}"


def _in_english(question: str, test: str, way: str) -> str:
    own = question.removeprefix("If you would, ")
    whose = "(?:the |this patient's |the patient's )?(?:(?:latest|most recent|last) )?(?:serum )?"
    named = rf"{whose}{re.escape(test)}(?: result)?"
    lead = re.compile(rf"^[^,:?]*{named}[,:] ", re.IGNORECASE)
    if way == "AE":
        return f"With all that in mind, {_then(lead.sub('', own), named)}"
    if way == "PE":
        return f"And {_then(lead.sub('', own), named)}"
    once = re.sub(named, "the result we started with", own, count=1)
    return _then(once if once != own else f"in view of the result we started with, {own}", named).capitalize()


def _then(text: str, named: str) -> str:
    return re.sub(named, "that value", text)


def _in_chinese(question: str, test: str, way: str) -> str:
    own = question.removeprefix("麻烦，")
    named = rf"(?:最近一次|最新)?(?:的)?{re.escape(test)}(?:的结果|的这个结果)?"
    lead = re.compile(rf"^[^，：？]*{named}[^，：？]*[，：]")
    if way == "AE":
        return f"这样的话，{re.sub(named, '那个数值', lead.sub('', own))}"
    if way == "PE":
        return f"那么，{re.sub(named, '那个数值', lead.sub('', own))}"
    once = re.sub(named, "开头那个结果", own, count=1)
    return re.sub(named, "该数值", once if once != own else f"结合开头那个结果，{own}")


def writer(request: dict[str, Any]) -> Reply:
    """Answer every request with a paraphrase."""
    return says(paraphrase(request))


def by_turns(*scripts: Script) -> Script:
    """Answer the first try at a form by the first script, the next by the next; the last answers all others."""

    def script(request: dict[str, Any]) -> Reply:
        tries = sum(1 for message in request["messages"] if message["role"] == "user") - 1
        return scripts[min(tries, len(scripts) - 1)](request)

    return script

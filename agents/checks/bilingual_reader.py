"""The bilingual checker's twin: a model says whether two languages ask the same, and quotes what differs."""

from typing import Literal

from agents.checks.case import CannotDecide, Case
from agents.checks.reader import Reader
from state.base import Language, Record
from state.checking import Stage
from tools.grading.quotes import is_quoted


class Parity(Record):
    """Whether English and Chinese say the same; ``en`` and ``zh`` quote what differs, or what only one of them says."""

    reason: str
    en: str
    zh: str
    verdict: Literal["same", "different", "cannot_tell"]


def read_bilingual(case: Case, reader: Reader) -> list[str]:
    """Reject a session of which a model shows that a question asks one thing in English and another in Chinese.

    Answers are not read: a program writes both from one fact, and the checker compares them.
    """
    for turn in case.words.turns:
        texts = {
            language: {
                "in full": turn.wording[language].explicit,
                "as it is said": turn.wording[language].implicit,
            }
            for language in Language
        }
        material = [
            (f"{language} {name}", texts[language][name])
            for name in texts[Language.EN]
            for language in Language
        ]
        whole = {language: "\n".join(texts[language].values()) for language in Language}

        def void(parity: Parity, whole: dict[Language, str] = whole) -> str | None:
            return _void(parity, whole)

        place = (case.plan.session_id, turn.index, Language.EN)
        parity = reader.read(Stage.BILINGUAL_READING, place, material, Parity, void)
        if parity.verdict == "different":
            return [f"turn {turn.index}: a model finds en {parity.en!r}, zh {parity.zh!r}: {parity.reason}"]
        if parity.verdict == "cannot_tell":
            raise CannotDecide(f"turn {turn.index}: a model cannot tell: {parity.reason}")
    return []


def _void(parity: Parity, whole: dict[Language, str]) -> str | None:
    if parity.verdict != "different":
        return None
    quotes = {Language.EN: parity.en, Language.ZH: parity.zh}
    if not any(quote.strip() for quote in quotes.values()):
        return "nothing is quoted that differs"
    for language, quote in quotes.items():
        if quote.strip() and not is_quoted(quote, whole[language]):
            return f"{language}: the quotation is not in its text, word for word"
    return None

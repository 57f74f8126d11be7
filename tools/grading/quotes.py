"""Whether what a judge quotes is in the answer: a verdict stands on words that were said, or it does not stand."""

import re

from tools.grading.text import own_words, plain

_MARKUP = re.compile(r"[*`#~|>]+|(?m:^\s*[-•·]\s+)")
_SPACES = re.compile(r"\s+")
_CJK = "\u3000-\u30ff\u3400-\u9fff\uff00-\uffef"
_BESIDE_CJK = re.compile(rf"(?<=[{_CJK}]) | (?=[{_CJK}])")
_UNIT = re.compile(r"(?<=\d) ?(?=[a-zµ%])")
"""Between a number and its unit a space may stand or not."""
_SHORTEST = 2
"""Characters of a quotation; an answer that is shorter may be quoted whole."""


def void_quote(quote: str, answer: str, question: str) -> str | None:
    """Say why a quotation is void, None where it is good.

    Width, case, markup and spaces do not matter. It has to begin and end with whole words and numbers, and must not be
    taken from a copy of the question or from what the answer says to whoever grades it.
    """
    wanted, whole = _folded(quote), _folded(answer)
    if len(wanted) < _SHORTEST and wanted != whole:
        return "the quotation is too short to show anything"
    found = _in(wanted)
    if not found.search(whole):
        return "the quotation is not in the answer, word for word"
    if not found.search(_folded(own_words(answer, question))):
        return "the quotation repeats the question or speaks to the judge"
    return None


def is_quoted(quote: str, text: str) -> bool:
    """Tell whether a text holds a quotation: whole words of it, whatever their width, case, markup and spaces."""
    wanted = _folded(quote)
    return len(wanted) >= _SHORTEST and bool(_in(wanted).search(_folded(text)))


def _folded(text: str) -> str:
    return _BESIDE_CJK.sub("", _SPACES.sub(" ", _MARKUP.sub(" ", plain(text)))).strip().casefold()


def _in(wanted: str) -> re.Pattern[str]:
    """Match text where it is no part of a longer word or number: "safe" is not in "unsafe", nor 4.1 in 14.1."""
    before = r"(?<![a-z0-9])(?<!\d[.,])" if wanted[:1].isascii() and wanted[:1].isalnum() else ""
    after = r"(?![a-z0-9])(?![.,]\d)" if wanted[-1:].isascii() and wanted[-1:].isalnum() else ""
    return re.compile(before + " ?".join(map(re.escape, _UNIT.split(wanted))) + after)

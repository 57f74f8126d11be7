"""Words that say nothing: what is left of a saying once everything that was read is taken out must be of these."""

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from state.base import Language
from tools.interview.reading import MASK, Passage
from tools.interview.words import pattern, read
from tools.vocabulary.lexicon import normalise

_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
_CLAUSE = re.compile(r"[,;:、。!?.…~—\s\"'“”‘’()]+")


def strange_words(passage: Passage, language: Language) -> list[str]:
    """List what could be a fact of its own.

    English: every word that is neither plain nor of a template. Chinese, which has no words to split at: every clause
    in which nothing was read, unless it is small talk or of a template.
    """
    if language is Language.EN:
        known = _plain_words(language)
        return [word for word in _words(passage.rest) if word not in known]
    clauses = [clause for clause in _CLAUSE.split(passage.rest) if clause]
    return [clause for clause in clauses if MASK not in clause and not _is_idle(clause, language)]


def _is_idle(clause: str, language: Language) -> bool:
    known = any(pattern(language, name).search(clause) for name in ("small_talk", "unknown"))
    return known or clause in _template_clauses(language)


def _words(text: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(text.replace("’", "'"))]


def _templates(node: Any) -> Iterator[str]:
    if isinstance(node, str):
        yield re.sub(r"\{\w+\}", " ", normalise(node))
    else:
        for child in node.values() if isinstance(node, dict) else node:
            yield from _templates(child)


@cache
def _plain_words(language: Language) -> frozenset[str]:
    data = read(language)
    of_templates = (word for template in _templates(data["say"]) for word in _words(template))
    return frozenset((*data["recognise"]["plain"].split(), *of_templates))


@cache
def _template_clauses(language: Language) -> frozenset[str]:
    return frozenset(
        clause for text in _templates(read(language)["say"]) for clause in _CLAUSE.split(text) if clause
    )

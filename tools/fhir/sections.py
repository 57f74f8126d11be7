"""Sections of a note: its text between known headings."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from tools.fhir.headings import HEADINGS, Heading
from tools.fhir.search_arguments import DocumentType


@dataclass(frozen=True)
class Section:
    """One section: its heading, and its text without heading and surrounding white space."""

    heading: Heading
    text: str


def split(kind: DocumentType, text: str) -> tuple[Section, ...]:
    """Split a text at the headings of its kind; none are found in a text without headings.

    A section reaches to the next heading that is not nested, a nested one to the next of any kind; what precedes the
    first heading is no section.
    """
    of_form = {_squeezed(form): heading for heading in HEADINGS[kind] for form in heading.forms}
    sections, next_any, next_outer = [], len(text), len(text)
    for match in reversed(list(_pattern(kind).finditer(text))):
        heading = of_form[_squeezed(match[1] or match[2])]
        end = next_any if heading.nested else next_outer
        sections.append(Section(heading, text[match.end() : end].strip()))
        next_any = match.start()
        next_outer = next_outer if heading.nested else match.start()
    return tuple(reversed(sections))


def named(sections: Iterable[Section], heading: Heading | None) -> str | None:
    """Give the text under a heading, joined where it comes more than once; None where it does not come."""
    found = [section.text for section in sections if section.heading is heading]
    return "\n\n".join(found) if found else None


@cache
def _pattern(kind: DocumentType) -> re.Pattern[str]:
    """Match a heading at the beginning of a line: with its colon, or, if nested, alone on the line."""
    every = _alternatives(form for heading in HEADINGS[kind] for form in heading.forms)
    nested = _alternatives(form for heading in HEADINGS[kind] if heading.nested for form in heading.forms)
    marks = r"[ \t]{0,8}[*#=-]{0,8}[ \t]{0,8}"
    return re.compile(rf"^{marks}(?:({every})[ \t]{{0,8}}:|({nested}){marks}$)", re.IGNORECASE | re.MULTILINE)


def _alternatives(forms: Iterable[str]) -> str:
    longest_first = sorted(forms, key=len, reverse=True)
    return "|".join(re.escape(form).replace(r"\ ", r"[ \t]{1,4}") for form in longest_first) or r"(?!)"


def _squeezed(text: str) -> str:
    return " ".join(text.lower().split())

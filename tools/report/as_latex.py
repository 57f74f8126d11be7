"""Tables as LaTeX, with booktabs and graphicx."""

import re
from collections.abc import Iterable, Sequence

from tools.report.cells import ReportTable, is_numeric, text_of

_SPECIAL = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
}
PREAMBLE = "% needs \\usepackage[T1]{fontenc}, \\usepackage{booktabs} and \\usepackage{graphicx}\n"


def as_latex(tables: Iterable[ReportTable]) -> str:
    """Write one table environment each, shrunk to the width of the text where it is wider."""
    return PREAMBLE + "\n".join(_table(table) for table in tables)


def _table(table: ReportTable) -> str:
    numbers = [is_numeric(table, place) for place in range(len(table.columns))]
    body = [
        r"\begin{table}",
        r"\centering",
        rf"\caption{{{escaped(table.title)}}}",
        rf"\label{{tab:{re.sub(r'[^a-z]', '-', table.name)}}}",
        r"\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{%",
        rf"\begin{{tabular}}{{{''.join('r' if number else 'l' for number in numbers)}}}",
        r"\toprule",
        *_spans(table.spans),
        _line(table.columns),
        r"\midrule",
        *(_line([text_of(cell) for cell in row]) for row in table.rows),
        r"\bottomrule",
        r"\end{tabular}}",
        *(rf"\par\footnotesize {escaped(note)}" for note in table.notes),
        r"\end{table}",
        "",
    ]
    return "\n".join(body)


def _spans(spans: Sequence[tuple[str, int]]) -> list[str]:
    if not spans:
        return []
    heads, rules, at = [], [], 1
    for name, width in spans:
        heads.append(rf"\multicolumn{{{width}}}{{c}}{{{escaped(name)}}}")
        if name:
            rules.append(rf"\cmidrule(lr){{{at}-{at + width - 1}}}")
        at += width
    return [" & ".join(heads) + r" \\", "".join(rules)]


def _line(cells: Sequence[str]) -> str:
    # braces keep a bracket at the start of a row from being read as an argument of the line end before it
    return " & ".join(f"{{{escaped(cell)}}}" for cell in cells) + r" \\"


def escaped(text: str) -> str:
    """Keep text from being read as LaTeX; control characters and line ends become spaces."""
    plain = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return "".join(_SPECIAL.get(character, character) for character in plain)

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
PREAMBLE = """\
% needs \\usepackage[T1]{fontenc}, \\usepackage{booktabs} and \\usepackage{graphicx};
% names in other than Latin letters need XeLaTeX or LuaLaTeX and a font that has them
"""
WIDE = 8
"""Columns from which a table may span both columns of a page, and sets intervals below their values."""


def as_latex(tables: Iterable[ReportTable]) -> str:
    """Write one table environment each, shrunk to the width of the text where it is wider; prose as a list."""
    labels: set[str] = set()
    return PREAMBLE + "\n".join(
        _list(table) if table.prose else _table(table, _label(table.name, labels)) for table in tables
    )


def _label(name: str, taken: set[str]) -> str:
    """Give a table a label of its own: tables of several runs bear the same name."""
    plain = re.sub(r"[^a-z]", "-", name)
    label = next(one for one in (plain, *(f"{plain}-{n}" for n in range(2, 1000))) if one not in taken)
    taken.add(label)
    return label


def _table(table: ReportTable, label: str) -> str:
    numbers = [is_numeric(table, place) for place in range(len(table.columns))]
    wide = len(table.columns) >= WIDE
    float_ = "table*" if wide else "table"
    body = [
        rf"\begin{{{float_}}}[tbp]",
        r"\centering",
        rf"\caption{{{escaped(table.title)}}}",
        rf"\label{{tab:{label}}}",
        r"\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{%",
        rf"\begin{{tabular}}{{{''.join('r' if number else 'l' for number in numbers)}}}",
        r"\toprule",
        *_spans(table.spans),
        _line([escaped(name) for name in table.columns]),
        r"\midrule",
        *(_line([_cell(text_of(cell), stacked=wide) for cell in row]) for row in table.rows),
        r"\bottomrule",
        r"\end{tabular}}",
        *(rf"\par\footnotesize {escaped(note)}" for note in table.notes),
        rf"\end{{{float_}}}",
        "",
    ]
    return "\n".join(body)


def _list(table: ReportTable) -> str:
    """Write rows to be read one after the other, on as many pages as they take."""
    items = []
    for name, *rest in table.rows:
        told = "; ".join(escaped(text_of(cell)) for cell in rest if text_of(cell))
        items.append(rf"\item[{{{escaped(text_of(name))}}}] {told}")
    title = rf"\paragraph{{{escaped(table.title)}}}"
    return "\n".join([title, r"\begin{description}", *items, r"\end{description}", ""])


def _cell(text: str, *, stacked: bool) -> str:
    value, bracket, interval = text.partition(" [")
    if not (stacked and bracket and value):
        return escaped(text)
    below = escaped(f"[{interval}")
    return rf"\begin{{tabular}}[t]{{@{{}}r@{{}}}}{escaped(value)}\\{{}}{below}\end{{tabular}}"


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
    return " & ".join(f"{{{cell}}}" for cell in cells) + r" \\"


def escaped(text: str) -> str:
    """Keep text from being read as LaTeX; control characters and line ends become spaces, hyphens stay hyphens."""
    plain = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return "".join(_SPECIAL.get(character, character) for character in plain).replace("--", "-{}-")

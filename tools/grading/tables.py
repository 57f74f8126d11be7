"""Tables of results told cell by cell: each figure with its test and its time."""

import re
from collections.abc import Callable, Iterator

_ROW = re.compile(r"^\s*\|(.+)\|\s*$")
_RULE = re.compile(r"^\s*\|?[\s|:\-+]*-{2,}[\s|:\-+]*$")
_TIME = re.compile(r"\d{1,2}[:：]\d{2}|\d[-/.月]\d|\d\s?[日号时点]")
_WITH_UNIT = re.compile(r"^(.*?)\s*[(（]([^()（）]+)[)）]\s*$")
_FIGURE = re.compile(r"^\W*\d[\d.,]*")
_UNIT_LAST = re.compile(r"^(.*\S)\s+([a-zµμ%]{1,5}(?:/[A-Za-zµμ.\d]{1,6})?)$", re.IGNORECASE)
_SHORT_DATE = re.compile(r"^\s*(\d{1,2})-(\d{1,2})(?![\d-]|\s*T?\d)")
_SETTING = re.compile(
    r"^\W*(?:at |on |the |prior to |before )*(?:home|ward|inpatient|in[- ]?hospital|hospital|admission|pre-?admission"
    r"|pta|outpatient|current(?:ly)?|now|active|previous(?:ly)?|prior|before|earlier|here|this (?:stay|admission)"
    r"|院前|入院前|在家|家[中用庭里]|门诊|住院|院内|入院后|现行?|现在|目前|当前|在用|此前|之前|先前|既往|原)"
    r"[^|\d]{0,16}$",
    re.IGNORECASE,
)
"""A column of where or when a drug was given."""
_BARE_FIGURE = re.compile(r"\d[\d.,]*")
_EMPTY = re.compile(
    r"\W*(?:none|no|nil|not (?:given|ordered|taken|on)|n/?a|无|没有|未用|未开)?\W*", re.IGNORECASE
)
_BLANK = re.compile(r"\W*")
_BOLD_LABEL = re.compile(
    r"(?m)^(\W*)(?:\*\*|__)([^*_\n:：.。!！?？,，;；]{1,60})(?:\*\*|__)(?=[ \t\u3000]+\w|[ \t]*[-–—]+ )[ \t\u3000\-–—]*"
)
_BARS = re.compile(r"[()（）]")
_GENERIC = re.compile(
    r"^\W*(?:items?|tests?|labs?|analytes?|results?|values?|units?|drawn|collected|sampled?|dates?|times?"
    r"|ref(?:erence)?(?: range)?|ranges?|flags?"
    r"|status|notes?|comments?|drugs?|medications?|doses?|routes?|freq(?:uency)?"
    r"|项目|检验项目|指标|结果|最近结果|最新结果|数值|值|单位|参考(?:范围|值|区间)?"
    r"|采样|采样时间|采集时间|时间|日期|报告时间|标志|提示|状态|备注|药物|药名|剂量|单次剂量|途径|给药途径|频次|用法|清单|类别|趋势)"
    r"\W*(?:[(（][^()（）]*[)）])?\W*$",
    re.IGNORECASE,
)


def told_by_cell(answer: str) -> str:
    """Rewrite each table whose columns are tests, times or settings (home, now); other tables and all else stay."""
    return _rewritten(answer, _told)


def _rewritten(answer: str, told: Callable[[list[str]], list[str]]) -> str:
    lines: list[str] = []
    table: list[str] = []
    for line in [*answer.split("\n"), ""]:
        if _ROW.match(line) or (table and _RULE.match(line)):
            table.append(line)
            continue
        lines += told(table)
        table = []
        lines.append(line)
    return "\n".join(lines[:-1])


def told_by_setting(answer: str) -> str:
    """Rewrite only the tables whose columns are settings."""
    return _rewritten(answer, _told_of_settings)


def told_by_label(answer: str) -> str:
    """Rewrite every table and every line that begins with bold words as "label: what is said of it"."""
    return _BOLD_LABEL.sub(r"\1\2: ", _rewritten(answer, _told_by_row))


def _told_by_row(table: list[str]) -> list[str]:
    headed = len(table) > 2 and bool(_RULE.match(table[1]))
    rows = [_cells(line) for line in table if not _RULE.match(line)]
    heads = rows[0] if headed else []
    return [told for row in rows[headed:] for told in _cells_of_row(row, heads)]


def _cells_of_row(row: list[str], heads: list[str]) -> Iterator[str]:
    for at, cell in enumerate(row[1:], start=1):
        head = heads[at] if len(heads) == len(row) > 2 and not _GENERIC.match(heads[at]) else ""
        if not _BLANK.fullmatch(cell):
            yield f"{row[0]}, {head}: {cell}\n" if head else f"{row[0].rstrip(':：')}: {cell}\n"


def _told_of_settings(table: list[str]) -> list[str]:
    rows = _rows(table)
    if rows and sum(bool(_SETTING.match(head)) for head in rows[0][1:]) > 1:
        return [told for row in rows[1:] for told in _by_setting(row, rows[0])]
    return table


def _rows(table: list[str]) -> list[list[str]]:
    """Give the rows of a table, its head first; none where it has no head, or rows of other lengths."""
    headed = len(table) > 2 and _RULE.match(table[1])
    rows = [_cells(line) for line in table if not _RULE.match(line)]
    return rows if headed and all(len(row) == len(rows[0]) for row in rows) else []


def _told(table: list[str]) -> list[str]:
    rows = _rows(table)
    if not rows or (of_settings := _told_of_settings(table)) != table:
        return of_settings if rows else table
    heads = rows[0][1:]
    timed = [bool(_TIME.search(head)) for head in heads]
    tests = [
        bool(head) and not _GENERIC.match(head) and not one for head, one in zip(heads, timed, strict=True)
    ]
    if sum(timed) < 2 and sum(tests) < 2:
        return table
    return [told for row in rows[1:] for told in _by_cell(row, rows[0], timed, tests)]


def _by_cell(row: list[str], head: list[str], timed: list[bool], tests: list[bool]) -> Iterator[str]:
    for at, cell in enumerate(row[1:]):
        if timed[at]:
            yield _figure(row[0], cell, head[at + 1])
        elif tests[at]:
            yield _figure(head[at + 1], cell, row[0])


def _by_setting(row: list[str], head: list[str]) -> Iterator[str]:
    for at, cell in enumerate(row[1:], start=1):
        if not _EMPTY.fullmatch(cell):
            unit = _WITH_UNIT.match(head[at]) if _BARE_FIGURE.fullmatch(cell) else None
            yield f"{head[at]}: {row[0]} {cell} {unit.group(2)}" if unit else f"{head[at]}: {row[0]} {cell}"


def _figure(test: str, cell: str, time: str) -> str:
    """Say one figure: the test, the figure with the unit that its heading gives, and in brackets when."""
    found = _WITH_UNIT.match(test)
    figure = _FIGURE.match(cell)
    if found and figure:
        cell = f"{figure.group()} {found.group(2)}{cell[figure.end() :]}"
        test = found.group(1)
    if unit := _UNIT_LAST.match(test):
        figure = figure or _FIGURE.match(cell)
        if figure:
            return _figure(f"{unit.group(1)} ({unit.group(2)})", cell, time)
    when = _SHORT_DATE.sub(r"\1/\2", _BARS.sub(" ", time))
    return f"{test} {cell} ({when})"


def _cells(line: str) -> list[str]:
    return [cell.strip().strip("*") for cell in line.strip().strip("|").split("|")]

"""Tables of results told cell by cell: each figure with its test and its time."""

import re
from collections.abc import Iterator

_ROW = re.compile(r"^\s*\|(.+)\|\s*$")
_RULE = re.compile(r"^\s*\|?[\s|:\-+]*-{2,}[\s|:\-+]*$")
_TIME = re.compile(r"\d{1,2}[:：]\d{2}|\d[-/.月]\d|\d\s?[日号时点]")
_WITH_UNIT = re.compile(r"^(.*?)\s*[(（]([^()（）]+)[)）]\s*$")
_FIGURE = re.compile(r"^\W*\d[\d.,]*")
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
    """Rewrite each table whose columns are several tests, or several times; other tables and all else stay."""
    lines: list[str] = []
    table: list[str] = []
    for line in [*answer.split("\n"), ""]:
        if _ROW.match(line) or (table and _RULE.match(line)):
            table.append(line)
            continue
        lines += _told(table)
        table = []
        lines.append(line)
    return "\n".join(lines[:-1])


def _told(table: list[str]) -> list[str]:
    headed = len(table) > 2 and _RULE.match(table[1])
    rows = [_cells(line) for line in table if not _RULE.match(line)]
    if not headed or any(len(row) != len(rows[0]) for row in rows):
        return table
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


def _figure(test: str, cell: str, time: str) -> str:
    """Say one figure: the test, the figure with the unit that its heading gives, and in brackets when."""
    found = _WITH_UNIT.match(test)
    figure = _FIGURE.match(cell)
    if found and figure:
        cell = f"{figure.group()} {found.group(2)}{cell[figure.end() :]}"
        test = found.group(1)
    return f"{test} {cell} ({_BARS.sub(' ', time)})"


def _cells(line: str) -> list[str]:
    return [cell.strip().strip("*") for cell in line.strip().strip("|").split("|")]

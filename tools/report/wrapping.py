"""Where a line may end: between words and after the joints of long names, never inside a number."""

import re

from rich.cells import cell_len, chop_cells

_BREAK = re.compile(
    r"(?<=[A-Za-z;:.)])\s+(?=\S)|(?<=[A-Za-z],)\s+(?=\S)|\s+(?=[A-Za-z(\[])|(?<=[a-z][-_/])(?=[A-Za-z])"
)


def pieces_of(text: str) -> list[str]:
    """Cut a text where a line may end; each piece but the last keeps the space behind it. Joined, they are the text."""
    pieces, at = [], 0
    for found in _BREAK.finditer(text):
        pieces.append(text[at : found.end()])
        at = found.end()
    return [*pieces, text[at:]]


def wrapped(text: str, width: int) -> list[str]:
    """Lay a text in lines of at most ``width`` columns; a piece that is longer is cut, and nothing is lost."""
    lines = [""]
    for number, paragraph in enumerate(text.split("\n")):
        if number:
            lines.append("")
        for piece in pieces_of(paragraph):
            if lines[-1] and cell_len((lines[-1] + piece).rstrip()) > width:
                lines.append("")
            said = piece.rstrip()
            lines[-1:] = chop_cells(said, width) if cell_len(said) > width else [lines[-1] + said]
            lines[-1] += piece[len(said) :]
    return [line.rstrip() for line in lines]


def narrowest(text: str) -> int:
    """Give the width in columns of the longest piece."""
    return max(cell_len(piece.rstrip()) for line in text.split("\n") for piece in pieces_of(line))


def widest(text: str) -> int:
    """Give the width in columns of the longest line."""
    return max(cell_len(line) for line in text.split("\n"))

"""Phrasings: one string that stands for many ways to say the same; ``[a|b]`` is a choice, ``<name>`` a shared part."""

import random
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import prod
from typing import Union

from state.base import InputError

Piece = Union[str, "Choice"]
_TOKEN = re.compile(r"\{\{.*?\}\}|\{%.*?%\}|<[a-z_]+>|[\[\]|]|(?:(?!\{\{|\{%|<[a-z_]+>)[^\[\]|])+", re.DOTALL)


@dataclass(frozen=True)
class Phrasing:
    """Text and choices in turn. What stands in ``{{ }}`` and ``{% %}`` is text: it is filled later."""

    pieces: tuple[Piece, ...]

    @cached_property
    def count(self) -> int:
        """Count the ways to say it."""
        return prod(piece.count for piece in self.pieces if isinstance(piece, Choice))

    def pick(self, rng: random.Random) -> str:
        """Say it in one way, each option of a choice being as likely as the others."""
        return "".join(
            piece if isinstance(piece, str) else rng.choice(piece.options).pick(rng) for piece in self.pieces
        )

    def ways(self) -> Iterator[str]:
        """Say it in every way, first options first."""
        said = (
            [piece] if isinstance(piece, str) else [w for option in piece.options for w in option.ways()]
            for piece in self.pieces
        )
        return ("".join(parts) for parts in product(*said))


@dataclass(frozen=True)
class Choice:
    """Phrasings of which one is said."""

    options: tuple[Phrasing, ...]

    @cached_property
    def count(self) -> int:
        """Count the ways of all options."""
        return sum(option.count for option in self.options)


def read_phrasing(text: str, parts: Mapping[str, str]) -> Phrasing:
    """Read a phrasing; ``parts`` are phrasings by name. InputError for an unknown part or an unpaired bracket."""
    tokens = _TOKEN.findall(text)
    options, rest = _options(tokens, 0, text, parts)
    if rest != len(tokens) or len(options) != 1:
        raise InputError(f"{text!r}: a bracket or a bar stands alone; pair it")
    return options[0]


def _options(
    tokens: list[str], at: int, text: str, parts: Mapping[str, str]
) -> tuple[tuple[Phrasing, ...], int]:
    """Read options up to the bracket that ends them, or to the end; give them and the place reached."""
    options: list[Phrasing] = []
    pieces: list[Piece] = []
    while at < len(tokens) and tokens[at] != "]":
        piece = tokens[at]
        at += 1
        if piece == "[":
            inner, at = _options(tokens, at, text, parts)
            if at == len(tokens):
                raise InputError(f"{text!r}: a bracket is not closed; close it")
            pieces.append(Choice(inner))
            at += 1
        elif piece == "|":
            options.append(Phrasing(tuple(pieces)))
            pieces = []
        elif piece.startswith("<") and piece.endswith(">"):
            if piece[1:-1] not in parts:
                raise InputError(f"{text!r}: there is no part {piece}; define it under parts")
            pieces += read_phrasing(parts[piece[1:-1]], parts).pieces
        else:
            pieces.append(piece)
    return (*options, Phrasing(tuple(pieces))), at

"""PhysioNet's SHA256SUMS.txt: which files a project has, and what each must digest to."""

import re
from dataclasses import dataclass

from state.base import InputError

CHECKSUMS = "SHA256SUMS.txt"
LINE = re.compile(r"([0-9a-f]{64}) [ *]?(\S.*)", re.ASCII)


@dataclass(frozen=True)
class Listed:
    """A file of a project: its path under the project, with slashes, and its sha256."""

    path: str
    sha256: str


def parse_checksums(text: str, where: str) -> tuple[Listed, ...]:
    """Read a line a file, ``<sha256> <path>``.

    ``InputError`` names the line of ``where`` that is none, or whose path could lead out of the directory the
    files are kept in.
    """
    listed: dict[str, Listed] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        found = LINE.fullmatch(line.rstrip())
        if not found:
            raise InputError(
                f"{where} line {number} is not a checksum and a path: is this PhysioNet's listing?"
            )
        sha256, path = found.groups()
        if not _stays_inside(path):
            raise InputError(
                f"{where} line {number} names {path!r}, which is no path inside the project: refused"
            )
        if path in listed:
            raise InputError(f"{where} line {number} lists {path!r} a second time")
        listed[path] = Listed(path, sha256)
    if not listed:
        raise InputError(f"{where} lists no files")
    return tuple(listed.values())


def _stays_inside(path: str) -> bool:
    """Refuse what is absolute, climbs, or means something else on another system."""
    return (
        path.isprintable() and not set(path) & set('\\:*?"<>|') and not {"", ".", ".."} & set(path.split("/"))
    )

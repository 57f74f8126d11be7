"""Prompts as files: configs/prompts/<role>/<name>.<language>.md.j2, filled strictly."""

import hashlib
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from state.base import Language
from tools.wording import render


def prompt(role: str, name: str, language: Language, **context: Any) -> str:
    """Fill a prompt; a name it uses and the context lacks is an error."""
    return render(
        (files("configs") / "prompts" / role / f"{name}.{language}.md.j2").read_text("utf-8"), context
    )


def _walk(folder: Traversable, prefix: str = "") -> list[tuple[str, bytes]]:
    found: list[tuple[str, bytes]] = []
    for entry in sorted(folder.iterdir(), key=lambda e: e.name):
        path = f"{prefix}/{entry.name}"
        if entry.is_dir():
            found += _walk(entry, path)
        elif entry.name.endswith(".j2"):
            found.append((path, entry.read_bytes()))
    return found


@cache
def prompts_fingerprint(*roles: str) -> str:
    """Return the sha256 over path and bytes of every prompt file of some roles."""
    digest = hashlib.sha256()
    for path, content in _walk(files("configs") / "prompts"):
        if path.split("/")[1] in roles:
            digest.update(path.encode() + b"\0" + content + b"\0")
    return digest.hexdigest()

"""Settings from the environment and .env: the only place that reads them."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from dotenv import load_dotenv


@dataclass(frozen=True)
class Settings:
    """Where things are kept, and what may leave the machine."""

    cache_dir: Path
    langsmith_key: str | None

    @classmethod
    def read(cls) -> Self:
        """Read .env of the working directory without overriding what is set already."""
        load_dotenv(Path.cwd() / ".env")
        base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
        return cls(
            cache_dir=Path(os.environ.get("WARDROUND_CACHE") or Path(base) / "wardround"),
            langsmith_key=os.environ.get("LANGSMITH_API_KEY"),
        )

    def api_key(self, variable: str) -> str | None:
        """Read a model provider's key by the name of its variable."""
        return os.environ.get(variable)


def set_tracing(*, on: bool) -> None:
    """Switch LangSmith tracing; it is off unless a command was told to trace."""
    os.environ["LANGSMITH_TRACING"] = "true" if on else "false"
    if on:
        os.environ.setdefault("LANGSMITH_HIDE_INPUTS", "true")
        os.environ.setdefault("LANGSMITH_HIDE_OUTPUTS", "true")

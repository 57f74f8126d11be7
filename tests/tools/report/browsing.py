"""How tests find a browser, and how they open a report in it."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def find_chromium() -> str | None:
    """Give the Chromium that WARDROUND_CHROMIUM names, or else that of the PATH."""
    return os.environ.get("WARDROUND_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)


class Reader:
    """Opens reports from their files, and keeps what went wrong on them or was fetched by them."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self.troubles: list[str] = []

    @contextmanager
    def open(self, report: Path, hash_: str = "", **context: Any) -> Iterator[Page]:
        """Open a report in a fresh context: its size, colours and the like."""
        with self._browser.new_context(**context) as fresh:
            page = fresh.new_page()
            page.set_default_timeout(15_000)
            self._watch(page, report.as_uri())
            page.goto(report.as_uri() + hash_)
            yield page

    def _watch(self, page: Page, address: str) -> None:
        page.on("console", lambda message: self.troubles.append(message.text))
        page.on("pageerror", lambda error: self.troubles.append(str(error)))
        page.on("dialog", lambda dialog: (self.troubles.append(dialog.message), dialog.dismiss()))
        page.on("request", lambda sent: sent.url.split("#")[0] == address or self.troubles.append(sent.url))

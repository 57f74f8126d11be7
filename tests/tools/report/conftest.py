"""A real browser, where the machine has one."""

from collections.abc import Iterator

import pytest
from browsing import FLAGS, Reader, find_chromium
from playwright.sync_api import Browser, sync_playwright


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Start a headless Chromium, or skip.

    It lives no longer than a module: while Playwright runs, its event loop does, and tests of others start their own.
    """
    path = find_chromium()
    if path is None:
        pytest.skip(
            "no Chromium: install the package chromium, or name a Chrome or Chromium in WARDROUND_CHROMIUM"
        )
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, headless=True, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def reader(browser: Browser) -> Iterator[Reader]:
    """Give what opens a report; nothing may have gone wrong when the test ends, nor been fetched."""
    reader = Reader(browser)
    yield reader
    assert reader.troubles == []

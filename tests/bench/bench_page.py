"""Size and speed of report.html: ``python tests/bench/bench_page.py RUN [SESSIONS] [LONGER]``.

Run with ``PYTHONPATH=tests/tools/report``. Takes the sessions of a finished run over and over under new names until
there are SESSIONS (324), each packed by itself; every answer and result is told LONGER (1) times, with other digits
each time. Prints how long the page takes to write, its size, and in headless Chromium, from its file: until the list
can be used, until a session is shown, and until a word is found in all.
"""

import itertools
import re
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

from browsing import FLAGS, find_chromium
from playwright.sync_api import Page, sync_playwright

from configs.settings import Settings
from graphs.close_run import by_place, session_pages
from graphs.evaluate import open_data
from graphs.run_folder import RunFolder, read_manifest
from graphs.trace_run import trace_run
from graphs.ward import Ward
from state.manifest import RunManifest
from tools.metrics import summarise
from tools.report import SessionPage, write_page

OPENINGS = 5


def pages_of(run: Path, manifest: RunManifest) -> list[SessionPage]:
    """Gather the pages of a finished run."""
    warehouse, benchmark = open_data(manifest.settings, Settings.read().cache_dir)
    with warehouse:
        ward = Ward.open(warehouse, benchmark, manifest.settings, lambda _: "nobody is called")
        results, records = by_place(RunFolder(run))
        return session_pages(trace_run(ward, results, records), results, records, show_text=True)


def longer(text: str, times: int, random: Random, between: str) -> str:
    """Tell a text more often, with other digits each time: what repeats itself would pack too well."""
    again = (re.sub(r"\d", lambda _: str(random.randrange(10)), text) for _ in range(times - 1))
    return between.join((text, *again))


def renamed(page: SessionPage, number: int, times: int) -> SessionPage:
    """Give a session a name of its own, and longer texts."""
    name = {"session_id": f"{page.session.session_id}-{number}"}
    random = Random(number)  # noqa: S311 - no secret
    turns = tuple(
        turn.model_copy(update={"answer": longer(turn.answer, times, random, " ")})
        for turn in page.record.turns
    )
    return replace(
        page,
        session=page.session.model_copy(update=name),
        result=page.result.model_copy(update=name),
        record=page.record.model_copy(update=name | {"turns": turns}),
        shown={at: longer(text, times, random, "\n") for at, text in page.shown.items()},
    )


def milliseconds(page: Page, action: str) -> float:
    """Time an action of the page, up to the frame that shows it."""
    frame = "await new Promise((done) => requestAnimationFrame(() => setTimeout(done)))"
    script = f"async () => {{ const start = performance.now(); {action}; {frame}; return performance.now() - start; }}"
    return float(page.evaluate(script))


def open_in_browser(report: Path) -> None:
    """Print the times of a few openings, the worst of each."""
    times: dict[str, list[float]] = {"list usable": [], "session shown": [], "word found": []}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=FLAGS)
        for _ in range(OPENINGS):
            page = browser.new_page()
            page.goto(report.as_uri())
            times["list usable"].append(page.evaluate("performance.getEntriesByName('ready')[0].startTime"))
            session = "here.session = listed.at(-1).id; await open(here.session)"
            times["session shown"].append(milliseconds(page, session))
            times["word found"].append(
                milliseconds(page, "filters.elements.text.value = 'potassium'; await filter()")
            )
            page.close()
        browser.close()
    for name, taken in times.items():
        print(f"{name}: {max(taken):.0f} ms at worst of {OPENINGS}")


def main(run: Path, sessions: int = 324, times: int = 1) -> None:
    """Measure one page."""
    manifest = read_manifest(run)
    found: Sequence[SessionPage] = pages_of(run, manifest)
    pages = [
        renamed(page, n, times) for n, page in enumerate(itertools.islice(itertools.cycle(found), sessions))
    ]
    metrics = summarise([page.session for page in pages], [page.result for page in pages], "en")
    with tempfile.TemporaryDirectory() as place:
        report = Path(place) / "report.html"
        start = time.perf_counter()
        write_page(report, manifest, metrics, pages, show_text=True, again="")
        print(f"{len(pages)} sessions, texts {times} times as long")
        print(f"written in {time.perf_counter() - start:.1f} s")
        print(f"size: {report.stat().st_size / 1e6:.2f} MB")
        open_in_browser(report)


if __name__ == "__main__":
    main(Path(sys.argv[1]), *map(int, sys.argv[2:]))

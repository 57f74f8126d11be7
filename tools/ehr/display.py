"""What a person sees of an ingest and of a warehouse: progress bars, notices, tables."""

from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.filesize import decimal
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from tools.counted import counted
from tools.ehr.demo import Watcher as Fetching
from tools.ehr.ingest import Watcher
from tools.ehr.source import Source
from tools.ehr.tables import TABLES
from tools.ehr.warehouse import Warehouse

CHECKSUM_SHOWN = 12
SUBJECTS_SHOWN = 5
PLACES = {name: place for place, name in enumerate(TABLES)}


class IngestDisplay(Watcher):
    """Show an ingest on ``console``: one bar for bytes checked, one for bytes loaded; keep what closes it."""

    def __init__(self, console: Console) -> None:
        """Prepare the bars; they appear when the ingest begins."""
        self._console = console
        self._progress = _bars(console)
        self._checking = self._progress.add_task("check", total=None, visible=False)
        self._loading = self._progress.add_task("load", total=None, visible=False)
        self._closing: list[tuple[Source, int, float]] = []

    def begin(self, size_bytes: int) -> None:
        """Show both bars, empty."""
        for task in (self._checking, self._loading):
            self._progress.update(task, total=size_bytes, visible=True)

    def notice(self, sentence: str) -> None:
        """Print the sentence above the bars."""
        self._progress.console.print(f"notice: {sentence}", markup=False, highlight=False, soft_wrap=True)

    def checked(self, size_bytes: int) -> None:
        """Move the first bar."""
        self._progress.advance(self._checking, size_bytes)

    def loading(self, source: Source) -> None:
        """Name the table beside the second bar."""
        self._progress.update(self._loading, description=f"load {source.table.name}")

    def loaded(self, source: Source, rows: int, seconds: float) -> None:
        """Move the second bar."""
        self._progress.advance(self._loading, source.size_bytes)
        self._closing.append((source, rows, seconds))

    def closing_table(self) -> Table:
        """Build the table of what was loaded: rows, size of the file, seconds."""
        total_bytes = decimal(sum(source.size_bytes for source, _, _ in self._closing))
        total_rows = sum(rows for _, rows, _ in self._closing)
        total_seconds = sum(seconds for _, _, seconds in self._closing)
        table = Table(show_footer=True)
        table.add_column("table", counted(len(self._closing), "table"))
        table.add_column("rows", f"{total_rows:,}", justify="right")
        table.add_column("size", total_bytes, justify="right")
        table.add_column("seconds", f"{total_seconds:.1f}", justify="right")
        for source, rows, seconds in sorted(self._closing, key=lambda one: PLACES[one[0].table.name]):
            table.add_row(source.table.name, f"{rows:,}", decimal(source.size_bytes), f"{seconds:.1f}")
        return table

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._progress.stop()


class FetchDisplay(Fetching):
    """Show a fetch on ``console``: a bar for the file that comes, and how many there are."""

    def __init__(self, console: Console) -> None:
        """Prepare the bar; it appears when the first file comes."""
        self._progress = _bars(console)
        self._bar = self._progress.add_task("fetch", total=None, visible=False)
        self._coming = ""
        self._files = self._done = 0

    def begin(self, files: int) -> None:
        """Keep how many files there are."""
        self._files = files

    def received(self, name: str, size_bytes: int, of_bytes: int | None) -> None:
        """Move the bar, or begin it anew for the next file."""
        if name != self._coming:
            self._coming = name
            counted = f"{self._done + 1}/{self._files} {name}"
            self._progress.reset(self._bar, total=of_bytes, description=counted, visible=True)
        self._progress.advance(self._bar, size_bytes)

    def done(self, name: str) -> None:
        """Count the file."""
        self._coming = ""
        self._done += 1

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._progress.stop()


def _bars(console: Console) -> Progress:
    return Progress(
        TextColumn("{task.description:<32}"),
        BarColumn(),
        DownloadColumn(),
        TimeElapsedColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )


def contents_table(warehouse: Warehouse) -> Table:
    """Build the table of a warehouse's tables: rows, the checksum's beginning, the source file."""
    table = Table()
    table.add_column("table")
    table.add_column("rows", justify="right")
    table.add_column("sha256")
    table.add_column("source")
    for info in warehouse.tables():
        if info.loaded:
            checksum = (info.sha256 or "")[:CHECKSUM_SHOWN]
            table.add_row(info.name, f"{info.rows:,}", checksum, info.source or "written by a program")
        else:
            table.add_row(info.name, "-", "", "not in the source", style="dim")
    return table


def size_on_disk(path: Path) -> str:
    """Word the size of ``path``, ``28.8 MB``."""
    return decimal(path.stat().st_size)


def named_subjects(subjects: Sequence[int]) -> str:
    """Word the first of ``subjects`` and how many more there are."""
    named = ", ".join(str(subject_id) for subject_id in subjects[:SUBJECTS_SHOWN])
    more = len(subjects) - SUBJECTS_SHOWN
    return f"{named} and {more:,} more" if more > 0 else named

"""Fetching the open MIMIC-IV and MIMIC-IV-ED demos from PhysioNet, every file checked against its sha256.

Sources: https://physionet.org/content/mimic-iv-demo/2.2/ and https://physionet.org/content/mimic-iv-ed-demo/2.2/,
Open Database License.
"""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from state.base import InputError
from tools.ehr.checksums import CHECKSUMS, Listed, parse_checksums
from tools.ehr.download import AGAIN, Web

BASE_URL = "https://physionet.org/files"
PROJECTS = {"mimic-iv-demo-2.2": "mimic-iv-demo/2.2", "mimic-iv-ed-demo-2.2": "mimic-iv-ed-demo/2.2"}
"""The directory each project is kept in, and what its address ends in."""
LARGEST_LISTING_BYTES = 1 << 20


class Watcher:
    """Hears of a fetch's progress; this one says nothing."""

    def begin(self, files: int) -> None:
        """Hear how many files there are in all."""

    def received(self, name: str, size_bytes: int, of_bytes: int | None) -> None:
        """Hear that so much more of the file ``name`` has come, of how much where the server tells it."""

    def done(self, name: str) -> None:
        """Hear that a file is there and right."""


@dataclass(frozen=True)
class Fetched:
    """How many files were fetched, how many were there already, and the bytes of all."""

    fetched: int
    kept: int
    size_bytes: int


def fetch_demo(out: Path, base_url: str = BASE_URL, watcher: Watcher | None = None) -> Fetched:
    """Bring both demos into directories under ``out``, which ``ingest`` then takes as its root.

    A file that is there and right is not fetched again; one that is wrong is replaced. ``InputError`` where a file
    cannot be had whole and right; it is then not there, and those before it stay.
    """
    watcher = watcher or Watcher()
    web = Web(base_url)
    listings = {directory: _listing(web, address) for directory, address in PROJECTS.items()}
    watcher.begin(sum(len(listed) for listed, _ in listings.values()))
    fetched = kept = size_bytes = 0
    for directory, (listed, text) in listings.items():
        for file in listed:
            path = out / directory / file.path
            with _disk_faults_named(path):
                if path.is_file() and _sha256(path) == file.sha256:
                    kept += 1
                else:
                    _fetch(web, f"{PROJECTS[directory]}/{file.path}", file, path, watcher)
                    fetched += 1
                size_bytes += path.stat().st_size
            watcher.done(f"{directory}/{file.path}")
        (out / directory / CHECKSUMS).write_text(text, encoding="utf-8")
    return Fetched(fetched, kept, size_bytes)


def _listing(web: Web, address: str) -> tuple[tuple[Listed, ...], str]:
    where = web.address(f"{address}/{CHECKSUMS}")
    try:
        text = web.read(f"{address}/{CHECKSUMS}", LARGEST_LISTING_BYTES).decode()
    except UnicodeDecodeError as error:
        raise InputError(f"{where} is not text in UTF-8: is this PhysioNet's listing?") from error
    return parse_checksums(text, where), text


def _fetch(web: Web, address: str, file: Listed, path: Path, watcher: Watcher) -> None:
    path.unlink(missing_ok=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(path.name + ".part")
    digest = hashlib.sha256()
    try:
        with part.open("wb") as stream:
            for chunk, of_bytes in web.chunks(address):
                stream.write(chunk)
                digest.update(chunk)
                watcher.received(path.name, len(chunk), of_bytes)
        if digest.hexdigest() != file.sha256:
            raise InputError(
                f"{web.address(address)} does not have the sha256 that {CHECKSUMS} lists, and was not kept: {AGAIN}"
            )
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def _sha256(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


@contextmanager
def _disk_faults_named(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror}") from error

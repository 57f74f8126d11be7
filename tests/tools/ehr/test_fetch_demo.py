"""Fetching the demo: from a server on this machine, whole or not at all."""

import hashlib
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from typer.testing import CliRunner

from state.base import InputError
from tools.ehr.__main__ import app
from tools.ehr.demo import PROJECTS, Fetched, Watcher, fetch_demo
from tools.ehr.ingest import ingest

MAIN, ED = PROJECTS


class Handler(SimpleHTTPRequestHandler):
    """Serves a directory; some paths badly."""

    def __init__(self, *args, server_of: "Server", **kwargs) -> None:
        self.server_of = server_of
        super().__init__(*args, directory=str(server_of.root), **kwargs)

    def do_GET(self) -> None:
        self.server_of.asked.append(self.path)
        if self.path in self.server_of.redirected:
            self.send_response(302)
            self.send_header("Location", self.server_of.redirected[self.path])
            self.send_header("Content-Length", "0")
            self.end_headers()
        elif self.path in self.server_of.cut:
            content = (self.server_of.root / self.path.lstrip("/")).read_bytes()
            self.send_response(200)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content[: len(content) // 2])
        else:
            super().do_GET()

    def log_message(self, *args) -> None:
        """Say nothing."""


class Quiet(ThreadingHTTPServer):
    """Says nothing when a client has heard enough."""

    def handle_error(self, *args) -> None:
        """Say nothing."""


class Server:
    """PhysioNet's addresses over files under ``root``."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.asked: list[str] = []
        self.cut: set[str] = set()
        self.redirected: dict[str, str] = {}
        self.url = ""

    def put(self, project: str, name: str, content: bytes) -> Path:
        path = self.root / PROJECTS[project] / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        return path

    def list_files(self, project: str, *more: str) -> None:
        base = self.root / PROJECTS[project]
        files = sorted(path for path in base.rglob("*") if path.is_file() and path.name != "SHA256SUMS.txt")
        lines = [
            f"{hashlib.sha256(p.read_bytes()).hexdigest()} {p.relative_to(base).as_posix()}" for p in files
        ]
        self.put(project, "SHA256SUMS.txt", ("\n".join([*lines, *more]) + "\n").encode())


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """Give a server of a tiny demo: two files of one project, one of the other."""
    served = Server(tmp_path / "www")
    served.put(MAIN, "LICENSE.txt", b"open")
    served.put(MAIN, "hosp/patients.csv.gz", b"p" * 300_000)
    served.put(ED, "ed/edstays.csv.gz", b"e" * 10)
    for project in PROJECTS:
        served.list_files(project)
    http = Quiet(("127.0.0.1", 0), partial(Handler, server_of=served))
    served.url = f"http://127.0.0.1:{http.server_port}/"
    thread = Thread(target=http.serve_forever)
    thread.start()
    yield served
    http.shutdown()
    thread.join()
    http.server_close()


def kept(out: Path) -> set[str]:
    return {path.relative_to(out).as_posix() for path in out.rglob("*") if path.is_file()}


WHOLE = {
    f"{MAIN}/LICENSE.txt",
    f"{MAIN}/hosp/patients.csv.gz",
    f"{MAIN}/SHA256SUMS.txt",
    f"{ED}/ed/edstays.csv.gz",
    f"{ED}/SHA256SUMS.txt",
}
PATIENTS = f"/{PROJECTS[MAIN]}/hosp/patients.csv.gz"


def test_every_file_is_fetched_once_and_only_once(server: Server, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert fetch_demo(out, server.url) == Fetched(fetched=3, kept=0, size_bytes=300_014)
    assert kept(out) == WHOLE
    assert (out / MAIN / "hosp" / "patients.csv.gz").read_bytes() == b"p" * 300_000
    server.asked.clear()
    assert fetch_demo(out, server.url) == Fetched(fetched=0, kept=3, size_bytes=300_014)
    assert {path.rpartition("/")[2] for path in server.asked} == {"SHA256SUMS.txt"}


def test_progress_is_heard(server: Server, tmp_path: Path) -> None:
    class Listener(Watcher):
        def __init__(self) -> None:
            self.files = self.done_files = self.size_bytes = 0
            self.sizes: set[int | None] = set()

        def begin(self, files: int) -> None:
            self.files = files

        def received(self, name: str, size_bytes: int, of_bytes: int | None) -> None:
            self.size_bytes += size_bytes
            self.sizes.add(of_bytes)

        def done(self, name: str) -> None:
            self.done_files += 1

    heard = Listener()
    fetch_demo(tmp_path / "out", server.url, heard)
    assert (heard.files, heard.done_files, heard.size_bytes) == (3, 3, 300_014)
    assert heard.sizes == {4, 10, 300_000}


def test_a_wrong_file_is_not_kept(server: Server, tmp_path: Path) -> None:
    server.put(MAIN, "hosp/patients.csv.gz", b"q" * 300_000)
    with pytest.raises(InputError, match=r"hosp/patients\.csv\.gz does not have the sha256"):
        fetch_demo(tmp_path / "out", server.url)
    assert kept(tmp_path / "out") == {f"{MAIN}/LICENSE.txt"}


def test_a_file_that_breaks_off_is_not_kept_and_comes_with_the_next_run(
    server: Server, tmp_path: Path
) -> None:
    server.cut.add(PATIENTS)
    with pytest.raises(InputError, match=r"patients\.csv\.gz broke off after 150,000 of 300,000 bytes"):
        fetch_demo(tmp_path / "out", server.url)
    assert kept(tmp_path / "out") == {f"{MAIN}/LICENSE.txt"}
    server.cut.clear()
    assert fetch_demo(tmp_path / "out", server.url).fetched == 2
    assert kept(tmp_path / "out") == WHOLE


def test_a_file_that_went_bad_here_is_fetched_again(server: Server, tmp_path: Path) -> None:
    out = tmp_path / "out"
    fetch_demo(out, server.url)
    (out / MAIN / "hosp" / "patients.csv.gz").write_bytes(b"p" * 299_999)
    (out / MAIN / "hosp" / "patients.csv.gz.part").write_bytes(b"left by a kill")
    assert fetch_demo(out, server.url) == Fetched(fetched=1, kept=2, size_bytes=300_014)
    assert kept(out) == WHOLE
    (out / MAIN / "hosp" / "patients.csv.gz").write_bytes(b"bad")
    server.cut.add(PATIENTS)
    with pytest.raises(InputError, match="broke off"):
        fetch_demo(out, server.url)
    assert kept(out) == WHOLE - {f"{MAIN}/hosp/patients.csv.gz"}


def test_a_missing_file_and_a_missing_project_are_named(server: Server, tmp_path: Path) -> None:
    server.list_files(MAIN, f"{'0' * 64} icu/chartevents.csv.gz")
    with pytest.raises(InputError, match=r"mimic-iv-demo/2\.2/icu/chartevents\.csv\.gz answered 404"):
        fetch_demo(tmp_path / "out", server.url)
    with pytest.raises(InputError, match=r"SHA256SUMS\.txt answered 404"):
        fetch_demo(tmp_path / "other", server.url + "nowhere")
    assert not (tmp_path / "other").exists()


@pytest.mark.parametrize(
    "path",
    [
        "../../x",
        "/etc/x",
        "hosp/../../../x",
        "hosp/./x",
        "hosp//x",
        "..\\x",
        "C:x",
        "..",
        "hosp/",
        "hosp/\x00x",
        "hosp/\x1bx",
    ],
)
def test_a_path_that_leads_out_is_refused_before_anything_is_fetched(
    server: Server, tmp_path: Path, path: str
) -> None:
    server.list_files(ED, f"{'0' * 64} {path}")
    with pytest.raises(InputError, match=r"SHA256SUMS\.txt line 2 names .*refused"):
        fetch_demo(tmp_path / "out", server.url)
    assert {asked.rpartition("/")[2] for asked in server.asked} == {"SHA256SUMS.txt"}
    assert {path.name for path in tmp_path.iterdir()} == {"www"}


@pytest.mark.parametrize(
    ("listing", "sentence"),
    [
        (b"<html>\nSign in\n</html>\n", "line 1 is not a checksum and a path"),
        (b"\n", "lists no files"),
        (b"\xff\xfe", "is not text in UTF-8"),
        (f"{'0' * 64} a\n{'1' * 64} a\n".encode(), "line 2 lists 'a' a second time"),
        (b"0" * (1 << 21), "is larger than it can be"),
    ],
)
def test_a_listing_that_is_none_is_refused(
    server: Server, tmp_path: Path, listing: bytes, sentence: str
) -> None:
    server.put(ED, "SHA256SUMS.txt", listing)
    with pytest.raises(InputError, match=sentence):
        fetch_demo(tmp_path / "out", server.url)
    assert not (tmp_path / "out").exists()


def test_a_listing_as_sha256sum_writes_it_is_read(server: Server, tmp_path: Path) -> None:
    path = server.put(MAIN, "SHA256SUMS.txt", b"")
    sums = [f"{hashlib.sha256(b'open').hexdigest()} {mark}LICENSE.txt\r\n" for mark in (" ", "*")]
    for line in sums:
        path.write_text(line)
        fetch_demo(tmp_path / "out", server.url)
    assert (tmp_path / "out" / MAIN / "LICENSE.txt").read_bytes() == b"open"


@pytest.mark.parametrize(
    ("url", "sentence"),
    [
        ("http://physionet.org/files", "is not https"),
        ("http://127.0.0.1.example.org/", "is not https"),
        ("http://localhost@example.org/", "is not https"),
        ("ftp://127.0.0.1/", "is not an address"),
        ("file:///etc", "is not an address"),
        ("physionet.org", "is not an address"),
        ("https://[::1", "is not an address"),
        ("https://physionet.org/files?a=b", "holds more than a path"),
        ("http://127.0.0.1:9/", "cannot be reached"),
    ],
)
def test_an_address_must_be_https_or_of_this_machine(tmp_path: Path, url: str, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        fetch_demo(tmp_path / "out", url)


def test_a_redirect_may_not_leave_https(server: Server, tmp_path: Path) -> None:
    for target, sentence in {
        "file:///etc/passwd": "is not allowed",
        "ftp://127.0.0.1/patients.csv.gz": "is not an address",
        "http://example.org/patients.csv.gz": "is not https",
    }.items():
        server.redirected[PATIENTS] = target
        with pytest.raises(InputError, match=sentence):
            fetch_demo(tmp_path / "out", server.url)
    server.redirected[PATIENTS] = "/moved?signature=1"
    (server.root / "moved").write_bytes(b"p" * 300_000)
    assert fetch_demo(tmp_path / "out", server.url).fetched == 2


def test_a_place_that_cannot_be_written_is_named(server: Server, tmp_path: Path) -> None:
    (tmp_path / "out").write_text("a file")
    with pytest.raises(InputError, match=r"out.* cannot be written"):
        fetch_demo(tmp_path / "out", server.url)
    assert (tmp_path / "out").read_text() == "a file"


def put_real_demo(server: Server, demo: Path) -> None:
    """Serve the demo as PhysioNet does, but for what is not here."""
    ed = demo / "ed"
    if not (ed / "SHA256SUMS.txt").is_file():
        ed = ed.resolve().parent
    for project, listing in ((MAIN, demo), (ED, ed)):
        listed = {
            line.partition(" ")[2]: line for line in (listing / "SHA256SUMS.txt").read_text().splitlines()
        }
        here = {name: path for name in listed for path in (demo / name, listing / name) if path.is_file()}
        for name, path in here.items():
            server.put(project, name, path.read_bytes())
        server.put(project, "SHA256SUMS.txt", "\n".join(listed[name] for name in here).encode())


def test_the_real_demo_goes_from_the_server_into_a_warehouse(
    server: Server, mimic_demo: Path, tmp_path: Path
) -> None:
    put_real_demo(server, mimic_demo)
    out = tmp_path / "my demo"
    arguments = ["fetch-demo", "--out", str(out), "--base-url", server.url]
    ended = CliRunner().invoke(app, arguments, env={"COLUMNS": "200"})
    assert (ended.exit_code, ended.stderr) == (0, "")
    assert "files fetched, 0 were there" in ended.stdout
    assert f"next: python -m tools.ehr ingest --root '{out}' --out " in ended.stdout
    tables = {info.name: info.rows for info in ingest(out, tmp_path / "e.duckdb")}
    assert (tables["hosp.labevents"], tables["icu.inputevents"], tables["ed.edstays"]) == (107727, 20404, 222)

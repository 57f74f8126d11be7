"""The journal of model calls: every finished call is on disk before anyone uses its result.

A folder of JSON-lines files, one for each process that wrote. A call is found by its place and by digests of all that
was sent, so that a changed prompt, model, tool or parameter is a miss, and the journal can say which it was.
"""

import asyncio
import hashlib
import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO

import orjson
from langchain_core.messages import AIMessage, BaseMessage
from pydantic import JsonValue, ValidationError

from agents.failures import OF_THE_EXAMINEE
from agents.wire import EXTRA
from state.base import InputError
from state.journal import Entry, Parts, Place, Role

NEXT_FREE = range(1, 100_000)
DIGEST_CHARS = 16
Position = tuple[Path, int]


def digest(value: object) -> str:
    """Digest a JSON value; the order of keys does not matter."""
    try:
        text = orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
    except TypeError:
        # Half a surrogate pair or an integer beyond 64 bits, as some models write them.
        text = json.dumps(value, sort_keys=True).encode()
    return hashlib.sha256(text).hexdigest()[:DIGEST_CHARS]


def parts_of(
    model: str, parameters: dict[str, JsonValue], tools: str, messages: Sequence[BaseMessage]
) -> Parts:
    """Digest all that a request is made of. ``tools`` is a digest already: it is the same for a whole run."""
    said = [_said(message) for message in messages]
    return Parts(
        model=model,
        parameters=digest(parameters),
        tools=tools,
        prompt=digest([one for one in said if one[0] == "system"]),
        question=digest([one for one in said if one[0] == "human"]),
        messages=digest(said),
    )


def _said(message: BaseMessage) -> tuple[Any, ...]:
    """Give what of a message goes over the wire; ids and artifacts stay here."""
    if isinstance(message, AIMessage):
        calls = [[call["id"], call["name"], call["args"]] for call in message.tool_calls]
        calls += [[call["id"], call["name"], call["args"]] for call in message.invalid_tool_calls]
        return message.type, message.content, calls, message.additional_kwargs.get(EXTRA)
    return message.type, message.content, getattr(message, "tool_call_id", None)


def _key(place: Place, parts: Parts) -> bytes:
    said = place.model_dump_json() + parts.model_dump_json()
    return hashlib.sha256(said.encode()).digest()[:DIGEST_CHARS]


def lines_of(path: Path) -> Iterator[tuple[int, Entry]]:
    """Yield offset and entry of each whole line; a last line cut off by a crash is left out.

    Any other line that cannot be read is an InputError: a journal with a hole would pay for calls twice.
    """
    offset = 0
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            if not line.endswith(b"\n"):
                return
            try:
                yield offset, Entry.model_validate_json(line)
            except ValidationError as error:
                raise InputError(
                    f"{path} line {number} is no journal entry: {error.errors()[0]['msg']}; restore the file, or "
                    "delete it to pay for its calls again"
                ) from error
            offset += len(line)


class Journal:
    """The calls of a run. ``also`` are journals of other runs to answer from; they are never written."""

    def __init__(self, folder: Path, also: Sequence[Path] = ()) -> None:
        """Read where every call stands; nothing is written until the first ``put``."""
        self.folder = folder
        self._folders = (*also, folder)
        self._file: BinaryIO | None = None
        self._path, self._begin = folder, 0
        self._waiting: list[tuple[Entry, bytes]] = []
        self._queued = self._written = 0
        self._turn = asyncio.Lock()
        self._found: dict[bytes, Position] = {}
        self._answered: set[bytes] = set()
        for path, offset, entry in self._all():
            self._index(path, offset, entry)

    def _all(self) -> Iterator[tuple[Path, int, Entry]]:
        for folder in self._folders:
            for path in sorted(folder.glob("*.jsonl")):
                for offset, entry in lines_of(path):
                    yield path, offset, entry

    def _index(self, path: Path, offset: int, entry: Entry) -> None:
        """Keep the last of several entries of a call, but an answer before any failure."""
        key = _key(entry.place, entry.parts)
        if entry.reply is not None or key not in self._answered:
            self._found[key] = (path, offset)
        if entry.reply is not None:
            self._answered.add(key)

    def entries(self) -> Iterator[Entry]:
        """Yield what this run itself has paid for."""
        for path in sorted(self.folder.glob("*.jsonl")):
            for _, entry in lines_of(path):
                yield entry

    def find(self, place: Place, parts: Parts, *, failures: bool = False) -> Entry | None:
        """Return the finished call, if it is there.

        A failure of the provider is no result, and is only given when ``failures`` are asked for, as in a replay.
        """
        position = self._found.get(_key(place, parts))
        if position is None:
            return None
        path, offset = position
        with path.open("rb") as file:
            file.seek(offset)
            entry = Entry.model_validate_json(file.readline())
        if entry.failure is None or failures or entry.failure.kind in OF_THE_EXAMINEE:
            return entry
        return None

    def why_miss(self, place: Place, parts: Parts) -> str | None:
        """Say what has changed since a call was made at this place; None where none was made.

        Judges are asked at the same place: another's call is another call, and not a changed one.
        """
        for _, _, entry in self._all():
            anothers = place.role is Role.JUDGE and entry.parts.model != parts.model
            if entry.place == place and not anothers:
                changed = [
                    name
                    for name in ("model", "parameters", "tools", "prompt", "question", "messages")
                    if getattr(entry.parts, name) != getattr(parts, name)
                ]
                if changed:
                    return ", ".join(changed)
        return None

    async def put(self, entry: Entry) -> None:
        """Write a finished call and wait until it is on disk; calls that finish together share one flush."""
        self._waiting.append((entry, (entry.model_dump_json() + "\n").encode()))
        self._queued += 1
        mine = self._queued
        async with self._turn:
            if self._written >= mine:
                return
            lines, self._waiting = self._waiting, []
            try:
                await asyncio.to_thread(self._write, b"".join(line for _, line in lines))
            except OSError:
                self._waiting = lines + self._waiting
                raise
            self._written += len(lines)
            offset = self._begin
            for written, line in lines:
                self._index(self._path, offset, written)
                offset += len(line)

    def _write(self, lines: bytes) -> None:
        if self._file is None:
            self._file = self._new_file()
        self._begin = self._file.tell()
        self._file.write(lines)
        self._file.flush()
        os.fsync(self._file.fileno())

    def _new_file(self) -> BinaryIO:
        """Open a file of this process's own: the next number nobody has taken."""
        self.folder.mkdir(parents=True, exist_ok=True)
        for number in NEXT_FREE:
            self._path = self.folder / f"{number:05}.jsonl"
            try:
                file = self._path.open("xb")
            except FileExistsError:
                continue
            _sync_folder(self.folder)
            return file
        raise InputError(f"{self.folder} is full: {len(NEXT_FREE)} files")

    def close(self) -> None:
        """Close the file this process wrote."""
        if self._file is not None:
            self._file.close()
            self._file = None


def _sync_folder(folder: Path) -> None:
    """Make a new file's name outlast a power cut, where folders can be opened for it."""
    if os.name == "posix":
        opened = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)

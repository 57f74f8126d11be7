"""An OpenAI-compatible server on loopback whose replies, and whose misdeeds, are written by the test.

It runs in a thread of the test, or as a process of its own: ``python tests/bad_openai.py PORTFILE LOGFILE SECONDS``
answers every call like a careful doctor and writes each served reply into the log, for tests that kill the client.
``--fault=STATUS`` answers all of them with an error, ``--faults=SHARE`` that share of them with faults of all kinds.
"""

import argparse
import asyncio
import hashlib
import json
import random
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

USAGE = {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}


@dataclass(frozen=True)
class Reply:
    """One response. ``delay`` is in seconds, before the headers; ``drip`` is between single bytes of the body.

    ``cut`` ends the connection after that many bytes of the body, by ``reset`` with a TCP reset.
    """

    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    delay: float = 0.0
    drip: float = 0.0
    cut: int | None = None
    reset: bool = False
    hang: bool = False


Script = Callable[[dict[str, Any]], Reply]
"""From the request's JSON to a reply."""


def completion(message: dict[str, Any], finish_reason: str, reply_id: str = "chatcmpl-1") -> Reply:
    """Answer with a message."""
    body = {
        "id": reply_id,
        "object": "chat.completion",
        "created": 0,
        "model": "scripted",
        "choices": [{"index": 0, "message": message, "finish_reason": finish_reason}],
        "usage": USAGE,
    }
    return Reply(headers={"Content-Type": "application/json"}, body=json.dumps(body).encode())


def says(content: str, finish_reason: str = "stop", **fields: Any) -> Reply:
    """Answer with text, and with more fields of the message."""
    return completion({"role": "assistant", "content": content, **fields}, finish_reason)


def calls(name: str, arguments: str) -> Reply:
    """Ask for one tool call, with the arguments as the raw text a model wrote."""
    return asks([tool_call(name, arguments)])


def tool_call(name: str, arguments: str, call_id: str = "call_1") -> dict[str, Any]:
    """Write one tool call."""
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}


def asks(tool_calls: list[dict[str, Any]], finish_reason: str = "tool_calls", **fields: Any) -> Reply:
    """Ask for tool calls."""
    message = {"role": "assistant", "content": None, "tool_calls": tool_calls, **fields}
    return completion(message, finish_reason)


def fails(
    status: int, headers: Mapping[str, str] | None = None, message: str | None = None, **error: Any
) -> Reply:
    """Answer with an HTTP error."""
    body = {"error": {"message": message or f"scripted {status}", **error}}
    return Reply(status, {"Content-Type": "application/json", **(headers or {})}, json.dumps(body).encode())


def raw(body: bytes, content_type: str = "application/json") -> Reply:
    """Answer 200 with any bytes."""
    return Reply(headers={"Content-Type": content_type}, body=body)


def streams(deltas: list[dict[str, Any]], finish_reason: str | None = "stop") -> Reply:
    """Answer with server-sent events; without a finish reason the stream breaks off quietly."""
    choices: list[list[dict[str, Any]]] = [
        [{"index": 0, "delta": delta, "finish_reason": None}] for delta in deltas
    ]
    if finish_reason is not None:
        choices.append([{"index": 0, "delta": {}, "finish_reason": finish_reason}])
    chunks = [{"id": "chatcmpl-s", "object": "chat.completion.chunk", "choices": c} for c in choices]
    if finish_reason is not None:
        chunks.append({"id": "chatcmpl-s", "object": "chat.completion.chunk", "choices": [], "usage": USAGE})
    text = "".join(f"data: {json.dumps(chunk)}\n\n" for chunk in chunks)
    text += "data: [DONE]\n\n" if finish_reason is not None else ""
    return Reply(headers={"Content-Type": "text/event-stream"}, body=text.encode())


def hangs() -> Reply:
    """Never answer."""
    return Reply(hang=True)


def resets(reply: Reply, after: int = 10) -> Reply:
    """Send the beginning of a reply and reset the connection."""
    return replace(reply, cut=after, reset=True)


def cuts(reply: Reply, after: int = 10) -> Reply:
    """Send the beginning of a reply and close the connection."""
    return replace(reply, cut=after)


def drips(reply: Reply, seconds: float) -> Reply:
    """Send a reply byte by byte."""
    return replace(reply, drip=seconds)


@dataclass
class Server:
    """Where it listens, and every request it was sent."""

    url: str
    requests: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str | None] = field(default_factory=list)


@contextmanager
def serve(script: Script) -> Iterator[Server]:
    """Serve ``script`` until the block ends."""
    server = Server("")
    ready, done = threading.Event(), threading.Event()

    async def main() -> None:
        listener = await asyncio.start_server(Handler(script, server), "127.0.0.1", 0)
        server.url = f"http://127.0.0.1:{listener.sockets[0].getsockname()[1]}/v1"
        ready.set()
        async with listener:
            await asyncio.to_thread(done.wait)

    thread = threading.Thread(target=lambda: asyncio.run(main()))
    thread.start()
    ready.wait()
    try:
        yield server
    finally:
        done.set()
        thread.join()


class Handler:
    """Speaks just enough HTTP/1.1, and breaks it where the script says so."""

    def __init__(self, script: Script, server: Server) -> None:
        self.script, self.server = script, server
        self.connections: set[asyncio.Task[Any]] = set()

    async def __call__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while await self._one(reader, writer):
                pass
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass  # a client that has stopped waiting is part of some scripts
        finally:
            writer.close()

    async def _one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        headers = {
            name.lower(): value.strip()
            for name, _, value in (line.partition(":") for line in head.split("\r\n")[1:])
        }
        request = json.loads(await reader.readexactly(int(headers["content-length"])))
        self.server.requests.append(request)
        self.server.keys.append(headers.get("authorization"))
        reply = self.script(request)
        if reply.hang:
            await reader.read()
            return False
        await asyncio.sleep(reply.delay)
        lines = [f"HTTP/1.1 {reply.status} X", f"Content-Length: {len(reply.body)}"]
        lines += [f"{name}: {value}" for name, value in reply.headers.items()]
        writer.write(("\r\n".join(lines) + "\r\n\r\n").encode())
        sent = reply.body if reply.cut is None else reply.body[: reply.cut]
        if reply.drip:
            for place in range(len(sent)):
                writer.write(sent[place : place + 1])
                await writer.drain()
                await asyncio.sleep(reply.drip)
        else:
            writer.write(sent)
        await writer.drain()
        if reply.reset:
            writer.transport.abort()
        return reply.cut is None


ASKING = "asking"
"""A careful doctor of this name asks the patient too."""


def is_patient(request: dict[str, Any]) -> bool:
    """Tell whether a model is asked to speak for a patient."""
    return bool(request["messages"][0]["content"].startswith("You play a patient"))


def plain_of(request: dict[str, Any]) -> str:
    """Return what a patient has to say."""
    return str(request["messages"][1]["content"].split("What you have to say: ")[1])


def careful_patient(request: dict[str, Any]) -> dict[str, Any]:
    """Say what there is to say, and a word of courtesy."""
    return {"role": "assistant", "content": f"{plain_of(request)} Thank you, doctor."}


def careful_doctor(request: dict[str, Any]) -> dict[str, Any]:
    """Read the patient, then answer: a message that depends on nothing but the request."""
    messages = request["messages"]
    asked = max(i for i, message in enumerate(messages) if message["role"] == "user")
    since = messages[asked + 1 :]
    subject_id = int(messages[0]["content"].split("subject_id ")[1].split(",")[0])
    steps: tuple[tuple[str, dict[str, Any]], ...] = (
        ("Observation_search", {"subject_id": subject_id, "code": "Potassium", "_count": 3}),
        ("MedicationRequest_search", {"subject_id": subject_id, "status": "active", "_count": 20}),
    )
    if request["model"] == ASKING:
        steps += (
            ("patient_get_symptom_history", {"subject_id": subject_id, "query": "all symptoms"}),
            ("patient_get_medication_adherence", {"subject_id": subject_id, "drug": "all"}),
        )
    done = sum(message["role"] == "tool" for message in since)
    if done < len(steps):
        name, arguments = steps[done]
        call = tool_call(name, json.dumps(arguments), f"call_{len(messages)}")
        return {"role": "assistant", "content": None, "tool_calls": [call]}
    return {"role": "assistant", "content": f"From the chart: {since[-1]['content'][:200]}"}


def digest(request: dict[str, Any]) -> str:
    """Name a request by all that was sent."""
    return hashlib.sha256(json.dumps(request, sort_keys=True).encode()).hexdigest()[:16]


def announce(port_file: Path, port: int) -> None:
    """Write the port, whole or not at all."""
    part = port_file.with_suffix(".partial")
    part.write_text(str(port))
    part.replace(port_file)


def recoverable(rng: random.Random, reply: Reply) -> Reply:
    """Give one of the faults that a client must get over."""
    return rng.choice(
        [
            fails(429),
            fails(429, {"Retry-After": "0"}),
            fails(500),
            fails(503, {"Retry-After": "0.05"}),
            resets(reply, after=rng.randrange(len(reply.body))),
            cuts(reply, after=rng.randrange(len(reply.body))),
            raw(reply.body[: len(reply.body) // 2]),
            raw(b"\xff" + reply.body),
            raw(b'{"choices": []}'),
        ]
    )


def main() -> None:
    """Serve as a process of its own; every reply is in the log before its first byte is sent."""
    parser = argparse.ArgumentParser()
    parser.add_argument("port_file", type=Path)
    parser.add_argument("log_file", type=Path)
    parser.add_argument("seconds", type=float)
    parser.add_argument("--fault", type=int)
    parser.add_argument("--faults", type=float, default=0.0)
    asked = parser.parse_args()
    log = asked.log_file.open("a", buffering=1)
    rng = random.Random(7)  # noqa: S311 - which response is broken
    count = 0

    def script(request: dict[str, Any]) -> Reply:
        nonlocal count
        if asked.fault is not None:
            return fails(asked.fault)
        message = careful_patient(request) if is_patient(request) else careful_doctor(request)
        finish = "tool_calls" if message.get("tool_calls") else "stop"
        if rng.random() < asked.faults:
            return replace(recoverable(rng, completion(message, finish, "lost")), delay=asked.seconds)
        count += 1
        log.write(f"{digest(request)} chatcmpl-{count} {time.time():.3f}\n")
        return replace(completion(message, finish, f"chatcmpl-{count}"), delay=asked.seconds)

    async def forever() -> None:
        listener = await asyncio.start_server(Handler(script, Server("")), "127.0.0.1", 0, backlog=512)
        announce(asked.port_file, listener.sockets[0].getsockname()[1])
        async with listener:
            await listener.serve_forever()

    asyncio.run(forever())


if __name__ == "__main__":
    main()

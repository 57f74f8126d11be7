"""An OpenAI-compatible server on loopback whose replies are written by the test."""

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Reply = tuple[int, Mapping[str, str], bytes]
"""Status, headers, body."""
Script = Callable[[dict[str, Any]], Reply]
"""From the request's JSON to a reply."""


def says(content: str, finish_reason: str = "stop") -> Reply:
    """Answer with text."""
    return _completion({"role": "assistant", "content": content}, finish_reason)


def calls(name: str, arguments: str) -> Reply:
    """Ask for one tool call, with the arguments as the raw text a model wrote."""
    call = {"id": "call_1", "type": "function", "function": {"name": name, "arguments": arguments}}
    return _completion({"role": "assistant", "content": None, "tool_calls": [call]}, "tool_calls")


def fails(status: int, headers: Mapping[str, str] | None = None) -> Reply:
    """Answer with an HTTP error."""
    return status, headers or {}, json.dumps({"error": {"message": f"scripted {status}"}}).encode()


def _completion(message: dict[str, Any], finish_reason: str) -> Reply:
    body = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 0,
        "model": "scripted",
        "choices": [{"index": 0, "message": message, "finish_reason": finish_reason}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110},
    }
    return 200, {"Content-Type": "application/json"}, json.dumps(body).encode()


@dataclass
class Server:
    """Where it listens, and every request it was sent."""

    url: str
    requests: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str | None] = field(default_factory=list)


@contextmanager
def serve(script: Script) -> Iterator[Server]:
    """Serve ``script`` until the block ends."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            server.requests.append(request)
            server.keys.append(self.headers.get("Authorization"))
            status, headers, body = script(request)
            with suppress(ConnectionError):  # a client that has stopped waiting is part of some scripts
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Keep the test's output clean."""

    listener = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server = Server(f"http://127.0.0.1:{listener.server_port}/v1")
    thread = threading.Thread(target=listener.serve_forever)
    thread.start()
    try:
        yield server
    finally:
        listener.shutdown()
        thread.join()
        listener.server_close()

"""Requests to an OpenAI-compatible endpoint: one POST a call, its response read whole or event by event.

By aiohttp and not by the client of the openai package: at 64 calls at a time that one takes more of the processor than
the sessions themselves (`tests/bench/bench_run.py`).
"""

import io
import json
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import aiohttp
import orjson

from agents.wire import BadBody, HttpError

CONNECT_SECONDS = 30.0
FIRST_ERROR = 300
LONG_BYTES = 2**20
"""A longer request is sent in pieces, so that other calls are not held up."""


def open_session() -> aiohttp.ClientSession:
    """Open the connections that all models share; how many calls run at a time is for the run to say."""
    return aiohttp.ClientSession(
        connector=aiohttp.TCPConnector(limit=0),
        cookie_jar=aiohttp.DummyCookieJar(),
        timeout=aiohttp.ClientTimeout(total=None, sock_connect=CONNECT_SECONDS),
    )


def proxy_for(base_url: str) -> str | None:
    """Give the proxy that the environment (``HTTPS_PROXY``, ``NO_PROXY``) names for an endpoint.

    aiohttp's own ``trust_env`` also reads ~/.netrc at each call, and refuses to send the key where it finds the host.
    """
    address = urlsplit(base_url)
    if address.hostname is None or proxy_bypass(address.hostname):
        return None
    return getproxies().get(address.scheme)


@dataclass(frozen=True)
class Endpoint:
    """Where completions are asked for. Raises HttpError, BadBody, and what aiohttp raises of a connection."""

    session: aiohttp.ClientSession
    base_url: str
    api_key: str | None
    proxy: str | None = None

    def _post(self, body: dict[str, Any]) -> AbstractAsyncContextManager[aiohttp.ClientResponse]:
        headers = {
            "Authorization": f"Bearer {self.api_key or 'none'}",
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
            "User-Agent": "wardround",
        }
        data = encoded(body)
        return self.session.post(
            f"{self.base_url.rstrip('/')}/chat/completions",
            data=data if len(data) < LONG_BYTES else io.BytesIO(data),
            headers=headers,
            proxy=self.proxy,
        )

    async def whole(self, body: dict[str, Any]) -> Any:
        """Return the JSON of a response."""
        async with self._post(body) as response:
            await _refuse_errors(response)
            return parsed(await response.read())

    async def events(self, body: dict[str, Any]) -> AsyncIterator[Any]:
        """Yield the JSON of each server-sent event of a response."""
        async with self._post(body) as response:
            await _refuse_errors(response)
            rest = b""
            async for piece in response.content.iter_any():
                *lines, rest = (rest + piece).split(b"\n")
                for line in lines:
                    data = line.removeprefix(b"data:").strip()
                    if data == b"[DONE]":
                        return
                    if line.startswith(b"data:"):
                        yield parsed(data)


async def _refuse_errors(response: aiohttp.ClientResponse) -> None:
    if response.status >= FIRST_ERROR:
        raise HttpError(response.status, response.headers, await response.read())


def encoded(body: dict[str, Any]) -> bytes:
    """Write a request; half a surrogate pair, which some models write and UTF-8 cannot, is escaped."""
    try:
        return orjson.dumps(body)
    except TypeError:
        return json.dumps(body, separators=(",", ":")).encode()


def parsed(content: bytes) -> Any:
    """Read a response's JSON strictly; BadBody where it is none or not UTF-8, or says it is an error."""
    try:
        body = json.loads(content.decode("utf-8"))
    except (UnicodeDecodeError, json.JSONDecodeError) as error:
        raise BadBody(f"not JSON in UTF-8: {content[:200]!r}") from error
    if isinstance(body, dict) and body.get("error") and not body.get("choices"):
        raise BadBody(f"an error in place of a reply: {str(body['error'])[:200]}")
    return body

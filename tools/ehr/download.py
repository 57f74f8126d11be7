"""Getting files from the web: https only, but for a server on this machine."""

import http.client
import ipaddress
import urllib.error
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO
from urllib.parse import quote, urlsplit
from urllib.request import HTTPRedirectHandler, ProxyHandler, Request, build_opener

from state.base import InputError

CHUNK_BYTES = 1 << 18
SECONDS = 60
"""How long a server may stay silent."""
WRITE_IT = "write it like https://physionet.org/files"
AGAIN = "run the same command again: it goes on from the files already there"


class Web:
    """Files under one address. ``InputError`` if it is neither https nor on this machine."""

    def __init__(self, base_url: str) -> None:
        """Take the address all paths are under."""
        self._base_url = base_url.rstrip("/")
        _refuse_plain(self._base_url, loopback_allowed=True)
        if set(base_url) & set("?#"):
            raise InputError(f"{base_url} holds more than a path: {WRITE_IT}")
        loopback = _is_loopback(self._base_url)
        proxies = [ProxyHandler({})] if loopback else []
        self._opener = build_opener(_Redirects(loopback_allowed=loopback), *proxies)

    def address(self, path: str) -> str:
        """Give the whole address of ``path``."""
        return f"{self._base_url}/{quote(path)}"

    def read(self, path: str, most_bytes: int) -> bytes:
        """Get a small file; ``InputError`` if it is larger than ``most_bytes``, and as ``chunks``."""
        content = b""
        for chunk, _ in self.chunks(path):
            content += chunk
            if len(content) > most_bytes:
                raise InputError(f"{self.address(path)} is larger than it can be: is this the right address?")
        return content

    def chunks(self, path: str) -> Iterator[tuple[bytes, int | None]]:
        """Yield the bytes of a file in pieces, each with the size of the whole where the server tells it.

        ``InputError`` if the server cannot be reached, refuses, falls silent, or breaks off.
        """
        url = self.address(path)
        headers = {"User-Agent": "wardround", "Accept-Encoding": "identity"}
        request = Request(url, headers=headers)  # noqa: S310 (the scheme was checked when the address was taken)
        with _faults_named(url), self._opener.open(request, timeout=SECONDS) as response:
            told = response.headers.get("Content-Length", "")
            size = int(told) if told.isdigit() else None
            received = 0
            while chunk := response.read(CHUNK_BYTES):
                received += len(chunk)
                yield chunk, size
            if size is not None and received < size:
                raise InputError(f"{url} broke off after {received:,} of {size:,} bytes: {AGAIN}")


@contextmanager
def _faults_named(url: str) -> Iterator[None]:
    try:
        yield
    except urllib.error.HTTPError as error:
        error.close()
        raise InputError(f"{url} answered {error.code} {error.reason}: is the address right?") from error
    except urllib.error.URLError as error:
        raise InputError(f"{url} cannot be reached ({error.reason}): {AGAIN}") from error
    except (http.client.HTTPException, OSError) as error:
        raise InputError(f"{url} broke off ({type(error).__name__}): {AGAIN}") from error


class _Redirects(HTTPRedirectHandler):
    """Follows a redirect only where a first address would be accepted."""

    def __init__(self, *, loopback_allowed: bool) -> None:
        self._loopback_allowed = loopback_allowed

    def redirect_request(
        self, req: Request, fp: IO[bytes], code: int, msg: str, headers: http.client.HTTPMessage, newurl: str
    ) -> Request | None:
        try:
            _refuse_plain(newurl, loopback_allowed=self._loopback_allowed)
        except InputError:
            fp.close()
            raise
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def _refuse_plain(url: str, *, loopback_allowed: bool) -> None:
    try:
        parts = urlsplit(url)
        whole = (
            parts.scheme in {"http", "https"} and parts.hostname and (parts.port is None or parts.port > 0)
        )
    except ValueError:
        whole = False
    if not whole:
        raise InputError(f"{url} is not an address: {WRITE_IT}")
    if parts.scheme != "https" and not (loopback_allowed and _is_loopback(url)):
        raise InputError(f"{url} is not https: only a server on this machine may do without")


def _is_loopback(url: str) -> bool:
    host = urlsplit(url).hostname or ""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False

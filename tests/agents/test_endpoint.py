"""What the environment may say about an endpoint: a proxy, and never another key."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from bad_openai import Server, says, serve
from langchain_core.messages import HumanMessage

from agents.gateway import Gateway


def ask(gateway: Any, served: Any, call: Any, url: str, **fields: Any) -> str:
    async def run() -> str:
        calls: Gateway
        async with gateway(key_of=lambda _: "the key", **fields) as calls:
            return str((await calls.ask(call(served(url), [HumanMessage("?")]))).text)

    return asyncio.run(run())


def test_netrc_gives_no_key(
    gateway: Any, served: Any, call: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    netrc = tmp_path / "netrc"
    netrc.write_text("default login somebody password secret\n")
    netrc.chmod(0o600)
    monkeypatch.setenv("NETRC", str(netrc))
    with serve(lambda _: says("here")) as server:
        assert ask(gateway, served, call, server.url) == "here"
    assert server.keys == ["Bearer the key"]


@pytest.mark.parametrize(("bypassed", "through"), [("", True), ("provider.invalid", False)])
def test_a_proxy_of_the_environment_is_used_but_where_it_is_bypassed(
    gateway: Any,
    served: Any,
    call: Any,
    monkeypatch: pytest.MonkeyPatch,
    bypassed: str,
    *,
    through: bool,
) -> None:
    proxy: Server
    with serve(lambda _: says("by proxy")) as proxy:
        monkeypatch.setenv("http_proxy", proxy.url.removesuffix("/v1"))
        monkeypatch.setenv("no_proxy", bypassed)
        url = "http://provider.invalid/v1"
        if through:
            assert ask(gateway, served, call, url) == "by proxy"
        else:
            with pytest.raises(Exception, match=r"provider\.invalid"):
                ask(gateway, served, call, url)
    assert len(proxy.requests) == through

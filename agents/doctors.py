"""Doctors by name. ``offline/*`` need no key and are never to be compared with published figures."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import urlsplit

from langchain_core.language_models import BaseChatModel
from pydantic import SecretStr

from agents.offline.baseline import BaselineDoctor
from agents.offline.scripted import DoubleDoseDoctor, GoldDoctor, WrongPatientDoctor
from agents.offline.trivial import EchoDoctor, EmptyDoctor, RefusingDoctor
from state.base import InputError, Language
from state.gold import GoldSession
from tools.vocabulary import Vocabulary

DoctorMaker = Callable[[GoldSession], BaseChatModel]
"""Makes the doctor of one session. Only scripted doctors look at the gold; a model under test never gets it."""

OFFLINE = (
    "offline/baseline",
    "offline/gold",
    "offline/empty",
    "offline/refuse",
    "offline/echo",
    "offline/wrong-patient",
    "offline/double-dose",
)


def is_offline(name: str) -> bool:
    """Tell whether a doctor is one of the product's own programs."""
    return name.startswith("offline/")


COMPATIBLE = "openai-compatible/"
TEMPERATURE = 0.2
"""PhysAssistBench's protocol."""
RETRIES = 4
"""Of rate limits, server errors and dropped connections, with the client's own backoff."""


@dataclass(frozen=True)
class Endpoint:
    """An OpenAI-compatible service: where it is, and its key if it wants one."""

    base_url: str
    api_key: str | None = None


def checked_url(base_url: str) -> str:
    """Accept an http or https address with a host and without credentials; anything else is an InputError.

    An empty address would let the client library fall back on an endpoint nobody named.
    """
    try:
        parts = urlsplit(base_url)
        port = parts.port
    except ValueError:
        parts, port = urlsplit(""), None
    if parts.username or parts.password:
        raise InputError("--base-url holds a user name or password: put the key into the environment instead")
    if parts.scheme not in {"http", "https"} or not parts.hostname or port == 0 or re.search(r"\s", base_url):
        raise InputError(f"--base-url {base_url!r} is no address: write it like https://host:8000/v1")
    return base_url


def _live(name: str, endpoint: Endpoint | None) -> BaseChatModel:
    if endpoint is None:
        raise InputError(f"model {name!r} needs --base-url, the address of its OpenAI-compatible endpoint")
    # Imported here because it takes as long as everything else together, and offline doctors do without.
    from langchain_openai import ChatOpenAI

    return ChatOpenAI(
        model=name.removeprefix(COMPATIBLE),
        base_url=checked_url(endpoint.base_url),
        api_key=SecretStr(endpoint.api_key or "none"),
        temperature=TEMPERATURE,
        max_retries=RETRIES,
    )


def doctor_maker(
    name: str, vocabulary: Vocabulary, language: Language, endpoint: Endpoint | None = None
) -> DoctorMaker:
    """Return what makes the named doctor for a session; an unknown name is an InputError."""
    if endpoint is not None and not name.startswith(COMPATIBLE):
        raise InputError(f"--base-url goes with a model named {COMPATIBLE}NAME, not with {name!r}")
    if name.startswith(COMPATIBLE) and name != COMPATIBLE:
        live = _live(name, endpoint)
        return lambda _: live
    baseline = BaselineDoctor(vocabulary=vocabulary)
    makers: dict[str, DoctorMaker] = {
        "offline/baseline": lambda _: baseline,
        "offline/gold": lambda gold: GoldDoctor(gold=gold, language=language),
        "offline/empty": lambda _: EmptyDoctor(),
        "offline/refuse": lambda _: RefusingDoctor(),
        "offline/echo": lambda _: EchoDoctor(),
        "offline/wrong-patient": lambda gold: WrongPatientDoctor(gold=gold, language=language),
        "offline/double-dose": lambda gold: DoubleDoseDoctor(
            gold=gold, language=language, vocabulary=vocabulary
        ),
    }
    if name not in makers:
        raise InputError(
            f"unknown model {name!r}: use {COMPATIBLE}NAME with --base-url, or {', '.join(OFFLINE)}"
        )
    return makers[name]

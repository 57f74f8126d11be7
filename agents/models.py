"""Models by name: ``provider/model`` of configs/models.yaml, or any OpenAI-compatible endpoint by its address."""

import re
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import yaml
from pydantic import JsonValue, ValidationError

from state.base import InputError
from state.models import Catalogue, ModelChoice, ModelFacts, ProviderFacts, ServedModel
from state.trajectory import Usage

COMPATIBLE = "openai-compatible"
COMPATIBLE_KEY = "WARDROUND_API_KEY"
PER_PRICE = 1_000_000
"""Prices are for a million tokens."""


def read_catalogue(path: Path | None = None) -> Catalogue:
    """Read configs/models.yaml, or the file at ``path``; what does not fit is an InputError naming the field."""
    where = str(path or "configs/models.yaml")
    if path is not None and not path.is_file():
        raise InputError(f"{path} does not exist: give --models a file like configs/models.yaml")
    try:
        text = (path or files("configs") / "models.yaml").read_text("utf-8")
        return Catalogue.model_validate(yaml.safe_load(text))
    except UnicodeDecodeError as error:
        raise InputError(f"{where} is not UTF-8: give --models a file like configs/models.yaml") from error
    except yaml.YAMLError as error:
        raise InputError(f"{where} is not YAML: {' '.join(str(error).split())}; correct it") from error
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"]) or "the file"
        raise InputError(f"{where}: {field}: {first['msg']}; correct the field") from error


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


def serve(choice: ModelChoice, catalogue: Catalogue) -> ServedModel:
    """Work out how a model will be called; a name or a wish its provider does not know is an InputError."""
    provider, _, model = choice.name.partition("/")
    facts = _provider(provider, choice, catalogue)
    if facts is None or not model:
        known = ", ".join(f"{name}/NAME" for name in catalogue.providers)
        raise InputError(f"unknown model {choice.name!r}: use {COMPATIBLE}/NAME with --base-url, or {known}")
    known_model, elsewhere = facts.models.get(model, ModelFacts()), provider == COMPATIBLE
    return ServedModel(
        name=choice.name,
        provider=provider,
        model=model,
        families=_families(model, facts),
        base_url=checked_url(choice.base_url or facts.base_url),
        key_variable=choice.key_variable or facts.key_variable or (COMPATIBLE_KEY if elsewhere else None),
        key_required=not elsewhere and facts.key_variable is not None,
        parameters=_parameters(choice, facts, known_model),
        structured_output=facts.structured_output,
        reasoning_fields=facts.reasoning_fields,
        returns_reasoning=facts.returns_reasoning,
        stream=facts.stream,
        requests_per_minute=facts.requests_per_minute,
        tokens_per_minute=facts.tokens_per_minute,
        call_seconds=facts.call_seconds,
        context_tokens=known_model.context_tokens,
        output_tokens=choice.output_tokens or known_model.output_tokens,
        price=known_model.price,
    )


def families_of(name: str, catalogue: Catalogue) -> frozenset[str]:
    """Name the families of a model by its name alone; none for a program of the product."""
    provider, _, model = name.partition("/")
    return frozenset() if provider == "offline" else _families(model, catalogue.providers.get(provider))


def _families(model: str, facts: ProviderFacts | None) -> frozenset[str]:
    """Give the maker of a provider's models, and the letters a model's own name begins with."""
    family = re.match(r"[a-z]*", model.rpartition("/")[2].lower())
    own = family.group() if family else ""
    return frozenset(filter(None, (facts.family if facts is not None else None, own)))


def _provider(name: str, choice: ModelChoice, catalogue: Catalogue) -> ProviderFacts | None:
    if name != COMPATIBLE or name in catalogue.providers:
        return catalogue.providers.get(name)
    if choice.base_url is None:
        raise InputError(f"model {choice.name!r} needs --base-url, the address of its endpoint")
    return ProviderFacts(base_url=choice.base_url, key_variable=COMPATIBLE_KEY, accepts_seed=True)


def _parameters(choice: ModelChoice, facts: ProviderFacts, model: ModelFacts) -> dict[str, JsonValue]:
    """Give what the request body holds beside model, messages and tools; what the model would refuse stays out."""
    parameters: dict[str, JsonValue] = {}
    takes_temperature = (
        facts.accepts_temperature if model.accepts_temperature is None else model.accepts_temperature
    )
    if choice.temperature is not None and takes_temperature:
        parameters["temperature"] = choice.temperature
    if choice.seed is not None:
        if not facts.accepts_seed:
            raise InputError(f"--model-seed: nothing says that {choice.name} takes a seed; leave it out")
        parameters["seed"] = choice.seed
    if choice.output_tokens is not None:
        if model.output_tokens is not None and choice.output_tokens > model.output_tokens:
            raise InputError(
                f"--output-tokens {choice.output_tokens}: {choice.name} writes at most {model.output_tokens}"
            )
        parameters[facts.output_parameter] = choice.output_tokens
    if choice.thinking is not None:
        switch = model.thinking or facts.thinking
        fields = switch.on if choice.thinking else switch.off
        if fields is None:
            wish = "on" if choice.thinking else "off"
            raise InputError(f"--thinking {wish}: nothing says how {choice.name} is switched; leave it out")
        parameters |= fields
    return parameters


def key_for(served: ServedModel, read: Callable[[str], str | None]) -> str | None:
    """Give a model's key by the name of its variable; a service that wants one and has none is an InputError."""
    key = None if served.key_variable is None else read(served.key_variable)
    if key is None and served.key_required:
        raise InputError(f"model {served.name!r} wants a key: set {served.key_variable} or put it into .env")
    return key


def priced(served: ServedModel, option: str) -> None:
    """Raise InputError where a limit of money is set on a model whose price is not known."""
    if served.price is None:
        raise InputError(
            f"{option} cannot be kept: the price of {served.name!r} is not known; enter it in configs/models.yaml "
            "or in the file of --models"
        )


def refuse_own_judge(examinee: ServedModel, judge: ServedModel) -> None:
    """Raise InputError when a judge is of the family it would judge."""
    if shared := examinee.families & judge.families:
        raise InputError(
            f"--judge {judge.name} is of the family {min(shared)}, as is the model under test: a model is lenient "
            "with its own kind; choose another judge, or pass --own-judge"
        )


def cost_usd(usage: Usage, served: ServedModel) -> float | None:
    """Price a call's tokens; None where the price is not known."""
    price = served.price
    if price is None:
        return None
    cached = price.input_usd if price.cached_input_usd is None else price.cached_input_usd
    fresh = usage.input_tokens - usage.cached_input_tokens
    paid = (
        fresh * price.input_usd + usage.cached_input_tokens * cached + usage.output_tokens * price.output_usd
    )
    return paid / PER_PRICE


def entry_text(provider: str, facts: dict[str, Any]) -> str:
    """Write an entry as it would stand in configs/models.yaml."""
    return yaml.safe_dump({"providers": {provider: facts}}, sort_keys=False, allow_unicode=True)

"""The catalogue refuses what it does not know, and a model is called as its provider wants it."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from agents.models import cost_usd, read_catalogue, refuse_own_judge, serve
from state.base import InputError
from state.models import Catalogue, ModelChoice, Price, ServedModel, Source
from state.trajectory import Usage


@pytest.fixture
def catalogue() -> Catalogue:
    return read_catalogue()


def served(name: str, catalogue: Catalogue, **wishes: Any) -> ServedModel:
    return serve(ModelChoice(name=name, **wishes), catalogue)


def test_every_fact_that_ships_has_a_source(catalogue: Catalogue) -> None:
    wanted = {
        "deepseek",
        "openai",
        "dashscope",
        "glm",
        "minimax",
        "kimi",
        "gemini",
        "vllm",
        "llama-cpp",
        "ollama",
    }
    assert set(catalogue.providers) == wanted
    for provider in catalogue.providers.values():
        assert provider.sources
        for model in provider.models.values():
            assert model.price is None or model.price.source.url


@pytest.mark.parametrize(
    "spoil",
    [
        lambda facts: facts.update(colour="red"),
        lambda facts: facts["models"]["m"].update(pricee={}),
        lambda facts: facts["models"]["m"].update(price={"input_usd": 1, "output_usd": 1}),
        lambda facts: facts.update(structured_output="magic"),
        lambda facts: facts.pop("base_url"),
    ],
)
def test_an_unknown_key_is_refused(tmp_path: Path, spoil: Any) -> None:
    facts: dict[str, Any] = {"base_url": "http://127.0.0.1/v1", "models": {"m": {}}}
    path = tmp_path / "models.yaml"
    path.write_text(yaml.safe_dump({"providers": {"p": facts}}))
    assert "p" in read_catalogue(path).providers
    spoil(facts)
    path.write_text(yaml.safe_dump({"providers": {"p": facts}}))
    with pytest.raises(InputError, match=r"models.yaml: providers\.p"):
        read_catalogue(path)


def test_a_file_that_is_not_yaml_or_not_there(tmp_path: Path) -> None:
    (tmp_path / "bad.yaml").write_text("providers: [")
    with pytest.raises(InputError, match="is not YAML"):
        read_catalogue(tmp_path / "bad.yaml")
    with pytest.raises(InputError, match="does not exist"):
        read_catalogue(tmp_path / "none.yaml")


@pytest.mark.parametrize("name", ["nobody/x", "deepseek", "deepseek/", "openai-compatible/"])
def test_an_unknown_name_lists_what_there_is(catalogue: Catalogue, name: str) -> None:
    with pytest.raises(InputError, match="openai-compatible"):
        served(name, catalogue, base_url="http://127.0.0.1/v1" if "compatible" in name else None)


def test_a_compatible_model_needs_an_address(catalogue: Catalogue) -> None:
    with pytest.raises(InputError, match="--base-url"):
        served("openai-compatible/x", catalogue)


def test_parameters_a_provider_would_refuse_are_not_sent(catalogue: Catalogue) -> None:
    openai = served("openai/gpt-x", catalogue, temperature=0.2, output_tokens=500)
    assert openai.parameters == {"max_completion_tokens": 500}
    deepseek = served(
        "deepseek/deepseek-flash", catalogue, temperature=0.2, output_tokens=500, thinking=False
    )
    assert deepseek.parameters == {
        "temperature": 0.2,
        "max_tokens": 500,
        "thinking": {"type": "disabled"},
    }
    qwen = served("dashscope/qwen-plus", catalogue, thinking=True)
    assert qwen.parameters == {"enable_thinking": True}
    assert qwen.stream


def test_a_wish_nobody_knows_how_to_grant_is_refused(catalogue: Catalogue) -> None:
    with pytest.raises(InputError, match="--thinking off"):
        served("minimax/MiniMax-M3", catalogue, thinking=False)
    with pytest.raises(InputError, match="--model-seed"):
        served("deepseek/deepseek-flash", catalogue, seed=1)
    with pytest.raises(InputError, match="writes at most 384000"):
        served("deepseek/deepseek-flash", catalogue, output_tokens=384_001)
    assert served("deepseek/deepseek-flash", catalogue, output_tokens=384_000).output_tokens == 384_000


def test_a_price_that_is_not_known_is_no_price(catalogue: Catalogue) -> None:
    usage = Usage(input_tokens=1_000_000, output_tokens=1_000_000)
    assert cost_usd(usage, served("deepseek/anything-else", catalogue)) is None
    assert cost_usd(usage, served("glm/glm-4.7", catalogue)) is None


def test_cached_input_has_its_own_price(catalogue: Catalogue) -> None:
    source = Source(url="http://127.0.0.1", read="2026-01-01", says="x")  # type: ignore[arg-type]
    model = served("deepseek/deepseek-flash", catalogue)
    usage = Usage(
        input_tokens=1_000_000, cached_input_tokens=400_000, output_tokens=100_000, reasoning_tokens=5
    )
    priced = model.model_copy(
        update={"price": Price(input_usd=1, cached_input_usd=0.1, output_usd=10, source=source)}
    )
    assert cost_usd(usage, priced) == pytest.approx(0.6 + 0.04 + 1.0)
    flat = model.model_copy(update={"price": Price(input_usd=1, output_usd=10, source=source)})
    assert cost_usd(usage, flat) == pytest.approx(1.0 + 1.0)


@pytest.mark.parametrize(
    ("examinee", "judge"),
    [
        ("deepseek/deepseek-flash", "deepseek/deepseek-v4-pro"),
        ("vllm/Qwen/Qwen3-32B", "dashscope/qwen-plus"),
        ("dashscope/deepseek-v3", "deepseek/deepseek-flash"),
        ("openai/o9", "openai/gpt-9"),
        ("ollama/gpt-oss:20b", "openai/gpt-9"),
    ],
)
def test_a_judge_of_the_same_family_is_refused(catalogue: Catalogue, examinee: str, judge: str) -> None:
    with pytest.raises(InputError, match="family"):
        refuse_own_judge(served(examinee, catalogue), served(judge, catalogue))


def test_a_judge_of_another_family_is_taken(catalogue: Catalogue) -> None:
    refuse_own_judge(served("deepseek/deepseek-flash", catalogue), served("glm/glm-4.7", catalogue))
    refuse_own_judge(served("vllm/Qwen/Qwen3-32B", catalogue), served("vllm/meta/Llama-4", catalogue))


def test_how_long_a_call_may_take_is_set_for_an_endpoint_that_no_file_knows(tmp_path: Path) -> None:
    entry = {"base_url": "http://nowhere.invalid/v1", "call_seconds": 1200}
    (tmp_path / "models.yaml").write_text(yaml.safe_dump({"providers": {"openai-compatible": entry}}))
    choice = ModelChoice(name="openai-compatible/x", base_url="http://here.invalid/v1")
    slow = serve(choice, read_catalogue(tmp_path / "models.yaml"))
    assert (slow.base_url, slow.call_seconds) == ("http://here.invalid/v1", 1200)
    assert slow.key_variable == "WARDROUND_API_KEY"
    assert serve(choice, read_catalogue()).call_seconds == 300

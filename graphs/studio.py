"""Graphs for ``langgraph dev`` and LangGraph Studio: built per run from the run's configuration, saver left to the server.

Configurable: ``model``, ``judge``, ``language``, ``explicit``, ``ehr``, ``sessions`` for evaluate; ``ehr``, ``scenarios``,
``seed`` for generate. What is not given is the embedded synthetic cohort and its demo sessions.
"""

from pathlib import Path
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.graph.state import CompiledStateGraph

from configs.settings import Settings
from graphs.benchmark import read_benchmark
from graphs.embedded import demo_benchmark, synthetic_warehouse
from graphs.generate import build_generate_graph
from graphs.session import build_session_graph
from graphs.ward import Ward
from graphs.workshop import Workshop
from state.base import Language
from state.session import Scenario
from tools.ehr.warehouse import Warehouse


def _warehouse(options: dict[str, Any]) -> Warehouse:
    if "ehr" in options:
        return Warehouse.open(Path(options["ehr"]))
    return synthetic_warehouse(Settings.read().cache_dir, demo_benchmark().manifest.warehouse)


def evaluate(config: RunnableConfig) -> CompiledStateGraph[Any, Any, Any, Any]:
    """Build the graph of one session; its input is ``{"session_id": ...}``."""
    options = config.get("configurable", {})
    benchmark = read_benchmark(Path(options["sessions"])) if "sessions" in options else demo_benchmark()
    ward = Ward.open(
        _warehouse(options),
        benchmark,
        model=options.get("model", "offline/baseline"),
        judge=options.get("judge", "offline/rules"),
        language=Language(options.get("language", Language.EN)),
        explicit=bool(options.get("explicit", False)),
    )
    return build_session_graph(ward).compile(name="evaluate")


def generate(config: RunnableConfig) -> CompiledStateGraph[Any, Any, Any, Any]:
    """Build the graph that fills a set; its input is ``{"wanted": n}``."""
    options = config.get("configurable", {})
    scenarios = tuple(Scenario(name) for name in options.get("scenarios", [Scenario.MED_SAFETY]))
    workshop = Workshop(_warehouse(options), scenarios, int(options.get("seed", 7)))
    return build_generate_graph(workshop).compile(name="generate")

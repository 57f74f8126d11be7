"""Graphs for ``langgraph dev`` and LangGraph Studio: built for each run, without a saver, which the server brings.

Configurable for evaluate are the fields of RunSettings; for generate ``ehr``, ``scenarios``, ``seed`` and ``gate``.
What is not given is the embedded synthetic cohort and its demo sessions.
"""

import asyncio
from pathlib import Path
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.graph.state import CompiledStateGraph

from agents.gateway import Gateway
from configs.settings import Settings
from graphs.embedded import demo_benchmark, synthetic_warehouse
from graphs.evaluate import open_data
from graphs.generate import build_generate_graph
from graphs.session import build_session_graph
from graphs.ward import Ward
from graphs.workshop import Workshop
from state.base import GatePolicy
from state.manifest import RunSettings
from state.session import Scenario
from tools.ehr.warehouse import Warehouse


def _warehouse(ehr: str | None) -> Warehouse:
    if ehr is not None:
        return Warehouse.open(Path(ehr))
    return synthetic_warehouse(Settings.read().cache_dir, demo_benchmark().manifest.warehouse)


async def evaluate(config: RunnableConfig) -> CompiledStateGraph[Any, Any, Any, Any]:
    """Build the graph of one session; its input is ``{"session_id": ...}``. Files are opened off the event loop."""
    return await asyncio.to_thread(_evaluate, config)


async def generate(config: RunnableConfig) -> CompiledStateGraph[Any, Any, Any, Any]:
    """Build the graph that fills a set; its input is ``{"wanted": n}``. Files are opened off the event loop."""
    return await asyncio.to_thread(_generate, config)


def _evaluate(config: RunnableConfig) -> CompiledStateGraph[Any, Any, Any, Any]:
    environment = Settings.read()
    asked = {
        key: value for key, value in config.get("configurable", {}).items() if key in RunSettings.model_fields
    }
    settings = RunSettings.model_validate(asked)
    warehouse, benchmark = open_data(settings, environment.cache_dir)
    ward = Ward.open(warehouse, benchmark, settings, environment.api_key)
    return build_session_graph(ward, Gateway(key_of=ward.key)).compile(name="evaluate")


def _generate(config: RunnableConfig) -> CompiledStateGraph[Any, Any, Any, Any]:
    options = config.get("configurable", {})
    scenarios = tuple(Scenario(name) for name in options.get("scenarios", [Scenario.MED_SAFETY]))
    gate = GatePolicy(options.get("gate", GatePolicy.STRICT))
    workshop = Workshop(_warehouse(options.get("ehr")), scenarios, int(options.get("seed", 7)), gate)
    return build_generate_graph(workshop).compile(name="generate")

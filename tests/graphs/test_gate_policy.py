"""The gate asked for is the one charts are read through, and stands in everything a run or a set leaves behind."""

from pathlib import Path

import pytest
from rich.console import Console
from wards import OpenWard, Run

from graphs.close_run import close_run
from graphs.evaluate import make_manifest
from graphs.generate import generate
from graphs.run_folder import read_manifest
from graphs.workshop import Workshop
from state.base import GatePolicy, InputError
from state.session import Scenario
from tools.ehr.warehouse import Warehouse
from tools.report import closing_table

PUBLISHED = GatePolicy.PHYSASSISTBENCH


@pytest.mark.parametrize("gate", GatePolicy)
def test_a_run_says_which_gate_it_read_through(open_ward: OpenWard, run: Run, gate: GatePolicy) -> None:
    ward = open_ward("offline/gold", gate=gate, limit=2)
    assert ward.toolset(ward.planned[0]).chart.policy is gate
    folder = run(ward)
    manifest = read_manifest(folder.path)
    assert manifest.gate is gate is manifest.settings.gate
    assert [result.gate for result in folder.results()] == [gate, gate]
    assert all(
        f'"gate":"{gate}"' in line for line in (folder.path / "results.jsonl").read_text().splitlines()
    )
    console = Console(width=200, record=True)
    console.print(closing_table(close_run(ward, folder, manifest), manifest))
    printed, page = console.export_text(), folder.report.read_text()
    assert f"gate {gate}" in printed
    assert f"gate {gate}" in page
    assert manifest.comparison_key in printed
    assert manifest.comparison_key in page
    for text in (printed, page):
        assert ("do not compare with strict ones" in text) is (gate is PUBLISHED)


def test_runs_through_different_gates_have_different_keys(open_ward: OpenWard) -> None:
    def key(model: str, **settings: object) -> str:
        return make_manifest(open_ward(model, **settings)).comparison_key

    assert key("offline/gold") == key("offline/empty")
    changes = ({"gate": PUBLISHED}, {"limit": 2}, {"explicit": True}, {"tool_steps": 3})
    assert len({key("offline/gold", **change) for change in ({}, *changes)}) == 5


def test_a_set_is_generated_through_the_gate_asked_for(warehouse: Warehouse, tmp_path: Path) -> None:
    workshop = Workshop(warehouse, (Scenario.MED_SAFETY,), 7, PUBLISHED)
    assert workshop.source(workshop.candidates[0]).toolset.chart.policy is PUBLISHED
    # The published harness calls no order active whose end is on record, so nothing can be proved to be due.
    with pytest.raises(InputError, match=r"under the gate physassistbench: \d+ rule matches"):
        generate(workshop, 2, tmp_path)

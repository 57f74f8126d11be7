"""``python -m tools.ehr call``: one tool call on one chart, as a model would see it."""

import json
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any

import typer

from state.base import GatePolicy, InputError, Language
from tools.cli import exits_on_bad_input
from tools.ehr.chart import Chart
from tools.ehr.warehouse import Warehouse
from tools.fhir.dates import day_or_moment
from tools.fhir.registry import TOOLS, dotted_name
from tools.fhir.toolset import Toolset
from tools.vocabulary import Vocabulary


@exits_on_bad_input()
def call_command(
    file: Annotated[Path, typer.Argument(help="A warehouse.")],
    tool: Annotated[str, typer.Argument(help="A tool, such as Observation.search.")],
    arguments: Annotated[str, typer.Argument(metavar="JSON", help="Its arguments as a JSON object.")],
    as_of: Annotated[str, typer.Option(help="The moment the chart is opened at: YYYY-MM-DDTHH:MM.")],
    hadm_id: Annotated[int | None, typer.Option(help="The admission the chart is opened for.")] = None,
    gate: Annotated[
        GatePolicy, typer.Option(help="What counts as known; physassistbench shows the future too.")
    ] = GatePolicy.STRICT,
    language: Annotated[Language, typer.Option(help="Language of the labels.")] = Language.EN,
    as_json: Annotated[bool, typer.Option("--json", help="Print the FHIR resource.")] = False,
) -> None:
    """Call one tool and print what a model would see. A refused call ends with exit code 1.

    A write is checked and shown, and kept nowhere: a session's writes live and end with it.
    """
    if dotted_name(tool) is None:
        raise InputError(f"there is no tool {tool!r}: the tools are {', '.join(TOOLS)}")
    asked, moment = _read_arguments(arguments), _read_time(as_of)
    with Warehouse.open(file) as warehouse:
        chart = Chart(warehouse, _subject_id(asked), moment, hadm_id, gate)
        result = Toolset(chart, Vocabulary.load(), language=language).call(tool, asked)
    typer.echo(json.dumps(result.resource, indent=2, ensure_ascii=False) if as_json else result.text)
    if not result.ok:
        raise typer.Exit(1)


def _read_arguments(text: str) -> dict[str, Any]:
    try:
        asked = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(
            f"the arguments are not JSON ({error}): write them like '{{\"subject_id\": 1}}'"
        ) from error
    if not isinstance(asked, dict):
        raise InputError("the arguments are not a JSON object: write them like '{\"subject_id\": 1}'")
    return asked


def _read_time(text: str) -> datetime:
    try:
        return day_or_moment(text)[0]
    except ValueError as error:
        raise InputError(f"--as-of: {error}") from error


def _subject_id(asked: dict[str, Any]) -> int:
    """Give the patient to open the chart of; the tool itself checks everything else."""
    subject_id = asked.get("subject_id")
    if not isinstance(subject_id, int) or isinstance(subject_id, bool):
        raise InputError('the arguments must hold the patient: "subject_id" with a whole number')
    return subject_id

"""Sets that a scripted model words."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bad_openai import Server

from agents.models import read_catalogue, serve
from agents.patience import Patience
from graphs.benchmark import GOLD, MANIFEST, PATIENTS, PLANS, SESSIONS, WORDINGS, read_lines
from graphs.generate import LOG, REPORT
from graphs.generation_calls import CallPlan
from graphs.workshop import Workshop
from state.knowledge import RuleMatch
from state.models import ModelChoice, ServedModel
from state.session import Scenario
from state.wordings import WordedTurn
from tools.ehr.warehouse import Warehouse

SET_SEED, WANTED = 7, 3
FILES = (SESSIONS, GOLD, PLANS, PATIENTS, MANIFEST, WORDINGS, LOG, REPORT)
AT_ONCE = Patience(tries=3, first_seconds=0.0, longest_seconds=0.0)
NAME = "openai-compatible/writer"


def served_by(url: str) -> ServedModel:
    """Give the scripted model at an address."""
    return serve(ModelChoice(name=NAME, base_url=url, temperature=0.7), read_catalogue())


def worded_workshop(
    warehouse: Warehouse, matches: Sequence[RuleMatch], folder: Path, server: Server, **plan: Any
) -> Workshop:
    """Open a workshop whose questions the scripted model words into a folder; keywords are of the plan of calls."""
    calls = CallPlan(folder, served_by(server.url), **{"patience": AT_ONCE, **plan})
    return Workshop(warehouse, (Scenario.MED_SAFETY,), SET_SEED, found=tuple(matches), calls=calls)


def notes_of(folder: Path) -> list[WordedTurn]:
    """Read who worded a set."""
    return read_lines(folder / WORDINGS, WordedTurn)


def bodies(server: Server) -> list[str]:
    """Give every request that a server was sent, to be compared."""
    return [json.dumps(request, sort_keys=True) for request in server.requests]

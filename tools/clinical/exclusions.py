"""Exclusions read from configs/knowledge/exclusions, and what is wrong with a trigger's use of them."""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

import yaml
from pydantic import ValidationError

from state.base import InputError
from state.exclusions import Exclusion
from state.knowledge import Trigger

FOLDER = "exclusions"
UNSTEADY_KIDNEY = "unsteady_kidney"
"""What bars every control and every home drug that is resumed, whose rules need not name it."""


@cache
def load_exclusions() -> dict[str, Exclusion]:
    """Read every exclusion, by id. Raises InputError naming the file, the exclusion and what is wrong."""
    exclusions: dict[str, Exclusion] = {}
    for file in sorted((files("configs") / "knowledge" / FOLDER).iterdir(), key=lambda f: f.name):
        for exclusion in read_exclusions(file):
            if exclusion.id in exclusions:
                raise InputError(f"{file.name}: {exclusion.id} is there already; give this one another id")
            exclusions[exclusion.id] = exclusion
    return exclusions


def read_exclusions(file: Traversable) -> list[Exclusion]:
    """Read one file: a mapping of exclusion ids."""
    try:
        data = yaml.load(file.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise InputError(f"{file.name}: not readable as YAML: {' '.join(str(error).split())}") from error
    exclusions = []
    for exclusion_id, fields in (data or {}).items():
        try:
            exclusions.append(Exclusion.model_validate({"id": exclusion_id, **fields}))
        except (ValidationError, TypeError) as error:
            what = error.errors()[0]["msg"] if isinstance(error, ValidationError) else "holds no mapping"
            raise InputError(f"{file.name}: {exclusion_id}: {what}") from error
    return exclusions


def exclusion_faults(trigger: Trigger) -> list[tuple[str, str]]:
    """List the names under ``unless`` that are no exclusion."""
    return [
        ("unless", f"{name} is in no file of configs/knowledge/{FOLDER}")
        for name in trigger.unless
        if name not in load_exclusions()
    ]


def implied(trigger: Mapping[str, Any], *, goes_on: bool) -> dict[str, Any]:
    """Give the fields of a trigger as read, with the exclusions added that it need not name.

    Those are the exclusions of every rule, and where the rule lets a drug go on (``goes_on``) an unsteady kidney.
    """
    added = {
        name: exclusion.why
        for name, exclusion in load_exclusions().items()
        if exclusion.every_rule or (goes_on and name == UNSTEADY_KIDNEY)
    }
    named = trigger.get("unless", {})
    return {**trigger, "unless": {**added, **named} if isinstance(named, dict) else named}

"""What a command line says of options it cannot take: one sentence, in words of its own."""

import re
from typing import Any

from pydantic import ValidationError

BOUNDS = {
    "greater_than_equal": "must be {ge:g} or more",
    "greater_than": "must be more than {gt:g}",
    "less_than_equal": "must be {le:g} or less",
    "less_than": "must be less than {lt:g}",
    "int_parsing": "must be a whole number",
    "int_from_float": "must be a whole number",
    "float_parsing": "must be a number",
}
"""Words for what pydantic refuses, by the type of its error."""
_QUOTED, _EXTRA = re.compile("'([^']*)'"), re.compile(r"extra argument.*\((.*)\)")


def sentence_of(error: Any) -> str:
    """Say what is wrong with the options given, where, and where to read on; ``error`` is typer's UsageError."""
    where = error.ctx.command_path + " --help" if error.ctx is not None else "--help"
    return f"{_what(error)}; see {where}"


def _what(error: Any) -> str:
    kind, message = type(error).__name__, str(error.message).rstrip(".")
    match kind:
        case "MissingParameter":
            return f"{_name(error.param)} is missing: {_lowered(error.param.help)}"
        case "BadParameter" if error.param is not None:
            return f"{_name(error.param)} {_why(error, message)}"
        case "NoSuchOption":
            like = [f", did you mean {option}?" for option in error.possibilities or ()]
            return "".join([f"there is no option {error.option_name}", *like[:1]])
        case "BadOptionUsage":
            wants = "needs a value after it" if "requires" in message else "takes no value"
            return f"{error.option_name} {wants}"
    if "ommand" in message:
        commands = ", ".join(error.ctx.command.list_commands(error.ctx))
        given = _QUOTED.search(message)
        return f"{f'there is no command {given[1]}' if given else 'say what to do'}: there are {commands}"
    if extra := _EXTRA.search(message):
        return f"nothing is expected where {extra[1]} stands"
    return _lowered(message)


def _why(error: Any, message: str) -> str:
    """Say why a value is refused, and which value where the check of it tells."""
    if not isinstance(error.__cause__, ValidationError):
        return f"cannot be taken: {_lowered(message)}"
    fault = error.__cause__.errors()[0]
    if " is not one of " in message:
        return f"must be one of {', '.join(_QUOTED.findall(message)[1:])}, not {fault['input']}"
    if (words := BOUNDS.get(fault["type"])) is None:
        return f"cannot be taken: {_lowered(message)}"
    return f"{words.format(**fault.get('ctx', {}))}, not {fault['input']}"


def _name(param: Any) -> str:
    """Name an option by its longest form, an argument as the usage line writes it."""
    return max(param.opts, key=len) if param.param_type_name == "option" else str(param.name).upper()


def _lowered(text: str | None) -> str:
    text = (text or "no more is known").rstrip(".")
    return text[:1].lower() + text[1:] if not text[1:2].isupper() else text

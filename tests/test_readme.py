"""The README names every option there is and none that there is not, and its links lead somewhere."""

import re
from importlib import import_module
from pathlib import Path

import pytest
import typer
from commands import COMMANDS

ROOT = Path(__file__).parents[1]
PAGES = (Path("README.md"), Path("graphs/README.md"), Path("tests/MEASUREMENTS.md"), Path("CONTRIBUTING.md"))
OF_OTHERS = {"--help", "--extra", "--latency", "--clock", "--strict"}
"""Options of uv, mypy and the scripts of tests/bench."""
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*(?![\w-])")


def read(page: Path) -> str:
    return (ROOT / page).read_text("utf-8")


def options() -> dict[str, set[str]]:
    """Give the options of every command by its name, the negative ones too."""
    found: dict[str, set[str]] = {}
    for module in COMMANDS:
        app = import_module(f"{module}.__main__" if module == "tools.ehr" else module).app
        command = typer.main.get_command(app)
        for name, one in {"": command, **getattr(command, "commands", {})}.items():
            named = [(p.opts, p.secondary_opts) for p in one.params if p.param_type_name == "option"]
            found[f"{module} {name}".strip()] = {o for both in named for some in both for o in some} - {
                "--help"
            }
    return found


@pytest.mark.parametrize(("command", "own"), options().items())
def test_every_option_of_a_command_is_named(command: str, own: set[str]) -> None:
    named = set(OPTION.findall(read(Path("README.md"))))
    wanted = {option for option in own if not option.startswith("--no-")}
    assert wanted <= named, command


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_no_option_is_named_that_is_none(page: Path) -> None:
    assert set(OPTION.findall(read(page))) <= set().union(*options().values()) | OF_OTHERS


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_commands_and_links_lead_somewhere(page: Path) -> None:
    text = read(page)
    for module in re.findall(r"python -m ([a-z_.]+)", text):
        assert module in COMMANDS, module
    for link in re.findall(r"\]\((?!http)([^)]+)\)", text):
        target, _, anchor = link.partition("#")
        file = (ROOT / page).parent / target if target else ROOT / page
        assert file.exists(), link
        if anchor:
            heads = re.findall(r"(?m)^#+ (.*)$", file.read_text("utf-8"))
            assert anchor in {re.sub(r"[^\w -]", "", head).lower().replace(" ", "-") for head in heads}, link

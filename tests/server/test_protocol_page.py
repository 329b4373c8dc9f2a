"""docs/protocol.md says what the server does: its list of methods and of settings is complete and has no more.

So do the tests of the methods."""

from __future__ import annotations

import ast
import json
import re
from dataclasses import fields
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

from memlane_server import commands, handlers
from memlane_server.settings import Settings, camel

PAGE = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text(encoding="utf-8")
SENT = {"textDocument/publishDiagnostics"}
"""What the server says unasked."""


def first_cells(heading: str) -> set[str]:
    """The names in the first column of the table below a heading."""
    section = PAGE.split(f"## {heading}\n")[1].split("\n## ")[0]
    rows = re.findall(r"^\| (`.*?) \|", section, re.MULTILINE)
    return {name for row in rows for name in re.findall(r"`([^`]+)`", row)}


def methods() -> set[str]:
    """Those that the server handles."""
    return {import_module(f"{handlers.__name__}.{info.name}").METHOD for info in iter_modules(handlers.__path__)}


def test_all_methods_are_on_the_page() -> None:
    assert first_cells("What it answers") - SENT == methods()


def test_each_method_has_tests_that_begin_with_it() -> None:
    """A module of tests names its methods before the first colon, all words of each."""
    heads: list[set[str]] = []
    for path in (Path(__file__).parent / "methods").glob("test_*.py"):
        said = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
        heads.append(set(re.findall(r"\w+", said.partition(":")[0])))
    assert [method for method in methods() if not any(head.issuperset(method.split("/")) for head in heads)] == []


def test_all_settings_are_on_the_page_with_their_defaults() -> None:
    assert first_cells("Settings") == {camel(field.name) for field in fields(Settings)}
    for field in fields(Settings):
        value: object = getattr(Settings(), field.name)
        default = "none" if value is None else f"`{json.dumps(value)}`"
        row = next(line for line in PAGE.splitlines() if line.startswith("|") and f"`{camel(field.name)}`" in line)
        assert default in row


def test_all_commands_are_on_the_page() -> None:
    names = {import_module(f"{commands.__name__}.{info.name}").NAME for info in iter_modules(commands.__path__)}
    assert first_cells("Commands") == names

"""Outcomes to text: one module a format, each with `render(outcome, style) -> str`, imported when it is asked for."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memlane.cli.check_result import CheckOutcome
    from memlane.cli.render.style import Style

FORMATS = {
    "full": "full",
    "concise": "concise",
    "grouped": "grouped",
    "json": "records",
    "json-lines": "json_lines",
    "sarif": "sarif",
    "github": "github",
    "gitlab": "gitlab",
    "junit": "junit",
    "rdjson": "rdjson",
}
"""Names of the formats, and the module of each."""

FOR_PEOPLE = ("full", "concise", "grouped")
"""Formats that may be coloured and get a summary; the others are for machines."""


def render(form: str, outcome: CheckOutcome, style: Style) -> str:
    """The text of `outcome` in the format named `form`, with a line end if there is any text."""
    text: str = import_module(f"{__name__}.{FORMATS[form]}").render(outcome, style)
    return text if not text or text.endswith("\n") else text + "\n"

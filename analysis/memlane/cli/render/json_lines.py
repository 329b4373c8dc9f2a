"""`json-lines`: the records of `json`, one a line, for streams."""

from __future__ import annotations

from memlane.cli.check_result import CheckOutcome
from memlane.cli.render.records import records
from memlane.cli.render.style import Style
from memlane.cli.terminal_output import json_text


def render(outcome: CheckOutcome, style: Style) -> str:
    """A line for each finding; none for none."""
    return "\n".join(json_text(record) for record in records(outcome))

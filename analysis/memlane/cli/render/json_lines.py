"""`json-lines`: the records of `json`, one a line, for streams."""

from __future__ import annotations

import json

from memlane.cli.outcome import Outcome
from memlane.cli.render.records import records
from memlane.cli.render.style import Style


def render(outcome: Outcome, style: Style) -> str:
    """A line for each finding; none for none."""
    return "\n".join(json.dumps(record, ensure_ascii=False) for record in records(outcome))

"""`--statistics`: how often each rule found something."""

from __future__ import annotations

import json
from collections import Counter

from memlane.cli.check_result import CheckOutcome
from memlane.cli.render import FOR_PEOPLE


def render_statistics(outcome: CheckOutcome, form: str) -> str:
    """A table, or for the formats that are not for people a JSON array; the most frequent rule first."""
    rules = {finding.rule.name: finding.rule for _, finding in outcome.findings()}
    counts = Counter(finding.rule.name for _, finding in outcome.findings())
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    if form not in FOR_PEOPLE:
        return json.dumps([{"rule": name, "count": count} for name, count in ordered], indent=2) + "\n"
    digits = len(str(max(counts.values(), default=0)))
    room = max(map(len, counts), default=0)
    return "".join(f"{count:>{digits}}  {name:<{room}}  {rules[name].summary}\n" for name, count in ordered)

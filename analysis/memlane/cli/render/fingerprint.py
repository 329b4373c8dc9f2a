"""A name for a finding that stays when lines move: for servers that tell new findings from known ones."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator

from memlane.cli.outcome import Checked, Outcome
from memlane.findings import Finding


def fingerprints(outcome: Outcome) -> Iterator[tuple[Checked, Finding, str]]:
    """Every finding with its file and a hash of file, rule, function, buffer and message; equal ones are counted."""
    seen: Counter[tuple[str, ...]] = Counter()
    for file, finding in outcome.findings():
        report = finding.report
        buffer = report.buffer.name if report.buffer is not None else ""
        parts = (file.name, finding.rule.name, finding.function or "", buffer, report.message)
        seen[parts] += 1
        text = "\0".join((*parts, str(seen[parts])))
        yield file, finding, hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()

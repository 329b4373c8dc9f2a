"""A name for a finding that stays when lines move: for servers that tell new findings from known ones."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator

from memlane.cli.outcome import Checked, Outcome
from memlane.findings import Finding


def as_given(file: Checked) -> str:
    """The name of a file as the user wrote it."""
    return file.name


def fingerprints(outcome: Outcome, name: Callable[[Checked], str] = as_given) -> Iterator[tuple[Checked, Finding, str]]:
    """Every finding with its file and a hash of file, rule, function, buffer and message; equal ones are counted.

    `name`: what to call a file, where it should not depend on who asks from where.
    """
    seen: Counter[tuple[str, ...]] = Counter()
    for file, finding in outcome.findings():
        report = finding.report
        buffer = report.buffer.name if report.buffer is not None else ""
        parts = (name(file), finding.rule.name, finding.function or "", buffer, report.message)
        seen[parts] += 1
        text = "\0".join((*parts, str(seen[parts])))
        yield file, finding, hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()

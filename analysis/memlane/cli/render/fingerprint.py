"""A name for a finding that stays when lines move: for servers that tell new findings from known ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from memlane.cli.check_result import CheckedFile, CheckOutcome
from memlane.findings import Finding, Suppressed


def as_given(file: CheckedFile) -> str:
    """The name of a file as the user wrote it."""
    return file.name


def fingerprints(
    outcome: CheckOutcome, name: Callable[[CheckedFile], str] = as_given
) -> Iterator[tuple[CheckedFile, Finding, str]]:
    """Every finding with its file and a hash of file, rule, function, buffer and message; equal ones are counted.

    `name`: what to call a file, where it should not depend on the current folder.
    """
    yield from ((file, finding, mark) for file, finding, silent, mark in _marked(outcome, name) if silent is None)


def suppressed_fingerprints(outcome: CheckOutcome) -> Iterator[tuple[CheckedFile, Suppressed, str]]:
    """The same for what comments silence: a finding keeps its mark when it or another one is silenced."""
    yield from ((file, silent, mark) for file, _, silent, mark in _marked(outcome, as_given) if silent is not None)


def _marked(
    outcome: CheckOutcome, name: Callable[[CheckedFile], str]
) -> Iterator[tuple[CheckedFile, Finding, Suppressed | None, str]]:
    import hashlib  # OpenSSL takes 5 ms to load

    seen: Counter[tuple[str, ...]] = Counter()
    for file in outcome.files:
        said: list[tuple[Finding, Suppressed | None]] = [(finding, None) for finding in file.findings]
        if file.suppressed:
            said += [(silent.finding, silent) for silent in file.suppressed]
            said.sort(key=lambda one: one[0].report.span)
        for finding, silent in said:
            report = finding.report
            buffer = report.buffer.name if report.buffer is not None else ""
            parts = (name(file), finding.rule.name, finding.function or "", buffer, report.message)
            seen[parts] += 1
            text = "\0".join((*parts, str(seen[parts])))
            yield file, finding, silent, hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()

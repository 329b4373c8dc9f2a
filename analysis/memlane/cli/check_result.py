"""What one run of `memlane check` came to, before anybody decides how to show it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from memlane.findings import NO_SAVINGS, Finding, Savings, Severity, Suppressed
from memlane.source_frames import SourceFrame
from memlane.text import Text

BAD = (Severity.ERROR, Severity.WARNING)
"""Findings of these make the exit code 1; information and hints are advice."""


class CheckedFile(NamedTuple):
    """A file that was read. `name` is its path as the user wrote it, or what `--stdin-filename` says.

    `before` is its text before fixes or comments were put in, None where nothing changed; `suppressed` is what comments
    of the file silence; `fixed` are the rules of the findings that fixes have taken away; `savings`: see there.
    """

    name: str
    text: Text
    findings: tuple[Finding, ...]
    before: str | None = None
    suppressed: tuple[Suppressed, ...] = ()
    fixed: tuple[str, ...] = ()
    savings: Savings = NO_SAVINGS

    def comes_from(self, finding: Finding) -> SourceFrame | None:
        """The place in another file that a finding is about: that of its operation, else that of its buffer."""
        return self.text.frames.of_report(finding.report)


class Failure(NamedTuple):
    """A file that could not be checked, and why, in a sentence without the file's name."""

    name: str
    message: str


class CheckOutcome(NamedTuple):
    """All files of a run, in the order they were given, those of a directory sorted.

    `fixes`: the fix of each finding was looked for, and is shown. `grouped`: of many findings of one
    rule in one function only the first are shown in full.
    """

    files: tuple[CheckedFile, ...]
    failures: tuple[Failure, ...] = ()
    fixes: bool = False
    grouped: bool = False

    def findings(self) -> Iterator[tuple[CheckedFile, Finding]]:
        """Every finding with its file."""
        for file in self.files:
            for finding in file.findings:
                yield file, finding

    @property
    def bad(self) -> bool:
        """Whether something was found that is more than advice."""
        return any(finding.severity in BAD for _, finding in self.findings())

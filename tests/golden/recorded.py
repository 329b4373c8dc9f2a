"""The findings of the project's own programs as lines of text, to compare with those of the last commit.

A line has the program, row, column, rule, severity, buffer and certainty, then what kind of fix is offered. Messages
are left out: the literate tests hold them.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from memlane import check
from memlane.checking import Checked
from memlane.config import load_config
from memlane.findings import Finding
from memlane.fixes import with_fixes
from tests.literate import CONFIG
from tests.paths.programs import program

ROOT = Path(__file__).parents[2]
RECORD = Path(__file__).with_name("findings.txt")
COMMAND = "python -m tests.golden"
FIX = ", fix: "
GENERATED = range(40)
"""Seeds of the random programs that are compared, besides the `.mlir` files."""


def current(fixes: bool) -> list[str]:
    """The findings of all programs, in order of program and source; with `fixes`, which takes minutes, as recorded."""
    return [line for name, text in _programs() for line in _findings(name, text, fixes)]


def without_fix(line: str) -> str:
    """A recorded line as `current(fixes=False)` has it."""
    return line.rpartition(FIX)[0]


def _programs() -> Iterator[tuple[str, str]]:
    """Names and texts: each `.mlir` file of the tests and examples, then generated programs."""
    for folder in ("examples", "tests"):
        for path in sorted((ROOT / folder).rglob("*.mlir")):
            if "node_modules" not in path.parts:
                yield path.relative_to(ROOT).as_posix(), path.read_bytes().decode(errors="replace")
    for seed in GENERATED:
        yield f"generated/{seed}", program(seed)[0]


def _findings(name: str, text: str, fixes: bool) -> Iterator[str]:
    config, _ = load_config(None, CONFIG.findall(text))
    checked = check(text, config)
    for finding in (with_fixes(checked, config) if fixes else checked).findings:
        fix = finding.report.fix
        grade = fix.applicability.name.lower() if fix else "none"
        yield f"{name}:{_described(checked, finding)}" + (f"{FIX}{grade}" if fixes else "")


def _described(checked: Checked, finding: Finding) -> str:
    report = finding.report
    place = checked.text.position(report.span.start)
    buffer = report.buffer.name if report.buffer else "-"
    severity, certainty = finding.severity.name.lower(), report.certainty.name.lower()
    return f"{place.line + 1}:{place.column + 1} {finding.rule.name} {severity} {buffer} {certainty}"

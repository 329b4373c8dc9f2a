"""The page of findings in real projects says what the checker says, error by error."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from memlane.checking import check
from memlane.findings import Severity
from memlane.rules import modules
from tests.upstream.pipeline import CORPUS

PAGE = Path(__file__).parents[2] / "docs" / "found-in-the-wild.md"
ROW = re.compile(r"^\| ([\w-]+) \| (\S+):(\d+) \| ([\w-]+) \|", re.MULTILINE)


@pytest.mark.slow
@pytest.mark.skipif(not CORPUS.is_dir(), reason=f"the corpus is not at {CORPUS}")
def test_page_lists_all_errors_about_memory() -> None:
    listed = {(project, path, int(line), rule) for project, path, line, rule in ROW.findall(PAGE.read_text())}
    found: set[tuple[str, str, int, str]] = set()
    for path in sorted(CORPUS.glob("**/*.mlir")):
        checked = check(path.read_text(encoding="utf-8", errors="replace"))
        project, _, place = path.relative_to(CORPUS).as_posix().partition("/")
        for finding in checked.findings:
            about_memory = {"check", "tell"}.intersection(vars(modules()[finding.rule.name]))
            if finding.severity is Severity.ERROR and about_memory:
                line = checked.text.position(finding.report.span.start).line + 1
                found.add((project, place, line, finding.rule.name))
    assert found == listed
    assert len(found) > 10

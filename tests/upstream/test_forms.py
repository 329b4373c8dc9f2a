"""What is found in a program does not depend on how it is printed: pretty, in generic form, or with places."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from memlane.checking import check
from tests.effort import some
from tests.upstream.pipeline import MLIR_OPT, run

FORMS = (
    ["--mlir-print-op-generic"],
    ["--mlir-print-debuginfo"],
    ["--mlir-print-debuginfo", "--mlir-print-local-scope"],
)
RULES = Path(__file__).parents[1] / "rules"
_NAME = re.compile(r"%[\w$.#-]+")


def told(text: str) -> Counter[tuple[str, str | None, str]]:
    """What is found, without names of values, which each form has of its own."""
    found = check(text).findings
    return Counter((one.rule.name, one.function, _NAME.sub("%_", one.report.message)) for one in found)


@pytest.mark.slow
@pytest.mark.skipif(MLIR_OPT is None, reason="needs mlir-opt-22 (Debian package mlir-22-tools), which prints the forms")
@pytest.mark.parametrize("part", range(4))
def test_each_form_says_the_same(shared: Path, part: int) -> None:
    """The forms are what mlir-opt prints, so without it there is nothing to compare. Slow: it runs it 250 times."""
    paths = [*sorted((shared / "cases").rglob("*.mlir"))[::6], *sorted(RULES.glob("*.mlir"))[::2]]
    compared = 0
    for path in some(paths[part::4], 10):
        source = path.read_text(encoding="utf-8")
        plain = run(source)
        if plain is None:
            continue  # half-written on purpose
        wanted = told(plain)
        compared += sum(wanted.values())
        for form in FORMS:
            text = run(source, *form)
            assert text is not None
            assert told(text) == wanted, (path, form)
    assert compared > 20

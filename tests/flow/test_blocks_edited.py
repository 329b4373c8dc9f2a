"""A function of many blocks while somebody edits what decides in it, its labels and its branches: the findings of each
version are those of its text."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

import pytest

from memlane.checking import check
from memlane.config import Config
from memlane.findings import Edit, Span
from memlane.query import Checker
from memlane.syntax import Document
from tests.effort import some
from tests.hostile.shapes import lowered

BLOCKS = re.compile(r"\^\w+")
DECIDING = re.compile(r"(?<=cond_br )%\w+|(?<=slt, )%\w+|%\w+(?= : index\)$)", re.MULTILINE)


def _source(choose: random.Random, loops: int) -> str:
    """Lowered loops, some buffers of which are lost, freed twice, or freed in a loop that did not make them."""
    lines = lowered(loops).splitlines(keepends=True)
    frees = [number for number, line in enumerate(lines) if "dealloc" in line]
    for number in choose.sample(frees, 4):
        lines[number] = choose.choice(("", 2 * lines[number], lines[choose.choice(frees)]))
    return "".join(lines)


def _edits(choose: random.Random, document: Document) -> Iterator[Edit]:
    """A change of a name, and most often what takes it back: a character more or less, or another name."""
    source = document.source
    pattern = choose.choice((BLOCKS, BLOCKS, DECIDING))
    found = choose.choice([*pattern.finditer(source)])
    other = choose.choice([*pattern.finditer(source)]).group()
    text = found.group()
    now = choose.choice((f"{text}x", f"{text}1", text[:-1], other))
    yield Edit(Span(*found.span()), now)
    if choose.random() < 0.8:
        yield Edit(Span(found.start(), found.start() + len(now)), text)


@pytest.mark.parametrize("loops", [18, 6])
@pytest.mark.parametrize(
    ("seed", "edits"),
    [(0, 8), (1, 8), *(pytest.param(seed, 24, marks=pytest.mark.slow) for seed in some(range(2, 12), 1))],
)
def test_findings_are_those_of_the_text(loops: int, seed: int, edits: int) -> None:
    choose = random.Random(seed)
    config = Config()
    document, checker = Document(_source(choose, loops), config.models), Checker()
    checker.findings(document, config)
    for _ in range(edits):
        for edit in _edits(choose, document):
            document = document.edit([edit])
            assert checker.findings(document, config) == check(document.source, config).findings, document.source

"""Incremental equals from scratch, findings included, after any sequence of edits."""

from __future__ import annotations

import random

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from memlane.findings import Edit, Span
from tests.effort import FULL
from tests.fuzz.incremental_edits import Editor, start, type_inside, type_on
from tests.syntax.edits import Typist

PIECES = (
    *("%a", "%b", "@f", "@g", "\n", " ", "{", "}", "(", ")", '"', "//", ",", "^bb0:\n", "private ", "\u2028", "\r"),
    *("  %a = memref.alloc() : memref<4xf32>\n", "  memref.dealloc %a : memref<4xf32>\n", "  return\n}\n"),
    *("func.func @f(%b: memref<4xf32>) {\n", "  call @f(%a) : (memref<4xf32>) -> ()\n", "// -----\n", "module {\n"),
)


@pytest.mark.slow
def test_some_edits() -> None:
    assert type_on(run=1, count=200) == 200


@pytest.mark.slow
def test_many_edits() -> None:
    """10,000 with `MEMLANE_FULL`, which takes more than ten minutes; otherwise a twentieth of them."""
    count = 10_000 if FULL else 500
    assert type_on(run=2, count=count) == count


@pytest.mark.slow
def test_many_edits_inside_functions() -> None:
    """Of functions that show what rules speak of: most edits change what is found."""
    count = 10_000 if FULL else 500
    assert type_inside(run=5, count=count) == count


@pytest.mark.slow
def test_many_readings() -> None:
    """Trees and problems alone, of which many more are compared in the time."""
    assert type_on(run=4, count=400, checks=False) == 400


class Edits(RuleBasedStateMachine):
    """Insertions, removals, replacements and undoing, shrunk by hypothesis to the shortest sequence that fails."""

    @initialize(seed=st.integers(0, 200))
    def begin(self, seed: int) -> None:
        """A text."""
        self.editor = Editor(start(random.Random(seed)))
        self.typist = Typist(seed)

    @rule(at=st.floats(0, 1), piece=st.sampled_from(PIECES))
    def insert(self, at: float, piece: str) -> None:
        """Something that means something."""
        place = int(at * len(self.editor.document.source))
        self.editor.edit([Edit(Span(place, place), piece)])

    @rule(at=st.floats(0, 1), count=st.integers(1, 80))
    def remove(self, at: float, count: int) -> None:
        """Some characters."""
        source = self.editor.document.source
        place = int(at * len(source))
        self.editor.edit([Edit(Span(place, min(len(source), place + count)), "")])

    @rule(at=st.floats(0, 1), line=st.floats(0, 1))
    def repeat_line(self, at: float, line: float) -> None:
        """A line of the text, somewhere else."""
        lines = self.editor.document.source.split("\n")
        place = sum(len(one) + 1 for one in lines[: int(at * (len(lines) - 1))])
        self.editor.edit([Edit(Span(place, place), lines[int(line * (len(lines) - 1))] + "\n")])

    @rule()
    def type(self) -> None:
        """What people do: typing, pasting, undoing, several cursors."""
        self.editor.edit(self.typist.next(self.editor.document.source))


TestEdits = Edits.TestCase
TestEdits.settings = settings(
    max_examples=6, stateful_step_count=15,
    suppress_health_check=(HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much),
)  # fmt: skip

"""A private function is explored once for each entry that its buffers can tell apart, and no more often."""

from __future__ import annotations

import pytest

from memlane.checking import check
from memlane.config import Config
from memlane.flow.cfg.graph import Graph
from memlane.flow.dataflow.call_outcomes import Callees
from memlane.flow.dataflow.context import Context
from memlane.flow.dataflow.events import Purpose
from memlane.flow.interproc import exploration_result
from memlane.flow.slicing.slice import Slice
from memlane.flow.typestate.explorer import Explorer
from tests.paths.programs import program

CONFIG = Config()

ENTERED_TWICE = """
func.func private @inner(%count: index, %flag: i1, %given: memref<4xf32>) {
  %zero = arith.constant 0 : index
  %buffer = memref.alloc() : memref<4xf32>
  scf.if %flag {
    BODY
  }
  memref.dealloc %buffer : memref<4xf32>
  return
}
func.func @outer(%given: memref<4xf32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  func.call @inner(FIRST, %given) : (index, i1, memref<4xf32>) -> ()
  func.call @inner(SECOND, %given) : (index, i1, memref<4xf32>) -> ()
  return
}
"""


def explored(monkeypatch: pytest.MonkeyPatch, body: str, first: str, second: str) -> int:
    """How often the buffer of `@inner` is followed to see what goes wrong with it."""
    followed: list[Slice] = []
    make = Explorer.__init__

    def counted(
        self: Explorer,
        graph: Graph,
        part: Slice,
        callees: Callees,
        purpose: Purpose = Purpose.FINDINGS,
        context: Context | None = None,
        summarise: bool = False,
    ) -> None:
        if purpose is Purpose.FINDINGS and any(value.name == "%buffer" for value in part.origins):
            followed.append(part)
        make(self, graph, part, callees, purpose, context, summarise)

    with monkeypatch.context() as patched:
        patched.setattr(Explorer, "__init__", counted)
        source = ENTERED_TWICE.replace("BODY", body).replace("FIRST", first).replace("SECOND", second)
        check(source, CONFIG)
    return len(followed)


LOAD = "%read = memref.load %buffer[%zero] : memref<4xf32>"
COUNTED = f"scf.for %i = %zero to %count step %zero {{ {LOAD} }}"


@pytest.mark.parametrize(
    ("body", "first", "second", "times"),
    [
        pytest.param(LOAD, "%c1, %true", "%c2, %true", 1, id="a number that decides nothing"),
        pytest.param(LOAD, "%c1, %true", "%c1, %false", 2, id="the flag of the branch"),
        pytest.param(COUNTED, "%c1, %true", "%c2, %true", 2, id="the bound of the loop"),
    ],
)
def test_what_is_told_apart(monkeypatch: pytest.MonkeyPatch, body: str, first: str, second: str, times: int) -> None:
    """Ways that differ in what decides where control goes are; others are not."""
    assert explored(monkeypatch, body, first, second) == times


@pytest.mark.slow
def test_findings_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is found does not depend on it."""
    bodies = (LOAD, COUNTED)
    texts = [
        ENTERED_TWICE.replace("BODY", body).replace("FIRST", first).replace("SECOND", second)
        for body in bodies
        for first in ("%c1, %true", "%c2, %false")
        for second in ("%c1, %false", "%c2, %true")
    ]
    texts += [program(seed)[0] for seed in range(40)]
    found = [check(text, CONFIG).findings for text in texts]
    monkeypatch.setattr(exploration_result, "told_apart", _all)
    assert [check(text, CONFIG).findings for text in texts] == found


def _all(graph: Graph, part: Slice, contexts: list[Context]) -> list[Context]:
    return contexts

"""Findings are the same with and without each thing that is remembered, one by one.

What is remembered between versions of a document is compared in `tests/flow/test_incremental.py` and `tests/fuzz`, what
the command line keeps in files in `tests/cli/test_cli_cache.py`, messages in `tests/server/test_publishing.py`, and
buffers that are not followed in `tests/flow/test_single_block.py`.
"""

from __future__ import annotations

import random

import pytest

from memlane.checking import check, check_document
from memlane.config import Config
from memlane.findings import Finding
from memlane.flow import Program, analyse
from memlane.flow.cfg.graph import Graph
from memlane.flow.effects.effects import Effects
from memlane.flow.memory import effects_at
from memlane.flow.memory.function_graph import function_graph
from memlane.flow.memory.own_effects import own_effects
from memlane.query import Checker
from memlane.query.findings_store import order
from memlane.run_rules import judge
from memlane.syntax import Document
from memlane.syntax.lines.memo import Memo
from memlane.syntax.shapes.shape import Template
from memlane.syntax.tree import build
from memlane.syntax.tree.layout import Layout
from memlane.syntax.tree.tree import Op
from memlane.text import Text
from tests.bench.costs import functions
from tests.fuzz.programs import program

CONFIG = Config()
SOURCES = [functions(4), *(program(random.Random(seed), 3) for seed in range(25))]


@pytest.fixture(params=SOURCES, ids=lambda source: str(SOURCES.index(source)))
def source(request: pytest.FixtureRequest) -> str:
    return request.param


def found(source: str, memo: Memo | None = None) -> tuple[Finding, ...]:
    return check_document(Text(source), Document(source, CONFIG.models, memo), Checker(), CONFIG).findings


@pytest.mark.slow
def test_programs_have_findings() -> None:
    assert sum(bool(check(source, CONFIG).findings) for source in SOURCES) > len(SOURCES) / 2


@pytest.mark.slow
def test_what_statements_look_like(source: str) -> None:
    assert found(source) == found(source, Memo()) == found(source, Memo(3))


@pytest.mark.slow
def test_layouts(source: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with_them = [found(source) for _ in range(3)][-1]

    def anew(template: Template, skeleton: str) -> Layout | None:
        return None

    monkeypatch.setattr(build, "layout_of", anew)
    assert with_them == found(source)


@pytest.mark.slow
def test_effects_of_operations(source: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with_them = found(source)
    original = own_effects

    class Forgetting(dict[Op, Effects]):
        def __setitem__(self, key: Op, value: Effects) -> None:
            pass

    def anew(graph: Graph, op: Op) -> Effects:
        fresh = function_graph(graph.function, graph.models, graph.source)
        return original(fresh, op) if graph.model(op) is fresh.model(op) else original(graph, op)

    def nothing_known(_: Graph) -> dict[Op, Effects]:
        return Forgetting()

    monkeypatch.setattr(effects_at, "known_effects", nothing_known)
    monkeypatch.setattr(effects_at, "own_effects", anew)
    assert with_them == found(source)


@pytest.mark.slow
def test_answers_of_functions(source: str) -> None:
    """Each function by itself, in a program in which nobody has asked anything before."""
    tree = Document(source, CONFIG.models).tree
    alone: list[Finding] = []
    for chunk in tree.chunks:
        for number in range(len(Program(chunk.ops, CONFIG.models, source).functions)):
            alone += _judged(Program(chunk.ops, CONFIG.models, source), [number])
    together = [
        finding for chunk in tree.chunks for finding in _judged(Program(chunk.ops, CONFIG.models, source), None)
    ]
    assert sorted(alone, key=order) == sorted(together, key=order)


def _judged(program: Program, numbers: list[int] | None) -> list[Finding]:
    flows = list(program.functions.values())
    chosen = flows if numbers is None else [flows[number] for number in numbers]
    return [finding for flow in chosen for finding in judge(analyse(program, flow), flow, program, CONFIG)]

"""What is lost at the end of a function is found without following it, as following it finds it."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from memlane.checking import check
from memlane.config import Config
from memlane.findings import Edit, Finding, Span
from memlane.flow.alias.alias import Cluster
from memlane.flow.cfg.graph import Graph
from memlane.flow.fastpath.lost_buffers import LostBuffer, lost
from memlane.query import Checker
from memlane.syntax import Document
from tests.bench.inputs import program as benchmark
from tests.effort import some
from tests.fuzz.programs import program as mixed
from tests.paths.programs import program as executable

TYPE = "memref<4xf32>"
CONFIG = Config()
USE = f"memref.store %x, %a[%i] : {TYPE}"
FREE = re.compile(r"^ *memref\.dealloc .*\n", re.MULTILINE)


def function(body: str, end: str = "return", resource: str = "") -> str:
    """A function that makes a buffer, uses it and is left."""
    made = TYPE.replace(">", f", {resource}>") if resource else TYPE
    return (
        "func.func private @abort()\nfunc.func private @ask() -> i1\n"
        f"func.func @f(%c: i1, %x: f32, %i: index, %n: index, %to: {TYPE}) {{\n"
        "  %zero = arith.constant 0 : index\n  %one = arith.constant 1 : index\n  %true = arith.constant true\n"
        f"  %a = memref.alloc() : {made}\n  {body}\n  {end}\n}}\n"
    )


LOST = {
    "unused": "",
    "used": USE,
    "used in a branch": f"scf.if %c {{ {USE} }}",
    "used in loops": f"scf.for %k = %i to %n step %one {{ scf.for %l = %i to %n step %one {{ {USE} }} }}",
    "by another name": f"%b = memref.cast %a : {TYPE} to memref<?xf32>\nmemref.store %x, %b[%i] : memref<?xf32>",
    "before an assertion": f'{USE}\ncf.assert %c, "no"',
}
"""Buffers that are."""
FOLLOWED = {
    "freed": function(f"memref.dealloc %a : {TYPE}"),
    "freed twice": function(f"memref.dealloc %a : {TYPE}\nmemref.dealloc %a : {TYPE}"),
    "freed in a branch": function(f"scf.if %c {{ memref.dealloc %a : {TYPE} }}"),
    "read before it is written": function(f"%v = memref.load %a[%i] : {TYPE}"),
    "lent": f"func.func private @use(%a: {TYPE}) {{\n  return\n}}\n" + function(f"func.call @use(%a) : ({TYPE}) -> ()"),
    "passed to others": f"func.func private @use({TYPE})\n" + function(f"func.call @use(%a) : ({TYPE}) -> ()"),
    "handed on": function(f"%z = arith.select %c, %a, %to : {TYPE}"),
    "returned": function("", f"return %a : {TYPE}"),
    "made in a branch": function(f"scf.if %c {{ %b = memref.alloc() : {TYPE}\nmemref.dealloc %a : {TYPE} }}"),
    "no end": function(f"scf.while : () -> () {{ {USE}\n scf.condition(%true) }} do {{ scf.yield }}"),
    "perhaps no end": function(
        f"scf.while : () -> () {{ {USE}\n %q = func.call @ask() : () -> i1\nscf.condition(%q) }} do {{ scf.yield }}"
    ),
    "the end of the program": function("scf.if %c { func.call @abort() : () -> () }"),
    "the end of the program at the end": function("", "llvm.unreachable"),
    "blocks": function("cf.cond_br %c, ^a, ^b\n^a:\n  cf.br ^b\n^b:"),
    "blocks that nothing leads to": function(USE, "return\n^a:\n  return"),
    "a branch to nowhere": function(USE, "cf.br ^nowhere"),
    "half a branch": function(USE, "cf.br"),
    "unknown regions": function(f'"x.y"() ({{ {USE} }}) : () -> ()'),
    "unknown regions of others": function(f'{USE}\n"x.y"() ({{ memref.store %x, %to[%i] : {TYPE} }}) : () -> ()'),
    "memory of threads": function("", resource="#gpu.address_space<workgroup>"),
}
"""Functions in which none is found so."""


def _compared(text: str, monkeypatch: pytest.MonkeyPatch) -> int:
    """How many buffers are found lost without following them; the same is found where all are followed."""
    count = 0

    def counted(graph: Graph, cluster: Cluster, known: LostBuffer | None = None) -> LostBuffer | None:
        nonlocal count
        found = lost(graph, cluster, known)
        count += found is not None
        return found

    def none(graph: Graph, cluster: Cluster, known: LostBuffer | None = None) -> None:
        return None

    monkeypatch.setattr("memlane.flow.function_facts.lost", counted)
    found: list[Finding] = [*check(text).findings]
    monkeypatch.setattr("memlane.flow.function_facts.lost", none)
    assert found == [*check(text).findings], text
    return count


@pytest.mark.parametrize("body", LOST.values(), ids=LOST)
def test_buffers_that_are_lost(body: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """At a return, or where the text ends before one is written."""
    for end in ("return", ""):
        assert _compared(function(body, end), monkeypatch) == 1


@pytest.mark.parametrize("text", FOLLOWED.values(), ids=FOLLOWED)
def test_others(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert _compared(text, monkeypatch) == 0


TYPED = [
    ("%w150 = ", "func.call @abort() : () -> ()\n  %w150 = "),  # nothing behind it runs
    ("    memref.store %x, %a150", "    func.call @abort() : () -> ()\n    memref.store %x, %a150"),
    ("scf.for %k150 = %i to %n step %one {", "scf.while : () -> () {\n scf.condition(%c) } do {"),
    ("  return", "  llvm.unreachable"),
    ("  return", "  cf.br ^end\n^end:\n  return"),
    ("  %w150 = ", f"  memref.dealloc %a149 : {TYPE}\n  %w150 = "),
    ("  %w150 = ", f"  func.call @use(%a149) : ({TYPE}) -> ()\n  %w150 = "),
    ("  %w150 = ", f"  %v = memref.load %a151[%i] : {TYPE}\n  %w150 = "),
    ("  %w150 = ", "  cf.br ^nowhere\n  %w150 = "),
    ("  %w150 = ", '  "x.y"() ({ }) : () -> ()\n  %w150 = '),
    ("  return", f"  return %a150 : {TYPE}"),
]
"""What is put in place of what."""


@pytest.mark.slow
@pytest.mark.parametrize(("old", "new"), TYPED)
def test_edits_of_a_long_function(old: str, new: str) -> None:
    """What is known of its end is known as long as it holds; and again, where the edit is taken back."""
    one = (
        f"  %a{{0}} = memref.alloc() : {TYPE}\n  scf.for %k{{0}} = %i to %n step %one {{{{\n"
        f"    memref.store %x, %a{{0}}[%k{{0}}] : {TYPE}\n  }}}}\n  %w{{0}} = arith.addf %x, %x : f32"
    )
    source = f"func.func private @use({TYPE})\n" + function("\n".join(one.format(number) for number in range(300)))
    document, checker = Document(source, CONFIG.models), Checker()
    checker.findings(document, CONFIG)
    for gone, typed in ((old, new), (new, old)):
        at = document.source.rindex(gone)
        for edit in (Edit(Span(at, at + len(gone)), typed), Edit(Span(0, 0), " ")):
            document = document.edit([edit])
            assert checker.findings(document, CONFIG) == check(document.source, CONFIG).findings


def test_what_bufferization_prints(monkeypatch: pytest.MonkeyPatch) -> None:
    assert _compared(FREE.sub("", benchmark("compiler", 600)), monkeypatch) > 10


@pytest.mark.slow
@pytest.mark.parametrize("seed", some(range(300), 20))
def test_generated_programs(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    for text in (executable(seed)[0], mixed(random.Random(f"lost {seed}"), 6)):
        _compared(text, monkeypatch)
        _compared(FREE.sub("", text), monkeypatch)


@pytest.mark.slow
def test_measured_programs(shared: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = some(sorted((shared / "cases").rglob("*.mlir")), 40)
    assert sum(_compared(FREE.sub("", path.read_text(encoding="utf-8")), monkeypatch) for path in paths) > 20

"""Locations in all their forms, behind all that may have one, on one line and over several."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable

import pytest
from syntax_oracle import MLIR_OPT

from memlane.syntax import parse

FORMS = {
    "unknown": "unknown",
    "file": '"a.mlir":1:2',
    "range on a line": '"a.mlir":1:2 to :4',
    "range": '"a.mlir":1:2 to 3:4',
    "name": '"name"',
    "name of a file": '"name"("a.mlir":10:8)',
    "names of names": '"outer"("inner"("a.mlir":1:2))',
    "call": 'callsite("f"("a.mlir":10:8) at "g"("b.mlir":20:8))',
    "calls": 'callsite("f" at callsite("g"("b.mlir":20:8) at "h"(unknown)))',
    "name of a call": '"n"(callsite("f" at "g"))',
    "fused": 'fused["f"("a.mlir":10:8), "g", unknown, #known]',
    "fused with an attribute": 'fused<"pass">["a.mlir":1:2, "g"]',
    "fused with a dictionary": 'fused<{key = "a", more = [1, 2]}>["f"("a.mlir":1:2), callsite("g" at "h")]',
    "fused fused": 'fused[fused<"x">["f"("a.mlir":1:2)], fused["g", "h"]]',
    "alias": "#known",
    "call of aliases": "callsite(#known at #known)",
}

ALIAS = '#known = loc("known.mlir":1:1)\n'

PLACES = {
    "operation": "func.func @f() -> i32 {{\n  %0 = arith.constant 1 : i32 {0}\n  return %0 : i32\n}}\n",
    "operand": 'func.func @f(%a: i32) {{\n  "x.y"(%a) : (i32) -> () {0}\n  "x.z"(%a) : (i32) -> ()\n  return\n}}\n',
    "last operation": "func.func @f() {{\n  return {0}\n}}\n",
    "function": "func.func @f() {{\n  return\n}} {0}\nfunc.func @g() {{\n  return\n}}\n",
    "declaration": "func.func private @f() {0}\nfunc.func @g() {{\n  return\n}}\n",
    "module": "module {{\n  func.func @f() {{\n    return\n  }}\n}} {0}\n",
    "condition": "func.func @f(%c: i1) {{\n  scf.if %c {{\n    scf.yield {0}\n  }} else {{\n  }} {0}\n  return\n}}\n",
    "generic region": 'func.func @f(%a: i32) {{\n  "x.y"() ({{\n    "x.z"(%a) : (i32) -> ()\n  }}) : () -> () {0}\n'
    '  "x.z"(%a) : (i32) -> ()\n  return\n}}\n',
    "argument": "func.func @f(%a: i32 {0}, %b: i32 {0}) {{\n  return\n}}\n",
    "block": "func.func @f(%a: i32) {{\n  cf.br ^next(%a : i32)\n^next(%b: i32 {0}):\n  return\n}}\n",
    "attribute": 'func.func @f(%a: i32) {{\n  "x.y"(%a) {{at = {0}, by = {0}}} : (i32) -> ()\n  return\n}}\n',
    "definition": "#own = {0}\nfunc.func @f() {{\n  return loc(#own)\n}} loc(#own)\n",
}

_WORDS = re.compile(r'"[^"]*"|#\w+|\w+|[^\s\w]')


def on_lines(form: str, indent: int) -> str:
    """A location of which each word and mark stands on a line of its own."""
    words = _WORDS.findall(f"loc({form})")
    return ("\n" + " " * indent).join(words)


def broken(form: str, indent: int) -> str:
    """A location as it is printed where it is long: a line for each part of it."""
    return re.sub(r"([(\[]|, | at )(?=[\"c#f])", "\\1\n" + " " * indent, f"loc({form})")


LAYOUTS: dict[str, Callable[[str], str]] = {
    "a line": lambda form: f"loc({form})",
    "lines": lambda form: broken(form, 4),
    "lines at the margin": lambda form: broken(form, 0),
    "a line each": lambda form: on_lines(form, 2),
    "a line each at the margin": lambda form: on_lines(form, 0),
    "on the next line": lambda form: f"\n  loc({form})",
    "with comments": lambda form: broken(form, 4).replace("\n", " // it's (\n"),
}


def programs(place: str) -> list[str]:
    """A place with each form in each layout."""
    texts = [layout(form) for form in FORMS.values() for layout in LAYOUTS.values()]
    return [ALIAS + PLACES[place].format(text) for text in texts]


@pytest.mark.slow
@pytest.mark.parametrize("place", PLACES)
def test_locations(place: str) -> None:
    plain = parse(ALIAS + PLACES[place].format("" if place not in ("attribute", "definition") else "loc(unknown)"))
    said = [(op.name, op.symbol, [use.name for use in op.operands]) for op in plain.walk()]
    for program in programs(place):
        tree = parse(program)
        assert not tree.problems, (program, tree.problems)
        assert [(op.name, op.symbol, [use.name for use in op.operands]) for op in tree.walk()] == said, program


@pytest.mark.slow
@pytest.mark.skipif(MLIR_OPT is None, reason="mlir-opt-22 is not installed (Debian: mlir-22-tools)")
def test_they_are_locations() -> None:
    chunks = [program for place in PLACES for program in programs(place)]
    command = [str(MLIR_OPT), "--allow-unregistered-dialect", "--split-input-file", "--verify-each=0", "-"]
    done = subprocess.run(command, input="// -----\n".join(chunks), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[:2000]

"""Functions that never return: after each edit of one, its callers know."""

from __future__ import annotations

import random

import pytest

from memlane.checking import check
from memlane.config import Config
from memlane.flow import Program
from memlane.flow.interproc.nonreturning import comes_back
from memlane.syntax import Document
from tests.effort import some
from tests.flow.test_incremental import Bench, rules

ABORT = "func.func private @abort()\n"
USER = """func.func @user(%x: memref<4xf32>, %c: i1) {{
  %a = memref.alloc() : memref<4xf32>
  memref.copy %x, %a : memref<4xf32> to memref<4xf32>
  scf.if %c {{
    func.call @{callee}(%c, %x) : (i1, memref<4xf32>) -> ()
  }} else {{
    memref.dealloc %a : memref<4xf32>
  }}
  return
}}
"""


def _function(name: str, body: str) -> str:
    return f"func.func private @{name}(%c: i1, %x: memref<4xf32>) {{\n{body}  return\n}}\n"


def _call(name: str) -> str:
    return f"  func.call @{name}(%c, %x) : (i1, memref<4xf32>) -> ()\n"


def _ending(source: str) -> set[str]:
    program = Program(Document(source, Config().models).tree.chunks[0].ops, Config().models)
    return {flow.name for flow in program.functions.values() if not comes_back(program, flow)}


def test_an_edit_reaches_who_calls_the_caller() -> None:
    die = _function("die", "  func.call @abort() : () -> ()\n")
    bench = Bench(ABORT + die + _function("middle", _call("die")) + USER.format(callee="middle"))
    assert not rules(bench.compare())
    assert rules(bench.replace("  func.call @abort() : () -> ()\n", "")) == [("user", "possible-leak")]
    assert not rules(bench.replace("  return", "  func.call @abort() : () -> ()\n  return"))
    assert rules(
        bench.replace(
            "@middle(%c: i1, %x: memref<4xf32>) {\n",
            "@middle(%c: i1, %x: memref<4xf32>) {\n  cf.cond_br %c, ^a, ^b\n^b:\n  return\n^a:\n",
        )
    )


def _branch(then: str, other: str) -> str:
    return f"  scf.if %c {{\n{then}  }} else {{\n{other}  }}\n"


def _some(choose: random.Random, names: list[str]) -> str:
    """A line or a few of a function, which may or may not come back."""
    call = _call(choose.choice(names))
    kinds = (
        "",
        call,
        "  func.call @abort() : () -> ()\n",
        _branch(call, ""),
        _branch(call, _call(choose.choice(names))),
        _branch("    func.call @abort() : () -> ()\n", call),
        f"  cf.cond_br %c, ^one, ^two\n^one:\n{call}  return\n^two:\n",
    )
    return choose.choice(kinds)


def _reached(name: str, bodies: dict[str, str]) -> set[str]:
    found, pending = {name}, [name]
    while pending:
        body = bodies[pending.pop()]
        fresh = {one for one in bodies if f"@{one}(" in body} - found
        found |= fresh
        pending += fresh
    return found


def _truth(bodies: dict[str, str]) -> set[str]:
    """The functions that never come back, by their lines: `down` is what is known so far to come back.

    To begin with, that is what leads to no `abort`.
    """
    down = {name for name in bodies if not any("@abort" in bodies[one] for one in _reached(name, bodies))}

    def passes(lines: str) -> bool:
        return "@abort" not in lines and all(name in down for name in bodies if f"@{name}(" in lines)

    while True:
        now = set(down)
        for name, body in bodies.items():
            if "^one:" in body:
                head, _, rest = body.partition("^two:")
                now |= {name} if passes(head) or passes(rest) else set()
            elif "scf.if" in body:
                then, _, other = body.partition("else")
                now |= {name} if passes(then) or passes(other) else set()
            elif passes(body):
                now.add(name)
        if now == down:
            return bodies.keys() - down
        down = now


@pytest.mark.slow
@pytest.mark.parametrize("seed", some(range(30), 5))
def test_random_programs_and_edits(seed: int) -> None:
    choose = random.Random(seed)
    names = [f"f{number}" for number in range(choose.randrange(2, 7))]
    bodies = {name: _some(choose, names) for name in names}
    user = USER.format(callee=choose.choice(names))
    bench = Bench(ABORT + "".join(_function(name, body) for name, body in bodies.items()) + user)
    for _ in range(12):
        assert _ending(bench.document.source) == _truth(bodies)
        name = choose.choice(names)
        body = _some(choose, names)
        bench.replace(_function(name, bodies[name]), _function(name, body))
        bodies[name] = body


@pytest.mark.slow
def test_long_chains() -> None:
    """Each function calls the next one; the last ends the program."""
    chain = [_function(f"f{at}", _call(f"f{at + 1}")) for at in range(1_100)]
    last = _function("f1100", "  func.call @abort() : () -> ()\n")
    for order in (chain, chain[::-1]):
        source = ABORT + "".join(order) + last + USER.format(callee="f0")
        assert not check(source).findings
    assert rules(check(source.replace("@abort()", "@others()")).findings) == [("user", "possible-leak")]


def test_what_is_not_known_yet_is_not_remembered() -> None:
    """While it is found out whether a function that calls itself comes back, its graph is not asked where it ends."""
    source = """func.func private @other(memref<4xf32>) -> memref<4xf32>
func.func private @down(%c: i1, %n: index, %x: memref<4xf32>) {
  scf.for %i = %n to %n step %n {
    %y = func.call @other(%x) : (memref<4xf32>) -> memref<4xf32>
    %z = scf.if %c -> memref<4xf32> {
      scf.yield %y : memref<4xf32>
    } else {
      scf.yield %x : memref<4xf32>
    }
    func.call @down(%c, %n, %z) : (i1, index, memref<4xf32>) -> ()
  }
  return
}
func.func private @abort()
"""
    for text in (source, source.replace("  return\n}\nfunc.func private @abort", "}\nfunc.func private @abort")):
        program = Program(Document(text, Config().models).tree.chunks[0].ops, Config().models)
        down = next(flow for flow in program.functions.values() if flow.name == "down")
        assert comes_back(program, down)
        assert not down.graph.stopping

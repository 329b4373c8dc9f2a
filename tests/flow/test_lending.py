"""Buffers that are lent to functions: following them through the one who calls finds the same."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from memlane.checking import check
from memlane.flow.plain.lending import Lending

BUFFER = "memref<4xf32>"
SIGNATURE = f"({BUFFER}, {BUFFER}, index, f32, i1)"
FORMALS = f"(%a: {BUFFER}, %b: {BUFFER}, %i: index, %x: f32, %c: i1)"
CALLEES = {
    "reads": "%v = memref.load %a[%i] : memref<4xf32>",
    "writes": "memref.store %x, %a[%i] : memref<4xf32>",
    "frees": "memref.dealloc %a : memref<4xf32>",
    "may_free": "scf.if %c {\nmemref.dealloc %a : memref<4xf32>\n}",
    "frees_other": "memref.dealloc %b : memref<4xf32>",
    "copies": "memref.copy %a, %b : memref<4xf32> to memref<4xf32>",
    "passes_on": f"func.call @writes(%b, %a, %i, %x, %c) : {SIGNATURE} -> ()",
    "calls_itself": f"func.call @calls_itself(%a, %b, %i, %x, %c) : {SIGNATURE} -> ()",
    "keeps": '"npu.keep"(%a) : (memref<4xf32>) -> ()',
    "decides": "".join(f"scf.if %c {{\nmemref.store %x, %{name}[%i] : memref<4xf32>\n}}\n" for name in "ab"),
}
"""Functions of two buffers, by what they do."""
AROUND = ["{}", "{}", "scf.if %c {{\n{}\n}}", "scf.for %k = %c0 to %i step %c1 {{\n{}\n}}", "scf.if %no {{\n{}\n}}"]


def programs(seed: int) -> str:
    """A function that makes buffers, has some of its caller's, and lends all of them; private ones that do the same."""
    choose = random.Random(seed)
    functions = [
        f"func.func {'private ' if choose.random() < 0.5 else ''}@{name}{FORMALS} {{\n{body}\nreturn\n}}\n"
        for name, body in CALLEES.items()
    ]
    functions.append(f"func.func private @external{SIGNATURE}\n")
    for name in ("f", "g"):
        private = "private " if choose.random() < 0.5 else ""
        functions.append(f"func.func {private}@{name}{FORMALS} {{\n{_body(choose)}\nreturn\n}}\n")
    return "".join(functions)


def _body(choose: random.Random) -> str:
    made = "pq"[: choose.randrange(3)]
    lines = ["%c0 = arith.constant 0 : index", "%c1 = arith.constant 1 : index", "%no = arith.constant false"]
    lines += [f"%{name} = memref.alloc() : {BUFFER}" for name in made]
    names = "ab" + made
    for number in range(choose.randrange(1, 5)):
        callee = choose.choice([*CALLEES, "writes", "reads", "external", "g"])
        flag = choose.choice(("%c", "%c", "%no"))
        one, other = choose.choice(names), choose.choice(names)
        line = choose.choice(
            (
                f"func.call @{callee}(%{one}, %{other}, %i, %x, {flag}) : {SIGNATURE} -> ()",
                f"func.call @{callee}(%{one}, %{other}, %c1, %x, {flag}) : {SIGNATURE} -> ()",
                f"memref.store %x, %{one}[%i] : {BUFFER}",
                f"%v{number} = memref.load %{one}[%i] : {BUFFER}",
            )
        )
        lines.append(choose.choice(AROUND).format(line.replace("%v", "%w")))
    lines += [f"memref.dealloc %{name} : {BUFFER}" for name in made]
    return "\n".join(lines)


def test_generated_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    lent: list[str] = []
    asked: dict[str, Callable[..., bool]] = {"lends": Lending.lends, "harmless": Lending.harmless}

    def counted(name: str) -> Callable[..., bool]:
        def ask(*arguments: Any) -> bool:
            found = asked[name](*arguments)
            lent.extend([name] * found)
            return found

        return ask

    def never(*_: Any) -> bool:
        return False

    for seed in range(300):
        source = programs(seed)
        for name in asked:
            monkeypatch.setattr(Lending, name, counted(name))
        quick = check(source).findings
        for name in asked:
            monkeypatch.setattr(Lending, name, never)
        assert quick == check(source).findings, source
    assert lent.count("lends") > 50
    assert lent.count("harmless") > 50

"""Buffers passed to functions that only use them: the fast path agrees with the explorer."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from memlane.checking import check
from memlane.flow.fastpath.borrowed import Lending
from tests.effort import some
from tests.hostile.growth import power

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


def _never(*_: Any) -> bool:
    return False


@pytest.mark.slow
def test_generated_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    lent: list[str] = []
    asked: dict[str, Callable[..., bool]] = {"lends": Lending.lends, "harmless": Lending.harmless}

    def counted(name: str) -> Callable[..., bool]:
        def ask(*arguments: Any) -> bool:
            found = asked[name](*arguments)
            lent.extend([name] * found)
            return found

        return ask

    seeds = some(range(300), 50)
    for seed in seeds:
        source = programs(seed)
        for name in asked:
            monkeypatch.setattr(Lending, name, counted(name))
        quick = check(source).findings
        for name in asked:
            monkeypatch.setattr(Lending, name, _never)
        assert quick == check(source).findings, source
    assert lent.count("lends") > len(seeds) / 6
    assert lent.count("harmless") > len(seeds) / 6


def guessing(seed: int) -> str:
    """A function of values of others' types, by operations nobody described, some with regions."""
    choose = random.Random(seed)
    own = choose.choice(("!own.box", "!own.box", "memref<4xf32>"))
    names, lines = ["%a", "%b"], list[str]()

    def operation(number: int, inside: str = "") -> str:
        given = choose.choices(names, k=choose.randrange(1, 4))
        gives = choose.choice((own, own, "!own.box"))
        known = given[0] in typed and typed[given[0]] == own == "memref<4xf32>"
        described = [f"memref.copy {given[0]}, {given[0]} : {own} to {own}"] * 2 + [
            f"memref.dealloc {given[0]} : {own}"
        ]
        if known and choose.random() < 0.4:
            return choose.choice(described)
        types = ", ".join(typed[name] for name in given)
        result = f"%v{number}{inside}"
        made.append((result, gives))
        return f'{result} = "own.op"({", ".join(given)}) : ({types}) -> {gives}'

    typed, made = {"%a": own, "%b": own}, list[tuple[str, str]]()
    for number in range(choose.randrange(1, 8)):
        made.clear()
        lines.append(operation(number))
        if choose.random() < 0.2:
            inner, count = [operation(number, "i")], choose.randrange(1, 3)
            handed = choose.choice([*names, *(name for name, _ in made if name.endswith("i"))])
            types = {**typed, **dict(made)}
            made[:] = [one for one in made if not one[0].endswith("i")] + [(f"%r{number}", types[handed])]
            region = "\n".join([*inner, f'"own.yield"({handed}) : ({types[handed]}) -> ()'])
            regions = ", ".join([f"{{\n{region}\n}}"] * count)
            lines.append(f'%r{number} = "own.if"() ({regions}) : () -> {types[handed]}')
        names += [name for name, _ in made]
        typed.update(made)
    given = choose.choices(names, k=choose.randrange(3))
    types = ", ".join(typed[name] for name in given)
    lines.append(f"return {', '.join(given)} : {types}" if given else "return")
    return f"func.func @f(%a: {own}, %b: {own}) -> ({types}) {{\n" + "\n".join(lines) + "\n}\n"


@pytest.mark.slow
def test_guesses(monkeypatch: pytest.MonkeyPatch) -> None:
    harmless = Lending.harmless
    found: list[str] = []

    def counted(lending: Lending, clusters: Any) -> bool:
        quick = harmless(lending, clusters)
        found.extend(["quick"] * (quick and any(len({*one.root.values()}) > 1 for one in clusters)))
        return quick

    for seed in range(400):
        source = guessing(seed)
        monkeypatch.setattr(Lending, "harmless", counted)
        quick = check(source).findings
        monkeypatch.setattr(Lending, "harmless", _never)
        assert quick == check(source).findings, source
    assert len(found) > 50


def chain(count: int) -> str:
    """Operations nobody described, each of what those before gave; the last is handed out."""
    lines = [
        f'%v{n + 2} = "own.op"(%v{n}, %v{n + 1}, %v{n // 2}) : (!own.box, !own.box, !own.box) -> !own.box'
        for n in range(count)
    ]
    head = "func.func @f(%v0: !own.box, %v1: !own.box) -> tensor<2x!own.box> {"
    made = f"%t = tensor.from_elements %v{count}, %v{count + 1} : tensor<2x!own.box>"
    return "\n".join([head, *lines, made, "return %t : tensor<2x!own.box>", "}"])


@pytest.mark.slow
@pytest.mark.usefixtures("unlearned")
def test_a_chain_of_guesses() -> None:
    """Nobody frees any of them, so it does not matter which is which."""
    check(chain(4))
    assert power(lambda count: partial(check, chain(count)), 20) < 1.2
    assert check(chain(40)).findings == ()

"""Results of unknown operations are not told apart path by path where that makes no difference."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from memlane.checking import check
from memlane.flow.cfg.graph import Graph
from memlane.flow.slicing.slice import Slice
from memlane.flow.slicing.unknown_results import Through
from memlane.flow.typestate import transfer
from tests.hostile.growth import lines_run

TYPE = "memref<4xf32>"


def _followed(graph: Graph, part: Slice, followed: bool) -> Through:
    assert isinstance(followed, bool)
    return Through(graph, part, followed=True)


def _told(source: str) -> list[tuple[str, int, str]]:
    """By which of several names an operation uses a buffer is of no matter."""
    return [(one.rule.name, one.report.span.start, one.report.certainty.value) for one in check(source).findings]


def _body(chance: random.Random, names: list[tuple[str, str]], depth: int, count: list[int]) -> Iterator[str]:
    """Statements that use buffers by their names and by what is made of them."""
    names = list(names)
    for _ in range(chance.randint(2, 6)):
        count[0] += 1
        new = f"%v{count[0]}"
        some = chance.sample(names, min(len(names), chance.randint(1, 2)))
        given, types = ", ".join(name for name, _ in some), ", ".join(type_ for _, type_ in some)
        buffers = [name for name, type_ in names if type_ == TYPE]
        kind = chance.choice(("alloc", "make", "make", "make", "use", "load", "free", "view", "if", "for", "escape"))
        if kind == "alloc":
            yield f"{new} = memref.alloc() : {TYPE}"
            names.append((new, TYPE))
        elif kind == "make":
            result = chance.choice((TYPE, "!x.t", "!x.async.token"))
            yield f'{new} = "x.make"({given}) : ({types}) -> {result}'
            names.append((new, result))
        elif kind == "use":
            yield f'"x.use"({given}) : ({types}) -> ()'
        elif kind == "load":
            yield f"{new} = memref.load {chance.choice(buffers)}[%i] : {TYPE}"
        elif kind == "view":
            yield f"{new} = memref.cast {chance.choice(buffers)} : {TYPE} to memref<?xf32>"
            names.append((new, "memref<?xf32>"))
        elif kind == "free" and chance.random() < 0.7:
            yield f"memref.dealloc {chance.choice(buffers)} : {TYPE}"
        elif kind == "escape" and chance.random() < 0.3:
            yield f"func.call @keep({chance.choice(buffers)}) : ({TYPE}) -> ()"
        elif kind in ("if", "for") and depth:
            yield "scf.if %c {" if kind == "if" else f"scf.for {new} = %i to %n step %i {{"
            yield from _body(chance, names, depth - 1, count)
            yield "}"


def _program(seed: int) -> str:
    chance = random.Random(seed)
    inner = "\n  ".join(_body(chance, [("%m", TYPE), ("%a", TYPE)], 2, [0]))
    returned = chance.choice(("", "", "%a"))
    head = f"func.func private @keep({TYPE})\nfunc.func @f(%m: {TYPE}, %c: i1, %i: index, %n: index)"
    head += f" -> {TYPE}" if returned else ""
    tail = f"return %a : {TYPE}" if returned else "return"
    return f"{head} {{\n  %a = memref.alloc() : {TYPE}\n  {inner}\n  {tail}\n}}\n"


@pytest.mark.slow
@pytest.mark.parametrize("block", range(8))
def test_the_same_is_told_as_if_each_were_followed(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    for seed in range(40 * block, 40 * block + 40):
        source = _program(seed)
        found = _told(source)
        with monkeypatch.context() as patch:
            patch.setattr(transfer, "Through", _followed)
            assert found == _told(source), source


@pytest.mark.slow
def test_many_do_not_take_exponential_time(monkeypatch: pytest.MonkeyPatch) -> None:
    def program(count: int) -> str:
        made = (f'  %r{n} = "x.make"(%a{n % 3}, %a{(n + 1) % 3}) : ({TYPE}, {TYPE}) -> !x.t\n' for n in range(count))
        used = (f'  "x.use"(%r{n}, %r{n // 2}) : (!x.t, !x.t) -> ()\n' for n in range(count))
        allocated, freed = ("".join(f"  {text}\n" for text in texts) for texts in (
            [f"%a{n} = memref.alloc() : {TYPE}" for n in range(3)],
            [f"memref.dealloc %a{n} : {TYPE}" for n in range(3)],
        ))  # fmt: skip
        return f"func.func @f() {{\n{allocated}{''.join(made)}{''.join(used)}{freed}  return\n}}\n"

    assert {one.rule.name for one in check(program(40)).findings} == {"unknown-effects"}
    less, more = (lines_run(lambda count=count: check(program(count))) for count in (40, 80))
    assert more < 2.5 * less
    monkeypatch.setattr(transfer, "Through", _followed)
    assert 5 * less < lines_run(lambda: check(program(40)))


def test_what_may_be_a_freed_buffer_is_told() -> None:
    source = (
        f"func.func @f(%i: index) {{\n  %a = memref.alloc() : {TYPE}\n  %b = memref.alloc() : {TYPE}\n"
        f'  %r = "x.make"(%a, %b) : ({TYPE}, {TYPE}) -> {TYPE}\n  memref.dealloc %a : {TYPE}\n'
        f"  %x = memref.load %r[%i] : {TYPE}\n  memref.dealloc %b : {TYPE}\n  return\n}}\n"
    )
    assert [(rule, certainty) for rule, _, certainty in _told(source) if rule != "unknown-effects"] == [
        ("possible-use-after-free", "some")
    ]


def test_names_whose_addresses_are_compared_are_followed() -> None:
    """As upstream's deallocation does, to see whether what an operation gives is what it was given."""
    pointers = "".join(
        f"  %p{name} = memref.extract_aligned_pointer_as_index %{name} : {TYPE} -> index\n" for name in "ab"
    )
    source = (
        f'func.func @f() {{\n  %a = memref.alloc() : {TYPE}\n  %b = "x.forward"(%a) : ({TYPE}) -> {TYPE}\n{pointers}'
        f"  %other = arith.cmpi ne, %pa, %pb : index\n  scf.if %other {{\n    memref.dealloc %a : {TYPE}\n  }}\n"
        f'  "x.use"(%b) : ({TYPE}) -> ()\n  return\n}}\n'
    )
    assert "possible-use-after-free" not in {rule for rule, _, _ in _told(source)}

"""The ideal peak: each buffer lives from its first use on a path to its last there."""

from __future__ import annotations

from collections import Counter

import pytest

from memlane.config import Config
from memlane.flow import Program
from memlane.flow.peak import build_product, footprint
from memlane.flow.peak.peak import Peak, peak_of
from memlane.flow.symbolic.amounts import Amount
from memlane.syntax import parse
from tests.effort import some
from tests.fixes.test_reduction import chain, peaks, reduced
from tests.peak.generated import generate, measured_ideal, text
from tests.upstream.pipeline import MLIR_OPT, run

TYPE = "memref<16xf32>"
"""64 bytes."""


def measure(source: str, budget: int = footprint.MAX_PRODUCT_NODES) -> Peak:
    """The peak of the last function."""
    models = Config().models
    (chunk,) = parse(source, models).chunks
    program = Program(chunk.ops, models, source)
    return peak_of(footprint.Ledger(program, budget=budget), [*program.functions.values()][-1])


def ideal(body: str, before: str = "") -> int | None:
    """That of a function with `%x`, `%i`, `%n` and `%c`, in bytes."""
    head = "func.func @f(%x: f32, %i: index, %n: index, %c: i1) {\n"
    found = measure(f"{before}{head}{body}  return\n}}\n")
    assert all(one.covers(other) for one in found.peak for other in found.ideal)
    (amount,) = found.ideal
    return amount.bytes


def made(*names: str) -> str:
    return "".join(f"  %{name} = memref.alloc() : {TYPE}\n" for name in names)


def freed(*names: str) -> str:
    return "".join(f"  memref.dealloc %{name} : {TYPE}\n" for name in names)


def filled(name: str) -> str:
    return f"  memref.store %x, %{name}[%i] : {TYPE}\n"


def read(name: str) -> str:
    return f'  %of_{name} = memref.load %{name}[%i] : {TYPE}\n  "x.use"(%of_{name}) : (f32) -> ()\n'


def looped(body: str, number: int) -> str:
    return f"  scf.for %k{number} = %i to %n step %i {{\n{body}  }}\n"


def test_buffers_that_are_allocated_up_front_and_used_in_turn() -> None:
    names = "abcde"
    turns = "".join(filled(name) + read(name) for name in names)
    assert ideal(made(*names) + turns + freed(*names)) == 64


def test_it_is_what_a_reduction_reaches() -> None:
    source = chain(5)
    assert measure(source).ideal[0].bytes == peaks(reduced(source).source)["f"] == 2 * 65536


def test_one_that_is_used_for_the_first_time_in_a_loop_lives_while_that_runs() -> None:
    names = "abc"
    loops = "".join(looped(filled(name), number) for number, name in enumerate(names))
    assert ideal(made(*names) + loops + freed(*names)) == 64
    # In the second round %b has been used, and will be again, where %a is.
    assert ideal(made("a", "b") + looped(filled("a") + filled("b"), 0) + freed("a", "b")) == 128


def test_one_that_is_used_in_one_branch_takes_nothing_in_the_other() -> None:
    branches = "  scf.if %c {\n" + filled("a") + "  } else {\n" + filled("b") + "  }\n"
    assert ideal(made("a", "b") + branches + freed("a", "b")) == 64


def test_one_that_may_have_been_used_on_the_way() -> None:
    """Where %b is used %a lives, if control came through the branch."""
    branch = "  scf.if %c {\n" + filled("a") + "  }\n"
    assert ideal(made("a", "b") + branch + filled("b") + read("a") + freed("a", "b")) == 128


def test_of_paths_that_know_how_they_came_each_has_its_own() -> None:
    first = "  scf.if %c {\n" + filled("a") + "  }\n"
    second = "  scf.if %c {\n" + read("a") + "  } else {\n" + filled("b") + read("b") + "  }\n"
    assert ideal(made("a", "b") + first + second + freed("a", "b")) == 64


BLOCKS = """  cf.br ^one
^one:
{}  cf.cond_br %c, ^one, ^two
^two:
{}  cf.cond_br %c, ^three, ^four
^three:
{}  cf.br ^four
^four:
{}"""


@pytest.mark.parametrize("budget", [footprint.MAX_PRODUCT_NODES, 5])
@pytest.mark.parametrize("large", [False, True])
def test_blocks(budget: int, large: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first is a loop, the third is gone past on some paths."""
    if large:
        monkeypatch.setattr(build_product, "MAX_USES_ALL_EXPLORED", -1)
    names = [f"{letter}{number}" for letter in "abcd" for number in range(12)]
    for count in (1, 12):
        groups = [[f"{letter}{number}" for number in range(count)] for letter in "abcd"]
        uses = ["".join(filled(name) + read(name) for name in group) for group in groups]
        body = made(*names) + BLOCKS.format(*uses) + freed(*names)
        head = "func.func @f(%x: f32, %i: index, %c: i1) {\n"
        (found,) = measure(f"{head}{body}  return\n}}\n", budget).ideal
        # What one round of the first block used, the next may use again.
        assert found.bytes == 64 * count, (count, found)


def test_a_call_uses_what_it_is_passed() -> None:
    fill = f"func.func private @fill(%m: {TYPE}, %x: f32, %i: index) {{\n{made('t')}{filled('t')}{freed('t')}"
    fill += f"{filled('m')}  return\n}}\n"
    calls = "".join(f"  call @fill(%{name}, %x, %i) : ({TYPE}, f32, index) -> ()\n" for name in "ab")
    assert ideal(made("a", "b") + calls + freed("a", "b"), before=fill) == 128  # one of them, and %t inside
    other = f"func.func private @fill({TYPE}, f32, index)\n"
    assert ideal(made("a", "b") + calls + freed("a", "b"), before=other) == 64


def test_a_call_that_gives_a_buffer_has_used_it() -> None:
    make = f"func.func private @make() -> {TYPE} {{\n{made('m')}  return %m : {TYPE}\n}}\n"
    calls = "".join(f"  %{name} = call @make() : () -> {TYPE}\n" for name in "ab")
    assert ideal(calls + filled("a") + filled("b") + freed("a", "b"), before=make) == 128


def test_names_and_views_of_a_buffer_do_not_use_it() -> None:
    views = f"  %v = memref.cast %a : {TYPE} to memref<?xf32>\n"
    views += f"  %s = memref.subview %a[0] [8] [1] : {TYPE} to memref<8xf32, strided<[1]>>\n"
    views += "  %d = memref.dim %v, %i : memref<?xf32>\n"
    uses = "  memref.store %x, %v[%i] : memref<?xf32>\n"
    uses += "  memref.store %x, %s[%i] : memref<8xf32, strided<[1]>>\n"
    assert ideal(made("a") + views + made("b") + filled("b") + read("b") + uses + freed("b", "a")) == 64


def test_a_branch_that_hands_a_buffer_on_does_not_use_it() -> None:
    blocks = "  cf.br ^next(%a : {0})\n^next(%p: {0}):\n{1}  cf.br ^last(%p : {0})\n^last(%q: {0}):\n{2}"
    uses, last = filled("b") + read("b"), freed("b", "q")
    assert ideal(made("a", "b") + blocks.format(TYPE, uses, filled("q")) + last) == 64
    assert ideal(made("a", "b") + filled("a") + blocks.format(TYPE, uses, "") + last) == 64
    assert ideal(made("a", "b") + filled("a") + blocks.format(TYPE, uses, filled("q")) + last) == 128


def test_nor_does_the_end_of_a_region_that_gives_it_out() -> None:
    given = f"  %r = scf.if %c -> ({TYPE}) {{\n{made('a')}    scf.yield %a : {TYPE}\n  }} else {{\n"
    given += f"{made('d')}    scf.yield %d : {TYPE}\n  }}\n"
    assert ideal(given + made("b") + filled("b") + read("b") + filled("r") + freed("b", "r")) == 64


def test_a_reallocation_uses_what_it_copies_and_what_it_makes() -> None:
    grown = f"  %b = memref.realloc %a : {TYPE} to memref<32xf32>\n  memref.dealloc %b : memref<32xf32>\n"
    assert ideal(made("a", "q") + filled("a") + grown + filled("q") + freed("q")) == 64 + 128


def test_a_copy_uses_what_it_makes() -> None:
    clone = f"  %b = bufferization.clone %a : {TYPE} to {TYPE}\n"
    assert ideal(made("a") + filled("a") + clone + read("b") + freed("a", "b")) == 128
    # Also where paths are followed.
    body = clone + freed("a") + "  scf.if %c {\n" + read("b") + "  }\n"
    assert ideal(made("a") + filled("a") + body + freed("b")) == 128


def test_one_that_is_never_used_takes_nothing() -> None:
    found = measure(f"func.func @f() {{\n{made('a')}{freed('a')}  return\n}}\n")
    assert ([str(one) for one in found.ideal], [str(one) for one in found.floor]) == (["0"], [])
    assert [str(one) for one in found.closed] == ["64"]


def test_one_that_is_returned_lives_to_the_end() -> None:
    source = f"func.func @f(%x: f32, %i: index) -> {TYPE} {{\n{made('a', 'b')}{filled('b')}{read('b')}"
    last = f"{freed('b')}  return %a : {TYPE}\n}}\n"
    assert measure(source + filled("a") + last).ideal[0].bytes == 64
    assert measure(source + filled("a") + read("b").replace("of_b", "again") + last).ideal[0].bytes == 128


# ---- against executions ----------------------------------------------------------------------------------------------


def verdict(found: Peak, most: int) -> str:
    """What the ideal is worth that was found, if `most` is the right one."""
    amount = found.ideal[0] if len(found.ideal) == 1 else Amount(unbounded=True)
    if not amount.unbounded and amount.bytes == most:
        return "right"
    return "bound" if amount.unbounded or (amount.bytes or 0) > most else "wrong"


@pytest.mark.slow
@pytest.mark.parametrize("pairs", [False, True])
def test_it_is_the_largest_of_all_executions(pairs: bool) -> None:
    programs = {seed: generate(seed, pairs) for seed in some(range(60), 30)}
    found = {seed: verdict(measure(text(one)), measured_ideal(one)) for seed, one in programs.items()}
    assert {seed: word for seed, word in found.items() if word != "right"} == {}


@pytest.mark.slow
@pytest.mark.parametrize("pairs", [False, True])
def test_of_many_more(pairs: bool) -> None:
    programs = [generate(seed, pairs) for seed in some(range(1000, 1300), 30)]
    found = Counter(verdict(measure(text(one)), measured_ideal(one)) for one in programs)
    assert found["wrong"] == 0
    assert found["right"] >= 0.98 * len(programs)


@pytest.mark.slow
@pytest.mark.parametrize("pairs", [False, True])
@pytest.mark.parametrize("large", [False, True])
def test_it_never_lies_below_an_execution(large: bool, pairs: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build_product, "MAX_USES_ALL_EXPLORED", -1)
    if large:
        monkeypatch.setattr(build_product, "MAX_USES_EXPLORED", -1)
    for seed in some(range(40), 20):
        one = generate(seed, pairs)
        assert verdict(measure(text(one)), measured_ideal(one)) != "wrong", f"seed {seed}"


@pytest.mark.slow
@pytest.mark.skipif(MLIR_OPT is None, reason="needs mlir-opt-22 (Debian package mlir-22-tools)")
@pytest.mark.parametrize("budget", [footprint.MAX_PRODUCT_NODES, 40, 10])
def test_lowered_to_branches_it_is_exact_or_a_bound(budget: int) -> None:
    found = Counter[str]()
    for seed in range(2000, 2020):
        program = generate(seed)
        source = run(text(program), "--convert-scf-to-cf")
        assert source is not None
        found[verdict(measure(source, budget), measured_ideal(program))] += 1
    assert found["wrong"] == 0
    assert found["right"] >= 6


@pytest.mark.skipif(MLIR_OPT is None, reason="needs mlir-opt-22 (Debian package mlir-22-tools)")
def test_it_is_the_same_at_each_stage_of_lowering() -> None:
    names = "abcd"
    loops = "".join(looped(filled(name), at) + looped(filled(name), at + 9) for at, name in enumerate(names))
    structured = f"func.func @f(%x: f32, %i: index, %n: index) {{\n{made(*names)}{loops}{freed(*names)}  return\n}}\n"
    blocks = run(structured, "--convert-scf-to-cf")
    assert blocks is not None
    lowered = run(blocks, "--finalize-memref-to-llvm", "--convert-to-llvm", "--reconcile-unrealized-casts")
    assert lowered is not None
    for source in (structured, blocks, lowered):
        assert [str(one) for one in measure(source).ideal] == ["64"]

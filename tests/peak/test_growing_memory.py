"""Memory use is told in linear work: what is freed and not named again is no longer carried along the paths."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from memlane.config import Config
from memlane.flow import Program
from memlane.flow.peak.footprint import Ledger
from memlane.flow.peak.peak import Peak, peak_of
from memlane.flow.symbolic.amounts import UNBOUNDED, number
from memlane.memory_report import Usage, assumptions, usage
from memlane.syntax import parse
from tests.hostile.growth import PHASES, lines_run, power
from tests.hostile.shapes import TYPE, stages
from tests.hostile.test_growth_of_checks import exits

MOST = 1.15
"""See `tests/hostile/test_growth.py`."""
_MADE = f"  %a{{0}} = memref.alloc() : {TYPE}\n  memref.store %x, %a{{0}}[%i] : {TYPE}\n"


def _each(count: int, lines: str) -> str:
    body = "".join(lines.format(number) for number in range(count))
    return f"func.func @f(%c: i1, %x: f32, %i: index) {{\n{body}  return\n}}\n"


def _given_away(count: int) -> str:
    """Buffers that are each freed by a call."""
    callee = f"func.func private @g(%a: {TYPE}) {{\n  memref.dealloc %a : {TYPE}\n  return\n}}\n"
    return callee + _each(count, f"{_MADE}  call @g(%a{{0}}) : ({TYPE}) -> ()\n")


def _used_after(count: int) -> str:
    """Buffers that are each used once more than they should be."""
    return _each(count, f"{_MADE}  memref.dealloc %a{{0}} : {TYPE}\n  %y{{0}} = memref.load %a{{0}}[%i] : {TYPE}\n")


def _decided(count: int) -> str:
    """Buffers that live side by side until a branch each decides about them; one way each of them is lost."""
    freed = f"  scf.if %c{{0}} {{{{\n    memref.dealloc %a{{0}} : {TYPE}\n  }}}}\n"
    text = _each(count, _MADE).replace(
        "  return\n", "".join(freed.format(number) for number in range(count)) + "  return\n"
    )
    return text.replace("%c: i1", ", ".join(f"%c{number}: i1" for number in range(count)))


def _handed(count: int, around: str) -> str:
    """Buffers that one op takes and gives back. `around`: it, with what is inside: `{0}`, `{1}`, `{2}` are the results,
    their types, and what the buffers are bound to."""
    made = "" if "[MADE]" in around else "".join(_MADE.format(number) for number in range(count))
    types, bound = ", ".join([TYPE] * count), ", ".join(f"%b{number} = %a{number}" for number in range(count))
    one = around.replace("[TYPES]", types).replace("[BOUND]", bound).replace("[COUNT]", str(count))
    for name in "abd":
        one = one.replace(f"[{name}]", ", ".join(f"%{name}{number}" for number in range(count)))
    inside = "".join(f"    %d{number} = memref.alloc(%i) : {TYPE}\n" for number in range(count))
    used = "".join(f"    memref.store %x, %b{number}[%k] : {TYPE}\n" for number in range(count))
    freed = "".join(f"  memref.dealloc %r#{number} : {TYPE}\n" for number in range(count))
    body = one.replace("[MADE]", inside).replace("[USED]", used) + (freed if "%r:" in one else "")
    return f"func.func @f(%c: i1, %x: f32, %i: index, %n: index) {{\n{made}{body}  return\n}}\n"


_CARRIED = """  %r:[COUNT] = scf.for %k = %i to %n step %i iter_args([BOUND]) -> ([TYPES]) {
[USED]    scf.yield [b] : [TYPES]
  }
"""
_GIVEN_BACK = """  %r:[COUNT] = scf.if %c -> ([TYPES]) {
[MADE]    scf.yield [d] : [TYPES]
  } else {
[MADE]    scf.yield [d] : [TYPES]
  }
"""


def _any_order(count: int, after: str) -> str:
    """An op nobody described, of whose regions any may follow on any, with a buffer in each. `after`: what is done
    with that."""
    inside = f"    %a{{0}} = memref.alloc() : {TYPE}\n    memref.store %x, %a{{0}}[%i] : {TYPE}\n{after}"
    regions = ", ".join(f'{{\n{inside.format(number)}    "nobody.ends"() : () -> ()\n  }}' for number in range(count))
    callee = f"func.func private @g(%a: {TYPE}) {{\n  memref.dealloc %a : {TYPE}\n  return\n}}\n"
    return callee + _each(1, f'  "nobody.knows"() ({regions.replace("{", "{{").replace("}", "}}")}) : () -> ()\n')


def between_blocks(count: int) -> str:
    """Buffers that branches between blocks decide about, one after the other: one way each is lost."""
    freed = f"^a{{0}}:\n  memref.dealloc %a{{0}} : {TYPE}\n  cf.br ^b{{0}}\n^b{{0}}:\n"
    text = _each(count, f"{_MADE}  cf.cond_br %c{{0}}, ^a{{0}}, ^b{{0}}\n{freed}")
    return text.replace("%c: i1", ", ".join(f"%c{number}: i1" for number in range(count)))


_BY_CALL = f"    func.call @g(%a{{0}}) : ({TYPE}) -> ()\n"
_ONE_WAY = f"    scf.if %c {{{{\n      memref.dealloc %a{{0}} : {TYPE}\n    }}}}\n"
_BY_BLOCKS = f"""    cf.cond_br %c, ^b{{0}}, ^c{{0}}
  ^b{{0}}:
    memref.dealloc %a{{0}} : {TYPE}
    cf.br ^d{{0}}
  ^c{{0}}:
    memref.dealloc %a{{0}} : {TYPE}
    cf.br ^d{{0}}
  ^d{{0}}:
"""
_TAKEN = '  "nobody.knows"([a]) : ([TYPES]) -> ()\n'


SHAPES: Mapping[str, tuple[Callable[[int], str], int]] = {
    "stages": (stages, 25),
    "given away": (_given_away, 30),
    "used after": (_used_after, 40),
    "decided": (_decided, 60),
    "between blocks": (between_blocks, 120),
    "carried": (lambda count: _handed(count, _CARRIED), 60),
    "given back": (lambda count: _handed(count, _GIVEN_BACK), 60),
    "taken": (lambda count: _handed(count, _TAKEN), 80),
    "exits": (exits, 60),
    "lost in any order": (lambda count: _any_order(count, ""), 40),
    "given away in any order": (lambda count: _any_order(count, _BY_CALL), 40),
    "lost one way in any order": (lambda count: _any_order(count, _ONE_WAY), 40),
    "freed by blocks in any order": (lambda count: _any_order(count, _BY_BLOCKS), 40),
}


@pytest.mark.slow
@pytest.mark.usefixtures("unlearned")
@pytest.mark.parametrize("shape", SHAPES)
def test_memory_use_is_told_in_linear_work(shape: str) -> None:
    make, size = SHAPES[shape]
    assert power(lambda count: PHASES["memory"](make(count)), size) < MOST


@pytest.mark.parametrize("after", ["", _BY_CALL, _ONE_WAY, _BY_BLOCKS])
def test_a_place_between_regions_of_any_order_changes_nothing(after: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether the ways between them are followed one by one or through that place."""
    text = _any_order(4, after)
    *_, direct = usage(text, Config(), assumptions(text, Config()))
    monkeypatch.setattr("memlane.flow.cfg.region_dispatch.MAX_DIRECT_REGIONS", 1)
    *_, through = usage(text, Config(), assumptions(text, Config()))

    def told(one: Usage) -> object:
        peak = one.peak
        where = peak.where.span if peak.where is not None else None
        most = [amount.unbounded or amount for amount in peak.peak]
        sizes = {origin.value.span: amount for origin, amount in peak.sizes.items()}
        buffers = [(origin.value.span, amount) for origin, amount in peak.buffers]
        curve = [(op.span, amount.unbounded or amount) for op, amount in peak.curve]
        return most, peak.ideal, peak.closed, peak.floor, peak.exact, where, sizes, buffers, curve

    assert told(through) == told(direct)


@pytest.mark.slow
def test_many_regions_of_any_order() -> None:
    """What is lost in one of them has no bound; what is freed lives in one at a time."""
    for after, peak in (("", UNBOUNDED), (_ONE_WAY, UNBOUNDED), (_BY_CALL, number(16)), (_BY_BLOCKS, number(16))):
        text = _any_order(40, after)
        *_, found = usage(text, Config(), assumptions(text, Config()))
        assert (found.peak.peak, found.peak.ideal) == ((peak,), (number(16),))


def test_flags_without_number() -> None:
    """Each of a dozen flags decides about one buffer: 2 to the power of 12 states, told apart by what is over."""
    flags = ", ".join(f"%c{number}: i1" for number in range(12))
    used = f"  scf.if %c{{0}} {{{{\n    memref.store %x, %a{{0}}[%i] : {TYPE}\n  }}}}\n"
    one = f"  %a{{0}} = memref.alloc() : {TYPE}\n{used}  memref.dealloc %a{{0}} : {TYPE}\n"
    text = _each(12, one).replace("%c: i1", flags)
    (found,) = usage(text, Config(), assumptions(text, Config()))
    assert found.peak.peak == (number(16),)
    assert found.peak.exact


def _lowered(count: int) -> str:
    """Branches between blocks, one after the other, each with a condition and a buffer of its own."""
    inside = f"{_MADE}  memref.dealloc %a{{0}} : {TYPE}\n"
    one = f"  cf.cond_br %c{{0}}, ^a{{0}}, ^b{{0}}\n^a{{0}}:\n{inside}  cf.br ^b{{0}}\n^b{{0}}:\n"
    return _each(count, one).replace("%c: i1", ", ".join(f"%c{number}: i1" for number in range(count)))


def filled(count: int) -> str:
    """Buffers that loops of blocks fill, which may not run, one after the other; they are freed at the end."""
    loop = (
        "  cf.br ^h{0}(%i : index)\n^h{0}(%k{0}: index):\n  %t{0} = arith.cmpi slt, %k{0}, %n : index\n"
        f"  cf.cond_br %t{{0}}, ^b{{0}}, ^e{{0}}\n^b{{0}}:\n  memref.store %x, %a{{0}}[%k{{0}}] : {TYPE}\n"
        "  %m{0} = arith.addi %k{0}, %i : index\n  cf.br ^h{0}(%m{0} : index)\n^e{0}:\n"
    )
    made = f"  %a{{0}} = memref.alloc() : {TYPE}\n"
    freed = "".join(f"  memref.dealloc %a{number} : {TYPE}\n" for number in range(count))
    text = _each(count, made + loop).replace("%c: i1", "%n: index")
    return text.replace("  return\n", f"{freed}  return\n")


def _chosen(count: int) -> str:
    """Two buffers, used by loops of blocks that may not run, each time by the name of either."""
    loop = (
        "  cf.br ^h{0}(%i : index)\n^h{0}(%k{0}: index):\n  %t{0} = arith.cmpi slt, %k{0}, %n : index\n"
        "  cf.cond_br %t{0}, ^b{0}, ^e{0}\n^b{0}:\n  %d{0} = memref.load %flags[%k{0}] : memref<?xi1>\n"
        f"  %s{{0}} = arith.select %d{{0}}, %a, %b : {TYPE}\n  memref.store %x, %s{{0}}[%i] : {TYPE}\n"
        "  %m{0} = arith.addi %k{0}, %i : index\n  cf.br ^h{0}(%m{0} : index)\n^e{0}:\n"
    )
    made = "".join(f"  %{name} = memref.alloc() : {TYPE}\n" for name in "ab")
    freed = "".join(f"  memref.dealloc %{name} : {TYPE}\n" for name in "ab")
    loops = "".join(map(loop.format, range(count)))
    head = "func.func @f(%flags: memref<?xi1>, %x: f32, %i: index, %n: index) {\n"
    return f"{head}{made}{loops}{freed}  return\n}}\n"


@pytest.mark.slow
@pytest.mark.usefixtures("unlearned")
@pytest.mark.parametrize(("make", "buffers"), [(filled, 40), (_chosen, 2)])
def test_what_loops_of_blocks_may_do_is_not_told_apart(make: Callable[[int], str], buffers: int) -> None:
    """Whether a buffer was written to, and what else it was called, changes nothing that lives."""
    assert power(lambda count: PHASES["memory"](make(count)), 5) < 1.5
    (found,) = usage(make(40), Config(), assumptions(make(40), Config()))
    assert found.peak.peak == (number(16 * buffers),)
    assert found.peak.exact


@pytest.mark.slow
@pytest.mark.usefixtures("unlearned")
def test_what_branches_between_blocks_ask_is_not_told_apart_for_ever() -> None:
    """There are 2 to the power of their number ways, all of which need the same."""
    assert power(lambda count: PHASES["memory"](_lowered(count)), 6) < 1.5
    (found,) = usage(_lowered(40), Config(), assumptions(_lowered(40), Config()))
    assert found.peak.peak == (number(16),)
    assert found.peak.exact


def _asked_of_arguments(count: int) -> str:
    """A function that lends a buffer under many conditions on its arguments, and one that calls it."""
    taken = "func.func private @uses(%a: memref<?xf32>, %n: index) {\n  %b = memref.alloc(%n) : memref<?xf32>\n"
    taken += "  memref.copy %a, %b : memref<?xf32> to memref<?xf32>\n  memref.dealloc %b : memref<?xf32>\n  return\n}\n"
    flags, types = ", ".join(f"%c{number}" for number in range(count)), ", ".join(["i1"] * count)
    body = "".join(
        f"  cf.cond_br %c{number}, ^a{number}, ^b{number}\n^a{number}:\n"
        f"  call @uses(%a, %n) : (memref<?xf32>, index) -> ()\n  cf.br ^b{number}\n^b{number}:\n"
        for number in range(count)
    )
    formals = ", ".join(f"%c{number}: i1" for number in range(count)) + ", %a: memref<?xf32>, %n: index"
    called = f"  call @asks({flags}, %a, %n) : ({types}, memref<?xf32>, index) -> ()\n"
    return (
        f"{taken}func.func private @asks({formals}) {{\n{body}  return\n}}\n"
        f"func.func @f({formals}) {{\n{called}  return\n}}\n"
    )


@pytest.mark.slow
@pytest.mark.usefixtures("unlearned")
def test_conditions_on_arguments() -> None:
    """Where they are many, callers are not told which of them is which: else 2 to the power of n ways were."""
    PHASES["memory"](_asked_of_arguments(2))()
    small, large = (lines_run(PHASES["memory"](_asked_of_arguments(count))) for count in (12, 24))
    assert large < 2.5 * small


@pytest.mark.slow
@pytest.mark.parametrize("count", [30, 40, 600])
def test_early_exits(count: int) -> None:
    """Those that are followed and those that are read off the text need the same: no number of them is too many."""
    (found,) = usage(exits(count), Config(), assumptions(exits(count), Config()))
    peak = found.peak
    assert (peak.peak, peak.ideal, peak.closed) == ((number(32 * count),), (number(32),), (number(32 * count),))
    assert peak.exact
    assert len(peak.buffers) == count


def one_call(count: int) -> str:
    """Buffers that one call of a private function frees."""
    names, types = (", ".join(one) for one in ([f"%a{n}" for n in range(count)], [TYPE] * count))
    formals = ", ".join(f"%a{number}: {TYPE}" for number in range(count))
    freed = "".join(f"  memref.dealloc %a{number} : {TYPE}\n" for number in range(count))
    callee = f"func.func private @g({formals}) {{\n{freed}  return\n}}\n"
    return callee + _each(count, _MADE).replace("  return\n", f"  call @g({names}) : ({types}) -> ()\n  return\n")


@pytest.mark.slow
@pytest.mark.usefixtures("unlearned")
def test_one_call_that_frees_more_than_is_followed_together() -> None:
    """Each is followed by itself then, and of what the call does no more than that one: else all were n times."""

    def bounded(count: int) -> Callable[[], Peak]:
        text = one_call(count)
        program = Program(next(iter(parse(text, Config().models).chunks)).ops, Config().models, text)
        _, flow = program.functions.values()
        return lambda: peak_of(Ledger(program, budget=20), flow)

    found = bounded(20)()
    assert (found.peak, found.ideal, found.exact) == ((number(320),), (number(320),), False)
    assert power(bounded, 20) < MOST


def _replaced_one_by_one(count: int) -> str:
    """Buffers that are each replaced by another under a flag, one after the other in a block."""
    lines = (
        f"{_MADE}  %b{{0}} = scf.if %c -> ({TYPE}) {{{{\n    %m{{0}} = memref.alloc() : {TYPE}\n"
        f"    memref.dealloc %a{{0}} : {TYPE}\n    scf.yield %m{{0}} : {TYPE}\n  }}}} else {{{{\n"
        f"    scf.yield %a{{0}} : {TYPE}\n  }}}}\n  memref.store %x, %b{{0}}[%i] : {TYPE}\n"
        f"  memref.dealloc %b{{0}} : {TYPE}\n"
    )
    return _each(count, lines)


def test_what_is_bounded_does_not_live_before_it_is_made() -> None:
    bounded: list[Peak] = []
    for count in (10, 20):
        text = _replaced_one_by_one(count)
        program = Program(next(iter(parse(text, Config().models).chunks)).ops, Config().models, text)
        bounded.append(peak_of(Ledger(program, budget=20), [*program.functions.values()][-1]))
    few, many = bounded
    assert not many.exact
    assert (few.ideal, few.closed) == (many.ideal, many.closed)

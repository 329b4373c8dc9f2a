"""What memory use asks of one buffer does not grow with the blocks of its function, nor with the other buffers."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from memlane.config import Config
from memlane.flow import Program
from memlane.flow.effects.aggregate_buffers import formals_of
from memlane.flow.interproc.program import FunctionFlow
from memlane.flow.peak.footprint import Ledger
from memlane.flow.peak.lifetimes import lives
from memlane.flow.peak.peak import Peak, peak_of
from memlane.flow.peak.sparse_product import Short
from memlane.flow.slicing.long_live_ranges import Far
from memlane.flow.symbolic.assumptions import Assumptions
from memlane.memory_report import assumptions, usage
from memlane.syntax import parse
from memlane.syntax.tree.tree import Value
from tests.hostile.growth import PHASES, power
from tests.hostile.repeated import spaces
from tests.hostile.shapes import replaced
from tests.hostile.test_growth_of_checks import exits, labels, pads
from tests.peak.test_growing_memory import between_blocks, filled, one_call

MOST = 1.15


def _program(text: str) -> tuple[Program, FunctionFlow]:
    """A program, and its last function."""
    program = Program(next(iter(parse(text, Config().models).chunks)).ops, Config().models, text)
    return program, [*program.functions.values()][-1]


def repeated(count: int) -> str:
    """Loops of blocks behind branches, which go on while memory says so; each makes a buffer in its second block."""
    one = (
        "  cf.cond_br %c, ^on{0}, ^head{0}\n^on{0}:\n  cf.br ^head{0}\n^head{0}:\n"
        "  %t{0} = memref.load %m[%i] : memref<4xi1>\n  cf.cond_br %t{0}, ^body{0}, ^end{0}\n^body{0}:\n"
        "  %a{0} = memref.alloc() : memref<4xf32>\n  memref.store %x, %a{0}[%i] : memref<4xf32>\n"
        "  %s{0} = memref.load %m[%i] : memref<4xi1>\n  cf.cond_br %s{0}, ^left{0}, ^right{0}\n^left{0}:\n"
        "  memref.dealloc %a{0} : memref<4xf32>\n  cf.br ^head{0}\n^right{0}:\n"
        "  memref.dealloc %a{0} : memref<4xf32>\n  cf.br ^head{0}\n^end{0}:\n"
    )
    body = "".join(map(one.format, range(count)))
    return f"func.func @f(%c: i1, %x: f32, %i: index, %m: memref<4xi1>) {{\n{body}  return\n}}\n"


def _is_early(part: Short, asking: object) -> bool:
    return part.first is None


@pytest.mark.slow
@pytest.mark.usefixtures("unlearned")
@pytest.mark.parametrize(("make", "size"), [(between_blocks, 150), (labels, 50), (one_call, 120)])
def test_what_is_bounded_one_by_one_is_linear_work(make: Callable[[int], str], size: int) -> None:
    """As each is where together they are too much, of which a budget makes little here."""

    def bounded(count: int) -> Callable[[], Peak]:
        program, flow = _program(make(count))
        return lambda: peak_of(Ledger(program, budget=40), flow)

    assert not bounded(size)().exact
    assert power(bounded, size) < MOST


@pytest.mark.slow
@pytest.mark.usefixtures("unlearned")
@pytest.mark.parametrize(
    ("make", "budget"),
    [*((make, budget) for make in (between_blocks, labels, pads, filled) for budget in (10, 30)), (repeated, 30)],
)
def test_where_one_begins_changes_nothing(
    make: Callable[[int], str], budget: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether each is followed from where it is made on, or from the start of the function."""

    program, flow = _program(make(12))

    def told() -> object:
        peak = peak_of(Ledger(program, budget=budget), flow)
        curve = [(op.span, amount) for op, amount in peak.curve]
        return peak.peak, peak.ideal, peak.closed, peak.exact, curve

    late = told()
    monkeypatch.setattr(Short, "is_free", _is_early)
    assert told() == late


@pytest.mark.slow
def test_many_ways_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Behind each of n of them nobody asks for n values any more: which these are is told as far as it is known."""
    forgotten: list[int] = []

    def counted(told: Callable[..., set[Value]]) -> Callable[..., set[Value]]:
        def found(*arguments: object) -> set[Value]:
            gone = told(*arguments)
            forgotten.append(len(gone))
            return gone

        return found

    monkeypatch.setattr(Far, "gone", counted(Far.gone))
    monkeypatch.setattr(Far, "gone_of", counted(Far.gone_of))

    def told(count: int) -> int:
        forgotten.clear()
        PHASES["memory"](exits(count))()
        return sum(forgotten)

    assert told(400) <= 2.5 * told(200)


def test_what_shared_names_say_is_kept_once() -> None:
    def kept(count: int) -> int:
        found = lives(*_program(replaced(count)))
        mentions = {id(one): one for life in found for one in (life.own, life.shared)}
        return sum(len(one.uses) + len(one.frees) for one in mentions.values())

    assert kept(80) < 2.2 * kept(40)


def test_the_text_is_read_once_for_all_memories(monkeypatch: pytest.MonkeyPatch) -> None:
    text, read = spaces(40), list[str]()
    inside = Assumptions.inside

    def counted(self: Assumptions, text: str, function: str) -> Mapping[str, int]:
        read.append(text)
        return inside(self, text, function)

    monkeypatch.setattr(Assumptions, "inside", counted)
    (found,) = usage(text, Config(), assumptions(text, Config()))
    assert len(found.labels) == 40
    assert len(read) <= 2


def test_a_call_that_is_asked_about_often_looks_at_what_is_passed() -> None:
    """Of the clusters of a function those of arguments that nobody asks about are not gone through."""
    program, flow = _program(one_call(60).partition("func.func @f")[0])
    basis = Ledger(program).bases.of(flow)
    arguments = formals_of(flow.graph)
    assert [one.origins[0].value for one in basis.standing(arguments[7:8])] == [arguments[7]]
    assert [one.origins[0].value for one in basis.standing(arguments)] == [*arguments]

"""Loops of blocks and how they nest."""

from __future__ import annotations

import random

import pytest

from memlane.checking import check
from memlane.flow.cfg.loops import Changing, Loops
from memlane.flow.dataflow.events import Point
from memlane.syntax import parse
from memlane.syntax.tree.tree import Block, Region
from tests.flow.test_iteration_counts import MAYBE, TYPE

ROUNDS = f"""\
func.func @f(%x: {TYPE}, %n: index, %m: index, %c: i1) {{
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %three = arith.constant 3 : index
  %v = arith.constant 7 : i64
{MAYBE}  cf.br ^outer(%zero, %b : index, {TYPE})
^outer(%i: index, %p: {TYPE}):
  memref.store %v, %p[%zero] : {TYPE}
  cf.br ^inner(%zero : index)
^inner(%j: index):
  %more = arith.cmpi slt, %j, %n : index
  cf.cond_br %more, ^body, ^next
^body:
  memref.store %v, %p[%j] : {TYPE}
  %j1 = arith.addi %j, %one : index
  cf.br ^inner(%j1 : index)
^next:
  %i1 = arith.addi %i, %one : index
  %again = arith.cmpi slt, %i1, %three : index
  cf.cond_br %again, ^outer(%i1, %x : index, {TYPE}), ^after
^after:
  cf.cond_br %c, ^free, ^end
^free:
  memref.dealloc %b : {TYPE}
  cf.br ^end
^end:
  return
}}
"""


def region(following: list[list[int]]) -> Region:
    """A function whose blocks lead to those of these numbers."""
    lines = ["func.func @f() {"]
    for number, after in enumerate(following):
        lines += [f"^b{number}:"] if number else []
        to = ", ".join(f"^b{target}" for target in after)
        lines.append(f'  "test.br"(){f"[{to}]" if to else ""} : () -> ()')
    (function,) = parse("\n".join([*lines, "}", ""])).chunks[0].ops
    return function.regions[0]


def around(following: list[list[int]]) -> list[set[int]]:
    """For each block the numbers of the headers of the loops it is in."""
    found = region(following)
    loops = Loops(found)
    sets: list[set[Block]] = [set() for _ in found.blocks]
    for block, known in zip(found.blocks, sets, strict=True):
        loops.around(block, known)
    return [{block.index for block in known} for known in sets]


def slowly(following: list[list[int]]) -> list[set[int]]:
    """The same by the definition: what leads back to a header that dominates it, without passing the header."""
    count = len(following)

    def reached(start: int, without: int) -> set[int]:
        seen: set[int] = set()
        pending = [start] if start != without else []
        while pending:
            number = pending.pop()
            if number not in seen:
                seen.add(number)
                pending.extend(after for after in following[number] if after != without)
        return seen

    alive = reached(0, -1)
    found: list[set[int]] = [set() for _ in range(count)]
    for header in alive:
        dominated = alive - reached(0, header)
        ends = {number for number in dominated if header in following[number]}
        body = {header} | {n for n in alive - {header} if ends & reached(n, header)} if ends else set[int]()
        for number in body:
            found[number].add(header)
    return found


SHAPES: dict[str, tuple[list[list[int]], list[set[int]]]] = {
    "a loop in a loop": ([[1], [2, 5], [3, 4], [2], [1], []], [set(), {1}, {1, 2}, {1, 2}, {1}, set()]),
    "a loop of one block": ([[1], [1, 2], []], [set(), {1}, set()]),
    "two ways back to one header": ([[1], [2, 3], [1], [1, 4], []], [set(), {1}, {1}, {1}, set()]),
    "two ways in": ([[1, 2], [2], [1, 3], []], [set(), set(), set(), set()]),
    "two ways in, in a loop": ([[1], [2, 3], [3], [2, 4], [1, 5], []], [set(), {1}, {1}, {1}, {1}, set()]),
    "what is never reached": ([[1], [1, 3], [1], []], [set(), {1}, set(), set()]),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_how_loops_nest(shape: str) -> None:
    following, expected = SHAPES[shape]
    assert around(following) == expected == slowly(following)


def test_any_blocks_nest_as_the_definition_says() -> None:
    chance = random.Random(7)
    loops = 0
    for _ in range(400):
        count = chance.randrange(1, 12)
        following = [[chance.randrange(count) for _ in range(chance.choice((0, 1, 1, 2, 2)))] for _ in range(count)]
        following[0] = [target for target in following[0] if target]  # nothing leads to the entry
        following = [[target for target in after if target] for after in following]
        assert around(following) == slowly(following), following
        loops += any(map(bool, around(following)))
    assert loops > 100


def test_a_loop_changes_what_those_in_it_change() -> None:
    blocks = region([[1], [2, 5], [3, 4], [2], [1], [6, 7], [5], []]).blocks
    loops = Loops(blocks[0].region)
    changing = Changing(lambda _: loops)
    assert not changing.within(blocks[1])
    changing.add(blocks[3])
    assert [changing.within(block) for block in blocks] == [False, True, True, False, False, False, False, False]
    changing.add(blocks[6])
    assert changing.within(blocks[5])
    assert blocks[6] in changing
    assert blocks[5] not in changing


def test_a_loop_that_changes_nothing_is_not_counted_in_one_that_does(steps: list[Point]) -> None:
    """The outer loop goes on with another buffer; how often the inner one runs makes no difference."""
    assert [finding.rule.name for finding in check(ROUNDS).findings] == []
    assert 0 < len(steps) < 150

"""How much of what calls do, of who owns a buffer and of how control came there is distinguished."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from memlane.checking import check
from memlane.config import load_config
from memlane.flow.interproc.tracked_callees import Inquiry
from tests.flow.bounded_programs import FREE, UNDECIDED, flags, freed_if, function, given, said
from tests.flow.test_path_insensitive import together

M = "memref<4xf32>"


def codes(count: int) -> list[str]:
    """What is said of a function that frees its argument and returns nought, or one of so many other numbers less one;
    of what it gives, the caller asks whether it has."""
    cases = range(1, count)
    text = f"func.func private @g(%a: {M}, %k: i32) -> i32 {{\n  cf.switch %k : i32, [default: ^d"
    text += "".join(f", {at}: ^b{at}" for at in cases) + "]\n"
    text += "".join(f"^b{at}:\n  %r{at} = arith.constant {at} : i32\n  return %r{at} : i32\n" for at in cases)
    text += f"^d:\n  memref.dealloc %a : {M}\n  %r = arith.constant 0 : i32\n  return %r : i32\n}}\n"
    call = f"  %r = call @g(%a, %k) : ({M}, i32) -> i32\n  %z = arith.constant 0 : i32\n"
    call += f"  %p = arith.cmpi ne, %r, %z : i32\n{freed_if('%p')}"
    return [rule for rule in said(text + function("%k: i32", call)) if rule != "argument-free"]


def test_results_that_are_one_of_a_few_numbers_are_codes() -> None:
    assert codes(2) == codes(8) == []
    assert codes(9) == codes(80) == UNDECIDED


def partitions(count: int) -> Iterator[tuple[int, ...]]:
    """The ways in which some of so many arguments are one buffer."""

    def following(before: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        if len(before) == count:
            yield before
        else:
            for group in range(max(before, default=-1) + 2):
                yield from following((*before, group))

    return (one for one in following(()) if len(set(one)) < count)


def freed_together(count: int) -> Counter[str]:
    """What is said of a function that frees six arguments, which so many calls pass each in another way."""
    names = flags(6, "a")
    lines = [f"func.func private @g({given(names, M)}) {{", *(f"  memref.dealloc {name} : {M}" for name in names)]
    lines += ["  return", "}", "func.func @f() {"]
    for call, (_, partition) in enumerate(zip(range(count), partitions(6), strict=False)):
        lines += [f"  %x{call}_{group} = memref.alloc() : {M}" for group in sorted(set(partition))]
        passed = ", ".join(f"%x{call}_{group}" for group in partition)
        lines.append(f"  call @g({passed}) : ({', '.join([M] * 6)}) -> ()")
    return Counter(rule for rule in said("\n".join([*lines, "  return", "}", ""])) if rule != "argument-free")


def test_ways_in_which_arguments_are_one_buffer_are_told_apart_up_to_a_limit() -> None:
    assert freed_together(1) == {"double-free": 5}
    assert freed_together(64) == {"possible-double-free": 5}
    assert freed_together(65) == freed_together(150) == {}


COUNTED = """op."rc.new".alloc = [{ result = 0 }]
op."rc.retain".acquire = 0
op."rc.release".free = [{ operand = 0 }]
"""


def counted(retained: int, released: int) -> list[str]:
    """What is said of a buffer with so many owners besides the first, so many of whom leave."""
    config, problems = load_config(None, COUNTED.splitlines())
    assert not problems
    lines = f'  %b = "rc.new"() : () -> {M}\n' + f'  "rc.retain"(%b) : ({M}) -> ()\n' * retained
    lines += f'  "rc.release"(%b) : ({M}) -> ()\n' * released
    return [finding.rule.name for finding in check(function("", FREE + lines), config).findings]


@pytest.mark.parametrize("count", [0, 1, 8])
def test_owners_are_counted_up_to_a_limit(count: int) -> None:
    assert counted(count, count) == ["leak"]
    assert counted(count, count + 1) == []
    assert counted(count, count + 2) == ["double-free"]


@pytest.mark.parametrize("count", [9, 10, 40])
def test_of_more_owners_it_is_not_known_how_many_there_are(count: int) -> None:
    """They were as many as are counted, and an error was said of each that left when there were no more of these."""
    assert counted(count, 8) == ["leak"]
    assert counted(count, count + 1) == ["possible-leak", *["possible-double-free"] * (count - 9)]


def test_owners_that_are_acquired_in_a_loop_come_to_an_end() -> None:
    config, _ = load_config(None, COUNTED.splitlines())
    lines = f'  %b = "rc.new"() : () -> {M}\n'
    for act in ("retain", "release"):
        lines += f'  scf.for %i = %n to %m step %n {{\n    "rc.{act}"(%b) : ({M}) -> ()\n  }}\n'
    source = function("%n: index, %m: index", FREE + lines)
    assert {finding.rule.name for finding in check(source, config).findings} == {
        "possible-leak",
        "possible-double-free",
    }


def last_choices(count: int) -> tuple[int, str]:
    """How many notes say how a buffer is lost that each of so many branches may free, and the first of them."""
    lines = "".join(map(freed_if, flags(count)))
    (lost,) = (
        finding for finding in check(function(given(flags(count), "i1"), lines)).findings if "leak" in finding.rule.name
    )
    return len(lost.report.notes), lost.report.notes[0].message


def test_of_a_path_the_last_choices_are_shown() -> None:
    assert last_choices(128) == (128 + 1, "%c0 is false")
    assert last_choices(129) == (128 + 2, "after 1 other choices")
    assert last_choices(200) == (128 + 2, "after 72 other choices")


def below_zero(count: int) -> list[str]:
    """What is said of a call with so many numbers, each of which may be below zero. Its function frees a buffer by a
    flag, and uses it by each number; where the flag is false, the last one is below zero."""
    numbers = flags(count, "k")
    text = f"func.func private @g(%x: {M}, %free: i1, {given(numbers, 'index')}) {{\n"
    text += "  %v = arith.constant 1.0 : f32\n  %i = arith.constant 0 : index\n"
    for name in numbers:
        text += f"  scf.index_switch {name}\n  case 1 {{\n    scf.yield\n  }}\n  default {{\n"
        text += f"    memref.store %v, %x[%i] : {M}\n  }}\n"
    text += f"  scf.if %free {{\n    memref.dealloc %x : {M}\n  }}\n  return\n}}\n"
    lines = "  %one = arith.constant 1 : index\n  %three = arith.constant 3 : index\n"
    lines += f"  %free = arith.cmpi ne, %n{count - 1}, %one : index\n"
    lines += "".join(f"  {name} = arith.subi %n{at}, %three : index\n" for at, name in enumerate(numbers))
    lines += f"  call @g(%a, %free, {', '.join(numbers)}) : ({', '.join([M, 'i1', *['index'] * count])}) -> ()\n"
    return [one for one in said(text + function(given(flags(count, "n"), "index"), lines)) if one != "argument-free"]


def test_ways_of_numbers_below_zero_are_added_up_to_a_limit() -> None:
    """With four numbers a call goes 162 ways, with five 486: of the last one it is not thought then."""
    assert below_zero(1) == below_zero(4) == ["possible-leak"]
    assert below_zero(5) == []


def passed_names(count: int) -> str:
    """A call is passed so many names, any of which may be one buffer, and frees what it is passed."""
    text = f"func.func private @g({given(flags(count, 'a'), M)}) {{\n"
    text += "".join(f"  memref.dealloc {name} : {M}\n" for name in flags(count, "a")) + "  return\n}\n"
    lines = "".join(
        f"  %m{at} = memref.alloc() : {M}\n  %b{at} = arith.select %c, %a, %m{at} : {M}\n" for at in range(count)
    )
    lines += f"  call @g({', '.join(flags(count, 'b'))}) : ({', '.join([M] * count)}) -> ()\n"
    return text + function("%c: i1", lines)


def test_where_paths_are_too_many_few_names_are_asked_of_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """Four names are one buffer or others in fifteen ways, eight in 4,140: each of these is asked by itself.
    All that may go wrong is said all the same."""
    together(monkeypatch)
    asked: set[object] = set()
    outcomes: Any = Inquiry.outcomes

    def counted(self: Inquiry, *question: Any) -> Any:
        asked.add(question[1])
        return outcomes(self, *question)

    monkeypatch.setattr(Inquiry, "outcomes", counted)
    for count, most in ((4, 15), (5, 5), (8, 8)):
        asked.clear()
        found = {*said(passed_names(count))}
        assert found == {"argument-free", "possible-leak", "possible-double-free"}
        assert len(asked) == most

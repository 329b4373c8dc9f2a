"""Programs about one buffer that grow in one respect, and what is said of them on both sides of a limit."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from memlane.checking import check

FREE = "  memref.dealloc %a : memref<4xf32>\n"
UNDECIDED = ["possible-leak", "possible-double-free"]
"""What is said of a buffer that one of two branches frees, where it is not known that one of them is taken."""


def function(arguments: str, body: str) -> str:
    """One that allocates the buffer `%a`."""
    return f"func.func @f({arguments}) {{\n  %a = memref.alloc() : memref<4xf32>\n{body}  return\n}}\n"


def freed_if(flag: str) -> str:
    return f"  scf.if {flag} {{\n  {FREE}  }}\n"


def freed_unless(flag: str) -> str:
    return f"  scf.if {flag} {{\n  }} else {{\n  {FREE}  }}\n"


def given(names: list[str], type_: str) -> str:
    return ", ".join(f"{name}: {type_}" for name in names)


def made_of(op: str, names: list[str], prefix: str, type_: str = "i1") -> tuple[str, str]:
    """The lines that compute one value of several, from left to right, and its name."""
    lines, last = "", names[0]
    for at, name in enumerate(names[1:]):
        lines += f"  %{prefix}{at} = {op} {last}, {name} : {type_}\n"
        last = f"%{prefix}{at}"
    return lines, last


def flags(count: int, letter: str = "c") -> list[str]:
    return [f"%{letter}{at}" for at in range(count)]


def said(source: str) -> list[str]:
    return [finding.rule.name for finding in check(source).findings if finding.rule.name != "late-free"]


class Bounded(NamedTuple):
    """What is said up to a limit, and beyond.

    Args:
        program: of so many as are counted. `most`: how many of them are within the limit.
        beyond: what is said of one more, and of `far` times as many. `within`: of as many as that, and of one less.
    """

    program: Callable[[int], str]
    most: int
    beyond: list[str]
    far: int = 10
    within: tuple[str, ...] = ()


def hold(one: Bounded) -> None:
    """Check it on both sides of the limit."""
    assert said(one.program(one.most - 1)) == said(one.program(one.most)) == [*one.within]
    assert said(one.program(one.most + 1)) == said(one.program(one.far * one.most)) == one.beyond

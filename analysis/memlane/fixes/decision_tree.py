"""Telling apart by flags: on which of the paths that come to a place something is to be done there.

A `DecisionTree` is a nest of conditions. It is found by trying the existing flags: each splits the paths into those on
which it is true and those on which it is false, and must be known on all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from memlane.fixes.limits import MAX_DEPTH
from memlane.syntax.tree.tree import Value


@dataclass(frozen=True, slots=True)
class DecisionTree:
    """What to do: at a leaf (without `flag`) `act` says it; else test `flag`."""

    act: bool = False
    flag: Value | None = None
    then: DecisionTree | None = None
    otherwise: DecisionTree | None = None

    @property
    def size(self) -> int:
        """How many flags are asked."""
        if self.flag is None or self.then is None or self.otherwise is None:
            return 0
        return 1 + self.then.size + self.otherwise.size

    @property
    def inverted(self) -> int:
        """How many of the flags are asked only for what is to be done where they are false."""
        if self.flag is None or self.then is None or self.otherwise is None:
            return 0
        return (self.then == NEVER) + self.then.inverted + self.otherwise.inverted

    def flags(self) -> Iterator[Value]:
        """The flags that are asked."""
        if self.flag is not None and self.then is not None and self.otherwise is not None:
            yield self.flag
            yield from self.then.flags()
            yield from self.otherwise.flags()


ALWAYS = DecisionTree(act=True)
NEVER = DecisionTree()

Known = Callable[[int, Value], "bool | None"]
"""What a flag is on a path; None: both may be."""


def decide(act: Sequence[int], leave: Sequence[int], flags: Sequence[Value], known: Known) -> DecisionTree | None:
    """The smallest tree that acts on the paths `act` and not on `leave`, of several the one that inverts fewest flags;
    None: the flags do not tell them apart."""
    if not leave or not act:
        return ALWAYS if not leave else NEVER
    paths = (*act, *leave)
    every = [_known_on(flag, paths, known) for flag in flags]
    acting = (1 << len(act)) - 1
    return _decide(acting, (1 << len(paths)) - 1 - acting, [one for one in every if one.true and one.false], MAX_DEPTH)


class _KnownFlag(NamedTuple):
    """On which paths a flag is known to be true, and on which to be false, as bits."""

    flag: Value
    true: int
    false: int


def _decide(act: int, leave: int, flags: Sequence[_KnownFlag], depth: int) -> DecisionTree | None:
    """See `decide`; so many flags are asked one after the other."""
    if not leave:
        return ALWAYS
    if not act:
        return NEVER
    if not depth:
        return None
    best: DecisionTree | None = None
    every = act | leave
    for one in flags:
        flag, true, false = one
        if every & ~(true | false) or not every & true or not every & false:
            continue
        rest = [other for other in flags if other is not one]
        then = _decide(act & true, leave & true, rest, depth - 1)
        otherwise = _decide(act & false, leave & false, rest, depth - 1) if then is not None else None
        if then is not None and otherwise is not None:
            tree = DecisionTree(False, flag, then, otherwise)
            if best is None or (tree.size, tree.inverted) < (best.size, best.inverted):
                best = tree
    return best


@dataclass(frozen=True, slots=True)
class Branching:
    """What to do at one place: `lines` on all paths, then for each flag something where it is true or false."""

    lines: tuple[str, ...] = ()
    splits: tuple[tuple[Value, Branching, Branching], ...] = ()

    def __bool__(self) -> bool:
        return bool(self.lines or self.splits)

    def inverted(self) -> Iterator[Value]:
        """The flags that are asked only for what is to be done where they are false."""
        for flag, then, otherwise in self.splits:
            if not then:
                yield flag
            yield from then.inverted()
            yield from otherwise.inverted()

    def flags(self) -> Iterator[Value]:
        """The flags that are asked."""
        for flag, then, otherwise in self.splits:
            yield flag
            yield from then.flags()
            yield from otherwise.flags()


def branching(wanted: Sequence[tuple[DecisionTree, Sequence[str]]]) -> Branching:
    """The lines of each tree on the paths that it selects, so that no flag is asked twice in a row."""
    always = [line for tree, lines in wanted if tree.flag is None and tree.act for line in lines]
    splits: list[tuple[Value, Branching, Branching]] = []
    for flag in dict.fromkeys(tree.flag for tree, _ in wanted):
        if flag is not None:
            mine = [(tree, lines) for tree, lines in wanted if tree.flag is flag]
            then = branching([(tree.then or NEVER, lines) for tree, lines in mine])
            splits.append((flag, then, branching([(tree.otherwise or NEVER, lines) for tree, lines in mine])))
    return Branching(tuple(always), tuple(split for split in splits if split[1] or split[2]))


def _known_on(flag: Value, paths: Sequence[int], known: Known) -> _KnownFlag:
    """What a flag is on each of the paths."""
    true = false = 0
    for at, path in enumerate(paths):
        value = known(path, flag)
        if value is not None:
            true, false = (true | 1 << at, false) if value else (true, false | 1 << at)
    return _KnownFlag(flag, true, false)

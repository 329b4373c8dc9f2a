"""Telling apart by flags: on which of the paths that come to a place something is to be done there.

A `DecisionTree` is a nest of conditions. It is found by trying the existing flags: each splits the paths into those on
which it is true and those on which it is false, and must be known on all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

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


def decide(
    act: Sequence[int], leave: Sequence[int], flags: Sequence[Value], known: Known, depth: int = 0
) -> DecisionTree | None:
    """The smallest tree that acts on the paths `act` and not on `leave`, of several the one that inverts fewest flags;
    None: the flags do not tell them apart."""
    if not leave:
        return ALWAYS
    if not act:
        return NEVER
    if depth == MAX_DEPTH:
        return None
    best: DecisionTree | None = None
    for flag in flags:
        values = _told(flag, (*act, *leave), known)
        if values is None:
            continue
        rest = [other for other in flags if other is not flag]
        then = decide([p for p in act if values[p]], [p for p in leave if values[p]], rest, known, depth + 1)
        other = decide([p for p in act if not values[p]], [p for p in leave if not values[p]], rest, known, depth + 1)
        if then is not None and other is not None:
            tree = DecisionTree(False, flag, then, other)
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


def _told(flag: Value, paths: Sequence[int], known: Known) -> dict[int, bool] | None:
    """What a flag is on each of the paths; None: it does not tell any apart, or is not known on one."""
    values: dict[int, bool] = {}
    for path in paths:
        value = known(path, flag)
        if value is None:
            return None
        values[path] = value
    return values if len(set(values.values())) > 1 else None

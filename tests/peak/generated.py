"""Programs made at random, with an execution of their own: what the analysis says of the text is compared with it.

A program is a tree of statements; `text` writes it as MLIR, `run` executes it under choices, in terms of the statements
alone. Unknown conditions are the arguments of the function: one choice each, the same wherever it is asked. A loop
without known bounds runs as often as its choice says, from 0 to `MOST` times.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

FLAGS = 3
MOST = 3
"""Iterations of a loop without known bounds: enough to tell what grows from what does not."""


@dataclass(slots=True)
class Statement:
    """One statement.

    Args:
        kind: alloc, use, free, if, for, while, call.
        buffer: the number of the buffer it makes, uses or frees.
        source: of a use, the number of the buffer that is copied into that one.
        size: in bytes; of a loop, how often it runs.
        flag: the condition of an `if` or `while`; `callee` of a call.
        body, other: nested statements.
    """

    kind: str
    buffer: int = 0
    source: int = 0
    size: int = 0
    flag: int = 0
    body: list[Statement] = field(default_factory=list["Statement"])
    other: list[Statement] = field(default_factory=list["Statement"])


@dataclass(frozen=True, slots=True)
class Generated:
    """Private functions that take nothing and give nothing, and `@main`, which calls them."""

    helpers: tuple[tuple[Statement, ...], ...]
    main: tuple[Statement, ...]


def generate(seed: int, pairs: bool = False) -> Generated:
    """The program of a seed. `pairs`: a use is one of two buffers, which may be the same, at once."""
    maker = _Maker(random.Random(seed), pairs)
    helpers: list[tuple[Statement, ...]] = []
    for _ in range(maker.random.randrange(3)):
        helpers.append(tuple(maker.block(2, maker.random.randrange(1, 4), [], len(helpers))))
    return Generated(tuple(helpers), tuple(maker.block(3, maker.random.randrange(3, 7), [], len(helpers))))


class _Maker:
    def __init__(self, chosen: random.Random, pairs: bool) -> None:
        self.random, self._pairs = chosen, pairs
        self._buffers = itertools.count()

    def block(self, depth: int, length: int, outer: list[int], helpers: int) -> list[Statement]:
        """Statements that leave no buffer of the block but those that are lost on purpose."""
        found: list[Statement] = []
        mine: list[int] = []
        for _ in range(length):
            found.append(self._one(depth, mine, outer, helpers))
            while len(mine) > 3 or (mine and self.random.random() < 0.25):
                found.append(Statement("free", mine.pop(self.random.randrange(len(mine)))))
        for buffer in mine:
            if self.random.random() < 0.93:
                found.append(Statement("free", buffer))
        return found

    def _one(self, depth: int, mine: list[int], outer: list[int], helpers: int) -> Statement:
        kinds = ["alloc"] * 4 + (["use"] * 3 if mine or outer else []) + (["call"] if helpers else [])
        kinds += ["if", "if", "for", "while"] if depth else []
        kind = self.random.choice(kinds)
        known = mine + outer
        if kind == "alloc":
            mine.append(next(self._buffers))
            return Statement(kind, mine[-1], size=4 * self.random.randrange(1, 20))
        if kind == "use":
            buffer = self.random.choice(known)
            return Statement(kind, buffer, self.random.choice(known) if self._pairs else buffer)
        if kind == "call":
            return Statement(kind, flag=self.random.randrange(helpers))
        body = self.block(depth - 1, self.random.randrange(1, 4), known, helpers)
        if kind == "for":
            return Statement(kind, size=self.random.randrange(4), body=body)
        flag = self.random.randrange(FLAGS)
        if kind == "while":
            return Statement(kind, flag=flag, body=body)
        other = self.block(depth - 1, self.random.randrange(1, 3), known, helpers) if self.random.random() < 0.6 else []
        return Statement(kind, flag=flag, body=body, other=other)


def text(program: Generated) -> str:
    """The program as MLIR."""
    sizes = {s.buffer: s.size for s in _all([*program.main, *(s for h in program.helpers for s in h)]) if s.size}
    functions = [(f"private @helper{i}", body) for i, body in enumerate(program.helpers)] + [("@main", program.main)]
    lines: list[str] = []
    for name, body in functions:
        flags = ", ".join([f"%p{i}: i1" for i in range(FLAGS)] + [f"%n{i}: index" for i in range(FLAGS)])
        lines += [
            f"func.func {name}({flags}) {{",
            "  %c0 = arith.constant 0 : index",
            "  %c1 = arith.constant 1 : index",
        ]
        lines += [f"  %k{i} = arith.constant {i} : index" for i in range(4)]
        lines += [*_written(body, sizes, "  ", itertools.count()), "  return", "}"]
    return "\n".join(lines) + "\n"


def _all(statements: Sequence[Statement]) -> Iterator[Statement]:
    pending = list(statements)
    while pending:
        one = pending.pop()
        if one.kind == "alloc":
            yield one
        pending += [*one.body, *one.other]


def _written(body: Sequence[Statement], sizes: dict[int, int], indent: str, loops: Iterator[int]) -> Iterator[str]:
    for one in body:
        type_ = f"memref<{sizes.get(one.buffer, 0)}xi8>"
        if one.kind == "alloc":
            yield f"{indent}%b{one.buffer} = memref.alloc() : {type_}"
        elif one.kind == "use":
            copied = f"memref<{sizes.get(one.source, 0)}xi8>"
            if one.source == one.buffer:
                yield f"{indent}memref.copy %b{one.buffer}, %b{one.buffer} : {type_} to {type_}"
            else:
                yield f"{indent}linalg.copy ins(%b{one.source} : {copied}) outs(%b{one.buffer} : {type_})"
        elif one.kind == "free":
            yield f"{indent}memref.dealloc %b{one.buffer} : {type_}"
        elif one.kind == "call":
            names = [f"%p{i}" for i in range(FLAGS)] + [f"%n{i}" for i in range(FLAGS)]
            types = ", ".join(["i1"] * FLAGS + ["index"] * FLAGS)
            yield f"{indent}func.call @helper{one.flag}({', '.join(names)}) : ({types}) -> ()"
        else:
            bound = f"%k{one.size}" if one.kind == "for" else f"%n{one.flag}"
            head = f"scf.if %p{one.flag}" if one.kind == "if" else f"scf.for %i{next(loops)} = %c0 to {bound} step %c1"
            yield f"{indent}{head} {{"
            yield from _written(one.body, sizes, indent + "  ", loops)
            if one.other:
                yield f"{indent}}} else {{"
                yield from _written(one.other, sizes, indent + "  ", loops)
            yield f"{indent}}}"


def measured(program: Generated) -> int:
    """The most bytes at once over all choices, loops without known bounds running up to `MOST` times."""
    return max(run.peak for flags in _FLAGS for run in _runs(program, flags, MOST))


def measured_ideal(program: Generated) -> int:
    """The same where each buffer lives from its first use to its last, of the execution."""
    return max(run.ideal() for flags in _FLAGS for run in _runs(program, flags, MOST))


def grows(program: Generated) -> bool:
    """Whether one iteration more leaves more bytes at the end, under some conditions."""
    return any(
        max(run.live for run in _runs(program, flags, MOST + 1)) > max(run.live for run in _runs(program, flags, MOST))
        for flags in _FLAGS
    )


_FLAGS = tuple(itertools.product([False, True], repeat=FLAGS))


def _runs(program: Generated, flags: Sequence[bool], most: int) -> Iterator[_Run]:
    for counts in itertools.product(range(most + 1), repeat=FLAGS):
        yield _Run(program, flags, counts)


class _Run:
    """One execution; `peak` is the most bytes that lived at once, `live` those that are left.

    Attributes:
        uses: of each buffer that was made, its size, and the times when it was used.
    """

    def __init__(self, program: Generated, flags: Sequence[bool], counts: Sequence[int]) -> None:
        self.peak = self.live = 0
        self._helpers = program.helpers
        self._flags = flags
        self._counts = counts
        self._sizes: dict[int, int] = {}
        self._time = itertools.count()
        self._made: dict[int, list[int]] = {}
        self.uses: list[list[int]] = []
        self._block(program.main)

    def ideal(self) -> int:
        """The most bytes of the buffers that are used at a time, or before and after it."""
        used = [times for times in self.uses if len(times) > 1]
        moments = {times[1] for times in used}
        return max((sum(size for size, *at in used if at[0] <= now <= at[-1]) for now in moments), default=0)

    def _block(self, statements: Sequence[Statement]) -> None:
        for one in statements:
            if one.kind == "alloc":
                self._sizes[one.buffer] = one.size
                self.live += one.size
                self.peak = max(self.peak, self.live)
                self.uses.append([one.size])
                self._made[one.buffer] = self.uses[-1]
            elif one.kind == "use":
                self._made[one.source].append(time := next(self._time))
                self._made[one.buffer].append(time)
            elif one.kind == "free":
                self.live -= self._sizes[one.buffer]
            elif one.kind == "call":
                self._block(self._helpers[one.flag])
            elif one.kind == "if":
                self._block(one.body if self._flags[one.flag] else one.other)
            else:
                for _ in range({"for": one.size, "while": self._counts[one.flag]}.get(one.kind, 0)):
                    self._block(one.body)

"""The op tree: operations, regions, blocks and SSA values, with definitions and uses linked.

Built by `syntax`, read by all other packages; never changed once built, until it is not needed any more (`take_apart`),
except by its only owner, which amends it after an edit (splice.py).
Positions are `Span`s of the document. What belongs to an op knows its distance from where that begins: where text comes
in before it, only ops have to be moved.
A tree always exists: what cannot be read is an op of name `""` with `unparsed` set, and a `Problem`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import Any, cast

from memlane.findings import Span
from memlane.lazy import regex
from memlane.syntax.problems import Problem
from memlane.syntax.tree.aliases import Aliases

_span: Callable[[type[Span], tuple[int, int]], Span] = cast("Any", tuple).__new__  # in half the time
_DUMP = regex(r"//\s*-----//\s*IR Dump (.*?)\s*(?:\('[\w.]+' operation.*)?(?:\s*//-----\s*//)?$")


@dataclass(slots=True, eq=False, repr=False)
class Value:
    """An SSA value: an op's result or a block's argument.

    Args:
        name: with `%`; results of a pack are `%a#0`, `%a#1`.
        at: where the defining name begins in the text; of a result, from where its op begins. `size`: of that name.
        type: as written, None where the text does not say it.
        op, block: the definer; exactly one is set. `index` counts among its results or arguments.
    """

    name: str
    at: int
    size: int
    type: str | None
    index: int
    op: Op | None = None
    block: Block | None = None
    uses: list[Use] = field(default_factory=list["Use"])

    @property
    def span(self) -> Span:
        """Of the defining name in the text."""
        start = self.at if self.op is None else self.op.span[0] + self.at
        return _span(Span, (start, start + self.size))


@dataclass(slots=True, eq=False, repr=False)
class Use:
    """One mention of a value as an operand.

    Args:
        at: where the name begins, from where the op begins.
        index: among `op.operands` or, when `successor` is set, among that successor's operands.
        group: the keyword that introduces it in custom syntax (`ins`, `outs`, `retain`), else "".
        value: None where the name is not defined.
    """

    name: str
    at: int
    op: Op
    index: int
    group: str = ""
    value: Value | None = None
    successor: Successor | None = None

    @property
    def span(self) -> Span:
        """Of the name in the text."""
        start = self.op.span[0] + self.at
        return _span(Span, (start, start + len(self.name)))


@dataclass(slots=True, eq=False, repr=False)
class Successor:
    """A terminator's mention of a block, with the operands it forwards. `label`: the case before it (`42`), if any."""

    name: str
    span: Span
    operands: tuple[Use, ...]
    block: Block | None = None
    label: str | None = None


@dataclass(slots=True, eq=False, repr=False)
class Op:
    """An operation.

    Args:
        name: full name as `--mlir-print-op-generic` prints it (`func.return` for `return`); old names stay as written.
        name_at: where the name token begins, from where the op begins. `name_size`: of that token.
        span: of the whole statement, regions included.
        keywords: bare words right after the name (`slt`, `private`, `async`).
        symbol: first symbol the op itself mentions, without `@`: a function's name, a call's callee.
        attributes: text of the entries of its dictionaries and properties; unit attributes map to "".
        literal: text of a leading literal (`arith.constant 5 : index` -> `5`).
        types: the types after the last top-level `:`, as written, functional types flattened in order.
        unparsed: the statement could not be read.
        aliases: what those stand for that may be named in its text.
    """

    name: str
    name_at: int
    name_size: int
    span: Span
    parent: Block | None = None
    index: int = 0
    results: tuple[Value, ...] = ()
    operands: tuple[Use, ...] = ()
    successors: tuple[Successor, ...] = ()
    regions: tuple[Region, ...] = ()
    keywords: tuple[str, ...] = ()
    symbol: str | None = None
    attributes: Mapping[str, str] = field(default_factory=dict[str, str])
    literal: str | None = None
    types: tuple[str, ...] = ()
    unparsed: bool = False
    aliases: Aliases | None = None

    @property
    def name_span(self) -> Span:
        """Of the name token."""
        start = self.span[0] + self.name_at
        return _span(Span, (start, start + self.name_size))

    def walk(self) -> Iterator[Op]:
        """This op and all ops nested in it, in text order. Does not recurse: nesting may be deep."""
        yield self
        around = [self.inside()]
        while around:
            for op in around[-1]:
                yield op
                if op.regions:
                    around.append(op.inside())
                    break
            else:
                around.pop()

    def inside(self) -> Iterator[Op]:
        """The ops of the blocks of its regions, in text order, without those nested in them."""
        return chain.from_iterable([block.ops for region in self.regions for block in region.blocks])

    def has_body(self) -> bool:
        """Whether there is anything in its first region. Printed in generic form, a declaration has `({ })`."""
        blocks = self.regions[0].blocks if self.regions else []
        if len(blocks) == 1 and "sym_name" in self.attributes:
            return bool(blocks[0].ops or blocks[0].arguments or blocks[0].label)
        return bool(blocks)


def ancestors(op: Op) -> Iterator[Op]:
    """The ops around an op, from the inside outwards."""
    while op.parent is not None:
        op = op.parent.region.op
        yield op


def all_uses(op: Op) -> Iterator[Use]:
    """The operands of an op, and those that it hands to its successors."""
    yield from op.operands
    for successor in op.successors:
        yield from successor.operands


def starts_at(one: Op | Value) -> int:
    """Where an op or a name begins: those of a function are sorted by that."""
    return one.span.start


def used(op: Op) -> list[Value]:
    """The values that an op uses or hands to its successors."""
    found = [use.value for use in op.operands if use.value is not None]
    for successor in op.successors:
        found += [use.value for use in successor.operands if use.value is not None]
    return found


def around(ops: Iterable[Op], outermost: Op) -> set[Op]:
    """The ops inside `outermost` that hold some ops, however deep inside."""
    found: set[Op] = set()
    for op in ops:
        block = op.parent
        while block is not None and block.region.op is not outermost and block.region.op not in found:
            found.add(block.region.op)
            block = block.region.op.parent
    return found


def take_apart(top: Op) -> None:
    """Take apart an op that is not needed any more, with all that is nested in it, so that their memory is free at
    once.

    Ops and what they name refer to each other. Left as they are, only the garbage collector finds out that they are no
    longer needed, and it looks at all that a process holds each time.
    """
    waiting = [top]
    while waiting:
        op = waiting.pop()
        for value in op.results:
            value.uses.clear()
        for region in op.regions:
            for block in region.blocks:
                for value in block.arguments:
                    value.uses.clear()
                block.arguments = ()
                waiting += block.ops
                block.ops.clear()
            region.blocks.clear()
        op.operands = op.results = op.successors = op.regions = ()


@dataclass(slots=True, eq=False, repr=False)
class Block:
    """A block. `label` is `^bb0` as written, None for an entry block without one."""

    region: Region
    index: int
    label: str | None = None
    span: Span = Span(0, 0)
    arguments: tuple[Value, ...] = ()
    ops: list[Op] = field(default_factory=list[Op])


@dataclass(slots=True, eq=False, repr=False)
class Region:
    """A region. `label` is the words before its brace that belong to it (`else`, `do`, `case 2`, `default`).

    Args:
        op: the op that holds it.
        index: in text order.
    """

    op: Op
    index: int
    label: str = ""
    blocks: list[Block] = field(default_factory=list[Block])


class Chunk:
    """What stands between two `// -----` lines: a program of its own.

    Args:
        title: the text of the separating line before it, "" for the first chunk.
    """

    def __init__(
        self,
        span: Span,
        title: str,
        functions: Callable[[], tuple[Function, ...]] = tuple,
        build: Callable[[], list[Op]] = list["Op"],
    ) -> None:
        self.span = span
        self.title = title
        self._functions = functions
        self._build = build

    @property
    def dump(self) -> str | None:
        """The pass of an IR dump that the chunk is: `After CSE (cse)`; None for other chunks."""
        match = _DUMP.match(self.title)
        return match.group(1) if match else None

    @cached_property
    def functions(self) -> tuple[Function, ...]:
        """Its functions, in text order: cheap to look at, their ops are built when asked for."""
        return self._functions()

    @cached_property
    def ops(self) -> list[Op]:
        """Its top-level operations, whether or not a `module` wraps them."""
        return self._build()


class Function:
    """A function of a document, not built yet.

    Args:
        key: the same object (or an equal one) as long as the text of the function and what its ops are known to be
            stay the same, wherever it stands: the key of what is remembered about it.
        span: from the start of its first line to the start of what follows it.
        symbol: its name without `@`; None where it has none.
    """

    __slots__ = ("_build", "_op", "key", "span", "symbol")

    def __init__(self, key: object, span: Span, symbol: str | None, build: Callable[[Function], Op]) -> None:
        self.key = key
        self.span = span
        self.symbol = symbol
        self._build = build
        self._op: Op | None = None

    @property
    def op(self) -> Op:
        """The op, built once."""
        if self._op is None:
            self._op = self._build(self)
        return self._op

    def built(self, op: Op) -> None:
        """Its op has been built along with its surroundings."""
        self._op = op


@dataclass(slots=True, eq=False, repr=False)
class Tree:
    """A document, read.

    Args:
        problems: in source order; of very many the first ones and their number (problems.py).
        cut: where the first problem stands that is only counted; None: all are in `problems`.
    """

    chunks: tuple[Chunk, ...]
    problems: tuple[Problem, ...]
    cut: int | None = None

    @property
    def functions(self) -> tuple[Function, ...]:
        """All functions, in text order."""
        return tuple(function for chunk in self.chunks for function in chunk.functions)

    def walk(self) -> Iterator[Op]:
        """All ops in text order."""
        for chunk in self.chunks:
            for op in chunk.ops:
                yield from op.walk()

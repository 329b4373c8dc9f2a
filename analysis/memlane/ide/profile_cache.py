"""What functions do with memory, remembered as long as nothing that it depends on changes.

Measuring a function may take seconds. So what is to be done is a `Task`, which can be given to another process, and
its result is kept for all versions of a document in which the function's excerpt is the same.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

from memlane.config import Config
from memlane.digest import blake2b
from memlane.findings import Span
from memlane.flow import Program
from memlane.flow.interproc.program import FunctionFlow
from memlane.flow.symbolic.assumptions import Assumptions
from memlane.ide.function_excerpt import FunctionExcerpt
from memlane.ide.lanes import FunctionLanes, lanes_of, moved
from memlane.ide.snapshot import File
from memlane.memory_report import Ledgers, assumptions, usage_of
from memlane.syntax import parse
from memlane.syntax.tree.tree import Function
from memlane.text import Text


@dataclass(frozen=True, slots=True)
class Task:
    """A function to be measured: with the configuration, all that the result depends on.

    Args:
        source: an excerpt; `function`: where the function's piece is in it.
        assumed: see `memlane.memory_report.assumptions`.
    """

    source: str
    function: Span
    assumed: Assumptions

    @property
    def key(self) -> bytes:
        """As good as unique."""
        said = f"{self.function.start} {self.assumed} {self.source}"
        return blake2b(said.encode(errors="surrogatepass"), digest_size=16).digest()

    def run(self, config: Config) -> FunctionLanes | None:
        """Do it."""
        return measure(self, config)


@dataclass(frozen=True, slots=True)
class _Read:
    """An excerpt that was read. Private functions that the same ones call have the same.

    Args:
        functions: with their programs, in text order; `starts`: where they begin.
    """

    config: Config
    text: Text
    functions: Sequence[tuple[Program, FunctionFlow]]
    starts: Sequence[int]

    @classmethod
    def of(cls, source: str, config: Config) -> _Read:
        """Read one."""
        chunks = parse(source, config.models).chunks
        programs = [Program(chunk.ops, config.models, source) for chunk in chunks]
        functions = [(program, flow) for program in programs for flow in program.functions.values()]
        return cls(config, Text(source), functions, [flow.op.span.start for _, flow in functions])

    def measure(self, task: Task) -> FunctionLanes | None:
        """See the function."""
        number = bisect_left(self.starts, task.function.start)
        if number == len(self.starts) or self.starts[number] >= task.function.end:
            return None
        program, flow = self.functions[number]
        # New ledgers: what one knows already may decide what it finds of functions that call each other.
        return lanes_of(usage_of(Ledgers(program, task.assumed), flow), self.text)


_last: list[_Read] = []
"""What was read last, unless a function of it is being measured."""


def measure(task: Task, config: Config) -> FunctionLanes | None:
    """The function of a task, in the places of its source; None where no function can be read there."""
    read = next((one for one in _last if one.config is config and one.text.source == task.source), None)
    _last.clear()
    read = read or _Read.of(task.source, config)
    found = read.measure(task)
    _last.append(read)  # not where that was cancelled
    return found


def forget() -> None:
    """Let go of what was read last."""
    _last.clear()


@dataclass(frozen=True, slots=True)
class Order:
    """A task and where its places are in a document."""

    task: Task
    key: bytes
    excerpt: FunctionExcerpt

    def place(self, found: FunctionLanes | None) -> FunctionLanes | None:
        """What was measured, in the places of the document."""
        return moved(found, self.excerpt.home)


def function_at(file: File, offset: int) -> Function | None:
    """The function whose text `offset` is in, by a look at the lines only."""
    return next((one for one in file.functions if one.span.start <= offset < one.span.end), None)


def order_of(file: File, function: Function) -> Order:
    """What has to be done for a function of `file`. Cheap."""
    excerpt = file.portraits.excerpts.of(file.document, function.span.start)
    assumed = file.portraits.assumed(file.identity, file.config, lambda: assumptions(file.text.source, file.config))
    task = Task(excerpt.text, excerpt.function, assumed)
    return Order(task, task.key, excerpt)


def known(file: File, order: Order) -> tuple[FunctionLanes | None] | None:
    """What was kept for an order, in the places of its document; None: nothing was."""
    found = file.portraits.known(order.key, file.config)
    return (order.place(found[0]),) if found is not None else None


def keep(file: File, order: Order, found: FunctionLanes | None) -> None:
    """Remember what `measure` gave for an order."""
    file.portraits.keep(order.key, file.config, found)

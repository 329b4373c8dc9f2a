"""What functions do with memory, remembered as long as nothing that it depends on changes.

Measuring a function may take seconds. So what is to be done is a `Task`, which can be given to another process, and
its result is kept for all versions of a document in which the function's excerpt is the same.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Any
from weakref import WeakKeyDictionary

from memlane.config import Config
from memlane.digest import blake2b
from memlane.findings import Span
from memlane.flow import Program
from memlane.flow.interproc.program import FunctionFlow
from memlane.flow.symbolic.assumptions import Assumptions
from memlane.ide.alias_index import Notes
from memlane.ide.function_excerpt import Excerpts, FunctionExcerpt
from memlane.ide.lanes import FunctionLanes, lanes_of, moved
from memlane.ide.snapshot import File
from memlane.memory_report import Ledgers, assumptions, usage_of
from memlane.syntax import parse
from memlane.syntax.editing.piece import Piece
from memlane.syntax.tree.tree import Function
from memlane.text import Text

MAX_PROFILES = 5_000
"""Functions that are remembered per document."""


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


class Portraits:
    """What is known of the functions of one document, for all of its versions. May be shared by threads."""

    def __init__(self) -> None:
        self.excerpts = Excerpts()
        self.remembered: dict[str, dict[object, Any]] = {}
        """Of `perfunction`."""
        self.drafts: WeakKeyDictionary[Piece, Any] = WeakKeyDictionary()
        """Of `drafts`."""
        self.related: Notes = Notes()
        """Which ops of functions name the same memory."""
        self._assumed: tuple[str, Config, Assumptions] | None = None
        self._known: OrderedDict[bytes, FunctionLanes | None] = OrderedDict()
        self._config: Config | None = None
        self._lock = Lock()

    def order(self, file: File, function: Function) -> Order:
        """What has to be done for a function of `file`. Cheap."""
        excerpt = self.excerpts.of(file.document, function.span.start)
        task = Task(excerpt.text, excerpt.function, self._assumptions(file))
        return Order(task, task.key, excerpt)

    def _assumptions(self, file: File) -> Assumptions:
        """Those of a file: found out once for all that is asked of one version."""
        found = self._assumed
        if found is None or found[0] != file.identity or found[1] is not file.config:
            found = self._assumed = file.identity, file.config, assumptions(file.text.source, file.config)
        return found[2]

    @property
    def blank(self) -> bool:
        """Whether no function was measured yet."""
        return not self._known

    def known(self, order: Order, config: Config) -> tuple[FunctionLanes | None] | None:
        """What was kept for an order, in the places of its document; None: nothing was."""
        with self._lock:
            if config is not self._config or order.key not in self._known:
                return None
            self._known.move_to_end(order.key)
            found = self._known[order.key]
        return (order.place(found),)

    def keep(self, order: Order, config: Config, found: FunctionLanes | None) -> None:
        """Remember what `measure` gave for an order."""
        with self._lock:
            if config is not self._config:
                self._known.clear()
                self._config = config
            self._known[order.key] = found
            while len(self._known) > MAX_PROFILES:
                self._known.popitem(last=False)


def function_at(file: File, offset: int) -> Function | None:
    """The function whose text `offset` is in, by a look at the lines only."""
    return next((one for one in file.functions if one.span.start <= offset < one.span.end), None)


def portrait(file: File, function: Function) -> FunctionLanes | None:
    """The lanes of a function of `file`, measured here and now where they are not known."""
    order = file.portraits.order(file, function)
    known = file.portraits.known(order, file.config)
    if known is not None:
        return known[0]
    found = measure(order.task, file.config)
    file.portraits.keep(order, file.config, found)
    return order.place(found)

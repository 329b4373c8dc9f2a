"""What advice is about: one plain buffer, its function and the text, and the fixes that are made of them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from memlane.findings import Applicability, Edit, Finding, Fix, Span
from memlane.fixes.printer import fresh
from memlane.flow import FunctionFlow, Program
from memlane.flow.cfg.graph import Graph
from memlane.flow.peak.live_intervals import Timeline
from memlane.rules._plain import Plain, plain
from memlane.syntax.tree.tree import Op, Value
from memlane.text import Text

CANNOT_READ = "the function could not be read in full"


class Plains:
    """The plain buffers of one function, by the places that findings speak of."""

    def __init__(self, program: Program, flow: FunctionFlow) -> None:
        self._program = program
        self._flow = flow

    @cached_property
    def _all(self) -> list[Plain]:
        line = Timeline(self._flow.op)
        clusters = self._program.aliases(self._flow).clusters.values()
        found = (plain(self._flow.graph, c, line) for c in clusters if c.origins[0].owned)
        return [one for one in found if one is not None]

    @cached_property
    def by_name(self) -> dict[tuple[Span, str], Plain]:
        """By the buffer's first name, and its place: results of a pack stand at one."""
        return {(one.origin.value.span, one.origin.value.name): one for one in self._all}

    @cached_property
    def names(self) -> Counter[str]:
        """How many values of the function have each name."""
        return Counter(value.name for value in _values(self._flow.op))

    @cached_property
    def by_free(self) -> dict[Span, Plain]:
        """By the name token of the deallocation."""
        return {one.freed.name_span: one for one in self._all}


@dataclass(frozen=True, slots=True)
class Subject:
    """One finding and its surroundings.

    Args:
        readable: all of the function could be read.
    """

    finding: Finding
    program: Program
    flow: FunctionFlow
    text: Text
    readable: bool

    @property
    def graph(self) -> Graph:
        """The control flow of the function."""
        return self.flow.graph

    def fix(self, message: str, edits: tuple[Edit, ...], *reasons: str) -> Fix:
        """A fix that is safe where there is no reason to look at it."""
        given = [reason for reason in (*reasons, "" if self.readable else CANNOT_READ) if reason]
        grade = Applicability.UNSAFE if given else Applicability.SAFE
        return Fix(message, edits, grade, "; ".join(given))


@dataclass(frozen=True, slots=True)
class OfBuffer(Subject):
    """A finding about a plain buffer."""

    plain: Plain
    plains: Plains

    def other(self) -> Plain | None:
        """The other buffer that the finding speaks of, by its deallocation."""
        spans = (note.span for note in self.finding.report.notes)
        found = (self.plains.by_free.get(span) for span in spans)
        return next((one for one in found if one is not None and one is not self.plain), None)


@dataclass(frozen=True, slots=True)
class OfOperation(Subject):
    """A finding about an operation, the one whose name it is at."""

    op: Op


def alone(op: Op) -> bool:
    """Whether an op has one result, which is all there is to it: no region, no successor."""
    return len(op.results) == 1 and not op.regions and not op.successors


def free_name(subject: OfBuffer) -> str:
    """A name for the buffer that it can have anywhere in its function: its own, unless another value has that, too."""
    wanted, names = subject.plain.origin.value, subject.plains.names
    if names[wanted.name] == 1:
        return wanted.name
    return fresh("%buffer" if wanted.name[1:].isdigit() else re.sub(r"_[0-9]+$", "", wanted.name), set(names))


def _values(function: Op) -> Iterator[Value]:
    for op in function.walk():
        yield from op.results
        for region in op.regions:
            for block in region.blocks:
                yield from block.arguments

"""`stack-promotable`: the buffer is made on the stack, and its deallocation goes."""

from __future__ import annotations

from collections.abc import Iterator

from memlane.findings import Fix, Span
from memlane.fixes.advice.subject import OfBuffer, alone
from memlane.fixes.edit_writer import Writer
from memlane.rules._plain import repeated
from memlane.syntax.tree.tree import Op


def fixes(subject: OfBuffer) -> Iterator[Fix]:
    """One fix, where the stack is given back before the allocation can come again."""
    plain, graph = subject.plain, subject.graph
    heap, stack = graph.models.resources.get("heap"), graph.models.resources.get("stack")
    if heap is None or stack is None or stack.alloc is None or plain.made.name != heap.alloc:
        return
    if not alone(plain.made) or repeated(graph, plain.made) is not None:
        return
    writer = Writer(subject.text)
    writer.replace(_name(subject, plain.made), stack.alloc)
    writer.remove(plain.freed)
    yield subject.fix(f"Put {plain.name} on the stack", writer.edits())


def _name(subject: OfBuffer, op: Op) -> Span:
    """The name of an op without the quotes that the generic form has."""
    span = op.name_span
    quoted = subject.text.source[span.start] == '"'
    return Span(span.start + quoted, span.end - quoted)

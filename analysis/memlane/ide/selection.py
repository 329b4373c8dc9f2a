"""Growing selections: the name, the op, the ops around it."""

from __future__ import annotations

from collections.abc import Iterator

from memlane.findings import Span
from memlane.ide.locate import at, enclosing, names, touches
from memlane.ide.snapshot import File
from memlane.syntax.tree.tree import Region


def selections(file: File, offset: int) -> list[Span]:
    """The spans around `offset`, the smallest first, each inside the next."""
    ops = enclosing(file.near(at(offset)), offset)
    spans = [Span(0, len(file.text.source))]
    for op in ops:
        spans.append(op.span)
        if op.regions and op.span.end > op.name_span.end and offset > op.name_span.end:
            spans.extend(_blocks(op.regions, offset))
    if ops:
        spans.extend(name.span for name in names(ops[-1]) if touches(name.span, offset))
    spans.sort(key=lambda span: span.end - span.start)
    chain: list[Span] = []
    for span in spans:
        if not chain or (span.start <= chain[-1].start and chain[-1].end <= span.end and span != chain[-1]):
            chain.append(span)
    return chain


def _blocks(regions: tuple[Region, ...], offset: int) -> Iterator[Span]:
    """The ops of the block around `offset`, all together."""
    for region in regions:
        for block in region.blocks:
            if block.ops and block.ops[0].span.start <= offset <= block.ops[-1].span.end:
                yield Span(block.ops[0].span.start, block.ops[-1].span.end)

"""MLIR text -> op tree. Never raises on input: what cannot be read is a `Problem` and an unparsed op."""

from __future__ import annotations

from memlane.dialects.model import Models
from memlane.findings import Span
from memlane.syntax.build import Builder, FallbackScoping
from memlane.syntax.scan import Memo, scan
from memlane.syntax.tokens import MARK, NAME
from memlane.syntax.tree import Chunk, Problem, Tree

__all__ = ["parse"]

_memo = Memo()


def parse(source: str, models: Models | None = None) -> Tree:
    """The tree of `source`. `models` says which ops are isolated and which names are aliases."""
    names = NAME.findall(source.replace(MARK, " "))
    chunks: list[Chunk] = []
    problems: list[Problem] = []
    for section in scan(source, _memo):
        builder = Builder(source, names, FallbackScoping(models))
        builder.run(section.statements)
        chunks.append(Chunk(Span(section.start, section.end), section.title, builder.top))
        problems.extend(builder.problems)
    return Tree(tuple(chunks), tuple(sorted(problems, key=lambda problem: problem.span)))

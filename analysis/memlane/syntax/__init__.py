"""MLIR text -> op tree. Never raises on input: what cannot be read is a `Problem` and an unparsed op."""

from __future__ import annotations

from memlane.dialects.model import Models
from memlane.syntax.editing.document import Document
from memlane.syntax.tree.tree import Tree

__all__ = ["Document", "parse"]


def parse(source: str, models: Models | None = None) -> Tree:
    """The tree of `source`. `models` says which ops are isolated and which are functions."""
    return Document(source, models).tree

"""The ops of a function by their names."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from memlane.dialects.model import OpModel
from memlane.flow.cfg.graph import Graph
from memlane.syntax.tree.tree import Op, starts_at


def ops_of(graph: Graph, wanted: Callable[[OpModel], object]) -> Iterator[Op]:
    """The ops of a function, itself included, whose name has a model that is `wanted`; by name, in text order each."""
    for name, model in graph.named_models.items():
        if model is not None and wanted(model):
            yield from graph.named[name]


def described(graph: Graph, wanted: Callable[[OpModel], object]) -> list[Op]:
    """The ops of a function whose model is `wanted`, in text order; not the function itself."""
    ops = [
        op for op in ops_of(graph, lambda model: model.call is not None or wanted(model)) if op is not graph.function
    ]
    # Calls of well-known functions are described by those.
    return sorted((op for op in ops if (model := graph.model(op)) is not None and wanted(model)), key=starts_at)

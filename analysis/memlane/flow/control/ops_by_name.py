"""The ops of a function by their names."""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import TYPE_CHECKING

from memlane.dialects.model import OpModel
from memlane.syntax.tree.tree import Op

if TYPE_CHECKING:
    from memlane.flow.control.graph import Graph


def by_name(top: Op) -> dict[str, list[Op]]:
    """An op and all that are nested in it, in text order."""
    named: dict[str, list[Op]] = {}
    for op in top.walk():
        named.setdefault(op.name, []).append(op)
    return named


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
    return sorted((op for op in ops if (model := graph.model(op)) is not None and wanted(model)), key=_start)


def put_right(named: dict[str, list[Op]], gone: Collection[Op], fresh: Iterable[Op]) -> None:
    """Ops are gone and others new; `named`, which is changed, lists them by name in text order."""
    for name in {op.name for op in gone}:
        known = [op for op in named.pop(name) if op not in gone]
        if known:
            named[name] = known
    for op in fresh:
        insort(named.setdefault(op.name, []), op, key=_start)


def _start(op: Op) -> int:
    return op.span.start

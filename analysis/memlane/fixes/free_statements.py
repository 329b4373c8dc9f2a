"""New statements that free buffers of one function, and the declaration of what they call where that is missing."""

from __future__ import annotations

from collections.abc import Collection
from functools import cached_property

from memlane.fixes import printer
from memlane.fixes.custom_free import written_with_no_more
from memlane.fixes.edit_writer import Writer
from memlane.flow.alias.origin import Origin
from memlane.flow.cfg.graph import Graph
from memlane.syntax.tree.tree import Op, Value


class FreeStatements:
    """Writes the statements, and the declarations they need.

    Args:
        graph: of the function.
        writer: takes the declarations.

    Attributes:
        names: those of values that are taken; each new one is added.
    """

    def __init__(self, graph: Graph, writer: Writer) -> None:
        self.names = printer.TakenNames(writer.text)
        self._graph = graph
        self._writer = writer
        self._declared: set[str] = set()

    def of(self, value: Value, origins: Collection[Origin]) -> list[str] | None:
        """The lines that free `value`, which is a buffer of `origins`; None: no operation is known that does."""
        return printer.free(value, origins, self._graph.models, self._fresh, lambda: self._symbols)

    def declared(self, lines: list[str] | None) -> list[str] | None:
        """The lines, once what they call is declared; None where the operation is written with more elsewhere."""
        if lines is None:
            return None
        if lines[-1].startswith('"') and not written_with_no_more(printer.name(lines) or "", self._inside):
            return None
        self._declare(lines)
        return lines

    @cached_property
    def _inside(self) -> tuple[Op, ...]:
        """All operations of the function."""
        return tuple(self._graph.function.walk())

    @cached_property
    def _symbols(self) -> dict[str, Op]:
        """What stands beside the function, by its symbol."""
        table = self._graph.function.parent
        ops = table.ops if table is not None else ()
        return {op.symbol: op for op in ops if op.symbol is not None}

    def _fresh(self, value: Value) -> str:
        return printer.fresh(printer.derived(value.name, "address"), self.names)

    def _declare(self, lines: list[str]) -> None:
        """Declare the function that is called behind a function that allocates, unless it is declared."""
        called = printer.called(lines)
        if called is None or called[0] in self._symbols or called[0] in self._declared:
            return
        models, source = self._graph.models, self._writer.text.source
        found = (op for name, op in self._symbols.items() if printer.allocates(name, models) and not op.regions)
        maker = next(found, None)
        if maker is not None:
            self._declared.add(called[0])
            head = source[maker.span.start : source.index(f"@{maker.symbol}", maker.span.start)]
            self._writer.after(maker, [f"{head}@{called[0]}({called[1]})"])

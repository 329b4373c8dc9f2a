"""The lines that free a buffer at a site, and the declaration of what they call where nobody has declared it."""

from __future__ import annotations

import re

from memlane.fixes import words
from memlane.fixes.choice import ALWAYS
from memlane.fixes.spread import Site
from memlane.fixes.writing import Writer
from memlane.flow.alias import Origin
from memlane.flow.lives import Lives
from memlane.syntax.tree import Op, Value


class Freeing:
    """Writes deallocations of one cluster.

    Args:
        lives: its paths.
        writer: takes the declarations.

    Attributes:
        spare: deallocations that are taken out, in text order: what they say is used again.
    """

    def __init__(self, lives: Lives, writer: Writer) -> None:
        self.spare: list[Op] = []
        self._lives = lives
        self._writer = writer
        self._declared: set[str] = set()
        self._names: set[str] | None = None
        self._symbols: dict[str, Op] | None = None

    @property
    def names(self) -> set[str]:
        """The names of values that are taken; who makes another adds it."""
        if self._names is None:
            self._names = set(re.findall(r"%[\w$.-]+", self._writer.text.source))
        return self._names

    def lines(self, site: Site) -> list[str] | None:
        """The user's own statement where one that frees this value is taken out; else new ones. None: none is known."""
        models = self._lives.graph.models
        new = words.free(site.value, self.origins(site), models, self._fresh, lambda: self.symbols)
        if site.tree is ALWAYS and site.edge is None:
            source = self._writer.text.source
            for op in self.spare:
                alike = new is None or source[op.span.start : op.span.end].startswith(new[-1].split()[0])
                if alike and [use.value for use in op.operands] == [site.value]:
                    self.spare.remove(op)
                    return [self._writer.statement(op)]
        if new is not None:
            self._declare(new)
        return new

    def origins(self, site: Site) -> set[Origin]:
        """Where the buffers come from that are freed there."""
        nodes = [self._lives.nodes[number] for number in self._lives.at[site.point]]
        held = [node.heap[i] for node in nodes if (i := node.holding(site.value)) is not None]
        return {instance.origin for instance in held if instance.origin.owned}

    @property
    def symbols(self) -> dict[str, Op]:
        """What stands beside the function, by its symbol."""
        if self._symbols is None:
            table = self._lives.graph.function.parent
            ops = table.ops if table is not None else ()
            self._symbols = {op.symbol: op for op in ops if op.symbol is not None}
        return self._symbols

    def _fresh(self, value: Value) -> str:
        return words.fresh(words.derived(value.name, "address"), self.names)

    def _declare(self, lines: list[str]) -> None:
        """Where nobody has declared what is called, do so behind a function that allocates."""
        called = words.called(lines)
        if called is None or called[0] in self.symbols or called[0] in self._declared:
            return
        models, source = self._lives.graph.models, self._writer.text.source
        found = (op for name, op in self.symbols.items() if words.allocates(name, models) and not op.regions)
        maker = next(found, None)
        if maker is not None:
            self._declared.add(called[0])
            head = source[maker.span.start : source.index(f"@{maker.symbol}", maker.span.start)]
            self._writer.after(maker, [f"{head}@{called[0]}({called[1]})"])

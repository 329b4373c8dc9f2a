"""Functions of a document for a question about one of them: what it calls is built only where it has to be looked into.

Which arguments a callee may give back is known from the last check. Where names do not tell which function is called,
or a function does not stand by itself, there are no `SectionCallees`: then all are built together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from memlane.dialects.model import Models
from memlane.flow import FunctionFlow, Program
from memlane.flow.interproc.call_graph import CallGraph
from memlane.flow.interproc.function import Body
from memlane.query import Said
from memlane.syntax import Document
from memlane.syntax.editing.piece import Piece, Sort
from memlane.syntax.shapes.shape import Label, Open, OpShape
from memlane.syntax.tree.tree import Op

Returning = Mapping[Piece, "tuple[frozenset[int], ...]"]
"""Per function, and per result of it, the positions of the arguments that it may be."""


def names_of(document: Document, said: Mapping[int, Said]) -> dict[str, int] | None:
    """The functions of a section, the numbers of their pieces by name; None where names do not tell them apart.

    Args:
        said: what each of its pieces says.
    """
    names: dict[str, int] = {}
    for number, one in said.items():
        function = document.pieces[number].sort == Sort.FUNCTION
        if one.hidden or (function and len(one.defines) != 1) or not names.keys().isdisjoint(one.defines):
            return None
        if function:
            names[one.defines[0]] = number
    return names


class SectionCallees:
    """The functions of a section. A `DeferredFunctions` for the program it makes. May be shared by threads.

    Args:
        names: see `names_of`.
        build: gives the op of the function of a piece, by its number.
        known: what is known.
        built: the ops that are there already.
    """

    def __init__(
        self,
        document: Document,
        models: Models,
        names: Mapping[str, int],
        build: Callable[[int], Op],
        known: Returning,
        built: Mapping[int, Op],
    ) -> None:
        self._document = document
        self._models = models
        self._names = names
        self._build = build
        self._known = known
        self._built = dict(built)
        self._flows: dict[str, FunctionFlow | None] = {}
        self.program = Program((), models, lambda: document.source, self)

    def __contains__(self, symbol: object, /) -> bool:
        return isinstance(symbol, str) and self.find(symbol) is not None

    def find(self, symbol: str) -> FunctionFlow | None:
        """The function of that name, if it has a body; else None."""
        if symbol not in self._flows:
            number = self._names.get(symbol)
            flow = self._flow(symbol, number) if number is not None else None
            return self._flows.setdefault(symbol, flow)
        return self._flows[symbol]

    def calling(self, flow: FunctionFlow) -> tuple[bool, Iterable[FunctionFlow]]:
        """See `DeferredFunctions.calling`. Not computed: requests need to know only what results are."""
        return False, ()

    def _flow(self, name: str, number: int) -> FunctionFlow | None:
        if not self._plainly(number) and not _has_body(self._op(number), self._models):
            return None
        returning = self._known.get(self._document.pieces[number])
        known = {CallGraph.returning: returning} if returning is not None else {}
        return FunctionFlow(name, lambda flow: Body(*self.program.put(flow, self._op(number))), known)

    def _op(self, number: int) -> Op:
        """The op of the function of a piece: always the same one."""
        found = self._built.get(number)
        return found if found is not None else self._built.setdefault(number, self._build(number))

    def _plainly(self, number: int) -> bool:
        """Whether the statements of a piece tell that it is a function with a body."""
        templates = self._document.pieces[number].leaves[0].statements.templates
        match [template.events for template in templates[:2]]:
            case [(OpShape(name=name, bare=""), Open()), (OpShape() | Label(), *_)]:
                return self._models.is_function(name)
            case _:
                return False


def _has_body(op: Op, models: Models) -> bool:
    return op.has_body() and models.is_function(op.name)

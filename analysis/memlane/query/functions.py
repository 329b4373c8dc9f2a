"""The functions of a section for one check: built on first access, answered from their summaries where that
suffices."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from memlane.dialects.model import Models
from memlane.flow import FunctionFlow, Program
from memlane.flow.cfg.scc import reachable
from memlane.flow.dataflow.call_outcomes import OpPlace
from memlane.flow.dataflow.context import is_repeated
from memlane.flow.interproc.call_graph import CallGraph
from memlane.flow.interproc.calls_in_text import may_end
from memlane.flow.interproc.constant_results import ConstantResults, constant_results
from memlane.flow.interproc.doubts import CrossingBuffers, crossing
from memlane.flow.interproc.entry_contexts import written_in
from memlane.flow.interproc.function import ANYTHING, Body, Passed
from memlane.flow.interproc.may_free import FreedByCallee, freed
from memlane.flow.interproc.may_summary import Rough
from memlane.flow.interproc.nonreturning import ComesBack, comes_back
from memlane.flow.interproc.out_of_sight import OutOfSightOf, out_of_sight
from memlane.flow.memo.exploration_memo import Recall
from memlane.flow.memo.function_memo import Standing
from memlane.query.function_memos import Recalls
from memlane.query.limits import MAX_CALLEE_TEXT
from memlane.query.skip_trivial import idle
from memlane.query.summary_cache import Comparison, Interface, Key, PlaceCell, keep, question, told
from memlane.query.symbol_refs import SymbolRefs
from memlane.query.tree_cache import TreeCache, large
from memlane.query.version_cache import VersionCache
from memlane.syntax.editing.piece import Piece, Sort
from memlane.syntax.editing.section import Section
from memlane.syntax.editing.splice import Built
from memlane.syntax.editing.strips import Portion
from memlane.syntax.shapes.shape import Close, Open, OpShape
from memlane.syntax.tree.build import Builder
from memlane.syntax.tree.tree import Block

_DERIVED: Mapping[Callable[..., Any], Callable[[Program, FunctionFlow], object]] = {
    CallGraph.returning: CallGraph.returning,
    FreedByCallee: freed,
    CrossingBuffers: crossing,
    ComesBack: comes_back,
    OutOfSightOf: out_of_sight,
    ConstantResults: constant_results,
}
"""What is found out of a function and kept for the next version, by its key in the memo of the function: how."""


class Functions:
    """See the module. A `DeferredFunctions` for the program it makes.

    Args:
        mentions: of the section; clear.
        known: what is known of its pieces; what is found out is added.
        at: where pieces stand.
        past: is called before the results of pieces change in place.
        kept: has ops of versions before. `recalls`: knows what those were.
        lasting: the ops of such pieces will be kept for the next version.
    """

    def __init__(
        self,
        section: Section,
        models: Models,
        mentions: SymbolRefs,
        known: Mapping[Piece, Interface],
        at: Mapping[Portion, int],
        past: VersionCache,
        kept: TreeCache,
        recalls: Recalls,
        lasting: Callable[[Piece], bool],
    ) -> None:
        self._kept = kept
        self._recalls = recalls
        self._lasting = lasting
        self._ops: dict[str, tuple[Piece, Built, FunctionFlow]] = {}
        self._past = past
        self._section = section
        self._mentions = mentions
        self._known = known
        self._at = at
        self._flows: dict[Piece, FunctionFlow] = {}
        self._pieces: dict[FunctionFlow, Piece] = {}
        self._frame = SectionFrame(section, mentions, at)
        self._built = self._largest = 0
        self._source = lambda: section.document.source  # without this, which would be a cycle
        self.program = Program((), models, self._source, self)

    def __contains__(self, symbol: object, /) -> bool:
        pieces = self._mentions.defining.get(symbol) if isinstance(symbol, str) else None
        return pieces is not None and self.is_function(pieces[0])

    def find(self, symbol: str) -> FunctionFlow | None:
        """The function of that name; None if the models declare no function, or it has no body."""
        pieces = self._mentions.defining.get(symbol)
        if pieces is None:
            return None
        return self.of(pieces[0]) if self.is_function(pieces[0]) else None

    def calling(self, flow: FunctionFlow) -> tuple[bool, Iterable[FunctionFlow]]:
        """See `DeferredFunctions.calling`: by the names in its text, so that the function need not be built."""
        piece, models = self._pieces[flow], self.program.models
        mentions = self._mentions.said[piece].mentions
        templates = {one for leaf in piece.leaves for one in leaf.statements.templates}
        names = {event.name for one in templates for event in one.events if isinstance(event, OpShape)}
        ends = may_end(map(models.of, names), map(models.functions.get, mentions))
        return ends, [callee for name in mentions if (callee := self.find(name)) is not None]

    def recall(self, piece: Piece) -> Recall | None:
        """What is known of following the buffers of a piece's function."""
        external = self.program.models.functions
        mentions = self._mentions.said[piece].mentions
        known = [name for name in mentions if name in external]
        ending = [name for name in mentions if (one := self.find(name)) and not comes_back(self.program, one)]
        return self._recalls.open(piece, self._at[piece], self.of(piece), self.program, known, ending)

    def of(self, piece: Piece) -> FunctionFlow:
        """The function of a piece, with its memoised results; others are computed."""
        flow = self._flows.get(piece)
        if flow is None:
            interface = self._known[piece]
            known = {CallGraph.group: interface.group, **interface.derived}
            flow = self._flows[piece] = FunctionFlow(self._mentions.said[piece].defines[0], self._build, known)
            self._pieces[flow] = piece
            for key, kept in interface.answers.items():
                self.program.answers.known[question(flow, key)] = told(kept, self._at)
        return flow

    def _build(self, flow: FunctionFlow) -> Body:
        piece = self._pieces[flow]
        self._built += piece.size
        self._largest = max(self._largest, piece.size)
        at, around = self._at[piece], self._frame.around(piece)
        kept = self._kept.take(flow.name, piece, self._recalls.piece(flow.name), at, around)
        builder = Builder(around[0], 0, around[1], self._section.aliases)
        built = kept[0] if kept is not None else self._section.built(piece, at, builder)
        standing = kept[1] if kept is not None and kept[1].put_right(self, self.program.ends, self._source) else None
        if flow.body is not None:  # to put it right, it was asked what it calls, and whether that comes back from it
            return flow.body
        op, graph = self.program.put(flow, built.op, standing.graph if standing is not None else None)
        if standing is None or standing.graph is not graph:
            standing = Standing(graph)
        self._ops[flow.name] = piece, built, flow
        return Body(op, graph, built.ops, standing if self._lasting(piece) else None)

    @property
    def many(self) -> bool:
        """Whether ops of so many functions are there that all are to be let go of."""
        return self._built - self._largest > MAX_CALLEE_TEXT

    def trim(self) -> None:
        """Release the ops of all functions once they are many. For between functions: no references to them may
        remain."""
        if self.many:
            self.drop()

    def drop(self) -> None:
        """Release the ops of all functions; those of large ones may be kept for the next version, or until the next
        request. No references to them may remain."""
        self._leave([name for name, (piece, _, _) in self._ops.items() if self._lasting(piece) and large(piece)])
        for flow in self._flows.values():
            flow.forget()

    def enter(self, piece: Piece) -> None:
        """Say what the callers of a piece's function pass, and what is passed to those that pass on their own
        arguments. Lets go as `trim` does."""
        for one in reachable([piece], self._owners):
            flow = self.of(one)
            if flow.passed is None:
                self.program.entered.enter(flow, self._passed(one))

    def _owners(self, piece: Piece) -> list[Piece]:
        """The pieces of the callers that pass on their own arguments, of a function of which it is said what is
        passed."""
        callers = dict.fromkeys(passed.caller for passed in self.of(piece).passed or () if passed.own)
        return [one for name in callers for one in self._mentions.defining.get(name, ())]

    def _passed(self, piece: Piece) -> tuple[Passed, ...]:
        said = self._mentions.said[piece]
        if not said.private:
            return (ANYTHING,)
        name = said.defines[0]
        passed: list[Passed] = []
        for caller in self._mentions.mentioning.get(name, ()):
            if caller in self._known:
                self.trim()
                passed.extend(self.passes(caller).get(name, ()))
            elif caller.sort is Sort.GLUE and caller.symbol == name:
                passed.append(ANYTHING)  # outside functions its address is taken
        return tuple(passed)

    def passes(self, piece: Piece) -> dict[str, tuple[Passed, ...]]:
        """What the function of a piece passes to others, found out once."""
        interface = self._known[piece]
        if interface.passes is None:
            self._past.learning(interface)
            interface.passes = self._passes(piece)
        return interface.passes

    def _passes(self, piece: Piece) -> dict[str, tuple[Passed, ...]]:
        found: dict[str, list[Passed]] = {}
        if not self._mentions.called(piece) or not self.is_function(piece):
            return {}
        flow = self.of(piece)
        _ = flow.op
        pairs = [*flow.calls.items(), *((call, one) for call, those in flow.choices.items() for one in those)]
        for call, callee in pairs:
            found.setdefault(callee.name, []).append(written_in(self.program, call))
        for callee in flow.addresses:
            found.setdefault(callee.name, []).append(ANYTHING)
        return {name: tuple(those) for name, those in found.items()}

    def same(self, piece: Piece, before: Interface) -> bool:
        """Whether the function of a piece does to its callers what one did of which `before` is known.

        Then the cells that others hold are moved there.
        """
        flow = self.of(piece)
        interface = self._known[piece]
        if not before.complete or before.function is not self.is_function(piece):
            return False
        if before.private is not interface.private and any(is_repeated(key[0]) for key in before.answers):
            return False  # violations with one buffer passed twice are reported elsewhere now
        asked = ((ask, before.derived[one]) for one, ask in _DERIVED.items() if one in before.derived)
        if any(ask(self.program, flow) != known for ask, known in asked):
            return False
        comparison = Comparison(flow.name, self.locate)
        for key, kept in before.answers.items():
            if not comparison.same(kept, self.program.answers.of(question(flow, key))):
                return False
        self._past.moving(comparison.now)
        for cell in comparison.move(piece, self._at[piece]):
            interface.cells[cell.start, cell.size] = cell
        return True

    def is_function(self, piece: Piece) -> bool:
        """Whether the piece holds a function with a body, by the models."""
        interface = self._known[piece]
        if interface.function is None:
            interface.function = self.program.models.is_function(self._frame.name(piece)) and not _declares(piece)
        return interface.function

    def idle(self, piece: Piece) -> bool:
        """Whether the piece is a function without findings, decided without building it."""
        return self.is_function(piece) and not self._frame.around(piece)[1] and idle(piece, self.program.models)

    def locate(self, place: OpPlace) -> PlaceCell | None:
        """The cell of a place; None where it lies in no function of the section."""
        pieces = self._mentions.defining.get(place.function, ())
        if len(pieces) != 1:
            return None
        piece, interface = pieces[0], self._known[pieces[0]]
        offset, size = place.name_span.start - self._at[piece], place.name_span.end - place.name_span.start
        if not 0 <= offset < piece.size:
            return None
        cell = interface.cells.get((place.start, size))
        if cell is None:
            cell = interface.cells[place.start, size] = PlaceCell(piece, place.function, place.start, offset, size)
        return cell

    def keep_ops(self) -> None:
        """Keep the ops for the next version. No references to them may remain."""
        self._leave([*self._ops])

    def _leave(self, names: Iterable[str]) -> None:
        """Let ops of functions of those names be kept for the next version."""
        kept: dict[str, tuple[Piece, Built, Standing]] = {}
        names = [*names]
        for name in names:
            _ = self._ops[name][2].graph.stopping  # may build others
        for name in names:
            piece, built, flow = self._ops[name]
            standing = flow.standing or Standing(flow.graph)
            standing.keep(flow.aliases, self)
            kept[name] = piece, built, standing
            flow.leave()
        if kept:
            self._kept.keep(kept)
        self._built = self._largest = 0
        self._ops = {}
        self.program.forget()

    def keep(self) -> None:
        """Add what was found out to what is known."""
        for piece in self._flows:
            self._past.learning(self._known[piece])
        for asked, ways in self.program.answers.known.items():
            piece = self._pieces[asked.callee]
            interface = self._known[piece]
            key: Key = asked.partition, asked.constants, asked.wanted
            if key not in interface.answers:
                # Of a function that calls one which it is passed the text does not tell which that is.
                kept = keep(ways, self.locate) if str not in map(type, asked.constants) else None
                if kept is None:
                    interface.complete = False
                else:
                    interface.answers[key] = kept
        for flow, piece in self._pieces.items():
            interface = self._known[piece]
            interface.derived = {one: flow.memo[one] for one in _DERIVED if flow.memo.get(one) is not None}
            anew = flow.memo.get(Rough) is not None or flow in self.program.passed_on.asked
            interface.complete &= not anew


class SectionFrame:
    """What stands around the functions of a section, built when first needed."""

    def __init__(self, section: Section, mentions: SymbolRefs, at: Mapping[Portion, int]) -> None:
        self._section = section
        self._mentions = mentions
        self._at = at
        self._starts: list[int] = []
        self._around: list[tuple[Block | None, str]] = []

    def around(self, piece: Piece) -> tuple[Block | None, str]:
        """The block that the function of a piece stands in, and what a name without a dialect belongs to there."""
        return self._place(self._at[piece])

    def name(self, piece: Piece) -> str:
        """The name of the op of the function of a piece."""
        head = piece.leaves[0].statements.templates[0].events[0]
        assert isinstance(head, OpShape)
        dialect = self._place(self._at[piece])[1]
        return f"{dialect}.{head.bare}" if head.bare and dialect else head.name

    def _place(self, start: int) -> tuple[Block | None, str]:
        """The block that ops at `start` stand in, and what a name without a dialect belongs to there."""
        if not self._around:
            self._read()
        return self._around[bisect_right(self._starts, start) - 1]

    def _read(self) -> None:
        builder = Builder(None, aliases=self._section.aliases)
        self._starts, self._around = [-1], [(None, "")]
        for piece in self._mentions.frame:
            start = self._at[piece]
            number = self._number(start)
            leaf = self._section.leaves[number]
            builder.run(leaf.statements, leaf.text, start, self._section.links[number])
            self._starts.append(start)
            self._around.append((builder.block, builder.dialect))

    def _number(self, start: int) -> int:
        return bisect_right(self._section.document.starts, start) - 1


def _declares(piece: Piece) -> bool:
    """Whether the piece is a function in generic form whose region has nothing in it: a declaration."""
    events = (event for leaf in piece.leaves for template in leaf.statements.templates for event in template.events)
    match [event for _, event in zip(range(3), events, strict=False)]:
        case [OpShape(generic=True), Open()] | [OpShape(generic=True), Open(), Close()]:
            return True
        case _:
            return False

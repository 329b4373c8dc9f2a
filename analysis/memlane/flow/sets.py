"""What one operation does to sets of buffers; see joined.py. Calls are `calling`'s.

Whether a buffer may be freed is known of the buffer, and of each name that denotes one: that is more where a name may
denote many, of which the one that it does is freed or not.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from memlane.flow.alias import Origin, OriginKind
from memlane.flow.calls import Place
from memlane.flow.effects import Effects, FreeOf
from memlane.flow.events import Event, EventKind, Goal, Log, Purpose
from memlane.flow.graph import Graph
from memlane.flow.holding import Holding
from memlane.flow.scalar import FALSE, TRUE, Expr, Facts, simplify
from memlane.flow.sizes import size_of
from memlane.flow.slice import Slice
from memlane.flow.transfer import Transfer
from memlane.syntax.tree import Op, Value


class Sets(NamedTuple):
    """What may be at a point: sets of buffers in the bits of `Holding`, and of names, and of ops.

    Args:
        owed: not freed, kept elsewhere or returned.
        alive: not freed.
        freed, escaped, written: that may have happened.
        unsure: an op nobody described had them.
        doomed: names whose buffer may be freed.
        sound: names whose buffer may not be freed.
        frees: ops that have freed something, by their numbers.
    """

    owed: int = 0
    alive: int = 0
    freed: int = 0
    escaped: int = 0
    written: int = 0
    unsure: int = 0
    doomed: int = 0
    sound: int = 0
    frees: int = 0

    def join(self, other: Sets) -> Sets:
        """What may be where control comes from either."""
        return Sets(*(one | another for one, another in zip(self, other, strict=True)))

    def named(self, name: int, doomed: int, sound: int) -> Sets:
        """A name gets the buffer of one of some others: those that may be freed, and those that may not."""
        was, well = self.doomed & ~name, self.sound & ~name
        return self._replace(doomed=was | name if doomed else was, sound=well | name if sound else well)


class Found(NamedTuple):
    """Something that may go wrong; `certain`: whenever control comes there."""

    event: Event
    certain: bool


class Findings:
    """What goes wrong with some buffers: `only` counts those, a set of bits; 0: nothing is noted."""

    def __init__(self, holding: Holding) -> None:
        self.only = 0
        self.found: dict[Goal, Found] = {}
        self._holding = holding
        self._freeing: dict[Op, tuple[int, int]] = {}
        self._freers: list[Op] = []

    def number(self, op: Op, bits: int) -> int:
        """That of an op which may free some buffers."""
        number, before = self._freeing.get(op, (len(self._freers), 0))
        if op not in self._freeing:
            self._freers.append(op)
        self._freeing[op] = number, before | bits
        return number

    def note(
        self,
        kind: EventKind,
        place: Op,
        value: Value | None,
        bad: int,
        certain: bool,
        state: Sets,
        cause: Op | None = None,
        inside: Place | None = None,
        unsure: bool = False,
    ) -> None:
        """It may happen to some buffers at a place."""
        if not bad & self.only:
            return
        unsure = unsure or not bad & ~state.unsure
        if cause is None and bad & state.freed:
            cause = self._cause(place, bad & state.freed & self.only or bad & state.freed, state)
        origin = self._holding.origin(bad & self.only & ~state.unsure or bad & self.only)
        event = Event(kind, place, origin, value, cause, inside, unsure)
        goal = Goal(kind, place)
        known = self.found.get(goal)
        certain = certain and not unsure and not bad & state.unsure
        if known is None or (known.event.unsure and not unsure):
            self.found[goal] = Found(event, certain or (known is not None and known.certain))
        elif certain:
            self.found[goal] = known._replace(certain=True)

    def _cause(self, place: Op, bad: int, state: Sets) -> Op | None:
        """The op that may have freed one of the buffers: the last before the place in the text, else any."""
        after: Op | None = None
        for op in reversed(self._freers):
            number, bits = self._freeing[op]
            if state.frees >> number & 1 and bits & bad:
                if op.span.start < place.span.start:
                    return op
                after = op
        return after


class Step:
    """The transfer functions of ops.

    Args:
        graph, part, holding: the function, the slice, and what names may denote.
        constants: what is known of scalar arguments.
    """

    def __init__(self, graph: Graph, part: Slice, holding: Holding, constants: Facts) -> None:
        self._graph, self._part, self._holding, self._constants = graph, part, holding, constants
        self._transfer = Transfer(graph, part, Log(Purpose.PATHS), False)
        self.findings = Findings(holding)
        origins = holding.origins
        self._arguments = holding.of([one for one in origins if one.kind is OriginKind.ARGUMENT])
        self._static = holding.of([one for one in origins if one.resource in ("stack", "global")])
        self._made_of: dict[str, tuple[Origin, int]] = {}
        self._made = holding.of([one for one in origins if one.made_here])

    def decided(self, value: Value | None) -> bool | None:
        """Whether a flag is true; None: it may be either."""
        found = simplify(self._graph.expression(value), self._constants) if value is not None else None
        return None if found not in (TRUE, FALSE) else found == TRUE

    def scalar(self, expr: Expr) -> Expr:
        """An expression, with what is known of arguments put in."""
        return simplify(expr, self._constants)

    def dispose(self, op: Op, value: Value, bits: int, state: Sets, surely: bool) -> Sets:
        """A value's buffer, one of some, may be freed by an op; `surely`: it is, if there is one."""
        holding = self._holding
        gone = bits & ~self._static
        if not gone:
            return state
        kept = ~gone if surely and holding.one(value) else -1
        name, (others, same) = holding.name(value), holding.others(value)
        lost = (name | same) if surely and gone == bits else 0  # what cannot be freed is as it was
        return state._replace(
            owed=state.owed & kept,
            alive=state.alive & kept,
            freed=state.freed | gone,
            doomed=state.doomed | name | others,
            sound=state.sound & ~lost,
            frees=state.frees | 1 << self.findings.number(op, gone),
        )

    def state_of(self, value: Value, state: Sets) -> tuple[int, bool]:
        """The buffers of a value that may be freed, and whether the one that it denotes is."""
        bits, name = self._holding.may(value), self._holding.name(value)
        freed = bits & state.freed if name & state.doomed else 0
        return freed, self._holding.must(value) and not (bits & state.alive and name & state.sound)

    def execute(self, op: Op, state: Sets) -> Sets:
        """What may be after an op that is no call; its regions come later."""
        if self._part.idle(op):
            return state
        effects = self._graph.effects(op)
        if effects.reads or effects.writes:
            state = self._touch(op, effects, state)
        if effects.returned or effects.packed:
            self._hand_out(op, effects, state)
        for value in effects.escapes:
            bits = self._holding.may(value)
            owed = state.owed & ~bits if self._holding.one(value) else state.owed
            state = state._replace(owed=owed, escaped=state.escaped | bits, written=state.written | bits)
        if effects.frees:
            before = state
            for free in effects.frees:
                state = self._free(op, free, before, state)
        for value, _ in effects.allocs:
            if value in self._holding.fresh:
                size = size_of(value)
                state = self.make(value, state, effects.filled or (size is not None and size.bytes == 0))
        for view in effects.views:
            if self._part.root.get(view.result) is view.result:
                sources = union(self._holding.name(source) for source in view.sources)
                state = state.named(self._holding.name(view.result), state.doomed & sources, state.sound & sources)
            if view.unsure:
                state = state._replace(unsure=state.unsure | self._holding.may(view.result))
        for value in effects.loaded:
            name = self._holding.name(value)
            state = state._replace(
                unsure=state.unsure | self._holding.may(value), doomed=state.doomed | name, sound=state.sound | name
            )
        return state

    def make(self, value: Value, state: Sets, filled: bool) -> Sets:
        """A new buffer of an origin; the one that was its last is one of those before."""
        bit = self._holding.fresh[value]
        origin, name = self._holding.origin(bit), self._holding.name(value)
        state = state._replace(doomed=state.doomed & ~name, sound=state.sound | name)
        if origin.symbol is not None:
            return state._replace(alive=state.alive | bit, written=state.written | bit)
        shifted = Sets(*((one & ~bit) | (one & bit) << 1 for one in state))
        return shifted._replace(
            doomed=state.doomed,
            sound=state.sound,
            frees=state.frees,
            owed=shifted.owed | (bit if origin.owned else 0),
            alive=shifted.alive | bit,
            written=shifted.written | (bit if filled else 0),
        )

    def touched(self, op: Op, value: Value, state: Sets, inside: Place | None = None, surely: bool = True) -> None:
        """An op uses the memory of a value; `surely`: whenever it is executed."""
        freed, gone = self.state_of(value, state)
        unsure = self._graph.effects(op).unknown
        if freed:
            self.findings.note(EventKind.USE_AFTER_FREE, op, value, freed, surely and gone, state, None, inside, unsure)

    def _touch(self, op: Op, effects: Effects, state: Sets) -> Sets:
        for value in dict.fromkeys((*effects.reads, *effects.writes)):
            bits = self._holding.may(value)
            self.touched(op, value, state)
            new = self._holding.must(value) and not bits & ~self._made and not bits & (state.written | state.freed)
            if value in effects.reads and bits and new and not effects.unknown:
                self.findings.note(EventKind.UNINITIALIZED_READ, op, value, bits, True, state)
            if value in effects.writes or effects.unknown:
                state = state._replace(written=state.written | bits)
            if effects.unknown:
                state = state._replace(unsure=state.unsure | bits)
        return state

    def _hand_out(self, op: Op, effects: Effects, state: Sets) -> None:
        """Buffers are handed to the caller."""
        handed, roots = 0, set[Value]()
        for value in dict.fromkeys((*effects.returned, *effects.packed)):
            bits, must, note = self._holding.may(value), self._holding.must(value), self.findings.note
            self.touched(op, value, state)
            stack, lent = bits & self._static & state.alive & ~self._global(), bits & self._arguments
            if stack:
                note(EventKind.DANGLING_STACK, op, value, stack, must and stack == bits, state)
            if lent & state.alive:
                certain = must and lent == bits and not bits & state.freed
                note(EventKind.BORROWED_RETURN, op, value, lent, certain, state)
            root = self._part.root.get(value)
            again = value in effects.returned and (bits & handed or effects.returned.count(value) > 1)
            if again:
                certain = root in roots or effects.returned.count(value) > 1
                note(EventKind.ALIASED_RESULTS, op, value, bits & handed or bits, certain, state)
            handed |= bits
            roots.update((root,) if root is not None else ())

    def _global(self) -> int:
        return self._holding.of([one for one in self._holding.origins if one.resource == "global"])

    def _free(self, op: Op, free: FreeOf, before: Sets, state: Sets) -> Sets:
        """What is done by one of the deallocations of an op; `before`: what was before all of them."""
        holding, value = self._holding, free.value
        bits = holding.may(value)
        whether = True if free.condition is None else self.decided(free.condition)
        root = self._part.root.get(value)
        if not bits or whether is False or any(self._part.root.get(one) is root for one in free.retained):
            return state
        surely = whether is True and not any(holding.may(one) & bits for one in free.retained)
        self.freed(op, value, bits, before, surely)
        rest = bits & ~self._static & ~self._arguments
        if rest and self._transfer.interior(value):
            self.findings.note(EventKind.INVALID_FREE, op, value, rest, False, before, unsure=True)
        else:
            wrong = self._mismatched(free, rest & before.alive)
            if wrong:
                certain = surely and holding.must(value) and wrong == bits and not bits & before.freed
                self.findings.note(EventKind.MISMATCHED_FREE, op, value, wrong, certain, before)
        return self.dispose(op, value, bits, state, surely)

    def freed(self, op: Op, value: Value, bits: int, state: Sets, surely: bool, inside: Place | None = None) -> None:
        """Note what is wrong with freeing a value, whichever resource it is of."""
        surely, note = surely and self._holding.must(value), self.findings.note
        freed, gone = self.state_of(value, state)
        if freed:
            note(EventKind.DOUBLE_FREE, op, value, freed, surely and gone, state, None, inside)
        if inside is not None:  # of what has been freed already, a call frees nothing else
            bits, surely = bits & state.alive, surely and not freed
        lent, static = bits & self._arguments, bits & self._static
        if lent:
            note(EventKind.ARGUMENT_FREE, op, value, lent, surely and lent == bits, state, None, inside)
        if static:
            note(EventKind.INVALID_FREE, op, value, static, surely and static == bits, state, None, inside)

    def _mismatched(self, free: FreeOf, bits: int) -> int:
        """Those of some buffers that another allocator made."""
        if not self._made_of:
            for origin in self._holding.origins:
                if origin.kind is OriginKind.ALLOCATION:
                    made = self._made_of.get(origin.resource, (origin, 0))[1]
                    self._made_of[origin.resource] = origin, made | self._holding.of([origin])
        wrong = (made for origin, made in self._made_of.values() if not self._transfer.fits(origin, free))
        return bits & union(wrong)


def union(sets: Iterable[int]) -> int:
    """All that is in one of them."""
    found = 0
    for one in sets:
        found |= one
    return found

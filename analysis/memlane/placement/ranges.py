"""The live ranges of a family of buffers over the segments of a function: a backward data-flow analysis on bits.

An owner is live where a name of it is, and on all ways from there back to where it is allocated: else a name that
several buffers share would bring back one that was freed. Block arguments and results of regions are owners where each
way to them hands over an owner that has no other name from there on (`Ranges` assumes it of all, and demotes those for
which it does not hold until it holds of the rest).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from memlane.cancellation import poll
from memlane.flow.cfg.graph import Graph
from memlane.flow.cfg.scc import components
from memlane.flow.dataflow.bits import single
from memlane.flow.dataflow.solver import worklist
from memlane.flow.memory.effects_at import effects_at
from memlane.placement.barriers import behind_barriers
from memlane.placement.happenings import HandedOver, Happening
from memlane.placement.limits import MAX_DEMOTIONS, MAX_OWNERS_OF_A_NAME
from memlane.placement.mentions import Act, Family, is_whole
from memlane.placement.segments import Segments, Way
from memlane.syntax.tree.tree import Op, Value, starts_at

_NOTHING = HandedOver(0, ())


class Ranges:
    """Those of one family.

    Args:
        graph, segments: of the function.
        family: the buffers.

    Attributes:
        flows: as those of the family, but for ways that no execution takes.
        owners: the bits of all roots that own.
        stands_for: of each root its own bit and those of the owners that it may stand for.
        events: of each segment, in order.
        entering: bits that are live at the start of a segment, behind what its ways hand over.
        leaving: bits that are live at its end on some way.
        borrowed: bits of roots that may stand for what is no buffer of this function.
        flawed: bits of owners that do not own on every path, or of which two live at once.
    """

    def __init__(self, graph: Graph, segments: Segments, family: Family) -> None:
        self._graph, self._segments, self._family = graph, segments, family
        self._ways: dict[Way, HandedOver] = {}
        self._bound: dict[Value, list[tuple[Way, Value | None, bool]]] = {}
        self._hand_over()
        self.flows = self._flowing()
        self._candidates = self._eligible()
        self._held: set[Value] = set()
        self.owners = 0
        self.stands_for: dict[Value, int] = {}
        self.events: dict[int, list[Happening]] = {}
        self.entering: dict[int, int] = {}
        self.leaving: dict[int, int] = {}
        self.flawed = self.borrowed = 0
        self._settle()

    # ---- what ways hand over -----------------------------------------------------------------------------------------

    def handed(self, way: Way) -> HandedOver:
        """What a way hands over."""
        return self._ways.get(way, _NOTHING)

    def bit_of(self, root: Value) -> int:
        """That of a root."""
        return self._family.bit[root]

    def _hand_over(self) -> None:
        root, bit = self._family.root, self._family.bit
        several = len(bit) > len(self._family.origins)
        for ways in self._segments.after if several else ():
            for way in ways:
                pairs: list[tuple[Value | None, Value, bool]] = []
                receivers = 0
                for source, receiver in way.edge.bindings:
                    if root.get(receiver) is not receiver:
                        continue
                    at = root.get(source) if source is not None else None
                    whole = at is not None and source is not None and is_whole(self._graph, source, root)
                    pairs.append((at, receiver, whole))
                    receivers |= bit[receiver]
                    self._bound.setdefault(receiver, []).append((way, at, whole))
                if pairs:
                    self._ways[way] = HandedOver(receivers, tuple(pairs))

    def _flowing(self) -> dict[Value, set[Value]]:
        root, flows = self._family.root, self._family.flows
        handed = (pair for way in self._segments.left_out if flows for pair in way.edge.bindings)
        never = {(root.get(source), receiver) for source, receiver in handed if source is not None}
        never.difference_update((source, to) for to, bound in self._bound.items() for _, source, _ in bound)
        return {one: {to for to in targets if (one, to) not in never} for one, targets in flows.items()}

    def _eligible(self) -> set[Value]:
        """The roots that may be owners: all that they are is handed over by ways, on all ways to where they are."""
        found: set[Value] = set()
        origins = {origin.value for origin in self._family.origins.values()}
        for root, bound in self._bound.items():
            if root in origins or root in self._family.joined:
                continue
            target = bound[0][0].target
            if len(bound) == len(self._segments.before[target]) and all(whole for _, _, whole in bound):
                found.add(root)
        return found

    # ---- who owns ----------------------------------------------------------------------------------------------------

    def _settle(self) -> None:
        for round_ in range(MAX_DEMOTIONS + 1):
            poll()
            self._demote(set())
            self._number()
            self._events()
            self._spread()
            wrong = self._wrong()
            if wrong is None:
                break
            self._demote(wrong if round_ < MAX_DEMOTIONS - 1 else {*self._candidates})
        self._find_flaws()

    def _demote(self, wrong: set[Value]) -> None:
        """These own nothing, nor does what gets its buffers from them, or from what never owned."""
        self._candidates -= wrong
        origins = {origin.value for origin in self._family.origins.values()}
        into: dict[Value, list[Value]] = {}
        pending: list[Value] = []
        for root in self._candidates:
            for _, source, _ in self._bound[root]:
                if source is None or (source not in origins and source not in self._candidates):
                    pending.append(root)
                elif source in self._candidates:
                    into.setdefault(source, []).append(root)
        while pending:
            root = pending.pop()
            if root in self._candidates:
                self._candidates.discard(root)
                pending += into.get(root, ())

    def _number(self) -> None:
        """Find the owners that each root may stand for."""
        family, bit = self._family, self._family.bit
        self.owners = family.bits(self._candidates)
        for number in family.origins:
            self.owners |= number
        found = dict(bit)
        for members in reversed([*components(self.flows, self._flows_on)]):
            carried = 0
            for root in members:
                carried |= found[root] & self.owners
            for root in members if len(members) > 1 else ():
                found[root] |= carried
            for target in (target for root in members for target in self._flows_on(root)):
                found[target] |= carried
        self.stands_for = found
        self.borrowed = self._borrowing()

    def _flows_on(self, root: Value) -> Iterator[Value]:
        """The roots that may stand for what a root stands for: owners own what they get."""
        return (target for target in self.flows.get(root, ()) if target not in self._candidates)

    def _borrowing(self) -> int:
        """The bits of the roots that may denote a buffer without an owner here, or no buffer that is followed."""
        family, found = self._family, 0
        pending = [root for root in family.bit if self._is_borrowed(root)]
        while pending:
            root = pending.pop()
            if not family.bit[root] & found:
                found |= family.bit[root]
                pending += [one for one in self.flows.get(root, ()) if one not in self._candidates]
        return found

    def _is_borrowed(self, root: Value) -> bool:
        """Whether a root stands for what no root of the family gives it."""
        number = self._family.bit[root]
        if number in self._family.origins or root in self._candidates:
            return False
        bound = self._bound.get(root, ())
        given = self._family.given
        return root not in given or any(source is None for _, source, _ in bound)

    def _events(self) -> None:
        family, segments = self._family, self._segments
        events: dict[int, list[Happening]] = {}

        def put(op: Op, act: Act, bits: int) -> None:
            place = segments.of(op)
            if place is not None and bits:
                events.setdefault(place[0], []).append(Happening(place[1], act, bits, op))

        for op, values in family.uses.items():
            if op in family.frees:
                put(op, Act.FREE, self.stands_for[family.frees[op]] & self.owners)
            elif op not in family.feeding:
                put(op, Act.USE, self._used(op, values))
        for op, roots in family.made.items():
            self._define(op, roots, events)
        for token, bits in self._waited_for().items():
            for op in self._waiting(token):
                put(op, Act.USE, bits)
        for segment, bits in behind_barriers(self._graph, segments, family, self._used).items():
            events.setdefault(segment, []).append(Happening(-1, Act.USE, bits, None))
        for root, number in family.bit.items():
            if root.block is not None and root.block is self._graph.entry:
                events.setdefault(0, []).append(Happening(-1, Act.DEFINE, number, None))
        for root in self._held & self._candidates:  # it is freed though nothing uses it
            target = self._bound[root][0][0].target
            start = segments.every[target].start - 1
            events.setdefault(target, []).append(Happening(start, Act.USE, family.bit[root], None))
        for found in events.values():
            found.sort(key=_order)
        self.events = events

    def _waited_for(self) -> dict[Value, int]:
        """By token the buffers that are used until it is waited for."""
        family, found = self._family, dict[Value, int]()
        for token, ops in family.begun.items():
            for op in ops:
                found[token] = found.get(token, 0) | self._used(op, family.uses[op])
        changed = True
        while changed:  # a second time without a change, but for tokens that stand for each other
            changed = False
            for token, further in family.further.items():
                bits = found.get(token, 0)
                for one in further:
                    if bits & ~found.get(one, 0):
                        found[one] = found.get(one, 0) | bits
                        changed = True
        return found

    def _waiting(self, token: Value) -> Iterator[Op]:
        """The operations that may wait for what a token stands for. A tag is memory: what frees it does not wait where
        its block has waited for it before, after all else that names it."""
        effects = {use.op: effects_at(self._graph, use.op) for use in token.uses}
        ops = sorted(effects, key=starts_at)
        freeing = {op for op, one in effects.items() if any(free.value is token for free in one.frees)}
        named = all(op in freeing or token in (*one.waits, *one.completion) for op, one in effects.items())
        for before, op in zip((None, *ops), ops, strict=False):
            waited = before is not None and before.parent is op.parent and token in effects[before].waits
            if not (op in freeing and named and waited):
                yield op

    def _define(self, op: Op, roots: list[Value], events: dict[int, list[Happening]]) -> None:
        """What an operation makes, unless ways hand it over to its results."""
        place = self._segments.of(op)
        if place is None:
            return
        number, at = place
        inside = self._segments.every[number].head is op
        for root in roots:
            if root not in self._bound:
                target = self._segments.behind(op) if inside else number
                events.setdefault(target, []).append(Happening(at, Act.DEFINE, self._family.bit[root], op))

    def _used(self, op: Op, values: list[Value]) -> int:
        """The buffers that an operation uses: not those that it only forwards."""
        root, bits = self._family.root, 0
        handed: set[Value] | None = None
        block = op.parent
        if op.regions or (block is not None and op.index == len(block.ops) - 1):
            edges = self._graph.entries(op) if op.regions else self._graph.exits(block) if block is not None else ()
            handed = {
                source for edge in edges for source, receiver in edge.bindings if source in root and receiver in root
            }
            effects = effects_at(self._graph, op)
            handed.difference_update(effects.reads, effects.writes, effects.returned)
        for value in values:
            if handed is None or value not in handed:
                bits |= self.stands_for[root[value]]
        return bits

    # ---- liveness ----------------------------------------------------------------------------------------------------

    def across(self, way: Way) -> int:
        """What is live behind a way under names that it does not hand over."""
        return self.entering.get(way.target, 0) & ~self.handed(way).receivers

    def moved(self, way: Way) -> int:
        """The bits of the owners whose buffers a way moves to other owners."""
        live, found = self.entering.get(way.target, 0), 0
        for source, receiver, _ in self.handed(way).pairs:
            number = self._family.bit[receiver]
            if number & live & self.owners and source is not None:
                found |= self._family.bit[source]
        return found

    def before(self, way: Way) -> int:
        """What is live before a way is taken, because of what is live behind it."""
        handed = self.handed(way)
        live = self.entering.get(way.target, 0)
        if not handed.receivers:
            return live
        found = live & ~handed.receivers
        for source, receiver, _ in handed.pairs:
            number = self._family.bit[receiver]
            if source is not None and number & live:
                found |= self._family.bit[source] if number & self.owners else self.stands_for[source]
        return found

    def behind(self) -> Iterator[tuple[Happening, int]]:
        """The events, from the last of a segment to its first, each with what is live behind it but for what it
        defines."""
        for number, events in self.events.items():
            live = self.leaving.get(number, 0)
            for event in reversed(events):
                live &= ~event.bits if event.act is Act.DEFINE else -1
                yield event, live
                live |= event.bits if event.act is Act.USE else 0

    def _spread(self) -> None:
        segments = self._segments
        position = segments.position
        self.entering, self.leaving = {}, {}

        def visit(number: int) -> Iterable[int]:
            live = 0
            for way in segments.after[number]:
                live |= self.before(way)
            self.leaving[number] = live
            for _, act, bits, _ in reversed(self.events.get(number, ())):
                if act is Act.USE:
                    live |= bits
                elif act is Act.DEFINE:
                    live &= ~bits
            if live == self.entering.get(number, 0):
                return ()
            self.entering[number] = live
            return [way.source for way in segments.before[number] if position[way.source] >= 0]

        starts = [number for number in self.events if position[number] >= 0]
        worklist(starts, visit, lambda number: -position[number])

    def _frees_ahead(self) -> dict[int, int]:
        """Per segment the names by which a deallocation further on may free a buffer that is there already."""
        segments, found, joining = self._segments, dict[int, int](), self._joining()
        frees = [number for number, events in self.events.items() if any(e.act is Act.FREE for e in events)]

        def visit(number: int) -> Iterable[int]:
            ahead = 0
            for way in segments.after[number]:
                ahead |= self._named_before(way, found.get(way.target, 0))
            for _, act, bits, op in reversed(self.events.get(number, ())):
                if act is Act.FREE and op is not None:
                    ahead |= self._family.bit[self._family.frees[op]]
                elif act is Act.DEFINE and ahead & bits:
                    ahead = (ahead & ~bits) | joining.get(bits, 0)
            if not ahead & ~found.get(number, 0):
                return ()
            found[number] = ahead
            return [way.source for way in segments.before[number] if segments.position[way.source] >= 0]

        worklist(frees, visit, lambda number: -segments.position[number])
        return found

    def _named_before(self, way: Way, ahead: int) -> int:
        """By which names before a way those of some bits may be freed behind it. What owners are handed is theirs."""
        handed = self.handed(way)
        found = ahead & ~handed.receivers
        for source, receiver, _ in handed.pairs:
            number = self._family.bit[receiver]
            if number & ahead and source is not None and not number & self.owners:
                found |= self._family.bit[source]
        return found

    def _joining(self) -> dict[int, int]:
        """By the bit of a root that an operation gives as one of several those that it may be."""
        family = self._family
        return {
            family.bit[root]: self.stands_for[root] & ~family.bit[root]
            for root in family.joined
            if not family.bit[root] & self.owners
        }

    def _wrong(self) -> set[Value] | None:
        """The candidates that own nothing: not live, or handed something that has another name from there on. None:
        there are none."""
        if not self._candidates:
            return None
        bit, ahead, found = self._family.bit, self._frees_ahead(), set[Value]()
        freed, held, unused = {*self._family.frees.values()}, set[Value](), set[Value]()
        for way, handed in self._all_handed():
            live, across = self.entering.get(way.target, 0), self.across(way)
            named = across | (ahead.get(way.target, 0) & ~handed.receivers)
            taken = 0
            for source, receiver, _ in handed.pairs:
                if receiver not in self._candidates:
                    continue
                assert source is not None
                dead = not bit[receiver] & live
                if dead and receiver in freed and way.target in self._segments.cycling and receiver not in self._held:
                    held.add(receiver)  # else what comes in the next round would be taken for what came in this
                elif dead:
                    unused.add(receiver)
                elif bit[source] & (named | taken):
                    found.add(receiver)
                taken |= bit[source]
        self._held |= held
        found |= unused if not held else set()
        return found if found or held else None

    def _all_handed(self) -> Iterator[tuple[Way, HandedOver]]:
        for ways in self._segments.after:
            for way in ways:
                handed = self._ways.get(way)
                if handed is not None and self._segments.position[way.source] >= 0:
                    yield way, handed

    def _find_flaws(self) -> None:
        """Owners that are live where the function is entered are not allocated on every path; a name of an older one
        may be live where another is allocated."""
        self.flawed = self.entering.get(0, 0) & self.owners
        older: dict[int, int] = {}
        for root, bits in self.stands_for.items():
            number = self._family.bit[root]
            if number & self.owners and bits == number:
                continue
            if (bits & self.owners).bit_count() > MAX_OWNERS_OF_A_NAME:
                self.flawed |= bits & self.owners
                continue
            for owner in single(bits & self.owners & ~number):
                older[owner] = older.get(owner, 0) | number
            if number & self.owners:  # it may be another's buffer
                self.flawed |= bits & self.owners
        if not older:
            return
        for event, live in self.behind():
            if event.act is Act.DEFINE:
                self.flawed |= _of_older(event.bits & self.owners, older, live)
        for way, handed in self._all_handed():
            self.flawed |= _of_older(handed.receivers & self.owners, older, self.across(way))


def _of_older(owners: int, older: dict[int, int], live: int) -> int:
    return sum(owner for owner in single(owners) if older.get(owner, 0) & live)


def _order(event: Happening) -> tuple[int, int]:
    return event.at, event.act

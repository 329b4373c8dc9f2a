"""Names that occur nowhere else in a function: the result of `resolve.py` for them, without reading all of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from weakref import WeakKeyDictionary

from memlane.cancellation import poll
from memlane.syntax.lines.statements import Leaf, Statements
from memlane.syntax.names.limits import MAX_NAMES_SEARCHED
from memlane.syntax.names.scoping import Scoping
from memlane.syntax.shapes.holes import NAME, clean, whole
from memlane.syntax.shapes.shape import Close, Open, OpShape, Template, defined_in
from memlane.syntax.shapes.suggest import Suggestions


class Missing:
    """See the module.

    Args:
        leaves: of the function.
        scoping: which operations may declare names in ways that their text does not show.
    """

    def __init__(self, leaves: Sequence[Leaf], scoping: Scoping) -> None:
        self._leaves, self._scoping = leaves, scoping
        self._asked = 0
        self._outermost: list[str] | None = None
        self._usual = True
        """No operation in it has names of its own, and what is said in one region of it is not said in another."""
        self._read = _readings.setdefault(scoping, WeakKeyDictionary())

    def declares(self, template: Template) -> bool:
        """Whether a statement may declare what it mentions: in the head of a region, of an op with unknown syntax."""
        ops = [event.name for event in template.events if isinstance(event, OpShape)]
        heads = any(isinstance(event, Open) for event in template.events)
        return heads and (not ops or any(map(self._own, ops)))

    def suggestion(self, name: str) -> tuple[str | None] | None:
        """What was probably meant by a name of a value; None where the name may mean something."""
        found = whole(name)
        if self._asked < MAX_NAMES_SEARCHED and any(
            found.search(leaf.source, leaf.start, leaf.end) for leaf in self._leaves
        ):
            return None
        return self.like(name)

    def like(self, name: str) -> tuple[str | None] | None:
        """The same of a name that means nothing; None where it may be declared in unknown syntax."""
        self._asked += 1
        if self._asked > MAX_NAMES_SEARCHED:
            return None
        if self._outermost is None:
            self._outermost = list(self._find_outermost())
        return (Suggestions().name(name, self._outermost),) if self._usual else None

    def _own(self, op: str) -> bool:
        """Whether the regions of an op may have names of their own."""
        return self._scoping.undescribed(op) or self._scoping.isolated(op)

    def _find_outermost(self) -> Iterator[str]:
        """The names that are there where the function ends, in the order in which they stand."""
        known: dict[str, None] = {}
        depth, op, begun = 0, "", False
        for leaf in self._leaves:
            poll()
            read = self._read.get(leaf.statements)
            if read is None or (read.depth, read.op) != (depth, op):
                read = self._read[leaf.statements] = _LeafReading(leaf, depth, op, self._own)
            if read.begins:
                self._usual &= not begun
                known, begun = {}, True
            known.update(dict.fromkeys(read.names))
            self._usual &= read.usual
            depth, op = read.depth_after, read.op_after
        yield from known


class _LeafReading:
    """What a leaf defines outside all regions of the function's body.

    Args:
        depth: how many regions are open before it, the function's own among them. `op`: the one that a region would be
            of which begins there.
        own: whether the regions of an op may have names of their own.

    Attributes:
        names: of them, those that are still there at its end.
        begins: a region of the function begins in it, in which names of those before are not known.
        usual: no operation in it has such regions, but for the function, of which no two begin in it.
    """

    __slots__ = ("begins", "depth", "depth_after", "names", "op", "op_after", "usual")

    def __init__(self, leaf: Leaf, depth: int, op: str, own: Callable[[str], bool]) -> None:
        self.depth, self.op = depth, op
        self.depth_after, self.op_after = depth, op
        self.usual, self.begins = True, False
        slots = self._slots(leaf.statements, own)
        names = NAME.findall(clean(leaf.text)) if slots else ()
        self.names = tuple([names[slot] for slot in slots])

    def _slots(self, statements: Statements, own: Callable[[str], bool]) -> list[int]:
        """The numbers of their names."""
        found: list[int] = []
        for template, first in zip(statements.templates, statements.names, strict=True):
            single = template.single
            if single is not None:
                self.op_after = single.name
                if self.depth_after == 1:
                    found += [first + slot for slot, _ in single.results]
                continue
            for event in template.events:
                if isinstance(event, Open):
                    if not self.depth_after:  # also once more, where a brace too many has closed it
                        self.usual &= not self.begins
                        self.begins = True
                        found.clear()
                    self.usual &= not (self.depth_after and own(self.op_after))
                    self.depth_after += 1
                    self.op_after = ""
                elif isinstance(event, Close):
                    self.depth_after -= 1
                elif isinstance(event, OpShape):
                    self.op_after = event.name
                if self.depth_after == 1:
                    found += [first + slot for slot, _ in defined_in(event)]
        return found


_readings: WeakKeyDictionary[Scoping, WeakKeyDictionary[Statements, _LeafReading]] = WeakKeyDictionary()

"""Semantic tokens in LSP's numbers, unit by unit: after an edit, only what it touched is worked out and sent.

A unit's tokens (a piece of the document, or a leaf of a long one) are numbered within it. A document is a row of parts,
one for each unit that has tokens; a part is the same as one of the version before when its unit is, and the distance to
the part before it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count
from threading import Lock

from memlane.findings import Span
from memlane.ide.semantic_tokens import Modifier, SemanticToken, Type, marks, told
from memlane.ide.snapshot import File
from memlane.ide.token_chunks import Units
from memlane.text import Text
from memlane_server.convert import to_units

TYPES = list(Type)
TYPE_NAMES = [type_.value for type_ in TYPES]
MODIFIER_NAMES = ["declaration", "freed", "maybeFreed", "escaped"]
MEMORY = Modifier.FREED | Modifier.MAYBE_FREED | Modifier.ESCAPED

_Placed = tuple[int, int, int, int, int]
"""Line and column, length, type and modifiers."""
_NUMBERS = {type_: number for number, type_ in enumerate(TYPES)}


@dataclass(frozen=True, slots=True, eq=False)
class Encoded:
    """The tokens of a unit: line and column within it, length, type and modifiers; `offsets`: where each begins.

    Args:
        lines: how many line ends the unit has. `tail`: columns behind the last of them; mostly none.
    """

    tokens: tuple[tuple[int, int, int, int, int], ...]
    offsets: tuple[int, ...]
    lines: int
    tail: int


@dataclass(frozen=True, slots=True)
class Part:
    """The tokens of a unit, at a distance from the token before: in lines, and in columns of its first line.

    Args:
        marked: per token (its number) what findings say of it.
    """

    encoded: Encoded
    line: int
    column: int
    marked: tuple[tuple[int, Modifier], ...]

    def numbers(self) -> Iterator[int]:
        """Five for each token."""
        marked = dict(self.marked)
        line, column = 0, 0
        for number, (own_line, own_column, length, type_, modifiers) in enumerate(self.encoded.tokens):
            if number == 0:
                down, right = self.line, self.column
            else:
                down = own_line - line
                right = own_column - column if down == 0 else own_column
            yield from (down, right, length, type_, modifiers | marked.get(number, 0))
            line, column = own_line, own_column


@dataclass(slots=True)
class Tokens:
    """The tokens of one document as the client knows them.

    Args:
        encoding: in what the client counts columns.
        only_memory: leave out tokens that say nothing of memory.
    """

    encoding: str
    only_memory: bool
    identity: str = ""
    parts: tuple[Part, ...] = ()
    marked: Mapping[int, Modifier] = field(default_factory=dict[int, Modifier])
    _lock: Lock = field(default_factory=Lock)
    _units: Units[Encoded] = field(init=False)
    _memory: list[int] = field(default_factory=list[int])
    _numbers: count[int] = field(default_factory=count)

    def __post_init__(self) -> None:
        self._units = Units(self._encode)

    def full(self, file: File) -> tuple[str, list[int]]:
        """All tokens of a version, and their identity."""
        with self._lock:
            self._update(file)
            numbers = self._memory if self.only_memory else [n for part in self.parts for n in part.numbers()]
            return self.identity, numbers

    def delta(self, file: File, known: str) -> tuple[str, int, int, list[int]] | None:
        """What changed since the version that the client knows: identity, start, how many go, and what comes.

        None: another version is known here.
        """
        with self._lock:
            if known != self.identity:
                return None
            before, memory = self.parts, self._memory
            self._update(file)
            changes = _change(memory, self._memory) if self.only_memory else _difference(before, self.parts)
            return self.identity, *changes

    def within(self, file: File, first: int, last: int) -> list[int]:
        """The tokens of lines `first` to `last`, both inclusive. What the client knows of the rest stays."""
        text, marked = file.text, _marks(file)
        with self._lock:
            units = self._units.some(file, Span(text.offset(first, 0), text.offset(last + 1, 0)))
        found: list[_Placed] = []
        for start, encoded in units:
            line, column = text.position(start)
            column = to_units(text.line(line), column, self.encoding) if column else 0
            of_unit = dict(_of_unit(encoded, start, marked))
            for number, (down, right, length, type_, modifiers) in enumerate(encoded.tokens):
                right += 0 if down else column
                found.append((line + down, right, length, type_, modifiers | of_unit.get(number, 0)))
        return list(_relative(one for one in found if first <= one[0] <= last and self._wants(one)))

    def outdated(self, file: File) -> bool:
        """Whether the client has other tokens than those of the newest findings."""
        return bool(self.identity) and dict(_marks(file)) != dict(self.marked)

    def _wants(self, token: _Placed) -> bool:
        return bool(token[4] & MEMORY) or not self.only_memory

    def _of_memory(self, parts: Iterable[Part]) -> Iterator[_Placed]:
        """The tokens that say something of memory, with their places in the document."""
        line = column = 0
        for down, right, length, type_, modifiers in _fives(parts):
            column = column + right if down == 0 else right
            line += down
            if modifiers & MEMORY:
                yield line, column, length, type_, modifiers

    def _update(self, file: File) -> None:
        marked = _marks(file)
        parts = tuple(self._parts(file, marked))
        memory = list(_relative(self._of_memory(parts))) if self.only_memory else []
        self.marked, self.parts, self._memory = marked, parts, memory
        self.identity = f"{file.identity}-{next(self._numbers)}"

    def _parts(self, file: File, marked: Mapping[int, Modifier]) -> Iterator[Part]:
        line = start_column = 0
        last_line = last_column = 0
        for start, encoded in self._units.all(file):
            if encoded.tokens:
                own_line, own_column = encoded.tokens[0][:2]
                at = own_column + (start_column if own_line == 0 else 0)
                down = line + own_line - last_line
                yield Part(encoded, down, at - last_column if down == 0 else at, _of_unit(encoded, start, marked))
                final_line, final_column = encoded.tokens[-1][:2]
                last_line, last_column = line + final_line, final_column + (start_column if final_line == 0 else 0)
            line += encoded.lines
            start_column = encoded.tail + (start_column if encoded.lines == 0 else 0)

    def _encode(self, source: str, tokens: tuple[SemanticToken, ...], before: Encoded | None) -> Encoded:
        encoded = _encoded(source, tokens, self.encoding)
        return before if before is not None and before.tokens == encoded.tokens else encoded


def _encoded(source: str, tokens: tuple[SemanticToken, ...], encoding: str) -> Encoded:
    text = Text(source)
    ascii_ = source.isascii()
    found: list[tuple[int, int, int, int, int]] = []
    line = first = after = 0
    for (start, end), type_, modifiers in tokens:
        if not first <= start < after:
            line, column = text.position(start)
            first, after = start - column, text.offset(line + 1, 0)
        column, length = start - first, end - start
        if not ascii_:
            shown = text.line(line)
            column = to_units(shown, start - first, encoding)
            length = to_units(shown, end - first, encoding) - column
        found.append((line, column, length, _NUMBERS[type_], int(modifiers)))
    lines = text.line_count - 1
    last = text.line(lines) if source[-1:] not in ("\n", "\r") else ""
    return Encoded(
        tuple(found), tuple([token.span.start for token in tokens]), lines, to_units(last, len(last), encoding)
    )


def _of_unit(encoded: Encoded, start: int, marked: Mapping[int, Modifier]) -> tuple[tuple[int, Modifier], ...]:
    if not marked:
        return ()
    pairs = enumerate(encoded.offsets)
    return tuple((number, marked[start + offset]) for number, offset in pairs if start + offset in marked)


def _marks(file: File) -> Mapping[int, Modifier]:
    """What findings say of names; nothing while the file is still being checked."""
    parts = file.parts_already
    return marks(file, told(parts)) if parts is not None else {}


def _difference(before: tuple[Part, ...], after: tuple[Part, ...]) -> tuple[int, int, list[int]]:
    """Where numbers begin to differ, how many go, and what comes in their place."""
    head = 0
    while head < min(len(before), len(after)) and before[head] == after[head]:
        head += 1
    tail = 0
    while tail < min(len(before), len(after)) - head and before[-1 - tail] == after[-1 - tail]:
        tail += 1
    start = sum(5 * len(part.encoded.tokens) for part in before[:head])
    gone = sum(5 * len(part.encoded.tokens) for part in before[head : len(before) - tail])
    return start, gone, [number for part in after[head : len(after) - tail] for number in part.numbers()]


def _fives(parts: Iterable[Part]) -> Iterator[tuple[int, int, int, int, int]]:
    for part in parts:
        numbers = part.numbers()
        yield from zip(numbers, numbers, numbers, numbers, numbers, strict=True)


def _relative(absolute: Iterable[tuple[int, int, int, int, int]]) -> Iterator[int]:
    """Lines and columns, each counted from the token before."""
    last_line = last_column = 0
    for line, column, *rest in absolute:
        yield from (line - last_line, column - last_column if line == last_line else column, *rest)
        last_line, last_column = line, column


def _change(before: list[int], after: list[int]) -> tuple[int, int, list[int]]:
    """The same as `_difference`, for numbers."""
    shorter = min(len(before), len(after))
    head = next((index for index in range(shorter) if before[index] != after[index]), shorter)
    rest = shorter - head
    tail = next((index for index in range(rest) if before[-1 - index] != after[-1 - index]), rest)
    return head, len(before) - head - tail, after[head : len(after) - tail]

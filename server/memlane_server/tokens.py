"""Semantic tokens in LSP's numbers, piece by piece: after an edit, only what it touched is worked out and sent.

A piece's tokens are numbered within it, and kept for as long as anybody keeps the piece. A document is a row of parts,
one for each piece that has tokens; a part is the same as one of the version before when its piece is, and the distance
to the part before it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count
from threading import Lock
from weakref import WeakKeyDictionary

from memlane.ide.tokens import Modifier, Token, Type, marks, piece_tokens, told
from memlane.snapshot import File
from memlane.syntax.pieces import Piece
from memlane.text import Text
from memlane_server.convert import to_units

TYPES = list(Type)
TYPE_NAMES = [type_.value for type_ in TYPES]
MODIFIER_NAMES = ["declaration", "freed", "maybeFreed", "escaped"]
MEMORY = Modifier.FREED | Modifier.MAYBE_FREED | Modifier.ESCAPED

_NUMBERS = {type_: number for number, type_ in enumerate(TYPES)}


@dataclass(frozen=True, slots=True, eq=False)
class Encoded:
    """The tokens of a piece: line and column within it, length, type and modifiers; `offsets`: where each begins.

    Args:
        lines: how many line ends the piece has.
    """

    tokens: tuple[tuple[int, int, int, int, int], ...]
    offsets: tuple[int, ...]
    lines: int


@dataclass(frozen=True, slots=True)
class Part:
    """The tokens of a piece, at a distance from the token before: in lines, and in columns of its first line.

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
    _encoded: WeakKeyDictionary[Piece, Encoded] = field(default_factory=WeakKeyDictionary[Piece, Encoded])
    _memory: list[int] = field(default_factory=list[int])
    _numbers: count[int] = field(default_factory=count)

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
        with self._lock:
            parts = list(self._parts(file, _marks(file)))
        return list(_relative(self._shown(parts, first, last)))

    def outdated(self, file: File) -> bool:
        """Whether what findings say of names is not what the client was told."""
        return bool(self.identity) and dict(_marks(file)) != dict(self.marked)

    def _shown(self, parts: Iterable[Part], first: int, last: int) -> Iterator[tuple[int, int, int, int, int]]:
        """The tokens of some lines, with their places in the document, without those that are not wanted."""
        line = column = 0
        for down, right, length, type_, modifiers in _fives(parts):
            column = column + right if down == 0 else right
            line += down
            if first <= line <= last and (modifiers & MEMORY or not self.only_memory):
                yield line, column, length, type_, modifiers

    def _update(self, file: File) -> None:
        marked = _marks(file)
        parts = tuple(self._parts(file, marked))
        memory = list(_relative(self._shown(parts, 0, file.text.line_count))) if self.only_memory else []
        self.marked, self.parts, self._memory = marked, parts, memory
        self.identity = f"{file.identity}-{next(self._numbers)}"

    def _parts(self, file: File, marked: Mapping[int, Modifier]) -> Iterator[Part]:
        document = file.document
        self._encode(file)
        line = start_column = 0
        last_line = last_column = 0
        for piece, start in zip(document.pieces, document.starts, strict=True):
            encoded = self._encoded[piece]
            if encoded.tokens:
                own_line, own_column = encoded.tokens[0][:2]
                at = own_column + (start_column if own_line == 0 else 0)
                down = line + own_line - last_line
                yield Part(encoded, down, at - last_column if down == 0 else at, _of_piece(encoded, start, marked))
                final_line, final_column = encoded.tokens[-1][:2]
                last_line, last_column = line + final_line, final_column + (start_column if final_line == 0 else 0)
            line += encoded.lines
            whole = piece.whole_lines
            start_column = 0 if whole else _tail(piece.text, self.encoding, start_column if encoded.lines == 0 else 0)

    def _encode(self, file: File) -> None:
        known = self._encoded
        for piece, tokens in piece_tokens(file, known).items():
            before, encoded = known.get(piece), _encoded(piece.text, tokens, self.encoding)
            known[piece] = before if before is not None and before.tokens == encoded.tokens else encoded


def _encoded(source: str, tokens: tuple[Token, ...], encoding: str) -> Encoded:
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
    return Encoded(tuple(found), tuple([token.span.start for token in tokens]), text.line_count - 1)


def _tail(text: str, encoding: str, before: int) -> int:
    """Columns of the line that a piece ends in; mostly none, as pieces end with their lines."""
    if text.endswith(("\n", "\r")):
        return 0
    last = Text(text).line(Text(text).line_count - 1)
    return before + to_units(last, len(last), encoding)


def _of_piece(encoded: Encoded, start: int, marked: Mapping[int, Modifier]) -> tuple[tuple[int, Modifier], ...]:
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

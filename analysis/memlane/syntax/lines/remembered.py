"""Shapes that ship with the package: what reading them gave when `shapes.txt` was written, so that lark need not.

The file is text: a line for each shape, with `%`, `^`, `~` and a backtick for names, blocks, holes and line ends, and
what it says as JSON. It opens with a fingerprint of all that decides what a shape says; where that is not what it was,
the file counts for nothing. Written by `python tests/syntax/make_shapes.py`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, cast

from memlane.digest import blake2b
from memlane.syntax.lines.line import Kind, Line
from memlane.syntax.shapes.holes import BLOCK, HOLE, VALUE, count_names
from memlane.syntax.shapes.shape import (
    Alias,
    Close,
    Cut,
    Definition,
    Event,
    Label,
    Open,
    Operand,
    OpShape,
    Rest,
    Target,
    Template,
    TypeText,
    template_of,
)

_SYNTAX = Path(__file__).parents[1]
FILE = Path(__file__).with_name("shapes.txt")
_DECIDING = (
    *(f"lines/{name}" for name in ("line.py", "remembered.py")),
    *(f"shapes/{name}.py" for name in ("brackets", "characters", "forms", "grammar", "holes", "mistakes", "part")),
    *(
        f"shapes/{name}.py"
        for name in ("begun", "braces", "shape", "statement", "token_patterns", "tokens", "vocabulary")
    ),
    *("shapes/mlir.lark", "shapes/vocabulary.py", "shapes/vocabulary.txt"),
)
_SPELLED = {VALUE: "%", BLOCK: "^", HOLE: "~", "\n": "`"}
_EVENTS = {OpShape: 5, Open: 2, Close: 1, Label: 2, Rest: 2, Alias: 2}
"""By number, with how many of their fields are always written."""

Json = Any
"""A value of JSON: what is known of it is how `_packed` made it."""


class Known(NamedTuple):
    """What a shape says as a line without the space before it, and as a statement; None where it was not met as one."""

    line: Line | None
    template: Template | None


def fingerprint() -> str:
    """Of all that decides what a shape says."""
    digest = blake2b(digest_size=16)
    for name in _DECIDING:
        digest.update((_SYNTAX / name).read_bytes())
    return digest.hexdigest()


@cache
def shapes() -> Mapping[str, str]:
    """The shapes of the file, each with what it says, not taken apart yet. Empty where they do not count."""
    try:
        text = FILE.read_text(encoding="utf-8")
        return listed(text) if text.startswith(f"{fingerprint()}\n") else {}
    except OSError:  # without sources, or without the file: all is learned anew
        return {}


def listed(text: str) -> dict[str, str]:
    """The shapes of a file, each with what it says."""
    for character, spelled in _SPELLED.items():
        if character != "\n":
            text = text.replace(spelled, character)
    return dict(line.split("\t", 1) for line in text.split("\n")[1:-1])


def known(shape: str) -> Known | None:
    """What the file says of a shape."""
    packed = shapes().get(shape.replace("\n", "`"))
    return unpacked(shape, packed) if packed is not None else None


def spelled(shape: str, known: Known) -> str | None:
    """The line of the file for a shape; None where it cannot hold it."""
    if any(character in shape for character in "%^~`\t\r"):
        return None
    packed = json.dumps(_packed_line(known), separators=(",", ":"))
    if any(character in packed for character in "%^~"):
        return None
    for character, written in _SPELLED.items():
        shape = shape.replace(character, written)
    return f"{shape}\t{packed}\n"


# ---- templates as JSON -----------------------------------------------------------------------------------------


def _packed_line(known: Known) -> Json:
    line, template = known
    of_line = None
    if line is not None:
        flags = (line.undecided, line.sure, line.head, line.template is not None)
        of_line = [int(line.kind), line.open, *map(int, flags)]
    if template is None:
        return [of_line, None]
    kinds = list(_EVENTS)
    return [of_line, [[kinds.index(type(event)), *_packed(event)] for event in template.events]]


def _packed(event: Event) -> list[Json]:
    """The fields of an event, those left out that end it and are empty."""
    values = [_short(getattr(event, name)) for name in event.__slots__]
    while len(values) > _EVENTS[type(event)] and not values[-1]:
        values.pop()
    return values


def _short(value: object) -> Json:
    """A field: flags are numbers, and what is usual is left out of cuts and operands."""
    if isinstance(value, Operand):
        return value.slot if value[1:] == (None, "") else list(value)
    if isinstance(value, Cut):
        return [value.start, value.end, 1] if value.element else [value.start, value.end]
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, tuple):
        return [_short(one) for one in cast("tuple[object, ...]", value)]
    if isinstance(value, Mapping):
        return {key: _short(cut) for key, cut in cast("Mapping[str, object]", value).items()}
    return value


def unpacked(shape: str, packed: str) -> Known:
    """What `packed` says of a shape."""
    of_line, packed_events = json.loads(packed)
    template = None
    if packed_events is not None:
        events: list[Event] = [_MAKERS[kind](*fields) for kind, *fields in packed_events]
        template = template_of(events, ())
    if of_line is None:
        return Known(None, template)
    kind, opened, *flags = of_line
    undecided, sure, head, whole = map(bool, flags)
    names = count_names(shape)
    return Known(Line(Kind(kind), 0, opened, undecided, names, sure, head, template if whole else None), template)


def _cut(packed: Json) -> Cut | None:
    return Cut(packed[0], packed[1], len(packed) > 2) if packed else None


def _type(packed: Json) -> TypeText:
    return packed if isinstance(packed, str) else _cut(packed)


def _definitions(packed: Iterable[Json]) -> tuple[Definition, ...]:
    return tuple([Definition(slot, _type(written)) for slot, written in packed])


def _cuts(packed: Iterable[Json]) -> Mapping[str, Cut | None]:
    return {key: _cut(cut) for key, cut in cast("Mapping[str, Json]", packed).items()} if packed else {}


def _op(
    name: str,
    start: int,
    name_start: int,
    name_end: int,
    end: int,
    results: Iterable[Json] = (),
    operands: Iterable[Json] = (),
    successors: Iterable[Json] = (),
    keywords: Iterable[str] = (),
    symbol: Json = None,
    attributes: Json = None,
    literal: Json = None,
    types: Iterable[Json] = (),
    result_types: Iterable[Json] = (),
    unparsed: int = 0,
    bare: str = "",
    generic: int = 0,
    unknown: int = 0,
    refers: Json = None,
    declares: Iterable[Json] = (),
) -> OpShape:
    return OpShape(
        name, start, name_start, name_end, end, tuple([(slot, count) for slot, count in results]), _operands(operands),
        tuple([Target(slot, first, last, _cut(case)) for slot, first, last, case in successors]), tuple(keywords),
        _cut(symbol), _cuts(attributes), _cut(literal), _some_cuts(types),
        tuple([_type(written) for written in result_types]), bool(unparsed), bare, bool(generic), bool(unknown),
        _cut(refers), _definitions(declares),
    )  # fmt: skip


def _some_cuts(packed: Iterable[Json]) -> tuple[Cut, ...]:
    return tuple([Cut(cut[0], cut[1], len(cut) > 2) for cut in packed])


def _operands(packed: Iterable[Json]) -> tuple[Operand, ...]:
    return tuple([Operand(one, None, "") if isinstance(one, int) else Operand(*one) for one in packed])


def _open(label: Json, start: int, defines: Iterable[Json] = ()) -> Open:
    return Open(_cut(label), start, _definitions(defines))


def _label(slot: int, end: int, arguments: Iterable[Json] = ()) -> Label:
    return Label(slot, end, _definitions(arguments))


def _rest(
    start: int,
    end: int,
    operands: Iterable[Json] = (),
    attributes: Json = None,
    types: Iterable[Json] = (),
    result_types: Iterable[Json] = (),
) -> Rest:
    written = tuple([_type(one) for one in result_types])
    return Rest(start, end, _operands(operands), _cuts(attributes), _some_cuts(types), written)


_MAKERS = (_op, _open, Close, _label, _rest, Alias)

"""Model tables to TOML text, in the layout of the shipped files: one key a line, long lists broken."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, cast

from memlane.lazy import regex

_WIDTH = 118
_BARE = regex(r"[A-Za-z0-9_-]+$")


def toml_text(
    comment: str, tables: Mapping[str, Mapping[str, Mapping[str, Any]]], notes: Mapping[str, str] | None = None
) -> str:
    """The text of a model file.

    Args:
        comment: what stands at its top, without `#`.
        tables: kind of table (`op`, `resource`) -> name -> keys, in the order of the text.
        notes: comments above tables, by name.
    """
    lines = [f"# {line}".rstrip() for line in comment.splitlines()]
    for kind, group in tables.items():
        for name, keys in group.items():
            lines += ["", *([f"# {notes[name]}"] if notes and name in notes else []), f"[{kind}.{_key(name)}]"]
            lines += [line for key, value in keys.items() for line in _entry(key, value)]
    return "\n".join(lines) + "\n"


def _entry(key: str, value: object) -> Iterator[str]:
    line = f"{_key(key)} = {_value(value)}"
    if len(line) <= _WIDTH or not isinstance(value, list):
        yield line
        return
    yield f"{_key(key)} = ["
    row = " "
    for item in cast("list[object]", value):
        text = f" {_value(item)},"
        if len(row) + len(text) > _WIDTH:
            yield row
            row = " "
        row += text
    yield row
    yield "]"


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        items = cast("dict[str, object]", value).items()
        return "{ " + ", ".join(f"{_key(key)} = {_value(item)}" for key, item in items) + " }" if items else "{}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_value, cast("list[object]", value))) + "]"
    return quoted(value) if isinstance(value, str) else json.dumps(value)


def quoted(text: str) -> str:
    """`text` as a basic string. JSON writes it the same, but halves characters beyond U+FFFF and leaves U+007F."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007F")


def _key(name: str) -> str:
    return name if _BARE.match(name) else quoted(name)

"""What a brace of a shape opens, by what stands before it and what it holds."""

from __future__ import annotations

import re
from collections.abc import Sequence

from memlane.lazy import regex
from memlane.syntax.shapes import forms
from memlane.syntax.shapes.brackets import ENTRIES, lone_op, skip
from memlane.syntax.shapes.holes import BLOCK, VALUE

_STRING = r'"(?:[^"\\\n]|\\.)*"'

DICT = regex(rf"\{{\s*(?://[^\n]*\n\s*)*(?:(?:[A-Za-z_][\w$.]*|{_STRING})\s*(?:=(?!=)|,|\}}))")
"""A brace and the start of what an attribute dictionary holds."""

PROPERTIES = regex(rf"{DICT.pattern}|\{{\s*\}}")
"""The same, or an empty one."""

MODES = r"(?:ro|wo|rw)\b"
"""Words before the operands that stand in a brace: `stream.cmd.dispatch @f { ro %a[%c0 for %n] : !type }`."""
_ACCESSES = regex(rf"\{{(?:\s*{MODES}\s+{VALUE}|{ENTRIES})")
_EMPTY = regex(r"\{\s*\}\s*(?:[:,)({]|->|loc\b|attributes\b)?")
_REGION = regex(
    rf"""\{{\s*(?://[^\n]*(?:\n\s*|$))*(?:$|[A-Za-z_{BLOCK}}}]|{_STRING}\s*\(|{VALUE}(?::\d+)?(?:\s*,\s*{VALUE}(?::\d+)?)*\s*=)""",
    re.VERBOSE,
)


def brace_kind(text: str, start: int, before: Sequence[tuple[str, str]], inside: bool, function: bool) -> str:
    """What the brace at `start` of the shape `text` opens: "region", "dict" or "brace", a group of operands.

    Args:
        before: kind and text of the two tokens before it, of fewer at the start.
        inside: brackets are open there. `function`: the current operation is one.
    """
    kinds = [kind for kind, _ in before]
    equals = kinds[-1:] == ["EQ"]
    attributes = equals or (bool(before) and before[-1][1] == "attributes")
    empty = _EMPTY.match(text, start)
    if kinds == ["RREGION", "COMMA"] and not inside:
        return "region"
    if equals and not inside and (before[0][1] in forms.EQUAL_REGIONS or _opens_block(text, start)):
        return "region"
    if empty:
        dictionary = attributes or inside or empty.group().strip()[-1:] != "}"
        if empty.group()[-1] == "{" and not inside and DICT.match(text, empty.end() - 1):
            dictionary = attributes
        return "dict" if dictionary else "region"
    if attributes:
        return "dict"
    if DICT.match(text, start):
        return "region" if not inside and lone_op(text, start) else "dict"
    if inside or _ACCESSES.match(text, start):
        return "brace"
    return "region" if function or _REGION.match(text, start) else "brace"


def _opens_block(text: str, start: int) -> bool:
    """Whether what follows the brace at `start` is a block: `present = {` of sparse_tensor.unary."""
    if skip(text, start + 1) == len(text):
        return True
    return not DICT.match(text, start) and not _EMPTY.match(text, start) and bool(_REGION.match(text, start))

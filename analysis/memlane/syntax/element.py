"""The element type of a shaped type, as text."""

from __future__ import annotations


def element_type(text: str) -> str | None:
    """The element type of a shaped type: `memref<4x?xf32, #map>` -> `f32`."""
    start = text.find("<")
    if start < 0:
        return None
    inner = text[start + 1 : -1]
    depth = 0
    for at, character in enumerate(inner):
        if character in "<(":
            depth += 1
        elif character in ">)" and inner[at - 1 : at] != "-":
            depth -= 1
        elif character == "," and not depth:
            inner = inner[:at]
            break
    while True:
        head, cross, tail = inner.partition("x")
        if not cross or not (head.strip("[]").isdigit() or head in ("?", "*")):
            return inner.strip()
        inner = tail

"""What tests of half-typed functions ask of a text: its operations, and what is said of it."""

from __future__ import annotations

from memlane.syntax import parse


def around(source: str) -> list[tuple[str, str | None]]:
    """The operations, and around which other one each stands."""
    ops = parse(source).walk()
    return [(op.name, op.parent.region.op.name if op.parent else None) for op in ops]


def messages(source: str) -> list[str]:
    """What is said of the reading."""
    return [problem.message for problem in parse(source).problems]

"""Bytes in words: `16 KiB`, `4*%n + 1024 B`, and in JSON."""

from __future__ import annotations

from collections.abc import Sequence

from memlane.flow.scalars.amounts import Amount
from memlane.flow.scalars.sizes import Size

_UNITS = ("B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB")


def words(count: int) -> str:
    """Bytes in the largest unit that leaves at least one: `1.5 KiB`; up to 1023 as they are: `80 B`."""
    size, unit = float(abs(count)), 0
    while size >= 1024 and unit < len(_UNITS) - 1:
        size /= 1024
        unit += 1
    number = f"{size:.1f}".removesuffix(".0") if unit else str(int(size))
    return f"{'-' if count < 0 else ''}{number} {_UNITS[unit]}"


def on(resource: str) -> str:
    """Where memory of a resource is: `on the heap`, `on the stack`, `in gpu memory`."""
    return f"on the {resource}" if resource in ("heap", "stack") else f"in {resource} memory"


def in_bytes(size: Size | Amount) -> str:
    """A size in bytes, whatever it is: `1 byte`, `4096 bytes`, `4*%n bytes`."""
    return f"{size} byte{'s' if size.bytes != 1 else ''}"


def shown(amounts: Sequence[Amount]) -> str:
    """The largest of some amounts, in words."""
    parts = [in_words(amount) for amount in amounts]
    return parts[0] if len(parts) == 1 else f"max({', '.join(parts)})" if parts else "0 B"


def in_words(amount: Size | Amount) -> str:
    """A size in words: `4 KiB`, `4*%n B`, `unbounded`."""
    if amount.bytes is not None:
        return words(amount.bytes)
    return str(amount) if isinstance(amount, Amount) and amount.unbounded else f"{amount} B"


def known(amounts: Sequence[Amount]) -> int | None:
    """The largest of some amounts as a number; None where it is not known."""
    return amounts[0].bytes if len(amounts) == 1 else None if amounts else 0


def expression(amounts: Sequence[Amount]) -> str | None:
    """The largest of some amounts as text where it is no number: `max(4*%n, 80)`, `unbounded`; None where it is one."""
    if known(amounts) is not None:
        return None
    parts = [str(amount) for amount in amounts]
    return parts[0] if len(parts) == 1 else f"max({', '.join(parts)})"

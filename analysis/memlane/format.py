"""Bytes as people read them: `16 KiB`, `1.25 MiB`, `4*%n + 1024 B`; and in JSON."""

from __future__ import annotations

from collections.abc import Sequence

from memlane.flow.symbolic.amounts import Amount
from memlane.flow.symbolic.sizes import Size
from memlane.limits import MAX_EXPRESSION_LENGTH

_UNITS = ("B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB")


def words(count: int) -> str:
    """Bytes in the largest unit that leaves at least one, rounded to two decimals at most: `80 B`, `1.25 MiB`."""
    size = abs(count)
    unit = 0
    while unit < len(_UNITS) - 1 and _hundredths(size, unit) >= 102400:
        unit += 1
    whole, rest = divmod(_hundredths(size, unit), 100)
    decimals = f".{rest:02}".rstrip("0") if rest else ""
    return f"{'-' if count < 0 else ''}{whole}{decimals} {_UNITS[unit]}"


def _hundredths(size: int, unit: int) -> int:
    """Hundredths of a unit, rounded half up. Whole numbers: a size may be larger than a float can hold."""
    bits = 10 * unit
    return (size * 100 + (1 << bits >> 1)) >> bits


def times(factor: float) -> str:
    """One amount as a multiple of another: `(40x)`."""
    return f"({factor:.3g}x)"


def in_bytes(size: Size | Amount) -> str:
    """A size in a sentence: `1 byte`, `80 bytes`, `4 KiB`, `4*%n bytes`."""
    if size.bytes is not None and abs(size.bytes) >= 1024:
        return words(size.bytes)
    return f"{short(size)} byte{'s' if size.bytes != 1 else ''}"


def exactly(size: Size | Amount) -> str:
    """A size with all that is known of it: `80 bytes`, `6.21 KiB (6364 bytes)`, `4*%n bytes`."""
    if size.bytes is not None and abs(size.bytes) >= 1024:
        return f"{words(size.bytes)} ({size.bytes} bytes)"
    return f"{size} byte{'s' if size.bytes != 1 else ''}"


def short(size: Size | Amount) -> str:
    """A size as text, cut where it is too long to read: `4*%n + 8*%m`."""
    text = str(size)
    return text if len(text) <= MAX_EXPRESSION_LENGTH else f"{text[: MAX_EXPRESSION_LENGTH - 1].rstrip(' +*(')}…"


def on(resource: str) -> str:
    """Where memory of a resource is: `on the heap`, `on the stack`, `in gpu memory`."""
    return f"on the {resource}" if resource in ("heap", "stack") else f"in {resource} memory"


def shown(amounts: Sequence[Amount]) -> str:
    """The largest of some amounts, in words."""
    parts = [in_words(amount) for amount in amounts]
    return parts[0] if len(parts) == 1 else f"max({', '.join(parts)})" if parts else "0 B"


def in_words(amount: Size | Amount) -> str:
    """A size in words: `4 KiB`, `4*%n B`, `unbounded`."""
    if amount.bytes is not None:
        return words(amount.bytes)
    return str(amount) if isinstance(amount, Amount) and amount.unbounded else f"{short(amount)} B"


def known(amounts: Sequence[Amount]) -> int | None:
    """The largest of some amounts as a number; None where it is not known."""
    return amounts[0].bytes if len(amounts) == 1 else None if amounts else 0


def expression(amounts: Sequence[Amount]) -> str | None:
    """The largest of some amounts as text where it is no number: `max(4*%n, 80)`, `unbounded`; None where it is one."""
    if known(amounts) is not None:
        return None
    parts = [str(amount) for amount in amounts]
    return parts[0] if len(parts) == 1 else f"max({', '.join(parts)})"

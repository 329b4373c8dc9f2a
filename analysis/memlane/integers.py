"""Numbers in the text of programs, of any length: longer ones than programs have are not numbers.

Python refuses to turn more than 4,300 digits into a number, and such a number into text: neither may end an analysis.
"""

from __future__ import annotations

from memlane.limits import MAX_DIGITS


def numeral(text: str) -> int | None:
    """The number that `text` writes in decimal digits, with a minus before them or not; None where it does not."""
    digits = text.removeprefix("-")
    return int(text) if digits.isdecimal() and len(digits) <= MAX_DIGITS else None

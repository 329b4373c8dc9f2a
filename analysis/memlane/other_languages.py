"""Languages that are written beside MLIR: a file's name -> which of them it is in, so that nothing is said of it."""

from __future__ import annotations

_LANGUAGES = {".td": "TableGen", ".pdll": "PDLL"}
"""By the ends of the names of their files."""


def language_of(name: str) -> str | None:
    """The language of a file that cannot hold MLIR, by its name; None where it can."""
    return next((language for end, language in _LANGUAGES.items() if name.casefold().endswith(end)), None)

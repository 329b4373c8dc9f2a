"""Which documents hold MLIR: editors offer others as well, by patterns that are wide or for files of other tools."""

from __future__ import annotations

from urllib.parse import unquote, urlsplit

from memlane.other_languages import language_of

_PLAIN = frozenset({"plaintext", "plain", "text", "fundamental", "txt"})
"""Language identifiers of editors that have none for MLIR."""


def is_mlir(uri: str, language: str) -> bool:
    """Whether a document holds MLIR, by its name and by what the editor takes it for."""
    name = _name(uri).casefold()
    if language_of(name) is not None:
        return False
    language = language.casefold()
    return not language or "mlir" in language or (language in _PLAIN and name.endswith(".mlir"))


def _name(uri: str) -> str:
    """The path that a URI names; of what is no URI, all of it."""
    try:
        return unquote(urlsplit(uri).path)
    except ValueError:  # `http://[::1`
        return unquote(uri)

"""Snippets of operations: what completion offers after their names. Data, in `common.toml`."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from memlane.dialects.toml import read_toml
from memlane.lazy import regex

_RESULTS = regex(r"\A%\S* = ")


def snippet(name: str, results: bool) -> str | None:
    """The LSP snippet of an operation, or None. `results`: with names for its results."""
    text = snippets().get(name)
    return text if text is None or results else _RESULTS.sub("", text)


@cache
def snippets() -> dict[str, str]:
    """All snippets, by the operation's name. Raises ValueError where the file is no TOML."""
    path = Path(__file__).with_name("common.toml")
    values, problems = read_toml(path.read_text(encoding="utf-8"), str(path))
    if problems:
        raise ValueError(f"{path}: {problems[0]}")
    return {str(name): str(text).strip("\n") for name, text in values.items()}

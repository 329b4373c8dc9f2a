"""TOML text to plain tables; a syntax error is a `DataProblem` like any other."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any, cast

from memlane.dialects.limits import MAX_DOTS
from memlane.dialects.problem import DataProblem
from memlane.lazy import regex

# `tomli` is the standard library's `tomllib` for Python 3.10; both raise a ValueError.
_loads = cast(
    "Callable[[str], dict[str, Any]]", import_module("tomllib" if sys.version_info >= (3, 11) else "tomli").loads
)
_QUOTED = regex(r'"[^"]*"|\'[^\']*\'')
_LINE = regex(r"\(at line (\d+)")


def read_toml(text: str, file: str) -> tuple[dict[str, Any], tuple[DataProblem, ...]]:
    """The tables of a TOML text; empty, with the one problem, where it is no TOML."""
    for number, line in enumerate(text.split("\n"), 1):
        if line.count(".") > MAX_DOTS and _QUOTED.sub("", line).partition("#")[0].count(".") > MAX_DOTS:
            return {}, (DataProblem(file, number, "", "a key has too many parts"),)
    try:
        return _loads(text), ()
    except ValueError as error:
        line = _LINE.search(str(error))
        at = int(line[1]) if line else text.count("\n") + 1
        return {}, (DataProblem(file, at, "", f"not TOML: {error}"),)
    except RecursionError:
        return {}, (DataProblem(file, 1, "", "is nested too deeply"),)

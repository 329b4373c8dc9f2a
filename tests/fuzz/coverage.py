"""Fuzz guided by coverage: `python -m tests.fuzz.coverage TARGET [FOLDER] [OPTION...]`, where atheris is installed.

Targets are those of `tests.fuzz` that take a program. FOLDER keeps the inputs that reached new code; options are
libFuzzer's (`-max_total_time=60`, `-runs=10000`).
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any

from tests.fuzz.budget import allowed, bounded


def main(arguments: list[str]) -> None:
    """Fuzz one target until libFuzzer ends the process."""
    atheris: Any = import_module("atheris")
    with atheris.instrument_imports(include=["memlane"]):
        target = import_module("tests.fuzz.targets").TARGETS[arguments[0]]

    def one(data: bytes) -> None:
        source = data.decode("utf-8", "surrogateescape")
        with bounded(10 * allowed(arguments[0], source)):  # instrumented code is slower
            target(source)

    atheris.Setup([sys.argv[0], *arguments[1:]], one)
    atheris.Fuzz()


if __name__ == "__main__":
    main(sys.argv[1:])

"""How many lines of Python something runs, a line as often as it is run. They are the same on every machine."""

from __future__ import annotations

import ctypes
import gc
import shutil
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _typeshed import TraceFunction

Work = Callable[[], object]
COMPILER = shutil.which("gcc")


def lines_run(work: Work) -> int:
    """How many lines `work` runs."""
    gc.collect()
    gc.disable()  # what others have left would be closed in between, and run lines of its own
    before = sys.gettrace()
    try:
        return counted_in_c(work) if COMPILER else counted_in_python(work)
    finally:
        sys.settrace(before)
        gc.enable()


def counted_in_c(work: Work) -> int:
    """Counts with `lines.c`, and goes on until another trace function is set. The work takes twice its time, not four
    times."""
    library = _library()
    before = library.lines_counted()
    ctypes.pythonapi.PyEval_SetTrace(library.count_line, None)
    work()
    return library.lines_counted() - before


def counted_in_python(work: Work) -> int:
    """Counts without a compiler, and goes on until another trace function is set."""
    count = 0

    def counted(frame: FrameType, event: str, argument: object) -> TraceFunction:
        nonlocal count
        count += event == "line"
        return counted

    sys.settrace(counted)
    work()
    return count


@cache
def _library() -> ctypes.CDLL:
    assert COMPILER is not None
    with TemporaryDirectory() as folder:
        made = Path(folder, "lines.so")
        source = Path(__file__).with_name("lines.c")
        subprocess.run([COMPILER, "-O2", "-shared", "-fPIC", "-Wall", "-Werror", "-o", made, source], check=True)
        library = ctypes.CDLL(str(made))
    library.lines_counted.restype = ctypes.c_long
    ctypes.pythonapi.PyEval_SetTrace.argtypes = [type(library.count_line), ctypes.py_object]
    ctypes.pythonapi.PyEval_SetTrace.restype = None
    return library

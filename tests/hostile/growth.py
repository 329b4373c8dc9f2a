"""How the work of each phase grows with its input: by lines run, the same on every machine, and by time.

Lines are those of Python, each time it is run (lines.py). What grows inside one function of C (a regular expression, a
concatenation) only time shows: `python -m tests.hostile` prints it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from math import log2

from memlane.checking import check, check_document
from memlane.compare import Measurer
from memlane.config import Config
from memlane.fixes import fix_all, with_fixes
from memlane.memory_report import assumptions, usage
from memlane.query import Checker
from memlane.syntax import Document
from memlane.text import Text
from tests.hostile.lines import Work, lines_run

CONFIG = Config()


def _read(text: str) -> Work:
    return lambda: Document(text, CONFIG.models).tree


def _build(text: str) -> Work:
    tree = Document(text, CONFIG.models).tree
    return lambda: sum(1 for _ in tree.walk())


def _check(text: str) -> Work:
    document = Document(text, CONFIG.models)
    _ = document.tree
    return lambda: check_document(Text(text), document, Checker(), CONFIG)


def _memory(text: str) -> Work:
    return lambda: list(usage(text, CONFIG, assumptions(text, CONFIG)))


def _fixes(text: str) -> Work:
    checked = check(text, CONFIG)
    return lambda: with_fixes(checked, CONFIG)


def _fix_all(text: str) -> Work:
    return lambda: fix_all(text, CONFIG)


PHASES: Mapping[str, Callable[[str], Work]] = {
    "read": _read,
    "build": _build,
    "check": _check,
    "memory": _memory,
    "fixes": _fixes,
    "fix all": _fix_all,
}
"""Prepare a text; what is given back is what counts."""


def versions(text: str) -> Work:
    """What `memlane diff` and `memlane passes` do with each version."""
    return lambda: Measurer(CONFIG, assumptions(text, CONFIG)).measure(text)


def seconds(work: Work) -> float:
    """Processor time of `work`."""
    start = time.process_time()
    work()
    return time.process_time() - start


def exponent(small: float, large: float) -> float:
    """The power of the size with which something grows that is `small` and, for an input twice as large, `large`."""
    return log2(max(large, 1e-9) / max(small, 1e-9))


def power(work: Callable[[int], Work], size: int) -> float:
    """The power with which the lines that are run grow from input of a size to input twice as large.

    Args:
        work: prepares work on input of a size. Half of `size` is done before, to learn what statements look like.
    """
    work(size // 2)()
    small, large = (lines_run(work(size * factor)) for factor in (1, 2))
    return exponent(small, large)

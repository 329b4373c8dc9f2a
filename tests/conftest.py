"""Where the tests find things."""

from __future__ import annotations

import gc
import os
import signal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from memlane.cli import COLLECT
from memlane.syntax.editing import document
from memlane.syntax.lines.memo import Memo
from memlane.syntax.tree import layout

os.environ["MEMLANE_NO_CACHE"] = "1"
"""What is tested is computed, here and in the processes that tests start; tests of the cache say otherwise."""
os.environ["MEMLANE_RAISE_BUGS"] = "1"
"""What cannot be fails a test, here and in the processes that tests start."""
_ = os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
"""Processes that tests start find the package compiled, rather than each compile it for itself."""

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # As shells have it for what they start in the background; processes that tests interrupt would inherit it.
    signal.signal(signal.SIGINT, signal.default_int_handler)

settings.register_profile(
    "memlane", deadline=None, derandomize=True, database=None, suppress_health_check=(HealthCheck.too_slow,)
)
settings.load_profile("memlane")
"""The same examples in every run, whatever was found before, and none fails for what it took on a busy machine."""

gc.set_threshold(COLLECT, 10, 10)
"""As the command has it: with Python's own, looking for cycles takes a third of what large programs take."""


def pytest_collection_finish() -> None:
    """What is there before the first test stays, and is looked at no more."""
    gc.collect()
    gc.freeze()


ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture
def root() -> Path:
    """The root of the checkout."""
    return ROOT


@pytest.fixture
def shared() -> Path:
    """The material that lies beside the checkout and is not part of it; the test is skipped without."""
    path = ROOT.parent / "shared"
    if not path.is_dir():
        pytest.skip(f"needs the folder `shared` beside the checkout ({path})")
    return path


@pytest.fixture
def unlearned(monkeypatch: pytest.MonkeyPatch) -> None:
    """What statements look like is known as in a new process, whatever tests ran before: for those that count work."""
    monkeypatch.setattr(document, "_memo", Memo())
    layout.forget()  # what others left would have it full, and begun anew, in the middle of what is counted

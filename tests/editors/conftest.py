"""The fixture of the tests with real editors."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))  # pytest's importlib mode adds no folder by itself

from editor_bench import Bench, fresh


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    """A fresh profile with a leaking program."""
    return fresh(tmp_path)

"""Where the tests find things."""

from __future__ import annotations

from pathlib import Path

import pytest

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

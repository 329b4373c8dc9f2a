"""Hints are computed after a check, while the ops of the functions exist: where they may be requested."""

from __future__ import annotations

from memlane.ide.snapshot import File
from memlane.query import Visit


def hint(file: File, wanted: bool = True) -> None:
    """Note whether hints may be requested of a document."""
    file.view.visit = _drafting if wanted else None


def _drafting(file: File) -> Visit:
    from memlane.ide.hint_cache import Drafting  # loaded by the first check that needs it

    return Drafting(file)

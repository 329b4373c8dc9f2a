"""Following buffers through all of a function, in place of the stretch of its blocks that names them."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from memlane.checking import check
from memlane.flow import strategy


def follow_everywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on no buffer is followed but where all its paths are."""

    def nowhere(*_: object) -> None:
        return None

    monkeypatch.setattr(strategy, "stretch", nowhere)


def compare_with_everywhere(texts: Sequence[str], monkeypatch: pytest.MonkeyPatch) -> int:
    """The same is found in some texts as in their whole functions; gives how many findings that are."""
    found = [_told(text) for text in texts]
    follow_everywhere(monkeypatch)
    for text, findings in zip(texts, found, strict=True):
        assert findings == _told(text), text
    return sum(map(len, found))


def _told(text: str) -> list[tuple[str, object]]:
    return [(one.rule.name, one.report) for one in check(text).findings]

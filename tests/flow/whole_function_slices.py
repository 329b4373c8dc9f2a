"""Exploration of all blocks, in place of the slice."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import pytest

from memlane.checking import check
from memlane.flow import strategy
from memlane.flow.alias.alias import Cluster
from memlane.flow.cfg.graph import Graph
from memlane.flow.slicing.pruned_slice import Direct


def follow_everywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on all buffers are followed through all blocks of their functions."""

    def everywhere(graph: Graph, clusters: Collection[Cluster], *_: object, **__: object) -> Direct:
        return Direct(graph, clusters, None)

    monkeypatch.setattr(strategy, "Direct", everywhere)


def compare_with_everywhere(texts: Sequence[str], monkeypatch: pytest.MonkeyPatch) -> int:
    """The same is found in some texts as in all blocks, but for the choices shown; gives how many findings."""
    found = [_told(text) for text in texts]
    follow_everywhere(monkeypatch)
    for text, findings in zip(texts, found, strict=True):
        assert findings == _told(text), text
    return sum(map(len, found))


def _told(text: str) -> set[tuple[str, object, str]]:
    return {(one.rule.name, one.report.span, one.report.message) for one in check(text).findings}

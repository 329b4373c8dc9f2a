"""Analysed functions leave no cyclic garbage: the collector is off during a first check."""

from __future__ import annotations

import gc

import pytest

from memlane.config import Config
from memlane.flow.cfg.graph import Graph
from memlane.query import Checker
from memlane.syntax import Document
from tests.flow.test_incremental import CALLS, PROGRAM


@pytest.mark.slow
def test_no_graph_is_left_behind() -> None:
    config, checker = Config(), Checker()
    document = Document(PROGRAM + CALLS, config.models)
    gc.collect()
    gc.disable()
    try:
        before = sum(isinstance(one, Graph) for one in gc.get_objects())
        assert checker.findings(document, config)
        after = sum(isinstance(one, Graph) for one in gc.get_objects())
    finally:
        gc.enable()
    assert after == before

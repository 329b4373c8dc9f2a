"""No common work costs a fifth more than it did. To keep new costs: `python -m tests.bench.costs --update`."""

from __future__ import annotations

import pytest

from memlane.syntax.editing import document
from memlane.syntax.lines.memo import Memo
from tests.bench import costs

MOST = 1.2


@pytest.fixture(scope="module")
def found() -> dict[str, int]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(document, "_memo", Memo())  # as in a new process, whatever tests ran before
        return costs.costs()


@pytest.mark.slow
@pytest.mark.skipif(costs.kept()["python"] != costs.VERSION, reason=f"no costs are kept for Python {costs.VERSION}")
def test_nothing_costs_more_than_it_did(found: dict[str, int]) -> None:
    kept: dict[str, int] = costs.kept()["lines"]
    assert found.keys() == kept.keys()
    assert {name: lines / kept[name] for name, lines in found.items() if lines > MOST * kept[name]} == {}


@pytest.mark.slow
def test_a_keystroke_costs_little_for_each_function_it_does_not_touch(found: dict[str, int]) -> None:
    each = (found["a keystroke among 400 functions"] - found["a keystroke among 50 functions"]) / 350
    assert each < 60  # lines run; a check of such a function runs thousands


@pytest.mark.slow
def test_what_costs_more_is_seen() -> None:
    assert costs.lines_run(lambda: sum(number for number in range(300))) > MOST * costs.lines_run(
        lambda: sum(number for number in range(200))
    )

"""Which functions a value may be is found out once for all values of a function."""

from __future__ import annotations

from typing import Any

import pytest

from memlane import check
from memlane.flow.control.chosen import Chosen

TYPE = "(memref<4xf32>) -> ()"
FUNCTION = f"""func.func private @release(%m: memref<4xf32>) {{
memref.dealloc %m : memref<4xf32>
return
}}
func.func @many(%c: i1) {{
%f = func.constant @release : {TYPE}
cf.cond_br %c, ^b0(%f : {TYPE}), ^b0(%f : {TYPE})
"""


def handed_on(blocks: int) -> str:
    """A function from block to block, each of which calls it."""
    parts = [FUNCTION]
    for number in range(blocks):
        parts.append(f"^b{number}(%f{number}: {TYPE}):\n%m{number} = memref.alloc() : memref<4xf32>\n")
        parts.append(f"func.call_indirect %f{number}(%m{number}) : {TYPE}\n")
        parts.append(f"cf.br ^b{number + 1}(%f{number} : {TYPE})\n")
    return "".join(parts) + f"^b{blocks}(%last: {TYPE}):\nreturn\n}}\n"


def looks(monkeypatch: pytest.MonkeyPatch, text: str) -> int:
    """How often it is looked what a value is given."""
    seen: list[object] = []
    given: Any = Chosen._given  # pyright: ignore[reportPrivateUsage] -- what is counted

    def counted(self: Chosen, value: Any) -> Any:
        seen.append(value)
        return given(self, value)

    with monkeypatch.context() as patch:
        patch.setattr(Chosen, "_given", counted)
        assert [finding.rule.name for finding in check(text).findings] == ["argument-free"]
    return len(seen)


def test_each_value_is_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    few, many = (looks(monkeypatch, handed_on(blocks)) for blocks in (20, 80))
    assert few <= 3 * 20
    assert many <= 4 * few

"""A deallocation is late however many blocks lie between it and where its buffer dies."""

from __future__ import annotations

import pytest

from memlane.checking import check
from memlane.placement import distances

TYPE = "memref<8xf32>"


def sides(blocks: int) -> str:
    """A buffer that dies on either of two sides, of so many blocks each, behind which it is freed."""
    lines = [f"func.func @f(%c: i1, %d: i1, %x: f32, %i: index, %o: {TYPE}) {{", f"  %a = memref.alloc() : {TYPE}"]
    lines.append("  cf.cond_br %c, ^l0, ^r0")
    for side in "lr":
        for number in range(blocks):
            buffer = "%o" if number else "%a"
            lines.append(f"^{side}{number}:\n  memref.store %x, {buffer}[%i] : {TYPE}")
            lines.append(f"  cf.cond_br %d, ^{side}{number + 1}, ^{side}x{number}")
            lines.append(f"^{side}x{number}:\n  cf.br ^{side}{number + 1}")
        lines.append(f"^{side}{blocks}:\n  cf.br ^end")
    return "\n".join([*lines, f"^end:\n  memref.dealloc %a : {TYPE}\n  return\n}}\n"])


def held(source: str) -> list[str]:
    return [one.report.message for one in check(source).findings if one.rule.name == "late-free"]


def test_the_fewest_operations_are_counted_over_all_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(distances, "MAX_SEARCH_STEPS", 40)
    assert held(sides(40)) == ["buffer %a of 32 bytes is held over 39 operations after its last use on each path"]
    monkeypatch.setattr(distances, "MAX_FAR_STEPS_PER_SEGMENT", 0)
    assert held(sides(40)) == []


@pytest.mark.slow
def test_in_functions_of_thousands_of_blocks() -> None:
    assert held(sides(1_500)) == ["buffer %a of 32 bytes is held over 1499 operations after its last use on each path"]

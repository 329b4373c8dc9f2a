"""A deallocation is late however many blocks lie between it and where its buffer dies."""

from __future__ import annotations

import pytest

from memlane.checking import check
from memlane.placement import distances

TYPE = "memref<8xf32>"


def sides(blocks: int) -> str:
    """Two buffers, of which one dies at the beginning of two sides of so many blocks each, and one at their ends."""
    lines = [f"func.func @f(%c: i1, %d: i1, %x: f32, %i: index, %o: {TYPE}) {{", f"  %a = memref.alloc() : {TYPE}"]
    lines += [f"  %b = memref.alloc() : {TYPE}", "  cf.cond_br %c, ^l0, ^r0"]
    for side in "lr":
        for number in range(blocks):
            buffer = "%o" if number else "%a"
            lines.append(f"^{side}{number}:\n  memref.store %x, {buffer}[%i] : {TYPE}")
            lines.append(f"  cf.cond_br %d, ^{side}{number + 1}, ^{side}x{number}")
            lines.append(f"^{side}x{number}:\n  cf.br ^{side}{number + 1}")
        used = "".join(f"  memref.store %x, {buffer}[%i] : {TYPE}\n" for buffer in ("%b", "%o"))
        lines.append(f"^{side}{blocks}:\n{used}  cf.br ^end")
    freed = "".join(f"  memref.dealloc {buffer} : {TYPE}\n" for buffer in ("%a", "%b"))
    return "\n".join([*lines, f"^end:\n{freed}  return\n}}\n"])


def held(source: str) -> list[str]:
    """What is said of late deallocations, without what all of it ends with."""
    said = [one.report.message for one in check(source).findings if one.rule.name == "late-free"]
    return [
        one.removesuffix(" after its last use on each path").replace("of 32 bytes is held over ", "") for one in said
    ]


NEAR = "buffer %b 1 operation"


def test_the_fewest_operations_are_counted_over_all_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(distances, "MAX_SEARCH_STEPS", 40)
    assert held(sides(40)) == ["buffer %a 41 operations", NEAR]


def test_a_search_that_ends_early_leaves_their_own_steps_to_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(distances, "MAX_SEARCH_STEPS", 40)
    monkeypatch.setattr(distances, "MAX_FAR_STEPS_PER_SEGMENT", 0)
    assert held(sides(40)) == [NEAR]


@pytest.mark.slow
def test_in_functions_of_thousands_of_blocks() -> None:
    assert held(sides(1_500)) == ["buffer %a 1501 operations", NEAR]

"""A switch over a number that is known goes the way of its case, or that of all others."""

from __future__ import annotations

import pytest

from memlane import check
from memlane.flow.typestate import switch_folding

TYPE = "memref<8xf32>"
FREE = f"memref.dealloc %a : {TYPE}"
COUNT = 12


def _blocks(number: str) -> str:
    """The third case and all others free the buffer, the other cases do not."""
    ways = ", ".join(f"{case}: ^{'free' if case == 3 else 'keep'}" for case in range(COUNT))
    return (
        f"func.func @f(%n: i32) {{\n  %a = memref.alloc() : {TYPE}\n  %k = {number}\n"
        f"  cf.switch %k : i32, [default: ^free, {ways}]\n^free:\n  {FREE}\n  return\n^keep:\n  return\n}}\n"
    )


def _regions(number: str) -> str:
    ways = "".join(f"  case {case} {{\n  {FREE if case == 3 else ''}\n  }}\n" for case in range(COUNT))
    return (
        f"func.func @f(%n: index) {{\n  %a = memref.alloc() : {TYPE}\n  %k = {number}\n"
        f"  scf.index_switch %k\n{ways}  default {{\n  {FREE}\n  }}\n  return\n}}\n"
    )


@pytest.mark.parametrize(("number", "rules"), [(3, []), (5, ["leak"]), (COUNT, []), (-1, [])])
def test_a_number_that_is_known_goes_one_way(number: int, rules: list[str]) -> None:
    assert _rules(_blocks(f"arith.constant {number} : i32")) == rules
    assert _rules(_regions(f"arith.constant {number} : index")) == rules


def test_one_that_is_not_known_goes_all_ways(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = _blocks("arith.addi %n, %n : i32"), _regions("arith.addi %n, %n : index")
    assert [*map(_rules, texts)] == [["possible-leak"]] * 2
    monkeypatch.setattr(switch_folding, "MIN_EDGES", COUNT + 2)
    assert [*map(_rules, texts)] == [["possible-leak"]] * 2


def _rules(text: str) -> list[str]:
    return [finding.rule.name for finding in check(text).findings]

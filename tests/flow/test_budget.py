"""What happens when a function has more paths than the budget allows: less is known, never more, and it is said."""

from __future__ import annotations

import pytest

from memlane.checking import check
from memlane.flow import explore

SHUFFLED = """\
func.func @shuffle(%n: index, %c: i1) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
{allocs}
  %r:{count} = scf.for %i = %c0 to %n step %c1 iter_args({arguments}) -> ({types}) {{
    %swap = "test.coin"() : () -> i1
    %x, %y = scf.if %swap -> (memref<4xf32>, memref<4xf32>) {{
      scf.yield %v1, %v0 : memref<4xf32>, memref<4xf32>
    }} else {{
      scf.yield %v0, %v1 : memref<4xf32>, memref<4xf32>
    }}
    scf.yield {rotated} : {types}
  }}
{deallocs}
  return
}}
"""


def shuffled(count: int, freed: int) -> str:
    """A loop that may put `count` buffers into any order, of which the first `freed` are freed afterwards."""
    names = ["%x", "%y", *(f"%v{i}" for i in range(2, count))]
    return SHUFFLED.format(
        allocs="\n".join(f"  %a{i} = memref.alloc() : memref<4xf32>" for i in range(count)),
        count=count,
        arguments=", ".join(f"%v{i} = %a{i}" for i in range(count)),
        types=", ".join(["memref<4xf32>"] * count),
        rotated=", ".join(names[1:] + names[:1]),
        deallocs="\n".join(f"  memref.dealloc %r#{i} : memref<4xf32>" for i in range(freed)),
    )


def names(source: str) -> list[str]:
    return [finding.rule.name for finding in check(source).findings]


def test_few_buffers_are_followed_together() -> None:
    assert names(shuffled(3, 3)) == []
    assert set(names(shuffled(3, 2))) == {"possible-leak"}


def test_many_buffers_are_followed_one_by_one() -> None:
    """Nine buffers in any order are 362,880 states; each alone is in one of nine places."""
    assert names(shuffled(9, 9)) == []
    assert names(shuffled(9, 8)) == ["possible-leak"] * 9


def test_giving_up_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    for budget in ("PER_POINT", "PER_PLAIN_POINT"):
        monkeypatch.setattr(explore, budget, 0)
    monkeypatch.setattr(explore, "BUDGET", 3)
    assert names(shuffled(3, 3)) == ["analysis-limit"] * 3

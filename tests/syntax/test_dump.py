"""The JSON form of a tree."""

from __future__ import annotations

from memlane.syntax import parse
from memlane.syntax.tree.dump import structure
from memlane.text import Text

SOURCE = "func.func @𝔣(%a: i1) {\n  cf.cond_br %a, ^b(%a : i1), ^b(%a : i1)\n^b(%x: i1):\n  return\n}\n".replace(
    "𝔣", "f"
)


def test_structure() -> None:
    function, branch, last = structure(parse(SOURCE), Text(SOURCE))
    assert function["location"] == {"row": 1, "column": 1} and function["parent"] is None
    assert branch["parent"] == 0 and branch["successors"] == ["^b", "^b"]
    assert [operand["definition"] for operand in branch["operands"]] == [{"row": 1, "column": 14}] * 3
    (region,) = function["regions"]
    assert [block["label"] for block in region["blocks"]] == [None, "^b"]
    assert [block["operations"] for block in region["blocks"]] == [[1], [2]]
    assert last["name"] == "func.return"

"""Loops that fill a buffer and read it, as lowering leaves them, are explored once, where the buffer is named."""

from __future__ import annotations

from typing import Any

import pytest

from memlane.checking import check
from memlane.config import Config
from memlane.flow import strategy
from memlane.flow.interproc.exploration_result import explored

TYPE = "memref<4xf32>"


def _loop(name: str, body: str) -> list[str]:
    return [
        f"  cf.br ^{name}(%c0 : index)",
        f"^{name}(%i_{name}: index):",
        f"  %t_{name} = arith.cmpi slt, %i_{name}, %n : index",
        f"  cf.cond_br %t_{name}, ^in_{name}, ^on_{name}",
        f"^in_{name}:",
        body.replace("%i", f"%i_{name}"),
        f"  %j_{name} = arith.addi %i_{name}, %c1 : index",
        f"  cf.br ^{name}(%j_{name} : index)",
        f"^on_{name}:",
    ]


def loops(count: int, filled: bool = True) -> str:
    """Buffers that are each filled in a loop, or not, and read in another."""
    lines = [f"func.func @f(%x: f32, %n: index, %out: {TYPE}) {{"]
    lines += [f"  %c{number} = arith.constant {number} : index" for number in range(2)]
    for n in range(count):
        lines.append(f"  %a{n} = memref.alloc() : {TYPE}")
        lines += _loop(f"fill{n}", f"  memref.store %x, {f'%a{n}' if filled else '%out'}[%i] : {TYPE}")
        lines += _loop(f"read{n}", f"  %v{n} = memref.load %a{n}[%i] : {TYPE}\n  memref.store %v{n}, %out[%i] : {TYPE}")
        lines.append(f"  memref.dealloc %a{n} : {TYPE}")
    return "\n".join([*lines, "  return", "}", ""])


def test_what_may_be_read_before_it_is_written_is_followed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    parts: list[object] = []

    def counted(*arguments: Any) -> object:
        parts.append(arguments[2])
        return explored(*arguments)

    monkeypatch.setattr(strategy, "explored", counted)
    assert not check(loops(4), Config()).findings
    assert len(parts) == 4


def test_what_is_always_read_before_it_is_written_is_told() -> None:
    found = check(loops(2, filled=False), Config()).findings
    assert [finding.rule.name for finding in found] == ["uninitialized-read"] * 2

"""Functions that are not analysed have no findings; each reason to analyse one holds."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import memlane.query.functions
from memlane.checking import check
from memlane.config import Config
from memlane.dialects.model import Models
from memlane.query.skip_trivial import idle
from memlane.syntax import Document
from memlane.syntax.editing.piece import Piece, Sort
from tests.fuzz.programs import program

MODELS = Config().models


def _told(source: str) -> list[bool]:
    """Of each function whether there is nothing to say of it."""
    return [idle(piece, MODELS) for piece in Document(source, MODELS).pieces if piece.sort is Sort.FUNCTION]


@pytest.mark.parametrize(
    "source",
    [
        "func.func @empty() {\n  return\n}\n",
        "func.func @reads(%a: memref<4xf32>, %i: index) {\n  %x = memref.load %a[%i] : memref<4xf32>\n  return\n}\n",
        "func.func @scalar(%x: f32) -> f32 {\n  %y = arith.negf %x : f32\n  return %y : f32\n}\n",
        "func.func @tensor(%t: tensor<4xf32>) -> tensor<4xf32> {\n  return %t : tensor<4xf32>\n}\n",
        'func.func @unknown(%x: f32) -> f32 {\n  %y = "npu.relu"(%x) : (f32) -> f32\n  return %y : f32\n}\n',
        "func.func @blocks() {\n  cf.br ^bb1\n^bb1:\n  return\n}\n",
    ],
)
def test_nothing_to_say(source: str) -> None:
    assert _told(source) == [True]
    assert not check(source, Config()).findings


@pytest.mark.parametrize(
    "source",
    [
        "func.func @makes() {\n  %a = memref.alloc() : memref<4xf32>\n  return\n}\n",
        "func.func @frees(%a: memref<4xf32>) {\n  memref.dealloc %a : memref<4xf32>\n  return\n}\n",
        "func.func @calls() {\n  call @calls() : () -> ()\n  return\n}\n",
        "func.func @hands_out(%a: memref<4xf32>) -> memref<4xf32> {\n  return %a : memref<4xf32>\n}\n",
        "func.func @hidden() -> !x.y {\n^bb0(%a: !x.y):\n  return %a : !x.y\n}\n",
        "func.func @destination() {\n  %t = tensor.empty() : tensor<4xf32>\n  return\n}\n",
        'func.func @undescribed(%a: memref<4xf32>) {\n  "npu.run"(%a) : (memref<4xf32>) -> ()\n  return\n}\n',
        "func.func @hands_on(%a: memref<4xmemref<4xf32>>, %i: index) -> memref<4xf32> {\n"
        "  %b = memref.load %a[%i] : memref<4xmemref<4xf32>>\n  return %b : memref<4xf32>\n}\n",
        '"func.func"() ({\n^bb0(%a: memref<4xf32>):\n  "func.return"(%a) : (memref<4xf32>) -> ()\n'
        '}) {function_type = (memref<4xf32>) -> memref<4xf32>, sym_name = "generic"} : () -> ()\n',
        "func.func @around() {\n  func.func @inside() {\n    return\n  }\n  return\n}\n",
    ],
)
def test_something_to_say(source: str) -> None:
    assert not any(_told(source)[:1])


def _same(source: str, monkeypatch: pytest.MonkeyPatch) -> int:
    """Compares findings with those of looking into all functions; gives how many were not looked into."""
    skipped = 0

    def counted(piece: Piece, models: Models) -> bool:
        nonlocal skipped
        found = idle(piece, models)
        skipped += found
        return found

    def never(piece: Piece, models: Models) -> bool:
        return False

    config = Config()
    monkeypatch.setattr(memlane.query.functions, "idle", counted)
    found = check(source, config)
    monkeypatch.setattr(memlane.query.functions, "idle", never)
    everywhere = check(source, config)
    assert found.findings == everywhere.findings
    assert found.suppressed == everywhere.suppressed
    return skipped


def test_names_without_a_dialect(monkeypatch: pytest.MonkeyPatch) -> None:
    source = "func.func @f(%x: f32) {\n  return\n}\n"
    assert _same(source, monkeypatch) == 1
    assert not _same(f"spirv.module Logical GLSL450 {{\n{source}}}\n", monkeypatch)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
def test_programs(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    _same(program(random.Random(seed), 3), monkeypatch)


@pytest.mark.slow
def test_programs_of_others(shared: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = sorted((shared / "corpus").glob("**/*.mlir"))
    if not paths:
        pytest.skip("no corpus in the shared material")
    texts = [path.read_text(encoding="utf-8", errors="replace") for path in paths[::3]]
    assert sum(_same(text, monkeypatch) for text in texts) > 300

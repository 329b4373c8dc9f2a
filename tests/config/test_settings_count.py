"""Each setting of `memlane.toml` changes what a command prints: none is read and then forgotten."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from memlane.cli import main
from memlane.config.options import OPTIONS

LATE = """\
func.func @f(%x: memref<4xf32>, %y: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %x, %a : memref<4xf32> to memref<4xf32>
  memref.copy %y, %x : memref<4xf32> to memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  return
}
"""
LEAK = """\
func.func @f(%x: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %x, %a : memref<4xf32> to memref<4xf32>
  return
}
"""
UNDER_A_FLAG = """\
func.func @f(%x: memref<8xf32>, %c: i1) -> f32 {
  %c0 = arith.constant 0 : index
  %r = scf.if %c -> (memref<8xf32>) {
    %new = memref.alloc() : memref<8xf32>
    memref.copy %x, %new : memref<8xf32> to memref<8xf32>
    scf.yield %new : memref<8xf32>
  } else {
    scf.yield %x : memref<8xf32>
  }
  %v = memref.load %r[%c0] : memref<8xf32>
  return %v : f32
}
"""
SMALL = """\
func.func @f(%x: f32, %i: index) -> f32 {
  %a = memref.alloc() : memref<4xf32>
  memref.store %x, %a[%i] : memref<4xf32>
  %y = memref.load %a[%i] : memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  return %y : f32
}
"""
STACK_IN_A_LOOP = """\
func.func @f(%x: f32, %i: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %j = %c0 to %c8 step %c1 {
    %a = memref.alloca() : memref<4xf32>
    memref.store %x, %a[%i] : memref<4xf32>
  }
  return
}
"""
DYNAMIC = """\
func.func @f(%n: index, %x: f32, %i: index) {
  %a = memref.alloc(%n) : memref<?xf32>
  memref.store %x, %a[%i] : memref<?xf32>
  memref.dealloc %a : memref<?xf32>
  return
}
"""
FREED_BY_NPU = """\
func.func @f(%x: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %x, %a : memref<4xf32> to memref<4xf32>
  "npu.release"(%a) : (memref<4xf32>) -> ()
  return
}
"""
NPU = '[op."npu.release"]\nframe = "descriptor"\nfree = 0\n'


class Changed(NamedTuple):
    """A setting, and what it changes.

    Args:
        text: of the setting in `memlane.toml`.
        program: of `program.mlir`.
        command: what is run; `.` is the folder.
        files: others that lie in the folder.
    """

    text: str
    program: str
    command: tuple[str, ...] = ("check", "--no-cache", ".")
    files: tuple[tuple[str, str], ...] = ()


CHANGES = {
    "extend": Changed('extend = "other.toml"', LEAK, files=(("other.toml", 'ignore = ["leak"]\n'),)),
    "select": Changed('select = ["double-free"]', LEAK),
    "extend-select": Changed('extend-select = ["stack-promotable"]', SMALL),
    "ignore": Changed('ignore = ["leak"]', LEAK),
    "extend-ignore": Changed('extend-ignore = ["leak"]', LEAK),
    "severity": Changed('severity = {leak = "error"}', LEAK),
    "per-file-ignores": Changed('per-file-ignores = {"program.mlir" = ["leak"]}', LEAK),
    "include": Changed('include = ["*.ir"]', LEAK),
    "exclude": Changed('exclude = ["program.mlir"]', LEAK),
    "respect-gitignore": Changed("respect-gitignore = false", LEAK, files=((".gitignore", "program.mlir\n"),)),
    "models": Changed('models = ["npu.toml"]', FREED_BY_NPU, files=(("npu.toml", NPU),)),
    "budget": Changed("budget = {default = 8}", LATE),
    "assume.dynamic-size": Changed("[assume]\ndynamic-size = 7", DYNAMIC, ("stats", ".")),
    "assume.sizes": Changed("[assume]\nsizes = {'@f %n' = 7}", DYNAMIC, ("stats", ".")),
    "limits.alloc": Changed("[limits]\nalloc = 8", LATE),
    "limits.stack-promotion": Changed('extend-select = ["stack-promotable"]\n[limits]\nstack-promotion = 8', SMALL),
    "limits.late-operations": Changed("[limits]\nlate-operations = 2", LATE),
    "limits.late-bytes": Changed("[limits]\nlate-bytes = 17", LATE),
    "limits.stack-growth": Changed("[limits]\nstack-growth = 128", STACK_IN_A_LOOP),
    "fix.form": Changed('[fix]\nform = "bufferization"', UNDER_A_FLAG, ("check", "--no-cache", "--diff", ".")),
}
WITHOUT = {"limits.stack-promotion": 'extend-select = ["stack-promotable"]\n'}
"""What stands in the file without the setting, where that is something."""


def test_all_settings_are_tried() -> None:
    assert CHANGES.keys() == {option.key for option in OPTIONS}


@pytest.mark.parametrize("key", CHANGES)
def test_it_changes_what_is_printed(
    key: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    change = CHANGES[key]
    (tmp_path / ".git").mkdir()  # what git ignores is a matter of its folders
    for name, text in (("program.mlir", change.program), *change.files):
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)

    def printed(configuration: str) -> str:
        (tmp_path / "memlane.toml").write_text(configuration, encoding="utf-8")
        main(list(change.command))
        output, errors = capfd.readouterr()
        assert "memlane.toml" not in errors  # it is not told to be wrong
        return output

    assert printed(change.text + "\n") != printed(WITHOUT.get(key, ""))

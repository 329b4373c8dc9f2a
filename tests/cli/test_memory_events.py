"""`memlane parse --memory-ir`: what functions do to memory, as text."""

from __future__ import annotations

from pathlib import Path

import pytest

from memlane.checking import check
from memlane.cli import main
from memlane.cli.render.memory_events import memory_events
from memlane.config import Config
from memlane.text import Text

PROGRAM = """\
func.func private @make(%n: index) -> memref<?xf32> {
  %m = memref.alloc(%n) : memref<?xf32>
  return %m : memref<?xf32>
}
func.func @f(%c: i1, %n: index, %x: f32, %out: memref<4xf32>) -> memref<?xf32> {
  %a = memref.alloc() : memref<4xf32>
  %s = memref.subview %a[0] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1]>>
  %k = call @make(%n) : (index) -> memref<?xf32>
  %r = scf.for %i = %n to %n step %n iter_args(%b = %a) -> (memref<4xf32>) {
    memref.store %x, %b[%i] : memref<4xf32>
    %y = arith.addf %x, %x : f32
    scf.if %c {
      memref.copy %b, %out : memref<4xf32> to memref<4xf32>
    }
    scf.yield %b : memref<4xf32>
  }
  "my.op"(%s) : (memref<2xf32, strided<[1]>>) -> ()
  cf.cond_br %c, ^free(%r : memref<4xf32>), ^out
^free(%q: memref<4xf32>):
  memref.dealloc %q : memref<4xf32>
  cf.br ^out
^out:
  return %k : memref<?xf32>
}
"""
EVENTS = """\
@make(%n: index)
  buffer %m: allocated on line 2, 4*%n bytes
  entry:
    line 2: memref.alloc: alloc %m on the heap
    line 3: func.return: return %m

@f(%c: i1, %n: index, %x: f32, %out: memref<4xf32>)
  buffer %out: of the caller, 16 bytes
  buffer %a: allocated on line 6, 16 bytes
    also named %s, %r, %b, %q
  buffer %k: given by a call on line 8
  entry:
    line 6: memref.alloc: alloc %a on the heap
    line 7: memref.subview: %s is part of %a
    line 8: func.call: call @make
    line 9: scf.for: to region 0 with %b = %a if it goes on; to what follows with %r = %a if it ends
      region 0(%b: memref<4xf32>):
        line 10: memref.store: write %b
        line 12: scf.if: to region 0 if true; to what follows if false
          region 0:
            line 13: memref.copy: read %b; write %out; to what follows line 12
        line 15: scf.yield: to region 0 with %b = %b if it goes on; to what follows line 9 with %r = %b if it ends
    line 17: my.op: unknown operation; read %s
    line 18: cf.cond_br: to ^free with %q = %r if true; to ^out if false
  ^free(%q: memref<4xf32>):
    line 20: memref.dealloc: free %q
    line 21: cf.br: to ^out
  ^out:
    line 23: func.return: return %k
"""
OPERATIONS = {
    "bufferization.dealloc (%m : memref<4xf32>) if (%c)": "free %m if %c",
    "bufferization.dealloc (%m : memref<4xf32>) if (%c) retain (%m : memref<4xf32>)": "free %m if %c unless it is %m",
    "%q = llvm.call @malloc(%n) : (i64) -> !llvm.ptr": "alloc %q in libc memory",
    "llvm.store %p, %p : !llvm.ptr, !llvm.ptr": "write %p; keep %p",
    "%l = llvm.load %p : !llvm.ptr -> !llvm.ptr": "read %p; load %l",
    "%t = gpu.dealloc async [%w] %m : memref<4xf32>": "wait for %w; free %m; goes on until %t is waited for",
    "%s = arith.select %c, %m, %o : memref<4xf32>": "%s is %m or %o",
    "memref.assume_alignment %m, 8 : memref<4xf32>": "",
    "scf.index_switch %i case 1 { memref.dealloc %m : memref<4xf32> scf.yield } default { }": (
        "to region 0 if case 1; to region 1 if no case"
    ),
    "llvm.unreachable": "stops the program",
}


def test_a_function_fits_one_screen(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "x.mlir"
    source.write_text(PROGRAM)
    assert main(["parse", "--memory-ir", "--isolated", str(source)]) == 0
    assert capsys.readouterr().out == EVENTS


@pytest.mark.parametrize(("operation", "said"), OPERATIONS.items())
def test_operations(operation: str, said: str) -> None:
    arguments = "%c: i1, %i: index, %n: i64, %p: !llvm.ptr, %m: memref<4xf32>, %o: memref<4xf32>, %w: !gpu.async.token"
    source = f"func.func @f({arguments}) {{\n  {operation}\n}}\n"
    (lines,) = memory_events(check(source).tree, Config().models, Text(source))
    found = [line.partition(": ")[2].partition(": ")[2] for line in lines if line.startswith("    line 2: ")]
    assert found == ([said] if said else [])


def test_one_function_under_a_configuration(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "x.mlir"
    source.write_text(PROGRAM)
    (tmp_path / "memlane.toml").write_text('[op."my.op"]\nfree = [{ operand = 0 }]\n')
    assert main(["parse", "--memory-ir", "--function", "f", str(source)]) == 0
    out = capsys.readouterr().out
    assert out.startswith("@f(")
    assert "my.op: free %s\n" in out
    assert main(["parse", "--memory-ir", "--function", "g", str(source)]) == 2
    assert capsys.readouterr().err == f"memlane: there is no function @g in {source}\n"
    assert main(["parse", "--function", "f", str(source)]) == 2
    assert capsys.readouterr().err == "memlane: --function goes with --memory-ir\n"


@pytest.mark.slow
def test_programs_of_others(shared: Path) -> None:
    """Each allocation and each deallocation that is reported is among the events of its function."""
    count = 0
    for path in sorted((shared / "corpus").rglob("*.mlir"))[::5]:
        source = path.read_text(encoding="utf-8", errors="replace")
        checked, text = check(source), Text(source)
        events = [line for lines in memory_events(checked.tree, Config().models, text) for line in lines]
        for finding in checked.findings:
            if finding.rule.name in ("double-free", "late-free", "leak"):
                line = text.position(finding.report.span.start).line + 1
                assert any(f" line {line}: " in event or f" on line {line}," in event for event in events), finding
                count += 1
    assert count > 50

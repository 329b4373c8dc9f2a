"""Versions of a program: `memlane diff` and `memlane passes`."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from memlane.cli import main
from memlane.compare import Measurer
from memlane.config import Config
from memlane.dumps import dumps
from memlane.flow.symbolic.assumptions import NOTHING

LOOP = """func.func @f(%z: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %a = memref.alloc() : memref<16xf32>
    linalg.fill ins(%z : f32) outs(%a : memref<16xf32>)
    memref.dealloc %a : memref<16xf32>
  }
  return
}
"""
LATER = LOOP.replace("    memref.dealloc %a : memref<16xf32>\n", "")
MLIR_OPT = shutil.which("mlir-opt-22") or shutil.which("mlir-opt")

LOST = "64 bytes more in each of 4 iterations, 256 bytes in all"


def header(name: str) -> str:
    return f"// -----// IR Dump {name} //----- //\n"


def test_dumps_leave_diagnostics_out() -> None:
    log = (
        "noise\n"
        + header("Before CSE (cse)")
        + "module {\n"
        + "f.mlir:3:5: warning: something\n    %a = x\n    ^\n"
        + "}\n"
        + header("After Canonicalizer Failed (canonicalize)")
        + header("After CSE (cse) ('func.func' operation: @f)")
        + "func.func @f() {\n  return\n}\n"
        + header("After (anonymous namespace)::Lower (lower)")
    )
    found = list(dumps(log.encode().splitlines(keepends=True)))
    assert [(dump.title, dump.argument, dump.line) for dump in found] == [
        ("Before CSE", "cse", 2),
        ("After Canonicalizer Failed", "canonicalize", 8),
        ("After CSE", "cse", 9),
        ("After Lower", "lower", 13),
    ]
    assert found[0].text == "module {\n}\n"
    assert found[0].before
    assert found[2].text.startswith("func.func @f")


@pytest.mark.slow
def test_a_pass_is_marked_with_what_it_introduced(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = tmp_path / "log"
    log.write_text(header("After First (first)") + LOOP + header("After Second (second)") + LATER)
    page = tmp_path / "page.html"
    assert main(["passes", str(log), "--output-format", "json-lines", "--html", str(page), "-q"]) == 1
    first, second = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    assert (first["pass"], first["peak_bytes"], first["leaks"], first["new"]) == ("After First", 64, 0, None)
    assert (second["peak_bytes"], second["leaks"], second["sites"]) == (256, 1, 1)
    (new,) = second["new"]
    assert new["finding"].startswith("@f leak:")
    assert (new["count"], new["row"]) == (1, 13 + 6)
    assert page.read_text().count("<tr>") == 2


@pytest.mark.slow
def test_a_folder_of_dumps_is_read_in_the_order_of_passes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Names are numbers, not words: the tenth pass of a function comes behind the second."""
    inner = tmp_path / "tree" / "builtin_module_m" / "func_func_f"
    inner.mkdir(parents=True)
    (inner / "0_2_cse.mlir").write_text(header("After Second (cse)") + LOOP)
    (inner / "0_10_hoist.mlir").write_text(header("After Tenth (hoist)") + LATER)
    (inner.parent / "1_last.mlir").write_text(header("After Last (last)") + f"module {{\n{LATER}}}\n")
    (inner.parent / "notes.mlir").write_text("no dump")
    assert main(["passes", str(tmp_path / "tree"), "--output-format", "json-lines", "-q"]) == 1
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row["pass"] for row in rows] == ["After Second", "After Tenth", "After Last"]
    assert [bool(row["new"]) for row in rows] == [False, True, False]
    guilty = inner / "0_10_hoist.mlir"
    assert rows[1]["filename"] == str(guilty)
    assert "memref.alloc()" in guilty.read_text().splitlines()[rows[1]["new"][0]["row"] - 1]
    assert main(["passes", str(tmp_path / "tree"), "-q"]) == 1
    assert (
        f"is never freed: 64 bytes more in each of 4 iterations, 256 bytes in all, {guilty}:7\n"
        in capsys.readouterr().out
    )
    assert main(["passes", str(tmp_path), "--output-format", "json-lines", "-q"]) == 1
    assert capsys.readouterr().out.count("\n") == 3


@pytest.mark.slow
@pytest.mark.skipif(MLIR_OPT is None, reason="needs mlir-opt-22 (Debian: mlir-22-tools), which writes the folder")
def test_a_folder_that_was_really_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Its names and their order are those of mlir-opt: without it, the test above reads names written by hand."""
    source, tree = tmp_path / "f.mlir", tmp_path / "tree"
    source.write_text(LOOP)
    passes = "--pass-pipeline=builtin.module(func.func(cse,buffer-loop-hoisting),convert-linalg-to-loops)"
    folder = f"--mlir-print-ir-tree-dir={tree}"
    command = [str(MLIR_OPT), passes, "--mlir-print-ir-after-all", folder, str(source), "-o", str(tmp_path / "out")]
    subprocess.run(command, timeout=600, check=True)
    rows = rows_of(tree, capsys)
    assert [row["argument"] for row in rows] == ["cse", "buffer-loop-hoisting", "convert-linalg-to-loops"]
    assert [bool(row["new"]) for row in rows] == [False, True, False]


def test_a_byte_order_mark_hides_no_dump() -> None:
    log = "\ufeff" + header("After CSE (cse)") + LOOP + header("After Other (other)") + LATER
    assert [dump.title for dump in dumps(log.encode().splitlines(keepends=True))] == ["After CSE", "After Other"]


def test_standard_input_is_not_both_versions(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diff", "-", "-"]) == 2
    out, err = capsys.readouterr()
    assert "one of the two versions" in err and out == ""


def test_a_picture_that_cannot_be_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = tmp_path / "log"
    log.write_text(header("After CSE (cse)") + LOOP)
    assert main(["passes", str(log), "-q", "--html", str(tmp_path)]) == 2
    assert f"{tmp_path}: cannot be written" in capsys.readouterr().err


def test_no_dump(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = tmp_path / "log"
    log.write_text("nothing\n")
    assert main(["passes", str(log)]) == 2
    out, err = capsys.readouterr()
    assert "no IR dump" in err and out == ""
    log.unlink()
    assert main(["passes", str(tmp_path)]) == 2
    assert "no IR dump" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.skipif(MLIR_OPT is None, reason="needs mlir-opt")
def test_hoisting_out_of_a_loop_is_caught_in_a_real_log(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, log = tmp_path / "f.mlir", tmp_path / "log"
    source.write_text(LOOP)
    with log.open("w") as stream:
        passes = "--pass-pipeline=builtin.module(func.func(cse,buffer-loop-hoisting,canonicalize))"
        subprocess.run(
            [str(MLIR_OPT), passes, "--mlir-print-ir-after-all", "--mlir-print-ir-before-all", str(source)],
            stderr=stream,
            stdout=subprocess.DEVNULL,
            timeout=600,
            check=True,
        )
    assert main(["passes", str(log), "--output-format", "json-lines", "-q"]) == 1
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len(rows) == 6
    guilty = [row["pass"] for row in rows if row["new"]]
    assert guilty == ["After BufferLoopHoistingPass"]


def test_diff(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before, after = tmp_path / "before.mlir", tmp_path / "after.mlir"
    before.write_text(LOOP)
    after.write_text(LATER)
    assert main(["diff", str(before), str(before)]) == 0
    assert capsys.readouterr().out == "@f: unchanged, peak 64 B\n"
    assert main(["diff", str(before), str(after)]) == 1
    out = capsys.readouterr().out
    assert out.startswith("@f: peak 64 B -> 256 B (+192 B, +300.0 %) - grew too much\n")
    assert (
        "  + leak: buffer %a of 64 bytes is never freed: 64 bytes more in each of 4 iterations, 256 bytes in all\n"
        in out
    )
    assert main(["diff", str(before), str(after), "--max-growth", "192"]) == 0
    assert main(["diff", str(before), str(after), "--max-growth", "299%"]) == 1
    assert main(["diff", str(after), str(before)]) == 0
    capsys.readouterr()
    assert main(["diff", "--output-format", "json", str(after), str(before)]) == 0
    (record,) = json.loads(capsys.readouterr().out)
    assert record["after"]["peak_bytes"] == 64
    assert list(record["gone"].values()) == [1]


STATS = """func.func @g(%n: index) {
  // memlane: assume %n = 8
  %a = memref.alloc(%n) : memref<?xf32>
  memref.dealloc %a : memref<?xf32>
  return
}
"""


HELD = """func.func @h(%x: memref<16xf32>, %y: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  memref.copy %x, %a : memref<16xf32> to memref<16xf32>
  memref.copy %x, %y : memref<16xf32> to memref<16xf32>
  memref.copy %y, %x : memref<16xf32> to memref<16xf32>
  memref.dealloc %a : memref<16xf32>
  return
}
"""


def test_sizes_nobody_knows_are_the_same_in_every_version(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Dimensions are compared by argument, not by value or by name: passes rename them."""
    source = """func.func @f(%n: index, %m: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %d = memref.dim %m, %c0 : memref<?xf32>
  %k = arith.maxsi %n, %d : index
  %a = memref.alloc(%k) : memref<?xf32>
  memref.copy %m, %a : memref<?xf32> to memref<?xf32>
  memref.dealloc %a : memref<?xf32>
  return
}
"""
    before, after = tmp_path / "before.mlir", tmp_path / "after.mlir"
    before.write_text(source)
    after.write_text(source.replace("%n", "%arg0").replace("%m", "%arg1").replace("%d", "%dim").replace("%a ", "%b "))
    assert main(["diff", str(before), str(after)]) == 0
    assert "grew" not in capsys.readouterr().out
    after.write_text(after.read_text().replace("xf32", "xf64"))
    assert main(["diff", str(before), str(after)]) == 1
    assert "4*maxsi(%n,dim(%m,0)) B -> 8*maxsi(%arg0,dim(%arg1,0)) B - grew too much" in capsys.readouterr().out


APART = """func.func @f(%n: index, %sizes: memref<2xindex>) {
  %c0 = arith.constant 0 : index
  %k = memref.load %sizes[%c0] : memref<2xindex>
  "test.write"(%sizes) : (memref<2xindex>) -> ()
  %m = memref.load %sizes[%c0] : memref<2xindex>
  cf.br ^next(%m : index)
^next(%q: index):
  %a = memref.alloc(%n) : memref<?xi16>
  %b = memref.alloc(%k) : memref<?xi32>
  %c = memref.alloc(%q) : memref<?xi64>
  "test.use"(%a, %b, %c) : (memref<?xi16>, memref<?xi32>, memref<?xi64>) -> ()
  memref.dealloc %a : memref<?xi16>
  memref.dealloc %b : memref<?xi32>
  memref.dealloc %c : memref<?xi64>
  %more, %r = "test.next"() : () -> (i1, index)
  cf.cond_br %more, ^next(%r : index), ^done
^done:
  return
}
"""


@pytest.mark.slow
def test_sizes_that_are_computed_alike_are_not_added_up(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What is loaded twice may be two numbers, and the first argument of a block is none of the function."""
    log = tmp_path / "log"
    log.write_text(header("After First") + APART + header("After Second") + APART.replace("%m ", "%0 "))
    first, second = rows_of(log, capsys)
    assert first["peak_expr"] == second["peak_expr"].replace("%0", "%m")
    assert first["peak_expr"] == "max(2*%n + 4*%k + 8*%m, 2*%n + 4*%k + 8*%q)"
    assert not second["new"]


def test_stats_say_what_is_held_unused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "h.mlir"
    file.write_text(HELD)
    assert main(["stats", str(file), "--output-format", "json"]) == 0
    (record,) = json.loads(capsys.readouterr().out)
    (held,) = record["held"]
    assert (held["name"], held["operations"], held["byte_operations"]) == ("%a", 2, 128)
    assert main(["stats", str(file)]) == 0
    assert "held unused 64 B over 2 operations  %a, line 2" in capsys.readouterr().out


def test_stats(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "g.mlir"
    file.write_text(LATER + STATS)
    assert main(["stats", str(file), "--output-format", "json"]) == 0
    first, second = json.loads(capsys.readouterr().out)
    assert (first["peak_bytes"], first["ideal_peak_bytes"], first["lower_bound_bytes"]) == (256, 64, 64)
    assert first["distance"] == 4.0
    (site,) = first["sites"]
    assert (site["name"], site["bytes"], site["leak"], site["location"]) == (
        "%a",
        64,
        "always",
        {"row": 6, "column": 5},
    )
    assert second["peak_bytes"] == 32
    assert main(["stats", str(file), "--function", "g"]) == 0
    assert "peak        32 B at line 13" in capsys.readouterr().out
    assert main(["stats", str(tmp_path / "none.mlir")]) == 2
    capsys.readouterr()
    assert main(["stats", str(file), "--function", "nobody"]) == 2
    out, err = capsys.readouterr()
    assert not out
    assert "there is no function @nobody" in err


MOVED = "func.func private @before()\n" + LATER


def rows_of(log: Path, capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    """What `passes` says of a log, dump by dump."""
    main(["passes", str(log), "--output-format", "json-lines", "-q"])
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


@pytest.mark.slow
def test_names_are_told_where_all_findings_have_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = tmp_path / "log"
    more = LATER.replace(
        "  return", "  %b = memref.alloc() : memref<8xf32>\n  %c = memref.alloc() : memref<9xf32>\n  return"
    )
    twice = more.replace("  return", "  %d = memref.alloc() : memref<9xf32>\n  return")
    log.write_text("".join(header(f"After {n}") + text for n, text in enumerate((LATER, more, LATER, twice))))
    assert main(["passes", str(log), "-q"]) == 1
    out = capsys.readouterr().out
    assert "    + @f leak: buffer %b of 32 bytes is never freed, line " in out
    assert "    + @f leak: buffer %c of 36 bytes is never freed, line " in out
    assert "    + 2 x @f leak: buffer %c of 36 bytes is never freed, first at line " in out


@pytest.mark.slow
def test_a_finding_of_another_size_is_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Lowering adds room for alignment: nobody introduced what was there."""
    log = tmp_path / "log"
    more = LATER.replace("  return", "  %b = memref.alloc() : memref<8xf32>\n  return")
    texts = (LATER, LATER.replace("<16x", "<32x"), more)
    log.write_text("".join(header(f"After {n}") + text for n, text in enumerate(texts)))
    _, second, third = rows_of(log, capsys)
    assert second["peak_bytes"] == 512
    assert (second["new"], second["gone"]) == ([], {})
    assert third["gone"] == {}
    assert [new["finding"] for new in third["new"]] == ["@f leak: buffer %_ of 32 bytes is never freed"]


@pytest.mark.slow
def test_a_version_that_comes_again_elsewhere(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What is remembered of a function has its lines where it stands now."""
    log = tmp_path / "log"
    log.write_text("".join(header(f"After {n}") + text for n, text in enumerate((LATER, LOOP, MOVED))))
    *_, last = rows_of(log, capsys)
    (new,) = last["new"]
    assert "%a = memref.alloc" in log.read_text().split("\n")[new["row"] - 1]


@pytest.mark.slow
def test_the_table_begins_with_the_passes_to_look_at(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = tmp_path / "log"
    empty = "module {\n  func.func private @g()\n}\n"
    log.write_text(
        header("After Nothing (nothing)")
        + "module {\n}\n"
        + header("After First (first)")
        + LOOP
        + header("After Second (second)")
        + LATER
    )
    assert main(["passes", str(log), "-q"]) == 1
    out = capsys.readouterr().out.splitlines()
    assert out[:3] == [
        "peak: @f grows from 64 B to 256 B in Second (line 16 of the log)",
        "leak: 1 introduced by Second (line 22 of the log); 1 left in the last dump",
        "",
    ]
    assert out[3].split() == "pass of peak ideal █ ideal ░ peak buffers leaks late".split()
    assert [line.split()[0] for line in out[4:]] == ["First", "Second", "+"], "no row for a dump without functions"
    assert " ████ " in out[4] and " 64 B " in out[4]
    assert "████░░░░░░░░░░░░" in out[5]
    log.write_text(header("After Nothing (nothing)") + empty)
    assert main(["passes", str(log), "-q"]) == 0


@pytest.mark.slow
def test_a_leak_of_the_first_dump_is_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = tmp_path / "log"
    log.write_text(header("After First (first)") + LATER + header("After Second (second)") + LATER)
    assert main(["passes", str(log), "-q"]) == 0
    out = capsys.readouterr().out.splitlines()
    assert out[1] == "leak: 1 in the first dump, First (line 7 of the log); 1 left in the last dump"


@pytest.mark.slow
def test_a_finding_that_changes_its_form_is_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The pass after which a leak is only possible does not introduce it."""
    log = tmp_path / "log"
    branch = LATER.replace("%z: f32", "%z: f32, %p: i1").replace(
        "  }\n  return", "    scf.if %p {\n      memref.dealloc %a : memref<16xf32>\n    }\n  }\n  return"
    )
    log.write_text(header("After First (first)") + LATER + header("After Second (second)") + branch)
    _, second = rows_of(log, capsys)
    assert (second["new"], second["gone"]) == ([], {})


def test_check_names_the_command_for_a_log(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = tmp_path / "renamed.mlir"
    log.write_text(header("After First (first)") + LOOP + header("After Second (second)") + LATER)
    assert main(["check", str(log), "--output-format", "json"]) == 1
    assert f"a pass log with 2 dumps; `memlane passes {log}` says what each pass changed" in capsys.readouterr().err
    log.write_text(header("After First (first)") + LOOP)
    assert main(["check", str(log)]) == 0
    assert "pass log" not in capsys.readouterr().err


@pytest.mark.parametrize(("depth", "same"), [(0, False), (1, False), (2, False), (3, False), (4, True), (5, True)])
def test_sizes_are_the_same_whose_last_steps_are(depth: int, same: bool) -> None:
    """An unknown size is recognised by four steps that compute it, and the names of those before them."""

    def peak(number: int) -> object:
        steps = [f'  %0 = "x.first"(%n) {{k = {number}}} : (index) -> index\n']
        steps += [f'  %{n} = "x.step{n}"(%{n - 1}, %{n - 1}) : (index, index) -> index\n' for n in range(1, depth + 1)]
        made = f"  %a = memref.alloc(%{depth}) : memref<?xf32>\n"
        source = f"func.func @f(%n: index) {{\n{''.join(steps)}{made}  return\n}}\n"
        [measure] = Measurer(Config(), NOTHING).measure(source)
        return measure.peak

    assert peak(1) == peak(1)
    assert (peak(1) == peak(2)) == same


def test_a_size_of_many_steps_that_take_one_twice_is_known_at_once() -> None:
    steps = "".join(f'  %{n} = "x.step"(%{n - 1}, %{n - 1}) : (index, index) -> index\n' for n in range(1, 200))
    made = "  %a = memref.alloc(%199) : memref<?xf32>\n"
    source = f'func.func @f(%n: index) {{\n  %0 = "x.first"(%n) : (index) -> index\n{steps}{made}  return\n}}\n'
    assert len(Measurer(Config(), NOTHING).measure(source)) == 1

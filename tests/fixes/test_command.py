"""`memlane check --fix`, `--diff`, `--unsafe-fixes` and `--show-fixes`."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from memlane.cli import main
from memlane.cli.render import FORMATS

LEAK = "func.func @f() {\n  %a = memref.alloc() : memref<4xf32>\n  return\n}\n"
FIXED = LEAK.replace("  return", "  memref.dealloc %a : memref<4xf32>\n  return")


@pytest.fixture(autouse=True)
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "a.mlir"
    path.write_bytes(LEAK.encode())
    return path


def test_fix(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--fix", "a.mlir"]) == 0
    assert file.read_bytes() == FIXED.encode()
    assert capsys.readouterr().out == "Found 1 finding in 1 file (1 fixed, 0 remaining).\n"


def test_what_was_fixed_is_listed_where_wanted(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text(LEAK + LEAK.replace("@f", "@g"))
    (file.parent / "b.mlir").write_text(FIXED)
    assert main(["check", "--fix", "--show-fixes"]) == 0
    out = capsys.readouterr().out
    assert out == "Fixed:\na.mlir:\n  2 × leak\n\nFound 2 findings in 2 files (2 fixed, 0 remaining).\n"
    assert main(["check", "--fix", "--show-fixes"]) == 0
    assert capsys.readouterr().out == "No findings in 2 files.\n"


def test_what_is_left_is_told(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    unsure = LEAK.replace("@f", "@g").replace("  return", '  "who.knows"(%a) : (memref<4xf32>) -> ()\n  return')
    file.write_text(LEAK + unsure)
    assert main(["check", "--fix", "a.mlir"]) == 1
    last = capsys.readouterr().out.rstrip().split("\n")[-1]
    assert last == "Found 3 findings in 1 file (1 fixed, 2 remaining: 1 warning and 1 hint)."
    assert main(["check", "--fix", "a.mlir"]) == 1
    assert capsys.readouterr().out.rstrip().split("\n")[-1] == "Found 1 warning and 1 hint in 1 file."


def test_fix_keeps_line_ends_and_byte_order_mark(file: Path) -> None:
    file.write_bytes(b"\xef\xbb\xbf" + LEAK.replace("\n", "\r\n").encode())
    assert main(["check", "--fix", "a.mlir"]) == 0
    assert file.read_bytes() == b"\xef\xbb\xbf" + FIXED.replace("\n", "\r\n").encode()


def test_a_clean_file_is_not_written(file: Path) -> None:
    file.write_bytes(FIXED.encode())
    stamp = file.stat().st_mtime_ns
    assert main(["check", "--fix", "a.mlir"]) == 0
    assert file.stat().st_mtime_ns == stamp


def test_diff_changes_nothing(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--diff", "a.mlir"]) == 1
    assert file.read_bytes() == LEAK.encode()
    out = capsys.readouterr().out
    assert out.splitlines() == [
        "--- a/a.mlir",
        "+++ b/a.mlir",
        "@@ -1,4 +1,5 @@",
        " func.func @f() {",
        "   %a = memref.alloc() : memref<4xf32>",
        "+  memref.dealloc %a : memref<4xf32>",
        "   return",
        " }",
    ]
    file.write_bytes(FIXED.encode())
    assert main(["check", "--diff", "a.mlir"]) == 0
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("name", "header"),
    [("a b.mlir", "a/a b.mlir\t"), ("a\nb.mlir", '"a/a\\012b.mlir"'), ('\t"\\.mlir', '"a/\\011\\042\\134.mlir"')],
)
def test_diff_names_files_as_patch_reads_them(
    name: str, header: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(LEAK.encode())))
    assert main(["check", "--diff", "--stdin-filename", name, "-"]) == 1
    assert capsys.readouterr().out.split("\n")[0] == f"--- {header}"


def test_stdin_is_passed_on(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(LEAK.encode())))
    assert main(["check", "--fix", "-"]) == 0
    out, err = capsys.readouterr()
    assert out == FIXED
    assert err == "Found 1 finding in 1 file (1 fixed, 0 remaining).\n"


def test_show_fixes(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--show-fixes", "--output-format", "json", "a.mlir"]) == 1
    (finding,) = json.loads(capsys.readouterr().out)
    assert finding["fix"]["applicability"] == "safe"
    assert [edit["content"] for edit in finding["fix"]["edits"]] == ["  memref.dealloc %a : memref<4xf32>\n"]
    assert main(["check", "--output-format", "json", "a.mlir"]) == 1
    assert json.loads(capsys.readouterr().out)[0]["fix"] is None
    assert file.read_bytes() == LEAK.encode()


@pytest.mark.parametrize("form", ["concise", "grouped"])
def test_fixes_in_lines(form: str, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--output-format", form, "a.mlir"]) == 1
    plain = capsys.readouterr().out
    assert main(["check", "--show-fixes", "--output-format", form, "a.mlir"]) == 1
    with_fix = plain.replace("is never freed", "is never freed [fix: Free %a after its last use]")
    assert capsys.readouterr().out == with_fix.replace("up to 1 fixable", "1 fixable")
    assert file.read_bytes() == LEAK.encode()


def test_only_selected_rules_are_fixed(file: Path) -> None:
    assert main(["check", "--fix", "--ignore", "leak", "a.mlir"]) == 0
    assert file.read_bytes() == LEAK.encode()


def test_unsafe_fixes(file: Path) -> None:
    unsure = LEAK.replace("  return", '  "who.knows"(%a) : (memref<4xf32>) -> ()\n  return')
    file.write_bytes(unsure.encode())
    main(["check", "--fix", "a.mlir"])
    assert file.read_bytes() == unsure.encode()
    main(["check", "--fix", "--unsafe-fixes", "a.mlir"])
    assert file.read_bytes() == unsure.replace("  return", "  memref.dealloc %a : memref<4xf32>\n  return").encode()


def test_why_something_is_left_is_told(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    unsure = LEAK.replace("  return", '  "who.knows"(%a) : (memref<4xf32>) -> ()\n  return')
    file.write_text(unsure + LEAK.replace("@f", "@g"))
    main(["check", "--fix", "a.mlir"])
    told = [line for line in capsys.readouterr().out.split("\n") if line.startswith("1 not fixed")]
    why = "an unknown operation takes the buffer: it may keep it"
    assert told == [f"1 not fixed: its fix is unsafe: {why}."]
    main(["check", "--fix", "--unsafe-fixes", "a.mlir"])
    left = [line.strip() for line in capsys.readouterr().out.split("\n") if "not fixed" in line]
    assert left == ["= not fixed: its fix adds to the configuration, which only an editor can apply"]


LEFT = LEAK.replace("  return", '  "who.knows"(%a) : (memref<4xf32>) -> ()\n  return')


@pytest.mark.parametrize("form", FORMATS)
def test_each_finding_that_is_left_says_why_in_all_formats(
    form: str, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file.write_text(LEFT)
    assert main(["check", "--fix", "--output-format", form, "a.mlir"]) == 1
    out = capsys.readouterr().out
    assert "an unknown operation takes the buffer: it may keep it" in out
    assert "a generated guess, please review" in out
    assert main(["check", "--output-format", form, "a.mlir"]) == 1  # and who asks for no fix is not told
    assert "an unknown operation takes the buffer" not in capsys.readouterr().out


def test_no_reason_is_empty(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text(LEFT + "func.func @g(%x: memref<4xf32>) {\n  oops\n  memref.dealloc %x : memref<4xf32>\n}\n")
    for more in ([], ["--unsafe-fixes"], ["--show-fixes"]):
        main(["check", "--fix", "--diff", "--output-format", "json", *more, "a.mlir"])
        capsys.readouterr()
        main(["check", "--fix", "--output-format", "json", "-o", "out.json", *more, "a.mlir"])
        records = json.loads((file.parent / "out.json").read_text())
        assert records
        assert [record["rule"] for record in records if record["fix"] is None and not record["fix_reason"]] == []


def test_diff_counts_what_remains_as_check_does(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text(LEFT)
    assert main(["check", "--fix", "--diff", "a.mlir"]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.splitlines()[-1] == "memlane: Found 1 warning and 1 hint in 1 file."
    file.write_text(LEFT + LEAK.replace("@f", "@g"))
    assert main(["check", "--fix", "--diff", "a.mlir"]) == 1
    err = capsys.readouterr().err
    assert "memlane: Found 3 findings in 1 file (1 fixed, 2 remaining: 1 warning and 1 hint)." in err

"""`memlane check` as a user runs it: files, directories, pipes, exit codes, options, mistakes."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from memlane import checking as checker
from memlane.cli import main
from memlane.cli.render import FORMATS

LEAK = "func.func @f() {\n  %a = memref.alloc() : memref<4xf32>\n  return\n}\n"
CLEAN = "func.func @f() {\n  return\n}\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty current directory."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def concise(*arguments: str) -> list[str]:
    return ["check", "--output-format", "concise", "--quiet", *arguments]


def names(capsys: pytest.CaptureFixture[str]) -> list[str]:
    """The files in which something was found."""
    return [line.partition(":")[0] for line in capsys.readouterr().out.splitlines()]


def write(*paths: str, text: str = LEAK) -> None:
    """Each at once: whoever watches sees all of it or nothing."""
    for path in paths:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        new = Path(f"{path}.new")
        new.write_text(text, encoding="utf-8")
        new.replace(path)


def test_exit_codes(capsys: pytest.CaptureFixture[str]) -> None:
    write("leak.mlir")
    write("clean.mlir", text=CLEAN)
    assert main(["check", "clean.mlir"]) == 0
    assert capsys.readouterr().out == "No findings in 1 file.\n"
    assert main(["check", "leak.mlir", "clean.mlir"]) == 1
    assert "warning[leak]" in capsys.readouterr().out
    assert main(["check", "--exit-zero", "leak.mlir"]) == 0


@pytest.mark.parametrize(("option", "code"), [("--error", 1), ("--warn", 1), ("--info", 0), ("--hint", 0)])
def test_advice_is_no_failure(option: str, code: int, capsys: pytest.CaptureFixture[str]) -> None:
    write("leak.mlir")
    assert main(["check", option, "leak", "leak.mlir"]) == code
    assert "[leak]" in capsys.readouterr().out


def test_files_of_other_languages_are_refused_in_a_line(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "ops.td").write_text('def Op : Base<"a"> { let x = [{ }]; }\n')
    (folder / "rules.PDLL").write_text("Pattern { }\n")
    assert main(concise("ops.td", "rules.PDLL")) == 2
    assert capsys.readouterr().err.splitlines() == [
        "memlane: ops.td: is TableGen and not MLIR: it is not checked",
        "memlane: rules.PDLL: is PDLL and not MLIR: it is not checked",
    ]


def test_files_that_cannot_be_checked_leave_the_others(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write("leak.mlir")
    (folder / "latin1.mlir").write_bytes(b"// ok\n// \xfcber\n")
    (folder / "bytecode.mlir").write_bytes(b"ML\xefR\x01")
    (folder / "empty").mkdir()
    assert main(concise("absent.mlir", "latin1.mlir", "bytecode.mlir", "empty", "leak.mlir")) == 2
    out, err = capsys.readouterr()
    assert out.splitlines() == ["leak.mlir:2:8: warning[leak]: buffer %a of 16 bytes is never freed"]
    assert err.splitlines() == [
        "memlane: absent.mlir: no such file or directory",
        "memlane: latin1.mlir: is not UTF-8: byte 0xfc in line 2",
        "memlane: bytecode.mlir: is MLIR bytecode; print it as text first (`mlir-opt FILE`)",
    ]


def test_a_bug_costs_one_file(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    write("a.mlir", text=CLEAN)
    write("b.mlir")
    right = checker.check

    def wrong(source: str, *rest: object) -> checker.Checked:
        if source == CLEAN:
            raise RuntimeError("the bug")
        return right(source)

    monkeypatch.setattr(checker, "check", wrong)
    assert main(concise("a.mlir", "b.mlir")) == 2
    out, err = capsys.readouterr()
    assert out.startswith("b.mlir:2:8: warning[leak]")
    assert "RuntimeError: the bug" in err
    assert "memlane: a.mlir: cannot be checked because of a bug in Memlane" in err


def test_directories_respect_gitignore(capsys: pytest.CaptureFixture[str]) -> None:
    write(
        "b.mlir", "a/x.mlir", "a/other.txt", "a/out/y.mlir", "out/z.mlir", "gen/1.mlir", "gen/keep.mlir", ".git/i.mlir"
    )
    write(".gitignore", text="out/\n/gen/*\n!/gen/keep.mlir\n")
    write("a/.gitignore", text="!out/\n")
    assert main(concise()) == 1
    assert names(capsys) == ["b.mlir", "a/x.mlir", "a/out/y.mlir", "gen/keep.mlir"]
    assert main(concise("a")) == 1
    assert names(capsys) == ["a/x.mlir", "a/out/y.mlir"]
    assert main(concise("gen")) == 1
    assert names(capsys) == ["gen/keep.mlir"]
    assert main(concise("out/z.mlir", ".", "b.mlir", "--no-respect-gitignore")) == 1
    assert sorted(names(capsys)) == [
        "a/out/y.mlir", "a/x.mlir", "b.mlir", "gen/1.mlir", "gen/keep.mlir", "out/z.mlir",
    ]  # fmt: skip


def test_named_files_are_never_ignored(capsys: pytest.CaptureFixture[str]) -> None:
    write("out/z.txt")
    write(".gitignore", text="out/\n")
    assert main(concise("out/z.txt")) == 1
    assert names(capsys) == ["out/z.txt"]


def test_gitignore_of_the_repository_around(capsys: pytest.CaptureFixture[str]) -> None:
    write("repo/.git/HEAD", text="")
    write("repo/.git/info/exclude", text="mine.mlir\n")
    write("repo/.gitignore", text="*.tmp.mlir\n")
    write("repo/in/a.mlir", "repo/in/b.tmp.mlir", "repo/in/mine.mlir")
    assert main(concise("repo/in")) == 1
    assert names(capsys) == ["repo/in/a.mlir"]


def test_nothing_to_check(capsys: pytest.CaptureFixture[str]) -> None:
    write("a.txt")
    assert main(["check"]) == 0
    out, err = capsys.readouterr()
    assert out == "No findings in 0 files.\n"
    assert err == "memlane: no files to check in .; the setting `include` says which are looked for\n"


def test_include_and_exclude(capsys: pytest.CaptureFixture[str]) -> None:
    write("a.mlir", "b.ir", "third_party/c.mlir", "sub/d.mlir")
    write("memlane.toml", text='include = ["*.mlir", "*.ir"]\nexclude = ["third_party/", "d.mlir"]\n')
    assert main(concise()) == 1
    assert names(capsys) == ["a.mlir", "b.ir"]


def test_stdin(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    for arguments, name in ((["-"], "-"), (["-", "--stdin-filename", "x/y.mlir"], "x/y.mlir")):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(LEAK.encode())))
        assert main(concise(*arguments)) == 1
        assert names(capsys) == [name]


def test_configuration_is_the_nearest(capsys: pytest.CaptureFixture[str]) -> None:
    write("a.mlir", "quiet/b.mlir", "quiet/deep/c.mlir")
    write("quiet/memlane.toml", text='ignore = ["leak"]\n')
    assert main(concise()) == 1
    assert names(capsys) == ["a.mlir"]
    assert main(concise("--isolated")) == 1
    assert names(capsys) == ["a.mlir", "quiet/b.mlir", "quiet/deep/c.mlir"]
    assert main(concise("--config", "quiet/memlane.toml")) == 0
    assert main(concise("--config", 'ignore=["leak"]')) == 0
    assert main(concise("--ignore", "double-free,leak")) == 0
    assert main(concise("--select", "double-free", "--select", "possible-*")) == 0


def test_stdin_is_configured_by_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    write("quiet/memlane.toml", text='ignore = ["leak"]\n')
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(LEAK.encode())))
    assert main(concise("-", "--stdin-filename", "quiet/x.mlir")) == 0


def test_mistakes_in_a_configuration(capsys: pytest.CaptureFixture[str]) -> None:
    write("a.mlir", "b.mlir")
    write("memlane.toml", text='ignore = ["double-free"]\nselekt = 1\n')
    assert main(concise()) == 2
    out, err = capsys.readouterr()
    assert len(out.splitlines()) == 2, "files are still checked"
    (said,) = err.splitlines()
    assert said.startswith("memlane: memlane.toml:2: ")
    assert "did you mean `select`" in said


@pytest.mark.parametrize(
    "arguments",
    [["--select", "lek"], ["--error", "lek"], ["--config", "ignore=3"], ["--config", "ignore"], ["--reason", "x"]],
)
def test_mistakes_on_the_command_line(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    write("a.mlir")
    assert main(["check", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("memlane: command line: ")


@pytest.mark.parametrize(
    "arguments", [["check", "--frobnicate"], ["chek"], ["check", "--output-format", "xml"], ["check", "--jobs", "-3"]]
)
def test_usage(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(arguments)
    assert stopped.value.code == 2
    err = capsys.readouterr().err
    assert err.startswith("memlane") and ": error: " in err
    assert err.count("\n") == 1, "one line, without the usage of all options"


def test_a_misspelt_choice_is_answered_with_what_was_meant(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["check", "--output-format", "sarrif"])
    assert capsys.readouterr().err == "memlane check: error: --output-format 'sarrif': did you mean 'sarif'?\n"


def test_a_missing_file_is_all_that_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(tmp_path / "none.mlir")]) == 2
    out, err = capsys.readouterr()
    assert out == "" and "no such file" in err


def test_without_a_command_there_is_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    assert "usage: memlane" in capsys.readouterr().err


def test_output_file(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write("a.mlir")
    assert main(["check", "--output-format", "json", "--output-file", "new/out.json"]) == 1
    assert capsys.readouterr().out == ""
    assert [record["rule"] for record in json.loads((folder / "new/out.json").read_text())] == ["leak"]


def test_statistics(capsys: pytest.CaptureFixture[str]) -> None:
    write("a.mlir", "b.mlir")
    assert main(["check", "--statistics"]) == 1
    assert capsys.readouterr().out.splitlines() == ["2  leak  a buffer is never freed", "Found 2 warnings in 2 files."]


def test_output_file_that_cannot_be_written(capsys: pytest.CaptureFixture[str]) -> None:
    write("a.mlir", "folder/x.mlir")
    assert main(["check", "a.mlir", "--output-file", "folder"]) == 2
    assert capsys.readouterr().err == "memlane: folder: cannot be written: Is a directory\n"


def test_processes_find_the_same_in_the_same_order(capfd: pytest.CaptureFixture[str], folder: Path) -> None:
    write(*(f"{number}.mlir" for number in range(20)))
    write("quiet/memlane.toml", text="selekt = 1\n")
    write("quiet/x.mlir", "quiet/y.mlir")
    (folder / "10.mlir").write_bytes(b"\xff")
    shown: list[tuple[str, str]] = []
    for jobs in ("1", "2"):
        assert main(concise("--jobs", jobs)) == 2
        shown.append(capfd.readouterr())
    assert shown[0] == shown[1]
    assert len(shown[0][0].splitlines()) == 21
    assert len(shown[0][1].splitlines()) == 2


def test_line_ends_and_byte_order_mark(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "a.mlir").write_bytes(b"\xef\xbb\xbf" + LEAK.replace("\n", "\r\n").encode())
    assert main(concise()) == 1
    assert capsys.readouterr().out.startswith("a.mlir:2:8: ")


@pytest.mark.slow
def test_watch(folder: Path) -> None:
    write("a.mlir")
    write("memlane.toml", text="")
    command = [sys.executable, "-m", "memlane", *concise("--watch")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=folder) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        try:
            assert process.stdout.readline().startswith("a.mlir:2:8: warning[leak]")
            assert "watching" in process.stderr.readline()
            write("b.mlir")
            assert process.stdout.readline().startswith("a.mlir:2:8: warning[leak]")
            assert process.stdout.readline().startswith("b.mlir:2:8: warning[leak]")
            assert "watching" in process.stderr.readline()
            write("memlane.toml", text='severity = { leak = "error" }\n')
            assert process.stdout.readline().startswith("a.mlir:2:8: error[leak]")
        finally:
            process.send_signal(signal.SIGINT)
            assert process.wait(timeout=600) == -signal.SIGINT


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMATS)
def test_file_names_that_are_not_text(form: str, folder: Path) -> None:
    (folder / "sub").mkdir()
    Path(os.fsdecode(b"sub/\xff.mlir")).write_text(LEAK)
    assert main(["check", "--output-format", form, "sub", "--output-file", "out"]) == 1
    assert (folder / "out").read_text(encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "memlane", "check", "--output-format", form, "sub"],
        capture_output=True,
        timeout=600,
        check=False,
    )
    assert (done.returncode, done.stderr) == (1, b"")


def memlane(*arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "memlane", *arguments]
    return subprocess.run(command, input=stdin, capture_output=True, text=True, timeout=600, check=False)


@pytest.mark.slow
def test_as_a_process() -> None:
    write("a.mlir")
    done = memlane("check", "a.mlir")
    assert done.returncode == 1
    assert done.stdout.startswith("warning[leak]: ")
    assert done.stderr == ""
    done = memlane("check", "-", "--output-format", "json", stdin=CLEAN)
    assert (done.returncode, done.stdout, done.stderr) == (0, "[]\n", "")
    done = memlane("--version")
    assert done.returncode == 0
    assert done.stdout.startswith("memlane 0.")


@pytest.mark.slow
def test_a_reader_that_leaves() -> None:
    write("a.mlir", text="".join(LEAK.replace("@f", f"@f{number}") for number in range(500)))
    command = f"'{sys.executable}' -m memlane check a.mlir | head -n 1"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, timeout=600, check=False)
    assert done.stdout.startswith("warning[leak]: ")
    assert done.stderr == ""

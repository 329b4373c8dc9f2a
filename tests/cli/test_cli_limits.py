"""Where lists and pictures of the command line end: the last number that is taken, and the first that is not."""

from __future__ import annotations

import argparse
import json
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from memlane.cli import main, pool
from memlane.cli.explain import page_of
from memlane.cli.render.style import Style

LEAK = "func.func @f{0}() {{\n  %a = memref.alloc() : memref<4xf32>\n  return\n}}\n"


def leaks(count: int) -> str:
    """So many functions, each of which makes a buffer."""
    return "".join(LEAK.format(number) for number in range(count))


def said(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    """All that a command prints, on both streams."""
    main([str(argument) for argument in arguments])
    return "".join(capsys.readouterr())


@pytest.mark.parametrize(("columns", "most"), [(100, 100), (120, 120), (121, 120), (1000, 120)])
def test_prose_has_lines_that_can_be_read(columns: int, most: int) -> None:
    lines = page_of("leak", Style(columns=columns, terminal=True)).splitlines()
    assert most - 20 < max(map(len, lines)) <= most


@pytest.mark.parametrize(("count", "end"), [(10, ", @f8, @f9\n"), (11, ", @f8, @f9 and 1 more\n")])
def test_functions_with_buffers_are_named(
    count: int, end: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.mlir").write_text(leaks(count))
    assert said(capsys, "lanes", "--function", "none", tmp_path / "a.mlir").endswith(end)


def test_the_widest_picture(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.mlir").write_text(leaks(1))
    drawn = said(capsys, "lanes", "--width", 10_000, tmp_path / "a.mlir")
    assert 9_900 < max(map(len, drawn.splitlines())) <= 10_000
    with pytest.raises(SystemExit, match="2"):
        main(["lanes", "--width", "10001", str(tmp_path / "a.mlir")])
    assert "from 20 to 10000, found '10001'" in capsys.readouterr().err


@pytest.mark.parametrize(("count", "end"), [(3, "P2 (line 25 of the log); 3 left"), (4, " and 1 more; 4 left")])
def test_passes_that_made_leaks_are_named(
    count: int, end: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    head = "// -----// IR Dump After P{0} (p{0}) //----- //\n"
    dumps = [head.format(number) + leaks(number + 1) for number in range(count)]
    (tmp_path / "log").write_text("".join(dumps))
    [line] = [one for one in said(capsys, "passes", tmp_path / "log").splitlines() if one.startswith("leak: ")]
    assert line.endswith(f"{end} in the last dump")
    assert line.count("of the log") == 3


@pytest.mark.parametrize(("count", "more"), [(5, ""), (6, "and 1 more")])
def test_buffers_of_a_function_are_named(
    count: int, more: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kinds = [f"memref<{number + 1}xf32>" for number in range(count + 1)]
    body = [f"%b{number} = memref.alloc() : {kind}" for number, kind in enumerate(kinds)]
    body += [f"linalg.fill ins(%z : f32) outs(%b{number} : {kind})" for number, kind in enumerate(kinds)]
    body += [f"memref.dealloc %b{number} : {kind}" for number, kind in enumerate(kinds)]
    file = tmp_path / "a.mlir"
    file.write_text("func.func @f(%z: f32) {\n  " + "\n  ".join(body) + "\n  return\n}\n")
    lines = said(capsys, "stats", file).splitlines()
    peak = next(number for number, line in enumerate(lines) if line.startswith("  at the peak"))
    held = next(number for number, line in enumerate(lines) if line.startswith("  held unused"))
    *named, others = lines[peak:held]
    assert [line.split()[-3] for line in named] == [f"%b{count - number}," for number in range(5)]
    assert others.strip() == f"and {count - 4} more"
    assert len(lines[held:]) == 5 + bool(more) and (lines[-1].strip() == more or not more)
    [function] = json.loads(said(capsys, "stats", "--output-format", "json", file))
    assert (len(function["top"]), len(function["sites"])) == (5, count + 1)  # all of them, with what each takes


@pytest.mark.parametrize(("count", "more"), [(10_000, ""), (10_001, ".gitignore: cannot be read: more than 10,000")])
def test_a_file_of_patterns_is_taken_whole_or_not(
    count: int, more: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What it would leave out is checked then, and it is said that the file does not count."""
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    (tmp_path / "a.mlir").write_text(leaks(1))
    (tmp_path / ".gitignore").write_text("#\n" * (count - 1) + "a.mlir\n")
    assert main(["check", "--output-format", "concise", str(tmp_path)]) == (2 if more else 0)
    out, err = capsys.readouterr()
    assert ("[leak]" in out, more in err) == (bool(more), True)


def test_processes_are_sent_few_files_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An eighth of what each has to do, so that they end together; of very many files no more than 24, so that what
    comes of them is shown as they are checked."""
    sent: list[int] = []

    class Done:
        """Stands for what comes of a part: nothing."""

        def result(self) -> list[object]:
            return []

    def count(_: object, parts: Sequence[Sequence[Path]]) -> list[Any]:
        sent.append(max(map(len, parts)))
        return [Done()] * len(parts)

    monkeypatch.setattr(pool, "_submitted", count)
    workers = pool.Workers(2, argparse.Namespace())
    for files in (1, 64, 24 * 16, 25 * 16, 100_000):
        assert [*workers.check([tmp_path] * files)] == []
    assert sent == [1, 4, 24, 24, 24]

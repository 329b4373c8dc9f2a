"""`memlane reduce`: files are written, shown as a difference or passed on, and each peak is said before and after."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest
from tests.fixes.test_reduction import steps

from memlane.cli import main

SOURCE = steps("main", 4) + steps("small", 1)


@pytest.fixture(autouse=True)
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "a.mlir"
    path.write_text(SOURCE)
    return path


def test_the_file_is_written_once(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["reduce", "a.mlir"]) == 0
    assert capsys.readouterr().out == "a.mlir: @main: peak 256 KiB -> 64 KiB\n"
    assert file.read_text() != SOURCE
    assert main(["reduce", "a.mlir"]) == 0
    assert capsys.readouterr().out == "a.mlir: no peak can be lowered by safe fixes\n"


def test_a_difference_changes_nothing(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["reduce", "--diff", "."]) == 0
    done = capsys.readouterr()
    assert done.out.startswith("--- a/a.mlir\n+++ b/a.mlir\n")
    assert done.err == "a.mlir: @main: peak 256 KiB -> 64 KiB\n"
    assert file.read_text() == SOURCE


def test_stdin_is_passed_on(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(SOURCE.encode())))
    assert main(["reduce", "-"]) == 0
    done = capsys.readouterr()
    assert done.out.count("memref.dealloc") == 5
    assert done.err == "-: @main: peak 256 KiB -> 64 KiB\n"


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["reduce", "--output-format", "json", "a.mlir"]) == 0
    (found,) = json.loads(capsys.readouterr().out)
    assert (found["function"], found["before_bytes"], found["after_bytes"], found["ideal_bytes"]) == (
        *("main", 262144, 65536),
        65536,
    )


def test_one_function(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["reduce", "--function", "small", "a.mlir"]) == 0
    assert file.read_text() == SOURCE
    assert main(["reduce", "--function", "@main", "a.mlir"]) == 0
    assert file.read_text() != SOURCE
    assert main(["reduce", "--function", "none", "a.mlir"]) == 2
    assert capsys.readouterr().err == "memlane: there is no function @none in a.mlir\n"


def test_what_cannot_be_read_is_said_and_the_rest_is_done(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["reduce", "none.mlir", "a.mlir"]) == 2
    assert "none.mlir" in capsys.readouterr().err
    assert file.read_text() != SOURCE


def test_a_link_that_leads_out_of_the_folder_is_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    outside, folder = tmp_path / "a.mlir", tmp_path / "folder"
    folder.mkdir()
    (folder / "link.mlir").symlink_to(outside)
    assert main(["reduce", "folder"]) == 2
    assert outside.read_text() == SOURCE
    assert "link.mlir" in capsys.readouterr().err

"""Configuration that is large, full of mistakes or written to be slow: bounded work, and no client waits for it."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from memlane.config import find_config, load_config
from memlane.dialects.problem import TomlLines
from memlane_server import project
from memlane_server.project import Project, Reading

MANY = 10_000
SLOW = {
    "keys": "".join(f"k{number} = 1\n" for number in range(MANY)),
    "tables": "".join(f'[op."a{number}.b"]\nfre = 1\n' for number in range(MANY)),
    "rules": f"select = {[f'rule{number}' for number in range(MANY)]}\n",
    "severities": "[severity]\n" + "".join(f'"l*{number}" = "error"\n' for number in range(MANY)),
    "patterns": f"exclude = {[f'a*{number}*' for number in range(MANY)]}\n",
    "ignores": "[per-file-ignores]\n" + "".join(f'"g{number}*" = ["leak"]\n' for number in range(MANY)),
    "models": f"models = {[f'file{number}' for number in range(MANY)]}\n",
    "spaces in a text": 'x = """\n[' + " " * 500_000 + 'a\n"""\n',
    "dots": ".".join("a" * 100) + " = 1\n",
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", SLOW)
def test_mistakes_are_bounded(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "memlane.toml"
    path.write_text(SLOW[kind])
    began = time.process_time()
    config, problems = load_config(path)
    assert time.process_time() - began < 60
    assert 1 <= len(problems) <= 101
    assert config.for_file(tmp_path / "a.mlir").values["exclude"] == ()


def test_there_is_more_than_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "memlane.toml"
    path.write_text("".join(f"k{number} = 1\n" for number in range(200)))
    _, problems = load_config(path)
    assert len(problems) == 101 and "there are more mistakes" in problems[-1].message


@pytest.mark.parametrize(
    "line",
    [
        "[severity]\n{0}",
        "select = [{1}]\n",
        "[per-file-ignores]\n{0}",
        '[per-file-ignores]\n"a" = [{1}]\n',
        '[per-file-ignores]\n"a" = [{1}]\n"b" = [{1}]\n',
    ],
)
@pytest.mark.parametrize("count", [100, 101, 1_000])
def test_a_setting_with_many_mistakes_is_read_up_to_those_that_are_reported(
    line: str, count: int, tmp_path: Path
) -> None:
    """Looking for the rules that were meant costs, so that it is not done for those that are not."""
    path = tmp_path / "memlane.toml"
    names = [f'"none{number}"' for number in range(count)]
    path.write_text(line.format("".join(f"{name} = 1\n" for name in names), ", ".join(names)))
    _, problems = load_config(path)
    many = count * line.count("{") > 100
    assert len(problems) == 100 + many
    assert ("there are more mistakes" in problems[-1].message) == many


def test_a_file_that_is_too_large_is_said_to_be(tmp_path: Path) -> None:
    path = tmp_path / "memlane.toml"
    path.write_text("# " + "x" * 4_000_000)
    _, [problem] = load_config(path)
    assert "more than 1,000,000 characters" in problem.message


def test_headers_are_looked_for_in_linear_work(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("# memlane" + "\n" * 900_000)
    began = time.process_time()
    assert find_config(tmp_path) is None or find_config(tmp_path) != tmp_path / "pyproject.toml"
    (tmp_path / "pyproject.toml").write_text("[tool.memlane]\n" + "#\n" * 100_000)
    assert find_config(tmp_path) == tmp_path / "pyproject.toml"
    assert time.process_time() - began < 5


def test_lines_of_tables() -> None:
    lines = TomlLines('a = 1\n  [ b . "c.d" ] # x\ne = 1\n[[f]]\n[1, 2],\n[g]]\n[ [h] ]\ng = [\n[1],\n]\n')
    assert [lines.of(path) for path in (("a",), ("b", "c.d"), ("b", "c.d", "e"), ("f",))] == [1, 2, 3, 4]


@pytest.mark.slow
def test_the_server_does_not_wait_for_a_long_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It goes on with what was known, and takes the new one when it has been read."""
    path, document = tmp_path / "memlane.toml", (tmp_path / "a.mlir").as_uri()
    path.write_text('ignore = ["leak"]\n')

    def slow(*arguments: object) -> object:
        time.sleep(2)
        return load_config(*arguments)  # pyright: ignore[reportArgumentType] -- passed on as it came

    monkeypatch.setattr(project, "load_config", slow)
    held = Project()
    began = time.monotonic()
    assert held.config(document).values["ignore"] == ()
    assert held.config(document).values["ignore"] == () and time.monotonic() - began < 1.5
    while held.config(document).values["ignore"] == ():
        time.sleep(0.1)
        held.refresh()
        assert time.monotonic() - began < 60
    assert held.config(document).values["ignore"] == ("leak",)
    assert isinstance(Reading(lambda: project.Loaded(held.config(document), (), ())), Reading)

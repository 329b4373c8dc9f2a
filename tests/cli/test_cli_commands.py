"""The commands beside `check`: explain, rules, config, dialect, parse, server."""

from __future__ import annotations

import json
import re
import shlex
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft7Validator

from memlane.cli import COMMANDS, main
from memlane.cli.schema import schema
from memlane.config import load_config
from memlane.dialects.toml import read_toml
from memlane.rules import all_rules

ROOT = Path(__file__).resolve().parent.parent.parent


def toml(text: str) -> Any:
    values, problems = read_toml(text, "memlane.toml")
    assert problems == ()
    return values


def errors(values: Any) -> list[Any]:
    """What the schema says against a configuration."""
    Draft7Validator.check_schema(schema())
    validator: Any = Draft7Validator(schema())
    return list(validator.iter_errors(values))


def test_help_names_all_commands(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["--help"])
    assert stopped.value.code == 0
    text = capsys.readouterr().out
    assert [line.split()[0] for line in text.splitlines() if re.match(r"    \w", line)] == list(COMMANDS)


def test_nothing_is_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    assert "Check files: report leaks" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["chek"], "there is no command 'chek'; did you mean 'check'?"),
        (["nothing"], "there is no command 'nothing'; `memlane --help` lists them"),
        ([str(ROOT / "examples")], f"did you mean `memlane check {ROOT / 'examples'}`?"),
        (["--fix", "check"], "unknown argument: --fix; a command comes first, `memlane --help` lists them"),
        (["-"], "did you mean `memlane check -`?"),
        (["check", "--fixx"], "unknown argument: --fixx; did you mean --fix?"),
        (["check", "--output-formt=json"], "unknown argument: --output-formt=json; did you mean --output-format?"),
        (["rules", "leak"], "unknown argument: leak; `memlane rules --help` lists the valid ones"),
    ],
)
def test_slips(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(arguments)
    assert stopped.value.code == 2
    assert capsys.readouterr().err.endswith(f"{said}\n")


def test_explain(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "leak", "late-free"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("leak (warning)\n")
    assert "\nlate-free (warning)\n" in out
    assert "## Use instead" in out
    assert "https://memlane.readthedocs.io/en/latest/rules/leak/" in out


def test_explain_what_is_no_rule(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "leek"]) == 2
    assert capsys.readouterr().err == "memlane: there is no rule 'leek'; did you mean 'leak'?\n"


def test_rules(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == list(all_rules())
    assert main(["rules", "--output-format", "json"]) == 0
    records = json.loads(capsys.readouterr().out)
    assert [record["rule"] for record in records] == list(all_rules())
    assert all(record["severity"] and record["summary"] and record["url"] for record in records)


def test_config_says_where_settings_are_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "memlane.toml").write_text('ignore = ["leak"]\n\n[limits]\nlate-bytes = "64 KiB"\n')
    assert main(["config", "--select", "double-free", "--output-format", "json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    settings = shown["settings"]
    assert shown["files"] == [str(tmp_path / "memlane.toml")]
    assert settings["ignore"] == {"value": ["leak"], "origin": f"{tmp_path / 'memlane.toml'}:1"}
    assert settings["limits.late-bytes"] == {"value": 65536, "origin": f"{tmp_path / 'memlane.toml'}:4"}
    assert settings["select"] == {"value": ["double-free"], "origin": "command line:1"}
    assert settings["exclude"] == {"value": [], "origin": None}
    assert main(["config"]) == 0
    text = capsys.readouterr().out
    assert toml(text)["limits"]["late-bytes"] == 65536
    assert f'ignore = ["leak"] # {tmp_path}/memlane.toml:1' in " ".join(text.split())


def test_config_with_mistakes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "memlane.toml").write_text("selekt = 1\n")
    assert main(["config"]) == 2
    assert "memlane: memlane.toml:1: selekt: unknown key" in capsys.readouterr().err


ONE = "func.func @one() {\n  %a = memref.alloc() : memref<4xf32>\n  memref.dealloc %a : memref<4xf32>\n  return\n}\n"


def test_stats_of_a_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("in/a.mlir", "in/deep/b.mlir", "in/c.txt", "in/left/d.mlir"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(ONE)
    (tmp_path / "memlane.toml").write_text('selekt = 1\nexclude = ["left"]\n')
    (tmp_path / "empty").mkdir()
    assert main(["stats", "in", "in/c.txt", "empty"]) == 0
    out, err = capsys.readouterr()
    assert re.findall(r"^(\S+):1 @one$", out, re.MULTILINE) == ["in/a.mlir", "in/deep/b.mlir", "in/c.txt"]
    mistake, empty = err.splitlines()
    assert mistake.startswith("memlane: memlane.toml:1: selekt: unknown key")
    assert empty == "memlane: no files in empty; the setting `include` says which are looked for"


LOCATED = """\
#embedding = loc("model.py":12:5)
#head = loc("model.py":20:3)
func.func @f(%x: memref<64xf32>, %n: index) {
  %a = memref.alloc() : memref<64xf32> loc(#embedding)
  memref.copy %x, %a : memref<64xf32> to memref<64xf32> loc(#embedding)
  %b = memref.alloc() : memref<128xf32> loc(#head)
  %c = memref.alloc(%n) : memref<?xf32> loc(callsite(#embedding at #head))
  %d = memref.alloc() : memref<4xf32>
  memref.dealloc %a : memref<64xf32>
  memref.dealloc %b : memref<128xf32>
  memref.dealloc %c : memref<?xf32>
  memref.dealloc %d : memref<4xf32>
  return
}
func.func @g() {
  %a = memref.alloc() : memref<128xf32> loc(#head)
  memref.dealloc %a : memref<128xf32>
  return
}
"""


def test_stats_by_source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.mlir").write_text(LOCATED)
    assert main(["stats", "--by", "source", "a.mlir"]) == 0
    head, _, *rows = capsys.readouterr().out.splitlines()
    assert head == "a.mlir"
    assert [row.split() for row in rows] == [
        ["model.py:12", "4*%n", "+", "256", "B", "4*%n", "+", "256", "B", "2", "2"],
        ["model.py:20", "1", "KiB", "1", "KiB", "2", "1"],
        ["-", "16", "B", "16", "B", "1"],
    ]
    assert main(["stats", "--by", "source", "--sites", "--function", "f", "a.mlir"]) == 0
    listed = [row.split() for row in capsys.readouterr().out.splitlines() if row.startswith("    @")]
    assert [row[:2] for row in listed] == [["@f", "%a,"], ["@f", "%c,"], ["@f", "%b,"], ["@f", "%d,"]]
    assert listed[0][2:] == ["line", "4", "256", "B"]
    assert main(["stats", "--by", "source", "--output-format", "json", "--function", "g", "a.mlir"]) == 0
    (record,) = json.loads(capsys.readouterr().out)
    assert [(one["function"], one["name"], one["bytes"]) for one in record["sites"]] == [("g", "%a", 512)]
    assert record["source"] == {"file": "model.py", "row": 20, "column": 3}
    assert (record["filename"], record["buffers"], record["bytes"]) == ("a.mlir", 1, 512)


@pytest.mark.parametrize("command", ["stats", "lanes", "passes"])
def test_a_configuration_file_that_is_not_there(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.mlir").write_text(ONE)
    with pytest.raises(SystemExit) as stopped:
        main([command, "--config", str(tmp_path / "none.toml"), str(tmp_path / "a.mlir")])
    assert stopped.value.code == 2
    assert "none.toml is no file" in capsys.readouterr().err


GOOD = [
    'select = ["ALL", "possible-*"]\nrespect-gitignore = false\n',
    '[severity]\nleak = "error"\n[limits]\nalloc = "1.5 GiB"\nlate-operations = 3\n[budget]\ndefault = 4096\n',
    (ROOT / "examples" / "memlane.toml").read_text(encoding="utf-8"),
]
BAD = [
    "selekt = 1\n",
    'select = ["lek"]\n',
    '[severity]\nleak = "fatal"\n',
    '[limits]\nalloc = "much"\n',
    "[limits]\nlate-operations = -1\n",
    "respect-gitignore = 3\n",
    '[op."my.free"]\nfre = [0]\n',
    '[resource.pool]\nfrees = "my.free"\n',
]


@pytest.mark.parametrize(("text", "good"), [*((text, True) for text in GOOD), *((text, False) for text in BAD)])
def test_schema_and_reader_agree(text: str, good: bool, tmp_path: Path) -> None:
    file = tmp_path / "memlane.toml"
    file.write_text(text, encoding="utf-8")
    assert (not load_config(file)[1]) is good
    assert (not errors(toml(text))) is good


@pytest.mark.slow
def test_schema_takes_every_dialect_that_ships() -> None:
    folder = ROOT / "analysis" / "memlane" / "dialects"
    described = sorted((*folder.glob("*.toml"), *folder.glob("overlay/*.toml")))
    assert len(described) > 50
    for path in described:
        assert errors(toml(path.read_text(encoding="utf-8"))) == [], path.name


IRDL = """irdl.dialect @pool {
  irdl.operation @take {
    %0 = irdl.any
    irdl.results(buffer: %0)
  }
}
"""


def test_dialect_import(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, target = tmp_path / "pool.mlir", tmp_path / "pool.toml"
    source.write_text(IRDL)
    assert main(["dialect", "import", str(source), "-o", str(target)]) == 0
    assert capsys.readouterr().err == "memlane: pool: 1 operation, 0 of them guessed\n"
    assert "[dialect.pool]" in target.read_text()
    (tmp_path / "memlane.toml").write_text('models = ["pool.toml"]\n')
    assert load_config(tmp_path / "memlane.toml")[1] == ()


def test_dialect_import_of_something_else(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "x.mlir"
    source.write_text("func.func private @f()\n")
    assert main(["dialect", "import", str(source)]) == 2
    assert capsys.readouterr().err.startswith(f"memlane: {source}: ")


def test_parse(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "x.mlir"
    source.write_text("func.func @f(%n: index) {\n  %a = memref.alloc(%n) : memref<?xf32>\n  return\n}\n")
    assert main(["parse", "--output-format", "json", str(source)]) == 0
    function, alloc, _ = json.loads(capsys.readouterr().out)
    assert (function["name"], function["parent"]) == ("func.func", None)
    assert (alloc["name"], alloc["parent"], alloc["results"]) == ("memref.alloc", 0, ["%a"])
    assert alloc["location"] == {"row": 2, "column": 8}
    (operand,) = alloc["operands"]
    assert operand["name"] == "%n"
    assert operand["location"] == {"row": 2, "column": 21}
    assert operand["definition"] == {"row": 1, "column": 14}


def test_parse_with_problems(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "x.mlir"
    source.write_text("func.func @f() {\n  memref.dealloc %nowhere : memref<4xf32>\n  return\n}\n")
    assert main(["parse", str(source)]) == 1
    out, err = capsys.readouterr()
    assert len(json.loads(out)) == 3
    assert err.startswith(f"{source}:2:18: undefined-value: ")
    assert main(["parse", str(tmp_path / "absent.mlir")]) == 2


@pytest.mark.slow
@pytest.mark.parametrize("arguments", [["--help"], ["--stdio"]])
def test_server_has_its_own_arguments(arguments: list[str]) -> None:
    command = [sys.executable, "-m", "memlane", "server", *arguments]
    done = subprocess.run(command, input=b"", capture_output=True, timeout=600, check=False)
    if arguments == ["--help"]:
        assert done.returncode == 0
        assert b"--tcp" in done.stdout
    else:
        assert b"the client is gone" in done.stderr


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="`<&-` is of the shells of Unix")
@pytest.mark.parametrize("command", ["check", "stats", "parse", "lanes"])
def test_standard_input_that_is_closed(command: str) -> None:
    """Nothing comes from it, and that is not what a program without buffers looks like."""
    line = shlex.join([sys.executable, "-m", "memlane", command, "-"])
    done = subprocess.run(f"{line} <&-", shell=True, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 2 and "-: cannot be read: standard input is closed\n" in done.stderr


@pytest.mark.parametrize("command", ["check", "stats"])
def test_an_empty_name_is_no_folder(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As a variable of a shell that is not set gives: nobody means the folder they are in."""
    (tmp_path / "x.mlir").write_text("func.func @f() {\n  return\n}\n")
    monkeypatch.chdir(tmp_path)
    assert main([command, ""]) == 2
    assert "memlane: '': " in capsys.readouterr().err


@pytest.mark.parametrize("width", ["0", "-9", "19", "999999999", "many"])
def test_pictures_have_some_columns(width: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["lanes", "--width", width, str(tmp_path / "x.mlir")])
    assert "expected a number of columns from 20 to 10000" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.parametrize("transport", ["--tcp", "--ws"])
def test_a_server_that_cannot_listen(transport: str) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        for asked, said in ((port, f"memlane server: cannot listen at 127.0.0.1, port {port}: "), ("70000", "65535")):
            command = [sys.executable, "-m", "memlane", "server", transport, "--port", asked]
            done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
            assert done.returncode == 2 and said in done.stderr and "Traceback" not in done.stderr

"""What commands print is obeyed by no terminal, whatever files, names in them and configuration are called."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from memlane.cli import main
from memlane.cli.render import FORMATS
from memlane.cli.terminal_output import json_text

EVIL = "\x1b[31m\x07\x9b2J\u202e\x08"
"""A colour, a bell, a control sequence of one character, text from right to left, and a step back."""
OBEYED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")
COLOURS = re.compile(r"\x1b\[(?:0|1|2|1;3[1-6])m")
PROGRAM = f"""\
func.func @"f{EVIL}"(%n: index) {{
  %a = memref.alloc(%n) {{note = "{EVIL}"}} : memref<?xf32, "space{EVIL}">
  %b = memref.alloc() : memref<4xf32>
  "x.y{EVIL}"(%b) : (memref<4xf32>) -> ()
  call @"undefined{EVIL}"(%b) : (memref<4xf32>) -> ()
  memref.dealloc %b : memref<4xf32>
  memref.dealloc %b : memref<4xf32>
  %c = arith.addi %undefined{EVIL}, %n : index
  return // memlane: ignore[nothing{EVIL}] {EVIL}
}}
"""
CONFIGURATION = (
    f'{json.dumps(EVIL)} = 1\nselect = ["ALL"]\nextend-ignore = [{json.dumps(EVIL)}]\nmodels = [{json.dumps(EVIL)}]\n'
)
NAME = f"{EVIL}.mlir"

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such names")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder in which everything has such a name."""
    dump = f"// -----// IR Dump After {EVIL} ({EVIL}) //----- //\n"
    changed = PROGRAM.replace("  memref.dealloc %b", "  // memref.dealloc %b")
    (tmp_path / NAME).write_text(PROGRAM)
    (tmp_path / f"other{NAME}").write_text(changed)
    (tmp_path / f"log{EVIL}").write_text(f"{dump}{PROGRAM}{dump}{changed}")
    (tmp_path / f"bytes{NAME}").write_bytes(b"\xff")
    (tmp_path / "memlane.toml").write_text(CONFIGURATION)
    monkeypatch.chdir(tmp_path)
    return tmp_path


COMMANDS = [
    *(["check", "--no-cache", "-j", "1", "--output-format", form, "--show-fixes", "."] for form in FORMATS),
    ["check", "--no-cache", "-j", "1", "--color", "always", "."],
    ["check", "--no-cache", "-j", "1", "--color", "always", "--diff", "--unsafe-fixes", "--isolated", "."],
    ["check", "--no-cache", f"missing{EVIL}"],
    ["check", "--config", EVIL, NAME],
    ["check", "--select", EVIL, NAME],
    ["check", "--output-file", f"/missing/{EVIL}", NAME],
    ["stats", "--sites", NAME],
    ["stats", "--function", EVIL, NAME],
    ["lanes", "--format", "text", NAME],
    ["lanes", "--function", EVIL, NAME],
    ["parse", NAME],
    ["diff", NAME, f"other{NAME}"],
    ["diff", "--output-format", "json", NAME, f"other{NAME}"],
    ["passes", "-q", f"log{EVIL}"],
    ["config", NAME],
    ["explain", EVIL],
    ["dialect", "scaffold", EVIL],
]


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: ascii(" ".join(command)))
def test_no_terminal_obeys(folder: Path, capsys: pytest.CaptureFixture[str], command: list[str]) -> None:
    try:
        code = main(command)
    except SystemExit as usage:  # arguments that are none
        code = usage.code
    said = capsys.readouterr()
    assert code in (0, 1, 2) and "Traceback" not in said.err and "a bug in" not in said.err
    assert said.out or said.err
    found = OBEYED.search(COLOURS.sub("", said.out) + said.err)
    assert found is None, found


def test_json_says_the_same() -> None:
    text = json_text([EVIL, "数\N{GRINNING FACE}"])
    assert json.loads(text) == [EVIL, "数\N{GRINNING FACE}"]
    assert "数\N{GRINNING FACE}" in text and not OBEYED.search(text)


@pytest.mark.parametrize("name", [NAME, "javascript:alert(1)", "a?b#c.mlir", "\udcff.mlir"])
def test_pictures_are_xml_and_link_to_their_file(folder: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    Path(name).write_text(PROGRAM)
    for form in ("svg", "html", "text"):
        assert main(["lanes", "--format", form, "-o", f"picture.{form}", name]) == 0
    picture = ElementTree.fromstring(Path("picture.svg").read_text(encoding="utf-8"))
    links = [one.attrib["href"] for one in picture.iter("{http://www.w3.org/2000/svg}a")]
    assert links and all(re.fullmatch(r"[\w./%~-]+#L\d+", link) for link in links), links


@pytest.mark.slow
def test_no_terminal_obeys_progress(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memlane.cli.passes._SIGN", (0, 0))
    main(["passes", f"log{EVIL}"])
    err = capsys.readouterr().err
    assert "dumps, now After" in err
    assert not OBEYED.search(err)

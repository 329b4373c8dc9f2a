"""Code actions that do not edit the program: describe an operation, suppress the finding."""

from __future__ import annotations

from pathlib import Path

import pytest

from memlane.checking import check
from memlane.config import Config, load_config
from memlane.findings import Applicability
from memlane.fixes import Fixer, apply, fix_all, silence

PROGRAM = """func.func @f(%a: memref<4xf32>, %n: index) {
  %b = npu.view %n, %a : index, memref<4xf32> -> memref<4xf32>
  "npu.run"(%b) : (memref<4xf32>) -> ()
  return
}
"""


def said(source: str, config: Config) -> list[str]:
    return [finding.rule.name for finding in check(source, config).findings]


def configured(folder: Path, name: str, text: str) -> Config:
    file = folder / name
    file.write_text(text, encoding="utf-8")
    config, problems = load_config(file)
    assert not problems
    return config


@pytest.mark.parametrize("name", ["memlane.toml", ".memlane.toml", "pyproject.toml"])
def test_an_operation_is_described_in_the_file_that_holds(tmp_path: Path, name: str) -> None:
    section = "[tool.memlane]\n" if name == "pyproject.toml" else ""
    (tmp_path / "base.toml").write_text("[budget]\ndefault = 4096\n")
    text = f'{section}extend = "base.toml"\n'
    config = configured(tmp_path, name, text)
    assert said(PROGRAM, config) == ["unknown-effects", "unknown-effects"]
    checked = check(PROGRAM, config)
    for finding in checked.findings:
        fix = Fixer(checked, config).fix(finding)
        assert fix is not None and not fix.edits and fix.reason
        assert fix.applicability is Applicability.UNSAFE
        (added,) = fix.additions
        assert added.file == tmp_path / name
        text += added.content
    assert said(PROGRAM, configured(tmp_path, name, text)) == []


def test_a_new_file_has_the_usual_name() -> None:
    checked = check(PROGRAM)
    fix = Fixer(checked, Config()).fix(checked.findings[0])
    assert fix is not None
    assert [(added.file, added.name) for added in fix.additions] == [(None, "memlane.toml")]
    assert "(index, memref<4xf32>) -> (memref<4xf32>)" in fix.additions[0].content
    assert "view = [{ result = 0, of = [1], may = true }]" in fix.additions[0].content


def test_fix_all_describes_nothing() -> None:
    assert fix_all(PROGRAM, Config(), unsafe=True) == PROGRAM


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
@pytest.mark.parametrize("comment", ["", "  // Größe \U0001f680", "  // memlane: ignore[late-free] because"])
def test_a_finding_is_silenced_where_it_stands(comment: str, ending: str) -> None:
    source = "func.func @f() {\n\t%a = memref.alloc() : memref<4xf32>COMMENT\n\treturn\n}\n"
    source = source.replace("COMMENT", comment).replace("\n", ending)
    checked = check(source)
    (leak,) = (finding for finding in checked.findings if finding.rule.name == "leak")
    fix = silence(checked.text, leak)
    assert fix.message == "Ignore leak here"
    after = apply(source, fix.edits)
    assert "leak" not in said(after, Config())
    assert after.count(ending) in (source.count(ending), source.count(ending) + 1)
    assert after.count("\n") == after.count(ending)
    assert ("TODO: say why" in after) != ("because" in comment)

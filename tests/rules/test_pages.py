"""The page of every rule: it has all its sections, and its examples show what they say."""

from __future__ import annotations

import inspect
import re
import shutil
import subprocess

import pytest

from memlane.checking import check
from memlane.config import load_config
from memlane.findings import Severity
from memlane.rules import modules

SECTIONS = ("What it does", "Why is this bad?", "Example", "Use instead")
MLIR_OPT = shutil.which("mlir-opt-22") or shutil.which("mlir-opt")


def page(rule: str) -> str:
    return inspect.cleandoc(modules()[rule].__doc__ or "")


def section(rule: str, title: str) -> str:
    return page(rule).partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def blocks(rule: str, title: str) -> list[str]:
    return re.findall(r"^```mlir\n(.*?)^```$", section(rule, title), re.MULTILINE | re.DOTALL)


def reported(rule: str, source: str) -> set[str]:
    settings = re.findall(r"^// config: (.+)$", source, re.MULTILINE)
    config, problems = load_config(None, [f'extend-select=["{rule}"]', *settings])
    assert not problems
    return {finding.rule.name for finding in check(source, config).findings}


@pytest.mark.parametrize("rule", modules())
def test_page_has_its_sections(rule: str) -> None:
    titles = re.findall(r"^## (.+)$", page(rule), re.MULTILINE)
    assert tuple(title for title in titles if title in SECTIONS) == SECTIONS
    assert all(section(rule, title).strip() for title in SECTIONS)
    assert re.match(r"[A-Z].+\.$", page(rule).splitlines()[0])


WITHOUT_EXAMPLE = {"analysis-limit"}
"""No program that fits on a page reaches the budget; tests/flow/test_budget.py lowers it."""


@pytest.mark.parametrize("rule", sorted(modules().keys() - WITHOUT_EXAMPLE))
def test_example_shows_the_rule_and_nothing_else(rule: str) -> None:
    assert blocks(rule, "Example")
    for source in blocks(rule, "Example"):
        assert reported(rule, source) == {rule}


@pytest.mark.parametrize("rule", sorted(modules().keys() - WITHOUT_EXAMPLE))
def test_repaired_example_is_clean(rule: str) -> None:
    assert blocks(rule, "Use instead")
    for source in blocks(rule, "Use instead"):
        assert rule not in reported(rule, source)


@pytest.mark.skipif(MLIR_OPT is None, reason="needs mlir-opt")
@pytest.mark.parametrize("rule", modules())
def test_repaired_example_is_mlir(rule: str) -> None:
    for source in blocks(rule, "Use instead"):
        command = [str(MLIR_OPT), "--allow-unregistered-dialect", "--split-input-file", "-"]
        done = subprocess.run(command, input=source, capture_output=True, text=True, timeout=600, check=False)
        assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("rule", modules())
def test_declaration_agrees_with_the_file(rule: str) -> None:
    module = modules()[rule]
    assert module.__name__.rpartition(".")[2] == rule.replace("-", "_")
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", rule)
    assert module.RULE.summary
    assert not module.RULE.summary.endswith(".")
    if rule.startswith("possible-"):
        must = modules()[rule.removeprefix("possible-")].RULE.severity
        assert list(Severity).index(module.RULE.severity) >= list(Severity).index(must)

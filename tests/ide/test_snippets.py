"""Snippets: with what they say by default they are MLIR, for Memlane and for MLIR itself."""

from __future__ import annotations

import re
import shutil
import subprocess

import pytest

from memlane.checking import check
from memlane.config import Config
from memlane.dialects.snippets import snippet, snippets
from memlane.ide.completion import completions
from memlane.ide.snapshot import File

ARGUMENTS = (
    "%buffer: memref<4xf32>, %source: memref<4xf32>, %target: memref<4xf32>, %index: index, %value: f32, "
    "%flag: i1, %tensor: tensor<4xf32>"
)
PROGRAM = "func.func private @callee(memref<4xf32>)\nfunc.func @f({}) {{\n{}\nreturn\n}}\n"


def filled(text: str) -> str:
    """A snippet with its defaults."""
    return re.sub(r"\$\{\d+:([^}]*)\}", r"\1", text).replace("$0", "")


def program(text: str) -> str:
    """A program with a snippet's operation in it, or around it."""
    return filled(text) if text.startswith("func.func") else PROGRAM.format(ARGUMENTS, filled(text))


@pytest.mark.parametrize("name", snippets())
def test_a_snippet_is_what_it_is_named_after(name: str) -> None:
    checked = check(program(snippets()[name]))
    ops = [op.name for chunk in checked.tree.chunks for top in chunk.ops for op in (top, *top.walk())]
    assert name in ops and not any(op == "" for op in ops)
    assert not [one for one in checked.findings if one.rule.name in {"syntax", "undefined-value", "unknown-effects"}]
    assert name in Config().models.ops
    numbers = [int(number) for number in re.findall(r"\$\{(\d+):", snippets()[name])]
    assert numbers == list(range(1, len(numbers) + 1))


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("mlir-opt-22") is None, reason="needs mlir-opt-22")
@pytest.mark.parametrize("name", snippets())
def test_mlir_reads_a_snippet(name: str) -> None:
    done = subprocess.run(["mlir-opt-22"], input=program(snippets()[name]), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_results_are_named_where_they_are_not_yet() -> None:
    assert snippet("memref.alloc", results=True) == "%${1:alloc} = memref.alloc() : memref<${2:4xf32}>"
    assert snippet("memref.alloc", results=False) == "memref.alloc() : memref<${2:4xf32}>"
    assert snippet("memref.dealloc", results=False) == snippet("memref.dealloc", results=True)
    assert snippet("test.unknown", results=True) is None


@pytest.mark.parametrize(("before", "starts"), [("  ", "%${1:alloc} = memref.alloc()"), ("  %a = ", "memref.alloc()")])
def test_completion_offers_them(before: str, starts: str) -> None:
    text = f"func.func @f() {{\n{before}memref.al"
    found = completions(File("file:///a.mlir", 1, (text,), Config()), len(text))
    [alloc] = [one for one in found if one.text == "memref.alloc"]
    assert alloc.snippet.startswith(starts)

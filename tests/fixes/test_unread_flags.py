"""Flags that are no longer read are removed; removing them is the inverse of adding them, in all forms of text."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from memlane.dialects import builtin_models
from memlane.fixes import fix_all
from memlane.fixes.thread_flags import merges, threaded
from memlane.fixes.unread_flags import without_unread
from memlane.flow import Program
from memlane.syntax import parse
from memlane.text import Text
from tests.fixes.differential import generated
from tests.fixes.tidiness import untidy

FOLDER = Path(__file__).parent / "programs"
PROGRAMS = sorted(path for path in FOLDER.glob("*.mlir") if not path.name.endswith(".fixed.mlir"))
OPT = shutil.which("mlir-opt-22")


def with_flags(source: str) -> Iterator[str]:
    """A text with flags for each cluster of buffers that merge somewhere, which nothing reads."""
    models = builtin_models()
    for chunk in parse(source, models).chunks:
        program = Program(chunk.ops, models, source)
        for flow in program.functions.values():
            for cluster in dict.fromkeys(program.aliases(flow).clusters.values()):
                groups = merges(cluster)
                fitting = [g for g in groups if threaded(flow.graph, cluster, g, Text(source)) is not None]
                new = threaded(flow.graph, cluster, [value for group in fitting for value in group], Text(source))
                if new is not None:
                    yield new.text.source


def bare(text: str) -> str:
    """A text without parentheses: around a list of one type some stay."""
    return text.translate({ord("("): None, ord(")"): None})


def returned(source: str) -> int:
    """How many times the flags of a text go so that it is what it was."""
    times = 0
    for flagged in with_flags(source):
        assert flagged != source
        assert bare(without_unread(source, flagged, builtin_models())) == bare(source)
        assert without_unread(flagged, flagged, builtin_models()) == flagged, "what was there is the user's"
        times += 1
    return times


@pytest.mark.slow
def test_what_is_put_in_is_taken_out_again() -> None:
    assert sum(returned(path.read_text()) for path in PROGRAMS) > 20


@pytest.mark.skipif(OPT is None, reason="needs mlir-opt-22 (Debian: mlir-22-tools), which prints the generic form")
@pytest.mark.parametrize("name", ["blocks", "carried", "conditions", "flags", "ownership", "switches", "several"])
def test_in_generic_form_as_well(name: str) -> None:
    assert OPT is not None
    command = [OPT, "--mlir-print-op-generic", "--mlir-print-local-scope", FOLDER / f"{name}.mlir"]
    assert returned(subprocess.run(command, capture_output=True, text=True, check=True).stdout) > 0


@pytest.mark.slow
@pytest.mark.parametrize("seed", [5, 239])
def test_flags_that_a_later_fix_leaves_go(seed: int) -> None:
    """Two functions are repaired at once, and what is known of a call changes; one fix follows another."""
    for _, source in generated([seed]):
        assert untidy(source, fix_all(source)) == []


USER = """func.func @f(%c: i1, %n: index, %x: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %true = arith.constant true
  %a = memref.alloc() : memref<4xf32>
  memref.copy %x, %a : memref<4xf32> to memref<4xf32>
  %r, %r_owned = scf.for %i = %c0 to %n step %c1 iter_args(%m = %a, %m_owned = %true) -> (memref<4xf32>, i1) {
    memref.copy %m, %x : memref<4xf32> to memref<4xf32>
    scf.yield %m, %m_owned : memref<4xf32>, i1
  }
  return
}
"""


def test_what_the_user_wrote_stays() -> None:
    added = "  memref.dealloc %a : memref<4xf32>\n  return\n"
    assert fix_all(USER) == USER.replace("  return\n", added)


READ = {
    "a result is": "  scf.if %r_owned {\n    memref.dealloc %r : memref<4xf32>\n  }\n",
    "another flag comes of it": "  cf.br ^end(%r_owned : i1)\n^end(%q: i1):\n  call @take(%q) : (i1) -> ()\n",
    "both": "  %s = arith.select %r_owned, %c, %r_owned : i1\n  call @take(%s) : (i1) -> ()\n",
}


@pytest.mark.parametrize("how", READ)
def test_what_is_read_stays(how: str) -> None:
    text = "func.func private @take(i1)\n" + USER.replace("  return\n", f"{READ[how]}  return\n")
    assert without_unread("", text, builtin_models()) == text


def test_what_only_an_unread_flag_took_goes() -> None:
    inverted = "  %not = arith.xori %c, %true : i1\n"
    source = USER.replace("  %true = arith.constant true\n", "").replace(", %m_owned = %true", "")
    source = source.replace("%r, %r_owned", "%r").replace(", %m_owned", "").replace(", i1", "")
    flagged = USER.replace("= %true", "= %not").replace("  %a =", f"{inverted}  %a =")
    assert without_unread(source, flagged, builtin_models()) == source

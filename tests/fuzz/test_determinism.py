"""Findings and fixes are the same whatever hash seeds, processes, threads and the order of chunks."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from memlane.checking import check
from memlane.config import Config
from memlane.findings import Finding
from memlane.fixes import with_fixes
from memlane.query import Checker, functions
from memlane.syntax import Document
from memlane.syntax.tree.tree import Block, Op, Region, Value
from tests.effort import FULL, some
from tests.fuzz.inputs import text
from tests.fuzz.programs import program
from tests.paths.agreement import as_variables
from tests.paths.programs import program as written

CONFIG = Config()
HASH_SEEDS = ("0", "1", "2", "3", "random")
MANY_ALIKE = Path(__file__).with_name("many_alike.mlir")
"""Typed by a fuzzer: what is used may be one of several buffers, which are explored as if they were alike."""


def programs(count: int) -> list[str]:
    """Generated programs and mutated ones."""
    texts = [program(random.Random(f"same {number}"), 8) for number in range(count)]
    return texts + [text("tokens", 5, number).encode(errors="replace").decode() for number in range(count)]


def output(folder: Path, seed: str, *options: str) -> bytes:
    """What a process with a hash seed prints."""
    command = [sys.executable, "-m", "memlane", "check", "--no-cache", "--output-format", "json", *options, "."]
    done = subprocess.run(
        command, cwd=folder, capture_output=True, check=False, env={**os.environ, "PYTHONHASHSEED": seed}
    )
    assert done.returncode in (0, 1), done.stderr
    return done.stdout


def write(folder: Path, count: int) -> None:
    for number, source in enumerate(programs(count)):
        (folder / f"{number}.mlir").write_text(source, encoding="utf-8", newline="")


@pytest.mark.slow
def test_hash_seeds_and_processes(tmp_path: Path) -> None:
    write(tmp_path, 6)
    outputs = {output(tmp_path, seed, "-j", jobs) for seed, jobs in zip(HASH_SEEDS, "12311", strict=True)}
    assert len(outputs) == 1 and len(outputs.pop()) > 10_000


@pytest.mark.slow
def test_hash_seeds_and_fixes(tmp_path: Path) -> None:
    write(tmp_path, 4)
    assert len({output(tmp_path, seed, "--show-fixes") for seed in HASH_SEEDS[:3]}) == 1


@pytest.mark.slow
@pytest.mark.parametrize("seed", some(range(12), 2))
def test_the_order_of_sets(monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    """Operations and values have their addresses for hashes: with any others, and so in another order in each set, the
    findings, their paths and their fixes are the same."""
    executable = [written(number)[0] for number in some(range(4 * seed, 4 * seed + 4), 2)]
    texts = [program(random.Random(f"sets {seed}"), 4), *executable, *map(as_variables, executable)]
    if seed == 0:
        texts.append(MANY_ALIKE.read_text(encoding="utf-8"))
    wanted = [with_fixes(check(source, CONFIG), CONFIG).findings for source in texts]
    for salt in range(1, 4 if FULL else 3):
        _salt_hashes(monkeypatch, salt)
        assert [with_fixes(check(source, CONFIG), CONFIG).findings for source in texts] == wanted


ONE_OF_MANY = """\
func.func @f(%n: index, %at: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %all = memref.alloc(%n) : memref<?xmemref<4xf32>>
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() : memref<4xf32>
    memref.store %a, %all[%i] : memref<?xmemref<4xf32>>
  }
  scf.for %i = %c0 to %n step %c1 {
    %b = memref.load %all[%at] : memref<?xmemref<4xf32>>
    memref.dealloc %b : memref<4xf32>
  }
  memref.dealloc %all : memref<?xmemref<4xf32>>
  return
}
"""


def test_which_of_the_buffers_a_container_holds_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of those of several rounds that are one buffer later, whatever the order of sets, the same one."""
    wanted = check(ONE_OF_MANY, CONFIG).findings
    assert [one.rule.name for one in wanted] == ["possible-double-free"]
    for salt in range(1, 13):
        _salt_hashes(monkeypatch, salt)
        assert check(ONE_OF_MANY, CONFIG).findings == wanted


def _salt_hashes(monkeypatch: pytest.MonkeyPatch, salt: int) -> None:
    def hashed(one: object) -> int:
        return (id(one) >> 4) * (2 * salt + 1) * 2_654_435_761 & 0xFFFF_FFFF

    for kind in (Op, Value, Block, Region):
        monkeypatch.setattr(kind, "__hash__", hashed)


def found_in(source: str) -> tuple[Finding, ...]:
    return check(source, CONFIG).findings


@pytest.mark.slow
def test_threads() -> None:
    """Many at once, each document by itself, and one document whose checker all of them share."""
    texts = programs(6)
    wanted = [check(source, CONFIG).findings for source in texts]
    with ThreadPoolExecutor(6) as threads:
        assert list(threads.map(found_in, texts * 2)) == wanted * 2
        document, checker = Document(texts[0], CONFIG.models), Checker()
        _ = document.tree
        asked = [threads.submit(checker.findings, document, CONFIG) for _ in range(6)]
        found = [one.result() for one in asked]
    assert found == [wanted[0]] * 6


@pytest.mark.slow
def test_what_is_kept_of_functions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether ops are kept for those who call a function, or built again for each, nothing else is found."""
    texts = programs(12)
    wanted = [check(source, CONFIG).findings for source in texts]
    monkeypatch.setattr(functions, "MAX_CALLEE_TEXT", 0)
    assert [check(source, CONFIG).findings for source in texts] == wanted


@pytest.mark.slow
def test_the_order_of_chunks() -> None:
    """Chunks between `// -----` lines are programs of their own: in any order each has its findings."""
    chunks = programs(4)[:4]
    alone = {chunk: _said(chunk, 0, len(chunk)) for chunk in chunks}
    for _ in range(3):
        random.Random(1).shuffle(chunks)
        joined = "// -----\n".join(chunks)
        at = 0
        for chunk in chunks:
            assert _said(joined, at, at + len(chunk)) == alone[chunk]
            at += len(chunk) + len("// -----\n")


def _said(source: str, start: int, end: int) -> list[tuple[str, int, str]]:
    return [
        (finding.rule.name, finding.report.span.start - start, finding.report.message)
        for finding in check(source, CONFIG).findings
        if start <= finding.report.span.start < end
    ]


def test_names_given_twice_make_no_order_of_chance() -> None:
    """Two arguments of one name: what is found must not depend on where the interpreter happens to keep values."""
    twice = """\
func.func @f(%b: memref<4xf32>, %c: i1, %c: index, %x: f32) {
 x cf.cond_br %c, ^bb1(%b : memref<4xf32>), ^bb3(%b : memref<4xf32>)
^bb1(%p1: memref<4xf32>):
  memref.store %v17, %b[%zero] : memref<4xf32>
  %v4 = scf.for %v2 = %zero to %n step %one iter_args(%v5 = %p2) -> (memref<4xf32>) {
  }
^bb3(%p3: memref<4xf32>):
  memref.store %x, %p3[%zero] : memref<4xf32>
  %0v17 = scf.if %c -> (memref<4xf32>) {
  %v21 = memref.alloc() : memref<4xf32>
  cf.cond_br %c, ^bb2(%v21 : memref<4xf32>), ^bb2(%v21 : memref<4xf32>)
^bb2(%p2: memref<4xf32>):
  memref.dealloc %p2 : memref<4xf32>
  cf.br ^bb3(%p2 : memref<4xf32>)
^bb3(%p3: memref<4xf32>):
  call @f(%p3, %c, %n, %x) : (memref<4xf32>, i1, index, f32) -> ()
"""
    elsewhere: list[list[object]] = []
    found: set[str] = set()
    for number in range(14):
        elsewhere.append([object() for _ in range(37 * number)])
        found.add(repr(check(twice).findings))
    assert len(found) == 1


def test_of_the_places_of_one_value_the_first_speaks_for_all() -> None:
    """They have one name, and buffers in sets have the order of their addresses."""
    source = (
        "llvm.func @get() -> !llvm.struct<(!x.handle, ptr, ptr)>\n"
        "llvm.func @f() {\n"
        "  %a = llvm.call @get() : () -> !llvm.struct<(!x.handle, ptr, ptr)>\n"
        "  llvm.return\n"
        "}\n"
    )
    assert len({check(source).findings for _ in range(20)}) == 1

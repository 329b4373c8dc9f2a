"""The shipped dialects: complete, consistent with upstream's declarations, and read only when needed."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tracemalloc
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from memlane.dialects import builtin_models, catalogue
from memlane.dialects.model import OpModel
from memlane.dialects.toml import read_toml
from memlane.dialects.toml_tables import Table

ROOT = Path(__file__).parents[2]
LISTS = ROOT.parent / "shared" / "ods-lists.json"
FOLDER = Path(catalogue.__file__).parent

NOT_UPSTREAM = {"fir", "hal", "hlfir", "qref", "quantum", "rc", "stream", "tt", "ttg", "ttnn", "util"}
NOT_MEMORY = {"emitc.variable", "smt.declare_fun"}
"""Ops that declare an allocation of something that is no buffer."""


@cache
def lists() -> dict[str, Any]:
    if not LISTS.is_file():
        pytest.skip("the lists of upstream's declarations (shared/ods-lists.json) are not here")
    return json.loads(LISTS.read_text("utf-8"))["lists"]


def model(name: str) -> OpModel:
    found = builtin_models().of(name)
    assert found is not None, f"{name} has no model"
    return found


def test_every_file_reads_without_a_mistake() -> None:
    assert len(builtin_models().ops) >= 2633


def test_every_name_upstream_declares_something_about_has_a_model() -> None:
    for names in lists().values():
        for entry in names:
            model(entry if isinstance(entry, str) else entry["op"])


def test_overlays_name_ops_that_exist() -> None:
    in_cpp_only = {"affine.dma_start", "affine.dma_wait"}
    gone = {"tensor.pack", "linalg.elemwise_binary", "linalg.elemwise_unary", "linalg.matmul_unsigned"}
    gone |= {f"linalg.{batch}matmul_transpose_{which}" for batch in ("", "batch_") for which in "ab"}
    for path in sorted((FOLDER / "overlay").glob("*.toml")):
        if path.stem in NOT_UPSTREAM:
            continue
        overlay, problems = read_toml(path.read_text("utf-8"), path.name)
        generated, _ = read_toml((FOLDER / path.name).read_text("utf-8"), path.name)
        assert not problems
        pure = {f"{path.stem}.{name}" for name in generated["dialect"][path.stem]["pure"]}
        unknown = set(overlay.get("op", {})) - set(generated.get("op", {})) - pure - in_cpp_only - gone
        assert not unknown, path.name


def test_allocations_and_frees() -> None:
    assert {name for name in lists()["MemAlloc"] if not model(name).alloc} == NOT_MEMORY
    assert [name for name in lists()["MemFree"] if not model(name).free] == []
    ours = {name for name, op in builtin_models().ops.items() if op.free}
    assert ours - set(lists()["MemFree"]) == {
        "bufferization.dealloc",
        "bufferization.dealloc_tensor",
        "sparse_tensor.push_back",  # as its description says
        *(name for name in ours if name.partition(".")[0] in NOT_UPSTREAM),
    }


def test_stack_and_heap_are_as_declared() -> None:
    for name, effects in lists()["MemAlloc"].items():
        automatic = any(effect["resource"] == "AutomaticAllocationScopeResource" for effect in effects)
        if name not in NOT_MEMORY:
            assert (model(name).alloc[0].resource == "stack") == automatic, name


def test_views() -> None:
    for name in lists()["ViewLikeOpInterface"]:
        assert any(not view.may for view in model(name).view), name
    sources = {
        "gpu.dynamic_shared_memory",
        "memref.get_global",
        "sparse_tensor.expand",
        "sparse_tensor.push_back",
    }
    for name in lists()["memref_result_not_alloc_not_ViewLike"]:
        assert model(name).view or name in sources, name


def test_copies_read_one_and_write_the_other() -> None:
    either = {"llvm.intr.vacopy", "nvgpu.device_async_copy"}  # their text has the source first, the generic form last
    for entry in lists()["copy_shaped_by_effects"]:
        assert bool(model(entry["op"]).read) != (entry["op"] in either), entry["op"]
        assert model(entry["op"]).write, entry["op"]


@pytest.mark.parametrize(
    ("declared", "attribute"),
    [
        ("CallOpInterface", "call"),
        ("FunctionOpInterface", "function"),
        ("BranchOpInterface", "successors"),
        ("IsTerminator", "terminator"),
        ("IsIsolatedFromAbove", "isolated"),
        ("SymbolTable", "symbol_table"),
        ("AutomaticAllocationScope", "allocation_scope"),
    ],
)
def test_traits_and_interfaces(declared: str, attribute: str) -> None:
    assert [name for name in lists()[declared] if not getattr(model(name), attribute)] == []


def test_that_an_op_reads_is_in_doubt_where_nothing_declares_its_effects() -> None:
    assert model("llvm.inline_asm").may_read and model("llvm.intr.coro.promise").may_read
    assert not any(model(name).may_read for name in ("llvm.load", "linalg.matmul", "memref.atomic_rmw"))
    said = [model(f"llvm.intr.{name}") for name in ("masked.load", "lifetime.start", "dbg.declare")]
    assert not any(one.may_read for one in said), "the overlay says it"


def test_branches_say_what_each_successor_receives() -> None:
    silent = {"llvm.indirectbr"}  # Its operands are ragged: how they are divided stands in an attribute.
    assert {name for name in lists()["BranchOpInterface"] if not model(name).forwards} == silent


def test_old_names_lead_to_ops_that_exist() -> None:
    models = builtin_models()
    assert [old for old in models.aliases if models.of(old) is None] == []
    assert models.of("std.dealloc") is models.of("memref.dealloc")


def test_resources_are_declared_and_name_ops_that_exist() -> None:
    models = builtin_models()
    for name, op in (*models.ops.items(), *models.functions.items()):
        for effect in (*op.alloc, *op.free):
            assert effect.resource in models.resources, name
    for resource in models.resources.values():
        for op_name in (resource.alloc, resource.free, resource.copy):
            if op_name is not None and " @" not in op_name:
                model(op_name)


def test_a_dialect_is_read_when_one_of_its_ops_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    load = catalogue.read_dialect

    def recorded(name: str) -> Table:
        read.append(name)
        return load(name)

    monkeypatch.setattr(catalogue, "read_dialect", recorded)
    shipped = catalogue.Shipped(frozenset({"memref", "arith"}))
    assert shipped.get("memref.alloc") is shipped.get("memref.alloc")
    assert shipped.get("nobody.knows") is None
    assert read == ["memref"]


@pytest.mark.parametrize("dialect", sorted(builtin_models().dialects))
def test_op_by_op_a_dialect_says_what_all_of_it_says(dialect: str) -> None:
    """And there is no mistake in it: keys that nobody knows are found when all of a file is read."""
    shipped = catalogue.Shipped(frozenset({dialect}))
    assert {name: shipped[name] for name in shipped} == catalogue.load_dialect(dialect).ops


def test_function_by_function_a_file_says_what_all_of_it_says() -> None:
    assert dict(builtin_models().functions) == catalogue.load_dialect("_functions").functions


def test_a_described_dialect_has_no_op_for_any_name() -> None:
    assert builtin_models().of("memref.frobnicate") is None


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("llvm-tblgen-22") is None, reason="llvm-tblgen-22 is not installed")
def test_generated_files_are_not_stale() -> None:
    command = [sys.executable, "-m", "memlane.dialects.regenerate", "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_names_that_are_typed_do_not_pile_up() -> None:
    """Each state of a word that is being typed may be asked about."""
    models = replace(builtin_models())
    alloc = models.of("memref.alloc")
    tracemalloc.start()
    try:
        for number in range(60_000):
            assert models.of(f"x.op{number}") is None
        held, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert held < 2_500_000
    assert models.of("memref.alloc") is alloc is not None

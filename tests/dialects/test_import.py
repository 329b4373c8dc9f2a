"""Importing a user's dialect: from ODS through the real llvm-tblgen, and from IRDL."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

import pytest

from memlane.checking import check
from memlane.cli import dialect as command
from memlane.config import Config
from memlane.dialects import load_models
from memlane.dialects.importer import ImportProblem, imported
from memlane.dialects.layers import extended
from memlane.dialects.model import Alloc, Free, OpModel, Selector, View
from memlane.findings import Certainty
from memlane.fixes import fix_all

INCLUDE = Path("/usr/lib/llvm-22/include")
TBLGEN = shutil.which("llvm-tblgen-22")

ODS = """
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/ViewLikeInterface.td"

def Npu_Dialect : Dialect { let name = "npu"; let cppNamespace = "::npu"; }
class Npu_Op<string mnemonic, list<Trait> traits = []> : Op<Npu_Dialect, mnemonic, traits>;
def Sram : Resource<"::npu::Sram">;

def Npu_TakeOp : Npu_Op<"take"> {
  let arguments = (ins Variadic<Index>:$sizes);
  let results = (outs Res<AnyMemRef, "", [MemAlloc<Sram>]>:$out);
}
def Npu_GiveOp : Npu_Op<"give"> {
  let arguments = (ins Arg<AnyMemRef, "", [MemFree<Sram>]>:$in);
}
def Npu_SliceOp : Npu_Op<"slice", [Pure, DeclareOpInterfaceMethods<ViewLikeOpInterface>]> {
  let arguments = (ins AnyMemRef:$source, Variadic<Index>:$offsets);
  let results = (outs AnyMemRef:$out);
}
def Npu_ConvOp : Npu_Op<"conv", [AttrSizedOperandSegments]> {
  let arguments = (ins Variadic<AnyMemRef>:$inputs, Arg<Variadic<AnyMemRef>, "", [MemWrite]>:$outputs);
  let assemblyFormat = "`from` `(` $inputs `:` type($inputs) `)` `to` `(` $outputs `:` type($outputs) `)` attr-dict";
}
def Npu_MysteryOp : Npu_Op<"mystery"> { let arguments = (ins AnyMemRef:$in, I32:$n); }
def Npu_AddOp : Npu_Op<"add", [Pure]> { let arguments = (ins I32:$a, I32:$b); let results = (outs I32:$c); }
"""

IRDL = """
irdl.dialect @pool {
  irdl.type @ref
  irdl.operation @alloc {
    %i = irdl.is index
    %r = irdl.base @pool::@ref
    irdl.operands(sizes: variadic %i)
    irdl.results(ref: %r)
  }
  irdl.operation @decrement {
    %r = irdl.base @pool::@ref
    irdl.operands(ref: %r)
  }
  irdl.operation @count {
    %i = irdl.is i32
    %f = irdl.is f32
    %n = irdl.any_of(%i, %f)
    irdl.operands(a: %n)
    irdl.results(b: %i)
  }
}
"""


def models(text: str) -> dict[str, OpModel]:
    found, problems = load_models(text, "imported.toml")
    assert not problems, [str(problem) for problem in problems]
    return dict(found.ops)


@pytest.fixture(scope="module")
def dump(tmp_path_factory: pytest.TempPathFactory) -> str:
    return _dumped(tmp_path_factory.mktemp("ods"), ODS)


def test_ods(dump: str) -> None:
    found = imported(dump, "npu.json")
    assert (found.dialects, found.operations, found.guessed) == (("npu",), 6, 1)
    ops = models(found.text)
    assert ops["npu.take"].alloc == (Alloc(0, "Sram"),)
    assert ops["npu.give"].free == (Free(Selector(0, 1), "Sram"),)
    assert ops["npu.slice"].view == (View(0, Selector(0, 1)),)
    assert ops["npu.conv"].write == (Selector(group="outputs"),)
    assert ops["npu.conv"].groups == {"from": "inputs", "to": "outputs"}
    assert ops["npu.mystery"].read == ops["npu.mystery"].write == (Selector(0, 1),)
    assert ops["npu.add"] == OpModel("npu.add")
    said, _ = load_models(found.text, "imported.toml")
    assert (said.resources["Sram"].alloc, said.resources["Sram"].free) == ("npu.take", "npu.give")


OWN = """
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/ViewLikeInterface.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"

def Own_Dialect : Dialect { let name = "own"; let cppNamespace = "::own"; }
class Own_Op<string mnemonic, list<Trait> traits = []> : Op<Own_Dialect, mnemonic, traits>;
def Own_Buffer : TypeDef<Own_Dialect, "Buffer"> { let mnemonic = "buffer"; }
def Own_Number : TypeDef<Own_Dialect, "Number"> { let mnemonic = "number"; }

def Own_TakeOp : Own_Op<"take"> { let results = (outs Res<Own_Buffer, "", [MemAlloc<DefaultResource, 0>]>:$out); }
def Own_GiveOp : Own_Op<"give"> { let arguments = (ins Arg<Own_Buffer, "", [MemFree<DefaultResource, 0>]>:$in); }
def Own_SliceOp : Own_Op<"slice", [Pure, DeclareOpInterfaceMethods<ViewLikeOpInterface>]> {
  let arguments = (ins Own_Buffer:$source, Index:$offset);
  let results = (outs Own_Buffer:$out);
}
def Own_MysteryOp : Own_Op<"mystery"> {
  let arguments = (ins Variadic<Own_Buffer>:$in);
  let results = (outs Own_Buffer:$out);
}
def Own_CountOp : Own_Op<"count"> { let arguments = (ins Own_Number:$n, I32:$k); let results = (outs Own_Number:$m); }
def Own_BranchOp : Own_Op<"branch", [Pure, Terminator, DeclareOpInterfaceMethods<BranchOpInterface>]> {
  let arguments = (ins I1:$flag, Variadic<AnyType>:$yes, Variadic<AnyType>:$no);
  let successors = (successor AnySuccessor:$then, AnySuccessor:$else);
}
def Own_FuncOp : Own_Op<"func", [IsolatedFromAbove, FunctionOpInterface]> {
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttrOf<FunctionType>:$function_type);
  let regions = (region AnyRegion:$body);
}
def Own_EndOp : Own_Op<"end", [Pure, Terminator, ReturnLike]> { let arguments = (ins Variadic<AnyType>:$values); }
"""


def test_types_of_its_own_that_are_allocated_are_buffers(tmp_path: Path) -> None:
    """Also where an operation declares no effects on them: it did nothing to memory, and its results were no views."""
    ops = models(imported(_dumped(tmp_path, OWN), "own.json").text)
    assert ops["own.take"].alloc == (Alloc(0, "own"),) and ops["own.give"].free == (Free(Selector(0, 1), "own"),)
    assert ops["own.slice"].view == (View(0, Selector(0, 1)),)
    everything = Selector(0, None)
    assert ops["own.mystery"].read == ops["own.mystery"].write == (everything,)
    assert [(view.of, view.may) for view in ops["own.mystery"].view] == [(everything, True)]
    assert ops["own.count"] == OpModel("own.count")
    assert ops["own.end"].exits and not ops["own.branch"].exits
    assert ops["own.branch"].forwards == (Selector(group="yes"), Selector(group="no"))


def _dumped(folder: Path, text: str) -> str:
    if TBLGEN is None or not INCLUDE.is_dir():
        pytest.skip("llvm-tblgen-22 and the ODS files of LLVM 22 are not installed")
    source = folder / "dialect.td"
    source.write_text(text)
    command_line = [TBLGEN, "--dump-json", "-I", str(INCLUDE), str(source)]
    return subprocess.run(command_line, capture_output=True, text=True, check=True).stdout


def test_guesses_are_marked_where_they_are(dump: str) -> None:
    lines = imported(dump, "npu.json").text.splitlines()
    marked = [lines[index + 1] for index, line in enumerate(lines) if line.startswith("# Effects are not declared")]
    assert marked == ['[op."npu.mystery"]']


def test_a_dialect_that_frees_what_it_allocates_has_its_own_resource(dump: str) -> None:
    plain = dump.replace("::npu::Sram", "::mlir::SideEffects::DefaultResource")
    assert models(imported(plain, "npu.json").text)["npu.take"].alloc == (Alloc(0, "npu"),)


def test_irdl() -> None:
    found = imported(IRDL, "rc.mlir")
    assert (found.dialects, found.operations) == (("pool",), 3)
    ops = models(found.text)
    assert ops["pool.decrement"].read == (Selector(0, 1),)
    assert ops["pool.count"] == OpModel("pool.count")
    assert ops["pool.alloc"] == OpModel("pool.alloc"), "IRDL has no word for an allocation"


@pytest.mark.skipif(shutil.which("mlir-opt-22") is None, reason="mlir-opt-22 is not installed")
def test_irdl_in_generic_form_says_the_same() -> None:
    command_line = ["mlir-opt-22", "--mlir-print-op-generic"]
    generic = subprocess.run(command_line, input=IRDL, capture_output=True, text=True, check=True).stdout
    assert models(imported(generic, "rc.mlir").text) == models(imported(IRDL, "rc.mlir").text)


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("{", "not JSON"),
        ('{"a": 1}', "no `!instanceof`"),
        ("func.func @f() { return }", "neither JSON"),
        ("irdl.dialect @empty {}", "declares no operations"),
        ('{"!instanceof": {"Op": []}}', "declares no operations"),
        ('{"!instanceof": 5}', "`!instanceof` is not complete"),
        ('{"!instanceof": {"Op": 5}}', "`!instanceof` is not complete"),
        ('{"!instanceof": {"Op": [[]]}}', "is not complete"),
        ('{"!instanceof": {"Op": ["X"]}, "X": {"opName": 3}}', "`X` is not complete: KeyError 'opDialect'"),
        (
            '{"!instanceof": {"Op": ["X"]}, "D": {"name": [1]}, "X": {"opDialect": {"def": "D"}}}',
            "text is expected, not",
        ),
    ],
)
def test_what_cannot_be_imported(text: str, part: str) -> None:
    with pytest.raises(ImportProblem, match=part):
        imported(text, "x")


ODD: list[Any] = [None, 5, "", "x", [], {}, [[]], {"def": "x"}, {"def": "Npu_TakeOp"}]


def _damage(chance: random.Random, value: Any) -> None:
    """Put something else somewhere into a JSON value."""
    while value:
        key: Any = chance.choice([*value.keys()] if hasattr(value, "keys") else range(len(value)))
        if chance.random() < 0.4 or type(value[key]) not in (dict, list) or not value[key]:
            value[key] = chance.choice(ODD)
            return
        value = value[key]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
def test_dumps_that_are_damaged(dump: str, seed: int) -> None:
    """Something else stands where something was: it is imported, or that is said."""
    chance = random.Random(seed)
    whole: dict[str, Any] = json.loads(dump)
    ops = [name for name in whole["!instanceof"]["Op"] if name.startswith("Npu")]
    kept = json.dumps({"!instanceof": {"Op": ops}, **{name: one for name, one in whole.items() if name[0] != "!"}})
    failed = 0
    for _ in range(20):
        damaged = json.loads(kept)
        for _ in range(chance.randrange(1, 4)):
            _damage(chance, damaged[chance.choice([*ops, *chance.sample([*damaged], 3)])])
        try:
            assert imported(json.dumps(damaged), "x").text
        except ImportProblem:
            failed += 1
    assert failed, "some of these say something else"


def test_only_the_dialects_asked_for() -> None:
    with pytest.raises(ImportProblem, match="no operation of mine in it; it declares pool"):
        imported(IRDL, "rc.mlir", ["mine"])


def run(*arguments: str) -> int:
    parser = ArgumentParser()
    command.configure(parser)
    return command.run(parser.parse_args(arguments))


def test_the_command_counts_one_operation(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "one.mlir"
    source.write_text(
        "irdl.dialect @one {\n  irdl.operation @op {\n    %a = irdl.any\n    irdl.operands(of: %a)\n  }\n}\n"
    )
    assert run("import", str(source)) == 0
    assert "one: 1 operation, " in capsys.readouterr().err


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, target = tmp_path / "rc.mlir", tmp_path / "rc.toml"
    source.write_text(IRDL)
    assert run("import", str(source), "-o", str(target)) == 0
    assert "pool: 3 operations, 1 of them guessed" in capsys.readouterr().err
    assert run("import", str(source)) == 0
    assert capsys.readouterr().out == target.read_text()
    assert run("import", str(source), "-o", str(target)) == 2
    assert "--force" in capsys.readouterr().err
    assert run("import", str(source), "-o", str(target), "--force") == 0
    assert run("import", str(tmp_path / "none.json")) == 2
    source.write_text(json.dumps({"x": 1}))
    assert run("import", str(source)) == 2


REGIONS = """
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"

def Own_Dialect : Dialect { let name = "own"; let cppNamespace = "::own"; }
class Own_Op<string mnemonic, list<Trait> traits = []> : Op<Own_Dialect, mnemonic, traits>;
def Own_Handle : TypeDef<Own_Dialect, "Handle"> { let mnemonic = "handle"; }

def Own_RunOp : Own_Op<"run", [RecursiveMemoryEffects, SingleBlock]> {
  let arguments = (ins Variadic<AnyType>:$inputs);
  let results = (outs Variadic<AnyType>:$outputs);
  let regions = (region AnyRegion:$body);
}
def Own_YieldOp : Own_Op<"yield", [Pure, Terminator, ReturnLike]> { let arguments = (ins Variadic<AnyType>:$values); }
def Own_WrapOp : Own_Op<"wrap", [Pure]> { let arguments = (ins AnyMemRef:$in); let results = (outs Own_Handle:$out); }
def Own_KeepOp : Own_Op<"keep"> { let arguments = (ins AnyMemRef:$in); }
def Own_MakeOp : Own_Op<"make", [MemoryEffects<[MemAlloc]>]> { let results = (outs Own_Handle:$out); }
def Own_SizeOp : Own_Op<"size", [Pure]> { let arguments = (ins AnyMemRef:$in); let results = (outs Index:$out); }
"""
USES = """func.func @yielded() {
  %r = own.run -> memref<4xf32> {
    %a = memref.alloc() : memref<4xf32>
    own.yield %a : memref<4xf32>
  }
  memref.dealloc %r : memref<4xf32>
  return
}
func.func @freed_inside() {
  %a = memref.alloc() : memref<4xf32>
  own.run {
    memref.dealloc %a : memref<4xf32>
    own.yield
  }
  return
}
func.func @wrapped() -> !own.handle {
  %a = memref.alloc() : memref<4xf32>
  %h = own.wrap %a : memref<4xf32>
  return %h : !own.handle
}
func.func @kept() {
  %a = memref.alloc() : memref<4xf32>
  own.keep %a : memref<4xf32>
  return
}
func.func @made() {
  %h = own.make : !own.handle
  return
}
"""


def test_no_guess_is_certain(tmp_path: Path) -> None:
    """What no declaration says is marked, and gives neither a certain finding nor a safe repair."""
    found = imported(_dumped(tmp_path, REGIONS), "own.json")
    ops = models(found.text)
    assert {name for name, op in ops.items() if op.guessed} == {"own.run", "own.wrap", "own.keep", "own.make"}
    assert found.guessed == 4
    said, _ = load_models(found.text, "own.toml")
    config = Config(models=extended(Config().models, said))
    certain = [f for f in check(USES, config).findings if f.report.certainty is Certainty.ALWAYS]
    assert {finding.rule.name for finding in certain} <= {"unknown-effects"}
    assert fix_all(USES, config) == USES


def test_a_guess_says_so_where_it_is_used(tmp_path: Path) -> None:
    said, _ = load_models(imported(_dumped(tmp_path, REGIONS), "own.json").text, "own.toml")
    found = check(USES, Config(models=extended(Config().models, said))).findings
    messages = [finding.report.message for finding in found if finding.rule.name == "unknown-effects"]
    assert 'the effect of own.keep on buffers is guessed: complete [op."own.keep"] and remove `guessed`' in messages

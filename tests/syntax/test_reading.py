"""What is read: operations, values, regions, blocks, types."""

from __future__ import annotations

import pytest

from memlane.dialects import builtin_models
from memlane.syntax import parse
from memlane.syntax.tree.tree import Op, Tree


def read(source: str) -> Tree:
    """The tree of a text without problems."""
    tree = parse(source)
    assert not tree.problems, tree.problems
    return tree


def body(source: str) -> list[Op]:
    """The ops of a function with this body, nested ones included."""
    arguments = "%m: memref<4xf32>, %i: index, %c: i1, %v: f32"
    tree = read(f"func.func @f({arguments}) {{\n{source}\n  return\n}}\n")
    return list(tree.walk())[1:-1]


def uses(op: Op) -> list[tuple[str, str]]:
    """Operand names and groups."""
    return [(use.name, use.group) for use in op.operands]


def test_names_without_a_dialect() -> None:
    source = "module {\n  func.func @g() -> i32 {\n    %0 = call @g() : () -> i32\n    return %0 : i32\n  }\n}\n"
    names = [op.name for op in read(source).walk()]
    assert names == ["builtin.module", "func.func", "func.call", "func.return"]


def test_default_dialect_of_a_library() -> None:
    source = "shape.function_library @lib {\n  func @f(%a: !shape.value_shape) -> !shape.shape {\n"
    source += (
        "    %0 = shape_of %a : !shape.value_shape -> !shape.shape\n    return %0 : !shape.shape\n  }\n} mapping { }\n"
    )
    assert [op.name for op in read(source).walk()][1:] == ["shape.func", "shape.shape_of", "shape.return"]


def test_default_dialect_of_a_pattern_and_of_functions() -> None:
    source = """pdl.pattern @p : benefit(1) {
  %o = operand
  %op = operation "foo.op"(%o : !pdl.value)
  rewrite %op {
    %n = operation "foo.new"
    replace %op with %n
  }
}
emitc.func @f(%a: i32) -> i32 {
  %s = add %a, %a : (i32, i32) -> i32
  return %s : i32
}
"""
    names = [op.name for op in read(source).walk()]
    assert names[:3] == ["pdl.pattern", "pdl.operand", "pdl.operation"]
    assert names[3:6] == ["pdl.rewrite", "pdl.operation", "pdl.replace"]
    assert names[6:] == ["emitc.func", "emitc.add", "emitc.return"]


def test_loop() -> None:
    (loop, *_) = body(
        "%r:2 = scf.for %k = %i to %i step %i iter_args(%a = %m, %b = %v) -> (memref<4xf32>, f32) {\n"
        "  scf.yield %a, %b : memref<4xf32>, f32\n}"
    )
    assert uses(loop) == [("%i", ""), ("%i", ""), ("%i", ""), ("%m", "iter_args"), ("%v", "iter_args")]
    assert [(value.name, value.type) for value in loop.results] == [("%r#0", "memref<4xf32>"), ("%r#1", "f32")]
    arguments = loop.regions[0].blocks[0].arguments
    assert [(value.name, value.type) for value in arguments] == [
        ("%k", "index"), ("%a", "memref<4xf32>"), ("%b", "f32"),
    ]  # fmt: skip
    assert [use.op.name for use in arguments[1].uses] == ["scf.yield"]


def test_packs() -> None:
    (split, add, *_) = body('%p:2 = "x.split"(%m) : (memref<4xf32>) -> (f32, f32)\n%s = arith.addf %p#0, %p#1 : f32')
    assert [use.value for use in add.operands] == list(split.results)
    assert add.results[0].type == "f32"


def test_groups_and_region_labels() -> None:
    ops = body(
        "bufferization.dealloc (%m, %m : memref<4xf32>, memref<4xf32>) if (%c, %c) retain (%m : memref<4xf32>)\n"
        "scf.if %c {\n  scf.yield\n} else {\n  scf.yield\n}\n"
        "scf.index_switch %i\ncase 2 {\n  scf.yield\n}\ndefault {\n  scf.yield\n}"
    )
    assert uses(ops[0]) == [("%m", ""), ("%m", ""), ("%c", "if"), ("%c", "if"), ("%m", "retain")]
    assert [region.label for region in ops[1].regions] == ["", "else"]
    assert [region.label for region in ops[4].regions] == ["case 2", "default"]


def test_blocks_and_successors() -> None:
    source = (
        "func.func @f(%c: i1, %m: memref<4xf32>, %n: i32) {\n  cf.cond_br %c, ^a, ^b(%m : memref<4xf32>)\n"
        "^a:\n  cf.switch %n : i32, [\n    default: ^b(%m : memref<4xf32>),\n    42: ^a\n  ]\n"
        "^b(%x: memref<4xf32>):\n  return\n}\n"
    )
    function, branch, switch, _ = read(source).walk()
    blocks = function.regions[0].blocks
    assert [block.label for block in blocks] == [None, "^a", "^b"]
    assert [successor.block for successor in branch.successors] == [blocks[1], blocks[2]]
    assert [use.name for use in branch.successors[1].operands] == ["%m"]
    assert [successor.label for successor in switch.successors] == ["default", "42"]
    assert uses(branch) == [("%c", "")]


def test_attributes_literals_and_keywords() -> None:
    constant, alloc, compare, store = body(
        "%0 = arith.constant dense<1.0> : vector<4xf32>\n"
        '%1 = memref.alloc() {alignment = 64 : i64, unit, name = "50% %m"} : memref<4xf32>\n'
        "%2 = arith.cmpi slt, %i, %i : index\nmemref.store %v, %m[%i] {nontemporal = true} : memref<4xf32>"
    )
    assert constant.literal == "dense<1.0>" and constant.results[0].type == "vector<4xf32>"
    assert dict(alloc.attributes) == {"alignment": "64 : i64", "unit": "", "name": '"50% %m"'}
    assert compare.keywords == ("slt",) and compare.results[0].type == "i1"
    assert uses(store) == [("%v", ""), ("%m", ""), ("%i", "")]


def test_generic_form() -> None:
    source = (
        '"builtin.module"() ({\n  "func.func"() <{function_type = (i32) -> (), sym_name = "f"}> ({\n'
        '  ^bb0(%a: i32):\n    %0:2 = "x.y"(%a) ({\n    ^bb0(%b: i32):\n      "x.z"(%b) : (i32) -> ()\n'
        '    }, {\n      "x.w"() : () -> ()\n    }) {k = 1 : i32} : (i32) -> (i32, f32)\n'
        '    "func.return"() : () -> ()\n  }) : () -> ()\n}) : () -> ()\n'
    )
    module, function, op, *_ = read(source).walk()
    assert module.name == "builtin.module" and function.symbol == "f"
    assert [value.type for value in op.results] == ["i32", "f32"]
    assert len(op.regions) == 2 and op.attributes["k"] == "1 : i32"
    assert op.types == ("i32", "i32", "f32")


def test_types_of_results() -> None:
    ops = body(
        "%0 = memref.cast %m : memref<4xf32> to memref<?xf32>\n%1 = memref.load %m[%i] : memref<4xf32>\n"
        "%2 = memref.dim %m, %i : memref<4xf32>\n%3 = arith.constant true\n"
        "%4 = vector.extract %5[0] : f32 from vector<4xf32>\n%5 = arith.constant dense<0.0> : vector<4xf32>"
        .replace("%4 = vector.extract %5[0] : f32 from vector<4xf32>\n", "")
    )  # fmt: skip
    assert [op.results[0].type for op in ops] == ["memref<?xf32>", "f32", "index", "i1", "vector<4xf32>"]


def test_launch_declares_its_arguments() -> None:
    (launch, *_) = body(
        "gpu.launch blocks(%bx, %by, %bz) in (%gx = %i, %gy = %i, %gz = %i)\n"
        "           threads(%tx, %ty, %tz) in (%sx = %i, %sy = %i, %sz = %i) {\n  gpu.terminator\n}"
    )
    assert len(launch.regions[0].blocks[0].arguments) == 12 and len(launch.operands) == 6


def test_one_line_functions() -> None:
    names = [op.name for op in read("func.func @a() { return }\nfunc.func @b() { return }").walk()]
    assert names == ["func.func", "func.return"] * 2


@pytest.mark.slow
def test_deep_nesting() -> None:
    depth = 10_000
    source = "".join(f"{' ' * 2}scf.if %c {{\n" for _ in range(depth)) + "}\n" * depth
    tree = parse(f"func.func @f(%c: i1) {{\n{source}  return\n}}\n")
    assert not tree.problems
    assert sum(1 for _ in tree.walk()) == depth + 2


def test_chunks_and_ir_dumps() -> None:
    source = (
        "// -----// IR Dump Before CSE (cse) ('func.func' operation: @f) //----- //\nfunc.func @f() {\n  return\n}\n"
        "// -----// IR Dump After CSE (cse) ('func.func' operation: @f) //----- //\nfunc.func @f() {\n  return\n}\n"
    )
    chunks = read(source).chunks
    assert [len(chunk.ops) for chunk in chunks] == [0, 1, 1]
    assert [chunk.dump for chunk in chunks] == [None, "Before CSE (cse)", "After CSE (cse)"]


def test_lines_end_as_lsp_says() -> None:
    source = "func.func @f() {\r\n  // a\u2028b %x\r  %0 = arith.constant 1 : i32\f\n  return\n}\n"
    constant = list(read(source).walk())[1]
    assert source[slice(*constant.name_span)] == "arith.constant"


def test_a_ruler_is_no_separator() -> None:
    """Only `// -----` itself, or the head of an IR dump, ends a chunk; comments may be rulers."""
    source = "func.func @f() {\n  // ------------------ //\n  return\n}\n// -----\nfunc.func @g() {\n  return\n}\n"
    tree = parse(source)
    assert [len(chunk.ops) for chunk in tree.chunks] == [1, 1]
    assert tree.problems == ()


def test_return_behind_another_operation() -> None:
    source = "func.func @f(%a: memref<4xf32>) { memref.dealloc %a : memref<4xf32> return }\n"
    assert [op.name for op in parse(source).walk()] == ["func.func", "memref.dealloc", "func.return"]
    assert not parse(source).problems


def test_types_of_tokens() -> None:
    source = (
        "%t, %r = async.execute -> !async.value<f32> {\n  async.yield %x : f32\n}\n"
        "%m, %u = gpu.alloc async [%d] () : memref<4xf32>\n"
        "%v = gpu.memcpy async [%u] %m, %m : memref<4xf32>, memref<4xf32>\n"
    )
    types = {value.name: value.type for op in parse(source).walk() for value in op.results}
    assert types == {
        "%t": "!async.token",
        "%r": "!async.value<f32>",
        "%m": "memref<4xf32>",
        "%u": "!gpu.async.token",
        "%v": "!gpu.async.token",
    }


def test_operations_side_by_side() -> None:
    source = "func.func @f(%a: memref<4xf32>) {\n  %b = memref.cast %a : memref<4xf32> to memref<?xf32> "
    source += '"x.y"(%b) : (memref<?xf32>) -> () %c = arith.constant 1 : i32\n  return\n}\n'
    names = [op.name for op in parse(source).walk()]
    assert names == ["func.func", "memref.cast", "x.y", "arith.constant", "func.return"]
    assert not parse(source).problems


def test_statements_broken_anywhere() -> None:
    source = "func.func private // a\n@g(i32)\nfunc.func @f(%a: memref<4xf32>) {\n"
    source += "  %c = // b\n arith.constant\n1 : i32\n"
    source += "  %d // c\n = arith.addi\n%c, %c : i32\n  memref.dealloc\n%a : memref<4xf32>\n"
    source += "  scf.for %i =\n%z to %z step %z {\n  }\n"
    source += "  return\n}\n"
    tree = parse(source)
    assert [problem.message for problem in tree.problems] == ["'%z' is not defined"] * 3
    names = ["func.func", "func.func", "arith.constant", "arith.addi", "memref.dealloc", "scf.for", "func.return"]
    assert [op.name for op in tree.walk()] == names


def test_clauses_name_operands_or_arguments() -> None:
    source = """  omp.parallel allocate(%m : memref<4xf32> -> %m : memref<4xf32>)
      private(@p %m -> %own : memref<4xf32>) {
    memref.store %v, %own[%i] : memref<4xf32>
    omp.terminator
  }
  omp.taskwait depend(taskdependin -> %m : memref<4xf32>)
  omp.wsloop linear(%m = %i : memref<4xf32>) {
    omp.loop_nest (%j) : index = (%i) to (%i) step (%i) {
      omp.yield
    }
  }
  acc.parallel num_gangs({%i : index, %i : index}) wait({devnum: %i : index, %i : index}) {
    acc.yield
  }"""
    ops = body(source)
    operands = {op.name: [use.name for use in op.operands] for op in ops}
    assert operands["omp.parallel"] == ["%m", "%m", "%m"]
    assert [value.name for value in ops[0].regions[0].blocks[0].arguments] == ["%own"]
    assert operands["omp.taskwait"] == ["%m"]
    assert operands["omp.wsloop"] == ["%m", "%i"]
    assert operands["acc.parallel"] == ["%i"] * 4
    assert [op.name for op in ops[-2:]] == ["acc.parallel", "acc.yield"]


def test_an_expression_names_its_arguments_like_its_operands() -> None:
    source = """emitc.func @f(%a: i32) -> i32 {
  %e = emitc.expression %a : (i32) -> i32 {
    %s = emitc.add %a, %a : (i32, i32) -> i32
    emitc.yield %s : i32
  }
  emitc.return %e : i32
}
"""
    tree = parse(source, builtin_models())
    add = next(op for op in tree.walk() if op.name == "emitc.add")
    assert not tree.problems
    assert [use.name for use in add.operands if use.value is not None] == ["%a", "%a"]


def test_regions_behind_an_equals_sign() -> None:
    source = """func.func @f(%x: f64) -> f64 {
  %a = sparse_tensor.unary %x : f64 to f64 present={} absent={}
  %b = sparse_tensor.unary %a : f64 to f64
    present = {
      %c = math.absf %a : f64
      sparse_tensor.yield %c : f64
    }
    absent={ sparse_tensor.yield %x : f64 }
  %d = sparse_tensor.binary %x, %b : f64, f64 to f64
    overlap = { // of both
      // nothing yet
      ^bb0(%y: f64, %z: f64):
        sparse_tensor.yield %y : f64
    }
    left = identity
    right={
    }
  %e = sparse_tensor.binary %x, %d : f64, f64 to f64
   overlap = {
  ^bb0(%y: f64, %z: f64):
    sparse_tensor.yield %z : f64
  }
  left={
  ^bb0(%y: f64):
    sparse_tensor.yield %y : f64
  }
  right=identity
  linalg.generic {indexing_maps = [], iterator_types = []} attrs = {
    more
  } {
  }
  return %e : f64
}
"""
    ops = [op for op in read(source).walk() if op.name.partition(".")[0] in ("sparse_tensor", "linalg")]
    found = [(op.name.partition(".")[2], len(op.regions)) for op in ops if op.name != "sparse_tensor.yield"]
    assert found == [("unary", 2), ("unary", 2), ("binary", 2), ("binary", 2), ("generic", 1)]
    assert [op.regions[0].blocks[0].arguments == () for op in ops if op.regions] == [True, True, False, False, True]


def test_arguments_that_regions_share() -> None:
    source = """func.func @f(%s: !sparse_tensor.iter_space<#x, lvls = 0>, %t: !x.t, %init: index) -> index {
  %r = sparse_tensor.coiterate (%s, %t) at(%i) iter_args(%a = %init) : (!x.s, !x.t) -> index
  case %p, _ {
    sparse_tensor.yield %a : index
  }
  case %p, %q {
    "x.use"(%p, %q) : (!x.p, !x.q) -> ()
    sparse_tensor.yield %i : index
  }
  return %r : index
}
"""
    (loop, first, use, second, _) = list(read(source).walk())[1:]
    assert [operand.name for operand in loop.operands] == ["%s", "%t", "%init"]
    assert [[value.name for value in region.blocks[0].arguments] for region in loop.regions] == [
        ["%i", "%a", "%p"], ["%p", "%q"],
    ]  # fmt: skip
    assert [one.value for one in use.operands] == list(loop.regions[1].blocks[0].arguments)
    assert [first.operands[0].value, second.operands[0].value] == list(loop.regions[0].blocks[0].arguments[1::-1])
    (problem,) = parse(source.replace("return %r", "return %a")).problems
    assert problem.message == "'%a' is defined, but in a region above that does not contain this use"


def test_names_that_blocks_declare_again() -> None:
    source = """func.func @f(%c: tensor<i1>, %t: tensor<4xf32>) -> tensor<4xf32> {
  %r = tosa.cond_if %c (%x = %t) : tensor<i1> (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%x: tensor<4xf32>):
    tosa.yield %x : tensor<4xf32>
  } else {
  ^bb0(%x: tensor<4xf32>):
    tosa.yield %x : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}
"""
    (condition, *_) = list(read(source).walk())[1:]
    assert [use.name for use in condition.operands] == ["%c", "%t"]
    assert [len(region.blocks[0].arguments) for region in condition.regions] == [1, 1]


def test_types_without_their_name() -> None:
    read("func.func @f(%n: !async.value<f32>, %f: f32) {\n  async.runtime.store %f, %n : <f32>\n  return\n}\n")
    (problem,) = parse("func.func @f(%n: memref<f32>) {\n  memref.dealloc %n : <f32>\n  return\n}\n").problems
    assert problem.message == "expected a type"


def test_a_location_behind_an_induction_variable() -> None:
    (loop, use, *_) = body(
        'affine.for %k loc("f.mlir":2:14) = 0 to %i {\n'
        "  memref.store %v, %m[%k] : memref<4xf32> loc(#loc1)\n} loc(#loc)"
    )
    assert uses(loop) == [("%i", "")]
    assert use.operands[2].value is loop.regions[0].blocks[0].arguments[0]

"""What is read of dialects out of the tree, of which only the text is known: IREE, ClangIR, StableHLO, Triton."""

from __future__ import annotations

from test_reading import body, uses


def test_a_thick_arrow_binds_no_name() -> None:
    """IREE: `await(...) =>` names what is waited for; sizes in braces belong to a type, not to the group around."""
    ops = body("""  %r, %t = stream.resource.alloca uninitialized : !stream.resource<transient>{%i} => !stream.timepoint
  %t2 = stream.cmd.execute await(%t) => with(%r as %x: !stream.resource<*>{%i}, %m as %y: memref<4xf32>{%i}) {
    stream.cmd.fill %v, %x[%i for %i] : f32 -> !stream.resource<*>{%i}
  } => !stream.timepoint
  %r2 = stream.timepoint.await %t2 => %r : !stream.resource<transient>{%i}
  %t3 = stream.resource.dealloca await(%t2) => %r2 : !stream.resource<transient>{%i} => !stream.timepoint""")
    alloca, execute, fill, await_, dealloca = ops
    assert [result.type for result in alloca.results] == ["!stream.resource<transient>", "!stream.timepoint"]
    assert uses(execute) == [("%t", "await"), ("%r", "with"), ("%i", ""), ("%m", "with"), ("%i", "")]
    assert [argument.name for argument in execute.regions[0].blocks[0].arguments] == ["%x", "%y"]
    assert [value.type for value in execute.results] == ["!stream.timepoint"]
    assert [use.name for use in fill.operands] == ["%v", "%x", "%i", "%i", "%i"]
    assert [use.name for use in await_.operands] == ["%t2", "%r", "%i"]
    assert uses(dealloca) == [("%t2", "await"), ("%r2", ""), ("%i", "")]
    assert [value.type for value in dealloca.results] == ["!stream.timepoint"]


def test_regions_in_a_parenthesis() -> None:
    """ClangIR: each behind a word, what follows the last one closes the parenthesis."""
    ops = body("""  %r = cir.ternary(%c, true {
    %x = cir.const #cir.int<0> : !s32i
    cir.yield %x : !s32i
  }, false {
    cir.yield %v : f32
  }) : (i1) -> !s32i
  cir.use %r : !s32i""")
    assert [op.name for op in ops] == ["cir.ternary", "cir.const", "cir.yield", "cir.yield", "cir.use"]
    ternary, use = ops[0], ops[-1]
    assert [[op.name for op in region.blocks[0].ops] for region in ternary.regions] == [
        ["cir.const", "cir.yield"],
        ["cir.yield"],
    ]
    assert uses(ternary) == [("%c", "")]
    assert [value.type for value in ternary.results] == ["!s32i"]
    assert use.operands[0].value is ternary.results[0]


def test_regions_of_other_dialects() -> None:
    """StableHLO's loops and reductions, Triton's partitions: arguments that stand before a region, or before both."""
    ops = body("""  %0:2 = stablehlo.while(%a = %i, %b = %v) : index, f32
   cond {
    stablehlo.return %a : index
  } do {
    stablehlo.return %a, %b : index, f32
  }
  %1 = stablehlo.reduce(%v init: %v) across dimensions = [0] : (f32, f32) -> f32
   reducer(%x: f32, %y: f32)  {
    stablehlo.return %x, %y : f32, f32
  }
  ttg.warp_specialize(%i)
  default {
    ttg.warp_yield
  }
  partition0(%p: index) num_warps(4) {
    "x.use"(%p) : (index) -> ()
    ttg.warp_return
  } : (index) -> ()""")
    assert [use.name for op in ops for use in op.operands if use.value is None] == []
    loop, reduction = ops[0], ops[3]
    specialize = next(op for op in ops if op.name == "ttg.warp_specialize")
    assert [use.name for use in loop.operands] == ["%i", "%v"]
    assert [use.name for use in reduction.operands] == ["%v", "%v"]
    assert [[op.name for op in region.blocks[0].ops] for region in specialize.regions] == [
        ["ttg.warp_yield"],
        ["x.use", "ttg.warp_return"],
    ]
    assert [argument.name for argument in specialize.regions[1].blocks[0].arguments] == ["%p"]


def test_operands_in_braces_and_angles() -> None:
    """IREE: what a dispatch may do to each resource, on one line or several; the type of what a command is for."""
    ops = body("""  stream.cmd.dispatch @ex::@f[%i](%i : index) {
    ro %m[%i for %i] : memref<4xf32>,
    wo %v[%i for %i] : f32
  }
  stream.cmd.dispatch @ex::@f {rw %m[%i for %i] : memref<4xf32>}
  hal.command_buffer.begin<%c : i1>
  hal.device.queue.dealloca<%c : i1> affinity(%i) wait(%v) buffer(%m : memref<4xf32>)""")
    assert [[use.name for use in op.operands] for op in ops] == [
        ["%i", "%i", "%m", "%i", "%i", "%v", "%i", "%i"],
        ["%m", "%i", "%i"],
        ["%c"],
        ["%c", "%i", "%v", "%m"],
    ]
    assert [op.name for op in ops][2:] == ["hal.command_buffer.begin", "hal.device.queue.dealloca"]
    assert not any(op.regions for op in ops)

"""How custom assembly forms read where their shape does not say it: tables, keyed by op name.

The shape alone says most: `%x =` binds, `(%a: T)` after a symbol declares arguments, `(%i) in` and `(%i) =` declare
induction variables. These tables hold the rest. What ops do to memory is said in `dialects`, not here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from memlane.lazy import regex

DEFINING_WORDS: Mapping[str, frozenset[str]] = {
    "gpu.launch": frozenset({"blocks", "threads", "clusters", "workgroup", "private"}),
    "gpu.func": frozenset({"workgroup", "private"}),
    "acc.loop": frozenset({"control"}),
    "sparse_tensor.coiterate": frozenset({"at", "case"}),
    "sparse_tensor.iterate": frozenset({"at"}),
    "hal.executable.export": frozenset({"count"}),
    "stablehlo.reduce": frozenset({"reducer"}),
    "mhlo.reduce": frozenset({"reducer"}),
    "": frozenset(f"partition{number}" for number in range(32)),
}
"""Words whose parenthesis declares arguments of the region that follows; "": of a further region of an operation, as of
`ttg.warp_specialize`."""

OPERAND_WORDS: frozenset[str] = frozenset({"allocate", "depend", "linear"})
"""Words in whose parenthesis `->` and `=` stand between operands; elsewhere they declare arguments of the region."""

ASSIGNING: frozenset[str] = frozenset({"acc.atomic.read", "acc.atomic.write", "omp.atomic.read", "omp.atomic.write"})
"""Ops in which `%v = %x` are two operands: what is read, or written, goes where the first one points."""

DECLARING: frozenset[str] = frozenset({"linalg.map", "linalg.reduce", "linalg.transpose"})
"""Ops whose typed parenthesis before a region declares its arguments even where the shape would read operands."""

RESULT_TYPES: Mapping[str, str] = {
    **dict.fromkeys(
        ("memref.load", "affine.load", "emitc.load", "tensor.extract", "load", "std.load", "memref.atomic_yield"),
        "element",
    ),
    **dict.fromkeys(
        ("memref.dim", "tensor.dim", "memref.rank", "affine.apply", "affine.min", "affine.max", "dim"), "index"
    ),
    **dict.fromkeys(
        ("index.constant", "index.add", "index.sub", "index.mul", "tensor.rank", "affine.linearize_index"), "index"
    ),
    **dict.fromkeys(("gpu.thread_id", "gpu.block_id", "gpu.block_dim", "gpu.grid_dim", "gpu.global_id"), "index"),
    **dict.fromkeys(("arith.cmpi", "arith.cmpf", "cmpi", "cmpf", "bufferization.dealloc", "index.cmp"), "i1"),
    **dict.fromkeys(("llvm.icmp", "llvm.fcmp"), "i1"),
    "llvm.extractvalue": "member",
    "func.constant": "all",
}
"""Result types that the trailing type does not name: `element` of it, `member` at a position, or a fixed type."""

FIRST_RESULT: Mapping[str, str] = {"async.execute": "!async.token", "air.execute": "!air.async.token"}
"""The type of a first result that the types after the arrow leave out."""

LAST_RESULT: Mapping[tuple[str, str], str] = {
    ("gpu", "async"): "!gpu.async.token",
    ("air", "async"): "!air.async.token",
}
"""The type of a last result that is there, by dialect, where the op's first word is that: the text leaves it out."""

BARE_NAMES: Mapping[str, str] = {
    "return": "func.return",
    "call": "func.call",
    "call_indirect": "func.call_indirect",
    "module": "builtin.module",
    "unrealized_conversion_cast": "builtin.unrealized_conversion_cast",
}
"""Full names of ops that may be written without their dialect, wherever no default dialect says otherwise."""

DEFAULT_DIALECTS: Mapping[str, str] = {
    "shape.function_library": "shape",
    "shape.func": "shape",
    "spirv.module": "spirv",
    "spirv.func": "spirv",
    "irdl.dialect": "irdl",
    "pdl.pattern": "pdl",
    "pdl.rewrite": "pdl",
    "async.func": "async",
    **dict.fromkeys([f"emitc.{name}" for name in "class do expression file for func if switch".split()], "emitc"),
    **dict.fromkeys([f"transform.{name}" for name in "foreach sequence with_pdl_patterns".split()], "transform"),
}
"""Ops in whose regions a name without a dialect belongs to that dialect."""

SHARING: frozenset[str] = frozenset(
    {"sparse_tensor.coiterate", "stablehlo.while", "mhlo.while", "loopschedule.pipeline"}
)
"""Ops whose arguments before the first region are those of each of their regions."""

LABELLING: frozenset[str] = frozenset({"tosa.cond_if"})
"""Ops in which `%x = %a` only says what an operand is called elsewhere: their blocks declare their arguments again."""

ISOLATED: frozenset[str] = frozenset(
    """builtin.module func.func func gpu.module gpu.func llvm.func spirv.module spirv.func async.func ml_program.func
    ml_program.subgraph emitc.func pdl.pattern pdl_interp.func transform.named_sequence transform.with_named_sequence
    shape.func shape.function_library spirv.FuncOp omp.private omp.declare_reduction
    acc.private.recipe acc.firstprivate.recipe acc.reduction.recipe irdl.dialect irdl.type irdl.operation
    test.isolated_region test.isolated_one_region_op
    util.func util.initializer hal.executable hal.executable.variant hal.executable.export
    flow.dispatch.workgroups flow.executable stream.executable toy.func torch.func torch.class_type riscv_func.func
    builtin.func""".split()
)
"""Ops whose regions see no value from outside."""

SEEING: frozenset[str] = frozenset({"emitc.expression", "test.isolated_region"})
"""Isolated ops whose text names the arguments of their region like their operands: as if these were seen inside."""

FUNCTIONS: frozenset[str] = frozenset(
    """async.func builtin.func cfgfunc emitc.func func func.func gpu.func llvm.func mlfunc ml_program.func
    pdl_interp.func riscv_func.func rv_func.func shape.func spirv.func torch.func toy.func transform.named_sequence
    util.func x86_func.func""".split()
)
"""Functions: the unit of reading and of analysis. All of them are isolated."""


def must_have_body(name: str, words: Sequence[str]) -> bool:
    """Whether a function with these words before its symbol has a body: others say that they are declared."""
    return name in ("func.func", "func") and not words


def may_be_function(name: str) -> bool:
    """Whether an op may be a function by its name, also one of an unknown dialect: without a body it has no operands,
    and what its text names are its own arguments (`-> (%a as i32)`)."""
    return name in FUNCTIONS or name.endswith(".func")


TYING: frozenset[str] = frozenset({"flow", "hal", "stream", "util"})
"""Dialects in which `-> %a as T`, and `-> %a` of a function, say that a result is the operand of that name, which
stands elsewhere."""


HEADS: Mapping[str, tuple[str, ...]] = {
    "func.func": ("private", "public", "nested"),
    "llvm.func": tuple(
        """private internal external weak weak_odr linkonce linkonce_odr available_externally extern_weak common default
        hidden protected unnamed_addr local_unnamed_addr ccc fastcc coldcc""".split()
    ),
}
"""The functions that nearly all programs are made of, each with the words that may stand before its symbol."""

PRIVATE = ("private", "internal")
"""Those that say that nothing outside the module calls it: visibility, and linkage (LLVM Language Reference)."""

_PRIVATE = [regex(rf"{word}(?<![\w$.@-]{word})(?=[\s\">@])") for word in PRIVATE]
"""Each begins with its word: that is looked for at the speed of C."""


def may_be_private(text: str) -> bool:
    """Whether one of the functions in a text may be private: a word of it says so, and not the name of another."""
    return any(word.search(text) for word in _PRIVATE)


SEQUENCE = "named_sequence"
OLD_FUNCTIONS = ("cfgfunc", "mlfunc")
"""The last words of those whose last word is not the one of `HEADS`."""

ENDING: frozenset[str] = frozenset(
    """acc.terminator acc.yield affine.yield async.return async.yield emitc.return emitc.yield fir.result
    fir.unreachable func.return gpu.return gpu.terminator gpu.yield linalg.yield llvm.resume llvm.return
    llvm.unreachable
    memref.alloca_scope.return memref.atomic_yield ml_program.output ml_program.return omp.declare_mapper.info
    omp.terminator omp.yield pdl_interp.continue pdl_interp.finalize scf.condition scf.reduce.return scf.yield
    shape.assuming_yield shape.return shape.yield smt.yield sparse_tensor.yield spirv.ARM.GraphOutputs
    spirv.EXT.EmitMeshTasks spirv.Kill spirv.Return spirv.ReturnValue spirv.Unreachable spirv.mlir.merge
    spirv.mlir.yield tensor.yield tosa.yield transform.match.structured.yield transform.yield ub.unreachable
    tt.return util.return vector.yield wasmssa.block_return wasmssa.return""".split()
)
"""Ops without regions that are the last of their blocks in all versions, and lead to no other block."""

WITHOUT_RESULTS: frozenset[str] = ENDING | frozenset(
    """affine.dma_start affine.dma_wait affine.prefetch affine.store affine.vector_store br cf.assert cf.br cf.cond_br
    cf.switch cond_br llvm.br llvm.cond_br llvm.intr.memcpy llvm.intr.memset llvm.store memref.copy memref.dealloc
    memref.dma_start memref.dma_wait memref.prefetch memref.store return vector.maskedstore vector.print
    vector.store""".split()
)
"""Ops that never give anything, so that `%a =` before one is of another operation."""

WORDED: frozenset[str] = frozenset(
    """affine.for affine.if affine.parallel memref.alloca_scope scf.execute_region scf.for scf.forall scf.if
    scf.index_switch scf.parallel scf.while""".split()
)
"""Ops whose regions behind the first, if they may have some, begin with a word (`else`)."""

BARE_WITH_SYMBOL: Mapping[str, str] = {"constant": "func.constant"}
"""Full names of ops without a dialect whose first operand is a symbol."""

SHORT_TYPES: frozenset[str] = frozenset({"async"})
"""Dialects in whose operations a type may be written without its name: `async.runtime.load %v : <f32>`."""

ARROWED: frozenset[str] = frozenset(
    """affine.for affine.if affine.parallel scf.for scf.forall scf.if scf.index_switch scf.parallel""".split()
)
"""Ops with regions whose heads say the types of the results behind an arrow."""

TRAILING_COMMA: frozenset[str] = frozenset({"affine.dma_start"})
"""Ops whose last operand may be followed by a comma."""

SYMBOL_TABLES: frozenset[str] = frozenset(
    """builtin.module gpu.module spirv.module hal.executable hal.executable.variant flow.executable stream.executable
    shape.function_library irdl.dialect""".split()
)

DEFINING_SYMBOLS: frozenset[str] = frozenset(
    """async.func builtin.func emitc.func func func.func gpu.func gpu.module llvm.func llvm.mlir.global memref.global
    ml_program.func ml_program.global shape.func spirv.func spirv.GlobalVariable transform.named_sequence""".split()
)
"""Operations that define a symbol in the table around them, where no other may define it."""

GRAPH_REGIONS: frozenset[str] = frozenset(
    "builtin.module gpu.module shape.function_library ml_program.subgraph hal.executable hal.executable.variant".split()
)
"""Ops whose regions may use values before they are defined."""

CALLEE_ATTRIBUTES = ("sym_name", "callee", "function", "kernel", "name")
"""In generic form the op's symbol is the value of the first of these attributes it has."""

REFERENCE_ATTRIBUTES = ("global_name", "value")
"""Or of these, where that is a symbol and no string: of the constants that name functions and globals."""

REGION_WORDS: frozenset[str] = frozenset(
    "else do then default case init combiner cleanup alloc dealloc copy destroy atomic before after".split()
)
"""Words that, right before a brace, name the region."""

EQUAL_REGIONS: frozenset[str] = frozenset("present absent overlap left right".split())
"""Words behind which `=` and a brace open a region, also an empty one: those of sparse_tensor.unary and binary."""

ORDERED_DIALECTS: frozenset[str] = frozenset(
    """affine arith acc async bufferization cf func gpu linalg llvm memref nvgpu omp scf shape spirv sparse_tensor
    tensor tosa transform vector xegpu emitc amdgpu""".split()
)
"""Dialects whose ops have no graph regions, `GRAPH_REGIONS` apart."""

CALLS: frozenset[str] = frozenset({"func.call", "call", "func.constant", "llvm.call", "memref.get_global"})
"""Ops whose symbol must be defined."""

MENTIONING: frozenset[str] = frozenset({"llvm.mlir.addressof", "gpu.launch_func"})
"""Ops that name a symbol which is defined elsewhere; whether it is, is not asked."""


def symbol_of(attributes: Mapping[str, str]) -> str | None:
    """The symbol of an op in generic form, without `@`."""
    for key in CALLEE_ATTRIBUTES:
        value = attributes.get(key)
        if value and value[0] in '@"':
            return value.lstrip("@").strip('"')
    referred = (attributes.get(key, "") for key in REFERENCE_ATTRIBUTES)
    return next((value.lstrip("@").strip('"') for value in referred if value.startswith("@")), None)


OLD_NAMES: frozenset[str] = frozenset(
    """absf addcf addf addi and atan atan2 atomic_rmw bitcast ceildivi_signed ceilf cmpf cmpi copysign cos
    create_complex dim divf diviu divis dynamic_tensor_from_elements exp exp2 extract_element floordivi_signed
    fpext fptosi fptoui fptrunc get_global_memref im index_cast log log10 log1p log2 max maxf maxsi maxui
    memref_reinterpret_cast memref_reshape min minf minsi minui mulcf mulf muli negf or rank re remf remi_signed
    remi_unsigned remis remiu rsqrt select sexti shift_left shift_right_signed shift_right_unsigned shlis shrs
    sin sitofp sqrt subcf subf subi subtensor subtensor_insert subview tanh tensor_cast tensor_from_elements
    transpose trunci uitofp view xor zexti affine_apply divi_signed divi_unsigned alloc_static dealloc_static
    shape_cast type_cast extract_value insert_value""".split()
)
"""Ops of the dialect that was called `std`, and of before there were dialects; with those of tokens.BARE_OPS."""

"""Functions that say one thing many times, each of which once took work that grew with the square of how often."""

from __future__ import annotations

from collections.abc import Callable, Mapping

TYPE = "memref<?xf32>"


def _function(arguments: str, body: str) -> str:
    return f"func.func @f(%x: f32, %i: index{arguments}) {{\n{body}  return\n}}\n"


def sizes(count: int) -> str:
    """Buffers one after the other, each of a size of its own: none is known to be the largest."""
    one = (
        f"  %a{{0}} = memref.alloc(%n{{0}}) : {TYPE}\n"
        f"  memref.store %x, %a{{0}}[%i] : {TYPE}\n"
        f"  memref.dealloc %a{{0}} : {TYPE}\n"
    )
    arguments = "".join(f", %n{number}: index" for number in range(count))
    return _function(arguments, "".join(one.format(number) for number in range(count)))


def cases(count: int) -> str:
    """A choice between many cases, in each of which a buffer is used."""
    case = "    case {0} {{\n      memref.store %x, %a[%i] : " + TYPE + "\n      scf.yield\n    }}\n"
    inside = "".join(case.format(number) for number in range(count))
    chosen = f"  scf.index_switch %i\n{inside}    default {{\n    }}\n"
    return _function("", f"  %a = memref.alloc(%i) : {TYPE}\n{chosen}  memref.dealloc %a : {TYPE}\n")


def chain(count: int) -> str:
    """Buffers on a GPU, and asynchronous operations in one chain: they are all made, then worked on, then freed."""
    steps = (
        "  %a{0}, %t{2} = gpu.alloc async [%t{1}] () : memref<8xf32>\n",
        "  %t{2} = gpu.memset async [%t{1}] %a{0}, %x : memref<8xf32>, f32\n",
        "  %t{2} = gpu.dealloc async [%t{1}] %a{0} : memref<8xf32>\n",
    )
    lines = [(step, number) for step in steps for number in range(count)]
    body = "".join(step.format(number, before, before + 1) for before, (step, number) in enumerate(lines))
    return _function("", f"  %t0 = gpu.wait async\n{body}  gpu.wait [%t{len(lines)}]\n")


def spaces(count: int) -> str:
    """Buffers one after the other, each in a memory of its own."""
    one = (
        "  %a{0} = memref.alloc() : memref<8xf32, {0}>\n"
        "  memref.store %x, %a{0}[%i] : memref<8xf32, {0}>\n"
        "  memref.dealloc %a{0} : memref<8xf32, {0}>\n"
    )
    return _function("", "".join(one.format(number) for number in range(count)))


def flags(count: int) -> str:
    """Flags that are put into an array one by one, and read again."""
    one = (
        "  %p{0} = llvm.getelementptr %a[{0}] : (!llvm.ptr) -> !llvm.ptr, i1\n"
        "  llvm.store %c, %p{0} : i1, !llvm.ptr\n"
        "  %f{0} = llvm.load %p{0} : !llvm.ptr -> i1\n"
        "  cf.cond_br %f{0}, ^b{0}, ^b{0}\n^b{0}:\n"
    )
    body = "".join(one.format(number) for number in range(count))
    return _function(", %c: i1, %n: i64", f"  %a = llvm.alloca %n x i1 : (i64) -> !llvm.ptr\n{body}")


def asked_at_once(count: int) -> str:
    """Flags in variables, each set on a branch, asked right behind it, and never again."""
    made = "  %f{0} = llvm.alloca %one x i1 : (i64) -> !llvm.ptr\n"
    one = (
        "  llvm.store %false, %f{0} : i1, !llvm.ptr\n"
        "  llvm.cond_br %c{0}, ^set{0}, ^ask{0}\n"
        "^set{0}:\n"
        "  llvm.store %true, %f{0} : i1, !llvm.ptr\n"
        "  llvm.br ^ask{0}\n"
        "^ask{0}:\n"
        "  %v{0} = llvm.load %f{0} : !llvm.ptr -> i1\n"
        "  llvm.cond_br %v{0}, ^use{0}, ^head{1}\n"
        "^use{0}:\n"
        "  %x{0} = llvm.load %a : !llvm.ptr -> i64\n"
        "  llvm.br ^head{1}\n"
        "^head{1}:\n"
    )
    arguments = "".join(f", %c{number}: i1" for number in range(count))
    flags = "".join(made.format(number) for number in range(count))
    body = "".join(one.format(number, number + 1) for number in range(count))
    return (
        "llvm.func @malloc(i64) -> !llvm.ptr\nllvm.func @free(!llvm.ptr)\n"
        f"llvm.func @f(%n: i64{arguments}) {{\n  %one = llvm.mlir.constant(1 : i64) : i64\n"
        "  %true = llvm.mlir.constant(true) : i1\n  %false = llvm.mlir.constant(false) : i1\n"
        f"{flags}  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr\n  llvm.store %n, %a : i64, !llvm.ptr\n"
        f"{body}  llvm.call @free(%a) : (!llvm.ptr) -> ()\n  llvm.return\n}}\n"
    )


def siblings(count: int) -> str:
    """Modules that each have a helper of the same name."""
    helper = "  func.func private @g(%a: memref<4xf32>) {\n    memref.dealloc %a : memref<4xf32>\n    return\n  }\n"
    caller = (
        "  func.func @f() {\n    %a = memref.alloc() : memref<4xf32>\n"
        "    call @g(%a) : (memref<4xf32>) -> ()\n    return\n  }\n"
    )
    return "".join(f"module @m{number} {{\n{helper}{caller}}}\n" for number in range(count))


REPEATED: Mapping[str, tuple[Callable[[int], str], int]] = {
    "sizes": (sizes, 40),
    "cases": (cases, 200),
    "chain": (chain, 40),
    "flags": (flags, 100),
    "spaces": (spaces, 40),
    "siblings": (siblings, 60),
}
"""By name: a text with something so many times, and a number that takes a moment."""

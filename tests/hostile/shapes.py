"""Programs that are large in one way each. A shape takes a size and gives a text that is linear in it."""

from __future__ import annotations

import base64
import random
import string
from collections.abc import Callable, Mapping

TYPE = "memref<4xf32>"


def functions(count: int) -> str:
    """Functions that have nothing to do with each other, each with a buffer that is freed late."""
    one = (
        "func.func @f{0}(%x: f32, %i: index) {{\n  %a = memref.alloc() : memref<4xf32>\n"
        "  memref.store %x, %a[%i] : memref<4xf32>\n  %y = arith.addf %x, %x : f32\n"
        "  %z = arith.addf %y, %x : f32\n  memref.dealloc %a : memref<4xf32>\n  return\n}}\n"
    )
    return "".join(one.format(number) for number in range(count))


def values(count: int) -> str:
    """One function of so many values, one after the other; each tenth is a buffer, freed two operations later."""
    lines = ["func.func @f(%x: f32, %i: index) {"]
    for number in range(0, count, 5):
        lines.append(f"  %a{number} = memref.alloc() : {TYPE}")
        lines.append(f"  memref.store %x, %a{number}[%i] : {TYPE}")
        lines += [f"  %v{number}_{n} = arith.addf %x, %x : f32" for n in range(4)]
        lines.append(f"  memref.dealloc %a{number} : {TYPE}")
    return "\n".join([*lines, "  return", "}", ""])


def users(count: int) -> str:
    """One buffer with so many uses."""
    lines = ["func.func @f(%x: f32, %i: index) {", f"  %a = memref.alloc() : {TYPE}"]
    lines += [f"  memref.store %x, %a[%i] : {TYPE}"] * count
    return "\n".join([*lines, f"  memref.dealloc %a : {TYPE}", "  return", "}", ""])


def views(count: int) -> str:
    """A chain of views, each of the one before."""
    lines = ["func.func @f() {", f"  %v0 = memref.alloc() : {TYPE}"]
    lines += [f"  %v{n + 1} = memref.cast %v{n} : {TYPE} to {TYPE}" for n in range(count)]
    return "\n".join([*lines, f"  memref.dealloc %v{count} : {TYPE}", "  return", "}", ""])


def nested(depth: int) -> str:
    """Regions in regions, with a buffer in the innermost one and one around all."""
    lines = ["func.func @f(%c: i1, %x: f32, %i: index) {", f"  %a = memref.alloc() : {TYPE}"]
    lines += ["scf.if %c {"] * depth
    lines += [f"%b = memref.alloc() : {TYPE}", f"memref.store %x, %a[%i] : {TYPE}", f"memref.dealloc %b : {TYPE}"]
    lines += ["}"] * depth
    return "\n".join([*lines, f"  memref.dealloc %a : {TYPE}", "  return", "}", ""])


def loops(depth: int) -> str:
    """Loops in loops, with a buffer in the innermost one and one around all."""
    lines = [
        "func.func @f(%n: index, %x: f32) {",
        "  %c0 = arith.constant 0 : index",
        "  %c1 = arith.constant 1 : index",
    ]
    lines.append(f"  %a = memref.alloc() : {TYPE}")
    lines += [f"scf.for %i{number} = %c0 to %n step %c1 {{" for number in range(depth)]
    lines += [f"%b = memref.alloc() : {TYPE}", f"memref.store %x, %b[%c0] : {TYPE}"]
    lines += [f"memref.store %x, %a[%c0] : {TYPE}", f"memref.dealloc %b : {TYPE}", *"}" * depth]
    return "\n".join([*lines, f"  memref.dealloc %a : {TYPE}", "  return", "}", ""])


def modules(depth: int) -> str:
    """Modules in modules around a function."""
    return "module {\n" * depth + functions(1) + "}\n" * depth


def brackets(depth: int) -> str:
    """An attribute of brackets in brackets."""
    return f'func.func @f() {{\n  "x.y"() {{a = {"[" * depth}{"]" * depth}}} : () -> ()\n  return\n}}\n'


def open_brackets(count: int) -> str:
    """Brackets that are opened and never closed."""
    return f"func.func @f() {{\n  x.y {'(' * count}\n  return\n}}\n" + functions(3)


def mixed_brackets(count: int) -> str:
    """Brackets of all kinds at the top level, opened in turn; the innermost half of them is closed."""
    quarter = count // 4
    return "([{<" * quarter + ">}])" * (quarter // 2) + "\n" + functions(3)


def open_regions(count: int) -> str:
    """Regions that are opened and never closed."""
    return "func.func @f(%c: i1) {\n" + "  scf.if %c {\n" * count + functions(3)


def stray_braces(count: int) -> str:
    """Statements that each close a region nobody opened."""
    return "x.y }\n" * count + functions(3)


def types(depth: int) -> str:
    """A type in a type in a type."""
    return f"func.func @f(%a: {'tuple<' * depth}i32{'>' * depth}) {{\n  return\n}}\n"


def blocks(count: int) -> str:
    """A control flow graph of so many blocks: branches that jump back or go on, with a buffer around all."""
    lines = ["func.func @f(%c: i1, %x: f32, %i: index) {", f"  %a = memref.alloc() : {TYPE}", "  cf.br ^bb0"]
    for number in range(count):
        lines.append(f"^bb{number}:")
        if number % 3 == 0:
            lines.append(f"  memref.store %x, %a[%i] : {TYPE}")
        back = max(0, number - 3)
        lines.append(f"  cf.cond_br %c, ^bb{number + 1}, ^bb{back if number % 7 == 0 else number + 1}")
    return "\n".join([*lines, f"^bb{count}:", f"  memref.dealloc %a : {TYPE}", "  return", "}", ""])


def stages(count: int) -> str:
    """A control flow graph of so many stages, each three blocks with a buffer that the next stage frees."""
    lines = ["func.func @f(%c: i1, %x: f32, %i: index) {", "  cf.br ^b0"]
    for number in range(count):
        lines += [f"^b{number}:", f"  %a{number} = memref.alloc() : {TYPE}"]
        if number:
            lines.append(f"  memref.dealloc %a{number - 1} : {TYPE}")
        lines += [f"  cf.cond_br %c, ^l{number}, ^r{number}", f"^l{number}:"]
        lines += [f"  memref.store %x, %a{number}[%i] : {TYPE}", f"  cf.br ^b{number + 1}"]
        lines += [f"^r{number}:", f"  cf.br ^b{number + 1}"]
    return "\n".join([*lines, f"^b{count}:", f"  memref.dealloc %a{count - 1} : {TYPE}", "  return", "}", ""])


def replaced(count: int) -> str:
    """Loops in a row, each of which frees the buffer carried through it and makes another: which it is nobody knows."""
    one = (
        "  %a{1} = scf.for %i = %c0 to %n step %c1 iter_args(%b = %a{0}) -> (memref<4xf32>) {{\n"
        "    memref.dealloc %b : memref<4xf32>\n    %new = memref.alloc() : memref<4xf32>\n"
        "    scf.yield %new : memref<4xf32>\n  }}\n"
    )
    head = (
        "func.func @f(%n: index) {\n  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n"
        f"  %a0 = memref.alloc() : {TYPE}\n"
    )
    body = "".join(one.format(number, number + 1) for number in range(count))
    return f"{head}{body}  memref.dealloc %a{count} : {TYPE}\n  return\n}}\n"


def held(count: int) -> str:
    """Loops in a row, each of which replaces the buffer carried through it, and frees the old one late."""
    use = "    memref.store %x, %b[%i] : memref<4xf32>\n    %y = arith.addf %x, %x : f32\n"
    text = replaced(count).replace("(%n: index)", "(%n: index, %x: f32)")
    return text.replace("    memref.dealloc %b", use + "    memref.dealloc %b")


def swapped(count: int) -> str:
    """Loops in a row, each of which swaps the buffer carried through it with another; which is left is freed late."""
    one = (
        "  %w{0} = memref.alloc() : {2}\n  memref.store %x, %w{0}[%c0] : {2}\n"
        "  %a{1}, %s{1} = scf.for %i = %c0 to %n step %c1 iter_args(%b = %a{0}, %d = %w{0}) -> ({2}, {2}) {{\n"
        "    memref.copy %b, %d : {2} to {2}\n    scf.yield %d, %b : {2}, {2}\n  }}\n"
        "  %y{0} = arith.addf %x, %x : f32\n  memref.dealloc %s{1} : {2}\n"
    )
    head = replaced(0).replace("(%n: index)", "(%n: index, %x: f32)").partition("  memref.dealloc")[0]
    body = "".join(one.format(number, number + 1, TYPE) for number in range(count))
    return f"{head}{body}  memref.dealloc %a{count} : {TYPE}\n  return\n}}\n"


def chosen(count: int) -> str:
    """A chain of choices, by a condition each, between the buffer chosen last and a new one; all are lost."""
    lines = [f"func.func @f(%x: f32, %i: index{''.join(f', %c{number}: i1' for number in range(1, count))}) {{"]
    lines.append(f"  %s0 = memref.alloc() : {TYPE}")
    for number in range(1, count):
        lines.append(f"  %a{number} = memref.alloc() : {TYPE}")
        lines.append(f"  %s{number} = arith.select %c{number}, %s{number - 1}, %a{number} : {TYPE}")
    return "\n".join([*lines, f"  memref.store %x, %s{count - 1}[%i] : {TYPE}", "  return", "}", ""])


def handed(count: int) -> str:
    """A control flow graph of so many blocks that hand eight buffers on; each third may replace one."""
    types = ", ".join([TYPE] * 8)
    lines = ["func.func @f(%c: i1) {", *(f"  %a{n} = memref.alloc() : {TYPE}" for n in range(8))]
    lines.append(f"  cf.br ^b0({', '.join(f'%a{n}' for n in range(8))} : {types})")
    for number in range(count):
        lines.append(f"^b{number}({', '.join(f'%p{number}_{n}: {TYPE}' for n in range(8))}):")
        names = [f"%p{number}_{n}" for n in range(8)]
        if number % 3 == 0:
            lines.append(f"  cf.cond_br %c, ^l{number}, ^b{number + 1}({', '.join(names)} : {types})")
            lines += [
                f"^l{number}:",
                f"  memref.dealloc {names[0]} : {TYPE}",
                f"  %n{number} = memref.alloc() : {TYPE}",
            ]
            names[0] = f"%n{number}"
        lines.append(f"  cf.br ^b{number + 1}({', '.join(names)} : {types})")
    lines.append(f"^b{count}({', '.join(f'%p{count}_{n}: {TYPE}' for n in range(8))}):")
    lines += [f"  memref.dealloc %p{count}_{n} : {TYPE}" for n in range(8)]
    return "\n".join([*lines, "  return", "}", ""])


def lowered(count: int) -> str:
    """What lowering makes of loops in a row: each has blocks of its own and a buffer in its body, and one before it
    that is read before anything is written, and freed at the end of the function."""
    lines = [
        "func.func @f(%x: f32, %n: index) {",
        "  %c0 = arith.constant 0 : index",
        "  %c1 = arith.constant 1 : index",
    ]
    for n in range(count):
        lines += [f"  %a{n} = memref.alloc() : {TYPE}", f"  %v{n} = memref.load %a{n}[%c0] : {TYPE}"]
        lines += [f"  cf.br ^head{n}(%c0 : index)", f"^head{n}(%i{n}: index):"]
        lines += [f"  %t{n} = arith.cmpi slt, %i{n}, %n : index", f"  cf.cond_br %t{n}, ^body{n}, ^exit{n}"]
        lines += [f"^body{n}:", f"  %b{n} = memref.alloc() : {TYPE}", f"  memref.store %v{n}, %b{n}[%i{n}] : {TYPE}"]
        lines += [f"  memref.dealloc %b{n} : {TYPE}", f"  %j{n} = arith.addi %i{n}, %c1 : index"]
        lines += [f"  cf.br ^head{n}(%j{n} : index)", f"^exit{n}:"]
    lines += [f"  memref.dealloc %a{n} : {TYPE}" for n in range(count)]
    return "\n".join([*lines, "  return", "}", ""])


def diamonds(count: int) -> str:
    """A chain of branches that meet again: 2 to the power of `count` paths."""
    lines = ["func.func @f(%n: i32, %x: f32, %i: index) {", f"  %a = memref.alloc() : {TYPE}"]
    for number in range(count):
        lines.append(f"  %k{number} = arith.constant {number} : i32")
        lines.append(f"  %c{number} = arith.cmpi eq, %n, %k{number} : i32")
        lines += [f"  scf.if %c{number} {{", f"    memref.store %x, %a[%i] : {TYPE}", "  }"]
    return "\n".join([*lines, f"  memref.dealloc %a : {TYPE}", "  return", "}", ""])


def cycle(count: int) -> str:
    """Functions that call each other in a cycle, handing a buffer on; the last one may free it."""
    one = (
        "func.func private @f{0}(%a: memref<4xf32>, %c: i1) {{\n"
        "  func.call @f{1}(%a, %c) : (memref<4xf32>, i1) -> ()\n  return\n}}\n"
    )
    start = (
        f"func.func @start(%c: i1) {{\n  %a = memref.alloc() : {TYPE}\n"
        f"  func.call @f0(%a, %c) : ({TYPE}, i1) -> ()\n  memref.dealloc %a : {TYPE}\n  return\n}}\n"
    )
    return start + "".join(one.format(number, (number + 1) % count) for number in range(count))


def crossing(count: int) -> str:
    """Functions that call each other from loops and branches, handing two buffers on that may be one."""
    one = (
        "func.func private @f{0}(%a: memref<4xf32>, %b: memref<4xf32>, %c: i1, %n: index) {{\n"
        "  %one = arith.constant 1 : index\n  scf.for %i = %one to %n step %one {{\n"
        "    func.call @f{1}(%b, %a, %c, %n) : (memref<4xf32>, memref<4xf32>, i1, index) -> ()\n  }}\n  scf.if %c {{\n"
        "    func.call @f{2}(%a, %a, %c, %n) : (memref<4xf32>, memref<4xf32>, i1, index) -> ()\n  }}\n  return\n}}\n"
    )
    start = (
        f"func.func @start(%c: i1, %n: index) {{\n  %a = memref.alloc() : {TYPE}\n"
        f"  func.call @f0(%a, %a, %c, %n) : ({TYPE}, {TYPE}, i1, index) -> ()\n"
        f"  memref.dealloc %a : {TYPE}\n  return\n}}\n"
    )
    others = ((number, (number + 1) % count, (number * 7 + 3) % count) for number in range(count))
    return start + "".join(one.format(*three) for three in others)


def calls(count: int) -> str:
    """A chain of calls, none of them back; the last function frees what is handed down."""
    one = "func.func private @f{0}(%a: memref<4xf32>) {{\n  call @f{1}(%a) : (memref<4xf32>) -> ()\n  return\n}}\n"
    last = f"func.func private @f{count}(%a: {TYPE}) {{\n  memref.dealloc %a : {TYPE}\n  return\n}}\n"
    start = f"func.func @start() {{\n  %a = memref.alloc() : {TYPE}\n  call @f0(%a) : ({TYPE}) -> ()\n  return\n}}\n"
    return start + "".join(one.format(number, number + 1) for number in range(count)) + last


def resources(size: int) -> str:
    """A dense resource of so many bytes, below a function."""
    return (
        functions(1)
        + '{-#\n  dialect_resources: {\n    builtin: {\n      w: "0x'
        + "0a" * size
        + '"\n    }\n  }\n#-}\n'
    )


def dense(size: int) -> str:
    """A dense constant of so many bytes, in a line of its function."""
    line = f'  %w = arith.constant dense<"0x{"0a" * size}"> : tensor<{size}xi8>\n'
    return functions(1).replace("  return\n", line + "  return\n")


def long_line(count: int) -> str:
    """A function of so many operations, all of it one line."""
    return "func.func @f(%x: f32) { " + "%y = arith.addf %x, %x : f32 " * count + "return }\n"


def long_comment(size: int) -> str:
    """A comment of so many characters."""
    return f"// {'x' * size}\n" + functions(1)


def long_name(size: int) -> str:
    """A name of so many characters."""
    return f"func.func @f(%{'x' * size}: i32) {{\n  return\n}}\n"


def names(count: int) -> str:
    """Names that are not defined, all of them similar to others that are."""
    lines = ["func.func @f(%x: f32) {"]
    lines += [f"  %value{n} = arith.addf %x, %velue{n} : f32" for n in range(count)]
    return "\n".join([*lines, "  return", "}", ""])


def garbage(size: int) -> str:
    """Nothing that means anything."""
    marks = '%^@}{()<>"'
    return "".join(f"{chr(33 + n * 7 % 90)}{marks[n % len(marks)]} {n}\n" for n in range(size))


def ascii_by_chance(size: int) -> str:
    """So many printable characters of ASCII, and line ends, each by chance."""
    return "".join(random.Random(1).choices(string.printable, k=size))


def base64_by_chance(size: int) -> str:
    """About so many characters of Base64, in lines as mail has them."""
    return base64.encodebytes(random.Random(1).randbytes(size * 57 // 77)).decode()


def lines(count: int) -> str:
    """Lines with nothing in them, ended in all the ways a line may end, and in ways in which it does not."""
    return "\r\n\n\r\u2028\u2029\x0b\x0c\x85" * (count // 8) + functions(1)


def numbers(count: int) -> str:
    """A constant of so many numbers."""
    one = ", ".join(["-1.250000e-01"] * count)
    return f"memref.global constant @g : memref<{count}xf32> = dense<[{one}]>\n"


def going_back(count: int) -> str:
    """Blocks of which each may go on or back to the middle of those before it, and an operation without a model."""
    lines = ["func.func @f(%c: i1) {", f"  %a = memref.alloc() : {TYPE}", "  cf.br ^b0"]
    for number in range(count):
        lines += [f"^b{number}:", f'  "t.u"(%a) : ({TYPE}) -> ()']
        lines.append(f"  cf.cond_br %c, ^b{number + 1}, ^b{number // 2}")
    return "\n".join([*lines, f"^b{count}:", f"  memref.dealloc %a : {TYPE}", "  return", "}", ""])


def carried(depth: int) -> str:
    """Loops in loops that hand a buffer on, which the innermost one frees late and replaces."""
    lines = ["func.func @f(%n: index, %c0: index, %c1: index) {", f"  %b0 = memref.alloc() : {TYPE}"]
    for at in range(depth):
        lines.append(f"%r{at} = scf.for %i{at} = %c0 to %n step %c1 iter_args(%b{at + 1} = %b{at}) -> ({TYPE}) {{")
    lines += [f"%x = memref.alloc() : {TYPE}", f"memref.dealloc %b{depth} : {TYPE}", f"scf.yield %x : {TYPE}", "}"]
    lines += [line for at in range(depth - 1, 0, -1) for line in (f"scf.yield %r{at} : {TYPE}", "}")]
    return "\n".join([*lines, f"  memref.dealloc %r0 : {TYPE}", "  return", "}", ""])


def carried_by_while(depth: int) -> str:
    """The same of loops of two regions."""
    lines = ["func.func @f(%n: index) {", f"  %w0 = memref.alloc() : {TYPE}"]
    for at in range(depth):
        lines.append(f"%r{at} = scf.while (%b{at} = %w{at}) : ({TYPE}) -> ({TYPE}) {{")
        lines += [f"%c{at} = func.call @more() : () -> i1", f"scf.condition(%c{at}) %b{at} : {TYPE}"]
        lines += ["} do {", f"^bb0(%w{at + 1}: {TYPE}):"]
    lines += [f"%x = memref.alloc() : {TYPE}", f"memref.dealloc %w{depth} : {TYPE}", f"scf.yield %x : {TYPE}", "}"]
    lines += [line for at in range(depth - 1, 0, -1) for line in (f"scf.yield %r{at} : {TYPE}", "}")]
    last = ["  return", "}", "func.func private @more() -> i1", ""]
    return "\n".join([*lines, f"  memref.dealloc %r0 : {TYPE}", *last])


SHAPES: Mapping[str, tuple[Callable[[int], str], int, int]] = {
    "functions": (functions, 500, 435_000),
    "values": (values, 3000, 1_000_000),
    "users": (users, 3000, 100_000),
    "views": (views, 1000, 20_000),
    "nested": (nested, 500, 10_000),
    "modules": (modules, 1000, 10_000),
    "brackets": (brackets, 2000, 500_000),
    "open-brackets": (open_brackets, 2000, 1_000_000),
    "mixed-brackets": (mixed_brackets, 2000, 1_000_000),
    "open-regions": (open_regions, 1000, 10_000),
    "stray-braces": (stray_braces, 3000, 100_000),
    "types": (types, 1000, 100_000),
    "blocks": (blocks, 1000, 50_000),
    "stages": (stages, 500, 12_000),
    "lowered": (lowered, 400, 10_000),
    "diamonds": (diamonds, 250, 5_000),
    "replaced": (replaced, 800, 20_000),
    "held": (held, 800, 20_000),
    "handed": (handed, 400, 10_000),
    "cycle": (cycle, 200, 5_000),
    "crossing": (crossing, 60, 2_000),
    "calls": (calls, 200, 5_000),
    "resources": (resources, 500_000, 25_000_000),
    "dense": (dense, 500_000, 25_000_000),
    "long-line": (long_line, 1000, 700_000),
    "long-comment": (long_comment, 500_000, 20_000_000),
    "long-name": (long_name, 500_000, 20_000_000),
    "names": (names, 1000, 100_000),
    "garbage": (garbage, 2000, 1_000_000),
    "ascii": (ascii_by_chance, 10_000, 100_000_000),
    "base64": (base64_by_chance, 10_000, 5_000_000),
    "lines": (lines, 8000, 8_000_000),
    "numbers": (numbers, 10_000, 300_000),
    "going-back": (going_back, 1600, 12_500),
}
"""By name: the shape, a size that takes a moment, and the full size: see docs/reliability.md."""

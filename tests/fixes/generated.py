"""Programs made at random for repair: buffers that travel through branches, loops, blocks, views and calls.

`bare` gives programs without deallocations, each a public function; `planted` puts faults into deallocations that are
right. What a function computes goes into its argument, so that a buffer used too late or freed too early is seen.
"""

from __future__ import annotations

import random
import re

TYPE = "memref<8xi64>"
HELPERS = f"""func.func private @cond() -> i1

func.func private @new(%x: {TYPE}) -> {TYPE} {{
  %a = memref.alloc() : {TYPE}
  memref.copy %x, %a : {TYPE} to {TYPE}
  return %a : {TYPE}
}}

func.func private @same(%x: {TYPE}) -> {TYPE} {{
  return %x : {TYPE}
}}

func.func private @either(%p: i1, %x: {TYPE}) -> {TYPE} {{
  %r = scf.if %p -> ({TYPE}) {{
    %a = memref.alloc() : {TYPE}
    memref.copy %x, %a : {TYPE} to {TYPE}
    scf.yield %a : {TYPE}
  }} else {{
    scf.yield %x : {TYPE}
  }}
  return %r : {TYPE}
}}

"""
FREE = re.compile(r"^( *)memref\.dealloc %")


def bare(seeds: range) -> str:
    """One module with a function for each seed, and without deallocations."""
    return HELPERS + "\n".join(_Function(seed).text() for seed in seeds)


class _Function:
    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._count = 0
        self._lines: list[str] = []
        self._seed = seed

    def text(self) -> str:
        flags = ", ".join(f"%p{n}: i1" for n in range(3))
        head = [f"func.func @f{self._seed}(%x: {TYPE}, {flags}, %n: index) {{"]
        head += [f"  %c{n} = arith.constant {n} : index" for n in range(4)]
        head += ["  %seven = arith.constant 7 : i64", f"  linalg.fill ins(%seven : i64) outs(%x : {TYPE})"]
        buffers = ["%x"]
        self._block(1, self._random.randrange(3, 6), 2, buffers)
        if self._random.random() < 0.4:
            self._blocks(buffers)
        self._use(1, buffers)
        return "\n".join([*head, *self._lines, "  return", "}", ""])

    def _put(self, depth: int, line: str) -> None:
        self._lines.append("  " * depth + line)

    def _name(self, stem: str) -> str:
        self._count += 1
        return f"%{stem}{self._count}"

    def _block(self, depth: int, length: int, deeper: int, buffers: list[str]) -> None:
        """Statements; the buffers they make are appended to `buffers`."""
        makers = [self._new, self._use, self._view, self._select, self._call]
        makers += [self._if, self._if_result, self._loop, self._carried, self._while] if deeper else []
        for _ in range(length):
            maker = self._random.choice(makers)
            if maker in (self._if, self._loop):
                head = f"scf.if {self._flag()} {{" if maker == self._if else self._head(depth)
                self._put(depth, head)
                self._block(depth + 1, self._random.randrange(1, 4), deeper - 1, list(buffers))
                self._put(depth, "}")
            elif maker in (self._if_result, self._carried, self._while):
                maker(depth, buffers)
            else:
                maker(depth, buffers)

    def _flag(self) -> str:
        return f"%p{self._random.randrange(3)}"

    def _head(self, depth: int) -> str:
        return f"scf.for {self._name('i')} = %c0 to {self._random.choice(['%n', '%c2', '%c3'])} step %c1 {{"

    def _any(self, buffers: list[str]) -> str:
        return self._random.choice(buffers[-5:])

    def _new(self, depth: int, buffers: list[str]) -> None:
        name = self._name("b")
        self._put(depth, f"{name} = memref.alloc() : {TYPE}")
        self._put(depth, f"memref.copy {self._any(buffers)}, {name} : {TYPE} to {TYPE}")
        buffers.append(name)

    def _use(self, depth: int, buffers: list[str]) -> None:
        value, sum_, other = self._name("v"), self._name("s"), self._name("w")
        where, to = self._any(buffers), self._random.choice(["%x", "%x", self._any(buffers)])
        self._put(depth, f"{value} = memref.load {where}[%c{self._random.randrange(4)}] : {TYPE}")
        self._put(depth, f"{other} = memref.load {to}[%c0] : {TYPE}")
        self._put(depth, f"{sum_} = arith.addi {value}, {other} : i64")
        self._put(depth, f"memref.store {sum_}, {to}[%c0] : {TYPE}")

    def _view(self, depth: int, buffers: list[str]) -> None:
        cast, back = self._name("d"), self._name("b")
        self._put(depth, f"{cast} = memref.cast {self._any(buffers)} : {TYPE} to memref<?xi64>")
        self._put(depth, f"{back} = memref.cast {cast} : memref<?xi64> to {TYPE}")
        buffers.append(back)

    def _select(self, depth: int, buffers: list[str]) -> None:
        name = self._name("b")
        self._put(depth, f"{name} = arith.select {self._flag()}, {self._any(buffers)}, {self._any(buffers)} : {TYPE}")
        buffers.append(name)

    def _call(self, depth: int, buffers: list[str]) -> None:
        name, callee = self._name("b"), self._random.choice(["new", "same", "either"])
        flag, kind = (f"{self._flag()}, ", "i1, ") if callee == "either" else ("", "")
        self._put(depth, f"{name} = func.call @{callee}({flag}{self._any(buffers)}) : ({kind}{TYPE}) -> {TYPE}")
        buffers.append(name)

    def _if(self, depth: int, buffers: list[str]) -> None:
        """Written by `_block`."""

    def _loop(self, depth: int, buffers: list[str]) -> None:
        """Written by `_block`."""

    def _if_result(self, depth: int, buffers: list[str]) -> None:
        name = self._name("b")
        self._put(depth, f"{name} = scf.if {self._flag()} -> ({TYPE}) {{")
        for words in ("} else {", "}"):
            inner = list(buffers)
            self._block(depth + 1, self._random.randrange(3), 1, inner)
            self._put(depth + 1, f"scf.yield {self._any(inner)} : {TYPE}")
            self._put(depth, words)
        buffers.append(name)

    def _carried(self, depth: int, buffers: list[str]) -> None:
        name, carried = self._name("b"), self._name("m")
        head = self._head(depth).removesuffix(" {")
        self._put(depth, f"{name} = {head} iter_args({carried} = {self._any(buffers)}) -> ({TYPE}) {{")
        inner = [*buffers, carried]
        self._block(depth + 1, self._random.randrange(1, 4), 1, inner)
        self._put(depth + 1, f"scf.yield {self._any(inner)} : {TYPE}")
        self._put(depth, "}")
        buffers.append(name)

    def _while(self, depth: int, buffers: list[str]) -> None:
        name, before, after, flag = self._name("b"), self._name("m"), self._name("m"), self._name("q")
        self._put(depth, f"{name} = scf.while ({before} = {self._any(buffers)}) : ({TYPE}) -> {TYPE} {{")
        self._put(depth + 1, f"{flag} = func.call @cond() : () -> i1")
        self._put(depth + 1, f"scf.condition({flag}) {before} : {TYPE}")
        self._put(depth, "} do {")
        self._put(depth, f"^bb0({after}: {TYPE}):")
        inner = [*buffers, after]
        self._block(depth + 1, self._random.randrange(1, 3), 0, inner)
        self._put(depth + 1, f"scf.yield {self._any(inner)} : {TYPE}")
        self._put(depth, "}")
        buffers.append(name)

    def _blocks(self, buffers: list[str]) -> None:
        """A diamond of blocks that hands a buffer on."""
        name = self._name("b")
        self._put(1, f"cf.cond_br {self._flag()}, ^left, ^right")
        for label in ("left", "right"):
            inner = list(buffers)
            self._put(0, f"^{label}:")
            self._block(1, self._random.randrange(3), 1, inner)
            self._put(1, f"cf.br ^join({self._any(inner)} : {TYPE})")
        self._put(0, f"^join({name}: {TYPE}):")
        buffers.append(name)


def planted(source: str, seed: int) -> str:
    """`source` with faults: deallocations left out, doubled, or moved a line or several up or down in their block."""
    chosen = random.Random(seed)
    lines = source.split("\n")
    for number in reversed([n for n, line in enumerate(lines) if FREE.match(line)]):
        fault = chosen.choice(["none", "none", "lost", "twice", "up", "down"])
        line = lines[number]
        if not FREE.match(line):  # another one was moved up past it
            continue
        if fault == "twice":
            lines.insert(number, line)
        if fault in ("lost", "up", "down"):
            del lines[number]
        if fault in ("up", "down"):
            lines.insert(_moved(lines, number, line, fault, chosen.randrange(1, 5)), line)
    return "\n".join(lines)


def _moved(lines: list[str], number: int, line: str, way: str, steps: int) -> int:
    """Where the line goes: past whole statements of its block, at most `steps`, never past what ends or begins it."""
    indent = len(line) - len(line.lstrip())
    name = line.split()[1]
    for _ in range(steps):
        step = -1 if way == "up" else 1
        other = lines[number - 1 if way == "up" else number]
        plain = len(other) - len(other.lstrip()) == indent and not other.rstrip().endswith(("{", ":"))
        if not plain or other.strip().startswith(("}", "return", "scf.", "cf.", f"{name} =")):
            break
        number += step
    return number

"""Statements of random programs that hold no others: how they are written, and what they do.

Every statement is written as MLIR and returned as a `Step`, which does to a `Run` what the text means.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import TypeAlias

from tests.paths.machine import Memory, Run

TYPE = "memref<8xi64>"
HELPERS = f"""func.func private @cond() -> i1
func.func private @read(%x: {TYPE})
func.func private @make(%x: {TYPE}) -> {TYPE}
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
func.func private @drop(%x: {TYPE}) {{
  memref.dealloc %x : {TYPE}
  return
}}
func.func private @may_drop(%p: i1, %x: {TYPE}) {{
  scf.if %p {{
    memref.dealloc %x : {TYPE}
  }}
  return
}}
func.func @drop_both(%p: i1, %x: {TYPE}, %y: {TYPE}) {{
  %c0 = arith.constant 0 : index
  memref.dealloc %x : {TYPE}
  scf.if %p {{
    memref.dealloc %y : {TYPE}
  }} else {{
    %v = memref.load %y[%c0] : {TYPE}
  }}
  return
}}
"""
HEAD = HELPERS.count("\n")
"""Lines of helpers: what is found there is told at calls, but leaks."""
_SITES = {"new": 5, "either": 14}
_NEAR = 6
"""Buffers made long ago are seldom named."""

Names: TypeAlias = "dict[str, Memory]"
Step: TypeAlias = "Callable[[Run, Names], None]"


class Writer:
    """Writes lines. `free`: how often a statement frees, beside eight others."""

    def __init__(self, seed: int, free: int) -> None:
        self._random = random.Random(seed)
        self._lines: list[str] = [*HELPERS.split("\n")[:-1]]
        self._count = 0
        self._simple = [self._new, self._new, self._use, self._use, self._view, self._select, self._call, self._grow]
        self._simple += [self._free] * free

    def _put(self, depth: int, text: str) -> int:
        self._lines.append("  " * depth + text)
        return len(self._lines)

    def _name(self, stem: str = "b") -> str:
        self._count += 1
        return f"%{stem}{self._count}"

    def _flag(self) -> str:
        return f"%p{self._random.randrange(3)}"

    def _any(self, buffers: list[str]) -> str:
        return self._random.choice(buffers[-_NEAR:])

    def _own(self, buffers: list[str]) -> str:
        """A buffer to be freed: seldom the argument."""
        near = [name for name in buffers[-_NEAR:] if name != "%x" or self._random.random() < 0.05]
        return self._random.choice(near or buffers[-1:])

    def _new(self, depth: int, buffers: list[str]) -> Step:
        name = self._name()
        line = self._put(depth, f"{name} = memref.alloc() : {TYPE}")
        buffers.append(name)

        def run(on: Run, names: Names) -> None:
            on.reach(line)
            names[name] = on.make(line, line)

        return run

    def _grow(self, depth: int, buffers: list[str]) -> Step:
        """`memref.realloc`, which copies a buffer and frees it; as often a clone, which only copies."""
        frees = self._random.random() < 0.5
        old, name = self._own(buffers) if frees else self._any(buffers), self._name()
        word = "memref.realloc" if frees else "bufferization.clone"
        line = self._put(depth, f"{name} = {word} {old} : {TYPE} to {TYPE}")
        buffers.append(name)

        def run(on: Run, names: Names) -> None:
            on.reach(line)
            on.use(names[old], line)
            if frees:
                on.free(names[old], line)
            names[name] = on.make(line, line)

        return run

    def _use(self, depth: int, buffers: list[str]) -> Step:
        used = self._any(buffers)
        line = self._put(depth, f"{self._name('v')} = memref.load {used}[%c0] : {TYPE}")

        def run(on: Run, names: Names) -> None:
            on.reach(line)
            on.use(names[used], line)

        return run

    def _free(self, depth: int, buffers: list[str]) -> Step:
        return self._free_of(depth, self._own(buffers)) if len(buffers) > 1 else self._new(depth, buffers)

    def _free_of(self, depth: int, freed: str) -> Step:
        line = self._put(depth, f"memref.dealloc {freed} : {TYPE}")

        def run(on: Run, names: Names) -> None:
            on.reach(line)
            on.free(names[freed], line)

        return run

    def _view(self, depth: int, buffers: list[str]) -> Step:
        source, cast, name = self._any(buffers), self._name("d"), self._name()
        self._put(depth, f"{cast} = memref.cast {source} : {TYPE} to memref<?xi64>")
        self._put(depth, f"{name} = memref.cast {cast} : memref<?xi64> to {TYPE}")
        buffers.append(name)

        def run(on: Run, names: Names) -> None:
            names[name] = names[source]

        return run

    def _select(self, depth: int, buffers: list[str]) -> Step:
        yes, no, flag, name = self._any(buffers), self._any(buffers), self._flag(), self._name()
        self._put(depth, f"{name} = arith.select {flag}, {yes}, {no} : {TYPE}")
        buffers.append(name)

        def run(on: Run, names: Names) -> None:
            names[name] = names[yes] if on.choose(flag, 2) else names[no]

        return run

    def _call(self, depth: int, buffers: list[str]) -> Step:
        if self._random.random() < 0.2:
            return self._call_of_both(depth, buffers)
        callee = self._random.choice(["new", "same", "either", "drop", "may_drop", "read", "make"])
        flag = self._flag() if callee in ("either", "may_drop") else None
        given = self._own(buffers) if "drop" in callee else self._any(buffers)
        name = None if callee in ("drop", "may_drop", "read") else self._name()
        arguments, types = (f"{flag}, {given}", f"i1, {TYPE}") if flag else (given, TYPE)
        call = f"func.call @{callee}({arguments}) : ({types}) -> {TYPE if name else '()'}"
        line = self._put(depth, f"{name} = {call}" if name else call)
        buffers += [name] if name else []

        def run(on: Run, names: Names) -> None:
            on.reach(line)
            memory = names[given]
            does = flag is None or bool(on.choose(flag, 2))
            if "drop" in callee:
                if does:
                    on.free(memory, line)
                return
            if does and callee != "same":
                on.use(memory, line)
            if name:
                made = does and callee != "same"
                names[name] = on.make(_SITES.get(callee, line), line) if made else memory

        return run

    def _call_of_both(self, depth: int, buffers: list[str]) -> Step:
        """A function that may be called from elsewhere frees one buffer and frees or reads another, or the same."""
        one, other, flag = self._own(buffers), self._own(buffers), self._flag()
        line = self._put(depth, f"func.call @drop_both({flag}, {one}, {other}) : (i1, {TYPE}, {TYPE}) -> ()")

        def run(on: Run, names: Names) -> None:
            on.reach(line)
            on.free(names[one], line)
            (on.free if on.choose(flag, 2) else on.use)(names[other], line)

        return run

"""Generated programs: valid for the most part, with buffers that travel through branches, loops, blocks and calls.

What a program does with its buffers is left to chance, so about all that can be wrong occurs. `mlir-opt` takes
almost all of them; that is not what they are for.
"""

from __future__ import annotations

import random

TYPE = "memref<4xf32>"
DEEPEST = 4


class Generator:
    """One program.

    Args:
        choose: where chance comes from.
        size: about how many operations a function has.
    """

    def __init__(self, choose: random.Random, size: int) -> None:
        self.random = choose
        self.size = size
        self.lines: list[str] = []
        self.count = 0
        self.functions: list[tuple[str, int, bool]] = []
        """Name, number of buffers it takes, whether it gives one back."""

    def program(self) -> str:
        """The text."""
        number = self.random.randint(1, 4)
        for index in range(number):
            buffers, gives = self.random.randint(0, 3), self.random.random() < 0.4
            self.functions.append((f"f{index}", buffers, gives))
        for name, buffers, gives in self.functions:
            self.function(name, buffers, gives)
        return "\n".join(self.lines) + "\n"

    def name(self) -> str:
        """A new value's name."""
        self.count += 1
        return f"%v{self.count}"

    def put(self, depth: int, line: str) -> None:
        """One line."""
        self.lines.append("  " * depth + line)

    def function(self, name: str, buffers: int, gives: bool) -> None:
        """One function, with structured regions or with blocks."""
        arguments = [f"%b{index}: {TYPE}" for index in range(buffers)] + ["%c: i1", "%n: index", "%x: f32"]
        private = self.random.choice(["", "private "])
        self.put(0, f"func.func {private}@{name}({', '.join(arguments)}) {f'-> {TYPE} ' if gives else ''}{{")
        self.put(1, "%zero = arith.constant 0 : index")
        self.put(1, "%one = arith.constant 1 : index")
        scope = [f"%b{index}" for index in range(buffers)]
        if self.random.random() < 0.3:
            self.blocks(scope, gives)
        else:
            self.body(1, scope, self.size)
            self.end(scope, gives)
        self.put(0, "}")

    def end(self, scope: list[str], gives: bool) -> None:
        """The return."""
        if gives:
            self.put(1, f"return {self.buffer(1, scope)} : {TYPE}")
        else:
            self.put(1, "return")

    def buffer(self, depth: int, scope: list[str]) -> str:
        """A buffer in scope, perhaps a new one."""
        if not scope or self.random.random() < 0.25:
            new = self.name()
            op = self.random.choice(["memref.alloc", "memref.alloc", "memref.alloca"])
            self.put(depth, f"{new} = {op}() : {TYPE}")
            scope.append(new)
        return self.random.choice(scope[-6:])

    def body(self, depth: int, scope: list[str], size: int) -> None:
        """Some statements."""
        for _ in range(self.random.randint(1, max(1, size))):
            self.statement(depth, scope, size)

    def statement(self, depth: int, scope: list[str], size: int) -> None:
        """One of the things a program does."""
        which = self.random.random()
        if which < 0.3:
            self.put(depth, f"memref.store %x, {self.buffer(depth, scope)}[%zero] : {TYPE}")
        elif which < 0.45:
            self.put(depth, f"memref.dealloc {self.buffer(depth, scope)} : {TYPE}")
        elif which < 0.6:
            self.view(depth, scope)
        elif which < 0.7:
            self.call(depth, scope)
        elif which < 0.75:
            self.put(depth, f'"npu.touch"({self.buffer(depth, scope)}) : ({TYPE}) -> ()')
        elif depth < DEEPEST:
            self.branch(depth, scope, size) if which < 0.88 else self.loop(depth, scope, size)
        else:
            self.put(depth, f"{self.name()} = memref.load {self.buffer(depth, scope)}[%zero] : {TYPE}")

    def view(self, depth: int, scope: list[str]) -> None:
        """Another name of a buffer, or a copy."""
        old, other, new = self.buffer(depth, scope), self.buffer(depth, scope), self.name()
        line = self.random.choice(
            [
                f"{new} = memref.cast {old} : {TYPE} to {TYPE}",
                f"{new} = arith.select %c, {old}, {other} : {TYPE}",
                f"{new} = bufferization.clone {old} : {TYPE} to {TYPE}",
            ]
        )
        self.put(depth, line)
        scope.append(new)

    def call(self, depth: int, scope: list[str]) -> None:
        """A call of one of the functions; it may be recursive."""
        name, buffers, gives = self.random.choice(self.functions)
        passed = [self.buffer(depth, scope) for _ in range(buffers)]
        types = ", ".join([TYPE] * buffers + ["i1", "index", "f32"])
        head = ""
        if gives:
            new = self.name()
            scope.append(new)
            head = f"{new} = "
        self.put(depth, f"{head}call @{name}({', '.join([*passed, '%c', '%n', '%x'])}) : ({types}) -> {_given(gives)}")

    def branch(self, depth: int, scope: list[str], size: int) -> None:
        """An `scf.if`, with or without a result."""
        if self.random.random() < 0.5:
            self.put(depth, "scf.if %c {")
            self.body(depth + 1, list(scope), size // 2)
            self.put(depth, "}")
            return
        new = self.name()
        self.put(depth, f"{new} = scf.if %c -> ({TYPE}) {{")
        for text in ("} else {", "}"):
            inner = list(scope)
            self.body(depth + 1, inner, size // 2)
            self.put(depth + 1, f"scf.yield {self.buffer(depth + 1, inner)} : {TYPE}")
            self.put(depth, text)
        scope.append(new)

    def loop(self, depth: int, scope: list[str], size: int) -> None:
        """An `scf.for`, with or without a buffer that goes round."""
        index = self.name()
        if self.random.random() < 0.5:
            self.put(depth, f"scf.for {index} = %zero to %n step %one {{")
            self.body(depth + 1, list(scope), size // 2)
            self.put(depth, "}")
            return
        start, new, carried = self.buffer(depth, scope), self.name(), self.name()
        head = f"{new} = scf.for {index} = %zero to %n step %one iter_args({carried} = {start}) -> ({TYPE}) {{"
        self.put(depth, head)
        inner = [*scope, carried]
        self.body(depth + 1, inner, size // 2)
        self.put(depth + 1, f"scf.yield {self.buffer(depth + 1, inner)} : {TYPE}")
        self.put(depth, "}")
        scope.append(new)

    def blocks(self, scope: list[str], gives: bool) -> None:
        """A body of blocks that branch to any of each other, forwarding one buffer."""
        count = self.random.randint(2, 5)
        for number in range(count):
            inner = list(scope)
            if number:
                self.put(0, f"^bb{number}(%p{number}: {TYPE}):")
                inner.append(f"%p{number}")
            self.body(1, inner, self.size // count)
            if number + 1 == count:
                self.end(inner, gives)
                return
            target = self.random.randint(1, count - 1)
            passed, other = self.buffer(1, inner), self.buffer(1, inner)
            following = f"^bb{number + 1}({passed} : {TYPE})"
            if self.random.random() < 0.3:
                self.put(1, f"cf.br {following}")
            else:
                self.put(1, f"cf.cond_br %c, {following}, ^bb{target}({other} : {TYPE})")


def _given(gives: bool) -> str:
    return TYPE if gives else "()"


def program(choose: random.Random, size: int = 8) -> str:
    """A program with functions of about `size` statements a level."""
    return Generator(choose, size).program()

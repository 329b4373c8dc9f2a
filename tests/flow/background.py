"""Programs made at random of what is hard to follow path by path: work in the background, counted owners, and calls
that give one buffer under two names."""

from __future__ import annotations

import random

TYPE = "memref<4xf32>"
COUNTED = "!rc.buffer"
HELPERS = f"""\
func.func private @same(%c: i1) -> ({TYPE}, {TYPE}) {{
  %n = memref.alloc() : {TYPE}
  return %n, %n : {TYPE}, {TYPE}
}}
func.func private @either(%c: i1) -> ({TYPE}, {TYPE}) {{
  %n = memref.alloc() : {TYPE}
  %m = scf.if %c -> ({TYPE}) {{
    scf.yield %n : {TYPE}
  }} else {{
    %k = memref.alloc() : {TYPE}
    scf.yield %k : {TYPE}
  }}
  return %n, %m : {TYPE}, {TYPE}
}}
func.func private @take(%c: i1, %a: {TYPE}) {{
  scf.if %c {{
    memref.dealloc %a : {TYPE}
  }}
  return
}}
"""
ANYWHERE = ("branch", "branch", "loop", "choose")
KINDS = {
    "device": (*ANYWHERE, "make", "free", "copy", "wait", "wait"),
    "tasks": (*ANYWHERE, "use", "free", "run", "run", "await_one", "await_one", "group", "into_group", "await_all"),
    "transfers": (*ANYWHERE, "use", "free", "transfer", "transferred"),
    "owners": (*ANYWHERE, "share", "free", "free"),
    "names": (*ANYWHERE, "use", "free", "give", "give", "take"),
}
Scope = dict[str, list[str]]


class Background:
    """One program of a kind."""

    def __init__(self, kind: str, seed: int) -> None:
        self._kind = kind
        self._random = random.Random(f"{kind} {seed}")
        self._type = COUNTED if kind == "owners" else TYPE
        self._lines: list[str] = []
        self._count = 0

    def text(self) -> str:
        """The module."""
        self._put(0, "func.func @f(%c: i1, %d: i1, %n: index, %x: f32, %tag: memref<1xi32>) {")
        self._put(1, "%zero = arith.constant 0 : index")
        self._put(1, "%one = arith.constant 1 : index")
        scope: Scope = {"buffer": [], "token": [], "group": []}
        self._body(1, scope, 4 + self._random.randrange(5))
        for name in scope["buffer"]:
            if self._random.random() < 0.4:
                self._free_of(1, name, [])
        return "\n".join([HELPERS if self._kind == "names" else "", *self._lines, "  return", "}", ""])

    def _put(self, depth: int, line: str) -> None:
        self._lines.append("  " * depth + line)

    def _name(self) -> str:
        self._count += 1
        return f"%v{self._count}"

    def _flag(self) -> str:
        return self._random.choice(["%c", "%d"])

    def _body(self, depth: int, scope: Scope, size: int) -> None:
        for _ in range(self._random.randint(1, size)):
            getattr(self, f"_{self._random.choice(KINDS[self._kind])}")(depth, scope)

    def _buffer(self, depth: int, scope: Scope) -> str:
        if not scope["buffer"] or self._random.random() < 0.15:
            self._make(depth, scope)
        return self._random.choice(scope["buffer"][-4:])

    def _waited(self, scope: Scope) -> list[str]:
        known = scope["token"][-4:]
        return self._random.sample(known, self._random.randint(0, min(2, len(known))))

    def _make(self, depth: int, scope: Scope) -> None:
        name = self._name()
        scope["buffer"].append(name)
        if self._kind == "device":
            waited = ", ".join(self._waited(scope))
            self._put(depth, f"{name}, {name}t = gpu.alloc async [{waited}] () : {TYPE}")
            scope["token"].append(f"{name}t")
        else:
            self._put(depth, f"{name} = {'rc.alloc' if self._kind == 'owners' else 'memref.alloc()'} : {self._type}")

    def _free(self, depth: int, scope: Scope) -> None:
        self._free_of(depth, self._buffer(depth, scope), scope["token"] if self._random.random() < 0.7 else [])

    def _free_of(self, depth: int, name: str, tokens: list[str]) -> None:
        if self._kind == "device":
            token, waited = self._name(), ", ".join(tokens[-1:])
            self._put(depth, f"{token} = gpu.dealloc async [{waited}] {name} : {TYPE}")
            tokens.append(token)
        else:
            self._put(depth, f"{'rc.decrement' if self._kind == 'owners' else 'memref.dealloc'} {name} : {self._type}")

    def _use(self, depth: int, scope: Scope) -> None:
        self._put(depth, f"memref.store %x, {self._buffer(depth, scope)}[%zero] : {TYPE}")

    def _share(self, depth: int, scope: Scope) -> None:
        self._put(depth, f"rc.increment {self._buffer(depth, scope)} : {COUNTED}")

    def _choose(self, depth: int, scope: Scope) -> None:
        one, other, name = self._buffer(depth, scope), self._buffer(depth, scope), self._name()
        self._put(depth, f"{name} = arith.select {self._flag()}, {one}, {other} : {self._type}")
        scope["buffer"].append(name)

    def _inner(self, depth: int, scope: Scope) -> Scope:
        inner = {kind: list(names) for kind, names in scope.items()}
        self._body(depth + 1, inner, 3)
        return inner

    def _branch(self, depth: int, scope: Scope) -> None:
        if depth < 4:
            self._put(depth, f"scf.if {self._flag()} {{")
            self._inner(depth, scope)
            self._put(depth, "}")

    def _loop(self, depth: int, scope: Scope) -> None:
        if depth < 4:
            start, name, carried = self._buffer(depth, scope), self._name(), self._name()
            head = f"{name} = scf.for %i{name[1:]} = %zero to %n step %one iter_args({carried} = {start})"
            self._put(depth, f"{head} -> ({self._type}) {{")
            inner = self._inner(depth, {**scope, "buffer": [*scope["buffer"], carried]})
            self._put(depth + 1, f"scf.yield {self._buffer(depth + 1, inner)} : {self._type}")
            self._put(depth, "}")
            scope["buffer"].append(name)

    def _copy(self, depth: int, scope: Scope) -> None:
        waited, token = ", ".join(self._waited(scope)), self._name()
        one, other = self._buffer(depth, scope), self._buffer(depth, scope)
        self._put(depth, f"{token} = gpu.memcpy async [{waited}] {one}, {other} : {TYPE}, {TYPE}")
        scope["token"].append(token)

    def _wait(self, depth: int, scope: Scope) -> None:
        waited = self._waited(scope)
        if waited:
            token = self._name()
            goes_on = self._random.random() < 0.5
            self._put(depth, f"{f'{token} = gpu.wait async' if goes_on else 'gpu.wait'} [{', '.join(waited)}]")
            scope["token"] += [token] if goes_on else []

    def _run(self, depth: int, scope: Scope) -> None:
        if depth < 4:
            token, waited = self._name(), ", ".join(self._waited(scope))
            self._put(depth, f"{token} = async.execute {f'[{waited}] ' if waited else ''}{{")
            self._use(depth + 1, self._inner(depth, scope))
            self._put(depth + 1, "async.yield")
            self._put(depth, "}")
            scope["token"].append(token)

    def _await_one(self, depth: int, scope: Scope) -> None:
        for token in self._waited(scope)[:1]:
            self._put(depth, f"async.await {token} : !async.token")

    def _group(self, depth: int, scope: Scope) -> None:
        scope["group"].append(name := self._name())
        self._put(depth, f"{name} = async.create_group %one : !async.group")

    def _into_group(self, depth: int, scope: Scope) -> None:
        for token in self._waited(scope)[:1] if scope["group"] else ():
            group = self._random.choice(scope["group"][-2:])
            self._put(depth, f"{self._name()} = async.add_to_group {token}, {group} : !async.token")

    def _await_all(self, depth: int, scope: Scope) -> None:
        for group in scope["group"][-1:]:
            self._put(depth, f"async.await_all {group}")

    def _transfer(self, depth: int, scope: Scope) -> None:
        one, other = self._buffer(depth, scope), self._buffer(depth, scope)
        types = f"{TYPE}, {TYPE}, memref<1xi32>"
        self._put(depth, f"memref.dma_start {one}[%zero], {other}[%zero], %one, %tag[%zero] : {types}")

    def _transferred(self, depth: int, _: Scope) -> None:
        self._put(depth, "memref.dma_wait %tag[%zero], %one : memref<1xi32>")

    def _give(self, depth: int, scope: Scope) -> None:
        name, which = self._name(), self._random.choice(["same", "either"])
        self._put(depth, f"{name}:2 = func.call @{which}({self._flag()}) : (i1) -> ({TYPE}, {TYPE})")
        scope["buffer"] += [f"{name}#0", f"{name}#1"]

    def _take(self, depth: int, scope: Scope) -> None:
        self._put(depth, f"func.call @take({self._flag()}, {self._buffer(depth, scope)}) : (i1, {TYPE}) -> ()")

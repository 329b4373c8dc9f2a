"""Buffers that always have one owner, which changes: the fast path agrees with the explorer."""

from __future__ import annotations

import random

import pytest

from memlane.checking import check
from memlane.flow import function_facts
from memlane.flow.alias.alias import Cluster
from memlane.flow.alias.forwarding import Handing
from memlane.flow.cfg.graph import Graph
from memlane.flow.fastpath.linear import settled_owned

M = "memref<4xf32>"
USES = [
    f"memref.store %x, {{a}}[%i] : {M}",
    f"linalg.fill ins(%x : f32) outs({{a}} : {M})",
    f"{{v}} = memref.load {{a}}[%i] : {M}",
    f"{{v}} = memref.cast {{a}} : {M} to memref<?xf32>",
    f"scf.if %c {{{{\nmemref.store %x, {{a}}[%i] : {M}\n}}}}",
    f'"npu.run"({{a}}) : ({M}) -> ()',
    "{v} = arith.addf %x, %x : f32",
]


class Writer:
    """Writes programs that hand buffers on, mostly as it should be. `slips`: how often not, of a thousand lines."""

    def __init__(self, seed: int, slips: int) -> None:
        self.choose = random.Random(seed)
        self.slips = slips
        self.count = 0
        self.lines: list[str] = []

    def name(self) -> str:
        """A new one."""
        self.count += 1
        return f"%v{self.count}"

    def say(self, line: str) -> None:
        """A line, unless it slips."""
        slip = self.choose.randrange(1000) < self.slips
        self.lines += (
            [] if slip and self.choose.random() < 0.5 else [line, line] if slip and "=" not in line else [line]
        )

    def made(self) -> str:
        """A new buffer, mostly with contents."""
        name = self.name()
        self.lines.append(f"{name} = memref.alloc() : {M}")
        if self.choose.random() < 0.8:
            self.say(f"linalg.fill ins(%x : f32) outs({name} : {M})")
        return name

    def uses(self, name: str) -> None:
        """Some uses."""
        for _ in range(self.choose.randrange(3)):
            weights = [6, 6, 6, 3, 3, 1 if self.slips else 0, 3]
            self.say(self.choose.choices(USES, weights)[0].format(a=name, v=self.name()))

    def freed(self, name: str) -> None:
        """The end of a buffer, some of them late."""
        if self.choose.random() < 0.3:
            self.lines.append(USES[-1].format(v=self.name()))
        self.say(f"memref.dealloc {name} : {M}")

    def changed(self, name: str, depth: int) -> str:
        """Something happens, after which another name has to be freed in the place of `name`."""
        self.uses(name)
        forms = [self.replaced, self.loop, self.branch, self.swap, self.twice, self.repeat]
        return self.choose.choice(forms if depth else forms[:1])(name, depth - 1)

    def replaced(self, name: str, _: int) -> str:
        """Freed, and another in its place; or the same as before."""
        if self.choose.random() < 0.4:
            return name
        if self.choose.random() < 0.5:
            self.freed(name)
            return self.made()
        new = self.made()
        self.freed(name)
        return new

    def loop(self, name: str, depth: int) -> str:
        """A counted loop that carries it."""
        result, carried = self.name(), self.name()
        upper = self.choose.choice(("%n", "%n", "%c4"))
        self.lines.append(
            f"{result} = scf.for {self.name()} = %c0 to {upper} step %c1 iter_args({carried} = {name}) -> ({M}) {{"
        )
        last = self.changed(carried, depth)
        self.lines += [f"scf.yield {last} : {M}", "}"]
        return result

    def repeat(self, name: str, depth: int) -> str:
        """A loop with a condition that carries it."""
        result, before, after = self.name(), self.name(), self.name()
        self.lines.append(f"{result} = scf.while ({before} = {name}) : ({M}) -> {M} {{")
        handed = self.changed(before, depth)
        self.lines += [f"scf.condition(%c) {handed} : {M}", "} do {", f"^bb0({after}: {M}):"]
        last = self.changed(after, depth)
        self.lines += [f"scf.yield {last} : {M}", "}"]
        return result

    def branch(self, name: str, depth: int) -> str:
        """A branch out of which it comes, or another one."""
        result = self.name()
        if self.choose.random() < 0.5:
            self.freed(name)
            name = ""
        self.lines.append(f"{result} = scf.if %c -> ({M}) {{")
        for end in ("} else {", "}"):
            last = self.changed(name or self.made(), depth)
            self.lines += [f"scf.yield {last} : {M}", end]
        return result

    def swap(self, name: str, depth: int) -> str:
        """A loop that carries two, which change places."""
        other = self.made()
        one, two = self.name(), self.name()
        result = self.name()
        self.lines.append(
            f"{result}:2 = scf.for {self.name()} = %c0 to %n step %c1 "
            f"iter_args({one} = {name}, {two} = {other}) -> ({M}, {M}) {{"
        )
        first, second = self.changed(one, depth), self.changed(two, depth)
        self.lines += [f"scf.yield {second}, {first} : {M}, {M}", "}"]
        self.uses(f"{result}#0")
        self.freed(f"{result}#0")
        return f"{result}#1"

    def twice(self, name: str, depth: int) -> str:
        """One change after the other."""
        return self.changed(self.changed(name, depth), depth)

    def function(self) -> str:
        """A program."""
        last = self.changed(self.made(), 2)
        self.uses(last)
        handed = self.choose.random() < 0.2
        if not handed:
            self.freed(last)
        head = f"func.func @f(%x: f32, %i: index, %n: index, %c: i1){f' -> {M}' if handed else ''} {{\n"
        constants = "".join(f"%c{number} = arith.constant {number} : index\n" for number in (0, 1, 4))
        end = f"return {last} : {M}" if handed else "return"
        return head + constants + "\n".join([*self.lines, end, "}", ""])


def blocks(seed: int) -> str:
    """The same between blocks: each gets a buffer, and hands it or another one on."""
    write = Writer(seed, seed % 2 * 30)
    choose = write.choose
    count = choose.randrange(2, 6)
    start = write.made()
    write.lines.append(f"cf.br ^b0({start} : {M})")
    for number in range(count):
        name = write.name()
        write.lines.append(f"^b{number}({name}: {M}):")
        last = write.changed(name, 1)
        targets = [number + 1, choose.randrange(count + 1)]
        choose.shuffle(targets)
        form = choose.randrange(4)
        if form == 0:
            write.lines.append(f"cf.cond_br %c, ^b{targets[0]}({last} : {M}), ^b{targets[1]}({last} : {M})")
        elif form == 1:
            write.lines += [f"cf.cond_br %c, ^s{number}, ^b{number + 1}({last} : {M})", f"^s{number}:"]
            other = write.changed(last, 1)
            write.lines.append(f"cf.br ^b{number + 1}({other} : {M})")
        else:
            write.lines.append(f"cf.br ^b{number + 1}({last} : {M})")
    write.lines.append(f"^b{count}(%last: {M}):")
    write.uses("%last")
    write.freed("%last")
    head = "func.func @f(%x: f32, %i: index, %n: index, %c: i1) {\n"
    constants = "".join(f"%c{number} = arith.constant {number} : index\n" for number in (0, 1, 4))
    return head + constants + "\n".join([*write.lines, "return", "}", ""])


class Both:
    """Checks with and without looking for such buffers, and counts them."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.found = self.left = 0
        self._monkeypatch = monkeypatch

    def agree(self, source: str) -> None:
        """Both find the same."""
        self._monkeypatch.setattr(function_facts, "settled_owned", self._counted)
        quick = check(source).findings
        self._monkeypatch.setattr(function_facts, "settled_owned", _never)
        assert quick == check(source).findings, source

    def _counted(self, graph: Graph, cluster: Cluster, handing: Handing) -> bool:
        found = settled_owned(graph, cluster, handing)
        self.found += found
        self.left += not found
        return found


def _never(graph: Graph, cluster: Cluster, handing: Handing) -> bool:
    return False


@pytest.mark.slow
@pytest.mark.parametrize("form", ["regions", "blocks"])
def test_generated_programs(form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    both = Both(monkeypatch)
    for seed in range(150):
        both.agree(blocks(seed) if form == "blocks" else Writer(seed, seed % 2 * 30).function())
    assert both.found > 10
    assert both.left > 20

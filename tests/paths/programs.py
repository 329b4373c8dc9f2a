"""Programs made at random that allocate, free and lose buffers, each with what executing it does.

Unknown are the flags `%p0` to `%p2`, the indices `%n` (0 to 3, ends loops) and `%k` (0 to 2, chooses cases), and what
`@cond` answers; helpers have bodies, or none.
"""

from __future__ import annotations

from collections.abc import Callable

from tests.paths.machine import Memory, Run, TooLong
from tests.paths.writer import TYPE, Names, Step, Writer

_TRIPS = 3
"""Rounds of a loop whose end nobody knows; longer runs do not count."""


def program(seed: int) -> tuple[str, Callable[[Run], None]]:
    """A module whose function `@f` is made from `seed`, and what running `@f` does."""
    return _Function(seed).whole()


def _sequence(steps: list[Step]) -> Step:
    def run(on: Run, names: Names) -> None:
        for step in steps:
            step(on, names)

    return run


class _Function(Writer):
    def __init__(self, seed: int) -> None:
        super().__init__(seed, free=(0, 2, 1, 2)[seed % 4])
        self._nested = [self._if, self._if, self._results, self._switch, self._loop, self._carried, self._while]
        self._returns = self._random.random() < 0.4

    def whole(self) -> tuple[str, Callable[[Run], None]]:
        result = f" -> {TYPE}" if self._returns else ""
        self._put(0, f"func.func @f(%x: {TYPE}, %p0: i1, %p1: i1, %p2: i1, %n: index, %k: index){result} {{")
        for number in range(4):
            self._put(1, f"%c{number} = arith.constant {number} : index")
        buffers = ["%x"]
        steps = [self._block(1, self._random.randrange(3, 8), 2, buffers)]
        if self._random.random() < 0.5:
            steps.append(self._random.choice([self._diamond, self._cycle])(buffers))
        steps.append(self._block(1, self._random.randrange(3), 1, buffers))
        steps += [self._free_of(1, name) for name in buffers[1:] if self._random.random() < 0.35]
        handed = self._any(buffers) if self._returns else None
        line = self._put(1, f"return {handed} : {TYPE}" if handed else "return")
        self._put(0, "}")

        def run(on: Run) -> None:
            names = {"%x": Memory(0, 0, argument=True)}
            _sequence(steps)(on, names)
            on.reach(line)
            if handed:
                on.use(names[handed], line)
                names[handed].returned = True

        return "\n".join([*self._lines, ""]), run

    def _block(self, depth: int, length: int, deeper: int, buffers: list[str]) -> Step:
        """Statements; the buffers they make are appended to `buffers`."""
        steps: list[Step] = []
        for _ in range(length):
            pick = self._random.randrange(len(self._simple) + (len(self._nested) if deeper > 0 else 0))
            if pick < len(self._simple):
                steps.append(self._simple[pick](depth, buffers))
            else:
                steps.append(self._nested[pick - len(self._simple)](depth, deeper - 1, buffers))
        return _sequence(steps)

    # --- statements with regions ------------------------------------------------------------------------------------

    def _if(self, depth: int, deeper: int, buffers: list[str]) -> Step:
        flag = self._flag()
        self._put(depth, f"scf.if {flag} {{")
        yes = self._block(depth + 1, self._random.randrange(1, 4), deeper, list(buffers))
        no: Step | None = None
        if self._random.random() < 0.4:
            self._put(depth, "} else {")
            no = self._block(depth + 1, self._random.randrange(1, 4), deeper, list(buffers))
        self._put(depth, "}")

        def run(on: Run, names: Names) -> None:
            taken = yes if on.choose(flag, 2) else no
            if taken:
                taken(on, dict(names))

        return run

    def _arm(self, depth: int, deeper: int, buffers: list[str]) -> Callable[[Run, Names], Memory]:
        """A region that yields a buffer."""
        inner = list(buffers)
        body = self._block(depth, self._random.randrange(3), deeper, inner)
        yielded = self._any(inner)
        self._put(depth, f"scf.yield {yielded} : {TYPE}")

        def run(on: Run, names: Names) -> Memory:
            mine = dict(names)
            body(on, mine)
            return mine[yielded]

        return run

    def _results(self, depth: int, deeper: int, buffers: list[str]) -> Step:
        flag, name = self._flag(), self._name()
        self._put(depth, f"{name} = scf.if {flag} -> ({TYPE}) {{")
        yes = self._arm(depth + 1, deeper, buffers)
        self._put(depth, "} else {")
        no = self._arm(depth + 1, deeper, buffers)
        self._put(depth, "}")
        buffers.append(name)

        def run(on: Run, names: Names) -> None:
            names[name] = (yes if on.choose(flag, 2) else no)(on, names)

        return run

    def _switch(self, depth: int, deeper: int, buffers: list[str]) -> Step:
        name = self._name()
        self._put(depth, f"{name} = scf.index_switch %k -> {TYPE}")
        arms: list[Callable[[Run, Names], Memory]] = []
        for head in ("case 0 {", "case 1 {", "default {"):
            self._put(depth, head)
            arms.append(self._arm(depth + 1, deeper, buffers))
            self._put(depth, "}")
        buffers.append(name)

        def run(on: Run, names: Names) -> None:
            names[name] = arms[on.choose("%k", 3)](on, names)

        return run

    def _rounds(self) -> tuple[str, Callable[[Run], int]]:
        end = self._random.choice(["%n", "%n", "%c0", "%c1", "%c2", "%c3"])
        return f"= %c0 to {end} step %c1", lambda on: on.choose("%n", 4) if end == "%n" else int(end[2:])

    def _loop(self, depth: int, deeper: int, buffers: list[str]) -> Step:
        head, rounds = self._rounds()
        self._put(depth, f"scf.for {self._name('i')} {head} {{")
        body = self._block(depth + 1, self._random.randrange(1, 4), deeper, list(buffers))
        self._put(depth, "}")

        def run(on: Run, names: Names) -> None:
            for _ in range(rounds(on)):
                body(on, dict(names))

        return run

    def _carried(self, depth: int, deeper: int, buffers: list[str]) -> Step:
        """A loop that carries one buffer or two, which it may swap."""
        head, rounds = self._rounds()
        name, count = self._name(), self._random.choice([1, 1, 2])
        inits = [self._any(buffers) for _ in range(count)]
        carried = [self._name("m") for _ in inits]
        results = [name] if count == 1 else [f"{name}#0", f"{name}#1"]
        pairs = ", ".join(f"{one} = {init}" for one, init in zip(carried, inits, strict=True))
        types = ", ".join([TYPE] * count)
        defined = name if count == 1 else f"{name}:2"
        self._put(depth, f"{defined} = scf.for {self._name('i')} {head} iter_args({pairs}) -> ({types}) {{")
        inner = [*buffers, *carried]
        body = self._block(depth + 1, self._random.randrange(1, 4), deeper, inner)
        swaps = count == 2 and self._random.random() < 0.4
        yields = carried[::-1] if swaps else [self._any(inner) for _ in carried]
        self._put(depth + 1, f"scf.yield {', '.join(yields)} : {types}")
        self._put(depth, "}")
        buffers += results

        def run(on: Run, names: Names) -> None:
            current = [names[init] for init in inits]
            for _ in range(rounds(on)):
                mine = names | dict(zip(carried, current, strict=True))
                body(on, mine)
                current = [mine[one] for one in yields]
            names.update(zip(results, current, strict=True))

        return run

    def _asked(self, depth: int) -> tuple[str, Step]:
        """A flag that is new each time."""
        flag = self._name("q")
        line = self._put(depth, f"{flag} = func.call @cond() : () -> i1")
        return flag, lambda on, _: on.reach(line)

    def _while(self, depth: int, deeper: int, buffers: list[str]) -> Step:
        name, before, after, init = self._name(), self._name("m"), self._name("m"), self._any(buffers)
        self._put(depth, f"{name} = scf.while ({before} = {init}) : ({TYPE}) -> {TYPE} {{")
        inner = [*buffers, before]
        first = self._block(depth + 1, self._random.randrange(2), 0, inner)
        flag, ask = self._asked(depth + 1)
        passed = self._any(inner)
        self._put(depth + 1, f"scf.condition({flag}) {passed} : {TYPE}")
        self._put(depth, "} do {")
        self._put(depth, f"^bb0({after}: {TYPE}):")
        body = self._arm(depth + 1, deeper - 1, [*buffers, after])
        self._put(depth, "}")
        buffers.append(name)

        def run(on: Run, names: Names) -> None:
            current = names[init]
            for _ in range(_TRIPS + 1):
                mine = names | {before: current}
                _sequence([first, ask])(on, mine)
                names[name] = mine[passed]
                if not on.choose(None, 2):
                    return
                current = body(on, names | {after: mine[passed]})
            raise TooLong

        return run

    # --- blocks -----------------------------------------------------------------------------------------------------

    def _diamond(self, buffers: list[str]) -> Step:
        flag, name = self._flag(), self._name()
        self._put(1, f"cf.cond_br {flag}, ^left, ^right")
        arms: list[tuple[Step, str]] = []
        for label in ("left", "right"):
            inner = list(buffers)
            self._put(0, f"^{label}:")
            arms.append((self._block(1, self._random.randrange(3), 1, inner), self._any(inner)))
            self._put(1, f"cf.br ^join({arms[-1][1]} : {TYPE})")
        self._put(0, f"^join({name}: {TYPE}):")
        buffers.append(name)

        def run(on: Run, names: Names) -> None:
            body, given = arms[0 if on.choose(flag, 2) else 1]
            mine = dict(names)
            body(on, mine)
            names[name] = mine[given]

        return run

    def _cycle(self, buffers: list[str]) -> Step:
        init, head, name = self._any(buffers), self._name("m"), self._name()
        self._put(1, f"cf.br ^head({init} : {TYPE})")
        self._put(0, f"^head({head}: {TYPE}):")
        buffers.append(head)
        first = self._block(1, self._random.randrange(2), 0, buffers)
        flag, ask = self._asked(1)
        left = self._any(buffers)
        self._put(1, f"cf.cond_br {flag}, ^body, ^exit({left} : {TYPE})")
        self._put(0, "^body:")
        inner = list(buffers)
        body, given = self._block(1, self._random.randrange(3), 1, inner), self._any(inner)
        self._put(1, f"cf.br ^head({given} : {TYPE})")
        self._put(0, f"^exit({name}: {TYPE}):")
        buffers.append(name)

        def run(on: Run, names: Names) -> None:
            names[head] = names[init]
            for _ in range(_TRIPS + 1):
                _sequence([first, ask])(on, names)
                names[name] = names[left]
                if not on.choose(None, 2):
                    return
                mine = dict(names)
                body(on, mine)
                names[head] = mine[given]
            raise TooLong

        return run

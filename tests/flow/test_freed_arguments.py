"""Which arguments a function may free, from its text: findings are those of exploring it."""

from __future__ import annotations

import random
from collections.abc import Set

import pytest

from memlane.checking import check
from memlane.config import Config
from memlane.findings import Edit, Span
from memlane.flow import Program
from memlane.flow.fastpath.borrowed import Lending
from memlane.flow.interproc.may_free import freed
from memlane.query import Checker
from memlane.syntax import Document
from memlane.syntax.tree.tree import Op, Value

HEAD = "(%a: memref<4xf32>, %b: memref<4xf32>, %c: i1)"
TYPES = "(memref<4xf32>, memref<4xf32>, i1) -> ()"
FREE = "memref.dealloc %a : memref<4xf32>\n"


def _function(name: str, body: str) -> str:
    return f"func.func private @{name}{HEAD} {{\n{body}return\n}}\n"


def _call(name: str, *buffers: str) -> str:
    return f"func.call @{name}({', '.join(buffers)}, %c) : {TYPES}\n"


RECURSIVE = (
    _function("even", _call("odd", "%b", "%a"))
    + _function("odd", f"scf.if %c {{\n{_call('even', '%a', '%b')}}} else {{\n{FREE}}}\n")
    + _function("spares", _call("reads", "%a", "%a"))
    + _function("reads", "memref.copy %a, %b : memref<4xf32> to memref<4xf32>\n")
    + _function("views", "%v = memref.cast %b : memref<4xf32> to memref<?xf32>\nmemref.dealloc %v : memref<?xf32>\n")
    + _function("outside", _call("nobody_knows", "%a", "%b"))
    + f"func.func private @nobody_knows{TYPES.removesuffix(' -> ()')}\n"
)


def test_least_that_agrees_with_itself() -> None:
    document = Document(RECURSIVE, Config().models)
    program = Program(document.tree.chunks[0].ops, Config().models)
    found = {flow.name: set(freed(program, flow)) for flow in program.functions.values()}
    # `even` swaps, so each of the two may come to be the first of `odd`.
    assert found == {"even": {0, 1}, "odd": {0, 1}, "spares": set(), "reads": set(), "views": {1}, "outside": set()}


def _program(seed: int) -> str:
    """Functions that lend each other what they are lent, in circles as well; some free it."""
    choose = random.Random(seed)
    names = [f"f{number}" for number in range(choose.randrange(2, 7))]
    found: list[str] = []
    for name in names:
        body = "".join(
            choose.choice(
                (
                    _call(choose.choice(names), *choose.choices(("%a", "%b"), k=2)),
                    "scf.if %c {\n" + _call(choose.choice(names), "%b", "%a") + "}\n",
                    "memref.copy %a, %b : memref<4xf32> to memref<4xf32>\n",
                    "scf.if %c {\n" + FREE + "}\n" if choose.random() < 0.3 else "",
                )
            )
            for _ in range(choose.randrange(4))
        )
        found.append(_function(name, body).replace("private ", choose.choice(("private ", ""))))
    return "".join(found)


@pytest.mark.slow
def test_same_findings_as_by_following(monkeypatch: pytest.MonkeyPatch) -> None:
    spared: list[bool] = []
    spares = Lending._spares  # pyright: ignore[reportPrivateUsage] -- what is turned off to compare

    def counted(self: Lending, call: Op, names: Set[Value]) -> bool:
        found = spares(self, call, names)
        spared.append(found)
        return found

    def never(*_: object) -> bool:
        return False

    for seed in range(150):
        source = _program(seed)
        monkeypatch.setattr(Lending, "_spares", counted)
        quick = check(source).findings
        monkeypatch.setattr(Lending, "_spares", never)
        assert quick == check(source).findings, source
    assert spared.count(True) > 100
    assert spared.count(False) > 50


def test_callers_hear_of_a_free_that_an_edit_brings_and_takes() -> None:
    source = "".join(
        (
            _function("top", _call("middle", "%a", "%b")).replace("private ", ""),
            _function("middle", _call("bottom", "%a", "%b")),
            _function("bottom", "memref.copy %a, %b : memref<4xf32> to memref<4xf32>\n"),
        )
    )
    config = Config()
    at = source.rindex("return")
    with_free = source[:at] + FREE + source[at:]
    document, checker = Document(source, config.models), Checker()
    assert checker.results(document, config).findings == check(source).findings
    for edits, expected in (
        ([Edit(Span(at, at), FREE)], with_free),
        ([Edit(Span(at, at + len(FREE)), "")], source),
        ([Edit(Span(at, at), FREE)], with_free),
    ):
        document = document.edit(edits)
        assert document.source == expected
        assert checker.results(document, config).findings == check(expected).findings
    assert check(source).findings != check(with_free).findings

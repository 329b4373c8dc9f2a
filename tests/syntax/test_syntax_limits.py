"""Where reading ends to distinguish things: the last number of them that is, and what is said of more."""

from __future__ import annotations

import pytest

from memlane.checking import check
from memlane.findings import Edit, Span
from memlane.syntax import Document
from memlane.syntax.editing import amend
from memlane.syntax.tree.equal import difference


@pytest.mark.parametrize(
    ("results", "number", "said"),
    [
        (65_535, 65_534, []),
        (65_535, 65_535, ["'%a' has 65535 results, number 65535 does not exist"]),
        (65_536, 65_536, []),
        (70_000, 65_535, []),
        (70_000, 69_999, []),
        (999_999_999, 999_999_998, []),
    ],
)
def test_results_beyond_those_that_are_distinguished_are_not_said_to_be_missing(
    results: int, number: int, said: list[str]
) -> None:
    source = f'func.func @f() {{\n  %a:{results} = "x.many"() : () -> ()\n  "x.use"(%a#{number}) : (i32) -> ()\n}}\n'
    messages = [one.message for one in Document(source).tree.problems]
    assert [one for one in messages if "does not exist" in one] == said


@pytest.mark.parametrize(("results", "said"), [(65_535, True), (65_536, True), (65_537, False), (70_000, False)])
def test_what_is_freed_by_a_number_beyond_is_not_freed_twice(results: int, said: bool) -> None:
    """Only what the last number that is distinguished names is known to be freed a second time."""
    kind = "memref<4xf32>"
    free = f"  memref.dealloc %a#{results - 1} : {kind}\n"
    made = f"  %a:{results} = scf.execute_region -> () {{ scf.yield }}\n"
    source = f"func.func @f() {{\n{made}{free}{free}  return\n}}\n"
    rules = {finding.rule.name for finding in check(source).findings}
    assert ("double-free" in rules) == said


@pytest.mark.parametrize(("others", "suggestion"), [(1_999, "%balance"), (2_000, None)])
def test_of_very_many_names_those_that_begin_alike_are_compared(others: int, suggestion: str | None) -> None:
    names = ["%balance", *(f"%v{number}" for number in range(others))]
    lines = "".join(f"  {name} = arith.constant 1 : index\n" for name in names)
    uses = ("%salance", "%balanse")
    used = "".join(f'  "x.use"({name}) : (index) -> ()\n' for name in uses)
    problems = Document(f"func.func @f() {{\n{lines}{used}  return\n}}\n").tree.problems
    assert [one.suggestion for one in problems] == [suggestion, "%balance"]


class _Anew(Exception):
    """All names of the function are resolved."""

    def __init__(self, _: object) -> None:
        raise self


@pytest.mark.parametrize(("uses", "anew"), [(59, False), (60, True)])
def test_names_are_looked_at_where_they_stand_unless_there_are_many(
    uses: int, anew: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At fifty places and a tenth of the statements; then it is less work to resolve all names, which says the same."""
    used = '  "x.use"(%c) : (index) -> ()\n' * uses
    others = "".join(f"  %v{number} = arith.constant 1 : index\n" for number in range(100 - uses))
    source = f"func.func @f(%c: index) {{\n{used}{others}  return\n}}\n"
    document = Document(source)
    _ = document.tree
    at = source.index("  return")
    edit = Edit(Span(at, at), '  "x.more"(%c) : (index) -> ()\n')
    after = document.edit([edit])
    assert difference(after.tree, Document(after.source).tree) is None
    monkeypatch.setattr(amend, "Resolver", _Anew)
    if anew:
        with pytest.raises(_Anew):
            document.edit([edit])
    else:
        document.edit([edit])

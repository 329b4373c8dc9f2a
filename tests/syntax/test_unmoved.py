"""Names of a function after an edit: those of one statement are told by that alone where it defines what it defined."""

from __future__ import annotations

import pytest

from memlane.findings import Edit, Span
from memlane.syntax import Document
from memlane.syntax.editing import amend
from memlane.syntax.names import unmoved
from memlane.syntax.names.elsewhere import Elsewhere
from memlane.syntax.names.missing import Missing
from memlane.syntax.tree.equal import difference

SOURCE = """func.func @f(%arg0: memref<4xf32>, %cond: i1) {
  %c0 = arith.constant 0 : index
  %alloc = memref.alloc() : memref<4xf32>
  scf.if %cond {
    %value = memref.load %alloc[%c0] : memref<4xf32>
    memref.store %value, %arg0[%c0] : memref<4xf32>
  }
  memref.dealloc %alloc : memref<4xf32>
  %none = arith.addi %nowhere, %c0 : index
  cf.cond_br %cond, ^one, ^two
^one:
  cf.br ^two
^two:
  return
}
"""


def _edited(document: Document, old: str, new: str) -> Document:
    at = document.source.index(old)
    after = document.edit([Edit(Span(at, at + len(old)), new)])
    assert difference(after.tree, Document(after.source).tree) is None
    return after


class _NeverRead:
    def __init__(self, scoping: object) -> None:
        raise AssertionError("all names were resolved again")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("memref.load %alloc[%c0]", "memref.lo ad %alloc[%c0]"),  # no such operation
        ("memref.load %alloc[%c0]", "memref.load %alloc[%c0"),
        ("memref.load %alloc[%c0]", "memref.load %al[%c0]"),  # a name that is not there yet
        ("memref.load %alloc[%c0]", "memref.load %al#1[%c0, %al]"),
        ("scf.if %cond", "scf.if %con"),
        ("%nowhere, %c0", "%c0"),
        ("%nowhere, %c0 :", "%nowher, %nowhere :"),
        ("constant 0 : index", "constant 100 : i dex"),
        ("%value, %arg0", "%arg0, %arg0"),
        ("    memref.store", "x   memref.store"),  # it belongs to the line before
        ("  %alloc =", "x %alloc ="),
        ("load %alloc[%c0]", "load %arg0[%c0]"),  # another name that is there
        ("constant 0 : index\n", "constant 0 : index\n  mem\n"),  # no operation yet
        ("constant 0 : index\n", "constant 0 : index\n  %new\n"),
        ("constant 0 : index\n", "constant 0 : index\n  /\n"),
        ("constant 0 : index\n", "constant 0 : index\n  // %alloc\n"),
        ("%value, %arg0[%c0] : memref<4xf32>\n", "%value, %arg0[%c0] : memref<4xf32>\n    m\n"),
        ("  memref.dealloc", "  scf.for %i = %c0\n  memref.dealloc"),
    ],
)
def test_a_statement_that_defines_what_it_did_is_told_alone(
    monkeypatch: pytest.MonkeyPatch, old: str, new: str
) -> None:
    document = Document(SOURCE)
    _ = document.tree
    with monkeypatch.context() as patch:
        patch.setattr(amend, "Resolver", _NeverRead)
        at = SOURCE.index(old)
        after = document.edit([Edit(Span(at, at + len(old)), new)])
        back = after.edit([Edit(Span(at, at + len(new)), old)])
    assert difference(after.tree, Document(after.source).tree) is None
    assert difference(back.tree, Document(SOURCE).tree) is None


@pytest.mark.parametrize(
    "line",
    [
        "%size = arith.constant 1 : index",
        "%size:2 = test.pair %c0 : (index) -> (index, index)",
        "%a, %b = test.pair %c0 : (index) -> (index, index)",
        "%a = arith.addi %c0, %c0 : index %b = arith.addi %a, %cond : index",
        "memref.store %value, %alloc[%c0] : memref<4xf32>",
    ],
)
def test_what_defines_new_names_is_told_by_where_these_stand(monkeypatch: pytest.MonkeyPatch, line: str) -> None:
    """While it is typed, and taken back: all that is defined later has another number."""
    source = SOURCE.replace("%nowhere", "%c0")
    at = source.index("    memref.store")
    versions = [Document(source)]
    _ = versions[0].tree
    with monkeypatch.context() as patch:
        patch.setattr(amend, "Resolver", _NeverRead)
        for number, letter in enumerate(["\n", *line]):
            versions.append(versions[-1].edit([Edit(Span(at + number - 1, at + number - 1), letter)]))
        versions.append(versions[-1].edit([Edit(Span(at - 1, at + len(line)), "")]))
    for one in versions:
        assert difference(one.tree, Document(one.source).tree) is None


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("%alloc = ", "%other = "),  # what uses it means nothing
        ("%none = ", "%nowhere = "),
        ("load %alloc[%c0]", "load %arg0[%c0]"),  # another that is there
        ("load %alloc[%c0]", "load %none[%c0]"),  # one that comes later
        ("^one, ^two", "^two, ^two"),
        ("scf.if %cond", "foo.if %declared"),  # nobody knows what its head declares
        ("memref.load %alloc", "load %alloc"),
        ("  memref.dealloc", "  memref.store %value, %arg0[%c0] : memref<4xf32>\n  memref.dealloc"),  # seen no more
    ],
)
def test_what_others_may_mean_is_told_anew(old: str, new: str) -> None:
    after = _edited(Document(SOURCE), old, new)
    _edited(after, new, old)


def test_where_a_brace_too_many_closes_the_function_names_before_it_are_not_meant() -> None:
    """What follows it is read as another region of the function, which sees none of them."""
    source = SOURCE.replace("    memref.store %value,", "  }\n    memref.store %value,").replace(
        "  }\n  memref", "  } {\n  memref"
    )
    document = Document(source)
    assert not any(piece.damaged for piece in document.pieces)
    edited = _edited(document, "memref.dealloc %alloc", "memref.dealloc %alloc_")
    assert [one.suggestion for one in edited.tree.problems if "alloc_" in one.message] == [None]


def test_suggestions_are_for_the_first_problems_only() -> None:
    """With one problem less, another is among the first ones."""
    uses = "".join(f'  "foo.use"(%argument{number}) : (i32) -> ()\n' for number in range(30))
    document = Document(f"func.func @f(%argument: i32) {{\n{uses}  return\n}}\n")
    assert sum(problem.suggestion is not None for problem in document.tree.problems) == 20
    after = _edited(document, "%argument3)", "%argument)")
    _edited(after, "%argument7)", "%argumen)")


@pytest.mark.parametrize(
    ("line", "old", "new"),
    [
        ('scf.for %i = %a to %b step %a { "u.u"(%i) : (index) -> () }', "%b step", "%i step"),
        ("%r = scf.for %i = %a to %b step %a iter_args(%q = %b) -> (index) { scf.yield %q : index }", "= %b)", "= %q)"),
        ("scf.while (%p = %c) : (i1) -> i1 { scf.condition(%p) %p : i1 } do { }", "= %c", "= %p"),
        ('scf.if %c { %z = arith.constant 1 : i32 "u.u"(%z) : (i32) -> () } else { "u.v"() : () -> () }', "()", "(%z)"),
        ('"u.m"(%a) ({ ^bb0(%z: i32): "u.u"(%z) : (i32) -> () }) : (index) -> ()', "(%a)", "(%z)"),
        ('"u.a"(%a) : (index) -> () %k = arith.constant 2 : index "u.b"(%k) : (index) -> ()', "%a", "%k"),
        (
            '%k = scf.if %c -> (index) { scf.yield %a : index } else { } "u.b"(%k) : (index) -> ()',
            "yield %a",
            "yield %k",
        ),
        ('my.op %later { }\n  "u.u"(%later) : (index) -> ()', "my.op %later", "my.op"),
        ("my.br ^bb1", "my.br", "cf.br"),
        ('%n = func.call @f(%c) : (i1) -> index\n  "u.u"(%n) : (index) -> ()', '"u.u"', '/ "u.u"'),
    ],
)
def test_a_name_means_something_else_at_another_place_of_its_line(line: str, old: str, new: str) -> None:
    head = (
        "func.func @f(%c: i1, %a: index, %b: index) {\n  %x = arith.constant 1 : i32\n  %y = arith.constant 1 : i32\n"
    )
    after = _edited(Document(f"{head}  {line}\n  %z0 = arith.constant 1 : i32\n^bb1:\n  return\n}}\n"), old, new)
    _edited(after, new, old)


def test_suggestions_that_came_to_nothing_count_too() -> None:
    unknown = "".join(f"    zqzq{number} %argument\n" for number in range(21))
    nested = f"  transform.foreach %argument : !transform.any_op {{\n  ^bb0(%one: !transform.any_op):\n{unknown}  }}\n"
    use = '  "foo.use"(%argument) : (i32) -> ()\n'
    document = Document(f"func.func @f(%argument: i32) {{\n{nested}{use}{use}{use}  return\n}}\n")
    last = document.source.rindex("%argument")
    after = document.edit([Edit(Span(last, last + 9), "%argumen")])
    assert difference(after.tree, Document(after.source).tree) is None


def test_of_many_new_names_each_is_not_looked_for() -> None:
    """Each would be looked for in all of the text."""
    lines = "".join(f"  %name{number} = arith.constant {number} : i32\n" for number in range(400))
    names = ", ".join(f"%name{number}" for number in range(400))
    types = ", ".join(["i32"] * 400)
    document = Document(f'func.func @f() {{\n{lines}  "foo.use"({names}) : ({types}) -> ()\n  return\n}}\n')
    _ = document.tree
    searched: list[str] = []

    class Counted(Missing):
        def suggestion(self, name: str) -> tuple[str | None] | None:
            found = super().suggestion(name)
            if found is not None:
                searched.append(name)
            return found

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(unmoved, "Missing", Counted)
        after = _edited(document, names, names.replace("name", "gnome"))
    assert len(searched) < 10
    assert len(after.tree.problems) == 400


@pytest.mark.slow
def test_names_that_stand_in_many_places_are_not_looked_at_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor are many names looked for: resolving all is less work."""
    looked = 0
    names_of = Elsewhere._names  # pyright: ignore[reportPrivateUsage] -- what costs

    def counted(self: Elsewhere, leaf: int, statement: int) -> list[str]:
        nonlocal looked
        looked += 1
        return names_of(self, leaf, statement)

    monkeypatch.setattr(Elsewhere, "_names", counted)
    lines = "".join(f"  %v{number} = arith.addi %c, %c : index\n" for number in range(2_000))
    document = Document(f"func.func @f(%c: index) {{\n{lines}  return\n}}\n")
    at = document.source.index("  %v1000")
    for pasted in ("  %w = arith.addi %c, %c : index\n", lines.replace("%v", "%w")):
        looked = 0
        after = document.edit([Edit(Span(at, at), pasted)])
        assert difference(after.tree, Document(after.source).tree) is None
        assert looked < 300

"""What a function says while one of its statements is typed: the others say what they said before."""

from __future__ import annotations

import pytest
from tests.syntax.begun import around, messages

from memlane.dialects.catalogue import builtin_models
from memlane.findings import Edit, Span
from memlane.syntax import Document, parse
from memlane.syntax.shapes import forms
from memlane.syntax.shapes.shape import definitions_of
from memlane.syntax.tree.dump import structure
from memlane.text import Text

HEAD = "func.func @f(%c: i1, %n: index, %x: f32) {\n"
TAIL = "  memref.copy %m, %m : memref<?xf32> to memref<?xf32>\n  return\n}\n"


@pytest.mark.parametrize(
    ("head", "name"),
    [
        ("scf.if %c", "scf.if"),
        ("scf.for %i = %n to %n ste", "scf.for"),
        ("scf.for %i = %n to %n step %n iter_args(%a = %m) -> (memref<?xf32>)", "scf.for"),
        ('"my.loop"(%n)', "my.loop"),
    ],
)
@pytest.mark.parametrize("label", ["", "^bb1:\n"], ids=["one block", "blocks at the margin"])
def test_a_region_whose_brace_is_missing(head: str, name: str, label: str) -> None:
    """A brace closes it, and all between is indented further: it is in the region, and what follows is not."""
    body = (
        "    %b = memref.alloc(%n) : memref<?xf32>\n    scf.if %c {\n      memref.dealloc %b : memref<?xf32>\n    }\n"
    )
    source = HEAD + label + f"  {head}\n" + body + "  }\n" + label.replace("1", "2") + TAIL
    assert around(source)[1:] == [
        *((name, "func.func"), ("memref.alloc", name), ("scf.if", name), ("memref.dealloc", "scf.if")),
        *(("memref.copy", "func.func"), ("func.return", "func.func")),
    ]
    assert messages(source).count("expected '{'") == 1
    assert not any("closes nothing" in message for message in messages(source))


def test_a_further_region_whose_brace_is_missing() -> None:
    body = "  scf.if %c {\n    scf.yield\n  } else\n    memref.dealloc %m : memref<?xf32>\n  }\n"
    assert ("memref.dealloc", "scf.if") in around(HEAD + body + TAIL)
    assert ("memref.copy", "func.func") in around(HEAD + body + TAIL)


@pytest.mark.parametrize(
    "body", ["  scf.if %c\n  }\n", "scf.if %c\nfunc.call @g() : () -> ()\n}\n", "  }\n", "^bb1:\n  }\n"]
)
def test_a_brace_that_nothing_tells_the_region_of(body: str) -> None:
    assert "expected '{'" not in messages(HEAD + body + TAIL)
    assert "'}' closes nothing" in messages(HEAD + body + TAIL)


@pytest.mark.parametrize(
    "label", ["^next", "^next(%b: memref<?xf32>)", "^next(%b: mem", "^next(%b", "^next(", "^next :"]
)
def test_a_block_whose_name_is_typed(label: str) -> None:
    source = HEAD + f"  cf.br ^next\n{label}\n" + TAIL
    function = parse(source).functions[0]
    first, second = parse(source).walk().__next__().regions[0].blocks
    assert function.symbol == "f"
    assert [op.name for op in first.ops] == ["cf.br"]
    assert [op.name for op in second.ops] == ["memref.copy", "func.return"]
    assert second.label == "^next"
    assert first.ops[0].successors[0].block is second
    assert not any("block '^next' is not defined" in message for message in messages(source))


def test_a_branch_may_name_its_block_on_the_next_line() -> None:
    source = HEAD + "  cf.br\n    ^next\n^next:\n  cf.cond_br %c,\n    ^next,\n    ^last\n^last:\n  return\n}\n"
    assert not parse(source).problems
    assert len(next(parse(source).walk()).regions[0].blocks) == 3


@pytest.mark.parametrize("results", ["%b", "%b:2", "%b: 2", "%b:0x2", "%a, %b", "%a:3, %b"])
def test_results_of_an_operation_that_is_not_named_yet(results: str) -> None:
    """They are defined."""
    used = "%b#1" if results == "%b:2" else "%b"
    source = HEAD + f"  {results} =\n  %y = arith.addf %x, %x : f32\n  memref.dealloc {used} : memref<?xf32>\n" + TAIL
    assert messages(source)[0] == "expected an operation"
    assert not any("%a" in message or "%b" in message for message in messages(source))
    assert ("memref.dealloc", "func.func") in around(source)


@pytest.mark.parametrize(
    "begun", ["%m = memref.alloc(%n", "%m = memref.alloc(%n) : memref<?", "%m = memref.alloc(%n) :"]
)
@pytest.mark.parametrize(
    "following",
    [
        "linalg.fill ins(%x : f32) outs(%m : memref<?xf32>)",
        "func.call @g(%m) : (memref<?xf32>) -> ()",
        "gpu.launch blocks(%i, %j, %k) in (%a = %n, %b = %n, %d = %n) "
        "threads(%o, %p, %q) in (%r = %n, %s = %n, %t = %n) {\n    gpu.terminator\n  }",
        "gpu.wait [%m]",
        "affine.if #s(%n) {\n    gpu.terminator\n  }",
    ],
    ids=lambda text: text.split()[0],
)
def test_a_statement_that_is_not_closed_ends_before_the_next(begun: str, following: str) -> None:
    source = HEAD + f"  {begun}\n  {following}\n" + TAIL
    names = [name for name, holder in around(source) if holder in (None, "func.func")]
    assert names == ["func.func", "memref.alloc", following.split()[0], "memref.copy", "func.return"]
    assert not any("%m" in message for message in messages(source))


def test_typed_character_by_character() -> None:
    """Read as from scratch after each character, and each operation elsewhere stays."""
    typed = (
        "  scf.if %c {\n    memref.dealloc %m : memref<?xf32>\n  } else {\n    cf.br ^bb1(%n : index)\n"
        "  ^bb1(%i: index):\n    scf.yield\n  }\n"
    )
    before = HEAD + "  %m =\n  %y = arith.addf %x, %x : f32\n"
    after = "  scf.for %i = %n to %n step %n {\n    func.call @g() : () -> ()\n  }\n" + TAIL
    document = Document(before + after)
    for number, character in enumerate(typed):
        at = len(before) + number
        document = document.edit((Edit(Span(at, at), character),))
        fresh = parse(before + typed[: number + 1] + after)
        assert [(op.name, op.span) for op in document.tree.walk()] == [(op.name, op.span) for op in fresh.walk()]
        assert document.tree.problems == fresh.problems
        names = [op.name for op in fresh.walk()]
        assert names[:3] == ["func.func", "", "arith.addf"]
        assert names[-1] == "func.return"


def test_results_are_not_those_of_an_operation_that_uses_them() -> None:
    source = HEAD + "  %m =\n" + TAIL
    assert messages(source) == ["expected an operation"]
    broken = HEAD + "  %m =\n  memref.alloc(%n) : memref<?xf32>\n" + TAIL
    assert not messages(broken)


@pytest.mark.parametrize("between", ["", "^\n", "\n"])
@pytest.mark.parametrize("branch", ["cf.br ^last", '"cf.br"()[^last] {a = 1} : () -> ()'])
def test_a_branch_ends_its_block_also_where_the_next_has_no_name(between: str, branch: str) -> None:
    source = (
        HEAD + f"  {branch}\n{between}  %m = memref.alloc(%n) : memref<?xf32>\n  cf.br ^last\n^last:\n  return\n}}\n"
    )
    first, second, last = next(parse(source).walk()).regions[0].blocks
    assert [[op.name for op in block.ops] for block in (first, second, last)] == [
        ["cf.br"],
        ["memref.alloc", "cf.br"],
        ["func.return"],
    ]
    assert {block.ops[-1].successors[0].block for block in (first, second)} == {last}
    missing = "'cf.br' must be the last operation of its block: the name of its successor is missing"
    assert messages(source) == [missing] + ["unexpected character '^'"] * (between == "^\n")


@pytest.mark.parametrize("end", ["return", "func.return %x : f32", '"llvm.unreachable"() : () -> ()', "ub.unreachable"])
def test_what_follows_the_end_of_a_block_is_another(end: str) -> None:
    more = "  %m = memref.alloc(%n) : memref<?xf32>\n  memref.dealloc %m : memref<?xf32>\n  return\n}\n"
    source = HEAD + f"  {end}\n{more}"
    first, second = next(parse(source).walk()).regions[0].blocks
    assert (len(first.ops), [op.name for op in second.ops]) == (1, ["memref.alloc", "memref.dealloc", "func.return"])
    name = end.split(" ")[0].split("(")[0].strip('"')
    assert messages(source) == [f"'{name}' must be the last operation of its block: what follows is never executed"]
    assert not messages(HEAD + f'  "my.op"() ({{\n  {end}\n  }}, {{\n  {end}\n  }}) : () -> ()\n' + more)
    document = Document(source)
    for old, new in (
        (end, "func.call @g() : () -> ()"),
        ("dealloc %m : memref<?xf32>", "dealloc %m : memref<?xf32>\n"),
    ):
        at = source.index(old)
        edited, text = document.edit((Edit(Span(at, at + len(old)), new),)), source.replace(old, new, 1)
        assert edited.tree.problems == parse(text).problems
        assert structure(edited.tree, Text(text)) == structure(parse(text), Text(text))


def test_what_ends_a_block_is_what_the_models_say() -> None:
    models = builtin_models()
    known = [model for model in map(models.of, models.ops) if model is not None and (model.terminator or model.exits)]
    ends = {model.name for model in known if not (model.successors or model.regions)}
    assert ends - {"pdl.rewrite"} == forms.ENDING  # which has a region that nobody described


@pytest.mark.parametrize(
    "body",
    [
        "  cf.cond_br %c, ^a, ^b ^a:\n  func.call @g() : () -> ()\n  cf.br ^b ^b:\n",
        "  cf.br ^a ^a: func.call @g() : () -> ()\n  func.call @g() : () -> ()\n",
        "  scf.execute_region { cf.br ^a ^a: scf.yield }\n  func.call @g() : () -> ()\n",
        '  "cf.br"(%n)[^a] : (index) -> () ^a(%b: index):\n  func.call @g() : () -> ()\n',
        '  "my.op"(%n) {\n    llvm.noalias\n  } : (index) -> ()\n'
        '  "my.op"() {nvvm.kernel,\n    gpu.barrier } : () -> ()\n',
        "  %c0 = arith.constant 0 : index %v =\n    arith.addi %c0, %c0 : index\n",
        "  %v = // as much as %n\n    arith.addi %n, %n : index\n",
        '  "my.graph"() ({\n    %v =\n      "my.op"(%v) : (index) -> index\n'
        '    "my.end"() : () -> ()\n  }) : () -> ()\n',
        "  scf.for %i\n      = %n to %n step %n {\n  }\n",
    ],
)
def test_whole_statements_in_unusual_lines(body: str) -> None:
    source = f"func.func private @g() attributes {{\n  llvm.emit_c_interface\n}}\n{HEAD}{body}  return\n}}\n"
    assert messages(source) == []


def test_what_follows_a_head_that_is_typed() -> None:
    """Neither a block's name nor another operation is what a loop counts with."""
    source = HEAD + "  scf.for %j =\n    memref.store %x, %m[%n] : memref<?xf32>\n  }\n" + TAIL
    assert ("memref.store", "scf.for") in around(source)
    source = (
        HEAD + "  cf.br ^next(%n : index)\n  %b =\n^next(%i: index):\n  func.call @g(%i) : (index) -> ()\n  return\n}\n"
    )
    assert [message for message in messages(source) if "%i" in message or "^next" in message] == []


@pytest.mark.parametrize("count", [189, 190, 191])
def test_a_branch_at_the_end_of_a_leaf(count: int) -> None:
    """It is told the same whether what follows is read with it or not, and after an edit."""
    more = '  "my.op"() : () -> ()\n'
    source = HEAD + more * count + f"  cf.br ^last\n{more}^last:\n  return\n}}\n"
    assert len(messages(source)) == 1
    at = source.index('  "my', len(source) // 2)
    edited = Document(source).edit((Edit(Span(at, at), more),))
    assert edited.tree.problems == parse(source[:at] + more + source[at:]).problems


def test_the_same_text_is_read_alike_again() -> None:
    source = HEAD + "  cf.cond_br %c, ^fresh,\n^fresh:\n  func.call @g() : () -> ()\n  cf.br ^b\n^b:\n  return\n}\n"
    assert parse(source).problems == parse(source).problems
    assert "block '^fresh' is not defined in this region" not in messages(source)


@pytest.mark.slow
@pytest.mark.parametrize("text", ["({%m", "({", "({%m,", "({%m)", "%y, "])
def test_many_brackets_on_a_line(text: str) -> None:
    assert parse(HEAD + "  " + text * 4000 + "\n" + TAIL).problems


def test_names_that_the_head_of_a_region_may_still_declare() -> None:
    loop = "  %1 = scf.f\n    x.user %acc\n    scf.yield %acc : index\n  }\n  x.user %later\n"
    messages = [one.message for one in parse(f"func.func @f(%a: index) {{\n{loop}  return\n}}\n").problems]
    assert sorted(messages) == ["'%later' is not defined", "expected '{'", "unknown operation 'scf.f'"]


@pytest.mark.parametrize("begun", ["%q =", "%q = func.call @g() : () ->"])
def test_an_operation_with_a_parenthesis_or_brace_goes_on_with_nothing(begun: str) -> None:
    loop = f"  scf.while : () -> () {{\n    {begun}\n    scf.condition(%q)\n  }} do {{\n    scf.yield\n  }}\n"
    document = parse(f"func.func private @g() -> i1\nfunc.func @f() {{\n{loop}  return\n}}\n")
    names = [op.name for op in document.walk()]
    assert "scf.condition" in names
    assert not any("before it is defined" in one.message for one in document.problems)


ODD = """module {
func.func private @f()
  memref.global "private" @x : memref<4xf32>
func.func private @g(memref<4xf32>) -> i32
    "x.y"() : () -> ()
    "x.return"() : () -> ()
}
"""


def test_a_declaration_before_lines_that_are_indented_deeper() -> None:
    assert not parse(ODD).problems


@pytest.mark.parametrize("head", ["@f()", "private @f(%a: index)", "private @f() -> index", "@f(%a: index) -> index"])
def test_a_head_that_lacks_its_brace(head: str) -> None:
    (problem,) = parse(f'func.func {head}\n  "x.y"() : () -> ()\n  func.return\n}}\n').problems
    assert problem.message == "the body of this function has no '{'"


@pytest.mark.parametrize("body", ['  "x.y"(%a) : (index) -> ()\n', "  scf.if %c {\n    x.y\n  }\n"])
def test_what_a_head_without_a_brace_declares_counts(body: str) -> None:
    """Who builds a part of a function finds what defines a name by its number."""
    document = Document(f"func.func @f(%a: index, %c: i1)\n{body}  %d = x.y : index\n  return %d : index\n}}\n")
    templates = [
        template for piece in document.pieces for leaf in piece.leaves for template in leaf.statements.templates
    ]
    assert next(template.defines for template in templates) == 2
    assert all(template.defines == sum(map(definitions_of, template.events)) for template in templates)


def test_what_ends_the_body_decides_far_behind_the_head() -> None:
    text = "func.func private @f()\n" + '  "x.y"() : () -> ()\n' * 9 + "  x.end\n}\nfunc.func private @g()\n"
    document = Document(text)
    for old, new in (("x.end", "return"), ("return", "x.end")):
        at = document.source.index(old)
        document = document.edit([Edit(Span(at, at + len(old)), new)])
        assert document.tree.problems == parse(document.source).problems
        assert [piece.text for piece in document.pieces] == [piece.text for piece in Document(document.source).pieces]


@pytest.mark.parametrize(
    "head", ["scf.for %k = %a to %a step %a {", "scf.if %c {  // once", "affine.for %k = 0 to 4 {"]
)
def test_results_before_a_loop_that_gives_nothing(head: str) -> None:
    document = parse(f"func.func @f(%a: index, %c: i1) {{\n  %v =\n  {head}\n    x.user %v\n  }}\n  return\n}}\n")
    assert [one.message for one in document.problems] == ["expected an operation"]


def test_results_on_the_line_before_a_loop_that_gives_some() -> None:
    loop = "  %v =\n  scf.for %k = %a to %a step %a iter_args(%i = %a) -> (index) {\n    scf.yield %i : index\n  }\n"
    document = parse(f"func.func @f(%a: index) {{\n{loop}  x.user %v\n  return\n}}\n")
    assert not document.problems


@pytest.mark.parametrize("last", ["gpu.barrier", '"u.barrier"() : () -> ()', '"u.finalize"() : () -> ()'])
def test_a_declaration_before_what_ends_no_function(last: str) -> None:
    source = f'func.func private @g()\n    memref.global "private" @x : memref<4xf32>\n    {last}\n'
    assert not messages(source)


OTHERS = "  %y = arith.addi %a, %c : i32\n  return\n}\n"


@pytest.mark.parametrize(
    "head",
    [
        "func.func (%a: i32, %c: i32) {",
        "func.func @(%a: i32, %c: i32) {",
        "func.func private (%a: i32, %c: i32) {",
        "func.func @f(%a, %c: i32) {",
        "func.func @f(%a: i32, %c) {",
        "func.func @f(%a: i32, %c: ) {",
        "func.func @f(%a: i32, %c: memref<4x) {",
        "func.func @f(%a: i32 {llvm.noalias = }, %c: i32) {",
        "func.func @f(%a: i32, %c: i32) attributes {x ['a'], y} {",
    ],
)
def test_arguments_of_a_function_whose_head_is_typed(head: str) -> None:
    """They are declared, and what is wrong is told in the head."""
    problems = parse(f"{head}\n{OTHERS}").problems
    assert problems
    assert all(problem.span.end <= len(head) for problem in problems), problems


@pytest.mark.parametrize(
    "begun", ["%a =  (%n) : memref<?xf32>", "%a memref.alloc(%n) : memref<?xf32>", "%a: = memref.alloc(%n)"]
)
@pytest.mark.parametrize("label", ["", "  cf.br ^bb1\n^bb1:\n", "  cf.br ^bb1(%n : index)\n^bb1(%i: index):\n"])
def test_results_of_an_operation_that_is_written_anew(label: str, begun: str) -> None:
    source = HEAD + label + f"  {begun}\n  memref.dealloc %a : memref<?xf32>\n" + TAIL.replace("%m", "%a")
    assert {*messages(source)} & {"expected an operation", "expected '=' before this"}
    assert not any("'%a'" in message for message in messages(source))


def test_attributes_that_are_typed() -> None:
    """What else the operation says is known."""
    source = HEAD + "  %m = memref.alloc(%n) {a = {b = }, alignment = } : memref<?xf32>\n" + TAIL
    made = next(op for op in parse(source).walk() if op.name == "memref.alloc")
    assert [use.name for use in made.operands] == ["%n"]
    assert made.results[0].type == "memref<?xf32>"
    assert messages(source) == ["this does not read as an operation"]


@pytest.mark.parametrize("begun", ["%s = memref.alloc(%n) :", "%s = gpu.dealloc async [", "%s = gpu.wait async ["])
@pytest.mark.parametrize(
    "next_one",
    ["call @f(%c) : (i1) -> ()", "call_indirect %c(%n) : (index) -> ()", "br ^bb1", "cond_br %c, ^bb1, ^bb1"],
)
def test_what_follows_in_the_short_form(begun: str, next_one: str) -> None:
    """It belongs to no statement that is only begun, nor is it told to be wrong."""
    source = HEAD + f"  {begun}\n  {next_one}\n^bb1:\n" + TAIL
    assert "memref.copy" in [op.name for op in parse(source).walk()]
    ops = [op for op in parse(source).walk() if op.span.start == source.index(next_one)]
    assert len(ops) == 1
    problems = [problem for problem in parse(source).problems if "%m" not in problem.message]
    assert all(problem.span.end <= source.index(next_one) for problem in problems)


@pytest.mark.parametrize("begun", ["#map =", "#map = aff", "#map = affine_map<", "!t ="])
@pytest.mark.parametrize("module", ["module {", "module @m {", "module attributes {a} {"])
def test_a_module_behind_an_alias_that_is_typed(begun: str, module: str) -> None:
    source = f"{begun}\n{module}\n{HEAD}{TAIL}}}\n"
    assert ("func.func", "builtin.module") in around(source)
    assert not any("closes nothing" in message for message in messages(source))


@pytest.mark.parametrize("word", ["l", "linalg", "  scf"])
@pytest.mark.parametrize("behind", ["", "    func.call @f(%n) : (index) -> ()\n", "    // a comment\n"])
@pytest.mark.parametrize("end", ["}", "} else {\n    memref.dealloc %m : memref<?xf32>\n  }"])
def test_the_first_word_of_a_region(word: str, behind: str, end: str) -> None:
    """It is an operation that is begun, no attribute of the one that the region belongs to."""
    head = "scf.if %c" if "else" in end else "scf.for %i = %n to %n step %n"
    source = HEAD + f"  {head} {{\n    {word}\n{behind}  {end}\n" + TAIL
    assert [one for one in messages(source) if "%m" not in one] == [f"unknown operation '{word.strip()}'"]
    assert ("memref.copy", "func.func") in around(source)


@pytest.mark.parametrize("entry", ["  nontemporal\n} : ", "  nontemporal,\n  a = 1\n} : ", "  a\n  = 1\n} : "])
def test_attributes_on_lines_of_their_own(entry: str) -> None:
    source = HEAD + f"  %v = memref.load %m[%n] {{\n{entry}memref<?xf32>\n" + TAIL
    load = next(op for op in parse(source).walk() if op.name == "memref.load")
    assert not load.regions
    assert load.attributes

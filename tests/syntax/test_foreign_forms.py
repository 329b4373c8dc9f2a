"""Custom forms of dialects nobody described: nothing in them is told as an error that may be right."""

from __future__ import annotations

import pytest

from memlane.syntax import parse
from memlane.syntax.tree.tree import Tree


def read(source: str) -> Tree:
    """The tree of a text without problems."""
    tree = parse(source)
    assert not tree.problems, tree.problems
    return tree


def inside(body: str) -> str:
    """A function with this body."""
    return f"func.func @f(%a: index, %b: index, %t: i32) {{\n{body}\n  return\n}}\n"


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("  linalgx.copy(%a)\n  npu.alloc %a\n  ntensor.cast %a : index to index", id="near a dialect"),
        pytest.param('  emit.file "f" {\n    emit.verbatim "y"\n  }', id="near emitc"),
        pytest.param("  nvvm.convert.f16x2.to.f6x2 %t : i32", id="newer operation"),
        pytest.param(
            "  x.module @m {\n    entry @e() {\n      sink %a\n      fork [2] %b : none\n    }\n  }", id="bare names"
        ),
        pytest.param(
            "  x.module @m {\n    %0 = constant <i8: [1, 2]> : !x.t\n    print %0\n  }", id="bare name and angle"
        ),
        pytest.param(
            "  x.graph {\n    %0 = operation<@_1>() [t<0>]\n    operation<@_1> @last(%0, @op4 [dist<1>]) [t<10>]\n  }",
            id="bare name and parameters",
        ),
        pytest.param(
            "  x.box {\n    x.connect<SOUTH : 3, NORTH : 0>\n    x.connect<SOUTH : 7, EAST : 0>\n  }", id="angle"
        ),
        pytest.param("  %1 = x.from({%a}, {%a, %b}, {%t : i32}) : i32 -> i32\n  x.user %1", id="groups of operands"),
        pytest.param(
            "  x.each lb {\n    x.yield %a\n  } (%i: i64) {\n    x.user %i\n  }", id="arguments behind a region"
        ),
        pytest.param("  x.consume{n = 5} (%t : i32) -> (pe: %p, elem: %e) {\n    x.user %e, %p\n  }", id="labelled"),
        pytest.param("  x.pe @p with %0, %1 (%6 : i32) {\n    x.user %6, %0\n  }", id="bare arguments"),
        pytest.param(
            "  x.work {\n    x.end\n  } count(%n : index) -> (index) {\n    x.user %n\n  }", id="behind a word"
        ),
        pytest.param(
            "  call @f(%a, %b, %t) {complex = {t = 1.2 : f64}, tensor = 3} : (index, index, i32) -> ()",
            id="keys like types",
        ),
        pytest.param(
            "  x.shape {\n    x.end\n  } shapes {\n    x.end\n  } dtypes {\n    x.end\n  }", id="words before regions"
        ),
        pytest.param("  %v = vector.scan <add>, %a reduction_dim = 0 : vector<4xf32>", id="newer property"),
        pytest.param(
            "  x.choice @A alternatives @P {\n    @B -> @C,\n    @D -> @E\n  } (in p: i32)", id="symbols in braces"
        ),
        pytest.param("  x.extern @E<N: i64,\n    M: f64>(in %p: i1, in %q: i0)", id="parameters of a symbol"),
        pytest.param("  x.struct %a, %b : index -> struct<{a: i32, b: i32}>", id="unreadable types"),
        pytest.param("  x.note ^bb1\n  x.user %a\n  cf.br ^bb1\n^bb1:", id="names of blocks"),
        pytest.param(
            "  x.check {\n    x.end\n  }\n  circuit {\n    x.end\n  }\n  loop {\n    x.end\n  }\n"
            "  rest {\n    x.end\n  }",
            id="bare words before regions",
        ),
        pytest.param(
            "  x.view %a start: (%i) {\n    x.user %i\n  }\n  combine: ([%l],[%r]) {\n    x.user %l, %r\n  }\n"
            "  stop: {\n  }",
            id="words with colons before regions",
        ),
        pytest.param('  x.pass %a {\n    x.end\n  }\n  catch "e" as (%e : i32) {\n    x.user %e\n  }', id="clause"),
        pytest.param("  x.pass %a {\n    x.end\n  }\n  sizes_of [1, 2]\n  x.user %a", id="bare word behind a region"),
        pytest.param("  x.tile %a : index\n  sizes_of [1, 2] more\n  x.user %a", id="bare word behind an operation"),
        pytest.param(
            '  x.case %a [\n    case (0, "a") {\n      x.end\n    }\n    default {\n      x.user %a\n    }\n  ]\n'
            "  x.user %a",
            id="regions in brackets",
        ),
        pytest.param(
            "  x.switch %a {\n    x.end\n  } [\n    0: {\n      %u = x.get : i32\n      x.user %u\n    }\n    1: {\n"
            "      x.user %a\n    }\n  ]",
            id="numbered regions",
        ),
        pytest.param("  x.any [{ x.user %a }, { %v = x.get : i32  x.user %v }] : i32", id="regions on one line"),
        pytest.param("  x.all [[{\n    x.user %a\n  }], [{\n  ^bb0(%i: i32):\n    x.user %i\n  }]]", id="nested lists"),
        pytest.param(
            "  x.try (body {\n    x.user %a\n  } late {\n    x.user %b\n  }) : i32", id="regions in a parenthesis"
        ),
        pytest.param(
            "  x.get %a from %b : uarray<2 x uarray<4 x i8>>, i32 -> uarray<4 x i8>", id="types without a mark"
        ),
        pytest.param("  x.get %a : tensr<4>, aray<i8>, complx<f32>", id="types named nearly like others"),
        pytest.param(
            "  x.get %a : vector<uint<7>, 3>, tensor<a, b>, memref<#x>, complex<q>", id="types named like others"
        ),
        pytest.param(
            "  x.get %a : !x.v<vector<bundle<a: uint<8>, v: vector<uint<7>, 3>>, 2>, 4>, "
            "!x<t<t<t<tensor<t<memref<q>>>>>>>",
            id="names of types in types",
        ),
        pytest.param(
            "  %2:3 = operation<@_1>(%a, %b)[t<2>]\n  %3, %4 = operation<x<a>> @n() {k = 1}\n  x.user %2#1, %3",
            id="results",
        ),
        pytest.param(
            "  %0 = x.make initially {\n    x.end\n  } -> (%i: index)\n    then_do(%j = %a)[%k: index] {\n"
            "    x.user %i, %j, %k\n  }\n  x.user %0",
            id="named behind a region",
        ),
        pytest.param(
            "  %0:2 = x.over[%a](%b) : (index) -> (%b, %b) =\n    (%c: !x.t) {\n    x.end\n  }", id="tied twice"
        ),
        pytest.param(
            '  %0 = x.run(%a)\n    "y.add"() {n = [1, 4]} : 1\n  %1 = x.run(%a) "y.add"(%0, %b) : 2', id="counted"
        ),
        pytest.param(
            '  x.extern @m(%a) {\n    x.end\n  }\n  objects({\n    #t<"a"> ordinal(1) = [#o<{p = "a"}>],\n'
            '    #t<"b"> if(%d: !x.t) -> i1 {\n      x.user %d\n    } ordinal(2) = [#o<{p = "b"}>]\n  })',
            id="objects",
        ),
        pytest.param("  x.nest (%t: i32) -> (%b: i32) {\n    x.user %b\n  }", id="hides what is outside"),
    ],
)
def test_nothing_is_told(body: str) -> None:
    read(inside(body))


def test_what_is_wrong_all_the_same() -> None:
    source = (
        '  x.user %q\n  "x.pe"(%r) ({\n    x.end\n  }) : (i32) -> ()\n  x.pe {\n    x.user %s\n    aith.addi %a\n  }'
    )
    problems = parse(inside(source)).problems
    assert sorted(problem.message for problem in problems) == [
        "'%q' is not defined",
        "'%r' is not defined",
        "'%s' is not defined",
        "unknown operation 'aith.addi'",
    ]


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("  scf.if %t {\n  }\n  circuit {\n  }", "unknown operation 'circuit'"),
        ("  scf.if %t {\n  } els {\n  }", "unknown keyword 'els'"),
        ("  scf.if %t {\n  } ]", "']' closes nothing"),
        ("  scf.if %t [case 0 {\n    x.end\n  }\n  ]", "'[' is not closed"),
        ("  x.user %a ]", "']' closes nothing"),
        ("  x.user [%a", "'[' is not closed"),
        ("  x.user <%a, (%b", "'(' is not closed"),
        ('  x.user "open', "unexpected character '\"'"),
        ("  %0 = memref.alloc() : memref<4xf3>", "this is no memref type"),
        ('  "x.user"(%t) : (vector<uint<7>, 3>) -> ()', "this is no vector type"),
        ("  x.user %a : index\n  mmref.load %a", "unknown operation 'mmref.load'"),
        ("  x.user %a : index\n  retrun", "unknown operation 'retrun'"),
    ],
)
def test_what_is_wrong_in_any_dialect(body: str, message: str) -> None:
    assert message in [problem.message for problem in parse(inside(body)).problems]


def test_lists_of_regions_are_regions_of_their_operation() -> None:
    body = "  %0 = x.case %a [\n    case (0) {\n      x.one\n    },\n    {\n    ^bb0(%i: i32):\n      x.two %i\n"
    body += "    }\n  ] : i32\n"
    ops = list(read(inside(body + "  x.user %0")).walk())
    case = next(op for op in ops if op.name == "x.case")
    assert [[op.name for block in region.blocks for op in block.ops] for region in case.regions] == [
        ["x.one"],
        ["x.two"],
    ]
    assert next(op for op in ops if op.name == "x.user").operands[0].value is case.results[0]


def test_a_name_is_hidden_only_inside() -> None:
    tree = read(inside("  x.nest (%t: i32) -> (%b: i32) {\n    x.user %b\n  }\n  x.user %b"))
    first, last = (op.operands[0].value for op in tree.walk() if op.name == "x.user")
    assert first is not None and last is not None
    assert (first.type, last.type) == ("i32", "index")


def test_names_that_the_head_of_an_isolated_region_declares() -> None:
    source = "hal.executable.export public @e condition(%device: !hal.device, %load: index) -> i1 {\n"
    source += "  hal.return %load : index\n} fallback(@f) count(%device: !hal.device) -> (index) {\n"
    read(f"{source}  hal.return %device : !hal.device\n}}\n")


def test_operations_of_extensions_have_the_default_dialect() -> None:
    body = "^bb0(%m: !pdl.operation):\n  %p = get_closest_isolated_parent %m : (!pdl.operation) -> !pdl.operation\n"
    read(f"transform.sequence failures(propagate) {{\n{body}  test_print_remark %p\n}}\n")


def test_a_condition_on_a_line_of_its_own() -> None:
    (op,) = (
        op
        for op in read(inside("  mhlo.while()\n  cond {\n    x.end\n  } do {\n    x.end\n  }")).walk()
        if op.regions[1:]
    )
    assert op.name == "mhlo.while"


def test_in_a_block_that_is_never_reached_a_name_may_stand_before_its_definition() -> None:
    read(inside("  return\n^never:\n  %s = arith.addi %s, %a : index\n  cf.br ^never").replace("  return\n}\n", "}\n"))
    (problem,) = parse(inside("  cf.br ^reached\n^reached:\n  %s = arith.addi %s, %a : index")).problems
    assert problem.message == "'%s' is used before it is defined"


def test_results_on_a_line_of_their_own_may_be_called_like_what_the_operation_declares() -> None:
    loop = "  %r, %s =\n  scf.for %i = %a to %b step %b iter_args(%r = %t, %s = %t) -> (i32, i32) {\n"
    op = next(op for op in read(inside(f"{loop}    scf.yield %r, %s : i32, i32\n  }}")).walk() if op.name == "scf.for")
    assert [value.name for value in op.results] == ["%r", "%s"]


def test_the_type_of_the_bounds_follows_that_of_the_results() -> None:
    loop = "  %r = scf.for %i = %t to %t step %t iter_args(%k = %a) -> index : i32 {\n    scf.yield %k : index\n  }"
    op = next(op for op in read(inside(loop)).walk() if op.name == "scf.for")
    assert [value.type for value in op.results] == ["index"]


def test_reducer_on_a_line_of_its_own() -> None:
    source = "  %0 = mhlo.reduce(%a init: %b) across dimensions = [0] : (index, index) -> index\n"
    source += "  reducer(%x: index, %y: index) {\n    mhlo.return %x : index\n  }"
    op = next(op for op in read(inside(source)).walk() if op.name == "mhlo.reduce")
    assert [value.name for value in op.regions[0].blocks[0].arguments] == ["%x", "%y"]


@pytest.mark.parametrize(
    "comment",
    ["// CHECK-SAME: %a: i32", "// [[ARG:%.*]]: tensor<1xf32>", "// {{%a}} ) -> (i32) {", '// %a: !x<in "a">'],
)
def test_names_in_comments_between_arguments(comment: str) -> None:
    tree = read(
        f"func.func @f(\n  {comment}\n  %a: index, // %y\n  {comment}\n  %b: f32\n) -> f32 {{\n  return %b : f32\n}}\n"
    )
    function = next(op for op in tree.walk() if op.name == "func.func")
    arguments = function.regions[0].blocks[0].arguments
    assert [(value.name, value.type) for value in arguments] == [("%a", "index"), ("%b", "f32")]

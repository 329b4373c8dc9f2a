"""Hovers describe the life of a buffer: where it comes from, whether it is live here, what ends it."""

from __future__ import annotations

import pytest
from marked import marked
from tests.hostile.growth import Work, power
from tests.ide.measured import portrait

from memlane.ide.hover import hover

STORY = """\
func.func @f(%n: index, %c: i1, %x: memref<4xf32>) -> memref<4xf32> {{
  %a = memref.alloc() : memref<8xf32>
  %v = memref.subview %a[0] [4] [1] : memref<8xf32> to memref<4xf32>
  %w = memref.cast %v : memref<4xf32> to memref<?xf32>
  %e = memref.load %w[%n] : memref<?xf32>
  scf.if %c {{
    memref.store %e, %x[%n] : memref<4xf32>
    memref.dealloc %a : memref<8xf32>
  }} else {{
    memref.store %e, %a[%n] : memref<8xf32>
    memref.dealloc %a : memref<8xf32>
  }}
  %out = memref.alloc() : memref<4xf32>
  %s = arith.select %c, %out, %x : memref<4xf32>
  memref.store %e, %out[%n] : memref<4xf32>
  return %out : memref<4xf32>
}}
"""


def told(mention: str) -> str:
    """The hover at a mention that is marked in it by `~`."""
    program = marked(STORY.format().replace(mention.replace("~", ""), mention, 1))
    found = hover(program.file, program.cursor)
    assert found is not None
    return found.markdown


def test_hover_tells_the_story_of_a_buffer() -> None:
    text = told("load %~w")
    assert "Comes from `%w` (`memref.cast`, line 4) ← `%v` (`memref.subview`, line 3) ← `%a`" in text
    assert "Still allocated here; used in line 10 (`memref.store` by `%a`)." in text
    assert "Freed in lines 8, 11." in text


def test_hover_tells_what_has_happened_on_the_way_here() -> None:
    assert "not used again" in told("dealloc %~a")
    assert "Handed over in line 16." in told("%~out = memref.alloc")
    assert "It belongs to the caller, which frees it." in told("%e, %~x[%n]")
    assert "It is owned if %c." in told("%~s = arith.select")


def test_hover_after_the_end() -> None:
    program = marked(
        "func.func @f(%n: index) {\n  %a = memref.alloc() : memref<8xf32>\n"
        "  memref.dealloc %a : memref<8xf32>\n  %v = memref.load %~a[%n] : memref<8xf32>\n  return\n}\n"
    )
    found = hover(program.file, program.cursor)
    assert found is not None
    assert "Already freed here, in line 3." in found.markdown
    assert "**use-after-free**" in found.markdown


@pytest.mark.parametrize(
    "freed",
    [
        "scf.if %c {\n    memref.dealloc %a : memref<8xf32>\n  }",
        "scf.if %c {\n  } else {\n    memref.dealloc %a : memref<8xf32>\n  }",
        "bufferization.dealloc (%a : memref<8xf32>)\n    if (%c)",
    ],
)
def test_hover_behind_a_branch_that_frees(freed: str) -> None:
    program = marked(
        f"func.func @f(%n: index, %c: i1) {{\n  %a = memref.alloc() : memref<8xf32>\n  {freed}\n"
        "  %v = memref.load %~a[%n] : memref<8xf32>\n  return\n}\n"
    )
    found = hover(program.file, program.cursor)
    assert found is not None
    line = 3 if "bufferization" in freed else 5 if "else" in freed else 4
    assert f"Still allocated here unless it was freed in line {line}, not used again." in found.markdown
    assert f"Freed in line {line}." in found.markdown


def test_hover_in_a_branch_beside_one_that_frees() -> None:
    program = marked(
        "func.func @f(%n: index, %c: i1) {\n  %a = memref.alloc() : memref<8xf32>\n"
        "  scf.if %c {\n    memref.dealloc %a : memref<8xf32>\n  } else {\n"
        "    %v = memref.load %~a[%n] : memref<8xf32>\n  }\n  return\n}\n"
    )
    found = hover(program.file, program.cursor)
    assert found is not None
    assert "Still allocated here, not used again." in found.markdown


GIVEN_BACK = """\
func.func private @same(%m: memref<8xf32>) -> memref<8xf32> {
  return %m : memref<8xf32>
}
func.func @f(%x: memref<8xf32>, %i: index, %e: f32) {
  %r = call @same(%x) : (memref<8xf32>) -> memref<8xf32>
  memref.store %e, %r[%i] : memref<8xf32>
  %a = memref.alloc() : memref<8xf32>
  %s = call @same(%a) : (memref<8xf32>) -> memref<8xf32>
  %t = call @same(%s) : (memref<8xf32>) -> memref<8xf32>
  memref.store %e, %t[%i] : memref<8xf32>
  memref.dealloc %t : memref<8xf32>
  return
}
"""


def test_hover_follows_what_calls_give_back() -> None:
    texts: list[str] = []
    for mention in ("~%r = call", "~%a = memref.alloc", "~%t = call"):
        program = marked(GIVEN_BACK.replace(mention.replace("~", ""), mention, 1))
        found = hover(program.file, program.cursor)
        assert found is not None
        texts.append(found.markdown)
    assert "It belongs to the caller, which frees it." in texts[0]
    assert "by `%s`), line 10 (`memref.store` by `%t`)." in texts[1]
    assert "Freed in line 11." in texts[1]
    assert "Still allocated here; used in line 10 (`memref.store` by `%t`)." in texts[2]
    assert "Freed in line 11." in texts[2]


OWNER = """\
func.func @owner(%m: memref<8xf32>) {
  memref.dealloc %m : memref<8xf32>
  return
}
func.func @perhaps(%m: memref<8xf32>, %c: i1) {
  scf.if %c {
    memref.dealloc %m : memref<8xf32>
  }
  return
}
func.func @f(%c: i1, %i: index) {
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  call @owner(%a) : (memref<8xf32>) -> ()
  call @perhaps(%b, %c) : (memref<8xf32>, i1) -> ()
  %x = memref.load %a[%i] : memref<8xf32>
  %y = memref.load %b[%i] : memref<8xf32>
  return
}
"""


@pytest.mark.parametrize(
    ("mention", "said"),
    [
        ("~%a = memref", "Freed in line 14."),
        ("load ~%a", "Already freed here, in line 14, by `@owner`."),
        ("~%b = memref", "A call may free it in line 15."),
        ("load ~%b", "Still allocated here unless it was freed in line 15, not used again."),
    ],
)
def test_hover_tells_what_callees_free(mention: str, said: str) -> None:
    program = marked(OWNER.replace(mention.replace("~", ""), mention, 1))
    found = hover(program.file, program.cursor)
    assert found is not None
    assert said in found.markdown
    assert "Never freed" not in found.markdown


def test_hover_looks_into_a_few_calls_of_a_long_chain() -> None:
    head = "func.func private @c{}(%m: memref<8xf32>) {{\n  {}\n  return\n}}\n"
    calls = [head.format(at, f"call @c{at + 1}(%m) : (memref<8xf32>) -> ()") for at in range(2000)]
    last = head.format(2000, "memref.dealloc %m : memref<8xf32>")
    user = "func.func @f() {{\n  %~a = memref.alloc() : memref<8xf32>\n  call @c{}(%a) : (memref<8xf32>) -> ()\n}}\n"
    for start, said in ((0, "Never freed in this function."), (1995, "Freed in line 8007.")):
        program = marked("".join(calls) + last + user.format(start))
        found = hover(program.file, program.cursor, check=False)
        assert found is not None
        assert said in found.markdown


ALL_ENDS = """\
func.func @all(%f: memref<8xf32>, %m: memref<8xf32>, %g: memref<8xf32>, %l: memref<8xf32>, %c: i1) -> memref<8xf32> {
  call @owner(%f) : (memref<8xf32>) -> ()
  call @perhaps(%m, %c) : (memref<8xf32>, i1) -> ()
  %n = memref.alloc() : memref<8xf32>
  memref.copy %l, %n : memref<8xf32> to memref<8xf32>
  %r = arith.select %c, %n, %g : memref<8xf32>
  return %r : memref<8xf32>
}
"""


@pytest.mark.parametrize("language", [True, False])
def test_hover_on_a_function_says_what_it_does_with_memory(language: bool) -> None:
    program = marked(OWNER + ALL_ENDS.replace("@all", "@~all"))
    bare = hover(program.file, program.cursor, language)
    assert bare is not None
    assert bare.function is not None
    assert bare.markdown.endswith(
        "* `%f`: freed\n* `%m`: may be freed\n* `%g`: may be returned\n* `%l`: borrowed\n"
        "* the result: new memory, which the caller frees"
    )
    assert ("```" in bare.markdown) == language
    found = hover(program.file, program.cursor, language, measured=portrait(program.file, bare.function))
    assert found is not None
    assert "Peak 32 B, in line 23. 1 buffer: `%n` 32 B." in found.markdown


def test_hover_on_the_name_of_a_function_that_is_called_says_the_same() -> None:
    there, here = (marked(OWNER.replace("@owner", "@~owner", 1)), marked(OWNER.replace("call @owner", "call @~owner")))
    first, second = (hover(one.file, one.cursor) for one in (there, here))
    assert first is not None
    assert second is not None
    assert second.markdown == first.markdown


def test_hover_on_a_function_without_a_body_says_no_more_than_its_head() -> None:
    program = marked("func.func private @~far(memref<4xf32>)\n")
    found = hover(program.file, program.cursor)
    assert found is not None
    assert found.markdown == "```mlir\nfunc.func private @far(memref<4xf32>)\n```"


@pytest.mark.parametrize(
    ("mention", "said"),
    [
        ("load %~w", "A view of part of `%a` (line 2)."),
        ("%~v = memref.subview", "A view of part of `%a` (line 2)."),
        ("%~s = arith.select", "May stand for one of the buffers `%x` (line 1), `%out` (line 13)."),
    ],
)
def test_hover_says_for_certain_what_is_certain(mention: str, said: str) -> None:
    assert said in told(mention)


def test_hover_says_what_a_block_certainly_receives() -> None:
    program = marked(
        "func.func @f(%n: index) {\n  %a = memref.alloc() : memref<8xf32>\n"
        "  cf.br ^b(%a : memref<8xf32>)\n^b(%w: memref<8xf32>):\n"
        "  %x = memref.load %~w[%n] : memref<8xf32>\n  return\n}\n"
    )
    found = hover(program.file, program.cursor)
    assert found is not None
    assert "The same memory as `%a` (line 2)." in found.markdown


@pytest.mark.slow
def test_what_is_called_is_looked_into_once() -> None:
    """Eight functions, each of which calls the next several times with the same buffer."""

    def hovered(calls: int) -> Work:
        type_ = "memref<4xf32>"
        text = f"func.func private @g0(%m: {type_}) {{\n  return\n}}\n"
        for depth in range(8):
            inner = f"  call @g{depth}(%m) : ({type_}) -> ()\n" * calls
            text += f"func.func private @g{depth + 1}(%m: {type_}) {{\n{inner}  return\n}}\n"
        called = f"  call @g8(%a) : ({type_}) -> ()\n"
        text += f"func.func @main() {{\n  %~a = memref.alloc() : {type_}\n{called}  return\n}}\n"
        program = marked(text)
        return lambda: hover(program.file, program.cursor)

    assert power(hovered, 2) < 1.5


def test_hover_names_the_source() -> None:
    text = """
#loc = loc(callsite("/lib/python3/nn.py":3:1 at "model.py":12:5))
func.func @f(%i: index) {
  %a = memref.alloc() : memref<8xf32> loc(#loc)
  %x = memref.load %a[%i] : memref<8xf32> loc("model.py":14:2)
  return
}
"""
    for mention, said in (("%~a = ", "model.py:12"), ("load %~a", "model.py:12"), ("memref.~load", "model.py:14")):
        program = marked(text.replace(mention.replace("~", ""), mention, 1))
        found = hover(program.file, program.cursor)
        assert found is not None
        assert found.markdown.endswith(f"Source: `{said}`.")


def test_hover_beside_another_server_says_what_that_one_does_not() -> None:
    program = marked(STORY.format().replace("load %w", "load %~w"))
    alone, beside = (hover(program.file, program.cursor, language) for language in (True, False))
    assert alone is not None
    assert beside is not None
    assert beside.markdown in alone.markdown
    assert "```" not in beside.markdown
    index = marked(STORY.format().replace("load %w[%n", "load %w[%~n"))
    assert hover(index.file, index.cursor, language=False) is None

"""Edits of what decides which numbers private functions are passed, however far away that is."""

from __future__ import annotations

from tests.flow.test_incremental import Bench, rules

USE = """\
func.func private @use(%a: memref<4xf32>, %own: i1) -> f32 {
  %c0 = arith.constant 0 : index
  scf.if %own {
    memref.dealloc %a : memref<4xf32>
  }
  %x = memref.load %a[%c0] : memref<4xf32>
  return %x : f32
}
"""


PASSED_ON = f"""{USE}\
func.func private @near(%a: memref<4xf32>, %own: i1) -> f32 {{
  %x = call @use(%a, %own) : (memref<4xf32>, i1) -> f32
  return %x : f32
}}
func.func private @far(%a: memref<4xf32>, %own: i1) -> f32 {{
  %x = call @near(%a, %own) : (memref<4xf32>, i1) -> f32
  return %x : f32
}}
func.func @caller() -> f32 {{
  %own = arith.constant false
  %a = memref.alloc() : memref<4xf32>
  %x = call @far(%a, %own) : (memref<4xf32>, i1) -> f32
  memref.dealloc %a : memref<4xf32>
  return %x : f32
}}
"""


def test_what_is_passed_on_by_private_functions_comes_from_far() -> None:
    bench = Bench(PASSED_ON)
    possible, certain = ("use", "possible-use-after-free"), ("use", "use-after-free")

    def said(old: str, new: str) -> list[str]:
        """What is found in the function at the other end, after `old` has become `new`, and once it is back."""
        found = rules(bench.replace(old, new))
        before = rules(bench.replace(new, old))
        assert possible not in before
        assert certain not in before
        return [rule for one in (possible, certain) if one in found for rule in one[1:]]

    assert said("arith.constant false", "arith.constant true") == ["use-after-free"]
    assert said("private @far", "@far") == ["possible-use-after-free"]
    assert said("private @near", "@near") == ["possible-use-after-free"]
    start = "func.func private @near"
    another = "func.func @other(%a: memref<4xf32>, %own: i1) -> f32 {\n  %x = call @far(%a, %own) : (memref<4xf32>, i1)"
    assert said(start, f"{another} -> f32\n  return %x : f32\n}}\n{start}") == ["possible-use-after-free"]
    bench.replace("@far(%a", "@near(%a")  # two functions of one name
    bench.replace("arith.constant false", "arith.constant true")
    bench.replace("@near(%a: memref<4xf32>, %own: i1) -> f32 {\n  %x = call @near", "@far(%a: memref<4xf32>) {\n")


GIVEN = f"""{USE}\
func.func private @inner(%c: i1) -> i1 {{
  %own = arith.constant false
  return %own : i1
}}
func.func private @outer(%c: i1) -> i1 {{
  %own = call @inner(%c) : (i1) -> i1
  return %own : i1
}}
func.func @caller(%c: i1) -> f32 {{
  %a = memref.alloc() : memref<4xf32>
  %own = call @outer(%c) : (i1) -> i1
  %x = call @use(%a, %own) : (memref<4xf32>, i1) -> f32
  memref.dealloc %a : memref<4xf32>
  return %x : f32
}}
func.func private @keep(%own: i1) {{
  %a = memref.alloc() : memref<4xf32>
  scf.if %own {{
    memref.dealloc %a : memref<4xf32>
  }}
  return
}}
func.func @without_buffers(%c: i1) {{
  %own = call @outer(%c) : (i1) -> i1
  call @keep(%own) : (i1) -> ()
  return
}}
"""


def test_what_callees_give_is_passed_to_private_functions() -> None:
    bench = Bench(GIVEN)
    for _ in range(2):
        assert rules(bench.compare()) == [("keep", "leak")]
        found = rules(bench.replace("arith.constant false", "arith.constant true"))
        assert ("use", "use-after-free") in found
        assert ("keep", "leak") not in found
        bench.replace("arith.constant true", "arith.constant false")
        found = bench.replace("arith.constant false\n  return %own", "arith.constant false\n  return %c")
        assert ("use", "possible-use-after-free") in rules(found)
        bench.replace("arith.constant false\n  return %c", "arith.constant false\n  return %own")


PING_PONG = """\
func.func private @fill_freed(%a: memref<8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = arith.constant 1.0 : f32
  memref.dealloc %a : memref<8xf32>
  scf.for %i = %c0 to %n step %c1 {
    memref.store %x, %a[%i] : memref<8xf32>
  }
  return
}
func.func private @ping(%a: memref<8xf32>, %n: index, %c: i1) {
  scf.if %c {
    func.call @pong(%a, %n, %c) : (memref<8xf32>, index, i1) -> ()
    func.call @fill_freed(%a, %n) : (memref<8xf32>, index) -> ()
  }
  return
}
func.func private @pong(%a: memref<8xf32>, %n: index, %c: i1) {
  call @ping(%a, %n, %c) : (memref<8xf32>, index, i1) -> ()
  return
}
func.func @begin(%c: i1) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<8xf32>
  call @ping(%a, %c0, %c) : (memref<8xf32>, index, i1) -> ()
  return
}
"""


def test_functions_that_call_each_other_are_built_once() -> None:
    """To put one right the other is asked, and that asks the first."""
    bench = Bench(PING_PONG)
    for _ in range(3):
        bench.replace("  return\n}\nfunc.func @begin", "}\nfunc.func @begin")
        bench.replace("}\nfunc.func @begin", "  return\n}\nfunc.func @begin")
        bench.replace("%c0 = arith.constant 0 : index\n  %a", "%a = memref.alloc() : memref<8xf32>\n  %a")
        bench.replace("%a = memref.alloc() : memref<8xf32>\n  %a", "%c0 = arith.constant 0 : index\n  %a")
    assert ("fill_freed", "use-after-free") not in rules(bench.compare())

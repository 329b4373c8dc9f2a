"""Peaks of small programs, computed by hand."""

from __future__ import annotations

import pytest

from memlane.config import Config
from memlane.flow.symbolic.assumptions import Assumptions
from memlane.memory_report import Usage, assumptions, usage

HEAD = "func.func private @cond() -> i1\n"


def of(source: str, **assumed: int) -> Usage:
    """The use of the last function; `n=4` assumes %n = 4."""
    given = {f"%{name}": number for name, number in assumed.items()}
    config = Config()
    return list(usage(source, config, assumptions(source, config, given)))[-1]


def peak(source: str, **assumed: int) -> list[str]:
    return [str(amount) for amount in of(source, **assumed).peak.peak]


def ideal(source: str) -> list[str]:
    return [str(amount) for amount in of(source).peak.ideal]


LATE = """func.func @f(%x: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  memref.copy %x, %a : memref<16xf32> to memref<16xf32>
  %b = memref.alloc() : memref<8xf32>
  %v = memref.subview %x[0] [8] [1] : memref<16xf32> to memref<8xf32, strided<[1]>>
  memref.copy %v, %b : memref<8xf32, strided<[1]>> to memref<8xf32>
  memref.dealloc %b : memref<8xf32>
  memref.dealloc %a : memref<16xf32>
  return
}
"""


def test_ideal_frees_right_after_the_last_use() -> None:
    assert peak(LATE) == ["96"]
    assert ideal(LATE) == ["64"]
    found = of(LATE).peak
    assert [str(amount) for amount in found.floor] == ["64"]
    assert found.where is not None
    assert [(origin.value.name, str(size)) for origin, size in found.buffers] == [("%a", "64"), ("%b", "32")]


BRANCHES = """func.func @f(%c: i1) {
  scf.if %c {
    %a = memref.alloc() : memref<16xf32>
    memref.dealloc %a : memref<16xf32>
  } else {
    %b = memref.alloc() : memref<24xf32>
    memref.dealloc %b : memref<24xf32>
  }
  %d = memref.alloc() : memref<4xf32>
  scf.if %c {
    memref.dealloc %d : memref<4xf32>
  }
  %e = memref.alloc() : memref<22xf32>
  memref.dealloc %e : memref<22xf32>
  return
}
"""


def test_branches_do_not_add_up() -> None:
    assert peak(BRANCHES) == ["104"]


DYNAMIC = """func.func @f(%n: index, %x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c5 = arith.constant 5 : index
  %d = memref.dim %x, %c0 : memref<?xf32>
  %a = memref.alloc(%n) : memref<?x5xf32>
  %b = memref.alloc(%n, %d) : memref<?x?xi8>
  %e = memref.alloc(%c5) : memref<?xf32>
  memref.dealloc %a : memref<?x5xf32>
  memref.dealloc %b : memref<?x?xi8>
  %g = memref.alloc(%n) : memref<?x5xf32>
  memref.dealloc %g : memref<?x5xf32>
  memref.dealloc %e : memref<?xf32>
  return
}
"""


def test_dynamic_sizes_are_symbolic_and_may_be_given() -> None:
    assert peak(DYNAMIC) == ["%n*dim(%x,0) + 20*%n + 20"]
    assert peak(DYNAMIC, n=10) == ["10*dim(%x,0) + 220"]
    assert peak(DYNAMIC, n=10, d=3) == ["250"]
    assert peak("// memlane: assume %n = 10\n// memlane: assume %d = 3\n" + DYNAMIC) == ["250"]


COMPUTED = """func.func @f(%x: memref<?xf32>, %y: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %d = memref.dim %x, %c0 : memref<?xf32>
  %e = memref.dim %y, %c0 : memref<?xf32>
  %q = arith.divui %e, %n : index
  %s = arith.maxsi %d, %q : index
  %a = memref.alloc(%s) : memref<?xi8>
  memref.dealloc %a : memref<?xi8>
  return
}
"""


def test_what_sizes_are_computed_of_is_assumed_by_any_of_its_names() -> None:
    assert peak(COMPUTED) == ["maxsi(dim(%x,0),divui(dim(%y,0),%n))"]
    assert peak(COMPUTED, d=10, q=20) == ["20"]
    assert peak(COMPUTED, d=10, e=60, n=2) == ["30"]
    assert peak(COMPUTED, s=7) == ["7"]
    assert peak("// memlane: assume %q = 3\n" + COMPUTED, d=4) == ["4"]


SCOPES = """func.func @one(%n: index) {
  // memlane: assume %n = 2
  %a = memref.alloc(%n) : memref<?xf32>
  memref.dealloc %a : memref<?xf32>
  return
}
// memlane: assume %n = 100
// memlane: assume %m = 3
func.func @two(%n: index, %m: index) {
  %a = memref.alloc(%n, %m) : memref<?x?xi8>
  memref.dealloc %a : memref<?x?xi8>
  return
}
"""


def test_comments_inside_a_function_speak_of_that_function() -> None:
    config = Config()

    def peaks(**assumed: int) -> list[str]:
        given = {f"%{name}": number for name, number in assumed.items()}
        return [str(one.peak.peak[0]) for one in usage(SCOPES, config, assumptions(SCOPES, config, given))]

    assert peaks() == ["8", "300"]
    assert peaks(n=5) == ["20", "15"]


CALLS = """func.func private @inner(%n: index) -> memref<?xf32> {
  %t = memref.alloc() : memref<32xf32>
  memref.dealloc %t : memref<32xf32>
  %r = memref.alloc(%n) : memref<?xf32>
  return %r : memref<?xf32>
}
func.func private @drop(%m: memref<?xf32>) {
  memref.dealloc %m : memref<?xf32>
  %t = memref.alloc() : memref<4xf32>
  memref.dealloc %t : memref<4xf32>
  return
}
func.func @outer(%k: index) {
  %c8 = arith.constant 8 : index
  %a = call @inner(%c8) : (index) -> memref<?xf32>
  %b = call @inner(%k) : (index) -> memref<?xf32>
  call @drop(%a) : (memref<?xf32>) -> ()
  call @drop(%b) : (memref<?xf32>) -> ()
  return
}
"""


def test_calls_count_what_happens_inside_with_the_arguments_at_hand() -> None:
    # At the second call: 32 bytes of %a and either 128 inside or the new buffer of 4*%k.
    assert sorted(peak(CALLS)) == ["160", "4*%k + 32"]
    assert peak(CALLS, k=8) == ["160"]
    assert peak(CALLS, k=100) == ["432"]


LENT = """func.func private @work(%m: memref<4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %x = memref.load %m[%c0] : memref<4xf32>
  %own = memref.alloc() : memref<16xf32>
  memref.store %x, %own[%c0] : memref<16xf32>
  memref.dealloc %own : memref<16xf32>
  return %x : f32
}
func.func @main(%c: i1, %d: i1) {
  %a = memref.alloc() : memref<4xf32>
  %x = func.call @work(%a) : (memref<4xf32>) -> f32
  DEALLOC
  return
}
"""
FREED = {
    "at the end": "memref.dealloc %a : memref<4xf32>",
    "in branches": """scf.if %c {
    memref.dealloc %a : memref<4xf32>
  } else {
    scf.if %d {
      %b = memref.alloc() : memref<4xf32>
      memref.dealloc %b : memref<4xf32>
    }
    memref.dealloc %a : memref<4xf32>
  }""",
}


@pytest.mark.parametrize("freed", FREED)
def test_what_is_passed_lives_until_the_call_is_over(freed: str) -> None:
    # Nothing that the caller could do frees it before; the callee, which does not own it, must not.
    source = LENT.replace("DEALLOC", FREED[freed])
    assert peak(source) == ideal(source) == ["80"]


def test_what_a_callee_frees_lives_until_its_last_use_there() -> None:
    source = LENT.replace("  %own = memref.alloc", "  memref.dealloc %m : memref<4xf32>\n  %own = memref.alloc")
    assert ideal(source.replace("  DEALLOC\n", "")) == ["64"]


@pytest.mark.parametrize("freed", FREED)
@pytest.mark.parametrize("also", FREED)
def test_what_a_call_makes_lives_besides_what_it_is_passed(freed: str, also: str) -> None:
    source = """func.func private @made(%m: memref<4xf32>) -> memref<8xf32> {
  %new = memref.alloc() : memref<8xf32>
  %v = memref.subview %new[0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1]>>
  memref.copy %m, %v : memref<4xf32> to memref<4xf32, strided<[1]>>
  return %new : memref<8xf32>
}
func.func @main(%c: i1, %d: i1) {
  %a = memref.alloc() : memref<4xf32>
  %r = func.call @made(%a) : (memref<4xf32>) -> memref<8xf32>
  DEALLOC
  ALSO
  return
}
"""
    other = FREED[also].replace("dealloc %a : memref<4xf32>", "dealloc %r : memref<8xf32>")
    assert ideal(source.replace("DEALLOC", FREED[freed]).replace("ALSO", other)) == ["48"]


def test_constants_that_a_callee_asks_are_part_of_the_question() -> None:
    source = """func.func private @lose(%n: index, %unasked: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() : memref<4xf32>
  }
  return
}
func.func @main() {
  %c5 = arith.constant 5 : index
  %c7 = arith.constant 7 : index
  func.call @lose(%c5, %c7) : (index, index) -> ()
  func.call @lose(%c7, %c5) : (index, index) -> ()
  return
}
"""
    assert peak(source) == ["192"]


def test_buffers_followed_by_themselves_are_so_for_each_way_the_function_is_entered() -> None:
    source = """func.func private @two(%n: index, %c: i1) {
  %a = memref.alloc(%n) : memref<?xi8>
  %b = memref.alloc(%n) : memref<?xi8>
  scf.if %c {
    memref.dealloc %a : memref<?xi8>
    memref.dealloc %b : memref<?xi8>
  } else {
    memref.dealloc %b : memref<?xi8>
    memref.dealloc %a : memref<?xi8>
  }
  return
}
func.func @main(%c: i1) {
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  func.call @two(%c8, %c) : (index, i1) -> ()
  func.call @two(%c32, %c) : (index, i1) -> ()
  return
}
"""
    config = Config()
    found = list(usage(source, config, assumptions(source, config)))
    assert [str(amount) for one in found for amount in one.peak.peak] == ["64", "64"]


GROWS = (
    HEAD
    + """func.func @f() {
  cf.br ^head
^head:
  %q = call @cond() : () -> i1
  cf.cond_br %q, ^body, ^exit
^body:
  %a = memref.alloc() : memref<4xf32>
  cf.br ^head
^exit:
  return
}
"""
)


def test_a_leak_in_a_loop_has_no_bound() -> None:
    assert peak(GROWS) == ["unbounded"]
    assert ideal(GROWS) == ["0"]
    assert ideal(
        GROWS.replace(
            "  cf.br ^head\n^exit", "  memref.copy %a, %a : memref<4xf32> to memref<4xf32>\n  cf.br ^head\n^exit"
        )
    ) == ["16"]
    assert peak(GROWS.replace("  cf.br ^head\n^exit", "  memref.dealloc %a : memref<4xf32>\n  cf.br ^head\n^exit")) == [
        "16"
    ]


COUNTED = """func.func @f() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  scf.for %i = %c0 to %c7 step %c1 {
    %a = memref.alloc() : memref<4xf32>
  }
  return
}
"""


def test_a_leak_in_a_counted_loop_is_counted() -> None:
    assert peak(COUNTED) == ["112"]


SPACES = """func.func @f() {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<16xf32, 1>
  memref.dealloc %a : memref<4xf32>
  memref.dealloc %b : memref<16xf32, 1>
  %c = memref.alloc() : memref<16xf32>
  %s = memref.alloca() : memref<2xf32>
  memref.dealloc %c : memref<16xf32>
  return
}
"""


def test_each_memory_has_a_peak() -> None:
    found = of(SPACES)
    assert {label: [str(a) for a in amounts] for label, amounts in found.labels.items()} == {
        "1": ["64"],
        "default": ["64"],
        "stack": ["8"],
    }
    assert [str(amount) for amount in found.peak.peak] == ["80"]


RECURSIVE = (
    HEAD
    + """func.func @f() {
  %a = memref.alloc() : memref<4xf32>
  %q = call @cond() : () -> i1
  scf.if %q {
    func.call @f() : () -> ()
  }
  memref.dealloc %a : memref<4xf32>
  return
}
"""
)


def test_recursion_that_holds_memory_has_no_bound() -> None:
    assert peak(RECURSIVE) == ["unbounded"]
    freed_before = RECURSIVE.replace("  memref.dealloc %a : memref<4xf32>\n", "").replace(
        "  %q =", "  memref.dealloc %a : memref<4xf32>\n  %q ="
    )
    assert peak(freed_before) == ["16"]


REALLOC = """func.func @f(%n: index) {
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %a = memref.alloc(%c4) : memref<?xf32>
  %b = memref.realloc %a(%c16) : memref<?xf32> to memref<?xf32>
  memref.dealloc %b : memref<?xf32>
  return
}
"""


def test_a_reallocation_needs_both() -> None:
    assert peak(REALLOC) == ["80"]


ALIGNED = """func.func @f(%n: index) {
  %a = memref.alloc() {alignment = 64 : i64} : memref<3xf32>
  %b = memref.alloc(%n) {alignment = 16 : i64} : memref<?xf32>
  %c = memref.alloc(%n) {alignment = 16 : i64} : memref<?x4xf32>
  memref.dealloc %c : memref<?x4xf32>
  memref.dealloc %b : memref<?xf32>
  memref.dealloc %a : memref<3xf32>
  return
}
func.func @g() {
  %n = arith.constant 5 : index
  %x = memref.alloc() : memref<3xf32>
  call @f(%n) : (index) -> ()
  memref.dealloc %x : memref<3xf32>
  return
}
"""


def test_alignment_counts_beside_what_is_asked_for() -> None:
    # 64 and 16*%n need no filling, 4*%n up to 12 bytes; of 20 bytes it is exactly 12.
    first, second = usage(ALIGNED, Config(), Assumptions())
    assert [str(amount) for amount in first.peak.peak] == ["20*%n + 12"]
    assert [str(amount) for amount in first.aligned()] == ["20*%n + 76"]
    assert ([str(a) for a in second.peak.peak], [str(a) for a in second.aligned()]) == (["124"], ["188"])


@pytest.mark.slow
def test_calls_may_be_nested_deeply() -> None:
    depth = 300
    body = "  %a = memref.alloc() : memref<4xf32>\n{}  memref.dealloc %a : memref<4xf32>\n  return\n}}\n"
    calls = [f"  call @f{number + 1}() : () -> ()\n" for number in range(depth - 1)] + [""]
    source = "".join(f"func.func private @f{i}() {{\n" + body.format(call) for i, call in enumerate(calls))
    assert peak(source + "func.func @main() {\n  call @f0() : () -> ()\n  return\n}\n") == [str(16 * depth)]


@pytest.mark.parametrize(
    "freed",
    [
        "  scf.if %c {\n  [a]  }\n  scf.if %c {\n  } else {\n  [b]  }\n",  # one condition decides about both
        "  scf.if %c {\n  [a]  } else {\n  [b]  }\n",  # one branch does, in different ways
    ],
)
def test_what_hangs_together_is_not_added_up(freed: str) -> None:
    """One of two buffers lives on, whichever; not both, though each of them may."""
    made = "".join(f"  %{name} = memref.alloc() : memref<8xf32>\n" for name in "ab")
    for name in "ab":
        freed = freed.replace(f"[{name}]", f"  memref.dealloc %{name} : memref<8xf32>\n")
    last = "  %d = memref.alloc() : memref<16xf32>\n  memref.dealloc %d : memref<16xf32>\n"
    assert peak(f"func.func @f(%c: i1) {{\n{made}{freed}{last}  return\n}}\n") == ["96"]


def test_what_a_loop_carries_lives_at_the_loop_as_well() -> None:
    body = """  %a = memref.alloc() : memref<8xf32>
  %r = scf.for %k = %i to %n step %i iter_args(%b = %a) -> (memref<8xf32>) {
    %z = arith.constant 3 : index
    scf.yield %b : memref<8xf32>
  }
  memref.dealloc %r : memref<8xf32>
"""
    curve = of(f"func.func @f(%i: index, %n: index) {{\n{body}  return\n}}\n").peak.curve
    assert [str(amount) for _, amount in curve] == ["0", "32", "32", "32", "32", "0", "0"]


def test_at_its_peak_a_reallocation_has_both_buffers() -> None:
    body = """  %a = memref.alloc() : memref<100xf32>
  %b = memref.realloc %a : memref<100xf32> to memref<200xf32>
  memref.dealloc %b : memref<200xf32>
"""
    found = of(f"func.func @f() {{\n{body}  return\n}}\n").peak
    assert [str(amount) for amount in found.peak] == ["1200"]
    assert [(origin.value.name, str(amount)) for origin, amount in found.buffers] == [("%b", "800"), ("%a", "400")]


def test_a_buffer_of_unknown_size_is_not_one_of_no_bytes() -> None:
    made = "  %a = memref.alloc() : memref<3xvector<[4]xf32>>\n  %b = memref.alloc() : memref<0xf32>\n"
    found = of(f"func.func @f() {{\n{made}  return\n}}\n")
    assert [None if site.size is None else site.size.bytes for site in found.sites] == [None, 0]


def test_a_function_may_stand_first_in_a_block() -> None:
    around = '"t.op"() ({\n  "t.br"() : () -> ()\n^next:\n'
    function = (
        "func.func @f() {\n  %a = memref.alloc() : memref<4xf32>\n  memref.dealloc %a : memref<4xf32>\n  return\n}\n"
    )
    assert peak(f"{around}{function}}}) : () -> ()\n") == ["16"]
    assert len(of(f"{around}{function}}}) : () -> ()\n").peak.curve) == len(of(function).peak.curve)


def _each_under_its_own_flag(count: int, calls: int = 1) -> str:
    flags, numbers = ", ".join(f"%c{i}: i1" for i in range(count)), range(count)
    types = ", ".join(["memref<4xf32>"] * count)
    made = [
        f"  %r{i} = scf.if %c{i} -> (memref<4xf32>) {{\n    %a{i} = memref.alloc() : memref<4xf32>\n"
        f"    scf.yield %a{i} : memref<4xf32>\n  }} else {{\n    scf.yield %m : memref<4xf32>\n  }}"
        for i in numbers
    ]
    lines = [
        f"func.func private @make({flags}, %m: memref<4xf32>) -> ({types}) {{",
        *made,
        f"  return {', '.join(f'%r{i}' for i in numbers)} : {types}",
        "}",
        f"func.func @f({flags}, %m: memref<4xf32>) {{",
    ]
    for call in range(calls):
        lines += [
            f"  %r{call}:{count} = func.call @make({', '.join(f'%c{i}' for i in numbers)}, %m)",
            f"    : ({', '.join(['i1'] * count)}, memref<4xf32>) -> ({types})",
            *(f"  scf.if %c{i} {{\n    memref.dealloc %r{call}#{i} : memref<4xf32>\n  }}" for i in numbers),
        ]
    return "\n".join([*lines, "  return", "}", ""])


@pytest.mark.slow
@pytest.mark.parametrize("count", [4, 6, 7])
def test_buffers_that_a_callee_makes_under_conditions_of_its_own_are_bounded(count: int) -> None:
    assert peak(_each_under_its_own_flag(count)) == [str(16 * count)]


@pytest.mark.slow
def test_ways_of_several_calls_are_not_multiplied() -> None:
    """Each of sixty-four ways after each other one would be too many."""
    assert peak(_each_under_its_own_flag(6, calls=3)) == ["96"]


def test_of_many_ways_those_that_do_the_same_are_one() -> None:
    """A callee frees what it is passed where it gives back another, whichever of its flags say so."""
    count = 6
    flags, types = ", ".join(f"%c{i}: i1" for i in range(count)), ", ".join(["i1"] * count)
    renewed = [
        f"  %r{i + 1} = scf.if %c{i} -> (memref<4xf32>) {{\n    memref.dealloc %r{i} : memref<4xf32>\n"
        f"    %a{i} = memref.alloc() : memref<4xf32>\n    scf.yield %a{i} : memref<4xf32>\n  }} else {{\n"
        f"    scf.yield %r{i} : memref<4xf32>\n  }}"
        for i in range(count)
    ]
    lines = [
        f"func.func private @renew({flags}, %r0: memref<4xf32>) -> memref<4xf32> {{",
        *renewed,
        f"  return %r{count} : memref<4xf32>\n}}",
        f"func.func @f({flags}) {{\n  %m = memref.alloc() : memref<4xf32>",
        f"  %r = func.call @renew({', '.join(f'%c{i}' for i in range(count))}, %m)",
        f"    : ({types}, memref<4xf32>) -> memref<4xf32>",
        "  memref.dealloc %r : memref<4xf32>\n  return\n}\n",
    ]
    assert peak("\n".join(lines)) == ["16"]

"""Numbers and flags up to which conditions are decided. Just beyond, less is known: what is said is `possible-`."""

from __future__ import annotations

import pytest

from memlane.checking import check
from memlane.flow.scalars import expressions
from memlane.flow.symbolic.amounts import maximal, product
from memlane.flow.symbolic.range import Range
from memlane.flow.symbolic.type_layout import layout
from tests.flow.bounded_programs import (
    FREE,
    UNDECIDED,
    Bounded,
    flags,
    freed_if,
    freed_unless,
    function,
    given,
    hold,
    made_of,
    said,
)


def map_text(characters: int) -> str:
    """A condition that holds, of so many characters."""
    head, tail = "affine_set<(d) : (d", " - 5 >= 0)>"
    lines = f"  %k = arith.constant 7 : index\n  affine.if #set(%k) {{\n  {FREE}  }}\n"
    return f"#set = {head}{' ' * (characters - len(head) - len(tail))}{tail}\n{function('', lines)}"


def map_operators(count: int) -> str:
    """The same of so many operators."""
    written = f"affine_set<(d) : (d{' + d' * (count - 1)} - 5 >= 0)>(%k)"
    return function(
        "", f"  %k = arith.constant 7 : index\n{freed_if('%p').replace('scf.if %p', f'affine.if {written}')}"
    )


def map_parentheses(count: int) -> str:
    written = f"affine_set<(d) : ({'(' * count}d{')' * count} >= 0)>(%k)"
    return function(
        "", f"  %k = arith.constant 7 : index\n{freed_if('%p').replace('scf.if %p', f'affine.if {written}')}"
    )


def map_of_maps(count: int) -> str:
    """Maps of two numbers that are the same if the buffer is freed: each doubles what it is given, so many times."""
    last, lines = "%n", ""
    for at in range(count):
        lines += f"  %x{at} = affine.apply affine_map<(d) -> (d + d)>({last})\n"
        last = f"%x{at}"
    lines += "  %z = arith.constant 0 : index\n  %o = arith.constant 1 : index\n"
    lines += f"  %n1 = arith.cmpi eq, %n, %o : index\n  %q = arith.cmpi sgt, {last}, %z : index\n"
    return function("%n: index", f"{lines}  scf.if %n1 {{\n{freed_unless('%q')}  }}\n{FREE}")


def bits(count: int) -> str:
    """The largest number of a type of so many bits, and one more: it is negative."""
    type_ = f"i{count}"
    lines = f"  %k = arith.constant {2 ** (count - 1) - 1} : {type_}\n  %o = arith.constant 1 : {type_}\n"
    lines += f"  %z = arith.constant 0 : {type_}\n  %s = arith.addi %k, %o : {type_}\n"
    return function("", f"{lines}  %p = arith.cmpi slt, %s, %z : {type_}\n{freed_if('%p')}")


def number_bits(count: int) -> str:
    """Two, squared so many times from block to block: it has two to the power of that bits, and one."""
    lines = "  %x0 = arith.constant 2 : index\n  %z = arith.constant 0 : index\n  cf.br ^b0(%x0 : index)\n"
    for at in range(count):
        lines += f"^b{at}(%y{at}: index):\n  %x{at + 1} = arith.muli %y{at}, %y{at} : index\n"
        lines += f"  cf.cond_br %c, ^b{at + 1}(%x{at + 1} : index), ^c{at}\n"
        lines += f"^c{at}:\n  cf.br ^b{at + 1}(%x{at + 1} : index)\n"
    lines += f"^b{count}(%y{count}: index):\n  %q = arith.cmpi sgt, %y{count}, %z : index\n"
    return function("%c: i1", lines + freed_if("%q"))


def choices(count: int) -> str:
    """A sum of ones and noughts, chosen by so many flags, is as large as can be where all are true."""
    names = flags(count)
    lines = "  %z = arith.constant 0 : i32\n  %o = arith.constant 1 : i32\n"
    lines += "".join(f"  %s{at} = arith.select {name}, %o, %z : i32\n" for at, name in enumerate(names))
    total, last = made_of("arith.addi", flags(count, "s"), "t", "i32")
    every, all_ = made_of("arith.andi", names, "u")
    lines += f"{total}{every}  %w = arith.constant {count} : i32\n  %p = arith.cmpi eq, {last}, %w : i32\n"
    return function(given(names, "i1"), lines + freed_if("%p") + freed_unless(all_))


def comparisons(count: int) -> str:
    """Of three numbers each is less than the next one, which none is; and so many comparisons of others are known."""
    names = [*"xyz", *(f"{letter}{at}" for at in range(count) for letter in "mn")]
    lines = "".join(f"  %{one}{other} = arith.cmpi slt, %{one}, %{other} : i32\n" for one, other in ("xy", "yz", "zx"))
    lines += "".join(f"  %p{at} = arith.cmpi slt, %m{at}, %n{at} : i32\n" for at in range(count))
    known = ["%xy", "%yz", *flags(count, "p")]
    lines += "".join(f"  scf.if {flag} {{\n" for flag in known) + freed_if("%zx")
    lines += "".join(map(freed_unless, flags(count, "p"))) + "  }\n" * len(known)
    return function(given([f"%{name}" for name in names], "i32"), lines + FREE)


def condition_ways(count: int) -> str:
    """Two numbers are one of so many, both the same: of four in fifteen ways, of five in twice as many and one."""
    lines = ""
    for at in range(count):
        lines += f"  %k{at} = arith.constant {at} : i32\n  %x{at} = arith.cmpi eq, %x, %k{at} : i32\n"
        lines += f"  %y{at} = arith.cmpi eq, %y, %k{at} : i32\n  %e{at} = arith.andi %x{at}, %y{at} : i1\n"
    either, last = made_of("arith.ori", flags(count, "e"), "u")
    lines += f"{either}  %p = arith.cmpi ne, %x, %y : i32\n"
    return function("%x: i32, %y: i32", f"{lines}  scf.if {last} {{\n{freed_if('%p')}  }}\n{FREE}")


def tried(count: int) -> str:
    """Twice the same of two flags and so many, in another order, freed where it is true and where it is false."""
    one, first = made_of("arith.ori", flags(count), "u")
    other, second = made_of("arith.ori", flags(count)[::-1], "v")
    lines = f"{one}{other}  %e = arith.ori %d0, %d1 : i1\n  %g = arith.ori %d1, %d0 : i1\n"
    lines += f"  %p = arith.andi {first}, %e : i1\n  %q = arith.andi {second}, %g : i1\n"
    return function(given([*flags(count), "%d0", "%d1"], "i1"), lines + freed_if("%p") + freed_unless("%q"))


def tried_size(count: int) -> str:
    """A flag and one of so many, which cannot be where it is false."""
    one, first = made_of("arith.ori", flags(count), "u")
    other, second = made_of("arith.ori", flags(count)[::-1], "v")
    lines = f"{one}{other}  %true = arith.constant true\n  %not = arith.xori %z, %true : i1\n"
    lines += f"  %l = arith.andi %z, {first} : i1\n  %r = arith.andi %not, {second} : i1\n"
    return function(given([*flags(count), "%z"], "i1"), f"{lines}  scf.if %l {{\n{freed_if('%r')}  }}\n{FREE}")


def compared_size(count: int) -> str:
    """One of so many numbers is less than one of two."""
    lines = "  %h0 = arith.constant 200 : i32\n  %h1 = arith.constant 300 : i32\n"
    lines += "  %h = arith.select %d, %h0, %h1 : i32\n"
    lines += "".join(f"  %k{at} = arith.constant {at} : i32\n" for at in range(count))
    left, asked = flags(count, "k"), list[str]()
    while len(left) > 1:
        flag = f"%c{len(asked)}"
        lines += f"  %s{len(asked)} = arith.select {flag}, {left[0]}, {left[1]} : i32\n"
        left = [*left[2:], f"%s{len(asked)}"]
        asked.append(flag)
    lines += f"  %p = arith.cmpi slt, {left[0]}, %h : i32\n"
    return function(given(["%d", *asked], "i1"), lines + freed_if("%p"))


def span_depth(count: int) -> str:
    """The largest of so many numbers and one that is more than nought."""
    names = flags(count, "m")
    largest, last = made_of("arith.maxsi", ["%n", *names], "x", "index")
    lines = f"{largest}  %z = arith.constant 0 : index\n  %o = arith.constant 1 : index\n"
    lines += f"  %p = arith.cmpi sgt, %n, %o : index\n  %q = arith.cmpi slt, {last}, %z : index\n"
    return function(given(["%n", *names], "index"), f"{lines}  scf.if %p {{\n{freed_if('%q')}  }}\n{FREE}")


def depth(count: int) -> str:
    """A number that is two, multiplied so many times."""
    product, last = made_of("arith.muli", ["%n", *["%two"] * count], "x", "index")
    lines = f"  %two = arith.constant 2 : index\n  %z = arith.constant 0 : index\n{product}"
    lines += f"  %p = arith.cmpi eq, %n, %two : index\n  %q = arith.cmpi sgt, {last}, %z : index\n"
    return function("%n: index", f"{lines}  scf.if %p {{\n{freed_unless('%q')}  }}\n{FREE}")


def assertions(count: int) -> str:
    """A number is said to be more than nought, and by all other assertions not to be one of some others."""
    names = flags(count - 1, "y")
    lines = '  %z = arith.constant 0 : i32\n  %g = arith.cmpi sgt, %x, %z : i32\n  cf.assert %g, ""\n'
    for at, name in enumerate(names):
        lines += f'  %e{at} = arith.cmpi ne, %x, {name} : i32\n  cf.assert %e{at}, ""\n'
    lines += f"  %q = arith.cmpi slt, %x, %z : i32\n{freed_if('%q')}{FREE}"
    return function(given(["%x", *names], "i32"), lines)


def casts(count: int) -> str:
    """What is asked of a cast of casts is a dimension of what was cast first."""
    types = ["memref<4xf32>", *["memref<?xf32>", "memref<?xf32, strided<[?]>>"] * count][: count + 1]
    names = ["%a", *flags(count, "m")]
    lines = "  %z = arith.constant 0 : index\n  %four = arith.constant 4 : index\n"
    for at in range(count):
        lines += f"  {names[at + 1]} = memref.cast {names[at]} : {types[at]} to {types[at + 1]}\n"
    lines += f"  %d = memref.dim {names[-1]}, %z : {types[-1]}\n  %p = arith.cmpi eq, %d, %four : index\n"
    return function("", lines + freed_if("%p"))


BOUNDED = {
    "MAX_AFFINE_TEXT": Bounded(map_text, 1_000, ["possible-leak"]),
    "MAX_MAP_OPS": Bounded(map_operators, 64, ["possible-leak"]),
    "MAX_MAP_OPS, of parentheses": Bounded(map_parentheses, 64, ["possible-leak"]),
    "MAX_APPLIED_PARTS": Bounded(map_of_maps, 8, ["possible-double-free"]),
    "MAX_FOLDED_BITS": Bounded(bits, 128, ["possible-leak"]),
    "MAX_NUMBER_BITS": Bounded(number_bits, 8, ["possible-leak"]),
    "MAX_CHOICES": Bounded(choices, 4, UNDECIDED),
    "MAX_COMPARISONS": Bounded(comparisons, 9, ["possible-double-free"], 2),
    "MAX_CONDITION_WAYS": Bounded(condition_ways, 4, ["possible-double-free"]),
    "MAX_TRIED": Bounded(tried, 21, UNDECIDED),
    "MAX_TRIED_SIZE": Bounded(tried_size, 96, ["possible-double-free"]),
    "MAX_COMPARED_SIZE": Bounded(compared_size, 8, ["possible-leak"]),
    "MAX_SPAN_DEPTH": Bounded(span_depth, 8, ["possible-double-free"]),
    "MAX_DEPTH": Bounded(depth, 23, ["possible-double-free"]),
    "MAX_ASSERTIONS": Bounded(assertions, 8, ["possible-double-free"]),
    "MAX_CASTS": Bounded(casts, 24, ["possible-leak"]),
}


@pytest.mark.parametrize("one", BOUNDED.values(), ids=BOUNDED)
def test_numbers_are_known_up_to_a_limit(one: Bounded) -> None:
    hold(one)


def both_orders(count: int) -> str:
    """Whether all of so many flags are true, asked from the first and from the last one on."""
    one, first = made_of("arith.andi", flags(count), "u")
    other, second = made_of("arith.andi", flags(count)[::-1], "v")
    return function(given(flags(count), "i1"), one + other + freed_if(first) + freed_unless(second))


def test_flags_are_known_up_to_so_many_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Conditions of as many as the limit takes seconds."""
    monkeypatch.setattr(expressions, "MAX_FLAG_PARTS", 200)
    assert said(both_orders(100)) == []
    assert said(both_orders(101)) == UNDECIDED


def test_all_of_many_flags_are_taken_at_once() -> None:
    """What they decide was looked at for each by itself: of eight hundred that took ten seconds."""
    assert said(both_orders(400)) == []


def test_a_flag_that_is_in_a_parity_twice_makes_it_no_deeper() -> None:
    """What was left of it was a chain, and following that raised a RecursionError."""
    lines, last = made_of("arith.xori", [*flags(1_000), "%c3"], "o")
    assert said(function(given(flags(1_000), "i1"), lines + freed_if(last) + freed_unless(last))) == []


def test_dimensions_of_what_was_allocated_with_others_do_not_double() -> None:
    """Each was twice as large as the one before, and of twenty there was no end."""
    lines, last = "  %z = arith.constant 0 : index\n", "%n"
    for at in range(40):
        lines += f"  %x{at} = arith.addi {last}, {last} : index\n  %m{at} = memref.alloc(%x{at}) : memref<?xf32>\n"
        lines += f"  %d{at} = memref.dim %m{at}, %z : memref<?xf32>\n  memref.dealloc %m{at} : memref<?xf32>\n"
        last = f"%d{at}"
    lines += f"  %p = arith.cmpi eq, {last}, %z : index\n"
    assert said(function("%n: index", lines + freed_if("%p"))) == ["possible-leak"]


def switched(bits: int, label: int) -> str:
    """All bits of a number lead where the buffer is freed, by a label; with no other number."""
    return function(
        f"%k: i{bits}",
        f"  cf.switch %k : i{bits}, [default: ^b, {label}: ^c]\n^b:\n  cf.switch %k : i{bits}, [default: ^d, -1: ^e]\n"
        f"^c:\n{FREE}  cf.br ^e\n^d:\n{FREE}  cf.br ^e\n^e:\n",
    )


@pytest.mark.parametrize("bits", [8, 64, 130])
def test_a_label_without_its_sign_is_the_number_with_it(bits: int) -> None:
    """However wide it is: of more than 128 bits the two were different numbers, and an error was said."""
    assert said(switched(bits, (1 << bits) - 1)) == []
    assert said(switched(bits, (1 << bits) - 2)) == ["possible-leak"]


def test_shifts_are_computed_within_the_width_of_their_type() -> None:
    """Beyond it, what they give is not defined."""

    def shifted(by: int) -> list[str]:
        lines = f"  %k = arith.constant 1 : i32\n  %b = arith.constant {by} : i32\n  %s = arith.shli %k, %b : i32\n"
        lines += "  %z = arith.constant 0 : i32\n  %p = arith.cmpi ne, %s, %z : i32\n"
        return said(function("", lines + freed_if("%p")))

    assert shifted(31) == []
    assert shifted(32) == shifted(10**9) == ["possible-leak"]


def nested(count: int, inner: str) -> str:
    """The type of so many structs in one another."""
    return f"{'!llvm.struct<(' * count}{inner}{')>' * count}"


def test_structs_are_measured_up_to_a_depth() -> None:
    def messages(count: int) -> list[str]:
        source = f"""llvm.func @malloc(i64) -> !llvm.ptr
        llvm.func @f() {{
          %null = llvm.mlir.zero : !llvm.ptr
          %end = llvm.getelementptr %null[4] : (!llvm.ptr) -> !llvm.ptr, {nested(count, "i32")}
          %bytes = llvm.ptrtoint %end : !llvm.ptr to i64
          %a = llvm.call @malloc(%bytes) : (i64) -> !llvm.ptr
          llvm.return
        }}
        """
        return [finding.report.message for finding in check(source).findings]

    assert messages(16) == ["buffer %a of 16 bytes is never freed"]
    assert messages(17) == messages(400) == ["buffer %a is never freed"]


def test_fields_are_told_apart_up_to_a_depth() -> None:
    assert layout(nested(7, "ptr, ptr")) == (((0,) * 7, "!llvm.ptr"), ((*(0,) * 6, 1), "!llvm.ptr"))
    assert layout(nested(8, "ptr, ptr")) == layout(nested(400, "ptr, ptr")) == ()


def test_numbers_between_two_ranges_are_listed_up_to_a_limit() -> None:
    """Else a call that goes two ways with numbers far apart would list all between them."""
    both = Range(0, 3).joined(Range(67, 70))
    assert both is not None
    assert [number for number in range(-1, 72) if both.has(number)] == [0, 1, 2, 3, 67, 68, 69, 70]
    assert Range(0, 3).joined(Range(68, 70)) is None
    assert Range(0, 3).joined(Range(10**40, 10**40)) is None


def test_amounts_none_of_which_covers_another_are_listed_up_to_a_limit() -> None:
    sizes = [product(4, [("formal", number)]) for number in range(7)]
    assert maximal(sizes[:6]) == (*sizes[:6],)
    [most] = maximal(sizes)
    assert all(most.covers(size) for size in sizes)

"""How much lowered code asks for: `malloc` of a number, of the address of an element behind null, and `alloca`."""

from __future__ import annotations

import pytest

from memlane.config import Config
from memlane.flow.memory.limits import MAX_PRODUCT_STEPS
from memlane.flow.symbolic.lowered_sizes import stored
from memlane.memory_report import assumptions, usage

HEAD = """llvm.func @malloc(i64) -> !llvm.ptr
llvm.func @calloc(i64, i64) -> !llvm.ptr
llvm.func @aligned_alloc(i64, i64) -> !llvm.ptr
llvm.func @free(!llvm.ptr)
llvm.func @f(%n: i64, %m: i64, %q: !llvm.ptr) {
  %c4 = llvm.mlir.constant(4 : i64) : i64
  %c64 = llvm.mlir.constant(64 : index) : i64
  %null = llvm.mlir.zero : !llvm.ptr
"""
TAIL = "  llvm.call @free(%p) : (!llvm.ptr) -> ()\n  llvm.return\n}\n"
MALLOC = "  %p = llvm.call @malloc({}) : (i64) -> !llvm.ptr\n"
BEHIND = (
    "  %g = llvm.getelementptr %null[{}] : (!llvm.ptr{}) -> !llvm.ptr, {}\n  %s = llvm.ptrtoint %g : !llvm.ptr to i64\n"
)


def peak(body: str) -> list[str]:
    """What a function with these ops takes at most."""
    text = HEAD + body + TAIL
    found = [one for one in usage(text, Config(), assumptions(text, Config())) if one.flow.name == "f"]
    return [str(amount) for amount in found[0].peak.peak]


@pytest.mark.parametrize(
    ("body", "bytes_"),
    [
        (MALLOC.format("%c64"), "64"),
        (MALLOC.format("%n"), "%n"),
        ("  %s = llvm.mul %n, %c64 : i64\n" + MALLOC.format("%s"), "64*%n"),
        ("  %t = llvm.mul %n, %m : i64\n  %s = llvm.add %t, %c4 : i64\n" + MALLOC.format("%s"), "%m*%n + 4"),
        ("  %p = llvm.call @calloc(%n, %c4) : (i64, i64) -> !llvm.ptr\n", "4*%n"),
        ("  %p = llvm.call @aligned_alloc(%c64, %c4) : (i64, i64) -> !llvm.ptr\n", "4"),
        (BEHIND.format("16", "", "f32") + MALLOC.format("%s"), "64"),
        (BEHIND.format("%n", ", i64", "f64") + MALLOC.format("%s"), "8*%n"),
        (BEHIND.format("%n", ", i64", "f64") + "  %t = llvm.add %s, %c64 : i64\n" + MALLOC.format("%t"), "8*%n + 64"),
        (BEHIND.format("1", "", "!llvm.struct<(ptr, i8, i32)>") + MALLOC.format("%s"), "16"),
        (
            '  %g = "llvm.getelementptr"(%null, %n) <{elem_type = i16, rawConstantIndices = array<i32: -2147483648>}>'
            " : (!llvm.ptr, i64) -> !llvm.ptr\n  %s = llvm.ptrtoint %g : !llvm.ptr to i64\n" + MALLOC.format("%s"),
            "2*%n",
        ),
    ],
)
def test_what_is_asked_for(body: str, bytes_: str) -> None:
    assert peak(body) == [bytes_]


@pytest.mark.parametrize(
    "body",
    [
        "  %s = llvm.ptrtoint %q : !llvm.ptr to i64\n" + MALLOC.format("%s"),
        BEHIND.replace("%null", "%q").format("16", "", "f32") + MALLOC.format("%s"),
        BEHIND.format("16", "", '!llvm.struct<"unknown", opaque>') + MALLOC.format("%s"),
        BEHIND.format("0, 1", "", "!llvm.struct<(i64, i64)>") + MALLOC.format("%s"),
        BEHIND.replace("%null", "%g").format("1", "", "i64") + MALLOC.format("%s"),
    ],
)
def test_what_nobody_can_tell_is_no_number(body: str) -> None:
    """The address of something, of an element of a type that is not here, of a field, of what is behind itself."""
    text = HEAD + body + TAIL
    *_, found = usage(text, Config(), assumptions(text, Config()))
    assert [site.size for site in found.sites] == [None]


def test_products_of_sums_are_not_multiplied_out_without_end() -> None:
    """There would be a term for each choice of one number from each sum."""
    formals = ", ".join(f"%n{k}: i64, %m{k}: i64" for k in range(12))
    sums = "".join(f"  %s{k} = llvm.add %n{k}, %m{k} : i64\n" for k in range(12))
    products = "".join(f"  %p{k + 1} = llvm.mul %{'p' if k else 's'}{k}, %s{k + 1} : i64\n" for k in range(11))
    text = HEAD.replace("%n: i64, %m: i64", formals) + sums + products + MALLOC.format("%p11") + TAIL
    *_, found = usage(text, Config(), assumptions(text, Config()))
    assert [size is None or len(size.terms) <= MAX_PRODUCT_STEPS for size in (site.size for site in found.sites)] == [
        True
    ]


def test_long_chains_of_sums_are_taken_apart_in_few_steps() -> None:
    body = "".join(f"  %s{n + 1} = llvm.add %s{n}, %s{n} : i64\n" for n in range(400)).replace("%s0, %s0", "%n, %n")
    text = HEAD + body + MALLOC.format("%s400") + TAIL
    *_, found = usage(text, Config(), assumptions(text, Config()))
    assert len(found.sites) == 1


@pytest.mark.parametrize(
    ("taken", "bytes_"),
    [
        ("llvm.alloca %c4 x f32 : (i64) -> !llvm.ptr", "16"),
        ("llvm.alloca %c4 x !llvm.array<3 x i64> {alignment = 8 : i64} : (i64) -> !llvm.ptr", "96"),
        ('"llvm.alloca"(%c4) <{elem_type = i8}> : (i64) -> !llvm.ptr', "4"),
    ],
)
def test_what_the_stack_gives(taken: str, bytes_: str) -> None:
    text = f"{HEAD}  %a = {taken}\n  llvm.return\n}}\n"
    *_, found = usage(text, Config(), assumptions(text, Config()))
    assert [str(amount) for amount in found.labels["stack"]] == [bytes_]


@pytest.mark.parametrize(
    ("type_", "size"),
    [
        ("i1", 1),
        ("i64", 8),
        ("f80", 16),
        ("!llvm.ptr<3>", 8),
        ("ptr", 8),
        ("vector<3xf32>", 16),
        ("!llvm.array<4 x i16>", 8),
        ("!llvm.array<2 x struct<(i8, i64)>>", 32),
        ("!llvm.struct<(i8, i64, i8)>", 24),
        ("!llvm.struct<packed (i8, i64, i8)>", 10),
        ('!llvm.struct<"pair", (ptr, array<2 x i64>)>', 24),
        ('!llvm.struct<"opaque", opaque>', None),
        ('!llvm.struct<"self">', None),
        ("!my.type", None),
    ],
)
def test_what_a_value_takes(type_: str, size: int | None) -> None:
    found = stored(type_)
    assert (found.size if found is not None else None) == size

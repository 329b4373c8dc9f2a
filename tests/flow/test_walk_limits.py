"""How far is looked for what a value is, what is at a place, and which function is called. Farther on it may be any."""

from __future__ import annotations

import pytest

from memlane.checking import check
from memlane.config import load_config
from memlane.flow.memory import extern_aliases
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

LLVM = "llvm.func @malloc(i64) -> !llvm.ptr\nllvm.func @free(!llvm.ptr)\n"
FREED = "  llvm.call @free({}) : (!llvm.ptr) -> ()\n"


def lowered(body: str) -> str:
    """A function that allocates two buffers, and ends."""
    made = "".join(f"  {name} = llvm.call @malloc(%n) : (i64) -> !llvm.ptr\n" for name in ("%a", "%b"))
    return f"{LLVM}llvm.func @f(%n: i64, %o: !llvm.ptr) {{\n{made}{body}  llvm.return\n}}\n"


def functions(count: int) -> str:
    """A call of one of so many functions, none of which frees its buffer."""
    type_ = "(memref<4xf32>) -> ()"
    text = "".join(f"func.func private @f{at}(%m: memref<4xf32>) {{\n  return\n}}\n" for at in range(count))
    lines = f"  %s0 = func.constant @f0 : {type_}\n"
    for at in range(1, count):
        lines += f"  %f{at} = func.constant @f{at} : {type_}\n"
        lines += f"  %s{at} = arith.select %c, %f{at}, %s{at - 1} : {type_}\n"
    return text + function("%c: i1", f"{lines}  func.call_indirect %s{count - 1}(%a) : {type_}\n")


def computed_number(count: int) -> str:
    """A number that is so many sums, in an aggregate with a pointer, and no pointer itself."""
    type_ = "!llvm.struct<(ptr, i64)>"
    total, last = made_of("llvm.add", ["%n"] * (count + 1), "x", "i64")
    return lowered(
        f"{total}  %u = llvm.mlir.undef : {type_}\n  %v = llvm.insertvalue {last}, %u[1] : {type_}\n"
        f"  %w = llvm.insertvalue %o, %v[0] : {type_}\n  %s = llvm.insertvalue %a, %w[0] : {type_}\n"
        f"  llvm.br ^b(%s : {type_})\n^b(%t: {type_}):\n  %x = llvm.extractvalue %t[0] : {type_}\n"
        f"{FREED.format('%x')}{FREED.format('%b')}"
    )


def insertions(count: int) -> str:
    """An aggregate that gets a pointer, a number so many times less two, and another pointer instead of the first."""
    type_ = "!llvm.struct<(ptr, i64)>"
    lines = f"  %u = llvm.mlir.undef : {type_}\n  %w0 = llvm.insertvalue %b, %u[0] : {type_}\n"
    for at in range(count - 2):
        lines += f"  %w{at + 1} = llvm.insertvalue %n, %w{at}[1] : {type_}\n"
    return lowered(
        f"{lines}  %s = llvm.insertvalue %a, %w{count - 2}[0] : {type_}\n"
        f"  llvm.br ^b(%s : {type_})\n^b(%t: {type_}):\n  %x = llvm.extractvalue %t[0] : {type_}\n"
        f"{FREED.format('%x')}{FREED.format('%b')}"
    )


def read_again(between: str, before: str = "") -> str:
    """A flag is stored and loaded, with something between; the buffer is freed by one, or else by the other."""
    given_ = "%m: memref<2000xi1>, %c: i1, %k: i32"
    lines = f"  %z = arith.constant 0 : index\n{before}  memref.store %c, %m[%z] : memref<2000xi1>\n{between}"
    return function(given_, f"{lines}  %d = memref.load %m[%z] : memref<2000xi1>\n{freed_if('%c')}{freed_unless('%d')}")


def beside(count: int) -> str:
    """So many stores to other places."""
    numbers = "".join(f"  %k{at} = arith.constant {at + 1} : index\n" for at in range(count))
    return read_again("".join(f"  memref.store %c, %m[%k{at}] : memref<2000xi1>\n" for at in range(count)), numbers)


def blocks_between(count: int) -> str:
    """So many blocks, less two."""
    chain = "".join(f"^b{at}:\n  cf.br ^b{at + 1}\n" for at in range(count - 2))
    return read_again(f"  cf.br ^b0\n{chain}^b{count - 2}:\n")


def ways_between(count: int) -> str:
    """One of so many blocks."""
    cases = "".join(f", {at}: ^b{at}" for at in range(count))
    blocks = "".join(f"^b{at}:\n  cf.br ^end\n" for at in range(count))
    return read_again(f"  cf.switch %k : i32, [default: ^end{cases}]\n{blocks}^end:\n")


def loaded_names(count: int) -> str:
    """Each round frees what it has loaded, by the last of so many names."""
    list_, lines = "memref<8xmemref<4xf32>>", ""
    for at, name in enumerate(["%p", *flags(count)][:count]):
        lines += f"    %c{at} = memref.cast {name if not at else f'%c{at - 1}'} : memref<4xf32> to memref<4xf32>\n"
    return (
        f"func.func @f(%l: {list_}, %lo: index, %hi: index, %st: index) {{\n  scf.for %i = %lo to %hi step %st {{\n"
        f"    %p = memref.load %l[%i] : {list_}\n{lines}    memref.dealloc %c{count - 1} : memref<4xf32>\n  }}\n"
        "  return\n}\n"
    )


def variables(body: str, arguments: str = "") -> str:
    """One that has four flags in variables besides that with `%c`: of more than four only those that matter are known.

    Args:
        body: after `%d` has been loaded.
    """
    lines = "".join(f"  %m{at} = memref.alloca() : memref<i1>\n" for at in range(5))
    for at in range(1, 5):
        lines += f"  memref.store %e{at}, %m{at}[] : memref<i1>\n  %l{at} = memref.load %m{at}[] : memref<i1>\n"
        lines += f"  scf.if %l{at} {{\n  }}\n"
    lines += "  memref.store %c, %m0[] : memref<i1>\n  scf.if %o {\n    memref.store %c, %m0[] : memref<i1>\n  }\n"
    flags_ = given(["%c", "%o", *(f"%e{at}" for at in range(1, 5))], "i1")
    return function(f"{flags_}{arguments}", f"{lines}  %d = memref.load %m0[] : memref<i1>\n{body}")


def values_near(count: int) -> str:
    """What is computed of a flag in so many steps, less one."""
    names = flags(count - 1, "y")
    one, first = made_of("arith.xori", ["%c", *names], "w")
    other, second = made_of("arith.xori", ["%d", *names], "x")
    return variables(one + other + freed_if(first) + freed_unless(second), "".join(f", {name}: i1" for name in names))


def blocks_near(count: int) -> str:
    """So many blocks behind a decision, the last of which frees."""
    chain = "".join(f"^b{at}:\n  cf.br ^b{at + 1}\n" for at in range(count - 1))
    return variables(f"{freed_if('%c')}  cf.cond_br %d, ^end, ^b0\n{chain}^b{count - 1}:\n{FREE}  cf.br ^end\n^end:\n")


def stores(count: int) -> str:
    """So many stores to a variable, the last two of one flag."""
    store = "  memref.store {}, %m[] : memref<i1>\n"
    lines = "  %m = memref.alloca() : memref<i1>\n  %t = arith.constant true\n" + store.format("%t") * (count - 2)
    lines += f"{store.format('%c')}  scf.if %o {{\n  {store.format('%c')}  }}\n"
    return function(
        "%c: i1, %o: i1", f"{lines}  %d = memref.load %m[] : memref<i1>\n{freed_if('%c')}{freed_unless('%d')}"
    )


BOUNDED = {
    "MAX_FUNCTIONS": Bounded(functions, 16, ["possible-leak"], within=("leak",)),
    "MAX_NUMBER_OPS": Bounded(computed_number, 31, ["possible-leak", "argument-free"]),
    "MAX_NUMBER_OPS, of one aggregate": Bounded(insertions, 64, ["possible-leak", "possible-double-free"]),
    "MAX_BESIDE": Bounded(beside, 64, UNDECIDED),
    "MAX_STEPS": Bounded(blocks_between, 64, UNDECIDED),
    "MAX_STEPS, of several ways": Bounded(ways_between, 64, UNDECIDED),
    "MAX_NAMES": Bounded(loaded_names, 63, ["possible-double-free"], 3),
    "MAX_NEAR, of values": Bounded(values_near, 16, UNDECIDED),
    "MAX_NEAR, of blocks": Bounded(blocks_near, 16, UNDECIDED),
    "MAX_STORES": Bounded(stores, 64, UNDECIDED),
}


@pytest.mark.parametrize("one", BOUNDED.values(), ids=BOUNDED)
def test_values_are_known_up_to_a_limit(one: Bounded) -> None:
    hold(one)


def test_what_an_op_gives_is_read_up_to_so_many_characters() -> None:
    def messages(characters: int) -> list[str]:
        written = "  %end = llvm.getelementptr{} %null[4]"
        blanks = " " * (characters + 2 - len(written.format("")))
        return [
            finding.report.message
            for finding in check(
                f"{LLVM}llvm.func @f() {{\n  %null = llvm.mlir.zero : !llvm.ptr\n{written.format(blanks)}"
                " : (!llvm.ptr) -> !llvm.ptr, i32\n  %bytes = llvm.ptrtoint %end : !llvm.ptr to i64\n"
                "  %a = llvm.call @malloc(%bytes) : (i64) -> !llvm.ptr\n  llvm.return\n}\n"
            ).findings
        ]

    assert messages(1_000) == ["buffer %a of 16 bytes is never freed"]
    assert messages(1_001) == messages(20_000) == ["buffer %a is never freed"]


def filled(members: int) -> str:
    """A struct of so many numbers is passed to a function with a buffer, and to another one, which gives a pointer."""
    return (
        f"{LLVM}llvm.func @fill(!llvm.ptr, !llvm.ptr)\nllvm.func @get(!llvm.ptr) -> !llvm.ptr\n"
        "llvm.func @f(%n: i64) {\n  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr\n"
        f"  %s = llvm.alloca %n x !llvm.struct<({', '.join(['i64'] * members)})> : (i64) -> !llvm.ptr\n"
        "  llvm.call @fill(%s, %a) : (!llvm.ptr, !llvm.ptr) -> ()\n"
        f"  %r = llvm.call @get(%s) : (!llvm.ptr) -> !llvm.ptr\n{FREED.format('%r')}  llvm.return\n}}\n"
    )


def test_long_types_of_elements_may_have_pointers_in_them() -> None:
    """Only the start of the text was looked at: a buffer that may be freed was said to be lost."""
    assert said(filled(180)) == ["leak"]
    assert said(filled(200)) == ["possible-leak"]


MIXED = "memref<4xf32>"


def mixed(results: int) -> list[str]:
    """What is said of an op of which each result is any of its four operands, where one result is freed once."""
    views = ", ".join(f'{{ result = {at}, of = "buffers", kind = "whole" }}' for at in range(results))
    config, problems = load_config(None, [f'op."x.mix".view = [{views}]'])
    assert not problems
    lines = "".join(f"  %b{at} = memref.alloc() : {MIXED}\n" for at in range(3))
    names = ", ".join(f"%r{at}" for at in range(results))
    given_ = f"({', '.join([MIXED] * 4)}) -> ({', '.join([MIXED] * results)})"
    lines += f'  {names} = "x.mix"(%a, %b0, %b1, %b2) : {given_}\n  scf.if %c {{\n  {FREE}  }}\n'
    lines += f"  scf.if %c {{\n  }} else {{\n  {FREE}  }}\n"
    source = function("%c: i1", lines.replace("dealloc %a", "dealloc %r0"))
    return [finding.rule.name for finding in check(source, config).findings if finding.rule.name != "late-free"]


def test_states_that_follow_on_one_are_told_apart_up_to_a_limit() -> None:
    """Four results that are any of four are 256; of 1,024 it is not known that no path frees one of them twice."""
    assert mixed(3) == mixed(4) == ["possible-leak"] * 4
    assert mixed(5) == mixed(6) == ["possible-leak"] * 4 + ["possible-double-free"]


def moved(lines: str, by: str) -> list[str]:
    """What is said of a read of what is so far from a buffer that has been freed."""
    addresses = "".join(f"  %{name}p = llvm.ptrtoint %{name} : !llvm.ptr to i64\n" for name in "ab")
    read = f"  %y = llvm.getelementptr %a[{by}] : (!llvm.ptr, i64) -> !llvm.ptr, i8\n{FREED.format('%a')}"
    read += f"  %v = llvm.load %y : !llvm.ptr -> i8\n{FREED.format('%b')}"
    return said(lowered(f"{addresses}{lines}{read}"))


@pytest.mark.parametrize("count", [1, 20, 400])
def test_offsets_may_be_made_by_many_ops(count: int) -> None:
    """Behind sixteen of them it was not seen that one leads to another buffer, and an error was said."""
    total, last = made_of("llvm.add", ["%d", *["%n"] * count], "x", "i64")
    assert moved(f"  %d = llvm.sub %bp, %ap : i64\n{total}", last) == ["possible-use-after-free"]
    assert moved(f"  %d = llvm.sub %ap, %ap : i64\n{total}", last) == ["use-after-free"]


def test_numbers_made_of_many_addresses_may_lead_anywhere() -> None:
    def said_of(count: int) -> list[str]:
        names = flags(count, "p")
        lines = "".join(
            f"  %s{at} = llvm.alloca %n x i8 : (i64) -> !llvm.ptr\n  %p{at} = llvm.ptrtoint %s{at} : !llvm.ptr to i64\n"
            for at in range(count)
        )
        one, first = made_of("llvm.add", ["%n", *names], "x", "i64")
        other, second = made_of("llvm.add", ["%n", *names], "z", "i64")
        return moved(f"{lines}{one}{other}  %d = llvm.sub {first}, {second} : i64\n", "%d")

    assert said_of(1) == said_of(4) == ["use-after-free"]
    assert said_of(5) == said_of(8) == ["possible-use-after-free"]


def test_calls_with_many_uses_keep_what_they_are_passed(monkeypatch: pytest.MonkeyPatch) -> None:
    """As many uses as the limit has take seconds."""
    uses = "".join(f"  %v{at} = llvm.load %r : !llvm.ptr -> i64\n" for at in range(20))
    call = f"  %r = llvm.call @get(%a) : (!llvm.ptr) -> !llvm.ptr\n{uses}{FREED.format('%b')}"
    source = f"llvm.func @get(!llvm.ptr) -> !llvm.ptr\n{lowered(call)}"
    monkeypatch.setattr(extern_aliases, "MAX_RESULT_USES", 20)
    assert said(source) == ["leak", "possible-leak"]
    monkeypatch.setattr(extern_aliases, "MAX_RESULT_USES", 19)
    assert said(source) == ["possible-leak"]

"""Up to some numbers the peak of a function is exact, and repairs are found; beyond, it is a bound, or none are."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from memlane.checking import check
from memlane.fixes import fix_all
from memlane.flow.peak import exploded_paths
from tests.hostile.shapes import chosen
from tests.peak.test_first_use import filled, freed, ideal, made, measure, read


def one_of_many(count: int) -> int | None:
    """The ideal peak where of so many buffers, all filled, one is read: that and the one that is being filled."""
    names = [f"b{at}" for at in range(count)]
    body = made(*names) + "".join(map(filled, names)) + "  scf.index_switch %n\n"
    body += "".join(f"  case {at} {{\n{read(name)}    scf.yield\n  }}\n" for at, name in enumerate(names))
    return ideal(f"{body}  default {{\n  }}\n{freed(*names)}")


def test_buffers_of_several_paths_are_told_apart_up_to_a_limit() -> None:
    assert one_of_many(2) == one_of_many(24) == 2 * 64
    assert one_of_many(25) == 25 * 64


def freed_in_turn(count: int) -> tuple[int | None, ...]:
    """What a call that frees so many buffers of 400 bytes takes: before each, some bytes, and 40 more each time."""
    given = [f"%a{at}" for at in range(count)]
    lines = [f"func.func private @g({', '.join(f'{name}: memref<100xf32>' for name in given)}) {{"]
    for at in range(count + 1):
        lines += [f"  %t{at} = memref.alloc() : memref<{10 * (at + 1)}xf32>"]
        lines += [f"  memref.dealloc %t{at} : memref<{10 * (at + 1)}xf32>"]
        lines += [f"  memref.dealloc {name} : memref<100xf32>" for name in given[at : at + 1]]
    lines += ["  return", "}", "func.func @f() {", *(f"  {name} = memref.alloc() : memref<100xf32>" for name in given)]
    lines += [f"  call @g({', '.join(given)}) : ({', '.join(['memref<100xf32>'] * count)}) -> ()", "  return", "}", ""]
    return tuple(amount.bytes for amount in measure("\n".join(lines)).closed)


def test_amounts_of_a_call_are_told_apart_up_to_a_limit() -> None:
    """Sixteen, of what is passed and what is left of it. Of more, all that is passed lives besides the largest."""
    assert [freed_in_turn(count) for count in (2, 15)] == [(400 * count + 40,) for count in (2, 15)]
    assert freed_in_turn(16) == (400 * 16 + 40 * 17,)


def sizes_behind(casts: int) -> tuple[int | None, ...]:
    """The peak of a buffer as large as another one of 16 bytes, of which a cast of casts is asked."""
    types = ["memref<?xf32>", "memref<?xf32, strided<[?]>>"] * (casts + 1)

    def lines() -> Iterator[str]:
        yield "func.func @f() {\n  %z = arith.constant 0 : index\n  %k = arith.constant 4 : index"
        yield "  %m0 = memref.alloc(%k) : memref<?xf32>"
        for at in range(casts):
            yield f"  %m{at + 1} = memref.cast %m{at} : {types[at]} to {types[at + 1]}"
        yield f"  %d = memref.dim %m{casts}, %z : {types[casts]}\n  memref.dealloc %m0 : memref<?xf32>"
        yield "  %a = memref.alloc(%d) : memref<?xf32>\n  memref.dealloc %a : memref<?xf32>\n  return\n}\n"

    return tuple(amount.bytes for amount in measure("\n".join(lines())).peak)


def test_sizes_are_followed_through_so_many_casts() -> None:
    """Twenty-three where a dimension is asked (`MAX_CASTS`), and thirty-two from there on."""
    assert sizes_behind(1) == sizes_behind(55) == (16,)
    assert set(sizes_behind(56)) == set(sizes_behind(400)) == {None, 16}


@pytest.mark.parametrize(
    "limits",
    [
        {"MAX_NODES": 0, "PAIRS_PER_PLAIN_POINT": 0},
        {"MAX_HELD": 0, "MAX_HELD_BY_FEW": 0, "MIN_STEPS_BEFORE_LIVENESS": -1_000_000},
    ],
    ids=["MAX_NODES", "MAX_HELD_BY_FEW"],
)
def test_where_paths_are_too_many_nothing_is_repaired(limits: dict[str, int], monkeypatch: pytest.MonkeyPatch) -> None:
    """As many as the limits have take seconds."""
    assert check(fix_all(chosen(4))).findings == ()
    for name, value in limits.items():
        monkeypatch.setattr(exploded_paths, name, value)
    assert fix_all(chosen(4)) == chosen(4)

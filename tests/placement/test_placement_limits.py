"""What is known of ways that no execution takes, and how far a deallocation is moved: up to a limit, else it is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from memlane.checking import check
from memlane.config import load_config
from memlane.placement import earlier, ranges
from tests.flow.bounded_programs import FREE, flags, function, given
from tests.hostile.shapes import replaced

TYPE = "memref<4xf32>"
USED, OTHER = (f"  memref.store %x, {name}[%i] : {TYPE}\n" for name in ("%a", "%o"))


def held(source: str) -> list[str]:
    """Over how many operations deallocations are late."""
    said = [one.report.message for one in check(source).findings if one.rule.name == "late-free"]
    return [one.split(" is held over ")[1].split(" after")[0] for one in said]


def conditions(count: int) -> str:
    """A buffer is used where a number is less than nought, in so many conditions about it: the first says it is not."""
    names = flags(count - 1, "y")
    lines = f"  %z = arith.constant 0 : i32\n  %i = arith.constant 0 : index\n{USED}{OTHER}"
    lines += "  %g = arith.cmpi sgt, %k, %z : i32\n  scf.if %g {\n"
    for at, name in enumerate(names):
        lines += f"  %e{at} = arith.cmpi ne, %k, {name} : i32\n  scf.if %e{at} {{\n"
    lines += f"  %q = arith.cmpi slt, %k, %z : i32\n  scf.if %q {{\n{USED}  }}\n{OTHER * 3}"
    return function(f"%x: f32, %o: {TYPE}, {given(['%k', *names], 'i32')}", lines + "  }\n" * count + FREE)


def test_conditions_about_a_number_are_known_up_to_a_limit() -> None:
    assert held(conditions(1)) == held(conditions(8)) == ["3 operations"]
    assert held(conditions(9)) == held(conditions(80)) == []


def decided_in_turn(count: int) -> str:
    """A number is nought, and one on a way that is taken where the one before is one: so many times, less one."""
    lines = "  %z = arith.constant 0 : i32\n  %one = arith.constant 1 : i32\n  %i = arith.constant 0 : index\n"
    lines += f"{USED}  cf.br ^m0(%z : i32)\n"
    for at in range(count - 1):
        lines += f"^m{at}(%v{at}: i32):\n  %p{at} = arith.cmpi eq, %v{at}, %one : i32\n"
        lines += f"  cf.cond_br %p{at}, ^t{at}, ^m{at + 1}(%z : i32)\n^t{at}:\n  cf.br ^m{at + 1}(%one : i32)\n"
    lines += f"^m{count - 1}(%v: i32):\n  %p = arith.cmpi eq, %v, %one : i32\n  scf.if %p {{\n{USED}  }}\n{OTHER * 3}"
    return function(f"%x: f32, %o: {TYPE}", lines + FREE)


def test_ways_that_no_execution_takes_are_left_out_so_often() -> None:
    """In each round those that nothing but the others led to; where one is left, the buffer may be used there."""
    assert [held(decided_in_turn(count)) for count in (1, 4)] == [["5 operations"], ["8 operations"]]
    assert held(decided_in_turn(5)) == held(decided_in_turn(50)) == ["3 operations"]


def handed_on(count: int) -> str:
    """A number less than one goes through so many blocks before a loop counts up to it from nought: it has no round."""
    lines = "  %z = arith.constant 0 : i32\n  %one = arith.constant 1 : i32\n  %i = arith.constant 0 : index\n"
    lines += f"{USED}  %p = arith.cmpi slt, %k, %one : i32\n  cf.cond_br %p, ^b0(%k : i32), ^end\n"
    lines += "".join(f"^b{at}(%v{at}: i32):\n  cf.br ^b{at + 1}(%v{at} : i32)\n" for at in range(count - 1))
    lines += f"^b{count - 1}(%v: i32):\n  cf.br ^head(%z : i32)\n^head(%j: i32):\n  %q = arith.cmpi slt, %j, %v : i32\n"
    lines += f"  cf.cond_br %q, ^body, ^on\n^body:\n{USED}  %n = arith.addi %j, %one : i32\n  cf.br ^head(%n : i32)\n"
    return function(f"%x: f32, %o: {TYPE}, %k: i32", lines + f"^on:\n{OTHER * 3}  cf.br ^end\n^end:\n{FREE}")


def test_numbers_that_are_handed_on_are_followed_through_so_many_blocks() -> None:
    assert [held(handed_on(count)) for count in (1, 3)] == [["1 operation"]] * 2
    assert [held(handed_on(count)) for count in (4, 40)] == [[]] * 2


def comes_back_by(ways: int) -> str:
    """A loop of two rounds comes back in so many ways. One inside it counts from one up to what it counts, and has no
    round, in which a freed buffer would be used."""
    targets = ", ".join([f"default: ^r{ways - 1}", *(f"{at}: ^r{at}" for at in range(ways - 1))])
    lines = "  %z = arith.constant 0 : i32\n  %one = arith.constant 1 : i32\n  %i = arith.constant 0 : index\n"
    lines += f"{USED}{FREE}  cf.br ^outer(%z : i32)\n^outer(%k: i32):\n  cf.br ^head(%one : i32)\n^head(%j: i32):\n"
    lines += "  %q = arith.cmpi slt, %j, %k : i32\n  cf.cond_br %q, ^body, ^on\n"
    lines += f"^body:\n{USED}  %n = arith.addi %j, %one : i32\n  cf.br ^head(%n : i32)\n"
    lines += "^on:\n  %p = arith.cmpi slt, %k, %one : i32\n  cf.cond_br %p, ^round(%k : i32), ^end\n"
    lines += f"^round(%m: i32):\n  %l = arith.addi %m, %one : i32\n  cf.switch %f : i32, [{targets}]\n"
    lines += "".join(f"^r{at}:\n  cf.br ^outer(%l : i32)\n" for at in range(ways))
    return function(f"%x: f32, %f: i32, %o: {TYPE}", lines + "^end:\n")


def test_so_many_ways_may_forward_a_number() -> None:
    found = [[one.rule.name for one in check(comes_back_by(ways)).findings] for ways in (1, 2, 20)]
    assert found == [[], ["use-after-free"], ["use-after-free"]]


def test_they_are_looked_at_whatever_the_severity_of_a_rule(tmp_path: Path) -> None:
    (tmp_path / "memlane.toml").write_text('[severity]\nuse-after-free = "warning"\n', encoding="utf-8")
    config, _ = load_config(tmp_path / "memlane.toml")
    assert [len(check(comes_back_by(ways), config).findings) for ways in (1, 2)] == [0, 1]


MOVED = Path(__file__).parents[1] / "rules" / "late_by_itself.mlir"


def test_a_deallocation_is_moved_past_so_many_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """As many as the limit take seconds."""
    source = MOVED.read_text(encoding="utf-8")
    exact = held(source)
    monkeypatch.setattr(earlier, "MAX_SEGMENTS_PASSED", 1)
    near = held(source)
    assert len(near) < len(exact)
    assert set(near) <= set(exact)


def test_owners_are_demoted_one_by_one_so_often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Then all that are left are: what each round of a loop replaces has the name of the next one, too. It is not used
    at all, so that it is late is true as well. No program is known that takes more than three rounds."""
    assert held(replaced(2)) == []
    monkeypatch.setattr(ranges, "MAX_DEMOTIONS", 1)
    assert held(replaced(2)) == ["1 operation"]

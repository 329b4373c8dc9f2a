"""The last lines of `memlane check`: how many findings are fixable, and which functions could do with far less memory;
and the findings of one rule in one function, of which the first stand for all."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.fixes.test_reduction import chain

from memlane.checking import check
from memlane.cli import main
from memlane.config import Config
from memlane.fixes import fix_all
from memlane.format import known
from memlane.limits import MAX_SAVINGS
from memlane.memory_report import assumptions, usage
from memlane.savings import Measuring

TYPE = "memref<1024xf32>"


def up_front(name: str, count: int) -> str:
    """The same, all of them allocated at its start."""
    lines = steps(name, count).splitlines()
    made = [line for line in lines if "memref.alloc()" in line]
    return "\n".join([lines[0], *made, *(line for line in lines[1:] if line not in made), ""])


def steps(name: str, count: int, freed: bool = True) -> str:
    """A function that fills `count` buffers one after the other; `freed`: all of them at its end."""
    body = [
        line
        for number in range(count)
        for line in (f"%b{number} = memref.alloc() : {TYPE}", f"linalg.fill ins(%zero : f32) outs(%b{number} : {TYPE})")
    ]
    body += [f"memref.dealloc %b{number} : {TYPE}" for number in range(count)] if freed else []
    lines = "".join(f"  {line}\n" for line in body)
    return f"func.func @{name}(%zero: f32) {{\n{lines}  return\n}}\n"


def ways(name: str, count: int) -> str:
    """A function of blocks that makes `count` buffers and frees each where it is asked for the second time whether it
    was filled, at the end."""
    flags = "".join(f", %f{number}: i1" for number in range(count))
    text = [f"func.func @{name}(%zero: f32{flags}) {{\n"]
    for number in range(count):
        text.append(f"""  %b{number} = memref.alloc() : {TYPE}
  cf.cond_br %f{number}, ^filled{number}, ^not_filled{number}
^filled{number}:
  linalg.fill ins(%zero : f32) outs(%b{number} : {TYPE})
  cf.br ^not_filled{number}
^not_filled{number}:
""")
    for number in range(count):
        text.append(f"""  cf.cond_br %f{number}, ^yes{number}, ^no{number}
^yes{number}:
  memref.dealloc %b{number} : {TYPE}
  cf.br ^on{number}
^no{number}:
  memref.dealloc %b{number} : {TYPE}
  cf.br ^on{number}
^on{number}:
""")
    return "".join([*text, "  return\n}\n"])


def last_lines(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[str]:
    """The lines of a check, from the summary on."""
    main(["check", *arguments])
    lines = capsys.readouterr().out.splitlines()
    return lines[next(i for i, line in enumerate(lines) if line.startswith(("Found", "No findings"))) :]


def test_late_deallocations(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "a.mlir"
    file.write_text(steps("main", 4), encoding="utf-8")
    said = [
        "Found 3 warnings in 1 file.",
        "[*] 3 fixable with --fix.",
        "@main: peak 16 KiB, 4 KiB is possible (4x); memlane check --fix lowers it",
    ]
    assert last_lines(capsys, str(file)) == said
    assert last_lines(capsys, str(file)) == said  # out of the cache
    assert last_lines(capsys, str(file), "--output-format", "concise") == said
    assert last_lines(capsys, str(file), "--fix") == ["Found 3 findings in 1 file (3 fixed, 0 remaining)."]
    assert last_lines(capsys, str(file)) == ["No findings in 1 file."]


def test_leaks_may_be_fixable(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "a.mlir"
    file.write_text(steps("main", 4, freed=False), encoding="utf-8")
    assert last_lines(capsys, str(file)) == [
        "Found 4 warnings in 1 file.",
        "[*] up to 4 fixable with --fix.",
        "@main: peak 16 KiB, 4 KiB is possible (4x); memlane stats shows what holds it",
    ]
    assert last_lines(capsys, str(file), "--show-fixes")[1] == "[*] 4 fixable with --fix."


def test_the_largest_of_all_files_come_first(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, counts in {"a": (3, 2, 1), "b": (5, 4), "c": (6, 7)}.items():
        text = "".join(steps(f"f{count}", count) for count in counts)
        (tmp_path / f"{name}.mlir").write_text(text, encoding="utf-8")
    lines = last_lines(capsys, str(tmp_path))[2:]
    shown = [line.removeprefix(str(tmp_path)).split(":")[0] for line in lines[:-1]]
    assert shown == ["/c.mlir @f7", "/c.mlir @f6", "/b.mlir @f5", "/b.mlir @f4", "/a.mlir @f3"]
    assert lines[-1] == "1 more function takes at least twice what is possible."


def test_of_many_functions_some_are_measured(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "a.mlir"
    file.write_text("".join(steps(f"f{number}", 2) for number in range(MAX_SAVINGS + 2)), encoding="utf-8")
    assert last_lines(capsys, str(file))[-1] == "2 more functions were not measured; memlane stats does that."


def test_what_takes_too_long_is_not_measured(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Which of seven buffers are filled is one of 128 ways."""
    file = tmp_path / "a.mlir"
    file.write_text(steps("main", 4) + ways("many", 7), encoding="utf-8")
    assert last_lines(capsys, str(file))[2:] == [
        "@main: peak 16 KiB, 4 KiB is possible (4x); memlane check --fix lowers it",
        "1 more function was not measured; memlane stats does that.",
    ]
    file.write_text(steps("main", 4) + ways("few", 3), encoding="utf-8")
    assert last_lines(capsys, str(file))[3].startswith("@few: peak 12 KiB, 4 KiB is possible (3x)")


def test_a_peak_that_is_no_number_is_not_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "a.mlir"
    dynamic = steps("main", 3).replace(TYPE, "memref<?xf32>").replace("alloc()", "alloc(%n)")
    dynamic = dynamic.replace("%zero: f32", "%zero: f32, %n: index")
    in_a_loop = f"""
func.func @loop(%zero: f32, %n: index) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {{
    %b = memref.alloc() : {TYPE}
    linalg.fill ins(%zero : f32) outs(%b : {TYPE})
  }}
  return
}}
"""
    file.write_text(dynamic + in_a_loop, encoding="utf-8")
    assert last_lines(capsys, str(file)) == ["Found 3 warnings in 1 file.", "[*] up to 3 fixable with --fix."]
    constant = "  %n = arith.constant 1024 : index\n"
    file.write_text(dynamic.replace(", %n: index", "").replace("{\n", "{\n" + constant), encoding="utf-8")
    assert last_lines(capsys, str(file))[2].startswith("@main: peak 12 KiB, 4 KiB is possible (3x)")


def test_what_a_callee_does_not_know_its_caller_may(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The buffers of the callee are as large as its argument, which is a number where it is called."""
    used = "linalg.fill ins(%zero : f32) outs(%{0} : memref<?xf32>)"
    each = f"%{{0}} = memref.alloc(%n) : memref<?xf32>\n{used}\ncf.br ^{{0}}\n^{{0}}:\n{used}\n"
    freed = "memref.dealloc %{0} : memref<?xf32>\n"
    callee = (
        "func.func private @inner(%x: memref<?xf32>, %zero: f32) {\n%c0 = arith.constant 0 : index\n"
        "%n = memref.dim %x, %c0 : memref<?xf32>\n"
        + "".join((each + freed).replace("{0}", name) for name in "ab")
        + "return\n}\n"
    )
    call = "%d = memref.cast %b3 : memref<1024xf32> to memref<?xf32>\n"
    call += "func.call @inner(%d, %zero) : (memref<?xf32>, f32) -> ()\n"
    first = "  memref.dealloc %b0"
    file = tmp_path / "a.mlir"
    file.write_text(callee + steps("main", 4).replace(first, f"{call}{first}"), encoding="utf-8")
    assert last_lines(capsys, str(file))[2].startswith("@main: peak 20 KiB, 8 KiB is possible (2.5x)")


def test_what_comments_silence_is_not_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "a.mlir"
    file.write_text(f"// memlane: ignore-file[late-free] as it is\n{steps('main', 4)}", encoding="utf-8")
    assert last_lines(capsys, str(file)) == ["No findings in 1 file; 3 are silenced by comments."]


def test_where_little_is_held_nothing_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "a.mlir"
    line = f"  linalg.fill ins(%zero : f32) outs(%b1 : {TYPE})\n"
    once_more = steps("main", 2).replace(line, line + line.replace("b1", "b0") + line)  # both are needed at once
    file.write_text(once_more, encoding="utf-8")
    assert last_lines(capsys, str(file)) == ["Found 1 warning in 1 file.", "[*] 1 fixable with --fix."]


@pytest.mark.parametrize(("second", "said"), [(1024, True), (1023, False)])
def test_twice_what_is_possible_is_worth_a_line(
    second: int, said: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, other = "memref<1024xf32>", f"memref<{second}xf32>"
    lines = [f"{line}\n".replace(first, other) if "%b1" in line else f"{line}\n" for line in steps("f", 2).splitlines()]
    (tmp_path / "a.mlir").write_text("".join(lines), encoding="utf-8")
    shown = last_lines(capsys, str(tmp_path))
    assert shown[0] == "Found 1 warning in 1 file."
    assert ("@f: peak 8 KiB, 4 KiB is possible (2x); memlane check --fix lowers it" in shown, len(shown) > 2) == (
        said,
        said,
    )


def test_those_that_need_what_they_take_make_room(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line = f"  linalg.fill ins(%zero : f32) outs(%b1 : {TYPE})\n"
    needed = steps("big{0}", 2).replace(line, line + line.replace("b1", "b0") + line).replace("1024", "4096")
    text = "".join(needed.replace("{0}", str(number)) for number in range(MAX_SAVINGS + 1)) + steps("small", 4)
    file = tmp_path / "a.mlir"
    file.write_text(text, encoding="utf-8")
    assert last_lines(capsys, str(file))[-1].startswith("@small: peak 16 KiB, 4 KiB is possible (4x)")


def test_machines_and_quiet_people_get_findings_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "a.mlir"
    file.write_text(steps("main", 9), encoding="utf-8")
    main(["check", "-q", str(file)])
    assert "possible" not in capsys.readouterr().out
    main(["check", "--output-format", "json", str(file)])
    assert len(json.loads(capsys.readouterr().out)) == 8
    assert last_lines(capsys, str(file), "--statistics") == ["Found 8 warnings in 1 file."]


def test_many_of_one_rule_in_one_function(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "a.mlir"
    file.write_text(steps("many", 9) + steps("few", 4), encoding="utf-8")
    main(["check", str(file)])
    lines = capsys.readouterr().out.splitlines()
    heads = [line for line in lines if line.startswith("warning[late-free]") or "more late-free" in line]
    assert len(heads) == 3 + 1 + 3
    assert heads[3] == "5 more late-free in @many, 20 KiB in all; --no-group shows them"
    main(["check", "--no-group", str(file)])
    assert capsys.readouterr().out.count("warning[late-free]") == 8 + 3


@pytest.mark.parametrize("count", [2, 5])
def test_what_is_said_to_be_lowered_is(count: int) -> None:
    source = steps("main", count)
    measuring = Measuring(source, Config())
    (saving,) = measuring.savings(check(source, None, measuring).findings).found
    fixed = fix_all(source)
    (after,) = usage(fixed, Config(), assumptions(fixed, Config()))
    assert (saving.fixable, known(after.peak.peak)) == (True, saving.ideal)


def test_where_allocations_are_early_reducing_is_what_helps(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, how = tmp_path / "a.mlir", "memlane reduce may lower it, as allocations are early, too"
    file.write_text(chain(5), encoding="utf-8")
    assert last_lines(capsys, str(file))[-1] == f"@f: peak 320 KiB, 128 KiB is possible (2.5x); {how}"
    assert main(["reduce", str(file)]) == 0
    assert capsys.readouterr().out.endswith("@f: peak 320 KiB -> 128 KiB\n")
    # One of them alone, a small one: where it stays, less than twice the ideal is reached.
    first, made, *rest = steps("main", 4).splitlines()
    lines = [first, rest.pop(1), made, *rest, ""]
    small = [line.replace(TYPE, "memref<16xf32>") if "%b1 " in line else line for line in lines]
    file.write_text("\n".join(small), encoding="utf-8")
    assert last_lines(capsys, str(file))[-1].endswith(" 4 KiB is possible (3.02x); memlane check --fix lowers it")


def test_a_callee_may_have_early_allocations(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "a.mlir"
    call = "  func.call @callee(%zero) : (f32) -> ()\n  return"
    file.write_text(up_front("callee", 8) + steps("main", 4).replace("  return", call), encoding="utf-8")
    lines = last_lines(capsys, str(file))
    assert [line.rpartition("; ")[2].split(" may")[0] for line in lines[2:]] == ["memlane reduce", "memlane reduce"]


def test_a_baseline_leaves_out_the_functions_whose_findings_it_knows(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, known = tmp_path / "a.mlir", tmp_path / "known.json"
    file.write_text(steps("old", 4), encoding="utf-8")
    main(["check", str(file), "--baseline", str(known), "--write-baseline"])
    capsys.readouterr()
    assert last_lines(capsys, str(file), "--baseline", str(known)) == ["No findings in 1 file."]
    file.write_text(steps("old", 4) + steps("new", 3), encoding="utf-8")
    (line,) = (line for line in last_lines(capsys, str(file), "--baseline", str(known)) if "peak" in line)
    assert line.startswith("@new: peak 12 KiB")

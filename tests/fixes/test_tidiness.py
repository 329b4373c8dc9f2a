"""What repairs leave behind: nothing that a person would clean up, and nothing of what a person wrote is lost."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from memlane.checking import check
from memlane.findings import Finding, Severity
from memlane.fixes import fix_all
from tests.effort import FULL, some
from tests.fixes.differential import Report, generated, of_corpus
from tests.fixes.execute import AVAILABLE
from tests.fixes.tidiness import comments, untidy

FOLDER = Path(__file__).parent
PROGRAMS = sorted(p for p in FOLDER.glob("programs/*.mlir") if not p.name.endswith(".fixed.mlir"))
ONE = "memref<4xf32>"


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_programs_stay_tidy(path: Path) -> None:
    source = path.read_bytes().decode()
    assert untidy(source, path.with_suffix(".fixed.mlir").read_bytes().decode()) == []


def function(body: str, arguments: str = f"%c: i1, %x: {ONE}") -> str:
    return f"func.func @f({arguments}) {{\n{body}  return\n}}\n"


def grave(source: str) -> Iterator[Finding]:
    return (f for f in check(source).findings if f.severity in (Severity.ERROR, Severity.WARNING))


def test_a_deallocation_moves_with_the_comments_at_it() -> None:
    body = f"""  %a = memref.alloc() : {ONE}
  memref.copy %x, %a : {ONE} to {ONE}
  memref.copy %x, %x : {ONE} to {ONE}
  // why
  // in two lines
  memref.dealloc %a : {ONE}  // at last
  // the end
"""
    lines = [line.strip() for line in fix_all(function(body)).split("\n")]
    assert lines[3:7] == ["// why", "// in two lines", f"memref.dealloc %a : {ONE}  // at last", lines[6]]
    assert lines[6].startswith("memref.copy %x, %x")
    assert lines[7] == "// the end"


def test_what_is_said_of_a_statement_that_goes_stays() -> None:
    body = f"""  %a = memref.alloc() : {ONE}
  memref.copy %x, %a : {ONE} to {ONE}
  memref.dealloc %a : {ONE}  // one
  // and
  memref.dealloc %a : {ONE}  // two
"""
    source = function(body)
    after = fix_all(source)
    assert comments(after) == comments(source)
    assert after.count("memref.dealloc") == 1


ENCLOSED = [
    ("scf.if %c {{", "}} else {{", "}}"),
    ("scf.if %c {{", "}}", ""),
    ("affine.if affine_set<() : (1 >= 0)>() {{", "}} else {{", "}}"),
]


@pytest.mark.parametrize(("head", "middle", "end"), ENCLOSED)
def test_what_stands_around_a_deallocation_goes_without_its_comments(head: str, middle: str, end: str) -> None:
    lines = [f"{head} // head", "// before", f"memref.dealloc %a : {ONE} // at", "// after", f"{middle} // middle"]
    lines += ["// otherwise", f"{end} // end"] if end else []
    body = f"  %a = memref.alloc() : {ONE}\n  memref.copy %x, %a : {ONE} to {ONE}\n"
    source = function(body + "".join(f"  {line}\n" for line in lines).replace("{{", "{").replace("}}", "}"))
    after = fix_all(source)
    assert comments(after) == comments(source)
    assert after.count("memref.dealloc") == 1
    assert list(grave(after)) == []


def test_a_condition_with_nothing_to_do_is_asked_the_other_way_round() -> None:
    body = f"""  %c0 = arith.constant 0 : index
  scf.if %c {{  // head
    // why
    memref.dealloc %x : {ONE}  // at
  }} else {{
    %v = memref.load %x[%c0] : {ONE}
  }}
"""
    source = function(body)
    after = fix_all(source)
    assert "  %c_not = arith.xori %c, %true : i1\n  scf.if %c_not {\n" in after
    assert untidy(source, after) == []
    assert "else" not in after


def test_buffers_of_one_choice_are_freed_under_one_condition() -> None:
    source = f"""func.func private @sink({ONE})
func.func @f(%c: i1) {{
  %a = memref.alloc() : {ONE}
  %b = memref.alloc() : {ONE}
  %s = arith.select %c, %a, %b : {ONE}
  func.call @sink(%s) : ({ONE}) -> ()
  return
}}
"""
    after = fix_all(source)
    assert after.count("scf.if") == 1
    assert untidy(source, after) == []


def test_repairs_of_different_buffers_share_their_condition() -> None:
    arms = (
        "scf.if %c -> {0} {{\n    {1}\n    scf.yield {2} : {0}\n  }} else {{\n    {3}\n    scf.yield {4} : {0}\n  }}\n"
    )
    new = f"%a = memref.alloc() : {ONE}"
    body = f"  %r = {arms.format(ONE, new, '%a', '', '%x')}  %s = {arms.format(ONE, '', '%y', new, '%a')}"
    source = function(f"{body}  memref.copy %r, %s : {ONE} to {ONE}\n", f"%c: i1, %x: {ONE}, %y: {ONE}")
    after = fix_all(source)
    assert after.count("scf.if") == 3
    assert untidy(source, after) == []
    assert list(grave(after)) == []


LOOPS = {
    "scf.for": "scf.for %i = %c0 to %n step %c1 iter_args({args}) -> ({types}) {{",
    "affine.for": "affine.for %i = 0 to %n iter_args({args}) -> ({types}) {{",
}


@pytest.mark.parametrize("loop", LOOPS)
@pytest.mark.parametrize("kept", [1, 2, 4])
def test_flags_go_along_only_where_they_are_read(loop: str, kept: int) -> None:
    """One buffer of several that a loop carries changes in it; the others stay what they are."""
    names = [f"%k{n}" for n in range(kept)]
    types = ", ".join([ONE] * (kept + 1))
    head = LOOPS[loop].format(args=", ".join([*(f"{name} = %a" for name in names), "%y = %a"]), types=types)
    body = f"""  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : {ONE}
  %r:{kept + 1} = {head}
    %b = memref.alloc() : {ONE}
    {loop.partition(".")[0]}.yield {", ".join([*names, "%b"])} : {types}
  }}
"""
    source = function(body, "%n: index")
    after = fix_all(source)  # what is only handed on is dead where it is made
    assert "owned" not in after
    assert list(grave(after)) == []
    for name in ("%a", "%b"):
        made = f"{name} = memref.alloc() : {ONE}\n"
        body = body.replace(made, f"{made}  memref.copy %x, {name} : {ONE} to {ONE}\n")
    source = function(f"{body}  memref.copy %r#{kept}, %x : {ONE} to {ONE}\n", f"%n: index, %x: {ONE}")
    after = fix_all(source)
    assert untidy(source, after) == []
    assert "owned" not in after, "each iteration frees what it was handed"
    assert list(grave(after)) == []


def test_an_unrelated_warning_keeps_no_leak() -> None:
    source = f"""func.func @f(%c: i1, %n: index) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : {ONE}
  %b = memref.alloc() : {ONE}
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b) -> ({ONE}, {ONE}) {{
    %s = arith.select %c, %x, %y : {ONE}
    %m = memref.alloc() : {ONE}
    memref.copy %s, %m : {ONE} to {ONE}
    scf.yield %m, %s : {ONE}, {ONE}
  }}
  return
}}
"""
    assert {finding.rule.name for finding in grave(source)} == {"leak", "uninitialized-read"}
    assert {finding.rule.name for finding in grave(fix_all(source))} == {"uninitialized-read"}


def test_the_detector_sees_what_is_untidy() -> None:
    bad = f"""func.func @f(%c: i1, %x: {ONE}, %n: index) {{
  %c0 = arith.constant 0 : index
  %true = arith.constant true
  %t = arith.constant true
  scf.if %c {{
  }} else {{
    memref.copy %x, %x : {ONE} to {ONE}
  }}
  scf.if %c {{
    memref.copy %x, %x : {ONE} to {ONE}
  }}
  %r = scf.for %i = %c0 to %n step %n iter_args(%q = %true) -> (i1) {{
    scf.yield %t : i1
  }}
  return
}}
"""
    found = untidy("// lost\n", bad)
    wanted = ["lost: // lost", "@f: nothing to do where %c is true", "@f: %c is asked twice in a row"]
    assert found == [*wanted, "@f: nothing reads a flag", "@f: true is defined twice"]


@pytest.mark.slow
@pytest.mark.skipif(not AVAILABLE, reason="mlir-opt-22, mlir-runner-22 or gcc is not installed")
@pytest.mark.parametrize("first", some(range(0, 100, 20), 1))
def test_programs_run_as_before(first: int) -> None:
    report, seeds = Report(), some(range(first, first + 20), 3)
    report.add(generated(seeds))
    assert report.complaints == []
    assert report.counts["paths wrong before"] > 50 * len(seeds)
    assert report.counts["programs that change"] > len(seeds) / 2


@pytest.mark.slow
@pytest.mark.skipif(not AVAILABLE, reason="mlir-opt-22, mlir-runner-22 or gcc is not installed")
def test_programs_of_others_run_as_before() -> None:
    report = Report()
    for one in of_corpus(sample=0 if FULL else 20):
        report.add([one])
    assert report.complaints == []


def between(body: str, arguments: str = f"%c: i1, %d: i1, %x: {ONE}") -> list[str]:
    """The lines of a function after its repair, stripped, without its head and its return."""
    return [line.strip() for line in fix_all(function(body, arguments)).strip().split("\n")][1:-2]


OWNED = f"""  %a = scf.if %c -> ({ONE}) {{
    %new = memref.alloc() : {ONE}
    memref.copy %x, %new : {ONE} to {ONE}
    scf.yield %new : {ONE}
  }} else {{
    %b = scf.if %d -> ({ONE}) {{
      %other = memref.alloc() : {ONE}
      memref.copy %x, %other : {ONE} to {ONE}
      scf.yield %other : {ONE}
    }} else {{
      scf.yield %x : {ONE}
    }}
    scf.yield %b : {ONE}
  }}
  memref.copy %a, %x : {ONE} to {ONE}
"""
"""A buffer that is the function's own where one of two flags is true."""


def test_what_asks_the_same_inside_takes_a_deallocation_in() -> None:
    asked = "  scf.if %c {\n  } else {\n    scf.if %d {\n    }\n  }\n"
    lines = between(OWNED + asked)
    assert lines[lines.index(f"memref.copy %a, %x : {ONE} to {ONE}") + 1 :] == [
        "scf.if %c {",
        f"memref.dealloc %a : {ONE}",
        "} else {",
        "scf.if %d {",
        f"memref.dealloc %a : {ONE}",
        "}",
        "}",
    ]


def test_what_asks_the_opposite_takes_a_deallocation_in() -> None:
    body = f"""  %true = arith.constant true
  %not = arith.xori %c, %true : i1
  %a = scf.if %c -> ({ONE}) {{
    scf.yield %x : {ONE}
  }} else {{
    %new = memref.alloc() : {ONE}
    memref.copy %x, %new : {ONE} to {ONE}
    scf.yield %new : {ONE}
  }}
  memref.copy %a, %x : {ONE} to {ONE}
  scf.if %not {{
  }}
"""
    lines = between(body)
    assert lines[lines.index("scf.if %not {") :] == ["scf.if %not {", f"memref.dealloc %a : {ONE}", "}"]
    assert lines.count("scf.if %not {") == 1


def test_an_else_that_is_left_empty_goes() -> None:
    body = f"""  %a = memref.alloc() : {ONE}
  memref.copy %x, %a : {ONE} to {ONE}
  memref.dealloc %a : {ONE}
  scf.if %c {{
    memref.copy %x, %x : {ONE} to {ONE}
  }} else {{
    memref.dealloc %a : {ONE}
  }}
"""
    assert between(body)[-3:] == ["scf.if %c {", f"memref.copy %x, %x : {ONE} to {ONE}", "}"]
    with_comment = body.replace("} else {\n", "} else {  // why\n")
    assert "} else {  // why" in between(with_comment)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [20047, 20158, 20173, 20377, 20384, 20645, 20770, 20920])
def test_programs_that_were_left_untidy_once(seed: int) -> None:
    ((_, source),) = generated([seed])
    assert untidy(source, fix_all(source)) == []

"""Ways of calls that are tried count, not only the states that they lead to: of many ways most cannot be taken."""

from __future__ import annotations

import pytest

from memlane.config import Config
from memlane.memory_report import assumptions, usage
from tests.hostile.lines import Work, lines_run

TYPE = "memref<8xf32>"
INNER = """\
  scf.if %c{0} {{
    %t = memref.alloc() : memref<{1}xf32>
    memref.store %x, %t[%i] : memref<{1}xf32>
    memref.dealloc %t : memref<{1}xf32>
  }} else {{
    memref.store %x, %a[%i] : memref<8xf32>
  }}
"""
STEP = """\
  func.call @inner(%a, %x, %i{flags}) : (memref<8xf32>, f32, index{types}) -> ()
  %b{number} = memref.alloc() : memref<8xf32>
  scf.if %c{flag} {{
    memref.dealloc %b{number} : memref<8xf32>
  }}
"""


def program(calls: int, flags: int) -> str:
    """A function that calls another, again and again with the same flags, by which that takes more or less: of its ways
    one can be taken in each state."""
    named = "".join(f", %c{flag}: i1" for flag in range(flags))
    arguments = f"%x: f32, %i: index{named}"
    inner = "".join(INNER.format(flag, 8 << flag) for flag in range(flags))
    passed, types = "".join(f", %c{flag}" for flag in range(flags)), ", i1" * flags
    steps = "".join(
        STEP.format(flags=passed, types=types, number=number, flag=number % flags) for number in range(calls)
    )
    return (
        f"func.func @inner(%a: {TYPE}, {arguments}) {{\n{inner}  return\n}}\n"
        f"func.func @outer({arguments}) {{\n  %a = memref.alloc() : {TYPE}\n{steps}"
        f"  scf.if %c0 {{\n    memref.dealloc %a : {TYPE}\n  }}\n  return\n}}\n"
    )


def measuring(source: str) -> Work:
    """Measures all functions of a text."""
    config = Config()
    return lambda: [*usage(source, config, assumptions(source, config))]


@pytest.mark.slow
@pytest.mark.usefixtures("unlearned")
def test_where_they_are_too_many_it_ends_soon() -> None:
    measuring(program(2, 5))()
    few, many = (lines_run(measuring(program(calls, 5))) for calls in (12, 24))
    assert many < 5 * few  # 11 times, if only the states that are reached are counted

"""What is found in random programs against what every execution of them shows."""

from __future__ import annotations

import random
import re
import shutil
import subprocess
from collections import Counter
from dataclasses import dataclass, field

from memlane import check
from memlane.findings import Severity
from tests.paths.machine import KINDS, Truth, truth
from tests.paths.programs import program
from tests.paths.writer import HEAD, TYPE

OPT = shutil.which("mlir-opt-22")
_POSSIBLE = "possible-"
_MADE = re.compile(r"\s*(%b\d+) = (?!scf)")
_NAME = re.compile(r"%b\d+\b(?!#)")
_FLAG = re.compile(r"%[pq]\d+\b")
_ASKED = re.compile(r"\s*(%q\d+) = ")
VARIABLE = f"memref<{TYPE}>"
_LOCATION = re.compile(r'loc\("[^"]*":(\d+):\d+\)$')
WORDS = ("found", "missed", "understated", "overstated", "wrong")


@dataclass(slots=True)
class Agreement:
    """Counts by kind and word, one of `WORDS`; what was not just found is in `differing`, with seed and line."""

    counts: Counter[tuple[str, str]] = field(default_factory=Counter[tuple[str, str]])
    differing: list[str] = field(default_factory=list[str])

    def add(self, seed: int, form: str = "") -> None:
        """Compare one program; `form`: one of `FORMS`, or as it is.

        Missed is what happens in some run and is not found, wrong what is found and happens in none of all runs,
        overstated what is found without `possible-` and does not happen in each; understated is the opposite.
        A free inside a helper is reported in the helper; what a helper allocates, there or at the call.
        The runs let `@make`, which has no body, allocate. It may as well return its argument: its leaks are possible.
        """
        source, run = program(seed)
        found = _found(FORMS[form](source) if form else source)
        lines = dict(enumerate(source.split("\n"), 1))
        shown = truth(run)
        for number, line in lines.items():
            if "call @make(" in line and ("leak", number) in shown.grades:
                shown.grades["leak", number] = False
        self._compare(seed, shown, found, {number for number, line in lines.items() if "call @" in line})

    def _compare(self, seed: int, shown: Truth, found: dict[tuple[str, int], bool], calls: set[int]) -> None:
        leaks_inside = any(kind == "leak" and line <= HEAD for kind, line in found)
        for (kind, line), always in shown.grades.items():
            if line <= HEAD or (kind == "argument-free" and line in calls):
                continue
            if (kind, line) not in found:
                word = "found" if kind == "leak" and line in calls and leaks_inside else "missed"
            elif kind != "argument-free" and found[kind, line] and not always:
                word = "overstated"
            elif kind != "argument-free" and always and not found[kind, line] and shown.exhaustive:
                word = "understated"
            else:
                word = "found"
            self._count(seed, kind, line, word)
        for kind, line in found:
            if shown.exhaustive and line in shown.reached and line > HEAD and (kind, line) not in shown.grades:
                self._count(seed, kind, line, "wrong")

    def _count(self, seed: int, kind: str, line: int, word: str) -> None:
        self.counts[kind, word] += 1
        if word != "found":
            self.differing.append(f"seed {seed}, line {line}: {kind} {word}")

    def table(self) -> str:
        """The counts as text."""
        rows = [f"{'':16}" + "".join(f"{word:>12}" for word in WORDS)]
        rows += [f"{kind:16}" + "".join(f"{self.counts[kind, word]:12}" for word in WORDS) for kind in KINDS]
        return "\n".join([*rows, *self.differing])


def as_blocks(source: str) -> str:
    """The program without structured control flow; each operation tells the line it comes from."""
    assert OPT is not None
    command = [OPT, "--convert-scf-to-cf", "--mlir-print-debuginfo", "--mlir-print-local-scope", "-"]
    return subprocess.run(command, input=source, capture_output=True, text=True, check=True).stdout


def as_variables(source: str) -> str:
    """The program with most of its buffers in variables, as compilers write what they have not optimised yet: each is
    stored where it is made, and loaded where it is used. The lines stay what they are."""
    lines = source.split("\n")
    body = range(HEAD + 1, len(lines))
    choose = random.Random(len(lines))
    made = {number: found[1] for number in body if (found := _MADE.match(lines[number])) and choose.random() < 0.8}
    lines[HEAD] += "".join(f" {_variable(name)} = memref.alloca() : {VARIABLE}" for name in made.values())
    kept, count = set(made.values()), 0
    for number in body:
        head, equals, rest = lines[number].rpartition(" = ") if number in made else ("", "", lines[number])
        for name in dict.fromkeys(_NAME.findall(rest)):
            if name in kept:
                rest = re.sub(rf"{name}\b", f"%t{count}", rest)
                head = f"%t{count} = memref.load {_variable(name)}[] : {VARIABLE} {head}"
                count += 1
        lines[number] = f"{head}{equals}{rest}"
        if number in made:
            lines[number] += f" memref.store {made[number]}, {_variable(made[number])}[] : {VARIABLE}"
    return "\n".join(lines)


def _variable(name: str) -> str:
    return f"%s{name[2:]}" if name.startswith("%b") else f"%f{name[1:]}"


def as_flags(source: str) -> str:
    """The program with its flags in variables: each is stored where it is made, and loaded where it is asked. In
    the arms of an `scf.if` it is stored again as the constant that it is there. The lines stay what they are."""
    lines = source.split("\n")
    body = range(HEAD + 1, len(lines))
    flags = dict.fromkeys(flag for number in range(HEAD, len(lines)) for flag in _FLAG.findall(lines[number]))
    lines[HEAD] += " %yes = arith.constant true %no = arith.constant false"
    lines[HEAD] += "".join(f" {_variable(flag)} = memref.alloca() : memref<i1>" for flag in flags)
    lines[HEAD] += "".join(f" {_stored(flag, flag)}" for flag in flags if flag.startswith("%p"))
    arms: list[str | None] = [None]
    for number in body:
        line = lines[number]
        made = _ASKED.match(line)
        flag = next(iter(_FLAG.findall(line)), None) if made is None else None
        left = arms.pop() if line.lstrip().startswith("}") else None
        if flag is not None:
            line = f"%l{number} = memref.load {_variable(flag)}[] : memref<i1> {line.replace(flag, f'%l{number}')}"
        if line.endswith("{"):
            arms.append(flag if flag is not None and "scf.if" in line else None)
        if made is not None:
            line += f" {_stored(made[1], made[1])}"
        elif arms and arms[-1] is not None and line.endswith("{"):
            line += f" {_stored('%yes', arms[-1])}"
        elif left is not None and line.endswith("else {"):
            line += f" {_stored('%no', left)}"
        lines[number] = line
    return "\n".join(lines)


def _stored(value: str, flag: str) -> str:
    return f"memref.store {value}, {_variable(flag)}[] : memref<i1>"


FORMS = {"lowered": as_blocks, "variables": as_variables, "flags": as_flags}
"""What a program may be turned into, where the same happens in the same lines. The first needs `mlir-opt-22`."""


def line_of(lines: list[str], number: int) -> int:
    """The line, from 1, of the program that a line (from 0) of it or of its lowered form comes from."""
    location = _LOCATION.search(lines[number])
    return int(location[1]) if location else number + 1


def _found(source: str) -> dict[tuple[str, int], bool]:
    """By kind and line, whether it is said to happen always. Raises where there is any other error."""
    found: dict[tuple[str, int], bool] = {}
    lines = source.split("\n")
    for finding in check(source).findings:
        name = finding.rule.name
        kind = name.removeprefix(_POSSIBLE)
        if kind in KINDS:
            line = source.count("\n", 0, finding.report.span.start) + 1
            location = _LOCATION.search(lines[line - 1])
            key = kind, int(location[1]) if location else line
            found[key] = found.get(key, False) or not name.startswith(_POSSIBLE)
        elif finding.severity is Severity.ERROR:
            raise AssertionError(f"{name} in {source}")
    return found

"""Running programs under the counting allocator, with every unknown chosen in many ways.

`measure` gives, per public function, what all its runs came to. A function is run once for each pattern of bits;
flags, numbers and the answers of external functions are taken from the pattern in the order they are asked for.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import count
from pathlib import Path
from tempfile import mkdtemp
from typing import NamedTuple

OPT, RUNNER, COMPILER = "mlir-opt-22", "mlir-runner-22", "gcc"
AVAILABLE = all(shutil.which(tool) for tool in (OPT, RUNNER, COMPILER))
PATTERNS = 512
TOGETHER = 20
"""Programs that are lowered and run at once."""

_LOWER = (
    "builtin.module(convert-bufferization-to-memref,expand-realloc,func.func(convert-linalg-to-loops),expand-strided-metadata,lower-affine,"
    "convert-scf-to-cf,convert-arith-to-llvm,finalize-memref-to-llvm{use-generic-functions=true},"
    "convert-func-to-llvm,convert-cf-to-llvm,convert-index-to-llvm,reconcile-unrealized-casts)"
)
_DECLARATION = re.compile(
    r"^(\s*)func\.func private (@[\w.]+)\(([^()]*)\)(?: -> (i1|memref<[\dx]+\w+>))?[ \t]*$", re.MULTILINE
)
_REALLOC = re.compile(r"(%[\w#]+) = memref\.realloc (%[\w#]+) : (memref<\d[\dx]*\w+>) to \3$", re.MULTILINE)
_FUNCTION = re.compile(r"^\s*func\.func (@[\w.]+)\((.*?)\)(?: -> (.*?))? \{[ \t]*(?://.*|%.*)?$", re.MULTILINE)
_ACCESS = re.compile(
    r"^( *)(?:%\w+ = llvm\.load (%\w+)|llvm\.store %\w+, (%\w+)|\"llvm\.intr\.memcpy\"\((%\w+), (%\w+),).*$",
    re.MULTILINE,
)
_BLOCK = re.compile(r"^  \^bb\d+(?:\(.*\))?:.*$", re.MULTILINE)
_MODULE = re.compile(r"((?:\s|//.*\n|#.*\n)*)module \{\n([\s\S]*\n)\}\s*")
_NAMES = re.compile(r"@\w+|(?<!\w)#map\d*\b")
_RUNTIME = """
func.func private @memlane_flag() -> i1
func.func private @memlane_number() -> index
func.func private @memlane_result(i64)
func.func private @memlane_begin(index)
func.func private @memlane_enter()
func.func private @memlane_leave()
func.func private @memlane_end()
func.func private @memlane_report(index)
"""


class OneRun(NamedTuple):
    """One run of one function.

    Attributes:
        peak: in bytes.
        least_peak: the same if each buffer were freed right after its last use; of a run that tells of its accesses.
        possible_peak: the same if each were freed as soon as no run that has gone the same way until then uses it
            again: what later conditions decide is not known before.
        faults: leaks, bad frees and uses after free together.
    """

    peak: int
    least_peak: int
    possible_peak: int
    faults: int
    uses_after_free: int
    result: int


@dataclass(frozen=True, slots=True)
class Runs:
    """What all runs of one function came to: peak in bytes, the others counted over all runs; and each run."""

    function: str
    peak: int
    allocations: int
    leaks: int
    bad_frees: int
    uses_after_free: int
    result: int
    paths: tuple[OneRun, ...]


def measure(source: str, passes: str = "", *, accesses: bool = False) -> list[Runs]:
    """Run every public function of `source`, after `passes` if any; `accesses`: the runs tell of each, see `OneRun`."""
    functions = list(_FUNCTION.finditer(source))
    names = [match[1] for match in functions]
    if passes:
        source = transformed(source, passes)
    driver = "\n".join(_driver(n, m[1], m[2], m[3] or "") for n, m in enumerate(functions))
    main = "func.func @memlane_main() {\n" + "".join(
        f"  call @memlane_run_{n}() : () -> ()\n" for n in range(len(names))
    )
    text = _with(_defined(source), _RUNTIME + driver + main + "  return\n}\n")
    lowered = _tool([OPT, f"--pass-pipeline={_LOWER}", "-"], text)
    lowered = _telling(lowered) if accesses else lowered
    libraries = f"--shared-libs={_library()},{_utilities()}"
    out = _tool([RUNNER, "-e", "memlane_main", "--entry-point-result=void", libraries, "-"], lowered)
    rows = [json.loads(line) for line in out.splitlines() if line.startswith("{")]
    for row in rows:
        row["function"] = names[row["function"]].removeprefix("@")
        row["paths"] = tuple(OneRun(*path) for path in row["paths"])
    return [Runs(**row) for row in rows]


def measure_all(sources: Sequence[str], *, accesses: bool = False) -> list[list[Runs]]:
    """Per program what `measure` gives; so many are run at once, as starting the tools takes longer than most programs
    do."""
    found: list[list[Runs]] = []
    for first in range(0, len(sources), TOGETHER):
        several = sources[first : first + TOGETHER]
        runs: list[list[Runs]] = [[] for _ in several]
        for one in measure("".join(apart(source, number) for number, source in enumerate(several)), accesses=accesses):
            function, _, number = one.function.rpartition("_of_")
            runs[int(number)].append(replace(one, function=function))
        found += runs
    return found


def apart(source: str, number: int) -> str:
    """A program whose functions and aliases have names of their own, and that is no module by itself."""
    whole = _MODULE.fullmatch(source)
    return _NAMES.sub(rf"\g<0>_of_{number}", whole[1] + whole[2] if whole else source) + "\n"


def _telling(lowered: str) -> str:
    """A program in the LLVM dialect that says before each access which address it is, and which block it enters."""

    def with_calls(match: re.Match[str]) -> str:
        pointers = [name for name in match.groups()[1:] if name]
        calls = [f"{match[1]}llvm.call @memlane_touch({name}) : (!llvm.ptr) -> ()\n" for name in pointers]
        return "".join(calls) + match[0]

    numbers = count()

    def with_mark(match: re.Match[str]) -> str:
        number = next(numbers)
        mark = f"%memlane_{number} = llvm.mlir.constant({number} : i64) : i64"
        return f"{match[0]}\n    {mark}\n    llvm.call @memlane_at(%memlane_{number}) : (i64) -> ()"

    told = _BLOCK.sub(with_mark, _ACCESS.sub(with_calls, lowered))
    return _with(told, "llvm.func @memlane_touch(!llvm.ptr)\nllvm.func @memlane_at(i64)\n")


def transformed(source: str, passes: str, *options: str) -> str:
    """What upstream's passes make of `source`; raises RuntimeError with what they say where they refuse it."""
    return _tool([OPT, *options, f"--pass-pipeline={passes}", "-"], source)


def _tool(command: list[str], text: str) -> str:
    done = subprocess.run(command, input=text, capture_output=True, text=True, timeout=600, check=False)
    if done.returncode:
        raise RuntimeError(f"{command[0]}: {done.stderr[:2000]}")
    return done.stdout


@cache
def _library() -> Path:
    made = Path(mkdtemp()) / "libcounting.so"
    source = Path(__file__).with_name("counting.c")
    subprocess.run([COMPILER, "-O1", "-shared", "-fPIC", "-Wall", "-Werror", "-o", made, source], check=True)
    return made


@cache
def _utilities() -> Path:
    runner = shutil.which(RUNNER)
    assert runner is not None
    return next(Path("/usr/lib").glob("llvm-22/lib/libmlir_c_runner_utils.so"))


def _defined(source: str) -> str:
    """Functions without a body get one: flags are unknown, buffers are looked at, a buffer they give is a copy. What
    reallocates without another size moves, so that a use of the old buffer is seen: upstream lowers it to nothing."""
    moved = _REALLOC.sub(_moved, source.replace("{alignment = 64 : i64} ", ""))
    return _DECLARATION.sub(_body, moved)


def _moved(match: re.Match[str]) -> str:
    new, old, type_ = match.groups()
    copied = f"memref.copy {old}, {new} : {type_} to {type_}"
    return f"{new} = memref.alloc() : {type_}\n{copied}\nmemref.dealloc {old} : {type_}"


def _body(match: re.Match[str]) -> str:
    indent, name, argument, given = match.groups()
    argument = argument.rpartition(":")[2].strip()
    if given is not None and given != "i1":
        made = f"  %a = memref.alloc() : {given}\n"
        made += f"  memref.copy %m, %a : {given} to {given}\n" if argument == given else ""
        return f"{indent}func.func private {name}(%m: {argument}) -> {given} {{\n{made}  return %a : {given}\n}}"
    if given:
        answer = "  %f = func.call @memlane_flag() : () -> i1\n  return %f : i1\n"
        return f"{indent}func.func private {name}() -> i1 {{\n{answer}}}"
    return f"{indent}func.func private {name}(%m: {argument}) {{\n{_look('%m', argument, 'x')}  return\n}}"


def _with(source: str, more: str) -> str:
    if re.match(r"(?:\s|//.*\n|#.*\n)*module", source):
        end = source.rindex("}")
        return source[:end] + more + source[end:]
    return source + more


def _sized(type_: str) -> bool:
    return re.match(r"memref<(\d+x)+", type_) is not None and "?" not in type_


def _look(name: str, type_: str, key: str, last: int = 0) -> str:
    """Statements that report the first element of a buffer (the `last` one, if its sizes are known), or a number."""
    lines: list[str] = []
    element = type_
    if type_.startswith("memref<"):
        dimensions = type_.removeprefix("memref<").removesuffix(">").split("x")
        element = dimensions[-1]
        places = [int(size) - 1 if last else 0 for size in dimensions[:-1]]
        lines += [f"%z{key}_{n} = arith.constant {place} : index" for n, place in enumerate(places)]
        indices = ", ".join(f"%z{key}_{n}" for n in range(len(places)))
        lines.append(f"%e{key} = memref.load {name}[{indices}] : {type_}")
        name = f"%e{key}"
    wide = {"f32": "i32", "f64": "i64"}.get(element)
    if wide is not None:
        lines.append(f"%b{key} = arith.bitcast {name} : {element} to {wide}")
        name, element = f"%b{key}", wide
    if element == "index":
        lines.append(f"%i{key} = arith.index_cast {name} : index to i64")
        name = f"%i{key}"
    elif element != "i64":
        lines.append(f"%i{key} = arith.extui {name} : {element} to i64")
        name = f"%i{key}"
    lines.append(f"func.call @memlane_result({name}) : (i64) -> ()")
    return "".join(f"    {line}\n" for line in lines)


def _driver(number: int, name: str, arguments: str, results: str) -> str:
    types = [part.split(":", 1)[1].strip() for part in _split(arguments)]
    returned = _split(results.strip().removeprefix("(").removesuffix(")")) if results else []
    body = "".join(_argument(f"%a{i}", type_) for i, type_ in enumerate(types))
    body += "    func.call @memlane_enter() : () -> ()\n"
    left = ", ".join(f"%r{i}" for i in range(len(returned)))
    passed = ", ".join(f"%a{i}" for i in range(len(types)))
    signature = f"({', '.join(types)}) -> ({', '.join(returned)})"
    body += f"    {left + ' = ' if left else ''}func.call {name}({passed}) : {signature}\n"
    body += "".join(_look(f"%r{i}", type_, f"r{i}") for i, type_ in enumerate(returned))
    body += "".join(_look(f"%a{i}", type_, f"a{i}") for i, type_ in enumerate(types) if type_.startswith("memref<"))
    body += "".join(_look(f"%a{i}", type_, f"l{i}", 1) for i, type_ in enumerate(types) if _sized(type_))
    body += "    func.call @memlane_leave() : () -> ()\n"
    body += "".join(f"    memref.dealloc %r{i} : {t}\n" for i, t in enumerate(returned) if t.startswith("memref"))
    return f"""
func.func private @memlane_run_{number}() {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %patterns = arith.constant {PATTERNS} : index
  %number = arith.constant {number} : index
  scf.for %pattern = %c0 to %patterns step %c1 {{
    func.call @memlane_begin(%pattern) : (index) -> ()
{body}    func.call @memlane_end() : () -> ()
  }}
  func.call @memlane_report(%number) : (index) -> ()
  return
}}
"""


def _argument(name: str, type_: str) -> str:
    if type_ == "i1":
        return f"    {name} = func.call @memlane_flag() : () -> i1\n"
    if type_ == "index":
        return f"    {name} = func.call @memlane_number() : () -> index\n"
    if not type_.startswith("memref"):
        return f"    {name} = arith.constant {'1.0' if type_.startswith('f') else '1'} : {type_}\n"
    sizes = ", ".join(["%sixteen" + name[1:]] * type_.count("?"))
    size = f"    %sixteen{name[1:]} = arith.constant 16 : index\n" if sizes else ""
    return f"{size}    {name} = memref.alloc({sizes}) : {type_}\n"


def _split(text: str) -> list[str]:
    return list(_parts(text))


def _parts(text: str) -> Iterator[str]:
    """The entries of a list, told apart by the commas outside brackets."""
    depth, start = 0, 0
    for position, character in enumerate(text):
        depth += {"<": 1, "(": 1, ">": -1, ")": -1}.get(character, 0)
        if character == "," and depth == 0:
            yield text[start:position].strip()
            start = position + 1
    if text[start:].strip():
        yield text[start:].strip()

"""Layouts of the text: repairing a text that is laid out otherwise is laying out the repaired text otherwise."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from literate import CONFIG
from memlane.checking import check
from memlane.config import Config, load_config
from memlane.fixes import fix_all

HERE = Path(__file__).parent
ADVICE = [p for p in sorted((HERE / "advice").glob("*.mlir")) if not p.name.endswith(".fixed.mlir")]
PROGRAMS = [HERE / "programs" / f"{name}.mlir" for name in ("branches", "ownership", "returned", "wrong")]
OPT = shutil.which("mlir-opt-22")
REMARK = "  // Größe 4×4 \U0001f680 \u2028 {{ ) %x"


def crlf(text: str) -> str:
    return text.replace("\n", "\r\n")


def tabs(text: str) -> str:
    return re.sub(r"^( {2})+", lambda found: "\t" * (len(found[0]) // 2), text, flags=re.MULTILINE)


def wide(text: str) -> str:
    return re.sub(r"^( {2})+", lambda found: found[0] * 2, text, flags=re.MULTILINE)


def deep(text: str) -> str:
    """All of it further to the right."""
    return re.sub(r"^(?=[^\n])", "       ", text, flags=re.MULTILINE)


LAYOUTS: list[tuple[Path, Callable[[str], str]]] = [
    *((path, layout) for path in (*ADVICE, *PROGRAMS) for layout in (crlf, tabs, wide, deep)),
]


def read(path: Path) -> tuple[str, Config]:
    source = path.read_bytes().decode("utf-8")
    return source, load_config(None, CONFIG.findall(source))[0]


def plain(source: str) -> str:
    """Without comments and empty lines; what says how to check is not needed any more."""
    return "\n".join(line for line in re.sub(r"[ \t]*//[^\n]*", "", source).split("\n") if line.strip()) + "\n"


@pytest.mark.slow
@pytest.mark.parametrize(("path", "layout"), LAYOUTS)
def test_layouts(path: Path, layout: Callable[[str], str]) -> None:
    source, config = read(path)
    assert fix_all(layout(source), config) == layout(fix_all(source, config))


@pytest.mark.slow
@pytest.mark.parametrize("path", [*ADVICE, *PROGRAMS], ids=lambda path: path.stem)
def test_no_comment_goes(path: Path) -> None:
    source, config = read(path)
    lines = plain(source).splitlines()
    ends = [n for n, line in enumerate(lines) if not line.endswith((",", ":"))]
    after = fix_all("".join(f"{line}{f'{REMARK} {n}.' if n in ends else ''}\n" for n, line in enumerate(lines)), config)
    assert plain(after) == plain(fix_all(plain(source), config))
    assert [number for number in ends if after.count(f"{REMARK} {number}.".strip()) != 1] == []


@pytest.mark.slow
@pytest.mark.parametrize("path", [*ADVICE, *PROGRAMS], ids=lambda path: path.stem)
def test_functions_on_one_line(path: Path) -> None:
    source, config = read(path)
    # A label begins a line.
    flat = re.sub(r"\n\s*(?!\s*\^)", " ", plain(source)).replace("} func.func", "}\nfunc.func")
    before, after = fix_all(plain(source), config), fix_all(flat, config)
    assert sorted(f.report.message for f in check(after, config).findings) == sorted(
        f.report.message for f in check(before, config).findings
    )
    assert fix_all(after, config) == after
    if OPT is not None:
        done = subprocess.run([OPT, "-", "-o", "/dev/null"], input=after, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr


@pytest.mark.slow
@settings(max_examples=30)
@given(st.data())
def test_any_space_between_lines(data: st.DataObject) -> None:
    """Lines in between, of nothing, space or a comment, change nothing else."""
    path = data.draw(st.sampled_from(ADVICE))
    source, config = read(path)
    between = st.sampled_from(["", "", "", "\n", "   \n", "\t// x\n", "// {\n", "//\n"])
    spread = "".join(data.draw(between) + line + "\n" for line in plain(source).splitlines())
    assert plain(fix_all(spread, config)) == plain(fix_all(plain(source), config))

"""Files: not too long, generated ones fresh, no traces of the machine they were written on."""

from __future__ import annotations

import ast
import re
import tokenize
from itertools import pairwise
from pathlib import Path

import pytest

from tidy.source import ROOT, python_files, tracked

LONGEST = 600
"""Lines: one topic a file. A file that is one topic is not cut into pieces that only make sense together."""

# Absolute paths of somebody's machine. Written so that the pattern does not match itself.
MACHINE = re.compile(r"(?<![\w.:/~-])/(?:work|root|home|Users|mnt|opt|private)/[\w.]")
PLACEHOLDERS = re.compile(r"/home/(?:user|you|me|runner)\b|/Users/(?:you|me)\b")

TEXT = {
    ".py",
    ".md",
    ".toml",
    ".yml",
    ".yaml",
    ".json",
    ".mlir",
    ".ts",
    ".mjs",
    ".lua",
    ".el",
    ".sh",
    ".svg",
    ".lark",
    "",
}


@pytest.mark.parametrize("folder", ["analysis", "server", "tests", "docs"])
def test_files_are_short(folder: str) -> None:
    sizes = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in python_files(ROOT / folder)}
    assert {str(path.relative_to(ROOT)): size for path, size in sizes.items() if size > LONGEST} == {}


COMMANDS = ("cli/completion.py", "cli/config.py", "cli/lanes.py")
"""A command's file is called as the command is, and so may be what does the work. Each package has its `limits.py`."""


def test_file_names_are_unique() -> None:
    """A name is found by searching for it."""
    names: dict[str, list[str]] = {}
    for path in python_files(ROOT / "analysis"):
        file = path.relative_to(ROOT / "analysis" / "memlane").as_posix()
        if not path.name.startswith("__") and path.name != "limits.py" and file not in COMMANDS:
            names.setdefault(path.name, []).append(file)
    assert {name: files for name, files in names.items() if len(files) > 1} == {}


def test_class_names_are_unique() -> None:
    """One word is one thing."""
    names: dict[str, list[str]] = {}
    for path in python_files(ROOT / "analysis"):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef):
                names.setdefault(node.name, []).append(str(path.relative_to(ROOT)))
    rules = names.pop("Rule")
    assert [Path(file).name for file in sorted(rules)] == [
        "findings.py",
        "parser_tables.py",
    ]  # of a check, and of a grammar
    assert {name: files for name, files in names.items() if len(files) > 1} == {}


ELSEWHERE = re.compile(r"^(_?(?:MAX|MIN)_[A-Z0-9_]+)(?:: \w+)? = ", re.MULTILINE)
UNEXPLAINED = re.compile(r'^(_?(?:MAX|MIN)_\w+) = .*\n(?!""")', re.MULTILINE)
LIMITS = re.compile(
    r"^(_?(?:MOST|MANY|FEW(?:ER|EST)?|NEAR|QUICK|HEAVY|LARGE(?:ST)?|SMALL(?:EST)?|ALONE|BUSY|PATIENCE|STEPS|TIMES|WAYS"
    r"|BUDGET|DEEP(?:EST)?|NARROWEST|WID(?:E|EST)|LONG(?:EST)?|ENOUGH|ROUNDS|LEVELS|BRIEF|LEAST|KEPT|TOP|TRIES)"
    r"(?:_\w+)?)(?:, \w+)* = (?:\d|\w+ \*)",
    re.MULTILINE,
)


def test_limits_say_what_they_limit() -> None:
    """`MAX_<what>` or `MIN_<what>`, in the `limits.py` of its package, with a sentence that has its unit."""
    allowed = {"PATIENCE_SECONDS", "STEPS_PER_FUNCTION", "STEPS_PER_OP", "STEPS_ALONE_PER_OP", "NEAR_SHARE", "_TOP"}
    wrong: list[str] = []
    for folder in (ROOT / "analysis" / "memlane", ROOT / "server"):
        for path in python_files(folder):
            text = path.read_text(encoding="utf-8")
            silent = UNEXPLAINED.findall(text) if path.name.endswith("limits.py") else ELSEWHERE.findall(text)
            badly = [name for name in LIMITS.findall(text) if name not in allowed]
            wrong += [f"{path.relative_to(folder).as_posix()}: {name}" for name in (*badly, *silent)]
    assert wrong == []


REACHED = re.compile(r"`(tests/[\w/]+\.(?:py|mlir))`\s+reaches\s+it\.")


def test_limits_name_a_test_that_reaches_them() -> None:
    wrong: list[str] = []
    for path in (one for folder in ("analysis", "server") for one in python_files(ROOT / folder)):
        if path.name not in ("limits.py", "_limits.py"):
            continue
        body = ast.parse(path.read_text(encoding="utf-8")).body
        limits = [(node, said) for node, said in pairwise(body) if isinstance(node, ast.Assign | ast.AnnAssign)]
        for node, said in limits:
            named = REACHED.findall(ast.literal_eval(said.value) if isinstance(said, ast.Expr) else "")
            if not named or not all((ROOT / test).is_file() for test in named):
                wrong.append(f"{path.relative_to(ROOT).as_posix()}: {ast.unparse(node)}")
    assert wrong == []


NAMED = re.compile(r"(?<![\w/.*-])((?:[a-z_]+/)*[a-z_]{2,}\.py)\b")


def test_files_that_are_named_in_code_exist() -> None:
    files = [f"/{path.relative_to(ROOT).as_posix()}" for path in tracked()]
    wrong: list[str] = []
    for folder in ("analysis", "server"):
        for path in python_files(ROOT / folder):
            named = set(NAMED.findall(path.read_text(encoding="utf-8")))
            missing = sorted(name for name in named if not any(file.endswith(f"/{name}") for file in files))
            wrong += [f"{path.relative_to(ROOT)}: {name}" for name in missing]
    assert wrong == []


def test_modules_say_what_they_are_for() -> None:
    for folder in ("analysis", "server"):
        for path in python_files(ROOT / folder):
            first = path.read_text(encoding="utf-8").lstrip()[:4].lstrip("r")
            assert not first or first.startswith('"""'), f"{path.relative_to(ROOT)} has no docstring"


@pytest.mark.slow
def test_suppressions_have_a_reason() -> None:
    silent = re.compile(r"# (?:noqa|type: ignore|pyright: ignore)(?::? ?[\w\[\], -]*\]|: ?[A-Z0-9, ]+)?\s*$")
    for path in python_files(ROOT):
        with tokenize.open(path) as stream:
            comments = [token for token in tokenize.generate_tokens(stream.readline) if token.type == tokenize.COMMENT]
        wrong = [token.start[0] for token in comments if silent.search(token.string)]
        assert not wrong, f"{path.relative_to(ROOT)}, lines {wrong}: say why, after ` -- `"


def test_no_machine_paths() -> None:
    wrong: list[str] = []
    for path in tracked():
        if path.suffix in TEXT and path.name != Path(__file__).name:
            text = PLACEHOLDERS.sub("", path.read_text(encoding="utf-8", errors="replace"))
            wrong += [f"{path.relative_to(ROOT)}: {match[0]}" for match in MACHINE.finditer(text)]
    assert not wrong, "\n".join(wrong)

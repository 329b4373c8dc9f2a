"""Who may import what (docs/architecture.md, invariants 1, 8, 10 and 13)."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from memlane.dialects import builtin_models
from memlane.flow.cfg.scc import components
from tidy.source import ANALYSIS, ROOT, imports, python_files, texts

LSP = ("pygls", "lsprotocol", "memlane_server")
HEAVY = ("asyncio", "concurrent", "email", "http", "multiprocessing", "sqlite3", "ssl", "unittest", "xml")
"""Parts of Python that take long to load and that checking a file can do without."""
SHOWN = ("memlane.agent", "memlane.cli", "memlane.ide")
"""What shows findings; what finds them must not know of it."""

LAYERS = {
    "memlane.flow": (
        *(
            "limits",
            "derived",
            "symbolic",
            "cfg",
            "effects",
            "scalars",
            "memory",
            "alias",
            "dataflow",
            "slicing",
            "typestate",
        ),
        *("interproc", "fastpath", "path_insensitive", "memo", "strategy", "function_facts", "peak"),
    ),
    "memlane.syntax": ("limits", "problems", "shapes", "lines", "tree", "names", "editing"),
}
"""Parts of a package, each built on those before it alone."""

FORMS = ANALYSIS / "syntax" / "shapes" / "forms.py"
"""A table of how operations are written, for the reader; nothing in it says what they do."""

EXAMPLE = ROOT / "examples" / "fuse_element_late.mlir"


def test_no_module_is_in_an_import_cycle() -> None:
    """Invariant 13: none, imports for typing and inside functions included."""
    files = {_module(path): path for folder in ("analysis", "server") for path in python_files(ROOT / folder)}
    lead: dict[str, list[str]] = {}
    for module, path in files.items():
        names = imports(path) & files.keys()
        lead[module] = [*(names - {name.rpartition(".")[0] for name in names})]  # of `from a import b` it is `b`
    circles = [sorted(members) for members in components(files, lead.__getitem__) if len(members) > 1]
    assert not circles


def _module(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts[1:]
    return ".".join(parts).removesuffix(".__init__")


@pytest.mark.slow
def test_analysis_imports_no_lsp() -> None:
    allowed = {ANALYSIS / "cli" / "server.py"}  # starts the server, when that is what the user asked for
    for path in python_files(ANALYSIS):
        wrong = {name for name in imports(path) if name.partition(".")[0] in LSP}
        assert not wrong or path in allowed, f"{path.relative_to(ROOT)} imports {', '.join(sorted(wrong))}"


@pytest.mark.slow
@pytest.mark.parametrize("arguments", [["check", str(EXAMPLE)], ["rules"], ["explain", "leak"], ["--help"]])
def test_command_line_starts_with_nothing_heavy(arguments: list[str]) -> None:
    unwanted = {*LSP, *HEAVY}
    program = (
        "import sys; from memlane.cli import main\n"
        "try: main(sys.argv[1:])\n"
        "except SystemExit: pass\n"
        f"print(sorted(set(sys.modules) & {unwanted!r}), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments], capture_output=True, text=True, timeout=600, check=True
    )
    assert done.stderr.splitlines()[-1] == "[]"
    assert done.stdout


@pytest.mark.slow
def test_analysis_does_not_know_who_shows_it() -> None:
    for path in python_files(ANALYSIS):
        if (
            not any(path.is_relative_to(ANALYSIS / name.partition(".")[2]) for name in SHOWN)
            and path.parent != ANALYSIS
        ):
            wrong = {name for name in imports(path) if name.startswith(SHOWN)}
            assert not wrong, f"{path.relative_to(ROOT)} imports {', '.join(sorted(wrong))}"


@pytest.mark.slow
@pytest.mark.parametrize("package", LAYERS)
def test_parts_of_a_package_are_built_on_those_before_them(package: str) -> None:
    order = LAYERS[package]
    folder = ANALYSIS / package.rpartition(".")[2]
    assert {path.stem for path in folder.iterdir() if not path.name.startswith("__")} == set(order)
    for path in python_files(folder):
        part = path.relative_to(folder).parts[0].removesuffix(".py")
        if part == "__init__":
            continue
        used = {name.split(".")[2] for name in imports(path, typing=False) if name.startswith(f"{package}.")}
        wrong = {one for one in used if order.index(one) > order.index(part)}
        assert not wrong, f"{path.relative_to(ROOT)} imports {', '.join(sorted(wrong))}"


@pytest.mark.slow
def test_no_code_outside_dialects_knows_an_operation() -> None:
    known = set(builtin_models().ops)
    prefixes = {name.partition(".")[0] + "." for name in known}
    wrong: list[str] = []
    for folder in (ANALYSIS, ROOT / "server"):
        for path in python_files(folder):
            if path.is_relative_to(ANALYSIS / "dialects") or path == FORMS:
                continue
            wrong += [
                f"{path.relative_to(ROOT)}:{text.lineno}: {text.value!r}"
                for text in texts(path)
                if text.value in known or text.value in prefixes
            ]
    assert not wrong, "describe what the operation does in a model instead:\n" + "\n".join(wrong)


@pytest.mark.parametrize("statement", ["import pygls", "from lsprotocol import types", "from pygls.lsp import server"])
def test_linter_holds_the_door(statement: str) -> None:
    ruff = Path(sys.executable).with_name("ruff") if Path(sys.executable).with_name("ruff").exists() else None
    command = str(ruff or shutil.which("ruff") or "")
    if not command:
        pytest.skip("needs ruff")

    def judged(file: str) -> str:
        done = subprocess.run(
            [command, "check", "--output-format=concise", "--select=TID251", f"--stdin-filename={file}", "-"],
            input=f"{statement}\n",
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
            cwd=ROOT,
        )
        return done.stdout

    assert "TID251" in judged("analysis/memlane/flow/cfg/graph.py")
    assert "TID251" not in judged("server/memlane_server/server.py")


@pytest.mark.slow
def test_nobody_waits_for_openssl() -> None:
    """Neither a check nor the server loads what nobody here speaks through: 5 MB, and milliseconds at each start."""
    check = f"from memlane.cli import main; main(['check', {str(EXAMPLE)!r}])"
    serve = "from memlane_server import start; start.prepare(); import memlane_server.server"
    for program in (check, serve):
        told = "import sys; print(sorted({'_ssl', '_hashlib'} & {*sys.modules}), file=sys.stderr)"
        command = [sys.executable, "-c", f"{program}; {told}"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=True)
        assert done.stderr.splitlines()[-1] == "[]", program


def test_encrypted_connections_are_there_for_who_wants_them() -> None:
    program = "from memlane_server import start; start.prepare(); import ssl; ssl.create_default_context()"
    subprocess.run([sys.executable, "-c", program], timeout=600, check=True)

"""The Python interface: its names, its types, and what importing it costs."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from threading import Thread

import pytest

import memlane

SOURCE = Path(memlane.__file__)
PAGE = SOURCE.parent.parent.parent / "docs" / "reference" / "python.md"
LEAK = "func.func @f() {\n  %a = memref.alloc() : memref<4xf32>\n  return\n}\n"


def test_names_for_people_and_for_type_checkers_are_the_same() -> None:
    typed = set(
        re.findall(r"^    from memlane\.\w+ import (\w+) as \1$", SOURCE.read_text(encoding="utf-8"), re.MULTILINE)
    )
    assert typed == set(memlane.__all__) - {"__version__"}
    assert sorted(memlane.__all__) == dir(memlane)
    for name in memlane.__all__:
        assert getattr(memlane, name).__doc__, name
    assert not hasattr(memlane, "nothing")


def test_every_name_is_on_the_page() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert [name for name in memlane.__all__ if name != "__version__" and f"`{name}" not in page] == []


def test_importing_it_imports_no_analysis() -> None:
    program = "import sys, memlane; memlane.__version__; print([m for m in sys.modules if m.startswith('memlane.')])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=600, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.slow
def test_type_checkers_know_it(tmp_path: Path) -> None:
    file = tmp_path / "user.py"
    file.write_text(
        "import memlane\nreveal_type(memlane.check('').findings)\nreveal_type(memlane.fix_all(''))\nmemlane.check(1)\n"
    )
    command = [sys.executable, "-m", "pyright", "--pythonpath", sys.executable, str(file)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False, cwd=tmp_path)
    assert 'Type of "memlane.check(\'\').findings" is "tuple[Finding, ...]"' in done.stdout, done.stdout + done.stderr
    assert 'Type of "memlane.fix_all(\'\')" is "str"' in done.stdout
    assert "1 error" in done.stdout


def test_threads_share_it() -> None:
    found: list[tuple[str, ...]] = []

    def work() -> None:
        found.append(tuple(finding.rule.name for finding in memlane.check(LEAK).findings))

    threads = [Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [("leak",)] * 8

"""Output on a full disk, and what a process leaves behind that is killed while it writes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from memlane.cli.atomic_write import replace_content
from memlane.results.leftovers import new_beside, remove_leftovers
from tests.hostile.test_writing import LATE, LEAK, names

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="limits of file sizes, SIGKILL and locks are Unix'")
LIMITED = """\
import resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
sys.dont_write_bytecode = True  # what is compiled would be cut off, for all processes after this one
resource.setrlimit(resource.RLIMIT_FSIZE, (100, resource.RLIM_INFINITY))
from memlane.cli import main
sys.exit(main(sys.argv[1:]))
"""
OUTPUTS = [
    ["check", "-q", "leak.mlir", "--output-format", "json", "--output-file"],
    ["check", "-q", "leak.mlir", "--write-baseline", "--baseline"],
    ["lanes", "--format", "svg", "leak.mlir", "-o"],
    ["passes", "-q", "log.mlir", "--html"],
    ["dialect", "import", "--force", "irdl.mlir", "-o"],
]


@pytest.mark.slow
@pytest.mark.parametrize("command", OUTPUTS, ids=lambda one: one[0] + one[-1])
@pytest.mark.parametrize("there", [False, True])
def test_output_on_a_full_disk(tmp_path: Path, command: list[str], there: bool) -> None:
    """No file may grow beyond 100 bytes. What was there is there, complete; half a report is none."""
    (tmp_path / "leak.mlir").write_text(LEAK)
    (tmp_path / "log.mlir").write_text(f"// -----// IR Dump After P (p) //----- //\n{LEAK}")
    operations = "".join(f"irdl.operation @op{number} {{ }} " for number in range(20))
    (tmp_path / "irdl.mlir").write_text(f"module {{ irdl.dialect @npu {{ {operations} }} }}\n")
    if there:
        (tmp_path / "out").write_text('{"version": 1, "findings": {}}')
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    line = [sys.executable, "-c", LIMITED, *command, "out"]
    done = subprocess.run(line, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 2 and "File too large" in done.stderr and "Traceback" not in done.stderr, done.stderr
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


KILLED = """\
import os, pathlib, signal, sys
os.replace = lambda *_, **__: os.kill(os.getpid(), signal.SIGKILL)
from memlane.cli.atomic_write import replace_content
replace_content(pathlib.Path(sys.argv[1]), b"new")
"""


def test_what_a_killed_process_leaves_behind_goes(tmp_path: Path) -> None:
    """With the next file that is written in that folder, and nothing else with it."""
    late, mine = tmp_path / "late.mlir", tmp_path / "mine"
    late.write_text(LATE)
    done = subprocess.run([sys.executable, "-c", KILLED, str(late)], check=False)
    assert done.returncode == -signal.SIGKILL and len(names(tmp_path)) == 2 and late.read_text() == LATE
    mine.write_text("mine")
    kept = [".late.mlir.abcd1234.new", ".late.mlir.memlane-abcd1234.new~", "late.mlir.memlane-abcd1234.new", ".memlane"]
    for name in kept:
        (tmp_path / name).write_text("mine")
    (tmp_path / ".a.memlane-abcd1234.new").symlink_to("mine")
    (tmp_path / ".b.memlane-abcd1234.new").mkdir()
    os.mkfifo(tmp_path / ".c.memlane-abcd1234.new")
    kept += [f".{name}.memlane-abcd1234.new" for name in "abc"]
    program = (
        "import pathlib, sys\n"
        "from memlane.cli.atomic_write import replace_content\n"
        "replace_content(pathlib.Path(sys.argv[1]), b'')"
    )
    subprocess.run([sys.executable, "-c", program, str(tmp_path / "other.mlir")], check=True, timeout=600)
    assert names(tmp_path) == sorted(["late.mlir", "mine", "other.mlir", *kept])


def test_what_is_being_written_stays(tmp_path: Path) -> None:
    number, beside = new_beside(tmp_path / ("x" * 200 + ".mlir"))
    remove_leftovers(tmp_path)
    assert beside.exists()
    os.close(number)
    remove_leftovers(tmp_path)
    assert not beside.exists()


@pytest.mark.parametrize("name", ["x" * 250 + ".mlir", "写" * 83 + ".mlir"])
def test_names_as_long_as_they_may_be(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text("old")
    replace_content(path, b"new")
    assert names(tmp_path) == [name] and path.read_bytes() == b"new"


@pytest.mark.slow
def test_two_that_write_and_clear(tmp_path: Path) -> None:
    """What one writes is not what another one clears away."""
    program = (
        "import pathlib, sys\nfrom memlane.cli import atomic_write as writing\n"
        "for number in range(300):\n"
        "    writing._cleared.clear()\n"
        "    writing.replace_content(pathlib.Path(sys.argv[1]), b'new')\n"
    )
    line = [sys.executable, "-c", program]
    both = [subprocess.Popen([*line, str(tmp_path / name)]) for name in ("a.mlir", "b.mlir")]
    assert [one.wait(timeout=600) for one in both] == [0, 0]
    assert names(tmp_path) == ["a.mlir", "b.mlir"]


COMMANDS = """\
passes -q log.mlir
passes -q --output-format json-lines log.mlir
check -q leak.mlir
check --help
diff leak.mlir leak.mlir
dialect import irdl.mlir
stats leak.mlir
lanes leak.mlir
parse leak.mlir
explain leak
rules
config
config --schema
completion bash
--help
"""


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS.splitlines())
def test_a_reader_that_leaves_is_no_failure(tmp_path: Path, command: str) -> None:
    """`memlane passes LOG | head`: no message, and no exit code that says that something failed."""
    (tmp_path / "leak.mlir").write_text(LEAK)
    (tmp_path / "log.mlir").write_text(f"// -----// IR Dump After P (p) //----- //\n{LEAK}" * 20)
    (tmp_path / "irdl.mlir").write_text("module { irdl.dialect @npu { irdl.operation @go { } } }\n")
    reader, writer = os.pipe()
    os.close(reader)
    line = [sys.executable, "-m", "memlane", *command.split()]
    done = subprocess.run(line, cwd=tmp_path, stdout=writer, stderr=subprocess.PIPE, text=True, check=False)
    os.close(writer)
    said = [line for line in done.stderr.splitlines() if not line.endswith("of them guessed")]
    assert (done.returncode, said) == (0, [])


@pytest.mark.slow
def test_a_reader_that_leaves_in_the_middle(tmp_path: Path) -> None:
    (tmp_path / "log.mlir").write_text(f"// -----// IR Dump After P (p) //----- //\n{LEAK}" * 60)
    shell = f"{sys.executable} -m memlane passes -q log.mlir | head -2"
    done = subprocess.run(["sh", "-c", shell], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert len(done.stdout.splitlines()) == 2 and done.stderr == ""

"""Files, folders and streams at their worst: a clear message, the findings of all else, exit code 2, no traceback."""

from __future__ import annotations

import errno
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from memlane.cancellation import cancellable, poll
from memlane.checking import check
from memlane.cli import main, rlimit
from tests.hostile.test_writing import LATE, LEAK

CHECK = [sys.executable, "-m", "memlane", "check", "--no-cache", "--output-format", "concise", "-q"]
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="Unix only")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with one program."""
    (tmp_path / "leak.mlir").write_text(LEAK)
    return tmp_path


def run(*arguments: object, timeout: float | None = None) -> tuple[int, str, str]:
    """Exit code, output and errors of `memlane check`; a traceback fails."""
    command = [*CHECK, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, check=False, timeout=timeout)
    errors = done.stderr.decode(errors="replace")
    assert "Traceback" not in errors and "Exception" not in errors, errors
    return done.returncode, done.stdout.decode(errors="replace"), errors


@pytest.mark.slow
@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"func.func @f() {\n\xff\n}\n", "is not UTF-8: byte 0xff in line 2"),
        (b"\xed\xa0\x80", "is not UTF-8: byte 0xed in line 1"),  # a lone surrogate
        ("\ufeffmodule {}".encode("utf-16-le"), "is not UTF-8: byte 0xff in line 1"),
        (b"ML\xefR\x01", "is MLIR bytecode; print it as text first (`mlir-opt FILE`)"),
    ],
)
def test_what_is_no_text(folder: Path, data: bytes, message: str) -> None:
    path = folder / "bad.mlir"
    path.write_bytes(data)
    code, output, errors = run(folder)
    assert (code, errors) == (2, f"memlane: {path}: {message}\n")
    assert "leak.mlir:2:8: warning[leak]" in output


@pytest.mark.slow
@pytest.mark.parametrize(
    "text", ["\0", "\0" * 1000, "a\0b", "\u2028", "\x0c\x1b[2J", "\ufeff", "", "\n" * 1000, "%" * 999]
)
def test_odd_characters(folder: Path, text: str) -> None:
    """They are text like any other: what stands around them is read."""
    path = folder / "odd.mlir"
    path.write_text(f"{text}\n{LEAK}", encoding="utf-8")
    code, output, errors = run(path)
    assert (code, errors) == (1, "")
    assert "warning[leak]" in output
    assert "\x1b[2J" not in output, "a terminal would obey"


def test_lines_end_in_three_ways() -> None:
    """And nowhere else: U+2028, form feeds and the like stand in lines."""
    lines = LEAK.rstrip("\n").split("\n")
    for end in ("\n", "\r\n", "\r"):
        text = end.join(lines)
        [found] = check(text).findings
        assert check(text).text.position(found.report.span.start) == (1, 7)
    mixed = f"// a\u2028b\x0c\x85\r{lines[0]}\r\n{lines[1]}\n{lines[2]}\r{lines[3]}"
    [found] = check(mixed).findings
    assert check(mixed).text.position(found.report.span.start) == (2, 7)


@pytest.mark.slow
def test_names_that_lead_nowhere(folder: Path) -> None:
    for name, message in [
        ("missing.mlir", "no such file or directory"),
        ("n" * 5000, "cannot be read: File name too long"),
        ("leak.mlir/inside", "no such file or directory"),
    ]:
        code, output, errors = run(folder / name, folder / "leak.mlir")
        assert code == 2 and errors == f"memlane: {folder / name}: {message}\n"
        assert "warning[leak]" in output


@pytest.mark.slow
@POSIX
def test_names_that_are_no_text(folder: Path) -> None:
    path = os.fsencode(folder) + b"/odd\xff\n.mlir"
    with open(path, "w") as file:
        file.write(LEAK)
    code, output, errors = run(folder)
    assert (code, errors) == (1, "")
    assert output.count("warning[leak]") == 2


@pytest.mark.slow
@POSIX
def test_links(folder: Path) -> None:
    """Folders behind links are not searched, so loops end; a link to itself is told."""
    (folder / "inside").mkdir()
    (folder / "inside" / "up").symlink_to(folder)
    (folder / "gone.mlir").symlink_to("nowhere")
    (folder / "again.mlir").symlink_to("leak.mlir")
    code, output, errors = run(folder)
    assert (code, errors, output.count("warning[leak]")) == (1, "", 2)
    (folder / "loop.mlir").symlink_to("loop.mlir")
    code, output, errors = run(folder)
    assert (code, output.count("warning[leak]")) == (2, 2)
    assert errors == f"memlane: {folder / 'loop.mlir'}: cannot be read: Too many levels of symbolic links\n"


@pytest.mark.slow
@POSIX
def test_pipes_in_folders_are_not_read(folder: Path) -> None:
    os.mkfifo(folder / "pipe.mlir")
    assert run(folder, timeout=600)[::2] == (1, "")


def unreadable(forbidden: Path, call: Callable[..., object]) -> Callable[..., object]:
    """`call`, which may do anything but what concerns one path. (As root, everything may be read.)"""

    def guarded(path: object, *rest: object, **options: object) -> object:
        if Path(str(path)) == forbidden:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
        return call(path, *rest, **options)

    return guarded


def test_files_and_folders_that_may_not_be_read(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    secret, closed = folder / "secret.mlir", folder / "closed"
    secret.write_text(LATE)
    closed.mkdir()
    (folder / ".gitignore").write_text("nothing\n")
    monkeypatch.setattr(os, "scandir", unreadable(closed, os.scandir))
    monkeypatch.setattr(Path, "open", unreadable(secret, unreadable(folder / ".gitignore", Path.open)))
    assert main(["check", "--no-cache", "--output-format", "concise", "-q", str(folder)]) == 2
    told = capsys.readouterr()
    assert told.err.splitlines() == [
        f"memlane: {folder / '.gitignore'}: cannot be read: Permission denied",
        f"memlane: {closed}: cannot be searched: Permission denied",
        f"memlane: {secret}: cannot be read: Permission denied",
    ]
    assert "warning[leak]" in told.out


def test_ignore_files_with_nonsense(folder: Path) -> None:
    """Lines that are no pattern are passed over, as git does; the others hold."""
    (folder / "other.mlir").write_text(LEAK)
    (folder / ".gitignore").write_bytes(b"!\n[\n\\\n\xff\n/\nother.mlir\n[z-a]\n")
    code, output, errors = run(folder)
    assert (code, errors, output.count("warning[leak]")) == (1, "", 1)


@pytest.mark.slow
def test_files_replaced_while_they_are_read(folder: Path) -> None:
    """Each is seen as it was at one moment: as a whole program, or not at all."""
    paths = [folder / f"{number}.mlir" for number in range(20)]
    stop = time.monotonic() + 6
    process = None
    while time.monotonic() < stop:
        if process is None or process.poll() is not None:
            process = subprocess.Popen([*CHECK, str(folder)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for path in paths:
            new = path.with_suffix(".new")
            new.write_text(LEAK if random.random() < 0.5 else LATE)
            new.replace(path)
        paths[-1].unlink()
        if process.poll() is not None:
            output, errors = process.communicate()
            assert "Traceback" not in errors and "syntax" not in output
            assert all("cannot be read: No such file" in line for line in errors.splitlines())
    assert process is not None
    process.communicate()


@pytest.mark.slow
@POSIX
def test_streams_that_fail(folder: Path) -> None:
    path = folder / "leak.mlir"
    if Path("/dev/full").exists():
        with open("/dev/full", "w") as full:
            done = subprocess.run([*CHECK, path], stdout=full, stderr=subprocess.PIPE, check=False)
        assert (done.returncode, done.stderr) == (2, b"memlane: the output: No space left on device\n")
    for closed, code in (("<&-", 1), (">&-", 1), ("2>&-", 1), ("<&- >&- 2>&-", 1)):
        shell = f'"$@" {closed}'
        done = subprocess.run(["sh", "-c", shell, "sh", *CHECK, path], capture_output=True, check=False)
        assert done.returncode == code and b"Traceback" not in done.stderr, closed
    done = subprocess.run(["sh", "-c", '"$@" | true', "sh", *CHECK, path], capture_output=True, check=False)
    assert done.stderr == b""


READY = """\
import os, sys
from memlane import signals as endings
end_silently = endings.end_silently
def ready():
    end_silently()
    os.write(1, b"!")
endings.end_silently = ready
from memlane.__main__ import run
run()
"""
"""The command line, which says when it begins: what interrupts Python before that is not ours to answer."""


@pytest.mark.slow
@POSIX
@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize("everybody", [True, False])
def test_interrupts_at_any_moment(folder: Path, jobs: str, everybody: bool, ending: signal.Signals) -> None:
    """Ctrl-C reaches the whole group, `kill` one process: either way all of them end by it, silently."""
    for number in range(10):
        (folder / f"{number}.mlir").write_text("".join(LEAK.replace("@f", f"@f{n}") for n in range(40)))
    choose = random.Random(f"{jobs} {everybody} {ending}")
    for _ in range(4):
        process = subprocess.Popen(
            [sys.executable, "-c", READY, *CHECK[3:], "-j", jobs, str(folder)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        assert process.stdout is not None and process.stdout.read(1) == b"!"
        time.sleep(choose.uniform(0, 1))
        os.killpg(process.pid, ending) if everybody else process.send_signal(ending)
        _, errors = process.communicate(timeout=300)  # also of those it started: they hold the pipe
        assert errors == b""
        assert process.returncode in (-ending, 1)  # 1: it was done


def _checking(body: str, folder: Path) -> list[str]:
    """The command line for two processes that do `body` (`path`, `settings`) in place of `check_file`."""
    instead = (
        f"from memlane.cli import pool as workers\ncheck = workers.check_file\ndef instead(path, settings):\n{body}"
    )
    program = READY.replace("import os", "import os, signal")
    program = program.replace("run()", f"{instead}workers.check_file = instead\nrun()")
    return [sys.executable, "-c", program, *CHECK[3:], "-j", "2", str(folder)]


@POSIX
def test_the_system_ends_those_who_check(folder: Path) -> None:
    """One may die with a lock that the other has begun to wait for: a handler in Python would never run there."""
    (folder / "other.mlir").write_text(LEAK)
    default = "signal.getsignal(signal.SIGTERM) is signal.SIG_DFL"
    command = _checking(f"    os.write(1, b'%d' % ({default}))\n    return check(path, settings)\n", folder)
    told = subprocess.run(command, stdout=subprocess.PIPE, check=False).stdout
    assert told.startswith(b"!11")


@POSIX
def test_nobody_is_left_of_those_who_are_killed(folder: Path) -> None:
    """Not even where the process that started the others has no time to say so."""
    (folder / "other.mlir").write_text(LEAK)
    command = _checking("    os.write(1, b'?')\n    signal.pause()\n", folder)
    process = subprocess.Popen(command, stdout=subprocess.PIPE, start_new_session=True)
    try:
        assert process.stdout is not None and process.stdout.read(3) == b"!??"
        process.kill()
        assert process.communicate(timeout=300) == (b"", None)  # the end, as nobody holds the pipe any more
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)


@pytest.mark.slow
@POSIX
def test_a_process_that_is_killed(folder: Path) -> None:
    """Its work is done again; only a file that kills two goes without findings, and that is said."""
    program = (
        "import os, sys\n"
        "from memlane.cli import scheduler as work, pool as workers\n"
        "check = work.check_file\n"
        "def deadly(path, settings):\n"
        "    once = path.with_suffix('.tried')\n"
        "    if path.name == 'always.mlir' or (path.name == 'once.mlir' and not once.exists()):\n"
        "        once.touch()\n"
        "        os.kill(os.getpid(), 9)\n"
        "    return check(path, settings)\n"
        "workers.check_file = deadly\n"
        "from memlane.cli import main\n"
        "sys.exit(main(sys.argv[1:]))\n"
    )
    for name in ("always", "once", "z"):
        (folder / f"{name}.mlir").write_text(LEAK)
    command = [sys.executable, "-c", program, *CHECK[3:], "-j", "2", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
    always = folder / "always.mlir"
    assert done.stderr == f"memlane: {always}: the process that checked it was killed; is there enough memory?\n"
    assert done.returncode == 2
    assert [line.split(":")[0].rpartition("/")[2] for line in done.stdout.splitlines()] == [
        *("leak.mlir", "once.mlir", "z.mlir")
    ]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="limits of memory hold on Linux")
def test_too_little_memory(folder: Path) -> None:
    """It is said, in one line. The interpreter may say before it what it could not clean up, for the same reason."""
    import resource

    path = folder / "large.mlir"
    path.write_text(LEAK * 10_000)

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (100_000_000, 100_000_000))

    command = [*CHECK, str(path), "-j", "1"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, preexec_fn=limit)
    assert done.returncode == 2
    said = (f"memlane: {path}: needs more memory than there is\n", "memlane: there is not enough memory\n")
    assert done.stderr.endswith(said), done.stderr
    before = done.stderr.removesuffix(said[0]).removesuffix(said[1])
    assert before == "" or before.startswith("Exception ignored"), before
    assert "memlane:" not in before


@pytest.mark.skipif(sys.platform != "linux", reason="limits of memory hold on Linux")
def test_work_ends_before_memory_does(monkeypatch: pytest.MonkeyPatch) -> None:
    from resource import RLIM_INFINITY, RLIMIT_AS, getrlimit

    soft, _ = getrlimit(RLIMIT_AS)
    assert rlimit.address_limit() == (None if soft == RLIM_INFINITY else soft)
    assert rlimit.addresses() > 0
    used = [50_000_000]
    monkeypatch.setattr(rlimit, "addresses", lambda: used[0])

    def work() -> None:
        for _ in range(2 * rlimit.POLLS_PER_LOOK):
            poll()

    with cancellable(rlimit.Limited(100_000_000)):
        work()
        used[0] = 100_000_000 - rlimit.MARGIN_BYTES + 1
        with pytest.raises(MemoryError):
            work()


def test_a_baseline_that_is_nested_without_end(folder: Path) -> None:
    (folder / "base.json").write_text("[" * 100_000)
    code, output, errors = run("--baseline", folder / "base.json", folder / "leak.mlir")
    assert code == 2 and "is nested too deeply" in errors and "warning[leak]" in output

"""A workspace is untrusted input: nothing in it is executed, opened unasked, or sent anywhere."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

from memlane.cli import main
from tests.hostile.test_writing import LATE, LEAK
from tests.server.client import REAL, Client

ROOT = Path(__file__).resolve().parents[2]
AUDITED = """\
import sys
sys.path[:] = [path for path in sys.path if path]  # as the command `memlane` has it, other than `python -c`
def hook(event, args):
    if event.startswith(("socket.", "urllib.", "http.", "ftplib.", "smtplib.", "webbrowser.")):
        raise SystemExit(f"the network: {event} {args}")
    if event in ("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.startfile"):
        raise SystemExit(f"a process: {event} {args}")
    if event == "open" and isinstance(args[0], str) and "secret" in args[0]:
        raise SystemExit(f"a file nobody named: {args[0]}")
    if event in ("exec", "compile") and "hostile" in str(args):
        raise SystemExit(f"code of the workspace: {event} {args}")
sys.addaudithook(hook)
from memlane.cli import main
sys.exit(main(sys.argv[1:]))
"""
"""The command line, ended by what it must not do. Sockets that never leave the machine count as well."""

COMMANDS = [
    ["check", "--no-cache", "."],
    ["check", "--fix", "--unsafe-fixes", "--no-cache", "-j", "1", "."],
    ["check", "--no-cache", "--output-format", "sarif", "--show-fixes", "."],
    ["stats", "a.mlir"],
    ["lanes", "a.mlir"],
    ["parse", "--output-format", "json", "a.mlir"],
    ["config"],
    ["explain", "leak"],
    ["rules"],
]


def audited(folder: Path, command: list[str]) -> subprocess.CompletedProcess[str]:
    """Run a command in a folder, with everything watched."""
    line = [sys.executable, "-c", AUDITED, *command]
    return subprocess.run(line, cwd=folder, capture_output=True, text=True, check=False, timeout=600)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A workspace with a program that names files, and modules of the names that we import."""
    (tmp_path / "a.mlir").write_text(LEAK.replace("return", 'return loc("secret.txt":1:1)') + LATE)
    (tmp_path / "secret.txt").write_text("nobody's business\n")
    for name in ("memlane", "pygls", "lark", "pathspec", "json", "typing", "sitecustomize", "usercustomize"):
        (tmp_path / f"{name}.py").write_text('raise SystemExit("hostile: code of the workspace runs")\n')
    return tmp_path


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_no_network_no_process_no_file_that_nobody_named(folder: Path, command: list[str]) -> None:
    done = audited(folder, command)
    assert done.returncode in (0, 1), done.stderr
    assert "the network" not in done.stderr and "hostile" not in done.stderr + done.stdout


def test_the_audit_sees(folder: Path) -> None:
    """What the tests above rely on: opening the file would have ended the command."""
    done = audited(folder, ["check", "--no-cache", "secret.txt"])
    assert "a file nobody named" in done.stderr


CONFIGURATIONS = [
    "extend = \"__import__('os').system('touch ran')\"\n",
    'models = ["$(touch ran)", "|touch ran", "`touch ran`"]\n',
    '[op."x.y"]\nalloc = [{ result = 0, resource = "{0.__class__}" }]\n',
    "select = [\"leak; import os; os.system('touch ran')\"]\n",
    '[tool]\nextend = { path = "secret.txt" }\n',
    'extend = "https://example.com/memlane.toml"\n',
    'extend = "file:///etc/passwd"\n',
]


@pytest.mark.slow
@pytest.mark.parametrize("text", CONFIGURATIONS)
def test_configuration_is_data(folder: Path, text: str) -> None:
    """It is read; what it says is never run, formatted or fetched, and only files that it names are opened."""
    (folder / "memlane.toml").write_text(text)
    done = audited(folder, ["check", "--no-cache", "a.mlir"])
    assert done.returncode in (0, 1, 2), done.stderr
    assert "Traceback" not in done.stderr and "the network" not in done.stderr
    assert "a process" not in done.stderr and "a file nobody named" not in done.stderr
    assert not (folder / "ran").exists()


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="devices are Unix'")
@pytest.mark.parametrize("text", ['extend = "{0}"\n', 'models = ["{0}"]\n'])
@pytest.mark.parametrize("name", ["/dev/zero", "pipe", "a\\u0000b"])
def test_configuration_names_what_never_ends(folder: Path, text: str, name: str) -> None:
    """Devices, pipes and what is no path are no files, which is said; nobody waits for their end."""
    os.mkfifo(folder / "pipe")
    (folder / "memlane.toml").write_text(text.format(name))
    done = audited(folder, ["check", "a.mlir"])
    assert done.returncode == 2 and "no file" in done.stderr, done.stderr
    assert "Traceback" not in done.stderr and "warning[leak]" in done.stdout


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes with names are Unix'")
def test_configuration_that_is_a_pipe(folder: Path) -> None:
    os.mkfifo(folder / "pyproject.toml")
    assert audited(folder, ["check", "a.mlir"]).returncode == 1


@pytest.mark.slow
def test_what_configuration_names_is_not_shown(folder: Path) -> None:
    """A file that is no configuration is said to be none, without what stands in it."""
    (folder / "password.txt").write_text("hunter2 = [unclosed\nroot:x:0:0\n")
    (folder / "memlane.toml").write_text('models = ["password.txt"]\nextend = "password.txt"\n')
    done = subprocess.run(
        [sys.executable, "-m", "memlane", "check", "--no-cache", str(folder / "a.mlir")],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert "password.txt" in done.stderr and "root:x" not in done.stderr + done.stdout


def test_a_damaged_cache_runs_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cache that came with the workspace, and that the user names, is JSON: pickles in it are no entries."""
    monkeypatch.delenv("MEMLANE_NO_CACHE")
    command = ["check", "--cache-dir", str(folder / "cache"), str(folder / "a.mlir")]
    assert main(command) == 1
    [entry] = [path for path in folder.rglob("cache/*/*/*") if path.is_file()]
    entry.write_bytes(b"cos\nsystem\n(S'touch ran'\ntR.")
    assert main(command) == 1
    assert not (folder / "ran").exists()


class Tags(HTMLParser):
    """The tags of a page that are not its own."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what runs or loads something."""
        loads = [f"{key}={value}" for key, value in attrs if key in ("src", "onerror", "onload", "onclick", "action")]
        if tag in ("img", "iframe", "object", "embed", "link", "form", "base", "b") or loads:
            self.found.append(f"{tag} {loads}")


EVIL = "<img src=x onerror=alert(1)>"
PROGRAM = f"""\
// {EVIL} </script><script>alert(2)</script> </pre> ]]> -->
func.func @"f<b>'&\\22{EVIL}"(%n: index) {{
  %a = memref.alloc(%n) {{note = "{EVIL}"}} : memref<?xf32, "{EVIL}">
  memref.dealloc %a : memref<?xf32, "{EVIL}">
  return
}}
"""


def tags(page: str) -> list[str]:
    """What a page runs or loads that is not its own."""
    found = Tags()
    found.feed(page)
    return found.found


def test_pages_escape_what_they_show(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Names, types, comments and the path itself."""
    path = tmp_path / f"{EVIL.replace('/', '')}&.mlir"
    path.write_text(PROGRAM)
    assert main(["lanes", "--format", "html", str(path)]) == 0
    page = capsys.readouterr().out
    assert "onerror" in page and tags(page) == [] and page.count("<script") == 1


@pytest.mark.slow
def test_pages_of_passes_escape_what_they_show(tmp_path: Path) -> None:
    """Names of passes and of functions."""
    log, page = tmp_path / "log.mlir", tmp_path / "page.html"
    dumps = [PROGRAM, PROGRAM.replace("  memref.dealloc", "  // memref.dealloc")]
    log.write_text("".join(f"// -----// IR Dump After {EVIL} ({EVIL}) //----- //\n{dump}\n" for dump in dumps))
    assert main(["passes", "-q", "--html", str(page), str(log)]) in (0, 1)
    assert "onerror" in page.read_text() and tags(page.read_text()) == []


HIJACK = "import os, pathlib; pathlib.Path(os.environ['MARK']).touch()\n"


@pytest.mark.slow
def test_the_bundled_server_is_shielded_from_the_workspace(tmp_path: Path) -> None:
    """`-I`: neither PYTHONPATH nor the folder that it is started in count, for it and for its worker."""
    mark = tmp_path / "ran"
    for name in ("memlane_server", "sitecustomize", "pickle", "asyncio", "lark"):
        (tmp_path / f"{name}.py").write_text(HIJACK)
    before = os.getcwd(), os.environ.get("PYTHONPATH")
    os.chdir(tmp_path)
    os.environ.update(PYTHONPATH=str(tmp_path), MARK=str(mark))
    paths = [str(ROOT / "analysis"), str(ROOT / "server"), *(p for p in sys.path if p.endswith("site-packages"))]
    start = f"import sys; sys.path[:0] = {paths!r}; from memlane_server.server import main; sys.exit(main([]))"
    try:
        with Client([sys.executable, "-I", "-c", start]) as client:
            uri = (tmp_path / "a.mlir").as_uri()
            client.open(uri, LEAK)
            assert [one["code"] for one in client.diagnostics(uri, 1)] == ["leak"]
            asked = {"textDocument": {"uri": uri}, "position": {"line": 1, "character": 3}}
            assert "memref<4xf32>" in json.dumps(client.request("textDocument/hover", asked, timeout=600))
    finally:
        os.chdir(before[0])
        del os.environ["MARK"], os.environ["PYTHONPATH"]
        os.environ.update({} if before[1] is None else {"PYTHONPATH": before[1]})
    assert not mark.exists()


def test_the_extension_starts_it_like_that() -> None:
    folder = ROOT / "vscode-extension" / "src"
    if not folder.is_dir():
        pytest.skip("the extension is not in this copy")
    sources = "\n".join(path.read_text() for path in sorted(folder.rglob("*.ts")))
    assert '"-I"' in sources or "'-I'" in sources


LOCATED = LEAK.replace("return", 'return loc("secret.mlir":3:4)')


@pytest.mark.slow
def test_places_in_locations_are_never_opened(tmp_path: Path) -> None:
    """`loc("secret.mlir":3:4)`: nothing is read at that path, and no client is told to show it, until a person asks."""
    if not Path("/proc/self/fd").exists():
        pytest.skip("needs what a process has open")
    secret = tmp_path / "secret.mlir"
    os.mkfifo(secret)  # whoever opens it to read waits for ever
    uri = (tmp_path / "a.mlir").as_uri()
    shows = {"window": {"showDocument": {"support": True}}}
    with Client(REAL, rootUri=tmp_path.as_uri(), capabilities=shows) as client:
        client.open(uri, LOCATED)
        assert [one["code"] for one in client.diagnostics(uri, 1)] == ["leak"]
        at = {"line": 2, "character": 17}
        document = {"uri": uri}
        for method in ("hover", "definition", "references", "documentHighlight", "completion"):
            params = {"textDocument": document, "position": at, "context": {"includeDeclaration": True}}
            client.reply(client.send(f"textDocument/{method}", params))
        for method in ("documentLink", "documentSymbol", "foldingRange"):
            client.reply(client.send(f"textDocument/{method}", {"textDocument": document}))
        assert client.notifications("window/showDocument") == []

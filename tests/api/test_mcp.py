"""`memlane mcp`, as the client of the official SDK sees it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

import anyio
import pytest
from mcp import Client, StdioServerParameters
from mcp_types import CallToolResult, TextContent

from memlane import __version__, check
from memlane.agent.serve import server
from memlane.cli import main
from memlane.config import Config
from memlane.fixes import Repaired, repaired
from memlane.rules import all_rules

T = TypeVar("T")
LATE = Path(__file__).resolve().parent.parent.parent / "examples" / "fuse_element_late.mlir"
LEAK = "func.func @f() {\n  %a = memref.alloc() : memref<4xf32>\n  return\n}\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A directory with a program, one below it, and one beside it."""
    root = tmp_path / "root"
    (root / "sub").mkdir(parents=True)
    (root / "late.mlir").write_bytes(LATE.read_bytes())
    (root / "sub" / "leak.mlir").write_text(LEAK)
    (tmp_path / "outside.mlir").write_text(LEAK)
    (root / "link.mlir").symlink_to(tmp_path / "outside.mlir")
    return root


def with_client(root: Path, work: Callable[[Client], Awaitable[T]]) -> T:
    async def connected() -> T:
        async with Client(server(root)) as client:
            return await work(client)

    return anyio.run(connected)


def call(root: Path, tool: str, **arguments: Any) -> CallToolResult:
    return with_client(root, lambda client: client.call_tool(tool, arguments))


def answer(root: Path, tool: str, **arguments: Any) -> dict[str, Any]:
    result = call(root, tool, **arguments)
    assert not result.is_error, result
    assert result.structured_content is not None
    return result.structured_content


def text(result: CallToolResult) -> str:
    (content,) = result.content
    assert isinstance(content, TextContent)
    return content.text


def test_tools_say_what_they_do(root: Path) -> None:
    tools = {tool.name: tool for tool in with_client(root, lambda client: client.list_tools()).tools}
    assert set(tools) == {"check", "explain", "stats", "lanes", "fix", "reduce"}
    for name, tool in tools.items():
        assert tool.description
        assert tool.annotations is not None
        assert tool.annotations.read_only_hint is (name not in {"fix", "reduce"})
        described = [key for key, value in tool.input_schema["properties"].items() if value.get("description")]
        assert described == list(tool.input_schema["properties"])


def test_check_says_what_the_command_line_says(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(root, "check", path="late.mlir")
    main(["check", "--output-format", "json", "--isolated", str(root / "late.mlir")])
    records = json.loads(capsys.readouterr().out)
    assert [{**record, "filename": "late.mlir"} for record in strip(records)] == strip(found["findings"])
    assert [record["rule"] for record in found["findings"]] == ["late-free"]


def strip(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Records without the file names in notes."""
    return [{**one, "notes": [{**note, "filename": ""} for note in one["notes"]]} for one in records]


def test_check_takes_text_and_directories(root: Path) -> None:
    found = answer(root, "check", source=LEAK, fixes=True)
    assert found["findings"][0]["fix"]["applicability"] == "safe"
    (root / "link.mlir").unlink()
    found = answer(root, "check", path=".", limit=1)
    assert (found["files"], len(found["findings"]), found["left_out"]) == (2, 1, 1)


def test_what_cannot_be_checked_is_no_reason_to_leave_out_the_rest(root: Path) -> None:
    (root / "loop.mlir").symlink_to("loop.mlir")
    (root / "bytes.mlir").write_bytes(b"\xff")
    (root / "odd").mkdir()
    (root / "odd" / "memlane.toml").write_text("ignroe = []\n")
    (root / "odd" / "odd.mlir").write_text(LEAK)
    Path(os.fsdecode(os.fsencode(root) + b"/\xff.mlir")).symlink_to(root.parent / "outside.mlir")
    found = answer(root, "check", path=".")
    assert {one["filename"] for one in found["findings"]} == {"late.mlir", "sub/leak.mlir"} and found["files"] == 2
    reasons = {one["filename"]: one["reason"] for one in found["not_checked"]}
    assert set(reasons) == {"link.mlir", "loop.mlir", "bytes.mlir", "odd/odd.mlir", "\\udcff.mlir"}
    assert "is outside" in reasons["link.mlir"] and "ignroe" in reasons["odd/odd.mlir"]


def test_a_link_that_leads_out_is_not_written(root: Path) -> None:
    (root / "folder").symlink_to(root.parent)
    for path in ("link.mlir", "folder/outside.mlir"):
        assert "is outside" in text(call(root, "fix", path=path, write=True))
    assert (root.parent / "outside.mlir").read_text() == LEAK


@pytest.mark.slow
@pytest.mark.parametrize("place", ["path", "source", "rule", "row"])
def test_halves_of_characters_get_an_answer(root: Path, place: str) -> None:
    """As they come through a pipe: escaped in JSON, which the SDK does not read. One process is asked for all of them:
    to start one takes longer than all else."""
    begin = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    tool = "explain" if place in ("rule", "row") else "check"
    asked = json.dumps(
        {"name": tool, "arguments": {place: "HALF.mlir", **({"source": LEAK} if place == "row" else {})}}
    )
    halves = ["\\ud800", "\\udfff", "\\udc00\\ud800", "\\\\\\ud800"]
    lines = [
        json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": begin}),
        json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"}),
        *(
            f'{{"jsonrpc": "2.0", "id": {number}, "method": "tools/call", "params": {asked.replace("HALF", half)}}}'
            for number, half in enumerate(halves, 2)
        ),
    ]
    command = [sys.executable, "-m", "memlane", "mcp", "--root", str(root)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write("\n".join(lines) + "\n")
        process.stdin.flush()
        answers = {answer["id"]: answer for answer in (json.loads(process.stdout.readline()) for _ in lines[1:])}
        process.stdin.close()
    assert answers.keys() == {1, 2, 3, 4, 5}
    for number in range(2, 6):
        assert answers[number]["result"].get("isError", False) == (place != "source")


def test_configuration_holds(root: Path) -> None:
    (root / "memlane.toml").write_text('ignore = ["leak"]\n')
    assert answer(root, "check", source=LEAK)["findings"] == []
    assert answer(root, "check", path="sub/leak.mlir")["findings"] == []
    (root / "memlane.toml").write_text('ignore = ["leek"]\n')
    assert "unknown rule `leek`; did you mean `leak`?" in text(call(root, "check", source=LEAK))


def test_explain(root: Path) -> None:
    assert "Why is this bad?" in text(call(root, "explain", rule="late-free"))
    assert len(text(call(root, "explain")).splitlines()) == len(all_rules())
    said = text(call(root, "explain", path="sub/leak.mlir", row=2, name="%a"))
    assert "memref<4xf32>" in said
    assert "warning [leak]: buffer %a of 16 bytes is never freed" in said


def test_stats_and_lanes(root: Path) -> None:
    (function,) = answer(root, "stats", path="late.mlir", assume={"%lhs_rows": 100, "%rhs_rows": 50})["functions"]
    assert function["peak_bytes"] == 100 * 20 + 100 * 20
    assert "sites" not in function
    (function,) = answer(root, "stats", path="late.mlir", sites=True)["functions"]
    assert [site["name"] for site in function["sites"]] == ["%root", "%sum"]
    many = "".join(LEAK.replace("@f", f"@f{number}") for number in range(10))
    assert answer(root, "stats", source=many, limit=3)["left_out"] == 7
    assert text(call(root, "lanes", source=many)).endswith("2 more functions make buffers: name one")
    eight = text(call(root, "lanes", source="".join(many.splitlines(keepends=True)[: 8 * LEAK.count("\n")])))
    assert (eight.count("@f"), "name one" in eight) == (8, False)
    drawn = text(call(root, "lanes", path="late.mlir", columns=80))
    assert "%root" in drawn
    assert max(map(len, drawn.splitlines()[1:])) <= 80  # the first names the sizes


def test_fix(root: Path) -> None:
    before = (root / "late.mlir").read_text()
    fixed = answer(root, "fix", path="late.mlir")
    assert (fixed["changed"], fixed["written"], fixed["left"]) == (True, False, [])
    assert (root / "late.mlir").read_text() == before
    assert fixed["diff"].startswith("--- a/late.mlir\n+++ b/late.mlir\n")
    assert check(fixed["text"]).findings == ()
    assert answer(root, "fix", path="late.mlir", write=True)["written"]
    assert (root / "late.mlir").read_text() == fixed["text"]
    assert answer(root, "fix", source=LEAK)["changed"]


def test_reduce(root: Path) -> None:
    before = (root / "late.mlir").read_text()
    found = answer(root, "reduce", path="late.mlir")
    assert (found["changed"], found["written"]) == (bool(found["functions"]), False)
    assert (root / "late.mlir").read_text() == before
    leaks = LEAK.replace("  return", "  %b = memref.alloc() : memref<4xf32>\n  return")
    lowered = answer(root, "reduce", source=leaks, function="f")
    assert [(one["function"], one["before_bytes"]) for one in lowered["functions"]] == [("f", 32)]
    assert check(lowered["text"]).findings == ()
    assert "no function @g" in text(call(root, "reduce", source=LEAK, function="g"))


@pytest.mark.skipif(sys.platform == "win32", reason="on Windows no folder holds pipes")
def test_a_pipe_is_not_waited_for(root: Path) -> None:
    os.mkfifo(root / "pipe.mlir")
    assert "is no file" in text(call(root, "check", path="pipe.mlir"))


def test_what_was_changed_meanwhile_is_left_alone(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def slowly(source: str, config: Config, unsafe: bool, reasons: bool) -> Repaired:
        (root / "sub" / "leak.mlir").write_text("// somebody else's\n" + source)
        return repaired(source, config, unsafe, reasons)

    monkeypatch.setattr("memlane.agent.tools.repaired", slowly)
    assert "changed while" in text(call(root, "fix", path="sub/leak.mlir", write=True))
    assert (root / "sub" / "leak.mlir").read_text() == "// somebody else's\n" + LEAK


@pytest.mark.parametrize(
    ("tool", "arguments", "said"),
    [
        ("check", {}, "either path or source"),
        ("check", {"path": "late.mlir", "source": ""}, "either path or source"),
        ("check", {"path": "../outside.mlir"}, "is outside"),
        ("check", {"path": "/etc/hostname"}, "is outside"),
        ("check", {"path": "link.mlir"}, "is outside"),
        ("fix", {"path": "link.mlir", "write": True}, "is outside"),
        ("fix", {"source": LEAK, "write": True}, "only a file can be written"),
        ("check", {"path": "nothing.mlir"}, "no such file"),
        ("stats", {"path": "sub"}, ""),
        ("explain", {"rule": "late-fre"}, "did you mean 'late-free'?"),
        ("explain", {"path": "late.mlir", "row": 1, "name": "%nothing"}, "there is no %nothing in row 1"),
        ("explain", {"path": "late.mlir", "row": 10**9, "name": "%a"}, "there is no %a"),
        ("stats", {"path": "late.mlir", "function": "nobody"}, "has no function @nobody"),
        ("lanes", {"source": "", "columns": 10}, "columns"),
        ("lanes", {"source": ""}, "no buffers are made here"),
    ],
)
def test_refusals_are_answers(tool: str, arguments: dict[str, Any], said: str, root: Path) -> None:
    result = call(root, tool, **arguments)
    assert bool(result.is_error) == bool(said), result
    assert said in text(result)


def test_arguments_that_no_tool_has_are_refused(root: Path) -> None:
    """With those that it has: `file` instead of `path` must not be taken for nothing."""
    result = call(root, "check", source=LEAK, file="late.mlir", fixs=True)
    assert result.is_error
    assert isinstance(result.content[0], TextContent)
    assert result.content[0].text == "check has no argument 'file', 'fixs' (valid: path, source, fixes, limit)"
    listed = with_client(root, lambda client: client.list_tools())
    assert all(tool.input_schema["additionalProperties"] is False for tool in listed.tools)


ODD: list[tuple[str, dict[str, Any]]] = [
    ("check", {"path": "a\0b.mlir"}),
    ("check", {"path": "a" * 6000}),
    ("check", {"path": "\ud800.mlir"}),
    ("check", {"path": 5}),
    ("check", {"source": "%\ud800 \0", "limit": 0}),
    ("explain", {"source": LEAK, "row": -5, "name": "%a"}),
    ("explain", {"source": LEAK, "row": 10**30, "name": ""}),
    ("stats", {"source": LEAK, "assume": {"?": -5, "\0": 10**300}, "limit": -1}),
    ("lanes", {"source": LEAK, "columns": 10**9}),
    ("fix", {"path": "sub/leak.mlir/inside", "write": True}),
    ("fix", {"source": "%\ud800"}),
    ("nothing", {}),
]


@pytest.mark.parametrize(("tool", "arguments"), ODD)
def test_odd_arguments_are_refused_in_words(tool: str, arguments: dict[str, Any], root: Path) -> None:
    """Each gets an answer that says why (the SDK says nothing of exceptions it does not expect)."""

    async def work(client: Client) -> tuple[CallToolResult, CallToolResult]:
        return await client.call_tool(tool, arguments), await client.call_tool("check", {"source": LEAK})

    odd, after = with_client(root, work)
    assert odd.is_error and isinstance(odd.content[0], TextContent)
    assert odd.content[0].text != f"Error executing tool {tool}"
    assert not after.is_error


@pytest.mark.parametrize("number", [-5, 0, 10**300])
def test_odd_text_and_numbers_are_taken(root: Path, number: int) -> None:
    source = LEAK.replace("4xf32", "?x?xf32").replace("()", "(%n, %n)", 1) + "// \0"
    for tool in ("check", "stats", "lanes", "fix"):
        more = {"assume": {"?": number, "\0": number}} if tool in ("stats", "lanes") else {}
        result = call(root, tool, source=source, **more)
        assert isinstance(result.content[0], TextContent)
        assert result.content[0].text != f"Error executing tool {tool}"


@pytest.mark.slow
def test_over_pipes(root: Path) -> None:
    parameters = StdioServerParameters(command=sys.executable, args=["-m", "memlane", "mcp", "--root", str(root)])

    async def work() -> tuple[str, str]:
        async with Client(parameters) as client:
            result = await client.call_tool("check", {"path": "sub/leak.mlir"})
            assert result.structured_content is not None
            info = client.server_info
            return result.structured_content["findings"][0]["rule"], info.version if info else ""

    assert anyio.run(work) == ("leak", __version__)


def test_without_the_extra(tmp_path: Path) -> None:
    program = (
        "import sys\n"
        "sys.modules['mcp'] = None\n"
        "import importlib.util as u; real = u.find_spec\n"
        "u.find_spec = lambda name, package=None: None if name == 'mcp' else real(name, package)\n"
        "from memlane.cli import main\n"
        "sys.exit(main(['mcp']))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=600, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "memlane: the MCP server needs the extra `mcp`: pip install 'memlane[mcp]'\n"


def test_a_root_that_is_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["mcp", "--root", str(tmp_path / "nothing")]) == 2
    assert "is no directory" in capsys.readouterr().err

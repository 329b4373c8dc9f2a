"""The tools over the Model Context Protocol, with its official SDK. Language models read the descriptions here."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated, Any, ParamSpec, TypeVar

from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import CallToolResult, InputRequiredResult, Tool, ToolAnnotations
from pydantic import Field

from memlane import __version__
from memlane.agent.tools import RequestRefused, Tools, text_of
from memlane.doc_links import SITE
from memlane.lazy import regex

if TYPE_CHECKING:
    from typing_extensions import Buffer

P = ParamSpec("P")
R = TypeVar("R")

INSTRUCTIONS = """\
Memlane follows every buffer of an MLIR program from its allocation to its last use and its deallocation. Use `check`
after every change to .mlir text and `explain` for what a finding means; `stats` and `lanes` show how much memory is
live, when, and which buffers take it; `fix` proposes fixes, each of them checked, and `reduce` those that lower a peak.
Every tool takes either `path`, below the directory the server was started in, or `source`, the text itself. Rows and
columns count from 1."""

ProgramPath = Annotated[str | None, Field(description="a .mlir file, relative to the server's directory")]
Source = Annotated[str | None, Field(description="MLIR text, instead of path")]
Function = Annotated[str | None, Field(description="only this function, without @")]
Assume = Annotated[
    dict[str, int] | None,
    Field(description='numbers for dimensions that the text leaves open: {"%n": 1024}; "?" for all others'),
]
READS = ToolAnnotations(read_only_hint=True, open_world_hint=False)
WRITES = ToolAnnotations(read_only_hint=False, destructive_hint=True, idempotent_hint=True, open_world_hint=False)


class Exact(MCPServer):
    """A server that refuses arguments which a tool does not have: one that is misspelt must not count for nothing."""

    async def list_tools(self) -> list[Tool]:
        """The tools, whose schemas say it as well."""
        listed = await super().list_tools()
        closed = [{**tool.input_schema, "additionalProperties": False} for tool in listed]
        return [tool.model_copy(update={"input_schema": one}) for tool, one in zip(listed, closed, strict=True)]

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[Any, Any] | None = None
    ) -> CallToolResult | InputRequiredResult:
        """Call a tool. Raises `ToolError` for arguments that it does not have, with those that it has."""
        valid = [[*tool.input_schema.get("properties", {})] for tool in await self.list_tools() if tool.name == name]
        unknown = [argument for argument in arguments if valid and argument not in valid[0]]
        if unknown:
            raise ToolError(f"{name} has no argument {', '.join(map(repr, unknown))} (valid: {', '.join(valid[0])})")
        return await super().call_tool(name, arguments, context)


def server(root: Path) -> MCPServer:
    """A server for the programs below `root`."""
    tools = Tools(root)
    made = Exact("memlane", instructions=INSTRUCTIONS, version=__version__, website_url=SITE, log_level="WARNING")

    def check(
        path: Annotated[str | None, Field(description="a .mlir file or a directory of them")] = None,
        source: Source = None,
        fixes: Annotated[bool, Field(description="look for the fix of each finding; takes longer")] = False,
        limit: Annotated[int, Field(description="maximum number of findings", ge=1)] = 100,
    ) -> dict[str, Any]:
        """Find leaks, uses after free, double frees and memory held too long, each with the execution path to it."""
        return _answered(tools.check, path, source, fixes, limit)

    def explain(
        rule: Annotated[str | None, Field(description="name of a rule, as in findings")] = None,
        path: ProgramPath = None,
        source: Source = None,
        row: Annotated[int, Field(description="row of the name to be explained")] = 0,
        name: Annotated[str, Field(description="an SSA name, such as %buffer, or another name, in that row")] = "",
    ) -> str:
        """What a rule is about, with examples; or what is known of a value; without arguments the list of rules."""
        return _answered(tools.explain, rule, path, source, row, name)

    def stats(
        path: ProgramPath = None,
        source: Source = None,
        function: Function = None,
        assume: Assume = None,
        sites: Annotated[bool, Field(description="list every buffer, too: size, life, aliases")] = False,
        limit: Annotated[int, Field(description="maximum number of functions", ge=1)] = 20,
    ) -> dict[str, Any]:
        """Bytes per function: the peak of what lives at once, where, of which buffers, and what it could be."""
        return _answered(tools.stats, path, source, function, assume or {}, sites, limit)

    def lanes(
        path: ProgramPath = None,
        source: Source = None,
        function: Function = None,
        assume: Assume = None,
        columns: Annotated[int, Field(description="width of the picture", ge=40, le=400)] = 100,
    ) -> str:
        """A picture in letters: each buffer a lane over program order, and the curve of live bytes."""
        return _answered(tools.lanes, path, source, function, assume or {}, columns)

    def fix(
        path: ProgramPath = None,
        source: Source = None,
        unsafe: Annotated[bool, Field(description="also apply fixes that may change behaviour")] = False,
        write: Annotated[bool, Field(description="write the file at path")] = False,
    ) -> dict[str, Any]:
        """The program after its fixes: as a difference and as text, and what is left to repair by hand."""
        return _answered(tools.fix, path, source, unsafe, write)

    def reduce(
        path: ProgramPath = None,
        source: Source = None,
        function: Function = None,
        assume: Assume = None,
        write: Annotated[bool, Field(description="write the file at path")] = False,
    ) -> dict[str, Any]:
        """The program with the peak of a function, or of all, lowered by safe fixes: each peak before and after."""
        return _answered(tools.reduce, path, source, function, assume or {}, write)

    for tool in (check, explain, stats, lanes):
        made.tool(annotations=READS)(tool)
    for tool in (fix, reduce):
        made.tool(annotations=WRITES)(tool)
    return made


def _answered(work: Callable[P, R], *arguments: P.args, **named: P.kwargs) -> R:
    """What `work` says; a refusal becomes an answer that the model can read."""
    try:
        return work(*arguments, **named)
    except RequestRefused as refused:
        raise ToolError(text_of(str(refused))) from None


class _Messages(io.RawIOBase):
    """Lines of JSON in which no text holds half of a character: the SDK gives such a message no answer.

    The replacement is in no file name, so the answer says that the file does not exist.
    """

    def __init__(self, lines: IO[bytes]) -> None:
        super().__init__()
        self._lines = lines
        self._left = b""

    def readable(self) -> bool:
        """It can be read."""
        return True

    def readinto(self, buffer: Buffer, /) -> int:
        """Read a part of the line under way, or of the next."""
        self._left = self._left or _ESCAPED.sub(_replaced, self._lines.readline())
        view = memoryview(buffer)
        count = min(len(view), len(self._left))
        view[:count] = self._left[:count]
        self._left = self._left[count:]
        return count


_ESCAPED = regex(rb"\\\\|(\\u[dD][89abAB]..\\u[dD][c-fC-F]..)|\\u[dD][89a-fA-F]..")
"""A backslash in a text of JSON; two halves of a character that are one; one half."""


def _replaced(found: re.Match[bytes]) -> bytes:
    return b"\\ufffd" if found[0].startswith(b"\\u") and found[1] is None else found[0]


def serve(root: Path) -> None:
    """Serve on stdin and stdout until the client is gone."""
    sys.stdin = io.TextIOWrapper(io.BufferedReader(_Messages(sys.stdin.buffer)), encoding="utf-8")
    server(root).run("stdio")

"""Server sessions in which somebody types: after every change, each request is answered as of a document opened anew.

The server runs in this process, as in `messages.py`. A change has several edits at once, as of several cursors, in any
order, in the client's units, with the whole text among them at times; what is asked is everything that is about a
place, about some lines, or about the document.
"""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Iterator
from typing import Any, cast

from memlane.findings import Edit
from memlane_server import reducing
from memlane_server.server import MemlaneServer
from tests.fuzz.incremental_edits import any_order, start
from tests.fuzz.messages import SECONDS, Collected
from tests.syntax.edits import Typist, applied, one_by_one

Json = dict[str, Any]
TYPED, ANEW = "file:///w/typed.mlir", "file:///w/fresh.mlir"
UNITS = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}
"""How positions are counted: an encoding and the bytes of its units."""
ABOUT_A_PLACE = (
    "hover definition declaration implementation references documentHighlight completion prepareRename rename "
    "selectionRange linkedEditingRange signatureHelp prepareCallHierarchy prepareTypeHierarchy"
).split()
ABOUT_LINES = ("inlayHint", "codeAction", "semanticTokens/range")
ABOUT_THE_DOCUMENT = ("documentSymbol", "foldingRange", "semanticTokens/full", "codeLens", "documentLink")
SETTINGS: Json = {"debounce": 1, "features": "all", "inlayHintPeak": False}
"""What functions take is measured later, and hints of it come when it is known."""
COSTLY = ("codeAction",)
"""What is not asked after each change, as it takes longer than all the rest."""
PLACES = 2
"""Of which something is asked after each change."""


def lines_of(source: str) -> list[str]:
    r"""The lines of a text, which end at `\n`, `\r\n` and `\r` and nowhere else, without their ends."""
    return source.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def place(source: str, offset: int, units: str) -> Json:
    """The position of an offset, which is not between the two characters of a line end."""
    encoding, size = UNITS[units]
    before = lines_of(source[:offset])
    return {"line": len(before) - 1, "character": len(before[-1].encode(encoding, "surrogatepass")) // size}


def change_of(source: str, edit: Edit, units: str) -> Json:
    """An edit in the client's form."""
    start, end = (place(source, offset, units) for offset in edit.span)
    return {"range": {"start": start, "end": end}, "text": edit.content}


def splits_a_line_end(source: str, edits: list[Edit]) -> bool:
    """Whether an edit begins or ends between the two characters of a line end: no position says so."""
    return any(source[at - 1 : at + 1] == "\r\n" for edit in edits for at in edit.span if at)


class Answers(Collected):
    """A writer that hands answers to those who wait for them, by their numbers, and keeps what else the server says."""

    def __init__(self) -> None:
        super().__init__()
        self.awaited: dict[object, asyncio.Future[Json]] = {}

    def write(self, data: bytes) -> None:
        """Take a message, or a part of one."""
        super().write(data)
        for message in [one for one in self.messages if "method" not in one]:
            self.messages.remove(message)
            self.awaited.pop(message["id"]).set_result(message)


class Conversation:
    """A client that has a server of its own, waits for each answer, and opens a document anew to compare."""

    def __init__(self, choose: random.Random, source: str) -> None:
        self.random, self.source = choose, source
        self.units = choose.choice(("utf-16", "utf-16", "utf-16", "utf-8", "utf-32"))
        self.typist = Typist(choose.getrandbits(32))
        self.version = 1
        self._server, self._said = MemlaneServer(), Answers()
        self._server.wire.set_writer(self._said)  # pyright: ignore[reportArgumentType] -- what pygls calls is there
        self._numbers = 0
        self._tokens: list[int] = []
        self._result = ""

    async def run(self, count: int) -> None:
        """Make so many changes, and compare after each."""
        try:
            await self._begin()
            for _ in range(count):
                self._change()
                await self._compare()
        finally:
            self._server.shutdown()
            others = asyncio.all_tasks() - {cast("asyncio.Task[Any]", asyncio.current_task())}
            for task in others:
                task.cancel()
            await asyncio.gather(*others, return_exceptions=True)

    async def _begin(self) -> None:
        refresh = {"refreshSupport": True}
        workspace = {"inlayHint": refresh, "codeLens": refresh} if self.random.random() < 0.5 else {}
        await self._ask(
            "initialize",
            {
                "processId": None,
                "rootUri": None,
                "capabilities": {
                    "general": {"positionEncodings": [self.units]},
                    "textDocument": {"codeAction": {"disabledSupport": True}, "inlayHint": {}},
                    "workspace": workspace,
                },
                "initializationOptions": {"memlane": SETTINGS},
            },
        )
        self._tell("initialized", {})
        self._open(TYPED)
        await self._findings_arrive()
        await self._keep_tokens()

    async def _findings_arrive(self) -> None:
        """Tokens say what becomes of a buffer, so two answers are only the same once the findings are known."""
        await self._ask("textDocument/diagnostic", {"textDocument": {"uri": TYPED}})

    def _open(self, uri: str) -> None:
        document: Json = {"uri": uri, "languageId": "mlir", "version": self.version, "text": self.source}
        self._tell("textDocument/didOpen", {"textDocument": document})

    def _change(self) -> None:
        """Some edits at once in one message, as often as not with others after them that nobody asks about."""
        changes = [*self._edits()]
        while self.random.random() < 0.2:
            changes += self._edits()
        self.version += 1
        params = {"textDocument": {"uri": TYPED, "version": self.version}, "contentChanges": changes}
        self._tell("textDocument/didChange", params)

    def _edits(self) -> Iterator[Json]:
        """Edits at once, one after the other in any order; at times the whole text in place of one of them."""
        edits = self.typist.next(self.source)
        wanted = applied(self.source, edits)
        for edit in one_by_one(edits, any_order(self.random, len(edits))):
            after = applied(self.source, [edit])
            if self.random.random() < 0.02 or splits_a_line_end(self.source, [edit]):
                yield {"text": after}
            else:
                yield change_of(self.source, edit, self.units)
            self.source = after
        assert self.source == wanted

    async def _compare(self) -> None:
        self._open(ANEW)
        asked = [*self._questions()]
        await self._same("textDocument/diagnostic", {})  # first: what is known of a document comes with its findings
        await self._tokens_of_the_client()
        for method, params in asked:
            await self._same(f"textDocument/{method}", params)
        await self._keep_tokens()
        self._tell("textDocument/didClose", {"textDocument": {"uri": ANEW}})
        for message in self._said.messages:
            if message.get("method") == "window/logMessage":
                assert message["params"]["type"] > 1, (message, self.source)  # 1 is an error
        self._said.messages.clear()

    def _questions(self) -> Iterator[tuple[str, Json]]:
        for method in ABOUT_THE_DOCUMENT:
            yield method, {}
        for _ in range(PLACES):
            at = self._place()
            for method in ABOUT_A_PLACE:
                params: Json = {"position": at, "positions": [at], "newName": "%new"}
                if method == "references":
                    params["context"] = {"includeDeclaration": self.random.random() < 0.5}
                yield method, params
        ends = [self._place(), self._place()] if self.random.random() < 0.7 else [place(self.source, 0, self.units)] * 2
        ends = sorted(ends, key=lambda one: (one["line"], one["character"]))
        if self.random.random() < 0.5:
            ends = [place(self.source, 0, self.units), place(self.source, len(self.source), self.units)]
        for method in ABOUT_LINES:
            if method in COSTLY and self.random.random() < 0.85:
                continue
            context: Json = {"diagnostics": [], "triggerKind": 1}
            yield method, {"range": {"start": ends[0], "end": ends[1]}, "context": context}

    def _place(self) -> Json:
        """A place, at a name as often as not, and near the last edits as often as not."""
        at = self.random.randint(0, len(self.source))
        if self.random.random() < 0.6:
            sign = self.random.choice("%%%@^#")
            at = max(at, self.source.find(sign, at)) + self.random.randint(0, 1)
        return place(self.source, min(at, len(self.source)), self.units)

    async def _same(self, method: str, params: Json) -> None:
        """One question about both documents has one answer."""
        found = [await self._ask(method, {"textDocument": {"uri": uri}, **params}) for uri in (TYPED, ANEW)]
        for answer in found:  # whether the search for a lower peak is over by then is a matter of time
            if isinstance(answer.get("result"), list):
                answer["result"] = [one for one in answer["result"] if one.get("kind") != reducing.KIND]
        typed, anew = (_plain(answer, uri) for answer, uri in zip(found, (TYPED, ANEW), strict=True))
        assert typed == anew, (method, params, typed, anew, self.source)

    async def _keep_tokens(self) -> None:
        """Take all tokens as they are: each answer of the server replaces the one that it tells changes of."""
        found = (await self._ask("textDocument/semanticTokens/full", {"textDocument": {"uri": TYPED}}))["result"]
        self._tokens, self._result = found["data"], found["resultId"]

    async def _tokens_of_the_client(self) -> None:
        """What the client makes of the tokens' changes are the tokens of a document opened anew."""
        of = {"textDocument": {"uri": TYPED}, "previousResultId": self._result}
        changed = (await self._ask("textDocument/semanticTokens/full/delta", of))["result"]
        tokens = self._tokens
        for edit in reversed(changed["edits"]):
            end = edit["start"] + edit["deleteCount"]
            tokens[edit["start"] : end] = edit.get("data") or []
        await self._keep_tokens()
        assert tokens == self._tokens, self.source

    def _tell(self, method: str, params: Json) -> None:
        self._send({"method": method, "params": params})

    def _send(self, message: Json) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode("utf-8", "surrogatepass")
        self._server.wire.receive(body)

    async def _ask(self, method: str, params: Json) -> Json:
        """The answer: `result` or `error` is in it."""
        self._numbers += 1
        waited = self._said.awaited[self._numbers] = asyncio.get_running_loop().create_future()
        self._send({"id": self._numbers, "method": method, "params": params})
        message = await asyncio.wait_for(waited, SECONDS)
        assert message.get("error", {}).get("code") != -32603, (method, params, message, self.source)
        return message


def _plain(answer: Json, uri: str) -> Json:
    """An answer without what no two documents have in common."""

    def without(value: Any) -> Any:
        if isinstance(value, dict):
            known = cast("Json", value)
            return {key: without(one) for key, one in known.items() if key not in ("data", "resultId")}
        return [*map(without, cast("list[Any]", value))] if isinstance(value, list) else value

    found = {key: answer[key] for key in ("result", "error") if key in answer}
    tokens = found["result"].get("data") if isinstance(found.get("result"), dict) else None
    return {"tokens": tokens, **json.loads(json.dumps(without(found)).replace(uri, "file:///"))}


def converse(seed: int, changes: int) -> None:
    """A session of so many changes."""
    choose = random.Random(f"typed {seed}")
    source = start(choose)
    if choose.random() < 0.2:
        source = source.replace("\n", "\r\n")
    if choose.random() < 0.3:
        second = start(choose)
        source = f"{source}// -----\n{second}"
    asyncio.run(Conversation(choose, source).run(changes))

"""The protocol object: pygls', without its copy of the texts, and never silent about what it cannot handle."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable, Generator
from dataclasses import dataclass
from inspect import isawaitable
from time import perf_counter
from typing import Any, cast

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.protocol import LanguageServerProtocol

from memlane_server import custom
from memlane_server.limits import MAX_UNSENT_BYTES

log = logging.getLogger(__name__)

_OURS = (types.TEXT_DOCUMENT_DID_OPEN, types.TEXT_DOCUMENT_DID_CHANGE, types.TEXT_DOCUMENT_DID_CLOSE)


WAIT_SECONDS = 0.02


@dataclass(frozen=True, slots=True)
class Json:
    """A result that is text already."""

    text: str


class Protocol(LanguageServerProtocol):
    """Turns message bodies into calls of handlers, and what the server says into messages."""

    def __init__(self, server: Any, converter: Any) -> None:
        super().__init__(server, converter)
        self.unsent: Callable[[], int] = lambda: 0
        """Tells how many bytes wait until the client reads; 0 where what writes them waits itself."""
        self._gone = False
        for method in _OURS:  # pygls would keep a second copy of each text and split it into lines at each edit
            del self.fm.builtin_features[method]  # pyright: ignore[reportUnknownMemberType] -- a bare Dict
        own = {types.WORKSPACE_EXECUTE_COMMAND: self._execute_command}
        self.fm.builtin_features.update(own)  # pyright: ignore[reportUnknownMemberType] -- a bare Dict
        custom.register(converter)
        self._begun: dict[object, tuple[object, float]] = {}

    async def _execute_command(self, params: types.ExecuteCommandParams) -> Any:
        """The result of a command: as pygls has it, in the task of the request, so that who cancels that stops it."""
        steps: Generator[Any, Any, Any] = self.lsp_workspace__execute_command(params)
        run, arguments, named = next(steps)
        result = run(*arguments, **named)
        try:
            steps.send(await result if isawaitable(result) else result)
        except StopIteration as end:
            return end.value
        raise RuntimeError("a command goes on after its result")

    def get_message_type(  # pyright: ignore[reportIncompatibleVariableOverride] -- pygls wraps its own in a cache
        self, method: str
    ) -> type[Any] | None:
        """The type of a method's messages, LSP's or ours."""
        return custom.MESSAGES.get(method) or super().get_message_type(method)

    def send_body(self, body: bytes) -> None:
        """Send a message that is text already; none is sent after the `exit` of the client."""
        if self._gone:
            return
        if self.writer is None:
            log.error("no client to send %d bytes to", len(body))
            return
        header = b"Content-Length: %d\r\n\r\n" % len(body) if self._include_headers else b""
        self.writer.write(header + body)

    async def room(self) -> None:
        """Wait until the client has read enough of what was sent."""
        while self.unsent() > MAX_UNSENT_BYTES:
            await asyncio.sleep(WAIT_SECONDS)

    def _send_response(self, msg_id: Any, result: Any = None, error: Any = None) -> None:
        if error is not None or not isinstance(result, Json):
            super()._send_response(msg_id, result, error)
            return
        self._result_types.pop(msg_id, None)
        self.send_body(f'{{"jsonrpc":"2.0","id":{json.dumps(msg_id)},"result":{result.text}}}'.encode())

    def _handle_response(self, msg_id: Any, result: Any = None, error: Any = None) -> None:
        future = self._request_futures.get(msg_id)
        if future is not None and future.done():  # what asked has been cancelled: its answer has no use
            del self._request_futures[msg_id]
            return
        super()._handle_response(msg_id, result, error)

    def written(self, number: object, method: str, result: object) -> str:
        """An answer as it is sent."""
        made: Any = self.get_result_type(method)
        return json.dumps(made(id=number, result=result, jsonrpc=self.VERSION), default=self._serialize_message)

    def receive(self, body: bytes) -> bool:
        """Handle one message; whether it was a request."""
        try:
            data: object = json.loads(body)
        except (ValueError, RecursionError) as error:
            self._refuse(None, types.ErrorCodes.ParseError, f"a message is not JSON: {error}")
            return False
        if not _is_message(data):
            self._refuse(None, types.ErrorCodes.InvalidRequest, "a message is not JSON-RPC 2.0")
            return False
        return self._dispatch(cast("dict[str, Any]", data))

    def _dispatch(self, data: dict[str, Any]) -> bool:
        number, method = data.get("id"), data.get("method")
        is_request = number is not None and method is not None
        if is_request and self._shutdown:
            self._refuse(number, types.ErrorCodes.InvalidRequest, "the server is shutting down")
            return False
        try:
            message: Any = self.structure_message(data)
        except JsonRpcException as error:
            log.error("malformed message: %.200r", data)
            if is_request:
                self._refuse(number, types.ErrorCodes.InvalidParams, f"malformed parameters of {method}: {error}")
            return False
        if method == types.CANCEL_REQUEST and type(message.params.id) not in (int, str):
            log.error("malformed message: %.200r", data)
            return False
        if is_request and self.trace is not types.TraceValue.Off:
            self._begun[number] = method, perf_counter()
        self._gone = self._gone or method == types.EXIT  # requests under way end now: none of them is answered
        self.handle_message(message)
        return is_request

    def _send_data(self, data: Any) -> None:
        if self._gone:
            return
        super()._send_data(data)
        method, begun = self._begun.pop(getattr(data, "id", None), (None, 0.0)) if self._begun else (None, 0.0)
        if method is not None:
            said = f"{method} took {1000 * (perf_counter() - begun):.1f} ms"
            verbose = f"request {data.id}" if self.trace is types.TraceValue.Verbose else None
            self.notify("$/logTrace", types.LogTraceParams(said, verbose))

    def _refuse(self, number: object, code: types.ErrorCodes, message: str) -> None:
        log.error(message)
        self._send_data({"jsonrpc": self.VERSION, "id": number, "error": {"code": code.value, "message": message}})


def _is_message(data: object) -> bool:
    """Whether `data` has the fields that JSON-RPC asks for, of the types that it says."""
    if not isinstance(data, dict) or "jsonrpc" not in data:
        return False
    message = cast("dict[str, object]", data)
    number, method = message.get("id"), message.get("method")
    return (number is None or type(number) in (int, str)) and ("method" not in message or isinstance(method, str))

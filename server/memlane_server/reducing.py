"""The action that lowers the peak of a function. The worker looks for it; its title says what comes of it.

That takes several checks, so an answer does not wait for it for long: while the search goes on, the action is offered
without numbers where the client asks for its edit later, and the next answer has them.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lsprotocol import types

from memlane.config import Config
from memlane.fixes.reduction import Reduced, Reduction, reduction
from memlane.flow.symbolic.amounts import ZERO
from memlane.flow.symbolic.assumptions import Assumptions
from memlane.format import shown
from memlane.ide.fixes import differences
from memlane.ide.profile_cache import function_at
from memlane.ide.snapshot import File
from memlane.memory_report import assumptions
from memlane_server.convert import Converter

if TYPE_CHECKING:
    from memlane_server.session_server import SessionServer

KIND = "refactor.rewrite.memlane.reducePeak"
WAIT_SECONDS = 0.25
"""So long an answer waits for a search: the quick fixes that are asked for with it shall not come late."""


@dataclass(frozen=True, slots=True)
class Reduce:
    """The reduction of one function of `source`, as work that can be given to another process."""

    source: str
    function: str
    assumed: Assumptions

    def run(self, config: Config) -> Reduction:
        """Look for it."""
        return reduction(self.source, config, self.assumed, {self.function})


@dataclass(frozen=True, slots=True)
class _Search:
    """What was looked for last in a document, and the task that does."""

    file: File
    function: str
    task: asyncio.Task[Reduction]


class Reductions:
    """The searches, one of each document: the newest."""

    def __init__(self, ls: SessionServer) -> None:
        self._ls = ls
        self._searches: dict[str, _Search] = {}

    async def offered(self, file: File, place: types.Position, later: bool) -> list[types.CodeAction]:
        """The action for the function at a place: none where there is nothing to lower, or that is not known in time.

        Args:
            later: the client asks for the edit of an action later, so that one can be offered before it is known.
        """
        encoding = self._ls.session.encoding

        def named() -> str | None:
            function = function_at(file, Converter(file.text, encoding).offset(place))
            return function.symbol if function is not None else None

        name = await self._ls.background.answer(file.uri, named)
        if name is None:
            return []
        task = await self._search(file, name)
        await asyncio.wait((task,), timeout=WAIT_SECONDS)
        if not task.done():
            data = [file.uri, file.version, name]
            return [types.CodeAction(f"Memlane: reduce the peak of @{name}", kind=KIND, data=data)] if later else []
        found = _result(task)
        if found is None or not found.functions:
            return []
        return [types.CodeAction(_title(found.functions[0]), kind=KIND, edit=await self._edit(file, found))]

    async def edit(self, file: File, name: str) -> types.WorkspaceEdit | None:
        """The edit that lowers the peak of a function; None where nothing does. Raises `Outdated` after an edit."""
        task = await self._search(file, name)
        await asyncio.wait((task,))
        found = _result(task)
        return await self._edit(file, found) if found is not None and found.functions else None

    def forget(self, uri: str) -> None:
        """The document was closed."""
        self._searches.pop(uri, None)

    async def _search(self, file: File, name: str) -> asyncio.Task[Reduction]:
        before = self._searches.get(file.uri)
        if before is not None and before.file is file and before.function == name and not _failed(before.task):
            return before.task
        if before is not None:
            before.task.cancel()
        ls = self._ls
        assumed = await ls.background.answer(file.uri, lambda: assumptions(file.text.source, file.config))
        work = ls.heavy.run(Reduce(file.text.source, name, assumed), file.config)
        task = asyncio.ensure_future(ls.background.attend(file.uri, work))
        task.add_done_callback(_failed)  # seen, though no request may wait for it any more
        self._searches[file.uri] = _Search(file, name, task)
        return task

    async def _edit(self, file: File, found: Reduction) -> types.WorkspaceEdit | None:
        def edits() -> list[types.TextEdit]:
            return Converter(file.text, self._ls.session.encoding).edits(differences(file.text, found.source))

        return self._ls.session.workspace_edit(file, await self._ls.background.answer(file.uri, edits))


def _failed(task: asyncio.Task[Reduction]) -> bool:
    """Whether a search ended without a result."""
    return task.done() and (task.cancelled() or task.exception() is not None)


def _result(task: asyncio.Task[Reduction]) -> Reduction | None:
    """What a search found; None where a newer one took its place. Raises what it raised."""
    return None if task.cancelled() else task.result()


def _title(one: Reduced) -> str:
    stack = f", with {shown((one.stack,))} on the stack" if one.stack != ZERO else ""
    return f"Memlane: reduce the peak of @{one.function} from {shown(one.before)} to {shown(one.after)}{stack}"

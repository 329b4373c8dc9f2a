"""Answers where what is known of a document does not fit its text: the text is read anew, and asked again."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

from pygls.exceptions import JsonRpcException

from memlane.bugs import bug
from memlane.ide.snapshot import File
from memlane_server.background import Outdated
from memlane_server.session import Session
from memlane_server.worker_client import WorkerFailed

T = TypeVar("T")

ANSWERS = (JsonRpcException, Outdated, WorkerFailed)
"""Errors that do not come of how a document was read: the client's, or the worker's, which reads for itself."""


async def recovering(session: Session, file: File, work: Callable[[File], Awaitable[T]]) -> T:
    """What `work` gives of a version of a document. Where it fails, and that version was read from those before it, the
    text is read anew, and `work` done with that: a mistake in reading edits does not last.

    Raises `Outdated` where that would be needed of a version that is no longer the newest; `bug` says what it does.
    """
    try:
        return await work(file)
    except Exception as error:  # the one place: what fails elsewhere comes here
        if isinstance(error, ANSWERS) or not file.derived:
            raise
        bug("the state of a document did not match its text; it is parsed again", error)
    anew = session.anew(file)
    if anew is None:
        raise Outdated(file.uri)
    return await work(anew)

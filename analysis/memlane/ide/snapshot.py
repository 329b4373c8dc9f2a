"""Snapshot: what the editor showed at one moment; files that never change, with what is known of them.

A session makes a new `File` for each edit and hands it to background work. Text, tree and findings of a file are
computed on first access, by the accessing thread, and then kept: a request that comes after the diagnostics of the same
version costs nothing again. They start from what is known of the version before. Work that was cancelled leaves nothing
behind.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import count
from threading import RLock
from typing import TYPE_CHECKING

from memlane.ide.limits import MAX_EDITS, MIN_PARTIAL_TEXT
from memlane.lazy import Lazy
from memlane.query.viewport import Viewport
from memlane.text import Text

if TYPE_CHECKING:
    from memlane.checking import Checked
    from memlane.config import Config
    from memlane.dialects.model import Models
    from memlane.findings import Edit, Finding, Fix, Span
    from memlane.fixes import Fixer, Refactoring
    from memlane.ide.callees import Returning
    from memlane.ide.partial_trees import Depends, Linked, Nearby
    from memlane.ide.portraits import Portraits
    from memlane.query import Checker
    from memlane.query.findings_store import Parts
    from memlane.query.viewport_first import Glimpse
    from memlane.syntax import Document
    from memlane.syntax.editing.section import Placed
    from memlane.syntax.editing.sparse import Outline, StatementPart
    from memlane.syntax.tree.tree import Function, Op, Tree

_numbers = count()

Show = Callable[["tuple[Finding, ...]"], None]
"""Gets findings that are known before all are, or before the text is read."""

LIKELY_LINES = 100
"""So much of a document is taken to be in view where the client has not said what is."""


class File:
    """One version of one document.

    Args:
        uri: as the client wrote it.
        version: the client's number of this version, None where it gave none.
        leaves: the text, in pieces to be joined.
        config: what it is checked under.
    """

    __slots__ = (
        "_checked",
        "_checker",
        "_document",
        "_fixer",
        "_fixes",
        "_fixing",
        "_functions",
        "_glimpse",
        "_nearby",
        "_origin",
        "_parts",
        "_portraits",
        "_show_to",
        "_shown",
        "_text",
        "_tree",
        "config",
        "derived",
        "identity",
        "uri",
        "version",
        "view",
    )

    def __init__(self, uri: str, version: int | None, leaves: tuple[str, ...], config: Config) -> None:
        self.uri = uri
        self.version = version
        self.config = config
        self.identity = f"{version}-{next(_numbers)}"
        """No other file has the same."""
        self._text = Lazy(lambda: Text("".join(leaves)))
        self._document = Lazy(self._read)
        self.derived = False
        """What is known of it comes, or will come, from versions before."""
        self.view = Viewport()
        """What is seen of the document: one for all of its versions."""
        self._show_to: Show | None = None
        self._glimpse: Glimpse | None = None
        self._shown = False
        self._origin: tuple[Lazy[Document], tuple[Edit, ...]] | None = None
        self._checker: Lazy[Checker] = Lazy(_new_checker)
        self._tree = Lazy(self._build)
        self._functions = Lazy(lambda: self._document.get().tree.functions)
        self._portraits: Lazy[Portraits] = Lazy(_new_portraits)
        self._parts = Lazy(self._find)
        self._checked = Lazy(self._check)
        self._fixer = Lazy(self._make_fixer)
        self._nearby = Lazy(self._make_nearby)
        self._fixes: dict[Finding, Fix | None] = {}
        self._fixing = RLock()

    def with_config(self, config: Config) -> File:
        """The same text under another configuration: text and tree are shared."""
        file = File(self.uri, self.version, (), config)
        file._text, file.view = self._text, self.view
        file.derived = self.derived
        if config.models is self.config.models:
            file._document, file._tree, file._checker = self._document, self._tree, self._checker
            file._functions, file._portraits, file._nearby = self._functions, self._portraits, self._nearby
        return file

    def apart(self) -> File:
        """The same version, which builds functions of its own for requests: they can be let go of by `let_go`."""
        file = File(self.uri, self.version, (), self.config)
        file.identity, file.view, file.derived = self.identity, self.view, self.derived
        file._text, file._document, file._functions = self._text, self._document, self._functions
        file._checker, file._parts, file._checked = self._checker, self._parts, self._checked
        file._tree, file._portraits = self._tree, self._portraits
        return file

    def let_go(self) -> None:
        """Forget what requests built of single functions, so that its memory is free at once. No references to it may
        remain."""
        nearby = self._nearby.known
        if nearby is not None:
            nearby.let_go()

    def edited(self, version: int | None, leaves: tuple[str, ...], config: Config, edits: tuple[Edit, ...]) -> File:
        """The version after `edits`, made one after the other: what they do not touch need not be read again.

        Args:
            leaves: the text after them.
        """
        file = File(self.uri, version, leaves, config)
        file.view = self.view
        if config.models is not self.config.models:
            return file
        file._checker, file._portraits = self._checker, self._portraits
        file.derived = True
        origin = self._origin  # read first: reading the document clears it
        if origin is None or self._document.known is not None:
            origin = self._document, ()
        document, before = origin
        if len(before) + len(edits) <= MAX_EDITS:
            file._origin = document, (*before, *edits)
        return file

    def forgotten(self, leaves: tuple[str, ...]) -> File:
        """The same version, of which nothing is known but its text, in pieces: all else is worked out when asked."""
        file = File(self.uri, self.version, leaves, self.config)
        file.identity, file.view = self.identity, self.view
        return file

    @property
    def blank(self) -> bool:
        """Whether nothing is known that could be forgotten."""
        return self._document.known is None and self._origin is None

    @property
    def models(self) -> Models:
        """What operations do, under the file's configuration."""
        return self.config.models

    @property
    def text(self) -> Text:
        """The text with its line table."""
        return self._text.get()

    @property
    def tree(self) -> Tree:
        """What the text was read as, all of it built: always the same tree."""
        return self._tree.get()

    @property
    def document(self) -> Document:
        """The text in pieces, those of earlier versions where nothing changed."""
        return self._document.get()

    @property
    def functions(self) -> tuple[Function, ...]:
        """The functions in text order; their ops are not built for this."""
        return self._functions.get()

    @property
    def show(self) -> Show | None:
        """Gets what is found in the functions in view before the text has been read: of this version, none other."""
        return self._show_to

    @show.setter
    def show(self, show: Show) -> None:
        """Another than before gets it again."""
        self._show_to, self._shown = show, False

    def show_known(self, findings: tuple[Finding, ...]) -> None:
        """Show all findings, known before the text is read: of those in view nothing has to be found out first."""
        show = self._show_to
        if show is not None:
            self._show_to = self.view.tell = None
            show(findings)

    def look(self, span: Span) -> None:
        """Note that `span` is in view; findings there are published before all are known."""
        self.view.span = span
        self._show()

    def near(self, span: Span | None, symbol: str | None = None) -> Tree:
        """The tree with those functions only that `span` touches, or that have the name `symbol` (without `@`)."""
        return self._nearby.get().tree(span, symbol)

    def about(self, offset: int, uses: int | None = None) -> Linked:
        """The function at `offset` with what it depends on, as far as it is about what is named there and its memory,
        and so many `uses` of that behind the offset: it may be without its other ops."""
        self.settle()
        return self._nearby.get().about(offset, uses)

    def named(self, offset: int) -> Tree:
        """The tree with what is named at `offset`: of a function with the op there, and the one that defines that."""
        return self._nearby.get().named(offset)

    def touched(self, span: Span) -> frozenset[int]:
        """The numbers of the pieces of functions that `span` touches."""
        return self._nearby.get().touched(span)

    def depends(self, number: int) -> Depends | None:
        """What decides which names share memory in the function of a piece; None where names do not tell."""
        return self._nearby.get().depends(number)

    def function(self, number: int) -> Op:
        """The function of a piece, by the piece's number, without other functions."""
        return self._nearby.get().function(number)

    def each(
        self, numbers: Sequence[int], part: Callable[[int], StatementPart | None] = lambda _: None
    ) -> Iterator[Placed]:
        """Functions by the numbers of their pieces, one after the other, as `Document.each` builds them."""
        return self.document.each(numbers, part)

    def some(self, number: int, outline: Outline, statements: Iterable[int]) -> Op:
        """The same with some of its statements, and the definitions that they use. It is not shared."""
        return self._nearby.get().some(number, outline, statements)

    def linked(self, span: Span, mentioned: str | None = None, aliases: bool = True) -> Linked:
        """Those that `span` touches or that mention `@mentioned`, with what they depend on: in all (`aliases` is
        False), or as far as it is about which names share memory."""
        return self._nearby.get().linked(span, mentioned, aliases)

    @property
    def portraits(self) -> Portraits:
        """What is known of the memory use of functions, shared by the versions of the document."""
        return self._portraits.get()

    @property
    def parts(self) -> Parts:
        """The findings, under the file's configuration, piece by piece: what `checked` is made of."""
        return self._parts.get()

    @property
    def settled(self) -> bool:
        """Whether the last check has left nothing to `settle`."""
        checker = self._checker.known
        return checker is None or checker.settled

    def settle(self) -> None:
        """Find out what hints say of functions while the ops of the last check are there: of what that has found,
        nothing waits for this. Raises `Cancelled`: the rest can be done later."""
        checker = self._checker.known
        if checker is not None:
            checker.settle()

    @property
    def checked(self) -> Checked:
        """The findings, under the file's configuration."""
        return self._checked.get()

    @property
    def checked_already(self) -> Checked | None:
        """The findings, if they are known already."""
        return self.checked if self._parts.known is not None else None

    @property
    def unread(self) -> bool:
        """Whether neither it nor a version before was read."""
        origin = self._origin  # read once: reading the document clears it
        return self._document.known is None and (origin is None or origin[0].known is None)

    @property
    def parts_already(self) -> Parts | None:
        """The same, piece by piece."""
        return self._parts.known

    @property
    def findings_so_far(self) -> Iterable[Finding]:
        """The findings, or as long as they are not known what is remembered of functions that no edit touched."""
        checked = self.checked_already
        return checked.findings if checked is not None else self._checker.get().known(self.document, self.config)

    def fix(self, finding: Finding) -> Fix | None:
        """The fix of one of this file's findings, or None. Costs a check or two, once."""
        if finding.report.fix is not None:
            return finding.report.fix
        with self._fixing:  # a fixer remembers plans and is no work for two threads
            if finding not in self._fixes:
                self._fixes[finding] = self._fixer.get().fix(finding)
            return self._fixes[finding]

    def refusal(self, finding: Finding) -> str:
        """Why one of this file's findings has no fix; "" where it has one, or where no such finding ever has."""
        from memlane.fixes import refusal

        if self.fix(finding) is not None:
            return ""
        with self._fixing:
            fixer = self._fixer.get()
            return refusal(fixer, finding) if fixer.repairs(finding) else ""

    def refactorings(self, ops: Iterable[Op]) -> list[Refactoring]:
        """What can be done to the buffers that operations of the tree allocate or free. Costs some checks."""
        from memlane.fixes import refactorings

        with self._fixing:
            return list(refactorings(self._fixer.get(), self.config, ops))

    def _make_nearby(self) -> Nearby:
        from memlane.ide.partial_trees import Nearby

        def returning() -> Returning:
            parts = self._parts.known
            return parts.returning if parts is not None else {}

        portraits = self._portraits.get()
        return Nearby(
            self._document.get(), self.models, lambda: portraits.excerpts, returning, lambda: portraits.related
        )

    def _make_fixer(self) -> Fixer:
        from memlane.fixes import Fixer

        _ = self.tree  # built here, as no other thread may build it meanwhile
        return Fixer(self.checked, self.config)

    def _read(self) -> Document:
        from memlane.syntax import Document

        glimpse = self._glimpse
        if self._origin is None or glimpse is not None:
            document = Document(self.text.source, self.models, known=glimpse.pieces() if glimpse is not None else {})
        else:
            origin, edits = self._origin
            document = origin.get()
            for edit in edits:
                document = document.edit([edit])
        _ = document.tree  # computed by one thread only
        self._origin = None  # versions without requests are not kept
        return document

    def _build(self) -> Tree:
        tree = self._document.get().tree
        _ = self._functions.get()  # by one thread as well
        for chunk in tree.chunks:
            _ = chunk.ops  # a tree builds its ops when asked; here, one thread asks for all to come
        return tree

    def _check(self) -> Checked:
        from memlane import checking

        return checking.checked(self.text, self.parts)

    def _find(self) -> Parts:
        if self._document.known is None and self._show_to is not None:
            self._look_first()
        visit = self.view.visit(self) if self.view.visit is not None else None
        found = self._checker.get().results(self._document.get(), self.config, self.view, visit)
        self._glimpse = None
        return found

    def _look_first(self) -> None:
        """Find out what is found in view, if that takes less than reading all of the text."""
        from memlane.findings import Span
        from memlane.query.viewport_first import glimpse

        # The text of an edit is put together on first access only.
        if self.unread and len(self.text.source) >= MIN_PARTIAL_TEXT:
            view = self.view.span or Span(0, self.text.offset(LIKELY_LINES, 0))
            self._glimpse = glimpse(self.text.source, view, self._checker.get(), self.config)
            self._show()

    def _show(self) -> None:
        """Show what was found first, once it is known what is seen."""
        glimpse, span, show = self._glimpse, self.view.span, self._show_to
        if glimpse is not None and span is not None and show is not None and not self._shown and glimpse.covers(span):
            self._shown = True
            show(glimpse.findings)


def _new_portraits() -> Portraits:
    from memlane.ide.portraits import Portraits

    return Portraits()


def _new_checker() -> Checker:
    from memlane.query import Checker

    return Checker()

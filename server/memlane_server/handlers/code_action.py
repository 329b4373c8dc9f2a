"""textDocument/codeAction: the repairs of findings, comments that silence them, and all safe repairs at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from lsprotocol import types

from memlane.findings import Applicability
from memlane.ide.fixes import Repair, all_safe, repairs, silences
from memlane.snapshot import File
from memlane_server.additions import workspace_edit
from memlane_server.convert import Converter

if TYPE_CHECKING:
    from memlane_server.server import MemlaneServer

METHOD = types.TEXT_DOCUMENT_CODE_ACTION
FIX_ALL = "source.fixAll.memlane"
OPTIONS = types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix, FIX_ALL])


async def handle(ls: MemlaneServer, params: types.CodeActionParams) -> list[types.CodeAction] | None:
    """The actions of the kinds asked for, at the range asked for."""
    only = params.context.only

    def work(file: File, convert: Converter) -> list[types.CodeAction]:
        actions: list[types.CodeAction] = []
        if _wanted(types.CodeActionKind.QuickFix.value, only):
            span = convert.span(params.range)
            for repair in (*repairs(file, span), *silences(file, span)):
                actions += _quick_fix(ls, file, convert, repair, params.context.diagnostics)
        if only is not None and _wanted(FIX_ALL, only):
            actions += _fix_all(ls, file, convert)
        return actions

    return await ls.ask(params.text_document.uri, work)


def _wanted(kind: str, only: Sequence[types.CodeActionKind | str] | None) -> bool:
    """Whether a client that asks for `only` some kinds wants `kind`; a kind stands for all below it."""
    asked = [wanted.value if isinstance(wanted, types.CodeActionKind) else wanted for wanted in only or ()]
    return only is None or any(kind == wanted or kind.startswith(f"{wanted}.") or not wanted for wanted in asked)


def _quick_fix(
    ls: MemlaneServer, file: File, convert: Converter, repair: Repair, shown: Sequence[types.Diagnostic]
) -> Iterator[types.CodeAction]:
    fix, rule, place = repair.fix, repair.finding.rule.name, convert.range(repair.finding.report.span)
    edit = workspace_edit(ls.session, file, convert, fix)
    if edit is None:
        return
    yield types.CodeAction(
        fix.title,
        kind=types.CodeActionKind.QuickFix,
        # by rule and place: not every client sends back a diagnostic's source and data
        diagnostics=[diagnostic for diagnostic in shown if diagnostic.code == rule and diagnostic.range == place],
        is_preferred=fix.applicability is Applicability.SAFE or None,
        edit=edit,
    )


def _fix_all(ls: MemlaneServer, file: File, convert: Converter) -> Iterator[types.CodeAction]:
    edits = all_safe(file)
    if edits:
        edit = ls.session.workspace_edit(file, convert.edits(edits))
        yield types.CodeAction("Memlane: apply all safe fixes", kind=FIX_ALL, edit=edit)

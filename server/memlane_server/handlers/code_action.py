"""textDocument/codeAction: repairs of findings, comments that silence them, all safe repairs at once; what can be done
to a buffer that no finding asks for; pictures.

What takes long, all safe repairs, is worked out by `code_action_resolve` where the client can ask for it later.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

from lsprotocol import types

from memlane.findings import Applicability, Span
from memlane.fixes import MOVES
from memlane.ide.fixes import (
    FindingRepair,
    FixAll,
    Refusal,
    differences,
    refactorings,
    refusals,
    repairs,
    rules_at,
    silences,
    switches,
)
from memlane.ide.profile_cache import function_at
from memlane.ide.snapshot import File
from memlane_server import reducing
from memlane_server.commands import explain_rule, show_lanes, toggle_details
from memlane_server.convert import Converter
from memlane_server.custom import given_back
from memlane_server.workspace_edit import workspace_edit

if TYPE_CHECKING:
    from memlane_server.server import MemlaneServer

METHOD = types.TEXT_DOCUMENT_CODE_ACTION
FIX_ALL = "source.fixAll.memlane"
SHOW = "source.memlane.showLanes"
DETAILS = "source.memlane.details"
MOVE, REWRITE = types.CodeActionKind.RefactorMove.value, types.CodeActionKind.RefactorRewrite.value
OPTIONS = types.CodeActionOptions(
    code_action_kinds=[types.CodeActionKind.QuickFix, MOVE, REWRITE, FIX_ALL, SHOW, DETAILS, reducing.KIND],
    resolve_provider=True,
)


async def handle(ls: MemlaneServer, params: types.CodeActionParams) -> list[types.CodeAction] | None:
    """The actions of the kinds asked for, at the range asked for."""
    only = params.context.only

    def work(file: File, convert: Converter) -> list[types.CodeAction]:
        actions: list[types.CodeAction] = []
        if _wanted(types.CodeActionKind.QuickFix.value, only):
            span = convert.span(params.range)
            for repair in repairs(file, span):
                actions += _quick_fix(ls, file, convert, repair, params.context.diagnostics)
            if _resolves(ls):
                actions += _fix_rules(file, span)
            for repair in (*silences(file, span), *switches(file, span)):
                actions += _quick_fix(ls, file, convert, repair, params.context.diagnostics)
            actions += _explain(file, span)
            if _shows_disabled(ls):
                actions += [_refused(convert, refusal, params.context.diagnostics) for refusal in refusals(file, span)]
        if params.context.trigger_kind is not types.CodeActionTriggerKind.Automatic:  # what older clients do not say
            actions += _refactorings(ls, file, convert, params)
        if only is not None and _wanted(FIX_ALL, only):
            actions += _fix_all(file)
        others = _others(ls, file, convert, params)
        return actions + [action for action in others if _asked_for(str(action.kind), params.context)]

    actions = await ls.ask(params.text_document.uri, work, findings=True, seen=params.range)
    if actions is not None and _asked_for(reducing.KIND, params.context):
        actions += await ls.unless_edited(params.text_document.uri, partial(_reductions, ls, params)) or []
    if actions is not None and not _resolves(ls):
        actions = [await with_edit(ls, action) if action.data is not None else action for action in actions]
        actions = [action for action in actions if action.edit or action.command or action.disabled]
    return actions


async def _reductions(ls: MemlaneServer, params: types.CodeActionParams, file: File) -> list[types.CodeAction]:
    return await ls.reductions.offered(file, params.range.start, _resolves(ls))


async def with_edit(ls: MemlaneServer, action: types.CodeAction) -> types.CodeAction:
    """The action with its edit, worked out by the worker; as it was, where the document changed since."""
    if action.kind == reducing.KIND:
        return await _reduced(ls, action)
    uri, version, rule = given_back(action.data, str, int, str)

    async def answer(file: File) -> types.CodeAction:
        if file.version != version:
            return action
        after = await ls.background.attend(uri, ls.heavy.run(FixAll(file.text.source, rule), file.config))

        def edits() -> list[types.TextEdit]:
            return Converter(file.text, ls.session.encoding).edits(differences(file.text, after))

        found = await ls.background.answer(uri, edits)
        action.edit = ls.session.workspace_edit(file, found) if found else None
        return action

    return await ls.unless_edited(uri, answer) or action


async def _reduced(ls: MemlaneServer, action: types.CodeAction) -> types.CodeAction:
    uri, version, name = given_back(action.data, str, int, str)

    async def answer(file: File) -> types.CodeAction:
        if file.version == version:
            action.edit = await ls.reductions.edit(file, name)
        return action

    return await ls.unless_edited(uri, answer) or action


def _resolves(ls: MemlaneServer) -> bool:
    """Whether the client asks for an action's edit when it needs it."""
    document = ls.session.capabilities.text_document
    actions = document.code_action if document is not None else None
    support = actions.resolve_support if actions is not None else None
    return support is not None and "edit" in support.properties


def _wanted(kind: str, only: Sequence[types.CodeActionKind | str] | None) -> bool:
    """Whether a client that asks for `only` some kinds wants `kind`; a kind stands for all below it."""
    asked = [wanted.value if isinstance(wanted, types.CodeActionKind) else wanted for wanted in only or ()]
    return only is None or any(kind == wanted or kind.startswith(f"{wanted}.") or not wanted for wanted in asked)


def _asked_for(kind: str, context: types.CodeActionContext) -> bool:
    """Whether the user asks for actions, and not the editor of its own accord, and wants those of `kind`."""
    invoked = context.only is not None or context.trigger_kind is types.CodeActionTriggerKind.Invoked
    return invoked and _wanted(kind, context.only)


def _quick_fix(
    ls: MemlaneServer, file: File, convert: Converter, repair: FindingRepair, shown: Sequence[types.Diagnostic]
) -> Iterator[types.CodeAction]:
    fix, rule, place = repair.fix, repair.finding.rule.name, convert.range(repair.finding.report.span)
    edit = workspace_edit(ls.session, file, convert, fix)
    if edit is None:
        return
    yield types.CodeAction(
        fix.title,
        kind=types.CodeActionKind.QuickFix,
        diagnostics=_of(shown, rule, place),
        is_preferred=fix.applicability is Applicability.SAFE or None,
        edit=edit,
    )


def _shows_disabled(ls: MemlaneServer) -> bool:
    """Whether the client shows actions that cannot be taken, and why."""
    document = ls.session.capabilities.text_document
    actions = document.code_action if document is not None else None
    return actions is not None and bool(actions.disabled_support)


def _refused(convert: Converter, refusal: Refusal, shown: Sequence[types.Diagnostic]) -> types.CodeAction:
    rule = refusal.finding.rule.name
    action = _disabled(f"Memlane: fix {rule}", types.CodeActionKind.QuickFix.value, refusal.reason)
    action.diagnostics = _of(shown, rule, convert.range(refusal.finding.report.span))
    return action


def _disabled(title: str, kind: str, reason: str) -> types.CodeAction:
    """An action that cannot be taken. Not every client shows the reason: the title has it, too."""
    return types.CodeAction(f"{title} (refused: {reason})", kind=kind, disabled=types.CodeActionDisabled(reason))


def _of(shown: Sequence[types.Diagnostic], rule: str, place: types.Range) -> list[types.Diagnostic]:
    """The diagnostics that say the same: by rule and place, as not every client sends back their source and data."""
    return [diagnostic for diagnostic in shown if diagnostic.code == rule and diagnostic.range == place]


def _refactorings(
    ls: MemlaneServer, file: File, convert: Converter, params: types.CodeActionParams
) -> Iterator[types.CodeAction]:
    """What can be done to the buffers there; where it cannot, why, for clients that show it."""
    if not any(_wanted(kind, params.context.only) for kind in (MOVE, REWRITE)):
        return
    for one in refactorings(file, convert.span(params.range)):
        kind = MOVE if one.rule in MOVES else REWRITE
        if not _wanted(kind, params.context.only):
            continue
        edit = workspace_edit(ls.session, file, convert, one.fix) if one.fix is not None else None
        if one.fix is not None and edit is not None:
            yield types.CodeAction(one.fix.title, kind=kind, edit=edit)
        elif one.fix is None and _shows_disabled(ls):
            yield _disabled(one.title, kind, one.reason)


def _fix_all(file: File) -> Iterator[types.CodeAction]:
    if file.checked.findings:
        data = [file.uri, file.version, ""]
        yield types.CodeAction("Memlane: apply all safe fixes", kind=FIX_ALL, data=data)


def _fix_rules(file: File, span: Span) -> Iterator[types.CodeAction]:
    """All safe fixes of the rules of the findings on the lines of `span`, where there are several of one."""
    for rule, count in rules_at(file, span):
        if count > 1 and rule.fixes is Applicability.SAFE:
            title = f"Memlane: apply all safe fixes of {rule.name} in the file ({count} findings)"
            yield types.CodeAction(title, kind=types.CodeActionKind.QuickFix, data=[file.uri, file.version, rule.name])


def _explain(file: File, span: Span) -> Iterator[types.CodeAction]:
    for rule, _ in rules_at(file, span):
        title = f"Memlane: explain {rule.name}"
        command = types.Command(title, explain_rule.NAME, arguments=[rule.name])
        yield types.CodeAction(title, kind=types.CodeActionKind.QuickFix, command=command)


def _others(
    ls: MemlaneServer, file: File, convert: Converter, params: types.CodeActionParams
) -> Iterator[types.CodeAction]:
    """The picture of the function at the range, and what is shown between the lines."""
    function = function_at(file, convert.offset(params.range.start))
    if function is not None and function.symbol is not None:
        title = f"Memlane: show the memory of @{function.symbol}"
        command = types.Command(title, show_lanes.NAME, arguments=[file.uri, function.symbol])
        yield types.CodeAction(title, kind=SHOW, command=command)
    title = f"Memlane: {'hide' if ls.session.details else 'show'} details between the lines"
    yield types.CodeAction(title, kind=DETAILS, command=types.Command(title, toggle_details.NAME))

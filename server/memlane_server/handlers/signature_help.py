"""textDocument/signatureHelp: the function that is being called."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from memlane.ide.signature import signature
from memlane.ide.snapshot import File
from memlane_server.convert import Converter, to_units

if TYPE_CHECKING:
    from memlane_server.server import MemlaneServer

METHOD = types.TEXT_DOCUMENT_SIGNATURE_HELP
OPTIONS = types.SignatureHelpOptions(trigger_characters=["(", ","])


async def handle(ls: MemlaneServer, params: types.SignatureHelpParams) -> types.SignatureHelp | None:
    """Its head, and which parameter is typed."""

    def work(file: File, convert: Converter) -> types.SignatureHelp | None:
        found = signature(file, convert.offset(params.position))
        if found is None:
            return None
        ends = [tuple(to_units(found.label, place, "utf-16") for place in span) for span in found.parameters]
        parameters = [types.ParameterInformation((start, end)) for start, end in ends]
        information = types.SignatureInformation(found.label, parameters=parameters)
        active = min(found.active, len(parameters) - 1) if parameters else None
        return types.SignatureHelp([information], active_signature=0, active_parameter=active)

    return await ls.ask(params.text_document.uri, work, language=True)

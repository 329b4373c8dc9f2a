"""Definitions, references and highlights against `mlir-lsp-server`, on the SSA names of the corpus that it can parse.

`MEMLANE_FULL=1 pytest tests/server/test_against_mlir_lsp.py` takes all files, else a sample is taken. On files that the
other cannot parse, ours answers all the same: that is counted.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from lsp_client import BARE, Editor, initialization, many
from lsprotocol import types
from tests.effort import FULL

from memlane.config import Config
from memlane.findings import Span
from memlane.ide.definition import definition
from memlane.ide.highlight import highlights
from memlane.ide.locate import enclosing
from memlane.ide.references import references
from memlane.ide.snapshot import File
from memlane.text import Position
from memlane_server.convert import Converter

CORPUS = Path(__file__).parents[3] / "shared" / "corpus"
SERVER = shutil.which("mlir-lsp-server-22") or shutil.which("mlir-lsp-server")
STEP = 1 if FULL else 9
"""Every so many files are taken."""
NAMES_PER_FILE = 1_000_000 if FULL else 150

NAME = re.compile(r'//[^\n]*|"(?:[^"\\\n]|\\.)*"|(%[\w$.-]+(?:#\d+)?)')

pytestmark = [
    pytest.mark.skipif(not CORPUS.is_dir(), reason="no corpus beside the checkout"),
    pytest.mark.skipif(SERVER is None, reason="mlir-lsp-server is not installed (apt: mlir-22-tools)"),
]


def mentions(source: str) -> list[Span]:
    """The SSA names in `source`, comments and strings apart."""
    found = [Span(*match.span(1)) for match in NAME.finditer(source) if match.group(1)]
    return found[:: max(1, len(found) // NAMES_PER_FILE)]


def start_of(location: types.Location | types.LocationLink) -> tuple[int, int]:
    """Where a location begins."""
    assert isinstance(location, types.Location)
    return location.range.start.line, location.range.start.character


def plain(position: Position) -> tuple[int, int]:
    """A position as `start_of` gives it."""
    return position.line, position.column


def agree(file: File, theirs: set[tuple[int, int]], ours: set[tuple[int, int]]) -> bool:
    """Whether the same places were found. Of several mentions in one affine map, theirs keeps the first only."""
    named = {enclosing(file.tree, file.text.offset(*place))[-1] for place in theirs}
    repeated = (enclosing(file.tree, file.text.offset(*place))[-1] for place in ours - theirs)
    return theirs <= ours and all(op in named and op.name.startswith("affine.") for op in repeated)


@pytest.mark.slow
async def test_definitions_and_references_agree(capsys: pytest.CaptureFixture[str]) -> None:
    compared = answered = theirs_null = asked = unparsed = in_broken = in_broken_answered = 0
    wrong: list[str] = []
    assert SERVER is not None
    client = await Editor.started(initialization(BARE), [SERVER, "--log=error"])
    for path in sorted(CORPUS.rglob("*.mlir"))[::STEP]:
        source, uri = path.read_text(encoding="utf-8"), path.as_uri()
        document = client.open(source, uri)
        broken = any(one.severity is types.DiagnosticSeverity.Error for one in await document.findings())
        unparsed += broken
        file = File(uri, 1, (source,), Config())
        convert = Converter(file.text, "utf-16")
        for span in mentions(source):
            position = convert.position(span.start + 1)
            where = f"{path.relative_to(CORPUS)}:{position.line + 1}: {source[slice(*span)]}"
            asked_for = types.DefinitionParams(document.id, position)
            found = await client.text_document_definition_async(asked_for)
            theirs = [found] if isinstance(found, types.Location) else many(found)
            ours = definition(file, span.start + 1)
            asked += 1
            answered += ours is not None
            theirs_null += not theirs
            if broken:
                in_broken, in_broken_answered = in_broken + 1, in_broken_answered + (ours is not None)
            if broken or not theirs:
                continue
            compared += 1
            mine = plain(convert.text.position(ours.start)) if ours else None
            if mine != start_of(theirs[0]):
                wrong.append(f"{where}: {mine}")
                continue
            context = types.ReferenceContext(include_declaration=True)
            places = many(
                await client.text_document_references_async(types.ReferenceParams(context, document.id, position))
            )
            referred = {plain(convert.text.position(place.start)) for place in references(file, span.start + 1)}
            own = [one.span.start for one in highlights(file, span.start + 1) if one.own]
            if {plain(convert.text.position(start)) for start in own} != referred:
                wrong.append(f"{where}: highlights")
            if not agree(file, {start_of(place) for place in places}, referred):
                wrong.append(f"{where}: references")
        client.close(uri)
    await client.leave()
    with capsys.disabled():
        print(
            f"\n{compared} names compared, {len(wrong)} differ; answers: ours {answered}, theirs {asked - theirs_null};"
            f" {unparsed} files that theirs cannot parse: ours answers for {in_broken_answered} of {in_broken} names"
        )
    assert compared > 1000
    assert in_broken_answered > 0.95 * in_broken
    assert wrong == [], "\n".join(wrong[:30])

"""What is published part by part is what converting all findings anew gives, after any edits."""

from __future__ import annotations

import json
import random
from itertools import accumulate
from typing import Any

import pytest
from lsprotocol import converters
from tests.effort import some

from memlane.config import Config
from memlane.findings import Edit, Span
from memlane.query import Checker
from memlane.query.findings_store import Parts
from memlane.syntax import Document
from memlane.text import Text
from memlane_server import diagnostic_chunks
from memlane_server.convert import Converter
from memlane_server.limits import MAX_RUN_PORTIONS
from memlane_server.publishing import Publisher
from memlane_server.source_links import SourceLinks

URI = "file:///w/100%25 %d.mlir"
FUNCTION = """func.func @f{0}(%x: memref<4xf32>, %name_{0}: i1) {{
  // a line with 𝒳 and ü before the findings
  %a = "t.s"() {{text = "𝒳ü"}} : () -> index  %b = memref.alloc() : memref<4xf32>
  memref.copy %x, %b : memref<4xf32> to memref<4xf32>
  memref.dealloc %b : memref<4xf32> loc("100 %d.py":3:4)
  memref.dealloc %b : memref<4xf32> loc(#loc1)
  %c = memref.alloc() : memref<8xf32>
  return
}}
"""
CALLING = """func.func @g{0}(%x: memref<4xf32>) {{
  memref.dealloc %x : memref<4xf32>
  return
}}
func.func @h{0}() {{
  %a = memref.alloc() : memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  call @g{1}(%a) : (memref<4xf32>) -> ()
  return
}}
"""
"""Its findings speak of lines in another function, far away."""
LINKS = SourceLinks(URI, [])
COUNT = 6
ALIASES = '#loc1 = loc(#loc2)\n#loc2 = loc("model.py":7:1)\n'
FUNCTIONS = "".join(FUNCTION.format(number) + CALLING.format(number, COUNT - 1 - number) for number in range(COUNT))
PROGRAM = FUNCTIONS + ALIASES
TYPED = (
    "#loc2 = loc(unknown)\n",
    "x",
    "\n",
    "%",
    "{",
    " ",
    "𝒳",
    "\r\n",
    '"',
    "func.func private @g()\n",
    "// memlane: ignore[leak] no\n",
)
ENCODINGS = ("utf-8", "utf-16", "utf-32")


def anew(found: Parts, encoding: str) -> list[Any]:
    """All findings converted, as pygls would write them."""
    convert = Converter(Text(found.document.source), encoding)
    unstructure = converters.get_converter().unstructure
    return [unstructure(convert.diagnostic(URI, finding, related=True, links=LINKS)) for finding in found.findings]


@pytest.mark.slow
@pytest.mark.parametrize("length", [1, 3, MAX_RUN_PORTIONS])
@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("seed", some(range(4), 1))
def test_parts_say_what_all_findings_say(
    seed: int, encoding: str, length: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(diagnostic_chunks, "MAX_RUN_PORTIONS", length)
    config, chosen = Config(), random.Random(seed)
    document, checker, publisher = (
        Document(PROGRAM, config.models),
        Checker(),
        Publisher(URI, encoding, related=True, links=LINKS),
    )
    for _ in range(12):
        found = checker.results(document, config)
        assert json.loads(publisher.diagnostics(found)) == anew(found, encoding)
        assert json.loads(publisher.diagnostics(found)) == anew(found, encoding)
        at = chosen.randrange(document.size + 1)
        gone = chosen.choice((0, 0, 1, 30))
        document = document.edit([Edit(Span(at, min(document.size, at + gone)), chosen.choice(TYPED))])


def test_the_message_names_document_and_version() -> None:
    config = Config()
    found = Checker().results(Document(PROGRAM, config.models), config)
    message = json.loads(Publisher(URI, "utf-16", related=False, links=LINKS).publication(found, 7))
    assert message["method"] == "textDocument/publishDiagnostics"
    assert (message["params"]["uri"], message["params"]["version"]) == (URI, 7)
    assert all("relatedInformation" not in one for one in message["params"]["diagnostics"])
    assert (
        "version"
        not in json.loads(Publisher(URI, "utf-16", related=False, links=LINKS).publication(found, None))["params"]
    )


def test_what_an_edit_left_alone_is_not_written_again() -> None:
    config = Config()
    program = "".join(FUNCTION.format(number) for number in range(6))
    document, checker, publisher = (
        Document(program, config.models),
        Checker(),
        Publisher(URI, "utf-16", related=True, links=LINKS),
    )
    first = publisher.diagnostics(checker.results(document, config))
    written: list[object] = []
    write = publisher._write  # pyright: ignore[reportPrivateUsage] -- counted, as nothing else shows it
    publisher._write = lambda memory, found: written.append(memory) or write(memory, found)  # pyright: ignore[reportPrivateUsage] -- as above
    typed = document.edit([Edit(Span(program.index("@f2") + 3, program.index("@f2") + 3), "x")])
    publisher.diagnostics(checker.results(typed, config))
    assert len(written) == 1
    assert publisher.diagnostics(checker.results(document, config)) == first
    assert len(written) == 1  # what comes back neither


def test_runs_say_where_lines_begin_after_any_edits(monkeypatch: pytest.MonkeyPatch) -> None:
    most = 3
    monkeypatch.setattr(diagnostic_chunks, "MAX_RUN_PORTIONS", most)
    config, chosen = Config(), random.Random(3)
    document, followed = Document(PROGRAM, config.models), diagnostic_chunks.Runs()
    for _ in range(200):
        portions = document.portions.every
        if followed.follow(portions):
            ends = [*accumulate(map(diagnostic_chunks.lines_of, portions), initial=0)]
            assert [followed.line(number) for number in range(len(portions))] == ends[:-1]
            assert [slot.portion for _, _, run in followed.placed() for slot in run.slots] == [*portions]
            assert sum(1 for _ in followed.placed()) <= 5 + 4 * len(portions) // most
        at = chosen.randrange(document.size + 1)
        gone = chosen.choice((0, 0, 1, 30, 300))
        typed = chosen.choice((*TYPED, FUNCTION.format(7), CALLING.format(8, 9)))
        document = document.edit([Edit(Span(at, min(document.size, at + gone)), typed)])

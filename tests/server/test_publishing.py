"""What is published part by part is what converting all findings anew gives, after any edits."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from lsprotocol import converters

from memlane.config import Config
from memlane.findings import Edit, Span
from memlane.incremental import Checker
from memlane.parts import Parts
from memlane.syntax import Document
from memlane.text import Text
from memlane_server.convert import Converter
from memlane_server.publishing import Publisher

URI = "file:///w/100%25 %d.mlir"
FUNCTION = """func.func @f{0}(%x: memref<4xf32>, %name_{0}: i1) {{
  // a line with 𝒳 and ü before the findings
  %a = "t.s"() {{text = "𝒳ü"}} : () -> index  %b = memref.alloc() : memref<4xf32>
  memref.copy %x, %b : memref<4xf32> to memref<4xf32>
  memref.dealloc %b : memref<4xf32>
  memref.dealloc %b : memref<4xf32>
  %c = memref.alloc() : memref<8xf32>
  return
}}
"""
PROGRAM = "".join(FUNCTION.format(number) for number in range(6))
TYPED = ("x", "\n", "%", "{", " ", "𝒳", "\r\n", '"', "func.func private @g()\n", "// memlane: ignore[leak] no\n")
ENCODINGS = ("utf-8", "utf-16", "utf-32")


def anew(found: Parts, encoding: str) -> list[Any]:
    """All findings converted, as pygls would write them."""
    convert = Converter(Text(found.document.source), encoding)
    unstructure = converters.get_converter().unstructure
    return [unstructure(convert.diagnostic(URI, finding, related=True)) for finding in found.findings]


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("seed", range(4))
def test_parts_say_what_all_findings_say(seed: int, encoding: str) -> None:
    config, chosen = Config(), random.Random(seed)
    document, checker, publisher = Document(PROGRAM, config.models), Checker(), Publisher(URI, encoding, related=True)
    for _ in range(12):
        found = checker.results(document, config)
        assert json.loads(publisher.diagnostics(found)) == anew(found, encoding)
        at = chosen.randrange(document.size + 1)
        gone = chosen.choice((0, 0, 1, 30))
        document = document.edit([Edit(Span(at, min(document.size, at + gone)), chosen.choice(TYPED))])


def test_the_message_names_document_and_version() -> None:
    config = Config()
    found = Checker().results(Document(PROGRAM, config.models), config)
    message = json.loads(Publisher(URI, "utf-16", related=False).publication(found, 7))
    assert message["method"] == "textDocument/publishDiagnostics"
    assert (message["params"]["uri"], message["params"]["version"]) == (URI, 7)
    assert all("relatedInformation" not in one for one in message["params"]["diagnostics"])
    assert "version" not in json.loads(Publisher(URI, "utf-16", related=False).publication(found, None))["params"]


def test_what_an_edit_left_alone_is_not_written_again() -> None:
    config = Config()
    document, checker, publisher = Document(PROGRAM, config.models), Checker(), Publisher(URI, "utf-16", related=True)
    first = publisher.diagnostics(checker.results(document, config))
    written: list[object] = []
    write = publisher._write  # pyright: ignore[reportPrivateUsage] -- counted, as nothing else shows it
    publisher._write = lambda part: written.append(part) or write(part)  # pyright: ignore[reportPrivateUsage] -- as above
    typed = document.edit([Edit(Span(PROGRAM.index("@f2") + 3, PROGRAM.index("@f2") + 3), "x")])
    publisher.diagnostics(checker.results(typed, config))
    assert len(written) == 1
    assert publisher.diagnostics(checker.results(document, config)) == first

"""What inputs are given to. A target takes a text, and raises `AssertionError` when what comes out makes no sense.

What a target raises itself, of whatever kind, is a bug: none of the code below may raise on any text.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path

from memlane.checking import Checked, check
from memlane.cli.check_result import CheckedFile as Shown
from memlane.cli.check_result import CheckOutcome
from memlane.cli.render import FORMATS, render
from memlane.cli.render.style import Style
from memlane.cli.stats import record
from memlane.config import Config, load_config
from memlane.findings import Finding, Span
from memlane.fixes import fix_all, with_fixes
from memlane.ide.buffer_names import deallocations, declarations
from memlane.ide.completion import completions
from memlane.ide.definition import definition
from memlane.ide.fixes import FixAll, differences, repairs
from memlane.ide.folding import comments, regions
from memlane.ide.highlight import highlights
from memlane.ide.hints import hints
from memlane.ide.hover import hover
from memlane.ide.outline import outline
from memlane.ide.references import references
from memlane.ide.rename import RenameRefused, renamable, rename
from memlane.ide.selection import selections
from memlane.ide.snapshot import File
from memlane.lanes.html import html
from memlane.lanes.lane_layout import picture
from memlane.memory_report import assumptions, usage
from memlane.query.findings_store import moved
from memlane.syntax import Document, parse
from memlane.syntax.editing.pieces import cut
from memlane.syntax.lines.memo import Memo
from memlane.syntax.names.scoping import Scoping
from memlane.syntax.tree.tree import Op
from memlane.text import Text

CONFIG = Config()


def scan(text: str) -> None:
    """Pieces: joined, they are the text."""
    assert "".join(one.piece.text for one in cut(text, Memo(), Scoping(CONFIG.models))) == text


def read(text: str) -> None:
    """Problems: in order, and about places in the text."""
    tree = Document(text, CONFIG.models).tree
    for problem in tree.problems:
        _inside(problem.span, text)
        for _, span in problem.notes:
            _inside(span, text)
    places = [problem.span for problem in tree.problems]
    assert places == sorted(places)


def tree(text: str) -> None:
    """Operations: definitions and uses agree, and everything knows where it is."""
    for op in parse(text, CONFIG.models).walk():
        _inside(op.span, text)
        _inside(op.name_span, text)
        _linked(op)


def _linked(op: Op) -> None:
    for number, value in enumerate(op.results):
        assert value.op is op and value.index == number
    for use in (*op.operands, *(use for successor in op.successors for use in successor.operands)):
        assert use.op is op
        assert use.value is None or any(one is use for one in use.value.uses)
    for region in op.regions:
        assert region.op is op
        for block in region.blocks:
            assert block.region is region and all(value.block is block for value in block.arguments)
            assert [(child.parent, child.index) for child in block.ops] == [(block, n) for n in range(len(block.ops))]


def solver(text: str) -> None:
    """Findings: in order, about places in the text, the same when asked again."""
    checked = check(text, CONFIG)
    _sensible(checked.findings, text)
    assert check(text, CONFIG).findings == checked.findings


def _sensible(findings: Iterable[Finding], text: str) -> None:
    places: list[Span] = []
    for finding in findings:
        moved(finding, lambda span: _inside(span, text))
        places.append(finding.report.span)
    assert places == sorted(places)


def renderers(text: str) -> None:
    """Every output format shows whatever is found in whatever text, fixes included."""
    checked = with_fixes(check(text, CONFIG), CONFIG)
    outcome = CheckOutcome((Shown("a<b>\x1b\udcff.mlir", checked.text, checked.findings),))
    for form in FORMATS:
        render(form, outcome, Style()).encode("utf-8", "surrogatepass")


def fixes(text: str) -> None:
    """Fixes: when all are made there are none left to make, and no error has come."""
    for unsafe in (False, True):
        fixed = fix_all(text, CONFIG, unsafe)
        assert fix_all(fixed, CONFIG, unsafe) == fixed
        if fixed != text:
            before, after = check(text, CONFIG), check(fixed, CONFIG)
            assert _broken(after) <= _broken(before)


def _broken(checked: Checked) -> int:
    return sum(problem.rule != "undefined-symbol" for problem in checked.tree.problems)


def memory(text: str) -> None:
    """Memory use: figures and pictures."""
    lines = Text(text)
    found = list(usage(text, CONFIG, assumptions(text, CONFIG)))
    for one in found:
        record("f.mlir", one, lines)
    html([picture(one, lines) for one in found], "f.mlir", text)


def editor(text: str) -> None:
    """What an editor asks for, at some places."""
    file = File("file:///f.mlir", 1, (text,), CONFIG)
    outline(file)
    for span in (*regions(file), *comments(file)):
        _inside(span, text)
    hints(file, Span(0, len(text)))
    differences(file.text, FixAll(text).run(CONFIG))
    choose = random.Random(len(text))
    for offset in (0, len(text), *(choose.randint(0, len(text)) for _ in range(12))):
        hover(file, offset)
        definition(file, offset)
        references(file, offset)
        highlights(file, offset)
        completions(file, offset)
        declarations(file, offset)
        deallocations(file, offset)
        selections(file, offset)
        thing = renamable(file, offset)
        if thing is not None:
            with suppress(RenameRefused):  # an answer as well: the name is taken
                rename(file, offset, f"{file.text.source[thing.span.start]}new")
        list(repairs(file, Span(offset, offset)))


def configuration(text: str, folder: Path) -> None:
    """A configuration file: mistakes are values; whatever is left can be used."""
    path = folder / "memlane.toml"
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    config, _ = load_config(path)
    check("func.func @f() {\n  %a = memref.alloc() : memref<4xf32>\n  return\n}\n", config)


def _inside(span: Span, text: str) -> Span:
    assert 0 <= span.start <= span.end <= len(text), (span, len(text))
    return span


TARGETS: Mapping[str, Callable[[str], None]] = {
    one.__name__: one for one in (scan, read, tree, solver, renderers, fixes, memory, editor)
}
"""The targets that take a program."""

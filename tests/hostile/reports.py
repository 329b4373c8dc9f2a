"""What is made of findings once they are known: output, pictures, differences, and what an editor asks for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from memlane.checking import check
from memlane.cli import stats
from memlane.cli.check_result import CheckedFile as Shown
from memlane.cli.check_result import CheckOutcome
from memlane.cli.render import FORMATS, render
from memlane.cli.render.fingerprint import fingerprints
from memlane.cli.render.style import Style
from memlane.cli.repair import diffs
from memlane.findings import Span
from memlane.fixes import fix_all
from memlane.ide import lenses, semantic_tokens
from memlane.ide.completion import completions
from memlane.ide.definition import definition
from memlane.ide.fixes import differences, silences
from memlane.ide.folding import comments, regions
from memlane.ide.highlight import highlights
from memlane.ide.hints import hints
from memlane.ide.hover import hover
from memlane.ide.outline import outline
from memlane.ide.references import references
from memlane.ide.rename import renamable, rename
from memlane.ide.selection import selections
from memlane.ide.snapshot import File
from memlane.ide.token_chunks import Units
from memlane.lanes.html import html
from memlane.lanes.lane_layout import picture
from memlane.lanes.terminal import terminal
from memlane.memory_report import assumptions, usage
from memlane.suppressions import ignoring
from memlane.text import Text
from tests.hostile.growth import CONFIG, Work
from tests.hostile.shapes import TYPE, functions


def _file(text: str) -> File:
    file = File("file:///f.mlir", 1, (text,), CONFIG)
    assert file.checked is not None
    return file


def _whole(text: str) -> Work:
    """What editors ask about a whole document."""
    file = _file(text)

    def ask() -> None:
        outline(file)
        list(regions(file))
        list(comments(file))
        list(lenses.places(file))
        hints(file, Span(0, len(text)))
        list(silences(file, Span(0, len(text))))
        semantic_tokens.marks(file, semantic_tokens.told(file.parts))
        Units(lambda _, found, __: found).all(file)

    return ask


def _here(text: str) -> Work:
    """What they ask about places in it: the first buffer, a name behind the middle, an operation, the end."""
    file = _file(text)
    places = [max(text.find("%a"), 0), max(text.rfind("%", 0, len(text) * 2 // 3), 0), max(text.rfind("memref."), 0)]

    def ask() -> None:
        for offset in (*places, len(text) - 1):
            for asked in (hover, completions, definition, references, highlights, selections):
                asked(file, offset)
            thing = renamable(file, offset)
            if thing is not None:
                rename(file, offset, f"{text[thing.span.start]}another")

    return ask


def _output(text: str) -> Work:
    """All formats, the baseline's marks, and comments that silence what was found."""
    checked = check(text, CONFIG)
    outcome = CheckOutcome((Shown("f.mlir", checked.text, checked.findings, suppressed=checked.suppressed),))

    def show() -> None:
        for form in FORMATS:
            render(form, outcome, Style())
        list(fingerprints(outcome))
        ignoring(checked.text, checked.findings)

    return show


def _drawn(text: str) -> Work:
    """Pictures and tables of memory use that is known."""
    lines, found = Text(text), list(usage(text, CONFIG, assumptions(text, CONFIG)))

    def draw() -> None:
        pictures = [picture(one, lines) for one in found]
        html(pictures, "f.mlir", text)
        for one, drawn in zip(found, pictures, strict=True):
            terminal(drawn, 100)
            stats.record("f.mlir", one, lines)

    return draw


def _differs(text: str) -> Work:
    """What all safe fixes change, as edits and as a difference."""
    lines, after = Text(text), Text(fix_all(text, CONFIG))
    outcome = CheckOutcome((Shown("f.mlir", after, (), before=text),))
    return lambda: (differences(lines, after.source), diffs(outcome, Style()))


REPORTS: Mapping[str, Callable[[str], Work]] = {
    "whole": _whole,
    "here": _here,
    "output": _output,
    "drawn": _drawn,
    "differs": _differs,
}
"""Prepare a text; what is given back is what counts."""

_MADE = f"  %a{{0}} = memref.alloc() : {TYPE}\n"
_USED = f"  memref.store %x, %a{{0}}[%i] : {TYPE}\n"
_WORK = "  %w{0} = arith.addf %x, %x : f32\n"
_FREED = f"  memref.dealloc %a{{0}} : {TYPE}\n"


def _each(count: int, *lines: str) -> Iterator[str]:
    """Each of the lines for all numbers, one after the other."""
    for line in lines:
        yield from (line.format(number) for number in range(count))


def _function(lines: Iterator[str]) -> str:
    return f"func.func @f(%c: i1, %x: f32, %i: index) {{\n{''.join(lines)}  return\n}}\n"


def _inner(count: int) -> str:
    """Buffers in loops in loops."""
    body = "".join(f"scf.for %j{n} = %i to %i step %i {{\n" + (_MADE + _USED).format(n) for n in range(count))
    return _function(iter((body, "}\n" * count)))


MADE: Mapping[str, tuple[Callable[[int], str], int]] = {
    "functions": (functions, 30),
    "leaks": (lambda count: _function(_each(count, _MADE + _USED)), 80),
    "side by side": (lambda count: _function(_each(count, _MADE, _USED, _WORK, _FREED)), 80),
    "late": (lambda count: _function(_each(count, _MADE + _USED + _WORK + _FREED)), 80),
    "on one line": (lambda count: _function(_each(count, _MADE + _USED + _WORK + _FREED)).replace("\n", " "), 80),
    "lost in one loop": (
        lambda count: _function(iter(("scf.for %j = %i to %i step %i {\n", *_each(count, _MADE + _USED), "}\n"))),
        80,
    ),
    "lost in branches": (lambda count: _function(_each(count, f"  scf.if %c {{{{\n{_MADE}{_USED}  }}}}\n")), 30),
    "loops in loops": (_inner, 12),
    "silenced": (lambda count: _function(_each(count, _MADE.replace("\n", "  // memlane: ignore[leak]\n"))), 60),
    "silent without need": (lambda count: _function(_each(count, _WORK[:-1] + "  // memlane: ignore[leak]\n")), 60),
    "used after": (lambda count: _function(iter((_MADE.format(0), _FREED.format(0), _USED.format(0) * count))), 60),
    "unknown names": (lambda count: _function(_each(count, "  call @nope{0}() : () -> ()\n")), 240),
}
"""By name: texts that are large in one way, and a size that takes a moment."""

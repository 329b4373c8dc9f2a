"""Check files: report leaks, uses after free, late deallocations and the like.

Exit code 0: nothing worse than advice (information, hint) was found; 1: errors or warnings; 2: something could not
be checked, and the others were.
"""

from __future__ import annotations

import sys
import traceback
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Iterator
from io import TextIOWrapper
from pathlib import Path

from memlane import check as checker
from memlane.cli import CLEAN, FAILED, FOUND, files
from memlane.cli.outcome import Checked, Failure, Outcome
from memlane.cli.render import FOR_PEOPLE, FORMATS, render
from memlane.cli.render.statistics import render_statistics
from memlane.cli.render.style import Style, style_for
from memlane.cli.render.summary import summary
from memlane.cli.settings import Settings, add_options

STDIN = "-"


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "paths", nargs="*", default=["."], metavar="FILE", help="file, directory, or - for stdin; default: ."
    )
    parser.add_argument("--output-format", choices=FORMATS, default="full", help="default: full")
    parser.add_argument("-o", "--output-file", type=Path, metavar="FILE", help="write the findings to FILE")
    parser.add_argument("--stdin-filename", default=STDIN, metavar="NAME", help="what to call the text of stdin")
    parser.add_argument(
        "--statistics", action="store_true", help="show how often each rule found something, nothing else"
    )
    parser.add_argument("-e", "--exit-zero", action="store_true", help="exit with 0 even if there are findings")
    parser.add_argument(
        "--color", choices=("auto", "always", "never"), default="auto", help="default: auto (see NO_COLOR)"
    )
    parser.add_argument("-q", "--quiet", action="store_true", help="print findings, no summary")
    parser.add_argument(
        "--no-respect-gitignore", dest="gitignore", action="store_false", help="also search what git ignores"
    )
    add_options(parser)


def run(options: Namespace) -> int:
    """Check, show, and tell how it went."""
    settings = Settings(options)
    if settings.fatal:
        _complain(settings.fatal)
        return FAILED
    outcome = _check(options, settings)
    _complain(outcome.failures)
    _show(outcome, options)
    if outcome.failures:
        return FAILED
    return FOUND if outcome.bad and not options.exit_zero else CLEAN


def _complain(failures: Iterable[Failure]) -> None:
    for failure in failures:
        print(f"memlane: {failure.name}: {failure.message}", file=sys.stderr)


def _check(options: Namespace, settings: Settings) -> Outcome:
    paths, failures = files.find([path for path in options.paths if path != STDIN], settings.search)
    checked: list[Checked] = []
    for name, source in _sources(paths, options):
        result = source if isinstance(source, Failure) else _check_one(name, source, settings)
        if isinstance(result, Failure):
            failures.append(result)
        else:
            checked.append(result)
    return Outcome(tuple(checked), (*settings.failures, *failures))


def _sources(paths: list[Path], options: Namespace) -> Iterator[tuple[str, str | Failure]]:
    """The names and texts to check, stdin last."""
    for path in paths:
        yield str(path), files.read(path)
    if STDIN in options.paths:
        yield options.stdin_filename, files.decode(options.stdin_filename, sys.stdin.buffer.read())


def _check_one(name: str, source: str, settings: Settings) -> Checked | Failure:
    try:
        result = checker.check(source, settings.for_file(Path(name)))
    except Exception:
        # A bug of ours must not cost the user the findings of the other files. Nothing else catches everything.
        traceback.print_exc()
        return Failure(name, "cannot be checked because of a bug in Memlane (above); please report it with the file")
    return Checked(name, result.text, result.findings)


def _show(outcome: Outcome, options: Namespace) -> None:
    people = options.output_format in FOR_PEOPLE
    style = style_for(sys.stdout, options.color) if options.output_file is None else Style()
    if options.statistics:
        text = render_statistics(outcome, options.output_format)
    else:
        text = render(options.output_format, outcome, style)
    if people and not options.quiet:
        text += summary(outcome, style) + "\n"
    if options.output_file is None:
        if isinstance(sys.stdout, TextIOWrapper):  # a file's name need not be text
            sys.stdout.reconfigure(errors="backslashreplace")
        sys.stdout.write(text)
    else:
        options.output_file.parent.mkdir(parents=True, exist_ok=True)
        options.output_file.write_text(text, encoding="utf-8", errors="backslashreplace")

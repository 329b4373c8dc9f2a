"""Check files: report leaks, uses after free, late deallocations and the like.

Exit code 0: nothing worse than advice (information, hint) was found; 1: errors or warnings; 2: something could not
be checked, and the others were.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Iterable
from pathlib import Path

from memlane.cli import CLEAN, FAILED, FOUND, files, repair
from memlane.cli.atomic_write import write_output
from memlane.cli.baseline import against_baseline
from memlane.cli.check_result import CheckedFile, CheckOutcome, Failure
from memlane.cli.progress import progress
from memlane.cli.render import FOR_PEOPLE, FORMATS, render
from memlane.cli.render.savings_lines import savings
from memlane.cli.render.statistics import render_statistics
from memlane.cli.render.style import Style, style_for
from memlane.cli.render.summary import fixable, repairs, summary
from memlane.cli.scheduler import check_files
from memlane.cli.settings import Settings, add_cache_options, add_options
from memlane.cli.single_file import check_text
from memlane.cli.terminal_output import tell
from memlane.cli.watch import watch
from memlane.dumps import dump_count

STDIN = "-"


EXAMPLES = """\
examples:
  memlane check                                     what git does not ignore, below here
  mlir-opt ... | memlane check -                    what a pass printed
  memlane check --fix --diff lib                    what would repair it
  memlane check --select 'possible-*' a.mlir        some rules only
  memlane check --output-format sarif -o out.sarif  for code scanning

`memlane explain RULE` describes a rule."""


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.epilog = EXAMPLES
    parser.add_argument(
        "paths", nargs="*", default=["."], metavar="FILE", help="file, directory, or - for stdin; default: ."
    )
    parser.add_argument("--output-format", choices=FORMATS, default="full", help="default: full")
    parser.add_argument("-o", "--output-file", type=Path, metavar="FILE", help="write the findings to FILE")
    parser.add_argument("--stdin-filename", default=STDIN, metavar="NAME", help="file name shown for the text of stdin")
    parser.add_argument("--statistics", action="store_true", help="show only the number of findings of each rule")
    parser.add_argument("--baseline", type=Path, metavar="FILE", help="leave out the findings recorded in FILE")
    parser.add_argument("--write-baseline", action="store_true", help="record what is found now in the baseline")
    parser.add_argument("-w", "--watch", action="store_true", help="check again whenever a file changes")
    parser.add_argument("-e", "--exit-zero", action="store_true", help="exit with 0 even if there are findings")
    parser.add_argument(
        "--no-group",
        action="store_false",
        dest="group",
        help="show each finding in full, however many of one rule are in one function",
    )
    parser.add_argument(
        "--color", choices=("auto", "always", "never"), default="auto", help="default: auto (see NO_COLOR)"
    )
    parser.add_argument("-q", "--quiet", action="store_true", help="print findings, no summary and no progress")
    parser.add_argument(
        "-j", "--jobs", type=_count, default=0, metavar="N", help="check in N processes; default: as many as seem good"
    )
    repair.add_options(parser)
    add_options(parser)
    add_cache_options(parser)


def run(options: Namespace) -> int:
    """Check, show, and tell how it went."""
    if not options.watch:
        return _once(options)
    watch(lambda: _once(options), lambda: _watched(options))
    return CLEAN


def _once(options: Namespace) -> int:
    settings = Settings(options)
    if options.add_ignore and options.baseline is not None:
        settings.fatal.append(Failure("command line", "--add-ignore would silence what the baseline knows: use one"))
    if options.write_baseline and options.baseline is None:
        settings.fatal.append(Failure("command line", "--write-baseline needs --baseline FILE"))
    if options.reason and not options.add_ignore:
        settings.fatal.append(Failure("command line", "--reason needs --add-ignore, whose comments give it"))
    if settings.fatal:
        _complain(settings.fatal)
        return FAILED
    outcome = _check(options, settings)
    if options.baseline is not None:
        outcome = against_baseline(outcome, options.baseline, options.write_baseline)
    _complain(outcome.failures)
    try:
        _show(outcome, options)
    except OSError as error:
        if error.filename is None:  # the pipe was closed: `main` knows what to do
            raise
        _complain([Failure(str(error.filename), f"cannot be written: {error.strerror}")])
        return FAILED
    if outcome.failures:
        return FAILED
    changes = options.diff and any(file.before is not None for file in outcome.files)
    return FOUND if (changes or outcome.bad) and not options.exit_zero else CLEAN


def _watched(options: Namespace) -> Iterable[Path]:
    """The files to check and the configurations that hold for them."""
    settings = Settings(options)
    paths, _ = files.find([path for path in options.paths if path != STDIN], settings.search)
    for path in paths:
        settings.for_directory(path.parent)
    return (*map(Path, options.paths), *paths, *settings.files())


def _count(text: str) -> int:
    if not text.strip().isdecimal() or not int(text):
        raise ArgumentTypeError(f"expected a number of processes, 1 or more, found {text!r}")
    return int(text)


def _complain(failures: Iterable[Failure]) -> None:
    for failure in failures:
        tell(f"{failure.name}: {failure.message}")


def _check(options: Namespace, settings: Settings) -> CheckOutcome:
    paths, failures = files.find([path for path in options.paths if path != STDIN], settings.search)
    results = [
        result for _, result in progress(check_files(paths, options, settings), len(paths), sys.stderr, options.quiet)
    ]
    if STDIN in options.paths:
        name: str = options.stdin_filename
        source = files.read_stdin(name)
        results.append(source if isinstance(source, Failure) else check_text(name, source, settings))
    if not results and not failures:
        tell(f"no files to check in {', '.join(options.paths)}; the setting `include` says which are looked for")
    checked = tuple(result for result in results if isinstance(result, CheckedFile))
    for file in checked:
        _tell_of_log(file)
    failures += (result for result in results if isinstance(result, Failure))
    return CheckOutcome(
        checked, (*settings.failures, *failures), options.show_fixes, options.group and not options.show_fixes
    )


def _tell_of_log(file: CheckedFile) -> None:
    """Name the command for a log of passes: each dump was checked, but what matters is how they differ."""
    if "IR Dump" in file.text.source and (count := dump_count(file.text.source)) > 1:
        tell(f"{file.name}: a pass log with {count} dumps; `memlane passes {file.name}` says what each pass changed")


def _show(outcome: CheckOutcome, options: Namespace) -> None:
    people = options.output_format in FOR_PEOPLE
    style = style_for(sys.stdout, options.color) if options.output_file is None else Style()
    if options.diff:
        text = repair.diffs(outcome, style)
    elif options.statistics:
        text = render_statistics(outcome, options.output_format)
    else:
        text = render(options.output_format, outcome, style)
    if options.diff and not options.quiet:  # stdout is for `patch`
        for line in summary(outcome, Style()).splitlines():
            tell(line)
    if people and not options.diff:
        text += repairs(outcome, style) if options.show_fixes else ""
        if not options.quiet and (outcome.files or not outcome.failures):
            text += f"{summary(outcome, style)}\n"
            text += f"{fixable(outcome, style)}{savings(outcome, style)}" if not options.statistics else ""
    changed = STDIN in options.paths and (options.fix or options.add_ignore) and not options.diff
    if changed:
        _pass_on(outcome, options.stdin_filename)
    if options.output_file is None:
        # A file's name need not be text, and must not cost the output.
        stream = sys.stderr if changed else sys.stdout
        stream.buffer.write(text.encode(stream.encoding, "backslashreplace"))
    else:
        write_output(options.output_file, text, make=True)


def _pass_on(outcome: CheckOutcome, name: str) -> None:
    """What came in through stdin goes out repaired; what is left to say goes to stderr."""
    text = next((file.text.source for file in outcome.files if file.name == name), "")
    sys.stdout.buffer.write(text.encode("utf-8"))
    sys.stdout.flush()

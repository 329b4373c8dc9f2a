"""`--fix`, `--diff` and `--show-fixes`: what is done about findings while files are checked."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from memlane.cli.check_result import CheckedFile, CheckOutcome
from memlane.cli.render import FOR_PEOPLE
from memlane.cli.render.style import Style, visible
from memlane.config import Config
from memlane.findings import NO_SAVINGS, Savings
from memlane.lazy import regex
from memlane.results.cache import PEAKS

if TYPE_CHECKING:
    from memlane import checking as checker


def add_options(parser: ArgumentParser) -> None:
    """Declare the options."""
    group = parser.add_argument_group("fixes")
    group.add_argument("--fix", action="store_true", help="apply the safe fixes, then report what is left")
    group.add_argument("--diff", action="store_true", help="show what --fix would change, and change nothing")
    group.add_argument(
        "--unsafe-fixes", action="store_true", help="also apply fixes that may change behaviour; review them"
    )
    group.add_argument(
        "--show-fixes",
        action="store_true",
        help="look for the fix of each finding, and show it with it; list what --fix has fixed",
    )
    group.add_argument(
        "--add-ignore", action="store_true", help="add comments to the files that silence all findings not fixed"
    )
    group.add_argument("--reason", default="", metavar="TEXT", help="the reason that --add-ignore gives in comments")


class Repair(NamedTuple):
    """What to do with a text.

    Args:
        apply: put fixes in, `unsafe` ones too. `ignore`: put comments in that silence what is left.
        write: put what came of it into the file.
        show: look for the fix of each finding.
        measure: find the functions that could do with far less memory.
        reason: what the comments say.
    """

    apply: bool = False
    write: bool = False
    unsafe: bool = False
    show: bool = False
    ignore: bool = False
    reason: str = ""
    measure: bool = False

    @classmethod
    def asked(cls, options: Namespace) -> Repair:
        """What the command line asks for; commands without these options ask for nothing."""
        said = vars(options)
        fix, diff, ignore = said.get("fix", False), said.get("diff", False), said.get("add_ignore", False)
        return cls(
            apply=fix or (diff and not ignore),
            write=(fix or ignore) and not diff,
            unsafe=said.get("unsafe_fixes", False),
            show=said.get("show_fixes", False),
            ignore=ignore,
            reason=said.get("reason", ""),
            measure=said.get("output_format") in FOR_PEOPLE and not (said["quiet"] or said["statistics"]),
        )

    @property
    def said(self) -> tuple[str, ...]:
        """What else the findings of a text depend on."""
        return (*(("fixes",) if self.show else ()), *((PEAKS,) if self.measure else ()))

    @property
    def changes(self) -> bool:
        """Whether texts may change."""
        return self.apply or self.ignore

    def checked(self, source: str, config: Config) -> tuple[checker.Checked, tuple[str, ...], Savings]:
        """The text after its fixes, with why the rest was left, and the rules of the findings they took away; or the
        text, with what its functions could save."""
        from memlane import checking as checker  # the analysis: not needed for what is known from the last time

        fixed, saved = (), NO_SAVINGS
        if self.apply:
            from memlane.fixes import repaired  # 20 ms, for those who want some

            done = repaired(source, config, self.unsafe, reasons=True)
            result, fixed = done.checked, done.fixed
        elif self.measure:
            from memlane.savings import Measuring

            measuring = Measuring(source, config)
            result = checker.check(source, config, measuring)
            saved = measuring.savings(result.findings)
        else:
            result = checker.check(source, config)
        if self.ignore:
            result = self._silent(result, config)
        if self.show:
            from memlane.fixes import with_fixes

            result = with_fixes(result, config)
        return result, fixed, saved

    def _silent(self, result: checker.Checked, config: Config) -> checker.Checked:
        from memlane import checking as checker
        from memlane.fixes import apply
        from memlane.suppressions import RULE, ignoring

        wanted = [finding for finding in result.findings if finding.rule.name != RULE]
        edits = ignoring(result.text, wanted, " ".join(self.reason.split()))
        return checker.check(apply(result.text.source, edits), config) if edits else result


_CONTROL = regex(r"[\x00-\x1f\x7f]")
_QUOTED = regex(r'[\x00-\x1f\x7f"\\]')
"""What `patch` and git read as an octal number in a name in quotes."""
COLOURS = {"+": "hint", "-": "error", "@": "rail"}
"""Roles of lines of a difference, by their first characters."""


def diffs(outcome: CheckOutcome, style: Style) -> str:
    """The changes of all files, in the unified format."""
    return "".join(_painted(line, style) for file in outcome.files for line in _diff(file))


def _painted(line: str, style: Style) -> str:
    role = COLOURS.get(line[0])
    if not style.terminal and not style.colour:  # whatever it is for: `patch` takes it as it is
        return line
    shown = visible(line.rstrip("\n"))
    return (style.paint(role, shown) if role is not None else shown) + "\n"


def _diff(file: CheckedFile) -> Iterator[str]:
    if file.before is None:
        return
    from memlane.line_diff import unified  # `difflib` costs 5 ms, for those who ask

    old, new = _lines(file.before), _lines(file.text.source)
    name = _relative(file.name)
    for line in unified(old, new, _header(f"a/{name}"), _header(f"b/{name}")):
        yield line if line.endswith("\n") else line + "\n\\ No newline at end of file\n"


def _relative(name: str) -> str:
    """A name as `patch` takes it: from the current folder where the file is below it, else from the root."""
    path = Path(name)
    if not path.is_absolute():
        return name
    here = Path.cwd()
    return str(path.relative_to(here) if path.is_relative_to(here) else path.relative_to(path.anchor))


def _header(name: str) -> str:
    """A name as headers of differences take it: a space would end it but for a tab behind, a line feed in any case."""
    if _CONTROL.search(name):
        return '"' + _QUOTED.sub(lambda found: f"\\{ord(found[0]):03o}", name) + '"'
    return f"{name}\t" if " " in name else name


def _lines(text: str) -> list[str]:
    """The lines as other tools see them: only a line feed ends one."""
    return [line + "\n" for line in text.split("\n")[:-1]] + [last for last in (text.rpartition("\n")[2],) if last]

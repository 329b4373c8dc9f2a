"""The last lines of output for people: the functions that could do with far less memory."""

from __future__ import annotations

from collections.abc import Iterator

from memlane.cli.check_result import CheckedFile, CheckOutcome
from memlane.cli.render.limits import MAX_SAVING_LINES
from memlane.cli.render.style import Style, visible
from memlane.cli.render.summary import plural
from memlane.findings import Saving
from memlane.format import times, words


def savings(outcome: CheckOutcome, style: Style) -> str:
    """`@main: peak 3.75 MiB, 96 KiB is possible (40x); memlane check --fix lowers it`: a line for each of the functions
    that take the most, largest first, and one that says how many were not measured. "" without any."""
    found = [(file, saving) for file in outcome.files for saving in file.savings.found]
    found.sort(key=lambda pair: (-pair[1].peak, pair[0].name, pair[1].function))
    lines = [_line(file, saving, len(outcome.files) > 1, style) for file, saving in found[:MAX_SAVING_LINES]]
    if found:
        lines += _rest(outcome, len(found) - len(lines))
    return "".join(f"{line}\n" for line in lines)


def _line(file: CheckedFile, saving: Saving, several: bool, style: Style) -> str:
    where = f"{visible(file.name)} " if several else ""
    function = style.paint("bold", f"{where}@{visible(saving.function)}")
    factor = f" {times(saving.factor)}" if saving.ideal else ""
    what = f"peak {words(saving.peak)}, {words(saving.ideal)} is possible{factor}"
    return f"{function}: {what}; {_how(saving)}"


def _how(saving: Saving) -> str:
    """What to run."""
    if not saving.fixable:
        return "memlane stats shows what holds it"
    return (
        "memlane reduce may lower it, as allocations are early, too"
        if saving.moves
        else "memlane check --fix lowers it"
    )


def _rest(outcome: CheckOutcome, more: int) -> Iterator[str]:
    unmeasured = sum(file.savings.unmeasured for file in outcome.files)
    if more:
        yield f"{plural(more, 'more function takes', 'more functions take')} at least twice what is possible."
    if unmeasured:
        yield f"{plural(unmeasured, 'more function was', 'more functions were')} not measured; memlane stats does that."

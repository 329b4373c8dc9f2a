"""Single-character mutations of valid programs, judged by mlir-opt: which mistakes we report, and on which line."""

from __future__ import annotations

import random
import re
import subprocess
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from syntax_oracle import MLIR_OPT

from memlane.syntax import parse
from memlane.text import Text

_COMMENT = re.compile(r"//[^\n]*")
_ERROR = re.compile(r"<stdin>:(\d+):\d+: error: (.*)")
_LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789%#@!^{}()[]<>:=,.-" '


class Verdict(NamedTuple):
    """A mutation: the text, where it is, what mlir-opt says (line 1-based and message), what we say (lines)."""

    text: str
    line: int
    error: tuple[int, str] | None
    reported: list[tuple[int, str]]

    @property
    def found(self) -> bool:
        """Whether a mistake is reported on the line of the mutation or of mlir-opt's error, or next to it."""
        wanted = {self.line, self.error[0] if self.error else self.line}
        return any(abs(line - one) <= 1 for line, _ in self.reported for one in wanted)


def mutations(source: str, count: int, seed: int) -> list[tuple[str, int]]:
    """`count` texts that differ from `source` in one character outside comments, and the line (1-based) of it."""
    chooser = random.Random(seed)
    comments = [match.span() for match in _COMMENT.finditer(source)]
    found: list[tuple[str, int]] = []
    while len(found) < count:
        at = chooser.randrange(len(source))
        if source[at].isspace() or any(start <= at < end for start, end in comments):
            continue
        kind = chooser.randrange(3)
        new = "" if kind == 0 else chooser.choice(_LETTERS)
        if new == source[at]:
            continue
        mutated = source[:at] + new + source[at + (kind != 2) :]
        found.append((mutated, source.count("\n", 0, at) + 1))
    return found


def mild(source: str, count: int, seed: int) -> list[tuple[str, int]]:
    """Like `mutations`, of a kind that most programs survive: space put in or taken out, another digit or letter."""
    chooser = random.Random(seed)
    comments = [match.span() for match in _COMMENT.finditer(source)]
    found: list[tuple[str, int]] = []
    while len(found) < count:
        at = chooser.randrange(len(source))
        if any(start <= at < end for start, end in comments):
            continue
        old = source[at]
        if old.isspace():
            new = chooser.choice(["", old * 2, "\n", "\t", " // \n"])
        elif old.isdigit():
            new = chooser.choice("0123456789")
        elif old.isalpha():
            new = chooser.choice("abcdefghijklmnopqrstuvwxyz_0")
        else:
            new = chooser.choice([f" {old}", f"{old} ", f"{old}\n"])
        if new != old:
            found.append((source[:at] + new + source[at + 1 :], source.count("\n", 0, at) + 1))
    return found


def error_of(text: str, loose: bool = False) -> tuple[int, str] | None:
    """Line and message of the first error of mlir-opt, None for a text it accepts.

    Args:
        loose: operations that nobody registered will do.
    """
    options = ["--allow-unregistered-dialect"] if loose else []
    command = [str(MLIR_OPT), *options, "-o", "/dev/null"]
    done = subprocess.run(command, input=text.encode(), capture_output=True, check=False)
    if done.returncode == 0:
        return None
    match = _ERROR.search(done.stderr.decode(errors="replace"))
    return (int(match.group(1)), match.group(2)) if match else (0, "")


def judge(text: str, line: int) -> Verdict:
    """One mutation."""
    lines = Text(text)
    problems = [(lines.position(problem.span.start).line + 1, problem.message) for problem in parse(text).problems]
    return Verdict(text, line, error_of(text), problems)


def false_problems(texts: list[str], count: int) -> tuple[int, list[tuple[str, str]]]:
    """Of `count` mild mutations of each text: those that mlir-opt accepts, and what is reported in them all the same.

    Gives a line and a message each.
    """
    accepted = 0
    false: list[tuple[str, str]] = []
    for number, text in enumerate(texts):
        for mutated, line in mild(text, count, number):
            if error_of(mutated, loose=True) is None:
                accepted += 1
                shown = mutated.split("\n")[line - 1].strip()
                false.extend((shown[:150], problem.message) for problem in parse(mutated).problems[:1])
    return accepted, false


def main(paths: list[str], count: int, show: int) -> None:
    """Print the table for `count` mutations of each file."""
    verdicts = [
        judge(*mutation)
        for number, path in enumerate(paths)
        for mutation in mutations(Path(path).read_text(encoding="utf-8"), count, number)
    ]
    rejected = [verdict for verdict in verdicts if verdict.error]
    false = [verdict for verdict in verdicts if verdict.error is None and verdict.reported]
    missed = [verdict for verdict in rejected if not verdict.found]
    print(f"{len(verdicts)} mutations, {len(rejected)} rejected, {len(rejected) - len(missed)} found ", end="")
    print(f"({100 * (1 - len(missed) / max(1, len(rejected))):.1f} %), {len(false)} false problems")
    kinds = Counter(re.sub(r"'[^']*'|\d+", "_", verdict.error[1])[:70] for verdict in missed if verdict.error)
    for kind, number in kinds.most_common(show):
        print(f"  {number:4} {kind}")
    for verdict in (false + missed)[:show]:
        shown = verdict.text.split("\n")[verdict.line - 1].strip()
        print(f"  {verdict.error} ours {verdict.reported[:2]}\n      {shown[:150]}")


if __name__ == "__main__":
    import sys

    main(sys.argv[3:], int(sys.argv[1]), int(sys.argv[2]))

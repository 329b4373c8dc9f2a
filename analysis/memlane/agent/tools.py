"""What an agent may ask: plain values in, JSON values or text out. Nothing here knows of the protocol.

A program is named by its path or given as text. Paths are taken from the root, and nothing outside the root is read or
written. Rows and columns count from 1, columns in code points.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memlane.agent.limits import MAX_PICTURES
from memlane.checking import check
from memlane.cli import files
from memlane.cli.check_result import CheckedFile, Failure
from memlane.cli.explain import page_of, unknown_rule
from memlane.cli.reduce import record as reduced_record
from memlane.cli.render.records import record
from memlane.cli.stats import record as usage_record
from memlane.config import Config, find_config, load_config
from memlane.fixes import repaired, with_fixes
from memlane.fixes.reduction import functions_of, reduction
from memlane.ide.hover import hover
from memlane.ide.snapshot import File
from memlane.lanes.lane_layout import picture
from memlane.lanes.terminal import terminal
from memlane.line_diff import unified
from memlane.memory_report import Usage, assumptions, usage
from memlane.rules import all_rules, modules
from memlane.text import Text

Json = dict[str, Any]


class RequestRefused(Exception):
    """What was asked cannot be answered; says why, for the one who asked."""


def text_of(message: str) -> str:
    """`message` with bytes of names that are no text escaped, so that it can be sent."""
    return message.encode("utf-8", "backslashreplace").decode("utf-8")


@dataclass(frozen=True, slots=True)
class AgentProgram:
    """A text, what it is called, where it is (None: nowhere), and its configuration."""

    name: str
    source: str
    path: Path | None
    config: Config


class Tools:
    """The tools, on the programs below `root`."""

    def __init__(self, root: Path) -> None:
        self.root = root.resolve()

    def check(self, path: str | None, source: str | None, fixes: bool, limit: int) -> Json:
        """Findings of a program or of all programs in a directory, as records; `limit` of them."""
        found: list[Any] = []
        programs: list[AgentProgram] = []
        failures: list[Failure] = []
        silent = 0
        for one in self._programs(path, source):
            if isinstance(one, Failure):
                failures.append(one)
            else:
                programs.append(one)
        for program in programs:
            checked = check(program.source, program.config)
            checked = with_fixes(checked, program.config) if fixes else checked
            silent += len(checked.suppressed)
            file = CheckedFile(program.name, checked.text, checked.findings)
            found += [record(file, finding) for finding in checked.findings]
        return {
            "files": len(programs),
            "findings": found[:limit],
            "left_out": max(0, len(found) - limit),
            "silenced_by_comments": silent,
            "not_checked": [{"filename": failure.name, "reason": failure.message} for failure in failures],
        }

    def explain(self, rule: str | None, path: str | None, source: str | None, row: int, name: str) -> str:
        """The page of a rule; or what is known of a name in a row of a program; or the list of rules."""
        if rule is not None:
            if rule not in modules():
                raise RequestRefused(unknown_rule(rule))
            return page_of(rule)
        if path is None and source is None:
            return "\n".join(f"{rule.name} ({rule.severity.value}): {rule.summary}" for rule in all_rules().values())
        return _explained(self._program(path, source), row, name)

    def stats(
        self,
        path: str | None,
        source: str | None,
        function: str | None,
        assume: Mapping[str, int],
        sites: bool,
        limit: int,
    ) -> Json:
        """The memory use of `limit` functions: what `memlane stats --output-format json` prints; buffers if asked."""
        program = self._program(path, source)
        text = Text(program.source)
        found = _usages(program, function, assume)
        records = [usage_record(program.name, one, text) for one in found[:limit]]
        if not sites:
            for one in records:
                del one["sites"]
        return {"functions": records, "left_out": max(0, len(found) - limit)}

    def lanes(
        self, path: str | None, source: str | None, function: str | None, assume: Mapping[str, int], columns: int
    ) -> str:
        """The lives of the buffers of each function over program order, drawn with letters."""
        program = self._program(path, source)
        text = Text(program.source)
        found = [one for one in _usages(program, function, assume) if any(s.life.origin.owned for s in one.sites)]
        if not found:
            raise RequestRefused(f"{program.name}: no buffers are made here")
        drawn = [terminal(picture(one, text), columns) for one in found[:MAX_PICTURES]]
        if len(found) > MAX_PICTURES:
            drawn.append(f"{len(found) - MAX_PICTURES} more functions make buffers: name one")
        return "\n\n".join(drawn)

    def fix(self, path: str | None, source: str | None, unsafe: bool, write: bool) -> Json:
        """A program after its fixes, as a difference and as text; what is left. `write`: into its file, too."""
        program = self._program(path, source)
        left = repaired(program.source, program.config, unsafe, reasons=True).checked
        file = CheckedFile(program.name, left.text, left.findings)
        return {**self._changed(program, left.text.source, write), "left": [record(file, one) for one in left.findings]}

    def reduce(
        self, path: str | None, source: str | None, function: str | None, assume: Mapping[str, int], write: bool
    ) -> Json:
        """A program after the safe fixes that lower the peak of a function, or of all: as a difference and as text,
        with each peak before and after. `write`: into its file, too."""
        program = self._program(path, source)
        if function is not None and function not in functions_of(program.source, program.config):
            raise RequestRefused(f"{program.name} has no function @{function}")
        assumed = assumptions(program.source, program.config, assume)
        done = reduction(program.source, program.config, assumed, None if function is None else {function})
        changed = self._changed(program, done.source, write)
        return {**changed, "functions": [reduced_record(program.name, one) for one in done.functions]}

    def _changed(self, program: AgentProgram, text: str, write: bool) -> Json:
        """What became of the text of a program. `write`: it is written into its file, too."""
        if write and program.path is None:
            raise RequestRefused("only a file can be written: name its path")
        if write and program.path is not None and text != program.source:
            failure = files.write(program.path, text, program.source, self.root)
            if failure is not None:
                raise RequestRefused(f"{failure.name}: {failure.message}")
        old, new = program.source.splitlines(keepends=True), text.splitlines(keepends=True)
        return {
            "changed": text != program.source,
            "written": write and text != program.source,
            "diff": "".join(unified(old, new, f"a/{program.name}", f"b/{program.name}")),
            "text": text,
        }

    def _program(self, path: str | None, source: str | None) -> AgentProgram:
        programs = list(self._programs(path, source))
        if len(programs) != 1:
            raise RequestRefused(f"{path} is a directory: name one program")
        if isinstance(programs[0], Failure):
            raise RequestRefused(f"{programs[0].name}: {programs[0].message}")
        return programs[0]

    def _programs(self, path: str | None, source: str | None) -> Iterator[AgentProgram | Failure]:
        """The programs that are meant; what is wrong with one of a directory is no reason to leave out the others."""
        if (path is None) == (source is None):
            raise RequestRefused("give either path or source")
        if source is not None:
            if any("\ud800" <= one <= "\udfff" for one in source):
                raise RequestRefused("source is no text: there is half of a character in it")
            yield AgentProgram("source.mlir", source, None, self._config(self.root))
            return
        wanted = self._inside(str(path))
        if not self._is_folder(wanted):
            yield self._read(wanted, str(path))
            return
        found, failures = files.find([str(wanted)], lambda folder: files.Search(root=folder))
        yield from (Failure(self._shown(Path(failure.name)), text_of(failure.message)) for failure in failures)
        for file in found:
            try:
                yield self._read(file, self._shown(file))
            except RequestRefused as refused:
                yield Failure(self._shown(file), text_of(str(refused)))

    def _read(self, file: Path, asked: str) -> AgentProgram:
        """The program in a file. Raises `RequestRefused`: it is outside, cannot be read or has a wrong
        configuration."""
        real = self._inside(str(file))
        if not real.exists():
            raise RequestRefused(f"{asked}: no such file or directory")
        if not real.is_file():  # reading a pipe or a terminal may wait for ever
            raise RequestRefused(f"{asked} is no file")
        text = files.read(real)
        if isinstance(text, Failure):
            raise RequestRefused(f"{asked}: {text.message}")
        return AgentProgram(self._shown(file), text, file, self._config(file.parent).for_file(file))

    def _is_folder(self, path: Path) -> bool:
        try:
            return path.is_dir()
        except OSError as error:  # a name that is too long, a folder that may not be entered
            raise RequestRefused(f"{path}: cannot be read: {error.strerror}") from None

    def _shown(self, file: Path) -> str:
        """A path as answers name it, which are text whatever the bytes of the name are."""
        name = str(file.relative_to(self.root)) if file.is_relative_to(self.root) else str(file)
        return text_of(name)

    def _inside(self, path: str) -> Path:
        """The place of a path below the root, links followed."""
        try:
            found = (self.root / path).resolve()
            os.fsencode(found)
        except (ValueError, RuntimeError):  # a NUL, half of a character, links that lead to each other
            raise RequestRefused(f"{path!r} is no path") from None
        if not found.is_relative_to(self.root):
            raise RequestRefused(f"{path} is outside {self.root}, which is all that may be read")
        return found

    def _config(self, folder: Path) -> Config:
        config, problems = load_config(find_config(folder))
        if problems:
            raise RequestRefused(f"the configuration has mistakes: {'; '.join(map(str, problems))}")
        return config


def _usages(program: AgentProgram, function: str | None, assume: Mapping[str, int]) -> list[Usage]:
    assumed = assumptions(program.source, program.config, assume)
    found = [*usage(program.source, program.config, assumed, function)]
    if function is not None and not found:
        raise RequestRefused(f"{program.name} has no function @{function}")
    return found


def _explained(program: AgentProgram, row: int, name: str) -> str:
    text = Text(program.source)
    line = text.line(row - 1) if 0 < row <= text.line_count else ""
    column = _column(line, name) if name else None
    if column is None:
        raise RequestRefused(f"{program.name}: there is no {name or 'name'} in row {row}: {line.strip()!r}")
    file = File(program.name, None, (program.source,), program.config)
    offset = text.offset(row - 1, column)
    shown = hover(file, offset)
    parts = [shown.markdown] if shown is not None else [f"Nothing is known about {name}."]
    for finding in file.checked.findings:
        buffer = finding.report.buffer
        if (buffer is not None and buffer.name == name) or text.position(finding.report.span.start).line == row - 1:
            parts.append(f"{finding.severity.value} [{finding.rule.name}]: {finding.report.message}")
            for number, note in enumerate(finding.report.notes, 1):
                parts.append(f"{number}. row {text.position(note.span.start).line + 1}: {note.message}")
    return "\n\n".join(parts)


def _column(line: str, name: str) -> int | None:
    """Where `name` stands in a line as a whole name; None: nowhere."""
    at = line.find(name)
    while at >= 0:
        end = at + len(name)
        if end == len(line) or not (line[end].isalnum() or line[end] in "_$.-"):
            return at
        at = line.find(name, at + 1)
    return None

"""The settings of `memlane.toml`, declared once: key, kind of value, default and one line of documentation.

`config.py` reads files by these declarations; the JSON schema, docs/configuration.md and `memlane config` derive
from them. The tables that describe operations (`op`, `resource`, ...) are not here: `dialects` reads those.
"""

from __future__ import annotations

import fnmatch
import json
import re
from collections.abc import Iterator, Mapping, Sized
from enum import Enum
from functools import cache, lru_cache
from math import inf, isfinite
from typing import Any, NamedTuple, cast

from memlane.config.limits import MAX_ENTRIES
from memlane.dialects.limits import MAX_PROBLEMS
from memlane.dialects.notation import NotationError
from memlane.dialects.problem import unknown
from memlane.findings import Severity
from memlane.lazy import regex

SEVERITIES = tuple(severity.value for severity in Severity)
ALL = "ALL"
_SIZE = regex(r"(\d+(?:\.\d+)?)\s*(B|[KMGT]i?B|)$")
_UNITS = {
    "": 1,
    "B": 1,
    **{f"{prefix}iB": 1024**power for power, prefix in enumerate("KMGT", 1)},
    **{f"{prefix}B": 1000**power for power, prefix in enumerate("KMGT", 1)},
}


class OptionError(NotationError):
    """A value that a setting does not take.

    Args:
        choices: the valid ones where they can be listed.
        key: the entry that is wrong, where the setting is a table.
    """

    def __init__(self, message: str, choices: tuple[str, ...] = (), key: str | None = None) -> None:
        super().__init__(message)
        self.choices = choices
        self.key = key


class ValueKind(Enum):
    """What a setting's value is, in TOML and in `Config`."""

    RULES = "list of rule names or patterns"
    GLOBS = "list of path patterns"
    PATHS = "list of paths, relative to the file"
    PATH = "path, relative to the file"
    FLAG = "true or false"
    COUNT = "integer, 0 or more"
    BYTES = 'bytes: an integer, or "64 KiB"'
    SEVERITIES = "table: rule name or pattern = severity"
    RULES_BY_GLOB = "table: path pattern = list of rule names or patterns"
    BYTES_BY_NAME = "table: name = bytes"
    COUNTS_BY_NAME = "table: name = integer, 0 or more"
    CHOICE = "one of the words that the setting lists"


class Option(NamedTuple):
    """One setting.

    Args:
        key: as in the file, dotted where it stands in a table.
        default: the value in `Config` where no file says otherwise; None: no value.
        summary: one line for the documentation.
        adds: a file's values add to those of the file it extends, instead of replacing them.
        choices: the values of a `CHOICE`.
    """

    key: str
    kind: ValueKind
    default: Any
    summary: str
    adds: bool = False
    choices: tuple[str, ...] = ()


FORMS = ("lowered", "bufferization")

OPTIONS = (
    Option("extend", ValueKind.PATH, None, "another configuration file that this one builds on"),
    Option("select", ValueKind.RULES, (ALL,), 'the rules that are on; "ALL" leaves out those that are off by default'),
    Option("extend-select", ValueKind.RULES, (), "additional rules that are on", adds=True),
    Option("ignore", ValueKind.RULES, (), "rules that are off; the more specific of `select` and `ignore` wins"),
    Option("extend-ignore", ValueKind.RULES, (), "additional rules that are off", adds=True),
    Option("severity", ValueKind.SEVERITIES, {}, "severity of a rule's findings; also turns the rule on", adds=True),
    Option("per-file-ignores", ValueKind.RULES_BY_GLOB, {}, "rules that are off in some files", adds=True),
    Option("include", ValueKind.GLOBS, ("*.mlir",), "which files of a directory are checked"),
    Option("exclude", ValueKind.GLOBS, (), "files and directories that are skipped"),
    Option("respect-gitignore", ValueKind.FLAG, True, "files that git ignores are skipped"),
    Option(
        "models", ValueKind.PATHS, (), "files that describe operations, made by `memlane dialect import`", adds=True
    ),
    Option("budget", ValueKind.BYTES_BY_NAME, {}, "maximum of bytes live at once, by memory space", adds=True),
    Option("assume.dynamic-size", ValueKind.COUNT, None, "number of elements assumed for a dimension `?`"),
    Option(
        "assume.sizes",
        ValueKind.COUNTS_BY_NAME,
        {},
        "numbers for dimensions that the text leaves open: of `%n` everywhere, of `@f %n` in one function",
        adds=True,
    ),
    Option("limits.alloc", ValueKind.BYTES, 64 * 1024**3, "`oversize-alloc` reports larger allocations"),
    Option("limits.stack-promotion", ValueKind.BYTES, 1024, "`stack-promotable` proposes the stack up to this size"),
    Option(
        "limits.late-operations", ValueKind.COUNT, 1, "`late-free` reports buffers held over so many operations or more"
    ),
    Option("limits.late-bytes", ValueKind.BYTES, 0, "`late-free` reports buffers of at least this size"),
    Option(
        "limits.stack-growth", ValueKind.BYTES, 1024, "`stack-growth` reports loops that take this much in all, or more"
    ),
    Option(
        "fix.form",
        ValueKind.CHOICE,
        "lowered",
        'how fixes free under a flag: `scf.if` ("lowered") or `bufferization.dealloc` ("bufferization")',
        choices=FORMS,
    ),
)


def parse(option: Option, value: object) -> tuple[Any, tuple[OptionError, ...]]:
    """The value of `option` as `Config` holds it, from TOML, and each mistake in it.

    Of a list of rules or a table, what is right counts; None: nothing is.
    """
    wrong: list[OptionError] = []
    try:
        found = _value(option, value, wrong)
    except OptionError as error:
        return None, (error,)
    return (found or None) if wrong else found, tuple(wrong)


def _value(option: Option, value: object, wrong: list[OptionError]) -> Any:
    kind = option.kind
    if isinstance(value, Sized) and not isinstance(value, str) and len(value) > MAX_ENTRIES:
        raise OptionError(f"more than {MAX_ENTRIES:,} entries")
    if kind is ValueKind.FLAG:
        return _typed(value, bool, kind)
    if kind is ValueKind.PATH:
        return _typed(value, str, kind)
    if kind in (ValueKind.GLOBS, ValueKind.PATHS):
        return _strings(value, kind)
    if kind is ValueKind.RULES:
        return _rules(value, None, wrong)
    if kind is ValueKind.COUNT:
        return _count(value)
    if kind is ValueKind.BYTES:
        return size(value)
    if kind is ValueKind.CHOICE:
        return _choice(value, option.choices)
    table = cast("dict[str, object]", _typed(value, dict, kind))
    return dict(_entries(kind, table, wrong))


def _entries(kind: ValueKind, table: Mapping[str, object], wrong: list[OptionError]) -> Iterator[tuple[str, Any]]:
    for name, value in table.items():
        if len(wrong) > MAX_PROBLEMS:
            return
        try:
            if kind is ValueKind.SEVERITIES:
                yield _rule(name), _severity(value)
            elif kind is ValueKind.BYTES_BY_NAME:
                yield name, size(value)
            elif kind is ValueKind.COUNTS_BY_NAME:
                yield name, _count(value)
            else:
                yield name, _rules(value, name, wrong)
        except OptionError as error:
            wrong.append(OptionError(str(error), error.choices, name))


def size(value: object) -> int:
    """Bytes from an integer or a text such as `64 KiB`; `KB` counts thousands, `KiB` 1024s."""
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        return value
    match = _SIZE.match(value.strip()) if isinstance(value, str) else None
    number = float(match[1]) * _UNITS[match[2]] if match is not None else inf
    if not isfinite(number):
        raise OptionError(f"expected bytes, found {value!r}", ("1024", '"64 KiB"', '"1.5 GiB"', '"2 MB"'))
    return int(number)


def matches(pattern: str, rule: str) -> int:
    """How specifically `pattern` names `rule`: 3 by name, 2 by a pattern with `*`, 1 by `ALL`, 0 not at all."""
    if pattern == rule:
        return 3
    if pattern == ALL:
        return 1
    return 2 if "*" in pattern and glob(pattern).match(rule) is not None else 0


@lru_cache(MAX_ENTRIES)
def glob(pattern: str) -> re.Pattern[str]:
    """A pattern of names as a regular expression, which tries no star twice."""
    return re.compile(fnmatch.translate(pattern))


def defaults() -> Mapping[str, Any]:
    """The values where no file says anything, by key."""
    return {option.key: option.default for option in OPTIONS}


@cache
def _rule_names() -> tuple[str, ...]:
    # Imported where a file names a rule: the rules import the analyses, and those the configuration.
    from memlane.rules import all_rules

    return tuple(all_rules())


def _rule(value: object) -> str:
    name = _typed(value, str, ValueKind.RULES)
    if not any(matches(name, rule) for rule in _rule_names()):
        raise OptionError(unknown("rule", name, _rule_names()), (ALL, *_rule_names()))
    return name


def _rules(value: object, key: str | None, wrong: list[OptionError]) -> tuple[str, ...]:
    """The rules of a list; unknown ones go to `wrong`, with the `key` that the list stands under."""
    rules: list[str] = []
    for item in cast("list[object]", _typed(value, list, ValueKind.RULES)):
        if len(wrong) > MAX_PROBLEMS:
            break
        try:
            rules.append(_rule(item))
        except OptionError as error:
            wrong.append(OptionError(str(error), error.choices, key))
    return tuple(rules)


def _severity(value: object) -> Severity:
    if value not in SEVERITIES:
        raise OptionError(unknown("severity", str(value), SEVERITIES), SEVERITIES)
    return Severity(value)


def _choice(value: object, choices: tuple[str, ...]) -> str:
    word = str(_typed(value, str, ValueKind.CHOICE))
    if word not in choices:
        raise OptionError(unknown("word", word, choices), choices)
    return word


def _count(value: object) -> int:
    number = cast("int", _typed(value, int, ValueKind.COUNT))
    if number < 0:
        raise OptionError(f"expected {ValueKind.COUNT.value}, found {number}")
    return number


def _strings(value: object, kind: ValueKind) -> tuple[str, ...]:
    items = cast("list[object]", _typed(value, list, kind))
    return tuple(str(_typed(item, str, kind)) for item in items)


def _typed(value: object, expected: type, kind: ValueKind) -> Any:
    if not isinstance(value, expected) or (isinstance(value, bool) and expected is not bool):
        one = isinstance(value, str) and expected is list
        raise OptionError(f"expected {kind.value}, found {value!r}", (json.dumps([value]),) if one else ())
    return value

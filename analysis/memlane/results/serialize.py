"""Findings to plain JSON values and back, nothing lost: how results travel into the cache and out of it.

What findings are made of is read from their declarations, so that a field that is added there travels as well. A frozen
dataclass and a named tuple become the list of their fields, an enumeration its value.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Union, cast, get_args, get_origin, get_type_hints

from memlane.findings import Finding, Rule, Savings, Suppressed

Packed = dict[str, Any]
_PLAIN = (str, int, float, bool, NoneType)


def pack(findings: tuple[Finding, ...], suppressed: tuple[Suppressed, ...], savings: Savings) -> Packed:
    """What `unpack` takes. Rules are written once."""
    every = [*findings, *(silent.finding for silent in suppressed)]
    return {
        "rules": {finding.rule.name: _packed(finding.rule) for finding in every},
        "findings": [_finding(finding) for finding in findings],
        "suppressed": [[_finding(silent.finding), silent.reason] for silent in suppressed],
        "savings": _packed(savings),
    }


def unpack(packed: Packed) -> tuple[tuple[Finding, ...], tuple[Suppressed, ...], Savings]:
    """What was packed. Raises IndexError, KeyError, TypeError or ValueError where it was not."""
    rules = {name: _unpacker(Rule)(one) for name, one in packed["rules"].items()}
    findings = tuple(_to_finding(one, rules) for one in packed["findings"])
    suppressed = tuple(Suppressed(_to_finding(one, rules), reason) for one, reason in packed["suppressed"])
    return findings, suppressed, _unpacker(Savings)(packed["savings"])


def _finding(finding: Finding) -> Any:
    return [finding.rule.name, *_packed(finding)[1:]]


def _to_finding(packed: Any, rules: dict[str, Rule]) -> Finding:
    rule, severity, report, function = packed
    _, to_severity, to_report, _ = _fields(Finding)
    return Finding(rules[rule], to_severity(severity), to_report(report), function)


def _packed(value: Any) -> Any:
    if isinstance(value, _PLAIN):
        return value
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, tuple):
        return [_packed(one) for one in cast("tuple[Any, ...]", value)]
    if isinstance(value, Path):
        return str(value)
    if is_dataclass(value):
        return [_packed(getattr(value, field.name)) for field in fields(value)]
    raise TypeError(f"{type(value).__name__} cannot be kept")


@cache
def _fields(kind: type) -> tuple[Callable[[Any], Any], ...]:
    """How to get back the fields of a dataclass or named tuple."""
    hints = get_type_hints(kind)
    names = [field.name for field in fields(kind)] if is_dataclass(kind) else list(hints)
    return tuple(_unpacker(hints[name]) for name in names)


@cache
def _unpacker(kind: Any) -> Callable[[Any], Any]:
    """How to get back a value of a type."""
    origin, arguments = get_origin(kind), get_args(kind)
    if kind in _PLAIN:
        return _same
    if origin in (Union, UnionType):
        (inner,) = (_unpacker(one) for one in arguments if one is not NoneType)
        return lambda packed: None if packed is None else inner(packed)
    if origin is tuple and arguments[1:] == (...,):
        each = _unpacker(arguments[0])
        return lambda packed: tuple([each(one) for one in packed])
    if issubclass(kind, Enum):
        return {member.value: member for member in kind}.__getitem__
    return kind if issubclass(kind, Path) else _maker(kind)


def _maker(kind: Any) -> Callable[[Any], Any]:
    """How to get back a dataclass or named tuple. Most fields are what they were packed as."""
    unpackers = _fields(kind)
    packed_ones = [(number, unpack) for number, unpack in enumerate(unpackers) if unpack is not _same]
    count = len(unpackers)

    def make(packed: Any) -> Any:
        if len(packed) != count:
            raise ValueError(f"{kind.__name__} has {count} fields")
        values = [*packed]
        for number, unpack in packed_ones:
            values[number] = unpack(values[number])
        return kind(*values)

    return make


def _same(packed: Any) -> Any:
    return packed

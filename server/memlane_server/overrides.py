"""Settings of an editor that stand above `memlane.toml`, as the TOML texts that `memlane.config.load_config` takes.

An editor has them as nested objects: `rules` maps a rule to a severity, `check` has the keys of `memlane.toml`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import cast

from memlane.config.options import OPTIONS

LEAVE = "default"
"""The severity that leaves a rule to `memlane.toml`."""


def overrides(rules: Mapping[str, object], check: Mapping[str, object]) -> tuple[str, ...]:
    """One text per setting. What is null, or `default` for a rule, is left to the file."""
    severities = {rule: level for rule, level in rules.items() if level not in (None, LEAVE)}
    texts = [f"severity = {_toml(severities)}"] if severities else []
    return (*texts, *_options(check))


def _options(check: Mapping[str, object]) -> Iterator[str]:
    for option in OPTIONS:
        value = check.get(option.key)
        if value is None:  # editors nest at dots: {"limits": {"alloc": 1}}
            group, _, name = option.key.rpartition(".")
            nested = check.get(group)
            value = cast("Mapping[str, object]", nested).get(name) if isinstance(nested, Mapping) else None
        if value is not None:
            yield f"{option.key} = {_toml(value)}"


def _toml(value: object) -> str:
    if isinstance(value, Mapping):
        entries = cast("Mapping[str, object]", value).items()
        return "{ " + ", ".join(f"{json.dumps(key)} = {_toml(entry)}" for key, entry in entries) + " }"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(_toml, cast("list[object]", value))) + "]"
    return json.dumps(value, ensure_ascii=False)

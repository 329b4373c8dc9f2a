"""What the client says about how the server shall behave: the section `memlane` of its configuration.

What concerns findings (rules, severities, dialects) belongs to the project, and is in `memlane.config`; the editor's
settings for it take precedence, and are passed on unchanged: `rules` and `check`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, cast

from memlane.dialects.problem import unknown
from memlane_server.limits import MAX_NUMBER

FEATURES = ("all", "memory")
_WORDS: Mapping[type, str] = {str: "a text", int: "an integer", bool: "true or false", dict: "an object"}
"""What the values of settings are, in the words of configuration files."""


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of one client, all with defaults.

    Args:
        features: `all`, or `memory`: only features that `mlir-lsp-server` lacks, for use beside it.
        config: path of a configuration file that is used in place of the one found beside the document.
        debounce: minimum delay between an edit and its analysis, in milliseconds.
        inlay_hint_size: show hints on the sizes of buffers.
        inlay_hint_lifetime: show hints on the live ranges of buffers.
        inlay_hint_late: show hints on late deallocations.
        inlay_hint_ownership: show hints on who owns the buffers that functions take and return.
        inlay_hint_peak: show hints on the peak memory of functions, unless the client asks for lenses, which say it.
        workspace_diagnostics: report problems of all files in the workspace, not only of open ones.
        code_lens: show the peak memory above each function.
        memory_limit: memory limit in MB: idle documents are evicted near it, large ones are not analysed beyond it; 0:
            none.
        size_limit: size limit in MB: larger documents are not analysed; 0: none.
        rules: severities by rule, above those of `memlane.toml`; `default` leaves a rule to the file.
        check: settings by key as in `memlane.toml`, above those of the file.
    """

    features: str = "all"
    config: str | None = None
    debounce: int = 50
    inlay_hint_size: bool = True
    inlay_hint_lifetime: bool = True
    inlay_hint_late: bool = True
    inlay_hint_ownership: bool = True
    inlay_hint_peak: bool = True
    code_lens: bool = True
    memory_limit: int = 2000
    size_limit: int = 50
    workspace_diagnostics: bool = False
    rules: Mapping[str, object] = field(default_factory=dict[str, object])
    check: Mapping[str, object] = field(default_factory=dict[str, object])

    def items(self) -> Iterator[tuple[str, object]]:
        """The settings by their names here."""
        for known in fields(self):
            yield known.name, getattr(self, known.name)

    @property
    def shows_details(self) -> bool:
        """Whether anything is to be shown between the lines."""
        return self.code_lens or self.shows_hints

    @property
    def shows_hints(self) -> bool:
        """Whether hints of any kind are to be shown."""
        return any(value for name, value in self.items() if name.startswith("inlay_hint"))


def parse_settings(given: object) -> tuple[Settings, list[str]]:
    """The settings in what a client sent (keys in camelCase or snake_case), and what is wrong with it."""
    if given is None:
        return Settings(), []
    if not isinstance(given, Mapping):
        return Settings(), [f"the section memlane is no object but {type(given).__name__}"]
    section = cast("Mapping[str, object]", given)
    defaults, values, problems = Settings(), dict[str, Any](), list[str]()
    for known in fields(Settings):
        value = section.get(camel(known.name), section.get(known.name))
        problem = None if value is None else _problem(known.name, value, getattr(defaults, known.name))
        if problem:
            problems.append(problem)
        elif value is not None:
            values[known.name] = value
    return Settings(**values), problems


def _problem(name: str, value: object, default: object) -> str | None:
    wanted = str if default is None else type(default)
    if type(value) is not wanted:
        return f"memlane.{camel(name)}: expected {_WORDS[wanted]}, found {json.dumps(value)}"
    if type(value) is int and not 0 <= value <= MAX_NUMBER:
        return f"memlane.{camel(name)}: expected an integer from 0 to {MAX_NUMBER}, found {json.dumps(value)}"
    if name == "features" and value not in FEATURES:
        return f"memlane.features: {unknown('word', str(value), FEATURES)} (valid: {', '.join(FEATURES)})"
    return None


def camel(name: str) -> str:
    """A setting's name as clients write it."""
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)

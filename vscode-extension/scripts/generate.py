"""Writes the settings in package.json from what declares them: `python scripts/generate.py`.

The extension's own settings are below; the server's come from `memlane_server.settings`, the severities from the rules,
and the rest from the declarations of `memlane.toml`. With `--check` nothing is written, and the exit code is 1 if
package.json is not as it would be written.
"""

from __future__ import annotations

import inspect
import json
import re
import sys
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

from memlane import __version__
from memlane.config.options import OPTIONS, SEVERITIES, ValueKind
from memlane.doc_links import SITE, rule_url
from memlane.findings import Severity
from memlane.rules import all_rules
from memlane_server.overrides import LEAVE
from memlane_server.settings import FEATURES, Settings, camel

PACKAGE = Path(__file__).resolve().parent.parent / "package.json"
Schema = dict[str, Any]

START: dict[str, Schema] = {
    "interpreter": {
        "type": "string",
        "default": "",
        "scope": "machine-overridable",
        "markdownDescription": "Path of a Python, 3.10 or newer, to run the server with. Empty: the one that the "
        "Python extension has chosen, if it is installed, else the first suitable one on the `PATH`. It needs no "
        "packages.",
    },
    "server": {
        "type": "array",
        "items": {"type": "string"},
        "default": [],
        "scope": "machine-overridable",
        "markdownDescription": "A command with its arguments that starts the server, in place of the one in the "
        'extension: `["memlane", "server"]`.',
    },
    "logLevel": {
        "type": "string",
        "enum": ["debug", "info", "warning", "error"],
        "default": "warning",
        "scope": "machine-overridable",
        "description": "Level of the messages in the server's log.",
    },
    "trace.server": {
        "type": "string",
        "enum": ["off", "messages", "verbose"],
        "default": "off",
        "scope": "window",
        "description": "Log the messages between editor and server.",
    },
}

SHOWN: dict[str, Schema] = {
    "lanes.enabled": {
        "type": "boolean",
        "default": True,
        "description": "Show where the buffers of the function at the cursor live, as lanes beside the code.",
    },
    "lanes.most": {
        "type": "integer",
        "default": 5,
        "minimum": 1,
        "maximum": 8,
        "description": "Maximum number of lanes; the largest buffers come first.",
    },
    "lanes.ranges": {
        "type": "boolean",
        "default": False,
        "description": "Underline where the buffer at the cursor lives: solid where it certainly does, dashed where "
        "it may.",
    },
    "panel.followCursor": {
        "type": "boolean",
        "default": True,
        "description": "Show the function at the cursor in the memory panel.",
    },
    "statusBar": {
        "type": "boolean",
        "default": True,
        "description": "Show the state of the server and the number of findings of the file in the status bar.",
    },
}

HERE: dict[str, bool] = {"inlay_hint_peak": False}
"""Defaults that are others than the server's: the lenses, which VS Code shows, say the same."""

SERVER_ENUMS: dict[str, dict[str, str]] = {
    "features": {
        "all": "All features of the server.",
        "memory": "Only features that mlir-lsp-server lacks, for use beside it.",
    }
}

JSON_KINDS: dict[ValueKind, Schema] = {
    ValueKind.RULES: {"type": ["array", "null"], "items": {"type": "string", "enum": []}},
    ValueKind.PATHS: {"type": ["array", "null"], "items": {"type": "string"}},
    ValueKind.FLAG: {"type": ["boolean", "null"]},
    ValueKind.COUNT: {"type": ["integer", "null"], "minimum": 0},
    ValueKind.BYTES: {"type": ["integer", "string", "null"], "minimum": 0},
    ValueKind.BYTES_BY_NAME: {
        "type": ["object", "null"],
        "additionalProperties": {"type": ["integer", "string"], "minimum": 0},
    },
    ValueKind.COUNTS_BY_NAME: {
        "type": ["object", "null"],
        "additionalProperties": {"type": "integer", "minimum": 0},
    },
}
"""How VS Code edits a value of a setting of `memlane.toml`; kinds that are not here stay in the file."""

PROJECT_ONLY = {"models"}
"""Settings that VS Code could edit, but whose paths are relative to the file."""


def configuration() -> list[Schema]:
    """The groups of settings, as package.json has them."""
    groups = {
        "Memlane": START,
        "Display": SHOWN,
        "Server": dict(_server()),
        "Severities of rules": dict(_rules()),
        "Configuration": dict(_options()),
    }
    return [
        {
            "title": title,
            "order": order,
            "properties": {
                f"memlane.{key}": {"order": place, **_scoped(schema)}
                for place, (key, schema) in enumerate(group.items())
            },
        }
        for order, (title, group) in enumerate(groups.items())
    ]


def _scoped(schema: Schema) -> Schema:
    return {"scope": "window", **schema}


def _server() -> Iterator[tuple[str, Schema]]:
    """The settings of the server, with what its declaration says of each."""
    said = _arguments(inspect.getdoc(Settings) or "")
    for field in fields(Settings):
        if field.name in ("rules", "check"):
            continue
        default = HERE.get(field.name, getattr(Settings(), field.name))
        schema: Schema = {"type": _json_type(default), "default": "" if default is None else default}
        if field.name == "features":
            schema |= {
                "enum": list(FEATURES),
                "enumDescriptions": [SERVER_ENUMS["features"][name] for name in FEATURES],
            }
        if field.name == "config":
            schema["scope"] = "machine-overridable"
        yield camel(field.name), {**schema, "markdownDescription": _sentence(said[field.name])}


def _rules() -> Iterator[tuple[str, Schema]]:
    for name, rule in all_rules().items():
        levels = [LEAVE, *SEVERITIES]
        says = [f"What memlane.toml says; without it: {rule.severity.value}.", *map(_level, SEVERITIES)]
        page = f"[What it does]({rule_url(name)})"
        yield (
            f"rules.{name}",
            {
                "type": "string",
                "enum": levels,
                "enumDescriptions": says,
                "default": LEAVE,
                "markdownDescription": f"{_sentence(rule.summary)} {page}.",
            },
        )


def _level(severity: str) -> str:
    return "Not reported." if severity == Severity.OFF.value else f"Reported as {severity}."


def _options() -> Iterator[tuple[str, Schema]]:
    for option in OPTIONS:
        if option.kind not in JSON_KINDS or option.key in PROJECT_ONLY or option.key == "respect-gitignore":
            continue
        schema = json.loads(json.dumps(JSON_KINDS[option.kind]))
        if option.kind is ValueKind.RULES:
            schema["items"]["enum"] = ["ALL", *all_rules()]
        page = f"[`{option.key}`]({SITE}reference/settings/)"
        text = f"{_sentence(option.summary)} `null`: what `memlane.toml` says of {page}."
        yield f"check.{option.key}", {**schema, "default": None, "markdownDescription": text}


def _arguments(doc: str) -> dict[str, str]:
    """What the part `Args:` of a docstring says, by name; names that share a line share what it says."""
    found: dict[str, str] = {}
    part = inspect.cleandoc(doc).partition("Args:\n")[2]
    for names, text in re.findall(r"^ {4}([a-z_, ]+): (.*(?:\n {8}.*)*)", part, re.MULTILINE):
        shared = names.split(",")
        for name in map(str.strip, shared):
            which = f" ({name.rpartition('_')[2]})" if len(shared) > 1 else ""
            found[name] = re.sub(r"\s+", " ", text).rstrip(".") + which
    return found


def _json_type(value: object) -> str:
    return "boolean" if isinstance(value, bool) else "integer" if isinstance(value, int) else "string"


def _sentence(text: str) -> str:
    text = text.strip().rstrip(".")
    return text[:1].upper() + text[1:] + "."


def main() -> int:
    """Write, or with `--check` compare."""
    old = PACKAGE.read_text(encoding="utf-8")
    package = json.loads(old)
    package["version"] = __version__
    package["contributes"]["configuration"] = configuration()
    new = json.dumps(package, indent=2, ensure_ascii=False) + "\n"
    if "--check" in sys.argv[1:]:
        if new != old:
            print("stale: vscode-extension/package.json; run: python vscode-extension/scripts/generate.py")
        return int(new != old)
    PACKAGE.write_text(new, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())

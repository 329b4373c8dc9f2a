"""The JSON schema of `memlane.toml`, from the declarations of its settings."""

from __future__ import annotations

from typing import Any

from memlane.config.options import OPTIONS, SEVERITIES, Option, ValueKind
from memlane.dialects import load_models
from memlane.doc_links import SITE
from memlane.rules import all_rules

Json = dict[str, Any]

DESCRIPTIONS = {
    "op": "what operations do to memory, by full name",
    "resource": "allocators: how each frees and copies",
    "function": "what external functions do, by symbol",
    "dialect": "operations of a dialect that do nothing to memory",
    "alias": "other names of operations",
}
"""Tables that describe operations, each with an entry by name; `dialects` checks what the entries say."""


def schema() -> Json:
    """A draft 7 schema, the newest that TOML plug-ins of editors agree on."""
    properties: Json = {}
    for option in OPTIONS:
        group, _, name = option.key.rpartition(".")
        place = properties
        if group:
            place = properties.setdefault(group, {"type": "object", "additionalProperties": False, "properties": {}})[
                "properties"
            ]
        place[name] = _setting(option)
    for name, meaning in DESCRIPTIONS.items():
        properties[name] = {"type": "object", "description": meaning, "additionalProperties": _entry(name)}
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "$id": f"{SITE}memlane.schema.json",
        "title": "memlane.toml",
        "type": "object",
        "additionalProperties": False,
        "properties": properties,
        "definitions": {
            "rule": {"anyOf": [{"enum": ["ALL", *all_rules()]}, {"type": "string", "pattern": r"\*"}]},
            "bytes": {"type": ["integer", "string"], "minimum": 0, "pattern": r"^\d+(\.\d+)?\s*([KMGT]i?B|B)?$"},
        },
    }


def _entry(table: str) -> Json:
    """The schema of an entry of a table that describes operations: its keys, as those who read it know them."""
    if table == "alias":
        return {"type": "string"}
    _, problems = load_models(f'[{table}."x"]\n"" = 0\n', "schema")
    keys = problems[0].choices
    return {"type": "object", "additionalProperties": False, "properties": {key: {} for key in keys}}


def _setting(option: Option) -> Json:
    rule, size = {"$ref": "#/definitions/rule"}, {"$ref": "#/definitions/bytes"}
    rules = {"type": "array", "items": rule}
    shapes: dict[ValueKind, Json] = {
        ValueKind.RULES: rules,
        ValueKind.GLOBS: {"type": "array", "items": {"type": "string"}},
        ValueKind.PATHS: {"type": "array", "items": {"type": "string"}},
        ValueKind.PATH: {"type": "string"},
        ValueKind.FLAG: {"type": "boolean"},
        ValueKind.COUNT: {"type": "integer", "minimum": 0},
        ValueKind.BYTES: {"allOf": [size]},
        ValueKind.SEVERITIES: {
            "type": "object",
            "propertyNames": rule,
            "additionalProperties": {"enum": list(SEVERITIES)},
        },
        ValueKind.RULES_BY_GLOB: {"type": "object", "additionalProperties": rules},
        ValueKind.BYTES_BY_NAME: {"type": "object", "additionalProperties": size},
        ValueKind.COUNTS_BY_NAME: {"type": "object", "additionalProperties": {"type": "integer", "minimum": 0}},
        ValueKind.CHOICE: {"enum": list(option.choices)},
    }
    return {"description": option.summary, **shapes[option.kind]}

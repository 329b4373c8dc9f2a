"""The rules, one module each: its docstring is the page, `RULE` the declaration, `check` the work.

A rule about memory has `check(facts, flow)`, or `measure(facts, flow, program, config)` where it depends on limits or
callees. Where it depends on one incident alone it has `tell(fact)`, and `ABOUT` says of which kind and certainty. A
rule about the text has none: `syntax` reports its problems under the rule's name. Nothing else lists rules: `all_rules`
finds the modules of this package.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from types import MappingProxyType, ModuleType

from memlane.findings import Rule


@cache
def modules() -> Mapping[str, ModuleType]:
    """The rule modules by rule name, in alphabetical order."""
    found = (import_module(f"{__name__}.{info.name}") for info in iter_modules(__path__) if info.name[0] != "_")
    return MappingProxyType({module.RULE.name: module for module in found})


@cache
def all_rules() -> Mapping[str, Rule]:
    """The declarations by name, in alphabetical order."""
    return MappingProxyType({name: module.RULE for name, module in modules().items()})

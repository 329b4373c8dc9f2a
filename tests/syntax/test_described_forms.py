"""What a description says of an operation says nothing of how it is written: it makes no name undefined."""

from __future__ import annotations

import pytest

from memlane.checking import check
from memlane.config import Config
from memlane.dialects import load_models
from memlane.dialects.layers import extended

TYPE = "memref<4xf32>"
FORMS = {
    "attributions": "own.op @k(%x: T) workgroup(%w: T) private(%v: T) kernel {\n  own.use %w, %v, %x : T, T, T\n}\n",
    "over several lines": "own.op @k(%x: T)\n    workgroup(%w: T)\n    kernel {\n  own.use %w, %x : T, T\n}\n",
    "sizes": "own.op blocks(%i, %j) in (%g = %n, %h = %n) shared(%w : T) {\n  own.use %w, %i, %j, %g : T\n}\n",
    "a variable": "own.op %i = 0 to 4 keeps(%w = %m) {\n  own.use %w, %i : T\n}\n",
    "cases": "own.op %n case (%w: T) {\n  own.use %w : T\n} default (%v: T) {\n  own.use %v : T\n}\n",
    "before the names": "own.op over [%i, %j] = [0, 0] to [%n, %n] {\n  own.use %i, %j\n}\n",
}
SAID = {
    "imported": '[op."own.op"]\nisolated = true\nallocation_scope = true\nfunction = "host"\n',
    "by a user": '[op."own.op"]\nregions = ["entry -> 0", "0 -> results"]\n[op."own.use"]\nread = ["0:"]\n',
    "a guess": '[op."own.op"]\nguessed = true\n',
}


def found(form: str, said: str, more: str = "") -> list[str]:
    text = f"func.func @f(%n: index, %m: T) {{\n{form}{more}return\n}}\n".replace(": T", f": {TYPE}")
    text = text.replace(", T", f", {TYPE}")
    described, problems = load_models(said, "own.toml")
    assert not problems
    reports = check(text, Config(models=extended(Config().models, described))).findings
    return [one.report.message for one in reports if one.rule.name in ("undefined-value", "syntax")]


@pytest.mark.parametrize("said", SAID)
@pytest.mark.parametrize("form", FORMS)
def test_names_of_its_own_are_defined(form: str, said: str) -> None:
    assert found(FORMS[form], SAID[said]) == found(FORMS[form], "") == []


@pytest.mark.parametrize("said", SAID)
def test_what_is_undefined_in_any_dialect_is_found(said: str) -> None:
    """Operands without a region to declare them for, and what other dialects use."""
    more = f'memref.copy %typo, %m : {TYPE} to {TYPE}\n"own.use"(%quoted) : ({TYPE}) -> ()\nown.use %plain : T\n'
    wanted = [f"'%{name}' is not defined" for name in ("typo", "quoted", "plain")]
    assert found("", SAID[said], more) == wanted

"""Less known is never more certain: without the model of an op, findings get weaker, and no error is new."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from memlane.checking import check
from memlane.config import Config
from memlane.dialects import builtin_models
from memlane.dialects.model import Models, OpModel
from memlane.findings import Severity
from memlane.syntax import parse
from tests.cases.truth import FOLDER, programs

pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason=f"the measured programs are not at {FOLDER}")


class Without(Mapping[str, OpModel]):
    """The shipped models but one."""

    def __init__(self, name: str) -> None:
        self._ops = builtin_models().ops
        self._name = name

    def __getitem__(self, name: str) -> OpModel:
        if name == self._name:
            raise KeyError(name)
        return self._ops[name]

    def __iter__(self) -> Iterator[str]:
        return (name for name in self._ops if name != self._name)

    def __len__(self) -> int:
        return sum(1 for _ in self)


def without(name: str) -> Config:
    shipped = builtin_models()
    return Config(models=Models(Without(name), shipped.aliases, shipped.resources, shipped.dialects, shipped.functions))


def errors(source: str, config: Config) -> set[tuple[str, int]]:
    return {
        (finding.rule.name, finding.report.span.start)
        for finding in check(source, config).findings
        if finding.severity is Severity.ERROR
    }


# A terminator, a call or a function without a model changes where control goes, not only what memory does.
STRUCTURE = {"func.func", "func.return", "builtin.module"}


@pytest.mark.slow
@pytest.mark.parametrize("path", programs()[::6] if FOLDER.is_dir() else [], ids=lambda p: f"{p.parent.name}-{p.stem}")
def test_no_error_rests_on_an_unknown_op(path: Path) -> None:
    source = path.read_text()
    known = errors(source, Config())
    for name in sorted({op.name for op in parse(source).walk()} - STRUCTURE):
        assert errors(source, without(name)) <= known, name

"""Peaks of buffers that are explored separately equal those of exploring them together."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from memlane.config import Config
from memlane.flow import Program
from memlane.flow.alias.alias import Cluster
from memlane.flow.peak import build_product
from memlane.flow.peak.footprint import Ledger
from memlane.flow.peak.peak import peak_of
from memlane.flow.peak.separable_peak import Alone, apart
from memlane.syntax import parse
from tests.fuzz.programs import program
from tests.peak.generated import generate, text

CONFIG = Config()


def peaks(source: str) -> Iterator[tuple[str, list[list[str]]]]:
    """Per function what it takes, by words."""
    for chunk in parse(source, CONFIG.models).chunks:
        ledger = Ledger(Program(chunk.ops, CONFIG.models, source))
        for flow in ledger.program.functions.values():
            found = peak_of(ledger, flow)
            amounts = (found.peak, found.ideal, found.closed, found.floor)
            yield f"@{flow.name}, exact: {found.exact}", [sorted(map(str, one)) for one in amounts]


def _together(*_: object) -> dict[Cluster, Alone]:
    """All are followed with the others."""
    return {}


# In 645 and 713 calls are passed a flag that decides about others as well.
@pytest.mark.slow
@pytest.mark.parametrize("seeds", [range(600, 620), range(640, 650), range(705, 715)], ids=str)
def test_the_same_is_taken(seeds: range, monkeypatch: pytest.MonkeyPatch) -> None:
    count, real = 0, apart

    def counted(*arguments: object) -> dict[Cluster, Alone]:
        nonlocal count
        found = real(*arguments)  # pyright: ignore[reportArgumentType] -- passed on as they are
        count += len(found)
        return found

    texts = [program(random.Random(seed), 8) for seed in seeds]
    texts += [text(generate(seed)) for seed in seeds]
    monkeypatch.setattr(build_product, "apart", counted)
    found = [list(peaks(one)) for one in texts]
    monkeypatch.setattr(build_product, "apart", _together)
    for one, told in zip(texts, found, strict=True):
        assert told == list(peaks(one)), one
    assert count > 10


ONE_OR_THE_OTHER = """func.func @f(%x: f32, %i: index, %n: index, %c: i1) {
  scf.if %c {
    %lost = memref.alloc() : memref<8xf32>
    memref.store %x, %lost[%i] : memref<8xf32>
    memref.store %x, %lost[%i] : memref<8xf32>
  }
  scf.if %c {
  } else {
    %a = memref.alloc() : memref<8xf32>
    %r = scf.for %j = %i to %n step %i iter_args(%b = %a) -> (memref<8xf32>) {
      memref.store %x, %b[%j] : memref<8xf32>
      scf.yield %b : memref<8xf32>
    }
    memref.dealloc %r : memref<8xf32>
  }
  return
}
"""


def test_what_is_apart_lives_on_its_own_paths_only() -> None:
    ((_, (peak, *_)),) = peaks(ONE_OR_THE_OTHER)
    assert peak == ["32"]

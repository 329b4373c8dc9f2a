"""docs/describing-dialects.md and docs/configuration.md: complete, and true."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from memlane.config import load_config
from memlane.dialects import load_models
from memlane.dialects.load import load_models as load

DOCS = Path(__file__).parents[2] / "docs"
BLOCK = re.compile(r"^```toml\n(.*?)^```$", re.MULTILINE | re.DOTALL)
MODELS = (DOCS / "describing-dialects.md").read_text("utf-8")
CONFIGURATION = (DOCS / "configuration.md").read_text("utf-8")


@pytest.mark.parametrize("block", BLOCK.findall(MODELS))
def test_models_that_are_shown_are_right(block: str) -> None:
    _, problems = load_models(block, "docs")
    assert [str(problem) for problem in problems] == []


def test_every_key_has_a_row() -> None:
    _, problems = load('[op."a.b"]\nnone = 0\n', "docs")
    assert [key for key in problems[0].choices if f"`{key}`" not in MODELS and f"\n{key} = " not in MODELS] == []


def test_every_resource_that_ships_is_named() -> None:
    _, problems = load_config(None, ['op."a.b".alloc = [{ resource = "none" }]'])
    assert [name for name in problems[0].choices if f"`{name}`" not in MODELS] == []


@pytest.mark.parametrize("block", BLOCK.findall(CONFIGURATION))
def test_configurations_that_are_shown_are_right(tmp_path: Path, block: str) -> None:
    (tmp_path / "memlane.toml").write_text("")
    inner = tmp_path / "inner"
    inner.mkdir()
    (inner / "memlane.toml").write_text(block, "utf-8")
    config, problems = load_config(inner / "memlane.toml")
    assert [str(problem) for problem in problems] == []
    assert (config.budget(""), config.budget("3"), len(config.files)) == (64 * 1024**2, 48 * 1024, 2)

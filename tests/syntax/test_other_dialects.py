"""Files of dialects that nobody described here, which a person has read beside what we say of them.

`read_by_hand.json` holds, for each file, how many operations, definitions and uses there are and a digest of which
place every use means. What has changed has to be read again: `python tests/syntax/test_other_dialects.py FILE` prints
a file of the corpus with the line of its definition behind each use; `--write` records what is read now.
"""

from __future__ import annotations

import json
import sys
from hashlib import blake2b
from pathlib import Path

import pytest
from syntax_oracle import CORPUS

from memlane.syntax import parse
from memlane.syntax.tree.tree import Op, Tree, Use, Value
from memlane.text import Text

FACTS = Path(__file__).with_name("read_by_hand.json")
READ: dict[str, list[object]] = json.loads(FACTS.read_text(encoding="utf-8"))


def uses(op: Op) -> list[Use]:
    """All uses of an op, those passed on to successors included."""
    return [*op.operands, *(use for successor in op.successors for use in successor.operands)]


def defined(op: Op) -> list[Value]:
    """All values that an op and its blocks define."""
    return [*op.results, *(value for region in op.regions for block in region.blocks for value in block.arguments)]


def facts(tree: Tree, text: Text) -> list[object]:
    """Operations, definitions, uses, and a digest of where each use and what it means stand."""
    edges: list[tuple[int, ...]] = []
    for op in tree.walk():
        for use in uses(op):
            meant = text.position(use.value.span.start) if use.value is not None else (-1, -1)
            edges.append((*text.position(use.span.start), *meant))
    digest = blake2b(json.dumps(sorted(edges)).encode(), digest_size=8).hexdigest()
    ops = list(tree.walk())
    return [len(ops), sum(len(defined(op)) for op in ops), len(edges), digest]


def annotated(source: str) -> str:
    """The source with `=` behind each definition and the line of its definition behind each use."""
    text = Text(source)
    notes: list[tuple[int, str]] = []
    for op in parse(source).walk():
        notes.extend((value.span.end, "=") for value in defined(op))
        for use in uses(op):
            line = text.position(use.value.span.start).line + 1 if use.value is not None else "?"
            notes.append((use.span.end, f"@{line}"))
    for at, note in sorted(set(notes), reverse=True):
        source = source[:at] + note + source[at:]
    return source


@pytest.mark.parametrize("name", READ)
def test_read_as_by_a_person(name: str) -> None:
    path = CORPUS / name
    if not path.exists():
        pytest.skip(f"no {name} in the shared corpus")
    source = path.read_text(encoding="utf-8")
    tree = parse(source)
    assert tree.problems == ()
    assert facts(tree, Text(source)) == READ[name]


def test_enough_was_read() -> None:
    assert len(READ) >= 20
    assert {name.partition("/")[0] for name in READ} == {"onnx-mlir", "iree", "heir", "xdsl"}


if __name__ == "__main__":
    if sys.argv[1] == "--write":
        for named in READ:
            written = (CORPUS / named).read_text(encoding="utf-8")
            READ[named] = facts(parse(written), Text(written))
        lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(found)}" for name, found in READ.items())
        FACTS.write_text("{\n" + lines + "\n}\n", encoding="utf-8")
    else:
        print(annotated((CORPUS / sys.argv[1]).read_text(encoding="utf-8")))

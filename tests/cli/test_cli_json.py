"""The records of `json` and `json-lines`: the shape is a promise."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from findings_by_hand import hint, late, leak, outcome

from memlane.cli import main
from memlane.cli.render import render
from memlane.cli.render.statistics import render_statistics
from memlane.cli.render.style import Style

URL = "https://memlane.readthedocs.io/en/latest/rules/"


def test_everything() -> None:
    assert json.loads(render("json", outcome(late()), Style())) == [
        {
            "rule": "late-free",
            "severity": "warning",
            "filename": "dir/f.mlir",
            "location": {"row": 6, "column": 3},
            "end_location": {"row": 6, "column": 17},
            "message": "buffer %a is held over 2 operations",
            "function": "f",
            "certainty": "always",
            "source": None,
            "buffer": {"name": "%a", "location": {"row": 2, "column": 3}, "bytes": None, "bytes_expr": "20*%n"},
            "notes": [
                {
                    "message": "%a is allocated here",
                    "filename": "dir/f.mlir",
                    "location": {"row": 2, "column": 8},
                    "end_location": {"row": 2, "column": 20},
                },
                {
                    "message": "last use",
                    "filename": "dir/f.mlir",
                    "location": {"row": 3, "column": 3},
                    "end_location": {"row": 3, "column": 8},
                },
            ],
            "late": {"after": {"row": 3, "column": 3}, "operations": 2, "bytes": None},
            "fix": {
                "message": "free it after its last use",
                "applicability": "safe",
                "edits": [
                    {
                        "location": {"row": 4, "column": 1},
                        "end_location": {"row": 4, "column": 1},
                        "content": "  memref.dealloc %a : memref<?x5xf32>\n",
                    },
                    {"location": {"row": 6, "column": 1}, "end_location": {"row": 7, "column": 1}, "content": ""},
                ],
            },
            "fix_reason": None,
            "url": f"{URL}late-free/",
        }
    ]


def test_absent_is_null_and_columns_are_code_points() -> None:
    (record,) = json.loads(render("json", outcome(leak()), Style()))
    assert record["buffer"] == {
        "name": "%数",
        "location": {"row": 7, "column": 3},
        "bytes": 1024,
        "bytes_expr": None,
    }
    assert record["location"] == {"row": 7, "column": 8}
    assert record["certainty"] == "some"
    assert record["late"] is None
    assert record["fix"] is None
    assert record["notes"] == []
    (record,) = json.loads(render("json", outcome(hint()), Style()))
    assert record["function"] is None
    assert record["buffer"] is None


def test_nothing_is_an_empty_array() -> None:
    assert render("json", outcome(), Style()) == "[]\n"


def test_lines_are_the_same_records() -> None:
    both = outcome(late(), leak())
    lines = render("json-lines", both, Style()).splitlines()
    assert [json.loads(line) for line in lines] == json.loads(render("json", both, Style()))


def test_statistics() -> None:
    assert json.loads(render_statistics(outcome(leak(), late(), late()), "json")) == [
        {"rule": "late-free", "count": 2},
        {"rule": "possible-leak", "count": 1},
    ]


LOCATED = """\
#loc = loc("model.py":12:5)
func.func @f(%n: index) {
  %a = memref.alloc() : memref<16xf32> loc(#loc)
  %b = memref.alloc() : memref<16xf32> loc("model.py":13:1)
  memref.dealloc %b : memref<16xf32>
  return
}
"""


def test_the_source_behind_a_finding(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "a.mlir"
    file.write_text(LOCATED)
    said: dict[str, str] = {}
    for form in ("full", "concise", "json"):
        main(["check", "--isolated", "--no-cache", "--output-format", form, str(file)])
        said[form] = capsys.readouterr().out
    assert f"--> {file}:3:8 in @f, from model.py:12\n" in said["full"]
    assert "is never freed [from model.py:12]\n" in said["concise"]
    record = next(one for one in json.loads(said["json"]) if one["rule"] == "leak")
    assert record["source"] == {"filename": "model.py", "location": {"row": 12, "column": 5}}

"""Regular expressions of descriptions: bounded work, whoever wrote them and the text that they are matched with."""

from __future__ import annotations

import json
import random
import re
import time
from pathlib import Path

import pytest

from memlane.checking import check
from memlane.config import load_config
from memlane.dialects import load_models
from memlane.dialects.limits import MAX_MATCHED_TEXT, MAX_PATTERN
from memlane.dialects.text_patterns import PatternError, groups_of

ACCEPTED = [
    "(?:" * 50 + "a" + ")" * 50,
    r"\s*%[^=]*=\s*(-?\d+|%[^\s,()]+)\s+to\s+(-?\d+|%[^\s,()]+)(?:\s+step\s+(\d+))?\s*(?:iter_args|\{)",
    r"\s*(#[\w$.-]+|affine_set<.*?\)>)",
    r"\s*from (\d+) to (\d+)",
    r"\s+(\S+)\s",
    r"(?s)\s*<(.*)>",
    r"\s*((?:eq|ne|slt)) *,",
    r"(\w*\d*)x",
    "(" + "(?:ab|ac|a)" * 12 + ")d",
    r"([^é]*)\s*(\S+)",
    r"^\s*\b(a{2,4}b)$",
    r"\s*(?:over )?\[([^\]]*)\](?: by \[([^\]]*)\])?",
]
REPEATED_GROUPS = [r"\s*((a+)+)b", r"((a|aa)*)b", r"((?:\w+\s*)*)=", r"((?:a?){64})b", r"((a{0,9}){9})b", r"((?:ab)+)"]
AMBIGUOUS = [
    r"(.*.*)x",
    r"\s*.*?(,).*?;",
    r"(\w*\d*)1",
    r"([^a]*[^b]*)c",
    "(" + "a?" * 30 + ")" + "a" * 30,
    "(" + "(?:ab|bb|a|)" * 12 + ")c",
    "(" + "a{0,3}" * 12 + ")c",
    r"(\w+é*\w*)x",
    "(" + "(?:aa|[ab])" * 12 + ")d",
    r"([é\s]*[è\s]*)\t",
]
OTHER_FORMS = [r"(?=(a+))b", r"(a*)\1b", r"(?i)(a)", r"(?i:(a))", r"(?a)(\w)", r"(?<!a)(b)", r"(?P<x>a)?(?(x)b|c)"]
NONE = ["(", "(a{99999999999})", "(?L)(a)", "[", "a**"]
TOO_LONG = ["(a)" + "b" * MAX_PATTERN, *("(?:" * depth + "a" + ")" * depth for depth in (51, 250))]


@pytest.mark.parametrize("text", ACCEPTED)
def test_what_is_accepted(text: str) -> None:
    assert groups_of(text) == re.compile(text).groups


@pytest.mark.parametrize(
    ("text", "said"),
    [
        *((text, "may repeat one character or one class of characters") for text in REPEATED_GROUPS),
        *((text, "has to begin with another character") for text in AMBIGUOUS),
        *((text, "may be used") for text in OTHER_FORMS),
        *((text, "no regular expression") for text in NONE),
        *((text, "more than 1,000 characters or 50 groups") for text in TOO_LONG),
    ],
    ids=lambda text: text[:20],
)
def test_what_is_refused(text: str, said: str) -> None:
    with pytest.raises(PatternError, match=re.escape(said)):
        groups_of(text)


@pytest.mark.parametrize("key", ["trip", "condition"])
def test_a_refusal_says_where_and_what_is_allowed(tmp_path: Path, key: str) -> None:
    path = tmp_path / "memlane.toml"
    text = r"(a+)+(b)" if key == "trip" else r"((?:a+)+)"
    path.write_text(f"[op.\"my.op\"]\nread = 0\n{key} = {{ text = '{text}' }}\n")
    config, [problem] = load_config(path)
    assert (problem.file, problem.line) == (str(path), 3), problem
    assert "one character or one class of characters, as in `[^()]*`" in problem.message
    checked = check(f"func.func @f(%c: i1) {{\n  my.op {'a' * 5000} %c : i1\n  return\n}}\n", config)
    assert [finding.rule.name for finding in checked.findings] == []


@pytest.mark.parametrize("key", ["trip", "condition"])
def test_long_patterns_are_not_repeated_in_the_message(key: str) -> None:
    _, [problem] = load_models(f'[op."my.op"]\n{key} = {{ text = "{"a" * 100_000}" }}\n', "my.toml")
    assert len(problem.message) < 400


LOOP = """\
func.func @f(%a: memref<4xf32>, %c: i1) {{
  my.for {text} {{
    "my.use"(%a) : (memref<4xf32>) -> ()
  }}
  my.if {text} {{
    "my.use"(%a) : (memref<4xf32>) -> ()
  }}
  return
}}
"""
MODELS = """\
[op."my.for"]
trip = {{ text = {trip} }}
regions = ["entry -> 0", "0 -> 0 when trips", "0 -> results when done"]
[op."my.if"]
condition = {{ text = {asked} }}
regions = ["entry -> 0 when holds", "entry -> results when fails", "0 -> results"]
[op."my.use"]
read = 0
"""


@pytest.mark.slow
@pytest.mark.parametrize("pattern", [r"(.*)\s*x", r"(.*?)\s*\d*,\s*x", r"(\s*)\W*x"])
@pytest.mark.parametrize("text", ["a", " ", "a ", "1,"])
def test_no_text_takes_long(tmp_path: Path, pattern: str, text: str) -> None:
    path = tmp_path / "memlane.toml"
    path.write_text(MODELS.format(trip=json.dumps(pattern + "(y)"), asked=json.dumps(pattern)))
    config, problems = load_config(path)
    assert not problems
    program = LOOP.format(text=text * 10_000)
    began = time.process_time()
    check(program, config)
    assert time.process_time() - began < 5


@pytest.mark.slow
def test_accepted_patterns_take_bounded_work() -> None:
    """Random patterns of hard pieces: whatever is accepted is fast on texts that look like it and do not fit."""
    chosen = random.Random(7)
    pieces = [
        "a*",
        "a+?",
        "b*",
        "[ab]*",
        "a?",
        "b?",
        ".*",
        "(?:a|b)",
        "(?:a|ab)",
        "(?:aa)?",
        "[^a]*",
        "c",
        "a",
        "a{0,9}",
    ]
    accepted = 0
    for _ in range(1_500):
        text = "".join(chosen.choices(pieces, k=chosen.randrange(1, 7))) + "(x)"
        try:
            groups_of(text)
        except PatternError:
            continue
        accepted += 1
        compiled = re.compile(text)
        for hard in ("a", "b", "ab", "ba"):
            began = time.process_time()
            compiled.match(hard * MAX_MATCHED_TEXT, 0, MAX_MATCHED_TEXT)
            assert time.process_time() - began < 0.5, (text, hard)
    assert accepted > 200

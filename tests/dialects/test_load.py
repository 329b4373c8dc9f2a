"""Model files: what a table means, and what is said about mistakes in one."""

from __future__ import annotations

import pytest

from memlane.dialects import load_models
from memlane.dialects.model import (
    Alloc,
    Call,
    Condition,
    Free,
    Guard,
    OpModel,
    Resource,
    Selector,
    Trip,
    View,
    ViewKind,
)
from memlane.dialects.roles import FunctionRole


def model(keys: str) -> OpModel:
    found, problems = load_models(f'[op."my.op"]\n{keys}\n', "my.toml")
    assert not problems, [str(problem) for problem in problems]
    return found.ops["my.op"]


def test_effects() -> None:
    found = model(
        'operands = ["pool", "buffers_in*", "out"]\n'
        'alloc = [{ result = 1, resource = "mine" }, { resource = "global", per_symbol = true }]\n'
        'free = [{ operand = "pool", resource = "mine" }]\n'
        'view = [{ of = [0, "out"], kind = "whole" }, { result = 2, of = "buffers_in", may = true }]\n'
        'read = ["buffers_in"]\nwrite = "out"\nescape = [0]\nloaded = [1]\n'
    )
    assert found.alloc == (Alloc(1, "mine"), Alloc(0, "global", per_symbol=True))
    assert found.free == (Free(Selector(0, 1), "mine"),)
    assert found.view == (
        View(0, Selector(0, 1), ViewKind.WHOLE),
        View(0, Selector(-1, None), ViewKind.WHOLE),
        View(2, Selector(1, -1), ViewKind.PART, may=True),
    )
    assert (found.read, found.write, found.escape, found.loaded) == (
        (Selector(1, -1),),
        (Selector(-1, None),),
        (Selector(0, 1),),
        (1,),
    )


def test_control_flow() -> None:
    found = model(
        'successors = ["true(0)", "false(0)"]\nforwards = [1, 2]\nregions = ["entry -> 0", "0 -> results"]\n'
        "trip = { lower = 1, upper = 2, step = 3 }\nparallel = true\nallocation_scope = true\n"
    )
    assert found.successors == ((Guard.TRUE, 0), (Guard.FALSE, 0))
    assert found.terminator
    assert found.trip == Trip(Selector(1, 2), Selector(2, 3), Selector(3, 4))
    assert found.regions is not None
    assert len(found.regions) == 2


def test_bounds_in_the_text() -> None:
    found = model(
        'operands = ["low*", "high*"]\nregions = ["entry -> 0 when trips"]\n'
        'trip = { lower = "low", upper = "high", text = "(.*) to (.*)", attributes = ["lows", "highs"] }\n'
    )
    low, high = Selector(group="low"), Selector(group="high")
    assert found.trip == Trip(low, high, Selector(2, 3), 0, "(.*) to (.*)", ("lows", "highs"))


def test_condition() -> None:
    found = model('regions = ["entry -> 0 when holds"]\ncondition = { text = "(#set)", attribute = "set" }\n')
    assert found.condition == Condition("(#set)", "set")
    assert found.regions is not None
    assert found.regions[0].guard is Guard.HOLDS
    assert model("").regions is None
    assert model("regions = []").regions == ()


def test_calls_and_functions() -> None:
    assert model("call = true").call == Call(Selector())
    assert model('call = { arguments = "1:", indirect = true }').call == Call(Selector(1), indirect=True)
    assert model('function = "kernel"').function is FunctionRole.KERNEL
    assert model("exits = true").terminator


def test_completion() -> None:
    found = model(
        'operands = ["dep*", "tag"]\nwait = ["dep"]\ntoken = -1\ntag = "tag"\njoins = [{ token = 0, to = 1 }]'
    )
    assert (found.wait, found.token, found.tag) == ((Selector(0, -1),), -1, Selector(-1, None))
    assert found.joins == ((Selector(0, 1), Selector(1, 2)),)


def test_the_other_tables() -> None:
    found, problems = load_models(
        '[dialect.my]\npure = ["add"]\n[alias]\n"old.add" = "my.add"\n'
        '[resource.pool]\nalloc = "my.take"\nfree = "my.give"\n'
        '[function.take]\nalloc = [{ resource = "pool" }]\n',
        "my.toml",
    )
    assert not problems
    assert found.ops == {"my.add": OpModel("my.add")}
    assert found.aliases == {"old.add": "my.add"}
    assert found.resources == {"pool": Resource("pool", "my.take", "my.give")}
    assert found.functions["take"].alloc == (Alloc(0, "pool"),)


@pytest.mark.parametrize(
    ("text", "line", "where", "part", "choice"),
    [
        ("reed = [0]", 2, 'op."my.op".reed', "did you mean `read`", "read"),
        ("\nalloc = [{ resource = 3 }]", 3, 'op."my.op".alloc.resource', "expected a string", ""),
        ("alloc = [{ result = -1 }]", 2, 'op."my.op".alloc.result', "0 for the first", ""),
        ("alloc = 1", 2, 'op."my.op".alloc', "expected a list of tables", ""),
        ('view = [{ kind = "half" }]', 2, 'op."my.op".view.kind', "unknown value `half`", "part"),
        ('free = [{ operand = 0, when = "x" }]', 2, 'op."my.op".free.when', "unknown key", "conditions"),
        ('read = ["src"]', 1, 'op."my.op".operands', "no operand is called `src`", "buffers"),
        ('regions = ["0 > 1"]', 2, 'op."my.op".regions', "an edge is", ""),
        ('successors = ["true"]', 2, 'op."my.op".successors', "a guard is", ""),
        ('function = "device"', 2, 'op."my.op".function', "unknown value", "host"),
        ("exits = 1", 2, 'op."my.op".exits', "expected true or false", ""),
        ("[opp.x]", 2, "opp", "did you mean `op`", "resource"),
        (
            "[op.my.take]\nalloc = [{ result = 0 }]",
            2,
            "op.my.take",
            'names of operations stand in quotes: [op."my.take"]',
            "",
        ),
        ('regions = ["entry(inits) -> 0(1:)"]', 1, 'op."my.op".operands', "no operand is called `inits`", "buffers"),
    ],
)
def test_mistakes(text: str, line: int, where: str, part: str, choice: str) -> None:
    _, problems = load_models(f'[op."my.op"]\n{text}\n', "my.toml")
    assert len(problems) == 1, [str(problem) for problem in problems]
    problem = problems[0]
    assert (problem.file, problem.line, problem.where) == ("my.toml", line, where)
    assert part in problem.message
    assert not choice or choice in problem.choices


def test_what_is_no_toml_is_one_problem() -> None:
    found, problems = load_models('[op."a"]\nread = [0\n[op."b"]', "my.toml")
    assert not found.ops
    assert len(problems) == 1
    assert "not TOML" in problems[0].message
    assert problems[0].line in (2, 3)


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ('trip = { text = "(" }', "no regular expression: missing ), unterminated subpattern"),
        ('trip = { text = "in .*" }', "a regular expression with 1 to 3 groups is due"),
        ('trip = { lower = "low" }', "no operand is called `low`"),
        ("condition = { text = 1 }", "a regular expression with 1 group is due"),
    ],
)
def test_what_is_no_bound(keys: str, said: str) -> None:
    _, problems = load_models(f'[op."my.op"]\n{keys}\n', "my.toml")
    assert [said in str(problem) for problem in problems] == [True], [str(problem) for problem in problems]

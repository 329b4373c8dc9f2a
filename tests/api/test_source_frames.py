"""Where statements come from: what their locations say."""

from __future__ import annotations

import re
import time

import pytest

from memlane.source_frames import SourceFrames

ALIASES = """\
#loc = loc("model.py":1:1)
#loc1 = loc("model.py":12:5)
#loc2 = loc("/usr/lib/python3.11/site-packages/lib.py":3:9)
#loc3 = loc(callsite(#loc2 at #loc1))
#loc4 = loc("matmul"(#loc3))
#loc5 = loc(fused<"x">[#loc4, #loc])
#around = loc(callsite(#around at #around))
"""


@pytest.mark.parametrize(
    ("location", "said"),
    [
        ('"model.py":12:5', "model.py:12"),
        ('"model.py":12:5 to 13:8', "model.py:12"),
        ('"matmul"("model.py":12:5)', "model.py:12"),
        ('"matmul"', "None"),
        ("unknown", "None"),
        ('callsite("a.py":1:2 at "b.py":3:4)', "a.py:1"),
        ('callsite("<frozen>":1:2 at "b.py":3:4)', "b.py:3"),
        ('callsite("x"("/venv/site-packages/a.py":1:2) at callsite("y"("b.py":3:4) at "c.py":5:6))', "b.py:3"),
        ('fused["a.py":1:2, "b.py":3:4]', "a.py:1"),
        ('fused<{k = [1 : i32]}>[unknown, "b.py":3:4]', "b.py:3"),
        ('"a \\"b\\\\.py":1:2', 'a "b\\.py:1'),
        ("#loc1", "model.py:12"),
        ("#loc4", "model.py:12"),
        ("#loc5", "model.py:12"),
        ("#loc2", "/usr/lib/python3.11/site-packages/lib.py:3"),
        ("#none", "None"),
        ("#around", "None"),
        ('"-":1:2', "-:1"),
    ],
)
def test_the_innermost_frame_of_the_user(location: str, said: str) -> None:
    for before, after in ((ALIASES, ""), ("", "\n" + ALIASES)):
        text = (
            f'{before}%a = "loc(x)"() {{loc = "loc(\\"no.py\\":1:1)"}} : memref<4xf32> loc({location})  // loc("n":1:1)'
        )
        assert str(SourceFrames(text + after).of_statement(text.index("%a"))) == said


def test_statements_without_a_location() -> None:
    texts = (
        '%a = "x"()',
        '%a = "x"() // loc("a.py":1:1)',
        '%a = f(%b loc("a.py":1:1)) {',
        '%a = "x"() loc("a.py":1:',
        "",
    )
    assert [SourceFrames(text).of_statement(0) for text in texts] == [None] * len(texts)


def test_aliases_hold_for_their_chunk() -> None:
    text = '#loc = loc("a.py":1:1)\n"x"() loc(#loc)\n// -----\n"y"() loc(#loc)\n#loc = loc("b.py":2:1)\n'
    frames = SourceFrames(text)
    assert [str(frames.of_statement(text.index(name))) for name in ('"x"', '"y"')] == ["a.py:1", "b.py:2"]


def test_deep_and_wide_locations_take_bounded_work() -> None:
    nest = "callsite(" * 50_000
    assert SourceFrames(f'"x"() loc({nest}"a.py":1:1)').of_statement(0) is None
    doubled = "".join(f"#l{n + 1} = loc(callsite(#l{n} at #l{n}))\n" for n in range(60))
    text = f'"x"() loc(#l60)\n#l0 = loc("/lib/python3/a.py":1:1)\n{doubled}'
    assert str(SourceFrames(text).of_statement(0)) == "/lib/python3/a.py:1"
    empty = text.replace('"/lib/python3/a.py":1:1', "unknown")
    assert SourceFrames(empty.replace("60", "18")).of_statement(0) is None


@pytest.mark.parametrize(
    ("own", "others", "said"),
    [
        (999, 0, "mine.py:5"),
        (1000, 0, "/lib/python3/a.py:0"),
        (500, 498, "mine.py:5"),  # the alias counts as well
        (500, 499, "/lib/python3/a.py:0"),
        (0, 998, "mine.py:5"),
        (0, 999, "/lib/python3/a.py:0"),
    ],
)
def test_the_first_parts_of_a_location_are_looked_at(own: int, others: int, said: str) -> None:
    """Frames, and aliases that stand for more of them."""
    library = [f'"/lib/python3/a.py":{number}:1' for number in range(own + others)]
    far = ", ".join([*library[own:], '"mine.py":5:1'])
    here = ", ".join([*library[:own], "#far" if others else far])
    assert str(SourceFrames(f'"x"() loc(fused[{here}])\n#far = loc(fused[{far}])\n').of_statement(0)) == said


@pytest.mark.parametrize(
    "aliases",
    [
        "#l0 = loc(fused[" + ", ".join(['"/lib/python3/a.py":1:1'] * 20_000) + "])\n",
        "#l0 = loc(fused[" + ", ".join(["fused<"] * 20_000) + "])\n",
        "".join(f"#l{number} = loc(callsite(#l{number + 1} at #l{number + 1}))\n" for number in range(20_000)),
        "".join(f"#l{number} = loc(fused<\n" for number in range(20_000)),
    ],
    ids=["wide", "open", "long", "many"],
)
def test_what_many_statements_name_is_read_once(aliases: str) -> None:
    """As findings do: each of them would read all of it again."""
    text = "".join(f'"x"() loc(#l{number if aliases.count(chr(10)) > 1 else 0})\n' for number in range(300))
    frames, began = SourceFrames(text + aliases), time.process_time()
    for match in re.finditer("^", text, re.MULTILINE):
        frames.of_statement(match.start())
    assert time.process_time() - began < 10

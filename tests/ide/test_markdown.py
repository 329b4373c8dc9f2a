"""What programs say stays text in hovers: no links, no pictures, no HTML come from them."""

from __future__ import annotations

import random
import re

import pytest

from memlane.config import Config
from memlane.ide import markdown
from memlane.ide.hover import hover
from memlane.ide.snapshot import File


def test_code_is_fenced_by_more_backticks_than_it_has() -> None:
    assert markdown.code("memref.alloc") == "`memref.alloc`"
    assert markdown.code("a`b``c") == "```a`b``c```"
    assert markdown.code("`a\n\nb`") == "`` `a b` ``"
    assert markdown.block("%a : f32") == "```mlir\n%a : f32\n```"
    assert markdown.block("x\n```\n[y](z)") == "````mlir\nx\n```\n[y](z)\n````"


@pytest.mark.parametrize(
    ("message", "shown"),
    [
        ("%a_b of 16 bytes is never freed", "%a_b of 16 bytes is never freed"),
        ("use `memref<4xf32>` here", "use `memref<4xf32>` here"),
        ("![x](http://e) <img>", r"!\[x\](http://e) \<img>"),
        (r"\`[x](y)`", r"\\`[x](y)`"),  # of which the first backtick is none to CommonMark until its backslash is one
        ("a\n\n[x]: y", r"a \[x\]: y"),
        ("`` [x](y)", r"\`\` \[x\](y)"),
    ],
)
def test_messages_are_plain(message: str, shown: str) -> None:
    assert markdown.plain(message) == shown


def outside_of_code(text: str) -> str:
    """A line of Markdown without its escapes and code spans, read from left to right as CommonMark does."""
    left, at = "", 0
    while at < len(text):
        fence = re.compile("`+").match(text, at)
        if text[at] == "\\":
            at += 2
        elif fence is None:
            left += text[at]
            at += 1
        else:
            end = re.search(rf"(?<!`){fence.group()}(?!`)", text[fence.end() :])
            left += "" if end else fence.group()
            at = fence.end() + (end.end() if end else 0)
    return left


def test_nothing_active_is_left() -> None:
    choose = random.Random(11)
    parts = ["`", "``", "```", "\\", "[x](y)", "<b>", "\n", " ", "a", '@"f"', "![", "](", "`@f`", "\\\\"]
    for _ in range(3000):
        text = "".join(choose.choice(parts) for _ in range(choose.randint(1, 9)))
        for shown in (markdown.plain(text), markdown.code(text)):
            assert not set("[]<") & set(outside_of_code(shown)), (text, shown)


EVIL = "``` ![x](http://example.com/y) <img src=x>"
PROGRAM = f"""\
func.func @"f {EVIL}"(%p: memref<4xf32, "{EVIL}">) {{
  %a = memref.alloc() : memref<4xf32>
  "x.y {EVIL}"(%a) : (memref<4xf32>) -> ()
  call @"f {EVIL}"(%p) : (memref<4xf32, "{EVIL}">) -> ()
  return
}}
"""


def outside_of_blocks(text: str) -> str:
    """Markdown without its fenced blocks."""
    return re.sub(r"^(`{3,})mlir\n.*?\n\1$", "", text, flags=re.DOTALL | re.MULTILINE)


def test_hovers_show_what_stands_in_programs_as_text() -> None:
    file = File("file:///a.mlir", 1, (PROGRAM,), Config())
    shown = [found.markdown for offset in range(len(PROGRAM)) if (found := hover(file, offset)) is not None]
    assert any(EVIL in one for one in shown)
    for one in shown:
        for line in outside_of_blocks(one).split("\n"):
            assert not set("[]<") & set(outside_of_code(line)), one


def test_a_page_as_plain_text_says_the_same() -> None:
    page = "**leak** (line 3): \\<a> `%x`, ``a`b``\n\n```mlir\n%a : `f32`\n```\n\n---\n\n"
    page += "# leak\n\n[leak](http://x/y) \\[no](link)"
    said = "leak (line 3): <a> %x, a`b\n\n%a : `f32`\n\n---\n\nleak\n\nleak [no](link)"
    assert markdown.as_text(page) == said

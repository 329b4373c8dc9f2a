"""Edits inside functions, as they are typed: characters, names, operations, lines; with what is found from scratch."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable

from memlane.checking import check
from memlane.config import Config
from memlane.findings import Edit, Finding, Span
from memlane.query import Checker
from memlane.syntax import Document

CONFIG = Config()
_NAME = re.compile(r"%\w+")
_WORD = re.compile(r"(?<![%@\w.])[a-z]+\.[a-z_]+")
_NUMBER = re.compile(r"(?<![\w%])\d+(?![\w])")


def _place(choose: random.Random, text: str, pattern: re.Pattern[str]) -> tuple[int, int]:
    """One of the matches of a pattern, or a place where there is none."""
    start = choose.randrange(len(text))
    found = pattern.search(text, start) or pattern.search(text)
    return found.span() if found is not None else (start, start)


def edit_inside(choose: random.Random, text: str) -> Edit:
    """An edit that leaves most of a function as it is."""
    choice = choose.random()
    if choice < 0.25:
        at = choose.randrange(len(text))
        return Edit(Span(at, at), choose.choice("x1 %,a0\n)]}({=:#"))
    if choice < 0.5:
        start, end = _place(choose, text, _NAME)
        other = _place(choose, text, _NAME)
        return Edit(Span(start, end), text[slice(*other)])
    if choose.random() < 0.3:
        start, end = _place(choose, text, choose.choice([_WORD, _NUMBER]))
        other = _place(choose, text, _WORD)
        return Edit(Span(start, end), choose.choice([text[slice(*other)], "arith.addi", "npu.run", "0", "7"]))
    start = text.rfind("\n", 0, choose.randrange(len(text))) + 1
    end = text.find("\n", start) + 1 or len(text)
    if choice < 0.65:
        return Edit(Span(start, end), "")
    line = text.rfind("\n", 0, choose.randrange(len(text))) + 1
    copied = text[line : text.find("\n", line) + 1]
    if choice < 0.8 or "{" in copied or "}" in copied:
        copied = "  %new = memref.alloc() : memref<4xf32>\n" if choose.random() < 0.3 else text[start:end]
    return Edit(Span(start, start), copied)


def edit_on(source: str, seed: int, count: int) -> None:
    """Random edits inside the functions of a program, some taken back, each compared with a check from scratch."""
    choose = random.Random(seed)
    document, checker = Document(source, CONFIG.models), Checker()
    assert checker.findings(document, CONFIG) == check(source, CONFIG).findings
    back: list[Edit] = []
    for _ in range(count):
        text = document.source
        if back and (choose.random() < 0.35 or len(back) > 8):
            edit = back.pop()
        else:
            edit = edit_inside(choose, text)
            removed = text[edit.span.start : edit.span.end]
            back.append(Edit(Span(edit.span.start, edit.span.start + len(edit.content)), removed))
        document = document.edit([edit])
        wanted = check(document.source, CONFIG).findings
        found = checker.findings(document, CONFIG)
        assert found == wanted, (*differing(found, wanted), seed, edit, text)


def differing(found: Iterable[Finding], wanted: Iterable[Finding]) -> tuple[list[Finding], list[Finding]]:
    """What is found and not wanted, and what is wanted and not found."""
    those, others = [*found], [*wanted]
    return [one for one in those if one not in others], [one for one in others if one not in those]

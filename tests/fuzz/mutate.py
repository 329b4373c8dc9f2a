"""Mutations: of bytes, of tokens, and splices of several texts. All chance comes from the `Random` that is passed."""

from __future__ import annotations

import random
import re

TOKEN = re.compile(
    r'"(?:[^"\\\n]|\\.)*"|//[^\n]*|[%^@#!][\w$.#-]+|->|::|\d+(?:x[\d?x]*)?|[A-Za-z_][\w.]*|\s+|.', re.DOTALL
)
STRANGE = (
    *('"', "(", ")", "[", "]", "{", "}", "<", ">", "->", "=", ",", ":", "::", "^bb0", "%0", "%0#3", "%0:99999", "@f"),
    *("#m", "!t", "loc(", "// -----\n", "{-#", "#-}", "//", "\n", "\r", "\r\n", "\t", "\0", "\u2028", "\x0c", "\ufeff"),
    *("\ud800", "\U0001d538", "é", "memref<", "memref<?x", "x4294967296x", "-9223372036854775808", "1e999", "0x", "?"),
    *(
        "func.func",
        "scf.for",
        "scf.if",
        "else",
        "return",
        "cf.br",
        "memref.alloc",
        "memref.dealloc",
        "module",
        "private",
    ),
    *("iter_args", "step", "to", "attributes", "dense<", "affine_map<", "memref.subview", "call", "private"),
)
"""Pieces that have a meaning somewhere, and characters that rarely occur."""

MOST = 12
"""Mutations of one text."""
LONGEST = 60_000
"""Characters of a text after its mutations: repetition does not get out of hand."""


def mutated_bytes(choose: random.Random, data: bytes) -> bytes:
    """Some bytes changed, removed, inserted, repeated or moved."""
    work = bytearray(data)
    for _ in range(1 + int(choose.expovariate(0.4))):
        at = choose.randrange(len(work) + 1)
        end = min(len(work), at + 1 + int(choose.expovariate(0.05)))
        what = choose.randrange(6)
        if what == 0 and at < len(work):
            work[at] ^= 1 << choose.randrange(8)
        elif what == 1:
            del work[at:end]
        elif what == 2:
            work[at:at] = bytes(choose.randrange(256) for _ in range(choose.randrange(1, 5)))
        elif what == 3:
            work[at:at] = work[at:end] * choose.choice((1, 2, 30))
        elif what == 4:
            piece = work[at:end]
            del work[at:end]
            to = choose.randrange(len(work) + 1)
            work[to:to] = piece
        else:
            work[at:end] = choose.choice((b"\xff", b"\xc3", b"\xed\xa0\x80", b"\0", b"\xf4\x90\x80\x80", b"ML\xefR"))
    return bytes(work[:LONGEST])


def mutated_tokens(choose: random.Random, text: str, other: str) -> str:
    """Some tokens of `text` removed, doubled, swapped, or replaced by others of it, of `other` or strange ones."""
    tokens: list[str] = TOKEN.findall(text) or [""]
    foreign: list[str] = TOKEN.findall(other) or [""]
    for _ in range(1 + min(MOST, int(choose.expovariate(0.3)))):
        at = choose.randrange(len(tokens))
        what = choose.randrange(8)
        if what == 0:
            tokens[at] = ""
        elif what == 1:
            tokens[at] *= choose.choice((2, 2, 40))
        elif what == 2:
            to = choose.randrange(len(tokens))
            tokens[at], tokens[to] = tokens[to], tokens[at]
        elif what == 3:
            tokens[at] = choose.choice(tokens)
        elif what == 4:
            tokens[at] = choose.choice(foreign)
        elif what == 5:
            tokens[at] = choose.choice(STRANGE)
        elif what == 6:
            tokens.insert(at, choose.choice(STRANGE))
        else:
            start = choose.randrange(len(tokens))
            tokens[at:at] = tokens[start : start + choose.randrange(1, 60)]
    return "".join(tokens)[:LONGEST]


def spliced(choose: random.Random, texts: list[str]) -> str:
    """Runs of lines of several texts, one after the other or one inside the other."""
    result: list[str] = []
    for text in texts:
        lines = text.split("\n")
        start = choose.randrange(len(lines))
        piece = lines[start : start + 1 + int(choose.expovariate(0.05))]
        at = choose.choice((len(result), choose.randrange(len(result) + 1)))
        result[at:at] = piece
    return "\n".join(result)[:LONGEST]

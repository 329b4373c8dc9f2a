"""A terminal as a picture: runs `memlane` and draws, as SVG, what it really prints."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path

FOREGROUND = "#d4d4d4"
FONTS = "'DejaVu Sans Mono', Menlo, Consolas, ui-monospace, monospace"
COLOURS = {"31": "#f4705f", "32": "#7fc98b", "33": "#e5c07b", "34": "#6cb0f0", "36": "#56c2cf"}
ROW, COLUMN, MARGIN = 19, 8.43, 18
"""Pixels: of a line, of a character at 14 px, around the text."""

SGR = re.compile(r"\x1b\[([\d;]*)m")


def picture(root: Path, *commands: Sequence[str]) -> str:
    """The SVG of `memlane ARGUMENTS` for the arguments of each command, run in `root` one after the other."""
    return svg([line for arguments in commands for line in (*_printed(root, arguments), "")][:-1])


def _printed(root: Path, arguments: Sequence[str]) -> list[str]:
    environment = {**os.environ, "FORCE_COLOR": "1"}
    environment.pop("NO_COLOR", None)
    command = [sys.executable, "-m", "memlane", *arguments]
    done = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=False)
    if done.returncode > 1:
        raise RuntimeError(done.stderr)
    return [f"\x1b[1m$\x1b[0m memlane {' '.join(arguments)}", *done.stdout.rstrip().split("\n")]


def svg(lines: Sequence[str]) -> str:
    """Lines with colours as SVG text."""
    width = round(max(len(SGR.sub("", line)) for line in lines) * COLUMN + 2 * MARGIN)
    height = len(lines) * ROW + 2 * MARGIN
    rows = [
        f'<text x="{MARGIN}" y="{MARGIN + number * ROW + 14}">{"".join(_spans(line))}</text>'
        for number, line in enumerate(lines)
        if line
    ]
    size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" {size}>',
            f"<style>text {{ font: 14px {FONTS}; white-space: pre }}</style>",
            f'<rect width="{width}" height="{height}" rx="8" fill="#1e1e1e"/>',
            f'<g fill="{FOREGROUND}" xml:space="preserve">',
            *rows,
            "</g>",
            "</svg>",
            "",
        ]
    )


def _spans(line: str) -> Iterator[str]:
    parts = SGR.split(line)
    yield escape(parts[0])
    for codes, text in zip(parts[1::2], parts[2::2], strict=True):
        style = [f' fill="{COLOURS[code]}"' for code in codes.split(";") if code in COLOURS]
        style += [' font-weight="bold"'] if "1" in codes.split(";") else []
        if text:
            yield f"<tspan{''.join(style)}>{escape(text)}</tspan>" if style else escape(text)

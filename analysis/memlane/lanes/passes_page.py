"""The passes of a pipeline as one self-contained HTML page: a bar a pass as long as its peak, findings below."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

Entry = tuple[str, str, "int | None", list[str]]
"""A pass, its peak in words and in bytes (None: unknown or without bound), and what it changed."""

_STYLE = """
:root { color-scheme: light dark; --ground: #ffffff; --ink: #1f2328; --faint: #656d76; --used: #3a7bd5;
  --lost: #cf222e; --good: #1a7f37; --rule: #d8dee4; }
@media (prefers-color-scheme: dark) { :root { --ground: #0d1117; --ink: #e6edf3; --faint: #8d96a0; --used: #58a6ff;
  --lost: #ff7b72; --good: #3fb950; --rule: #30363d; } }
body { background: var(--ground); color: var(--ink); font: 14px system-ui, sans-serif; margin: 16px; }
table { border-collapse: collapse; width: 100%; } td { padding: 3px 8px; border-top: 1px solid var(--rule);
  vertical-align: top; } td.bar { width: 45%; } td.peak { text-align: right; white-space: nowrap; }
div.bar { background: var(--used); height: 14px; border-radius: 2px; min-width: 1px; }
div.endless { background: repeating-linear-gradient(45deg, var(--lost) 0 6px, transparent 6px 12px); }
.new { color: var(--lost); } .gone { color: var(--good); } td.number { color: var(--faint); text-align: right; }
"""


def page(entries: Sequence[Entry]) -> str:
    """The page."""
    most = max((size for _, _, size, _ in entries if size is not None), default=0) or 1
    body = "\n".join(_row(number, entry, most) for number, entry in enumerate(entries, 1))
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>Memory by pass</title>\n'
        f"<style>{_STYLE}</style>\n</head>\n<body>\n<h1>Memory by pass</h1>\n<table>\n{body}\n</table>\n"
        "</body>\n</html>\n"
    )


def _row(number: int, entry: Entry, most: int) -> str:
    title, words, size, marks = entry
    kind = "bar endless" if size is None else "bar"
    width = 100 if size is None else 100 * size / most
    said = "".join(f'<div class="{"new" if mark[0] == "+" else "gone"}">{escape(mark)}</div>' for mark in marks)
    return (
        f'<tr><td class="number">{number}</td><td>{escape(title)}{said}</td><td class="peak">{escape(words)}</td>'
        f'<td class="bar"><div class="{kind}" style="width:{width:.1f}%"></div></td></tr>'
    )

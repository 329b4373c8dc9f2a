"""Pictures as one self-contained HTML page: hover shows what there is to say of a buffer, a click its source line.

No network, no libraries; the page follows the light or dark scheme of its reader.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from memlane.lanes.lane_layout import Picture
from memlane.lanes.svg import svg

_STYLE = """
:root { color-scheme: light dark; --ground: #ffffff; --ink: #1f2328; --faint: #656d76; --rule: #d8dee4; --mark: #fff8c5;
  --card: #ffffff; }
@media (prefers-color-scheme: dark) { :root { --ground: #0d1117; --ink: #e6edf3; --faint: #8d96a0; --rule: #30363d;
  --mark: #3a2d00; --card: #161b22; } }
body { margin: 0; background: var(--ground); color: var(--ink); font: 14px system-ui, sans-serif; height: 100vh;
  display: grid; grid-template-rows: minmax(0, 3fr) minmax(0, 2fr); }
main { overflow: auto; padding: 8px; } figure { margin: 0 0 16px; } figure svg { max-width: 100%; height: auto; }
pre { margin: 0; overflow: auto; border-top: 1px solid var(--rule); font: 12px ui-monospace, monospace; padding: 8px 0;
  counter-reset: line; }
pre div { white-space: pre; padding-right: 8px; } pre div::before { counter-increment: line; content: counter(line);
  display: inline-block; width: 4.5em; padding-right: 1em; text-align: right; color: var(--faint); }
@media (min-width: 1200px) { body { grid-template: minmax(0, 1fr) / minmax(0, 1fr) 30%; }
  pre { border-top: none; border-left: 1px solid var(--rule); } }
pre div.here { background: var(--mark); }
#card { position: fixed; display: none; white-space: pre-line; pointer-events: none; background: var(--card);
  border: 1px solid var(--rule); border-radius: 6px; padding: 8px 10px; box-shadow: 0 4px 16px rgb(0 0 0 / .25);
  max-width: 40em; z-index: 1; }
"""

_SCRIPT = """
const card = document.getElementById('card'), lines = document.querySelectorAll('pre div');
function show(line) {
  document.querySelectorAll('pre .here').forEach(one => one.classList.remove('here'));
  const here = lines[line - 1];
  if (here) { here.classList.add('here'); here.scrollIntoView({ block: 'center' }); }
}
document.querySelectorAll('a.buffer').forEach(buffer => {
  buffer.querySelector('title').remove();
  buffer.addEventListener('mousemove', event => {
    card.textContent = buffer.dataset.card;
    card.style.display = 'block';
    card.style.left = Math.min(event.clientX + 14, innerWidth - card.offsetWidth - 8) + 'px';
    card.style.top = Math.min(event.clientY + 14, innerHeight - card.offsetHeight - 8) + 'px';
  });
  buffer.addEventListener('mouseleave', () => card.style.display = 'none');
  buffer.addEventListener('click', event => { event.preventDefault(); show(+buffer.dataset.line); });
});
if (/^#L\\d+$/.test(location.hash)) show(+location.hash.slice(2));
"""


def html(pictures: Iterable[Picture], title: str, source: str) -> str:
    """A page with the pictures of some functions and the source they are of."""
    figures = "\n".join(f"<figure>{svg(picture)}</figure>" for picture in pictures)
    lines = "".join(f"<div>{escape(line) or ' '}</div>" for line in source.split("\n"))
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{escape(title)}</title>\n'
        f"<style>{_STYLE}</style>\n</head>\n<body>\n<main>\n{figures}\n</main>\n<pre>{lines}</pre>\n"
        f'<div id="card" role="tooltip"></div>\n<script>{_SCRIPT}</script>\n</body>\n</html>\n'
    )

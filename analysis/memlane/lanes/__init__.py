"""Pictures of memory: each buffer a lane over program order, below them the curve of live bytes.

`layout` turns a function's memory use into a `Picture` of whole numbers and words; `svg`, `html` and `terminal` draw
one. Nothing here measures anything.
"""

from memlane.lanes.html import html
from memlane.lanes.layout import Picture, picture
from memlane.lanes.svg import svg
from memlane.lanes.terminal import terminal

__all__ = ["Picture", "html", "picture", "svg", "terminal"]

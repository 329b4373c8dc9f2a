"""Pictures of memory: each buffer a lane over program order, below them the curve of live bytes.

`layout` turns a function's memory use into a `Picture` of whole numbers and words; `svg`, `html` and `terminal` draw
one. Nothing here measures anything. Who needs `layout` alone has not all the others loaded: the server never draws.
"""

"""Editor features in offsets: a `File` and an offset in, values out. Knows nothing of LSP, reads no files.

One module a feature. All of them answer for broken text as well as they can: a tree always exists.
"""

"""Buffers whose paths are too many to follow: all paths taken together, as sets."""

"""Memlane: the buffer memory of MLIR programs, checked."""

__version__ = "0.1.0"

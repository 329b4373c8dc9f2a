"""Digests, without OpenSSL: `hashlib` loads that for all it has, 3 MB and some milliseconds, also for this one."""

from __future__ import annotations

try:
    from _blake2 import blake2b  # CPython's own, which `hashlib` gives as well
except ImportError:
    from hashlib import blake2b

__all__ = ["blake2b"]

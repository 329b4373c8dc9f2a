"""Addresses of the documentation: the one place that knows where the site is."""

from __future__ import annotations

SITE = "https://memlane.readthedocs.io/en/latest/"
"""Root of the published documentation, with the slash at its end. `mkdocs.yml` says the same; a test compares."""


def rule_url(name: str) -> str:
    """The address of a rule's page."""
    return f"{SITE}rules/{name}/"

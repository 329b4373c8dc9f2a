"""Remove the cache of `memlane check` and `memlane server`.

It is one for all projects, in the user's cache folder, unless `--cache-dir` or `MEMLANE_CACHE_DIR` names another one.
Other files in it are kept.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from memlane.cli import CLEAN, FAILED
from memlane.cli.render.style import visible
from memlane.cli.terminal_output import tell
from memlane.results.cache import cache_folder, clean


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("--cache-dir", type=Path, metavar="DIR", help="the cache to remove (also MEMLANE_CACHE_DIR)")


def run(options: Namespace) -> int:
    """Remove it, and say so."""
    folder = cache_folder(options.cache_dir)
    if folder is None:
        print("No cache: this user has no home")
        return CLEAN
    try:
        there = clean(folder)
    except (OSError, ValueError) as error:
        tell(str(error))
        return FAILED
    print(visible(f"Removed {folder}" if there else f"No cache in {folder.parent}"))
    return CLEAN

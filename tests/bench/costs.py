"""What common work costs, in lines of Python that are run: the same on every machine, so that growth is seen in CI.

    python -m tests.bench.costs [--update]

Prints each cost beside the one that is kept in costs.json, and keeps the new ones with `--update`. Numbers are kept for
one version of Python: others compile comprehensions differently.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from memlane.checking import check
from memlane.config import Config
from memlane.findings import Edit, Span
from memlane.flow.symbolic.assumptions import Assumptions
from memlane.memory_report import usage
from memlane.query import Checker
from memlane.syntax import Document
from memlane_server.publishing import Publisher
from memlane_server.source_links import SourceLinks
from tests.bench.keystroke import FUNCTION
from tests.hostile.growth import lines_run
from tests.hostile.shapes import SHAPES

KEPT = Path(__file__).with_name("costs.json")
VERSION = "{}.{}".format(*sys.version_info)
CONFIG = Config()
Work = Callable[[], object]


def functions(count: int) -> str:
    """So many functions of 23 lines that do not call each other."""
    return "".join(FUNCTION.format(number=number) for number in range(count))


def typed(source: str) -> Work:
    """A character typed in the middle, and what is published then."""
    document, checker = Document(source, CONFIG.models), Checker()
    publisher = Publisher("file:///bench.mlir", "utf-16", related=True, links=SourceLinks("", []))
    publisher.publication(checker.results(document, CONFIG), 1)
    at = source.index("arith.addf", len(source) // 2)

    def work() -> object:
        edited = document.edit([Edit(Span(at, at), "x")])
        return publisher.publication(checker.results(edited, CONFIG), 2)

    return work


def works() -> Mapping[str, Work]:
    """Common work, by what it is called; the shapes of its statements have been learnt, as after the first minute."""
    values, users, blocks = (SHAPES[shape][0] for shape in ("values", "users", "blocks"))
    check(functions(2) + values(20) + users(20) + blocks(20))
    return {
        "read 100 functions": lambda: Document(functions(100), CONFIG.models).tree,
        "check 25 functions": lambda: check(functions(25), CONFIG),
        "check one function of 1000 values": lambda: check(values(1000), CONFIG),
        "check a buffer with 500 uses": lambda: check(users(500), CONFIG),
        "check a function of 200 blocks": lambda: check(blocks(200), CONFIG),
        "memory use of 25 functions": lambda: list(usage(functions(25), CONFIG, Assumptions())),
        "a keystroke among 50 functions": typed(functions(50)),
        "a keystroke among 400 functions": typed(functions(400)),
        "a keystroke in a function of 1000 values": typed(values(1000)),
    }


def costs() -> dict[str, int]:
    """Lines run, by what runs them."""
    return {name: lines_run(work) for name, work in works().items()}


def kept() -> dict[str, Any]:
    """The costs that were kept: `python`, and `lines` by name."""
    return json.loads(KEPT.read_text(encoding="utf-8"))


def main() -> None:
    """Print, or keep."""
    found = costs()
    before: dict[str, int] = kept()["lines"] if KEPT.exists() else {}
    for name, lines in found.items():
        was = before.get(name)
        print(f"{name:45} {lines:10,}" + (f"  {lines / was:6.2f} x" if was else ""))
    if "--update" in sys.argv:
        KEPT.write_text(json.dumps({"python": VERSION, "lines": found}, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

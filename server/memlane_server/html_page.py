"""Pages with the pictures of functions: drawn by the worker, kept in files while the server runs."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from memlane.config import Config
from memlane.digest import blake2b
from memlane.flow.symbolic.assumptions import Assumptions
from memlane.lanes.lane_layout import picture
from memlane.memory_report import usage
from memlane.text import Text


@dataclass(frozen=True, slots=True)
class Page:
    """What to draw: all functions of `source` that make buffers, or one of them."""

    source: str
    title: str
    function: str | None
    assumed: Assumptions

    def run(self, config: Config) -> str | None:
        """The page as HTML; None where there is nothing to draw."""
        from memlane.lanes.html import html  # for the worker: the server itself draws nothing

        text = Text(self.source)
        found = [
            picture(one, text)
            for one in usage(self.source, config, self.assumed, self.function)
            if any(site.life.origin.owned for site in one.sites)
        ]
        return html(found, self.title, self.source) if found else None


class Pages:
    """A folder for pages, made when there is one, gone with the server."""

    def __init__(self) -> None:
        self._folder: Path | None = None

    def keep(self, uri: str, function: str | None, page: str) -> str:
        """Write a page; its URI, the same for the same document and function."""
        if self._folder is None:
            import tempfile

            self._folder = Path(tempfile.mkdtemp(prefix="memlane-"))
        name = blake2b(f"{uri} {function}".encode(errors="surrogatepass"), digest_size=8).hexdigest()
        path = self._folder / f"{name}.html"
        path.write_text(page, encoding="utf-8", errors="replace")
        return path.as_uri()

    def close(self) -> None:
        """Remove them."""
        if self._folder is not None:
            import shutil

            shutil.rmtree(self._folder, ignore_errors=True)

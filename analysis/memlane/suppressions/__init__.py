"""Comments that silence findings: read from the text, applied to what was found, judged, and written.

    %a = memref.alloc() : memref<4xf32>  // memlane: ignore[leak] the runtime frees it
    // memlane: ignore[late-free, sinkable-free] the next statement
    // memlane: ignore-file[possible-*] the whole file
    // memlane: off[leak] from here ... // memlane: on[leak] to here

The comments of a piece of text depend on that piece alone, so they are kept with it; the rest is done anew for each
version of a document and costs little where there are none.
"""

from __future__ import annotations

from memlane.suppressions.adding import CommentedLine, ignoring
from memlane.suppressions.apply import RULE, Results, silenced
from memlane.suppressions.comments import MARK, Comment, Word, comments

__all__ = ["MARK", "RULE", "Comment", "CommentedLine", "Results", "Word", "comments", "ignoring", "silenced"]

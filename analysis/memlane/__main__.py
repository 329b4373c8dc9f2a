"""`python -m memlane`, and what the command `memlane` runs."""

import gc
import sys
from typing import NoReturn

from memlane.signals import end_silently, let_be


def run() -> NoReturn:
    """The command line, as the whole of this process."""
    end_silently()
    from memlane.cli import COLLECT, main  # takes some time, in which Ctrl-C may come

    gc.set_threshold(COLLECT, 10, 10)
    code = main()
    gc.disable()  # what is left goes with the process
    let_be()
    sys.exit(code)


if __name__ == "__main__":
    run()

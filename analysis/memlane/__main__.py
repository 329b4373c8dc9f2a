"""`python -m memlane`, and what the command `memlane` runs."""

import sys
from typing import NoReturn

from memlane.endings import end_silently, let_be


def run() -> NoReturn:
    """The command line, as the whole of this process."""
    end_silently()
    from memlane.cli import main  # takes some time, in which somebody may press Ctrl-C

    code = main()
    let_be()
    sys.exit(code)


if __name__ == "__main__":
    run()

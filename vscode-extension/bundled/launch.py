"""Runs Memlane from the packages beside this file: `python -I launch.py COMMAND ...`, as `memlane COMMAND ...`.

`-I` keeps out PYTHONPATH, the user's packages and the working directory, where a workspace could plant modules. What
the interpreter itself has installed comes after the packages here.
"""

import os
import sys

if sys.version_info < (3, 10):  # noqa: UP036 -- an older Python that somebody named shall say so
    sys.exit("Memlane needs Python 3.10 or newer; this is " + sys.version.split()[0])

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "libs"))


def main() -> int:
    """Run the command; the server without what only the command line needs."""
    if sys.argv[1:2] == ["server"]:
        from memlane_server.start import main as serve

        return serve(sys.argv[2:])
    from memlane.__main__ import run

    run()


if __name__ == "__main__":  # processes that `memlane check --jobs` starts import this file
    sys.exit(main())

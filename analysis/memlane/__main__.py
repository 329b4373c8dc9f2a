"""`python -m memlane`: the same as `memlane`."""

import sys

from memlane.cli import main

sys.exit(main())

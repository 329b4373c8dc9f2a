"""`python -m memlane_server`: the same as `memlane server`."""

import sys

from memlane_server.server import main

sys.exit(main())

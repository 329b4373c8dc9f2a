"""`python -m memlane_server`: the same as `memlane server`."""

import sys

from memlane_server.start import main

sys.exit(main())

"""`python -m tests.paths FIRST LAST [lowered|variables|flags]`: compare these seeds' programs (the last excluded)."""

import sys

from tests.paths.agreement import Agreement

agreement = Agreement()
for seed in range(int(sys.argv[1]), int(sys.argv[2])):
    agreement.add(seed, "".join(sys.argv[3:]))
print(agreement.table())
sys.exit(bool(agreement.differing))

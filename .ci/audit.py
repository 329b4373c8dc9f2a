"""Ask the registry for known vulnerabilities of what is installed: `python .ci/audit.py`, in the environment to audit.

Fails where there is one. Where the registry does not tell (a mirror without that service, no network) or pip-audit
cannot be installed it says so, and that is all it can do.
"""

from __future__ import annotations

import json
import subprocess
import sys
import sysconfig
import tempfile
import venv
from pathlib import Path
from typing import Any


def main() -> int:
    """Audit; 0: nothing known, or nobody told."""
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)  # pip-audit's own dependencies are not to be audited
        python = str(next(Path(folder).glob("[bS]*/python*")))
        install = [python, "-m", "pip", "install", "--quiet", "pip-audit>=2.7,<3"]
        if subprocess.run(install, check=False).returncode:
            print("skipped: pip-audit cannot be installed from this registry")
            return 0
        packages = sysconfig.get_path("purelib")
        command = [python, "-m", "pip_audit", "--path", packages, "--format", "json", "--progress-spinner", "off"]
        try:
            done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
        except subprocess.TimeoutExpired:
            print("skipped: no answer from the registry in five minutes")
            return 0
    try:
        audited: list[dict[str, Any]] = json.loads(done.stdout)["dependencies"]
    except (ValueError, KeyError):
        print(f"skipped: no answer from the registry: {done.stderr.strip()[-300:]}")
        return 0
    known = [one for one in audited if "skip_reason" not in one]
    print(f"{len(known)} packages audited, {len(audited) - len(known)} of which the registry does not tell")
    bad = [one for one in known if one["vulns"]]
    for one in bad:
        print(f"{one['name']} {one['version']}: {', '.join(vulnerability['id'] for vulnerability in one['vulns'])}")
    return int(bool(bad))


if __name__ == "__main__":
    sys.exit(main())

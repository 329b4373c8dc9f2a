"""A release, made and checked: `.ci/release.py bump VERSION`, then `.ci/release.py build`.

`bump` writes the version where it is said (`analysis/memlane/__init__.py` is the one place; the extension's
`package.json` follows) and closes the section `Unreleased` of CHANGELOG.md. `build` makes sdist, wheel and, where the
extension is there, the VSIX in `dist/`, checks them (twine, contents, installed alone), writes SHA256SUMS. Nothing is
uploaded: the last lines say how.
"""

from __future__ import annotations

import argparse
import datetime
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import venv
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DIST = ROOT / "dist"
SOURCE = ROOT / "analysis" / "memlane" / "__init__.py"
CHANGELOG = ROOT / "CHANGELOG.md"
EXTENSION = ROOT / "vscode-extension"
PACKAGES = {"memlane", "memlane_server"}
VERSION = re.compile(r'^__version__ = "(.+)"$', re.MULTILINE)
SHIPPED = (
    *(
        "memlane/py.typed",
        "memlane_server/py.typed",
        "memlane/syntax/shapes/mlir.lark",
        "memlane/syntax/shapes/mlir.tables.json",
        "memlane/dialects/memref.toml",
    ),
    *("memlane/dialects/overlay/memref.toml", "memlane/rules/leak.py", "memlane/cli/check.py"),
)
SOURCES = ("analysis", "server", "tests", "docs", "examples", "README.md", "LICENSE", "CHANGELOG.md", "pyproject.toml")
NEVER = re.compile(
    r"(^|/)(node_modules|\.venv|__pycache__|\.memlane_cache|\.git|bundled/libs|Output)(/|$)|\.vsix$|\.pyc$"
)


def version() -> str:
    """The version, from the one place that says it."""
    found = VERSION.search(SOURCE.read_text(encoding="utf-8"))
    assert found, SOURCE
    return found[1]


def run(*command: str | Path, folder: Path = ROOT) -> None:
    """Run a command; raise where it fails."""
    print("+", *command, flush=True)
    subprocess.run(list(map(str, command)), cwd=folder, check=True)


def bump(new: str) -> None:
    """Write a new version everywhere, and date the changes."""
    assert re.fullmatch(r"\d+\.\d+\.\d+", new), f"{new} is no version: 1.2.3"
    changes = CHANGELOG.read_text(encoding="utf-8")
    assert "\n## Unreleased\n\n" in changes, "CHANGELOG.md has nothing that is unreleased"
    today = datetime.date.today().isoformat()
    CHANGELOG.write_text(changes.replace("\n## Unreleased\n", f"\n## {new} ({today})\n"), encoding="utf-8")
    SOURCE.write_text(VERSION.sub(f'__version__ = "{new}"', SOURCE.read_text(encoding="utf-8")), encoding="utf-8")
    for name in ("package.json", "package-lock.json"):
        file = EXTENSION / name
        if file.exists():
            text = file.read_text(encoding="utf-8")
            old = json.loads(text)["version"]
            count = 2 if name == "package-lock.json" else 1  # the lock says it of the root package as well
            file.write_text(text.replace(f'"version": "{old}"', f'"version": "{new}"', count), encoding="utf-8")
    print(f"{new}: look at `git diff`, commit, then .ci/release.py build")


def agree(unreleased: bool) -> None:
    """All places that say a version say the same, and the changes are told."""
    now = version()
    if (EXTENSION / "package.json").exists():
        said = json.loads((EXTENSION / "package.json").read_text(encoding="utf-8"))["version"]
        assert said == now, f"vscode-extension/package.json says {said}, the package {now}: .ci/release.py bump"
    changes = CHANGELOG.read_text(encoding="utf-8")
    assert unreleased or f"\n## {now} (" in changes, f"CHANGELOG.md has no section {now}: .ci/release.py bump"
    sections = re.split(r"^## ", changes, flags=re.MULTILINE)[1:]
    assert sections, "CHANGELOG.md has no section"
    for section in sections:
        assert re.search(r"^- ", section, re.MULTILINE), f"CHANGELOG.md: {section.splitlines()[0]} tells nothing"


def python_packages() -> list[Path]:
    """Build sdist and wheel, the wheel from the sdist; check what is in them."""
    run(sys.executable, "-m", "build", "--outdir", DIST, ROOT)
    (wheel,) = DIST.glob("*.whl")
    (sdist,) = DIST.glob("*.tar.gz")
    run(sys.executable, "-m", "twine", "check", "--strict", wheel, sdist)
    names = zipfile.ZipFile(wheel).namelist()
    top = {name.partition("/")[0] for name in names}
    assert {name for name in top if not name.endswith(".dist-info")} == PACKAGES, top
    assert not [name for name in SHIPPED if name not in names]
    assert any(name.endswith("/licenses/LICENSE") for name in names)
    with tarfile.open(sdist) as archive:
        held = [name.partition("/")[2] for name in archive.getnames()]
    assert not [name for name in SOURCES if not any(one == name or one.startswith(f"{name}/") for one in held)]
    for name in (*names, *held):
        assert not NEVER.search(name), name
    return [wheel, sdist]


def installed(wheel: Path) -> None:
    """Install the wheel alone in a fresh environment, and use it."""
    with tempfile.TemporaryDirectory() as folder:
        fresh = Path(folder) / "venv"
        venv.create(fresh, with_pip=True)
        run(fresh / "bin" / "pip", "install", "--quiet", wheel)
        memlane = fresh / "bin" / "memlane"
        told = subprocess.run([memlane, "--version"], capture_output=True, text=True, check=True).stdout
        assert told == f"memlane {version()}\n", told
        command = [memlane, "check", "--no-cache", ROOT / "examples" / "fuse_element_late.mlir"]
        shown = subprocess.run(command, capture_output=True, text=True, check=False)
        assert (shown.returncode, "late-free" in shown.stdout) == (1, True), shown
        served = subprocess.run([memlane, "server", "--help"], capture_output=True, text=True, check=True)
        assert "--tcp" in served.stdout


def extension() -> list[Path]:
    """The VSIX, where there is an extension."""
    if not (EXTENSION / "package.json").exists():
        return []
    if not (EXTENSION / "node_modules").exists():
        run("npm", "ci", "--no-audit", "--no-fund", folder=EXTENSION)
    run("npm", "run", "package", folder=EXTENSION)
    target = DIST / f"memlane-{version()}.vsix"
    shutil.copy(EXTENSION / "memlane.vsix", target)
    manifest = json.loads(zipfile.ZipFile(target).read("extension/package.json"))
    assert manifest["version"] == version(), manifest["version"]
    return [target]


def build(unreleased: bool, vsix: bool) -> None:
    """All of it, in `dist/`."""
    agree(unreleased)
    shutil.rmtree(DIST, ignore_errors=True)
    stamp = ["git", "-C", str(ROOT), "log", "-1", "--format=%ct"]
    os.environ.setdefault(
        "SOURCE_DATE_EPOCH", subprocess.run(stamp, capture_output=True, text=True).stdout.strip() or "0"
    )
    made = python_packages()
    installed(made[0])
    if vsix:
        made += extension()
    sums = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in made]
    (DIST / "SHA256SUMS").write_text("".join(sums), encoding="utf-8")
    for path in made:
        print(f"{path.relative_to(ROOT)}: {path.stat().st_size} bytes")
    print(f"next: git tag v{version()} && git push --tags")
    print("      twine upload dist/*.whl dist/*.tar.gz && vsce publish -i dist/*.vsix")


def main() -> None:
    """Raise where something is not as it must be."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("bump", help="write a new version").add_argument("version")
    building = commands.add_parser("build", help="make and check everything in dist/")
    building.add_argument("--unreleased", action="store_true", help="CHANGELOG.md need not name the version yet")
    building.add_argument("--no-vsix", action="store_true", help="leave out the extension")
    options = parser.parse_args()
    if options.command == "bump":
        bump(options.version)
    else:
        build(options.unreleased, not options.no_vsix)


if __name__ == "__main__":
    main()

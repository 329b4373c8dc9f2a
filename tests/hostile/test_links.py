"""Links that lead out of the folder that was named: nothing there is read for writing, written or deleted."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from memlane.cli import atomic_write, main, repair
from memlane.cli.atomic_write import replace_content, write_output
from tests.hostile.test_writing import LATE, LEAK, names

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="links take rights there")
OURS = "nobody else's business\n"


@pytest.fixture
def inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with a program, beside a folder with things of the user's."""
    inside, outside = tmp_path / "inside", tmp_path / "outside"
    inside.mkdir()
    outside.mkdir()
    (outside / "key").write_text(OURS)
    (outside / "late.mlir").write_text(LATE)
    (inside / "leak.mlir").write_text(LEAK)
    monkeypatch.chdir(inside)
    return inside


def untouched(inside: Path) -> bool:
    """Whether the folder beside is as it was made."""
    outside = inside.parent / "outside"
    return (
        names(outside) == ["key", "late.mlir"]
        and (outside / "key").read_text() == OURS
        and (outside / "late.mlir").read_text() == LATE
    )


CHANGES = [["--fix"], ["--fix", "--unsafe-fixes"], ["--add-ignore"], ["--fix", "--add-ignore"]]


@pytest.mark.parametrize("options", CHANGES, ids=" ".join)
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_link_that_leads_out_is_reported_and_left_alone(
    inside: Path, options: list[str], jobs: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (inside / "link.mlir").symlink_to("../outside/late.mlir")
    (inside / "again.mlir").symlink_to("link.mlir")
    assert main(["check", "-q", "-j", jobs, *options, "."]) == 2
    told = capsys.readouterr().err
    assert "link.mlir: cannot be written, and is as it was: a link leads out of ." in told
    assert "again.mlir: cannot be written" in told
    assert untouched(inside)
    assert (inside / "leak.mlir").read_text() != LEAK and (inside / "link.mlir").is_symlink()


@pytest.mark.parametrize("options", CHANGES, ids=" ".join)
def test_a_file_that_is_named_is_written(inside: Path, options: list[str]) -> None:
    (inside / "link.mlir").symlink_to("../outside/late.mlir")
    assert main(["check", "-q", *options, "link.mlir"]) == 0
    assert (inside.parent / "outside" / "late.mlir").read_text() != LATE and (inside / "link.mlir").is_symlink()


def test_links_that_stay_inside_are_followed(inside: Path) -> None:
    (inside / "below").mkdir()
    (inside / "below" / "late.mlir").write_text(LATE)
    (inside / "aside").mkdir()
    (inside / "aside" / "link.mlir").symlink_to(inside / "below" / "late.mlir")
    assert main(["check", "-q", "--fix", "."]) == 0
    assert (inside / "below" / "late.mlir").read_text() != LATE and (inside / "aside" / "link.mlir").is_symlink()


def test_the_folder_that_is_named_may_be_a_link(inside: Path) -> None:
    (inside.parent / "way").symlink_to("inside")
    assert main(["check", "-q", "--fix", "../way"]) == 0
    assert (inside / "leak.mlir").read_text() != LEAK


def test_what_has_another_name_outside(inside: Path) -> None:
    """Found in a folder it gets a content of its own; named itself, both names are meant."""
    os.link(inside.parent / "outside" / "late.mlir", inside / "late.mlir")
    assert main(["check", "-q", "--fix", "."]) == 0
    assert untouched(inside) and (inside / "late.mlir").read_text() != LATE
    (inside / "late.mlir").unlink()
    os.link(inside.parent / "outside" / "late.mlir", inside / "late.mlir")
    assert main(["check", "-q", "--fix", "late.mlir"]) == 0
    assert not untouched(inside)


def swapped(monkeypatch: pytest.MonkeyPatch, swap: Callable[[], None]) -> None:
    """`swap` happens while files are checked."""
    checked = repair.Repair.checked

    def slow(self: repair.Repair, source: str, config: object) -> object:
        swap()
        return checked(self, source, config)  # pyright: ignore[reportArgumentType] -- passed on as it came

    monkeypatch.setattr(repair.Repair, "checked", slow)


@pytest.mark.parametrize("named", [False, True])
def test_a_folder_in_the_middle_that_becomes_a_link(inside: Path, named: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """While its file is checked."""
    (inside / "leak.mlir").unlink()
    folder = inside / "below"
    folder.mkdir()
    (folder / "late.mlir").write_text(LATE)

    def swap() -> None:
        folder.rename(inside.parent / "aside")
        folder.symlink_to("../outside")

    swapped(monkeypatch, swap)
    main(["check", "-q", "--fix", "-j", "1", "below/late.mlir" if named else "."])
    assert untouched(inside) or named


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="needs paths that begin at open folders")
def test_a_folder_that_becomes_a_link_at_the_last_moment(inside: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between the look at links and each step of writing."""
    for step in ("anchored", "new_beside", "remove_leftovers"):
        folder = inside / step
        folder.mkdir()
        (folder / "late.mlir").write_text(LATE)
        done = getattr(atomic_write, step)

        def late(*given: object, folder: Path = folder, done: Callable[..., object] = done) -> object:
            folder.rename(inside.parent / f"moved-{folder.name}")
            folder.symlink_to("../outside")
            return done(*given)

        with monkeypatch.context() as patched:
            patched.setattr(atomic_write, step, late)
            if step == "anchored":
                with pytest.raises(OSError, match=r"irectory|links"):
                    replace_content(folder / "late.mlir", b"new\n", inside)
            else:
                replace_content(folder / "late.mlir", b"new\n", inside)
        assert untouched(inside)


OUTPUTS = [
    ["check", "-q", "--exit-zero", "leak.mlir", "-o"],
    ["check", "-q", "--exit-zero", "--write-baseline", "leak.mlir", "--baseline"],
    ["lanes", "leak.mlir", "-o"],
    ["lanes", "--format", "html", "leak.mlir", "-o"],
    ["passes", "-q", "log.mlir", "--html"],
    ["dialect", "import", "--force", "irdl.mlir", "-o"],
]
IRDL = "module { irdl.dialect @npu { irdl.operation @go { } } }\n"


@pytest.mark.slow
@pytest.mark.parametrize("command", OUTPUTS, ids=lambda one: " ".join(one[:2] + one[-1:]))
@pytest.mark.parametrize("way", ["link", "dangling", "below/key", "loop"])
def test_output_does_not_follow_a_link_out(
    inside: Path, command: list[str], way: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A folder from somebody else may have a link where the report of this command goes."""
    (inside / "log.mlir").write_text(f"// -----// IR Dump After P (p) //----- //\n{LEAK}")
    (inside / "irdl.mlir").write_text(IRDL)
    (inside / "link").symlink_to("../outside/key")
    (inside / "dangling").symlink_to("../outside/new")
    (inside / "below").symlink_to("../outside")
    (inside / "loop").symlink_to("loop")
    assert main([*command, way]) == 2
    told = capsys.readouterr().err
    assert "symbolic links" in told or "a link leads out of" in told or "is no baseline" in told
    assert untouched(inside) and names(inside.parent) == ["inside", "outside"]


@pytest.mark.slow
@pytest.mark.parametrize("command", OUTPUTS, ids=lambda one: " ".join(one[:2] + one[-1:]))
def test_output_goes_where_it_is_meant(inside: Path, command: list[str]) -> None:
    """Into new files, files that are there, through links inside, and to streams."""
    (inside / "log.mlir").write_text(f"// -----// IR Dump After P (p) //----- //\n{LEAK}")
    (inside / "irdl.mlir").write_text(IRDL)
    (inside / "there").write_text(OURS * 1000)
    (inside / "link").symlink_to("target")
    for name in ("new", "there", "link", "../beside", str(inside / "absolute")):
        if "--baseline" in command and name == "there":
            continue  # it is no baseline
        assert main([*command, name]) == 0, name
    texts = {(inside / name).read_text() for name in ("new", "target", "absolute")}
    assert len(texts) == 1 and texts != {""} and (inside / "link").is_symlink()
    if "--baseline" not in command:
        assert (inside / "there").read_text() in texts
        assert main([*command, "/dev/null"]) == 0 and Path("/dev/null").is_char_device()
    assert not [name for name in names(inside) if name.endswith(".new")]


def test_output_goes_to_pipes(inside: Path) -> None:
    os.mkfifo(inside / "pipe")
    reader = os.open(inside / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    write_output(Path("pipe"), "text\n")
    assert os.read(reader, 100) == b"text\n"
    os.close(reader)


def test_folders_for_output_are_made_inside(inside: Path) -> None:
    (inside / "a").mkdir()
    (inside / "a" / "b").symlink_to("../../outside")
    assert main(["check", "-q", "leak.mlir", "-o", "a/b/c/out.txt"]) == 2 and untouched(inside)
    assert main(["check", "-q", "leak.mlir", "--output-format", "json", "-o", "a/c/d/out.json"]) == 1
    assert json.loads((inside / "a" / "c" / "d" / "out.json").read_text())


def test_output_that_has_another_name_outside(inside: Path) -> None:
    os.link(inside.parent / "outside" / "key", inside / "out.txt")
    assert main(["check", "-q", "leak.mlir", "-o", "out.txt"]) == 1
    assert untouched(inside) and "leak" in (inside / "out.txt").read_text()

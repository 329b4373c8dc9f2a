"""workspace/didChangeWorkspaceFolders: what is in a folder counts from when it is opened until it is closed."""

from __future__ import annotations

from pathlib import Path

from lsp_client import Editor
from programs import LOCATED, located


async def test_files_that_locations_name_are_linked_while_their_folder_is_open(client: Editor, tmp_path: Path) -> None:
    folder = located(tmp_path)
    document = client.open(LOCATED, (folder / "a.mlir").as_uri())

    async def linked() -> list[str]:
        """The files that findings of the newest version lead to."""
        found = await document.findings()
        uris = {one.location.uri for finding in found for one in finding.related_information or ()}
        return sorted(uris - {document.uri})

    assert await linked() == []
    client.open_folder(folder)
    document = document.inserted(0, "\n")
    assert await linked() == [(folder / name).as_uri() for name in ("lib/shared.py", "model.py")]
    client.close_folders()
    document = document.inserted(0, "\n")
    assert await linked() == []

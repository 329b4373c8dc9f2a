"""memlane/cursor: the function at a place, the buffers there with all their names, and how many findings there are."""

from __future__ import annotations

from lsp_client import Editor
from programs import FATES


async def test_the_cursor_says_what_is_here(client: Editor) -> None:
    document = client.open(FATES)
    found = await document.here(document.at("%view", inside=0))
    assert found["function"]["name"] == "f"
    assert found["function"]["buffers"] == 4
    [buffer] = found["buffers"]
    assert (buffer["name"], buffer["certainty"], buffer["size"]) == ("%held", "always", "64")
    assert [document.shown_at(one) for one in buffer["names"]] == ["%held"] * 3 + ["%view", "%held", "%held"]
    outside = await document.here(document.place(0))
    assert (outside["function"], outside["buffers"]) == (None, [])
    assert outside["counts"]["warning"] >= found["counts"]["warning"] >= 1

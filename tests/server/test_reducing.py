"""The action that lowers the peak of the function at the cursor."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from client import REAL, Client, insertion, place
from tests.fixes.test_reduction import steps

URI = "file:///w/reduce.mlir"
SOURCE = steps("main", 4) + steps("small", 1)
KIND = "refactor.rewrite.memlane.reducePeak"
RESOLVES = {"textDocument": {"codeAction": {"resolveSupport": {"properties": ["edit"]}}}}


@pytest.fixture
def client() -> Iterator[Client]:
    with Client(REAL, capabilities=RESOLVES) as client:
        client.open(URI, SOURCE)
        yield client


def asked(client: Client, function: str, **context: Any) -> list[dict[str, Any]]:
    at = place(SOURCE, SOURCE.index(f"@{function}"))
    wanted: dict[str, Any] = {"diagnostics": [], **context}
    params = {"textDocument": {"uri": URI}, "range": {"start": at, "end": at}, "context": wanted}
    found: list[dict[str, Any]] = client.request("textDocument/codeAction", params)
    return [one for one in found if one["kind"] == KIND]


def known(client: Client, function: str) -> dict[str, Any]:
    """The action once it is known: on a busy machine the first answer comes before that."""
    (action,) = asked(client, function, only=["refactor"])
    if "edit" not in action:
        client.request("codeAction/resolve", action)
        (action,) = asked(client, function, only=["refactor"])
    return action


def edited(client: Client, action: dict[str, Any]) -> str:
    """All that an action puts in."""
    resolved = action if "edit" in action else client.request("codeAction/resolve", action)
    return "".join(one["newText"] for edits in resolved["edit"]["changes"].values() for one in edits)


@pytest.mark.slow
def test_its_title_says_what_comes_of_it(client: Client) -> None:
    action = known(client, "main")
    assert action["title"] == "Memlane: reduce the peak of @main from 256 KiB to 64 KiB"
    assert "memref.dealloc %b0" in edited(client, action)


@pytest.mark.slow
def test_it_is_offered_to_users_and_where_it_helps(client: Client) -> None:
    assert asked(client, "main", triggerKind=1)
    assert not asked(client, "main", triggerKind=2)
    assert not asked(client, "main", only=["quickfix"])
    for action in asked(client, "small", triggerKind=1):  # on a busy machine; once it is known, there is none
        assert "edit" not in client.request("codeAction/resolve", action)
    assert not asked(client, "small", triggerKind=1)


@pytest.mark.slow
def test_before_it_is_known_it_has_no_numbers() -> None:
    large = steps("main", 100)
    with Client(REAL, capabilities=RESOLVES) as client:
        client.open(URI, large)
        (action,) = asked(client, "main", only=["refactor"])
        if "edit" not in action:  # a machine may be fast
            assert action["title"] == "Memlane: reduce the peak of @main"
        assert edited(client, action).count("memref.dealloc") == 99
        action = known(client, "main")
        assert action["title"] == "Memlane: reduce the peak of @main from 6.25 MiB to 64 KiB"


@pytest.mark.slow
def test_after_an_edit_the_old_one_does_nothing(client: Client) -> None:
    stale = {"title": "", "kind": KIND, "data": [URI, 1, "main"]}
    client.write(client.change(URI, 2, insertion(SOURCE, 0, "// more\n")))
    assert "edit" not in client.request("codeAction/resolve", stale)
    assert "edit" in client.request("codeAction/resolve", {**stale, "data": [URI, 2, "main"]})


@pytest.mark.slow
@pytest.mark.parametrize("data", [[], [URI, 1], [URI, "1", "main"], 5])
def test_data_of_others_are_refused(client: Client, data: object) -> None:
    number = client.send("codeAction/resolve", {"title": "a", "kind": KIND, "data": data})
    assert client.reply(number)["error"]["code"] == -32602


@pytest.mark.slow
def test_a_search_that_an_edit_ends_is_no_error() -> None:
    with Client(REAL, capabilities=RESOLVES) as client:
        client.open(URI, steps("main", 100))
        assert asked(client, "main", only=["refactor"])
        client.write(client.change(URI, 2, insertion(SOURCE, 0, "// more\n")))
        client.request("codeAction/resolve", {"title": "", "kind": KIND, "data": [URI, 2, "main"]})
    assert "never retrieved" not in client.stderr()

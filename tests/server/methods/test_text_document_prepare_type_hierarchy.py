"""textDocument/prepareTypeHierarchy, typeHierarchy/supertypes and /subtypes: a buffer, its views, and their views."""

from __future__ import annotations

from lsp_client import Editor, many
from lsprotocol import types
from programs import CALLS


async def test_views_and_what_they_are_views_of(client: Editor) -> None:
    document = client.open(CALLS)

    async def above(item: types.TypeHierarchyItem) -> list[types.TypeHierarchyItem]:
        return many(await client.type_hierarchy_supertypes_async(types.TypeHierarchySupertypesParams(item)))

    async def below(item: types.TypeHierarchyItem) -> list[types.TypeHierarchyItem]:
        return many(await client.type_hierarchy_subtypes_async(types.TypeHierarchySubtypesParams(item)))

    asked = types.TypeHierarchyPrepareParams(document.id, document.at("%v"))
    [view] = many(await client.text_document_prepare_type_hierarchy_async(asked))
    assert (view.name, view.detail) == ("%v", "memref<4xf32>, memref.subview")
    [buffer] = await above(view)
    assert (buffer.name, await above(buffer)) == ("%a", [])
    [cast] = await below(view)
    [merged] = await below(cast)
    assert [cast.name, merged.name] == ["%w", "%s"]
    assert [one.name for one in await above(merged)] == ["%w", "%r"]


async def test_what_is_no_buffer_has_no_views(client: Editor) -> None:
    document = client.open(CALLS)
    asked = types.TypeHierarchyPrepareParams(document.id, document.at("%n"))
    assert await client.text_document_prepare_type_hierarchy_async(asked) is None

"""TOML to models: one `[op."name"]` table becomes one `OpModel`.

The form is the same in the dialects that ship with Memlane and in a user's `memlane.toml`. Reading never raises
on what a file says: mistakes are `DataProblem`s, and the rest of the file still counts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import cast

from memlane.dialects.model import (
    Aggregate,
    Alloc,
    Call,
    Condition,
    Free,
    OpModel,
    Resource,
    Selector,
    Trip,
    View,
    ViewKind,
)
from memlane.dialects.notation import (
    BUFFERS,
    SELECTOR_FORM,
    TOKENS,
    VALUES,
    Names,
    NotationError,
    guard,
    pattern,
    region_edge,
    selector,
    selectors,
)
from memlane.dialects.problem import DataProblem
from memlane.dialects.roles import FunctionRole, Tasks, Threads
from memlane.dialects.toml import read_toml
from memlane.dialects.toml_tables import Table, TomlSource

OP_FLAGS = (
    *("exits", "terminator", "isolated", "symbol_table", "parallel", "allocation_scope", "saves_stack"),
    *("restores_stack", "detached", "suspends", "undefined", "unwinds", "stops", "leads", "acts", "opaque", "guessed"),
    *("accumulates", "permutes", "may_read", "device"),
)

_SAID = frozenset(
    (*OP_FLAGS, "alloc", "call", "escape", "free", "function", "loaded", "operands", "read", "regions", "token", "view")
) | {"wait", "write"}
"""Keys of an operation that no table in it has."""


@dataclass(frozen=True, slots=True)
class Described:
    """What one file says about operations.

    Args:
        ops: by full name, those of `pure` lists included.
        aliases: other name -> full name.
        resources: by name.
        functions: external functions by symbol without `@`.
        memory: of a dialect the names of its types that stand for memory; None where that is not said of a dialect with
            an operation that allocates or frees.
    """

    ops: Mapping[str, OpModel] = field(default_factory=dict[str, OpModel])
    aliases: Mapping[str, str] = field(default_factory=dict[str, str])
    resources: Mapping[str, Resource] = field(default_factory=dict[str, Resource])
    functions: Mapping[str, OpModel] = field(default_factory=dict[str, OpModel])
    memory: Mapping[str, frozenset[str] | None] = field(default_factory=dict[str, "frozenset[str] | None"])


def load_models(text: str, file: str) -> tuple[Described, tuple[DataProblem, ...]]:
    """The models in the text of a model file; the result is as complete as its mistakes allow."""
    values, problems = read_toml(text, file)
    if problems:
        return Described(), problems
    root = Table(TomlSource(file, text), values)
    found = described(root)
    root.finish()
    return found, tuple(root.source.problems)


def described(root: Table) -> Described:
    """What the model tables at the top of a file say. Problems go to the table's source; other keys are left alone."""
    ops = {name: op_model(table) for name, table in root.named("op")}
    memory: dict[str, frozenset[str] | None] = {
        name.partition(".")[0]: None for name, model in ops.items() if model.alloc or model.free
    }
    for dialect, table in root.named("dialect"):
        types = table.strings("memory")
        if table.peek("memory") is not None:
            memory[dialect] = frozenset(name.removeprefix(f"!{dialect}.") for name in types)
        for mnemonic in table.strings("pure"):
            name = f"{dialect}.{mnemonic}"
            ops.setdefault(name, OpModel(name))
        table.finish()
    aliases = root.table("alias")
    return Described(
        ops=ops,
        aliases={old: new for old in aliases if (new := aliases.get(old, str, ""))},
        resources={name: resource(table) for name, table in root.named("resource")},
        functions={name: op_model(table) for name, table in root.named("function")},
        memory=memory,
    )


def resource(table: Table) -> Resource:
    """The resource of one `[resource.NAME]` table."""
    alloc, free, copy, free_if = (table.get(key, str, "") or None for key in ("alloc", "free", "copy", "free_if"))
    lowered, counted = table.strings("lowered"), table.get("counted", bool, False)
    table.finish()
    return Resource(table.path[-1], alloc, free, copy, tuple(lowered), free_if, counted)


def op_model(table: Table) -> OpModel:
    """The model of one `[op."NAME"]` table."""
    inner = _nested(table)
    if inner is not None:
        table.problem(inner, f'names of operations stand in quotes: [op."{table.path[-1]}.{inner}"]')
        return OpModel(table.path[-1])
    declared = table.strings("operands")
    names = Names(declared)
    groups = table.table("groups")
    pick = partial(_picked, table, names)
    flags = {flag: table.get(flag, bool, False) for flag in OP_FLAGS}
    successors = table.each("successors", guard)
    edges = table.each("regions", partial(region_edge, names=names))
    model = OpModel(
        name=table.path[-1],
        alloc=tuple(_alloc(item, names) for item in table.tables("alloc")),
        free=tuple(_free(item, names) for item in table.tables("free")),
        view=tuple(view for item in table.tables("view") for view in _views(item, names)),
        read=pick("read"),
        write=pick("write"),
        read_if_used=pick("read_if_used"),
        escape=pick("escape"),
        regions=edges if table.raw("regions") is not None else None,
        successors=successors,
        forwards=pick("forwards"),
        cases=table.get("cases", str, "") or None,
        call=_call(table, names),
        function=_function(table),
        trip=_trip(table, names),
        condition=_condition(table.table("condition")),
        compute=table.get("compute", str, "") or None,
        wait=pick("wait"),
        token=table.parsed("token", _place),
        tag=_one(table, names, "tag"),
        asserts=_one(table, names, "asserts"),
        fill=_one(table, names, "fill"),
        length=_one(table, names, "length"),
        joins=tuple(_join(item, names) for item in table.tables("joins")),
        acquire=pick("acquire"),
        inside=pick("inside"),
        loaded=table.each("loaded", _result),
        aggregate=_aggregate(table),
        tasks=_tasks(table),
        nowait=table.get("nowait", str, "") or None,
        threads=_threads(table),
        global_mark=table.parsed("global_mark", _number),
        groups={keyword: groups.get(keyword, str, "") for keyword in groups},
        segments=names.names,
        required=names.required,
        exits=flags["exits"],
        terminator=flags["terminator"] or flags["exits"] or flags["unwinds"] or bool(successors),
        isolated=flags["isolated"],
        symbol_table=flags["symbol_table"],
        parallel=flags["parallel"],
        allocation_scope=flags["allocation_scope"],
        permutes=flags["permutes"],
        saves_stack=flags["saves_stack"],
        restores_stack=flags["restores_stack"],
        detached=flags["detached"],
        suspends=flags["suspends"],
        unwinds=flags["unwinds"],
        stops=flags["stops"],
        leads=flags["leads"],
        undefined=flags["undefined"],
        acts=flags["acts"],
        may_read=flags["may_read"],
        device=flags["device"],
        opaque=flags["opaque"],
        guessed=flags["guessed"],
        carries=_one(table, names, "carries"),
        accumulates=flags["accumulates"],
    )
    _check_groups(table, model)
    table.finish()
    return model


def _nested(table: Table) -> str | None:
    """`[op.my.alloc]` is a table `alloc` in one of an operation `my`: names with dots stand in quotes."""
    if table.path[0] != "op" or "." in table.path[-1]:
        return None
    inner = [(key, cast("dict[str, object]", value)) for key in table if isinstance(value := table.peek(key), dict)]
    return next((key for key, values in inner if _SAID.intersection(values)), None)


def _picked(table: Table, names: Names, key: str) -> tuple[Selector, ...]:
    return table.parsed(key, partial(selectors, names=names)) or ()


def _one(table: Table, names: Names, *keys: str) -> Selector | None:
    """The selector at the first of `keys` that is there; the others mean the same."""
    found = [table.parsed(key, partial(selector, names=names)) for key in keys]
    return next((one for one in found if one is not None), None)


def _alloc(table: Table, names: Names) -> Alloc:
    found = Alloc(
        result=table.parsed("result", _result) or 0,
        resource=table.get("resource", str, "heap"),
        per_symbol=table.get("per_symbol", bool, False),
        filled=table.get("filled", bool, False),
        sized=table.get("sized", bool, True),
        once=table.get("once", bool, False),
        bytes=_one(table, names, "bytes"),
        elements=_one(table, names, "elements"),
    )
    table.finish()
    return found


def _free(table: Table, names: Names) -> Free:
    found = Free(
        operands=_one(table, names, "operand", "operands") or Selector(0, 1),
        resource=table.get("resource", str, "heap"),
        conditions=_one(table, names, "conditions"),
        retained=_one(table, names, "retained"),
    )
    table.finish()
    return found


def _views(table: Table, names: Names) -> tuple[View, ...]:
    result = table.parsed("result", _result) or 0
    kind = table.choice("kind", tuple(kind.value for kind in ViewKind))
    of = _picked(table, names, "of") or (Selector(0, 1),)
    may, shifts, elements = (table.get(key, bool, False) for key in ("may", "shifts", "elements"))
    table.finish()
    return tuple(View(result, one, ViewKind(kind) if kind else ViewKind.PART, may, shifts, elements) for one in of)


def _aggregate(table: Table) -> Aggregate | None:
    role = table.choice("aggregate", tuple(role.value for role in Aggregate))
    return Aggregate(role) if role else None


def _tasks(table: Table) -> Tasks | None:
    role = table.choice("tasks", tuple(role.value for role in Tasks))
    return Tasks(role) if role else None


def _threads(table: Table) -> Threads | None:
    role = table.choice("threads", tuple(role.value for role in Threads))
    return Threads(role) if role else None


def _join(table: Table, names: Names) -> tuple[Selector, Selector]:
    token, to = _one(table, names, "token"), _one(table, names, "to")
    table.finish()
    return token or Selector(0, 1), to or Selector(1, 2)


def _call(table: Table, names: Names) -> Call | None:
    value: object = table.raw("call")
    if value is None or value is False:
        return None
    if value is True:
        return Call(Selector())
    inner = table.table("call")
    found = Call(_one(inner, names, "arguments") or Selector(), inner.get("indirect", bool, False))
    inner.finish()
    return found


def _function(table: Table) -> FunctionRole | None:
    kind = table.choice("function", tuple(kind.value for kind in FunctionRole))
    return FunctionRole(kind) if kind else None


def _trip(table: Table, names: Names) -> Trip | None:
    value: object = table.raw("trip")
    if value is None or value is False:
        return None
    if value is True:
        return Trip()
    inner = table.table("trip")
    given = [_one(inner, names, key) for key in ("lower", "upper", "step")]
    bounds = [one or Selector(place, place + 1) for place, one in enumerate(given)]
    text = inner.parsed("text", partial(pattern, least=1, most=3))
    attributes = tuple(inner.strings("attributes"))
    counter = inner.parsed("counter", _argument) if inner.raw("counter") is not None else 0
    found = Trip(bounds[0], bounds[1], bounds[2], counter or 0, text, attributes)
    inner.finish()
    return found


def _condition(table: Table) -> Condition | None:
    text, attribute = table.parsed("text", partial(pattern, least=1, most=1)), table.get("attribute", str, "")
    table.finish()
    return Condition(text, attribute) if text else None


def _argument(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise NotationError(f"{value!r}: an argument of the loop is named by its position, 0 for the first")
    return value


def _place(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise NotationError(f"{value!r}: a result is named by its position, 0 for the first, -1 for the last")
    return value


def _result(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise NotationError(f"{value!r}: a result is named by its position, 0 for the first")
    return value


def _number(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise NotationError(f"{value!r}: it is a number that an operand may be")
    return value


def _check_groups(table: Table, model: OpModel) -> None:
    """A selector must name an operand of the op; `operands` and `groups` say which there are."""
    valid = {*model.segments, *model.groups.values(), BUFFERS, TOKENS, VALUES}
    listed = (
        *model.read,
        *model.write,
        *model.read_if_used,
        *model.escape,
        *model.wait,
        *model.forwards,
        *model.acquire,
        *model.inside,
    )
    joined = (one for pair in model.joins for one in pair)
    entered = (edge.forwards for edge in model.regions or () if edge.source is None and edge.forwards is not None)
    frees = (one for free in model.free for one in (free.operands, free.conditions, free.retained) if one)
    tags = filter(None, (model.tag, model.asserts, model.fill, model.length, model.carries))
    bounds = (model.trip.lower, model.trip.upper, model.trip.step) if model.trip else ()
    for one in (*listed, *joined, *entered, *tags, *bounds, *frees, *(view.of for view in model.view)):
        if one.group is not None and one.group not in valid:
            choices = tuple(sorted(valid))
            table.problem("operands", f"no operand is called `{one.group}`; {SELECTOR_FORM}", choices)

"""The diagrams of docs/how-it-works.md and docs/architecture.md."""

from __future__ import annotations

from diagram import Diagram

READING = Diagram(
    "From the text through pieces, statements and operations to control flow, aliases, paths and rules; from findings "
    "to fixes, the command line, editors and agents",
    {
        "text": (0, 0),
        "pieces": (0, 1),
        "statements": (0, 2),
        "operations": (0, 3),
        "dialects in TOML": (0, 4),
        "control flow": (1.2, 3),
        "aliases": (1.2, 2),
        "paths and liveness": (1.2, 1),
        "what callees do": (1.2, 0),
        "rules": (2.5, 1),
        "peaks and pictures": (2.5, 0),
        "findings": (2.5, 2),
        "comments in the text": (2.5, 3),
        "fixes": (3.7, 1),
        "command line": (3.7, 2),
        "editor": (3.7, 3),
        "agent": (3.7, 4),
    },
    (
        ("text", "pieces", ""),
        ("pieces", "statements", ""),
        ("statements", "operations", ""),
        ("operations", "control flow", ""),
        ("dialects in TOML", "control flow", ""),
        ("control flow", "aliases", ""),
        ("aliases", "paths and liveness", ""),
        ("what callees do", "paths and liveness", ""),
        ("paths and liveness", "rules", ""),
        ("paths and liveness", "peaks and pictures", ""),
        ("rules", "findings", ""),
        ("comments in the text", "findings", ""),
        ("findings", "fixes", ""),
        ("findings", "command line", ""),
        ("findings", "editor", ""),
        ("findings", "agent", ""),
    ),
    {"for each function": ("control flow", "aliases", "paths and liveness", "what callees do")},
)

CLUSTER = Diagram(
    "Two allocations, a view of one of them, and a select of both: one cluster",
    {
        "%a = memref.alloc": (0, 0),
        "%b = memref.alloc": (0, 1),
        "%v = memref.subview %a": (1, 0),
        "%s = arith.select %c, %a, %b": (1, 1),
    },
    (
        ("%a = memref.alloc", "%v = memref.subview %a", ""),
        ("%a = memref.alloc", "%s = arith.select %c, %a, %b", ""),
        ("%b = memref.alloc", "%s = arith.select %c, %a, %b", ""),
    ),
    {
        "one cluster": (
            "%a = memref.alloc",
            "%b = memref.alloc",
            "%v = memref.subview %a",
            "%s = arith.select %c, %a, %b",
        )
    },
    column=260,
)

STATES = Diagram(
    "An owned buffer is freed, moved or lost; a lost one is a leak, one that is used or freed again a use after free "
    "or a double free",
    {
        "owned": (0, 1),
        "freed": (1, 0),
        "moved": (1, 1),
        "lost": (1, 2),
        "use-after-free, double-free": (2, 0),
        "leak": (2, 2),
    },
    (
        ("owned", "freed", "deallocation"),
        ("owned", "moved", "returned, stored, given to\na callee that frees it"),
        ("owned", "lost", "last name gone"),
        ("freed", "use-after-free, double-free", "used or freed again"),
        ("lost", "leak", ""),
    ),
    column=300,
)

PACKAGES = Diagram(
    "Text becomes statements and op trees; those and the models of dialects become control flow and effects, alias "
    "sets, slices and explored paths; facts become findings, and findings what editors and terminals show",
    {
        "syntax": (0, 0),
        "dialects": (0, 1),
        "flow/cfg": (1.2, 0),
        "flow/effects": (1.2, 1),
        "flow/symbolic": (1.2, 2),
        "flow/scalars": (1.2, 3),
        "flow/memory": (1.2, 4),
        "flow/alias": (1.2, 5),
        "flow/fastpath": (2.5, 0),
        "flow/slicing": (2.5, 1),
        "flow/typestate": (2.5, 2),
        "flow/dataflow": (2.5, 3),
        "flow/interproc": (2.5, 4),
        "flow/path_insensitive": (2.5, 5),
        "flow/peak": (1.2, 7),
        "placement": (1.2, 8),
        "rules": (4, 0),
        "query": (4, 1),
        "fixes": (4, 2),
        "suppressions": (4, 3),
        "ide, lanes": (5.2, 0),
        "cli, agent": (5.2, 1),
        "memlane_server": (5.2, 2),
    },
    (
        ("syntax", "flow/cfg", ""),
        ("dialects", "flow/cfg", ""),
        ("flow/cfg", "flow/effects", ""),
        ("flow/effects", "flow/symbolic", ""),
        ("flow/symbolic", "flow/scalars", ""),
        ("flow/scalars", "flow/memory", ""),
        ("flow/memory", "flow/alias", ""),
        ("flow/cfg", "flow/fastpath", ""),
        ("flow/alias", "flow/slicing", ""),
        ("flow/slicing", "flow/typestate", ""),
        ("flow/dataflow", "flow/typestate", ""),
        ("flow/interproc", "flow/dataflow", ""),
        ("flow/path_insensitive", "flow/interproc", ""),
        ("flow/peak", "placement", ""),
        ("flow/fastpath", "rules", ""),
        ("flow/typestate", "rules", ""),
        ("rules", "query", ""),
        ("query", "fixes", ""),
        ("suppressions", "fixes", ""),
        ("rules", "ide, lanes", ""),
        ("query", "cli, agent", ""),
        ("fixes", "memlane_server", ""),
    ),
    {
        "what operations mean": (
            *("flow/cfg", "flow/effects", "flow/symbolic", "flow/scalars", "flow/memory", "flow/alias"),
        ),
        "what happens on paths": (
            *("flow/fastpath", "flow/slicing", "flow/typestate", "flow/dataflow"),
            *("flow/interproc", "flow/path_insensitive"),
        ),
        "how much, and until when": ("flow/peak", "placement"),
    },
    column=170,
)

DIAGRAMS = {"reading.svg": READING, "cluster.svg": CLUSTER, "states.svg": STATES, "packages.svg": PACKAGES}
"""By the name of the file in docs/."""

"""The head of an operation: which of its tokens are operands, arguments, types, attributes and successors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile

from memlane.syntax.shapes import forms
from memlane.syntax.shapes.grammar import Branch, Node
from memlane.syntax.shapes.shape import Cut, Definition, Operand, Target, TypeText
from memlane.syntax.shapes.statement_tokens import StatementTokens


class Part:
    """The roles in the head of an op, or in what follows one of its regions."""

    def __init__(self, roles: StatementTokens, name: str, generic: bool) -> None:
        self.roles = roles
        self.name = name
        self.generic = generic
        self.operands: list[Operand] = []
        self.successors: list[Target] = []
        self.keywords: list[str] = []
        self.symbol: Cut | None = None
        self.attributes: dict[str, Cut | None] = {}
        self.literal: Cut | None = None
        self.types: list[Cut] = []
        self.before: list[Cut] = []
        self.after: list[Cut] | None = None
        self.defines: list[Definition] = []
        self.bound: list[int] = []
        self.head: list[Node] = []
        self.has_region = False
        self.in_case = False

    def read(self, head: list[Node], has_region: bool) -> None:
        self.head = head
        self.has_region = has_region
        kinds = [self.roles.kind(node) for node in head]
        self.read_keywords(head, kinds)
        self.read_types(head, kinds)
        for at, node in enumerate(head):
            self.read_node(at, node, kinds)
        if self.bound:
            types = iter(self.before if self.after is not None and self.before else self.after or [])
            for position in self.bound:
                slot, known = self.defines[position]
                self.defines[position] = Definition(slot, known or next(types, None))

    def read_keywords(self, head: list[Node], kinds: list[str]) -> None:
        at = 0
        while at < len(head) and kinds[at] == "WORD":
            self.keywords.append(self.roles.text_of(head[at]))
            at += 1
        while at < len(head) and kinds[at] in ("dict", "prop"):
            at += 1
        start = at
        if at < len(head) and kinds[at] in ("NUM", "STR", "ATTR", "OTHER", "SYM", "bracket"):
            while at < len(head) and kinds[at] in ("NUM", "STR", "ATTR", "OTHER", "SYM", "bracket", "WORD"):
                at += 1
            self.literal = self.roles.cut(head[start:at])
        elif self.keywords and self.keywords[0] in ("true", "false"):
            self.literal = self.roles.cut(head[:1])

    def read_types(self, head: list[Node], kinds: list[str]) -> None:
        """The types after the last top-level colon, and which of them are results."""
        collecting = False
        for at, kind in enumerate(kinds):
            node = head[at]
            if kind == "COLON":
                self.types, collecting, self.before = [], True, self.types
                if self.after is None:
                    self.before = []
            elif kind == "ARROW":
                if not collecting:
                    self.types = []
                self.before, self.after, collecting = list(self.types), [], True
            elif kind == "OTHER" and (self.types or not at) and self.roles.text_of(node) == "=>":
                collecting = True  # `: !stream.resource<*>{%n} => !stream.timepoint`: a further result's
            elif not collecting:
                continue
            elif kind in ("TYPE", "paren", "ATTR"):
                found = list(self.flat_types(node))
                self.types.extend(found)
                if self.after is not None and (at == 0 or kinds[at - 1] in ("ARROW", "COMMA")):
                    self.after.extend(found)
            elif kind == "WORD" and self.roles.text_of(node) in ("to", "into"):
                self.before, self.after = list(self.types), []
                kinds = [*kinds[:at], "ARROW", *kinds[at + 1 :]]
            elif kind == "WORD" and self.roles.text_of(node) == "from":
                self.after = list(self.types[:1])
                collecting = False
            elif kind not in ("COMMA", "dict"):
                collecting = False

    def flat_types(self, node: Node) -> Iterator[Cut]:
        stack: list[Node] = [node]
        while stack:
            item = stack.pop()
            if isinstance(item, Branch):
                inner = item.children[1:-1]
                if item.data == "paren" and any(self.roles.kind(child) == "ARROW" for child in inner):
                    yield from self.function_types(inner)
                elif item.data == "paren":
                    stack.extend(reversed(item.children[1:-1]))
            elif self.roles.kind(item) in ("TYPE", "ATTR"):
                token = self.roles.token(item)
                yield Cut(token.start, token.end)

    def function_types(self, nodes: Sequence[Node]) -> Iterator[Cut]:
        """Types with commas between them, some of which are those of functions: `() -> T`."""
        at = 0
        while at < len(nodes):
            stop = at
            while stop < len(nodes) and self.roles.kind(nodes[stop]) != "COMMA":
                stop += 1
            part = nodes[at:stop]
            if any(self.roles.kind(node) == "ARROW" for node in part):
                yield Cut(self.roles.token(part[0]).start, self.roles.end(part[-1]))
            else:
                yield from (cut for node in part for cut in self.flat_types(node))
            at = stop + 1

    def results(self, count: int) -> tuple[TypeText, ...]:
        """The types of `count` results, as far as the text says them."""
        rule = forms.RESULT_TYPES.get(self.name) if not self.generic else None
        if rule is not None:
            return (self.inner(rule) if rule in ("element", "member", "all") else rule,) * count
        last = forms.LAST_RESULT.get((self.name.partition(".")[0], (*self.keywords, "")[0]))
        if last is not None and count and not self.generic:
            return (*self.results_of(count - 1), last)
        first = forms.FIRST_RESULT.get(self.name)
        if first is not None and count and not self.generic:
            return (first, *self.results_of(count - 1))
        return self.results_of(count)

    def inner(self, rule: str) -> TypeText:
        """The type inside the trailing one: that of its elements, or of the member at the position in brackets; or all
        of the trailing one, which is that of a function."""
        if rule == "all":
            kinds = [self.roles.kind(node) for node in self.head]
            start = kinds.index("COLON") + 1 if "COLON" in kinds else len(kinds)
            rest = takewhile(lambda at: kinds[at] in ("TYPE", "ATTR", "paren", "ARROW"), range(start, len(kinds)))
            return self.roles.cut([self.head[at] for at in rest])
        if not self.types:
            return None
        if rule == "element":
            return self.types[0]._replace(element=True)
        at = next((node for node in self.head if self.roles.kind(node) == "bracket"), None)
        return Cut(self.roles.token(at).start, self.types[0].end, element=True) if at is not None else None

    def results_of(self, count: int) -> tuple[TypeText, ...]:
        """The types of `count` results as they are written."""
        known: list[TypeText] = [*(self.after if self.after is not None else self.types[-count:] if count else ())]
        if not known and self.keywords[:1] in (["true"], ["false"]):
            known = ["i1"]
        return tuple((*known, *([None] * count))[:count])

    def result_types(self) -> tuple[TypeText, ...]:
        return tuple(self.after if self.after is not None else self.types)

    # ---- names -------------------------------------------------------------------------------------------------

    def read_node(self, at: int, node: Node, kinds: list[str]) -> None:
        kind = kinds[at]
        roles = self.roles
        if kind == "SYM" and self.symbol is None:
            token = roles.token(node)
            self.symbol = Cut(token.start + 1, token.end)
        elif kind in ("dict", "prop"):
            self.read_dict(node)
        elif kind == "WORD":
            self.in_case = self.in_case or (self.has_region and self.roles.text_of(node) == "case")
        elif kind == "paren":
            self.read_paren(at, node, kinds)
        elif kind in ("VAL", "BIND"):
            self.name_at(self.head, at, "")
        elif kind in ("bracket", "brace", "successor"):
            self.nested(node, self.group_before(at, kinds))
        elif kind == "BLOCK":
            self.successor(node, self.head, at)

    def group_before(self, at: int, kinds: list[str]) -> str:
        return self.roles.text_of(self.head[at - 1]) if at and kinds[at - 1] == "WORD" else ""

    def read_paren(self, at: int, node: Node, kinds: list[str]) -> None:
        assert isinstance(node, Branch)
        if not self.generic and self.declares(at, node, kinds):
            default = "index" if kinds[at - 1 : at] != ["SYM"] else None
            self.defines.extend(self.roles.typed(node.children[1:-1], default))
        else:
            self.nested(node, self.group_before(at, kinds))

    def declares(self, at: int, node: Branch, kinds: list[str]) -> bool:
        """Whether a parenthesis declares region arguments rather than naming operands."""
        inside = [self.roles.kind(child) for child in node.children]
        if not any(kind == "VAL" for kind in inside):
            return False
        before = kinds[at - 1] if at else ""
        following = kinds[at + 1 : at + 4]
        behind = [inside[i + 1 : i + 3] for i, kind in enumerate(inside) if kind == "VAL"]
        typed = all(kinds[0] == "COLON" or kinds == ["STR", "COLON"] for kinds in behind)  # `in %a "name": i32`
        if before == "WORD" and self.group_before(at, kinds) in forms.DEFINING_WORDS.get(self.name, ()):
            return True
        if following[:1] == ["EQ"] or following == ["COLON", "TYPE", "EQ"]:
            return True
        if following[:1] == ["WORD"] and self.roles.text_of(self.head[at + 1]) == "in":
            return True
        if {*kinds[:at]} <= {"WORD"} and self.name in forms.FUNCTIONS:
            return True  # whose symbol is missing
        if not typed:  # a function has no operands: one of its arguments is being typed
            return before == "SYM" and forms.may_be_function(self.name) and self.has_region
        if before == "SYM" or (before == "ATTR" and kinds[at - 2 : at - 1] == ["SYM"]):  # `@name<a: i32>(in %p: i1)`
            return True
        last = at + 1 == len(kinds)
        if not (last and self.has_region):
            return False
        if not self.name and not at:
            return True  # right behind another region: `} (%i: i64) {`
        return before not in ("", "WORD") or self.name in forms.DECLARING

    def nested(self, node: Node, group: str) -> None:
        """All names in a group, in text order, without recursion."""
        stack: list[tuple[Sequence[Node], int, str]] = [([node], 0, group)]
        while stack:
            children, at, group = stack.pop()
            while at < len(children):
                child = children[at]
                kind = self.roles.kind(child)
                if kind == "successor" or kind == "BLOCK":
                    self.successor(child, children, at)
                elif isinstance(child, Branch):
                    stack.append((children, at + 1, group))
                    sizes = kind == "brace" and at > 0 and self.roles.kind(children[at - 1]) == "TYPE"
                    children, at, group = child.children, 0, "" if sizes else group  # `with(%a : !t{%size})`
                    continue
                elif kind in ("VAL", "BIND"):
                    self.name_at(children, at, group)
                at += 1

    def name_at(self, children: Sequence[Node], at: int, group: str) -> None:
        roles = self.roles
        token = roles.token(children[at])
        slot = roles.slots[token.start]
        top = children is self.head
        binds = roles.kind(children[at]) == "BIND" and self.name not in forms.ASSIGNING
        if binds and group not in forms.OPERAND_WORDS:
            if self.name not in forms.LABELLING:
                self.bind(children, at, slot, top)
            return
        if at and self.binds_before(children, at, top or group in forms.OPERAND_WORDS):
            known = next(roles.typed(children[at : at + 3]), None)
            self.defines.append(known or Definition(slot, None))
            return
        if top and self.has_region and (self.in_case or self.followed_by_in(at)):
            self.defines.append(Definition(slot, None))
            return
        if self.after is not None and self.tied(children[at + 1 : at + 3]):
            return
        text = roles.text[token.start : token.end]
        self.operands.append(Operand(slot, int(text[2:11]) if len(text) > 1 else None, group))

    def tied(self, following: Sequence[Node]) -> bool:
        """Whether what follows a name says that a result is the operand of that name: `-> %a as T`, but not
        `with(%a as %x: T) -> T`. Behind the arrow of a function, `-> %a` says it of its argument."""
        if self.name.partition(".")[0] not in forms.TYING:
            return False
        if not following or forms.may_be_function(self.name):
            return forms.may_be_function(self.name)
        return self.roles.text_of(following[0]) == "as" and self.roles.kind(following[-1]) not in ("VAL", "BIND")

    def takes_arguments(self) -> bool:
        """Whether types stand in the parenthesis behind the symbol, as where a function declares its arguments."""
        kinds = [self.roles.kind(node) for node in self.head]
        at = kinds.index("SYM") + 1 if "SYM" in kinds else len(kinds)
        at += kinds[at : at + 1] == ["ATTR"]  # `@name<a: i32>(in %p: i1)`
        behind = self.head[at] if kinds[at : at + 1] == ["paren"] else None
        return isinstance(behind, Branch) and any(self.roles.kind(node) == "COLON" for node in behind.children)

    def followed_by_in(self, at: int) -> bool:
        following = self.head[at + 1 : at + 4]
        if [self.roles.kind(node) for node in following[:2]] == ["COLON", "TYPE"]:
            following = following[2:]
            if [self.roles.kind(node) for node in following[:1]] == ["EQ"]:
                return True
        return bool(following) and self.roles.text_of(following[0]) == "in"

    def bind(self, children: Sequence[Node], at: int, slot: int, top: bool) -> None:
        if top:
            known: TypeText = self.types[0] if self.types and self.after is None else "index"
            self.defines.append(Definition(slot, known))
            return
        known: TypeText = None
        if [self.roles.kind(child) for child in children[at + 2 : at + 4]] == ["VAL", "COLON"]:
            known = next(iter(self.roles.typed(children[at + 2 : at + 5]))).type
        self.bound.append(len(self.defines))
        self.defines.append(Definition(slot, known))

    def binds_before(self, children: Sequence[Node], at: int, top: bool) -> bool:
        previous = children[at - 1]
        kind = self.roles.kind(previous)
        if kind == "ARROW":  # `(%a -> %b)`, and no symbol or word before it: `(@recipe -> %a)`
            return not top and at > 1 and self.roles.kind(children[at - 2]) not in ("SYM", "WORD")
        return kind == "WORD" and self.roles.text_of(previous) == "as"

    # ---- the rest ----------------------------------------------------------------------------------------------

    def successor(self, node: Node, children: Sequence[Node], at: int) -> None:
        roles = self.roles
        token = roles.token(node)
        case: Cut | None = None
        if at >= 2 and roles.kind(children[at - 1]) == "COLON":
            first = at - 2
            if first and roles.kind(children[first - 1]) == "OTHER":
                first -= 1
            case = roles.cut(children[first : at - 1])
        first = len(self.operands)
        if isinstance(node, Branch):
            self.nested(node.children[1], "")
        self.successors.append(Target(roles.slots[token.start], first, len(self.operands), case))

    def read_dict(self, node: Node) -> None:
        assert isinstance(node, Branch)
        for entry in node.children[1:-1]:
            if not isinstance(entry, Branch) or entry.data != "entry":
                continue
            parts = entry.children
            key = self.roles.text_of(parts[0]).strip('"')
            self.attributes[key] = self.roles.cut(parts[2:])

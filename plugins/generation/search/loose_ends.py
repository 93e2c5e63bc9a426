"""What a function begins and does not go on with: values that nobody reads, containers that nobody fills, counters that
nobody moves. Where something is missing, such ends hang loose.
"""

from __future__ import annotations

import ast
from collections import Counter, OrderedDict, deque
from collections.abc import Iterable
from dataclasses import dataclass

from treadle.plugins.generation.search.scope import called_name
from treadle.plugins.generation.search.source import FUNCTIONS, FunctionNode

Kind = str
"""What a name holds, as far as the text tells: "number", "truth", "text", "list", "set", "dict", "" where it does not
tell."""
TYPES: dict[Kind, tuple[type, ...]] = {
    "number": (int, float),
    "truth": (bool,),
    "text": (str,),
    "list": (list, tuple, deque),
    "set": (set, frozenset),
    "dict": (dict, Counter, OrderedDict),
}
"""What a name of a kind is, in each case one of these."""
SIZED = frozenset({"text", "list", "set", "dict"})

_NAMED: dict[str, Kind] = {
    "int": "number",
    "float": "number",
    "bool": "truth",
    "str": "text",
    "list": "list",
    "List": "list",
    "Sequence": "list",
    "deque": "list",
    "tuple": "list",
    "set": "set",
    "frozenset": "set",
    "dict": "dict",
    "Mapping": "dict",
    "Counter": "dict",
    "defaultdict": "dict",
    "OrderedDict": "dict",
}
_RESULTS: dict[str, Kind] = {
    **dict.fromkeys(("len", "sum", "ord", "round", "abs", "count", "index", "find", "floor", "ceil"), "number"),
    **dict.fromkeys(("sorted", "range", "split", "splitlines", "keys", "values", "items"), "list"),
    **dict.fromkeys(("repr", "chr", "join", "strip", "lower", "upper", "lstrip", "rstrip", "replace"), "text"),
    **dict.fromkeys(("any", "all", "isinstance", "isdigit", "isalpha", "startswith", "endswith"), "truth"),
}
_TOLD_BY_METHOD: dict[str, Kind] = {
    **dict.fromkeys(("append", "extend", "insert", "popleft", "appendleft", "sort", "reverse"), "list"),
    **dict.fromkeys(("add", "discard", "issubset"), "set"),
    **dict.fromkeys(("items", "get", "setdefault", "keys", "values"), "dict"),
    **dict.fromkeys(("strip", "split", "lower", "upper", "startswith", "endswith", "isdigit", "isalpha"), "text"),
}
_CHANGING = frozenset(
    ["append", "extend", "insert", "appendleft", "add", "update", "setdefault", "push", "put", "subtract", "extendleft"]
)


@dataclass(frozen=True)
class LooseEnds:
    """Names of one function, each group in the order of the text. `unread`: bound, never read, or only put something
    into. `unmoved`: begun with a number or a truth value, never changed. `unfilled`: begun empty, or as what is asked
    whether something is in it, never put anything into. `kinds` of all."""

    unread: tuple[str, ...]
    unmoved: tuple[str, ...]
    unfilled: tuple[str, ...]
    kinds: dict[str, Kind]


def loose_ends(function: FunctionNode) -> LooseEnds:
    """The function's loose ends; those of functions in it are its own."""
    stored: dict[str, int] = {}
    read: set[str] = set()
    changed: set[str] = set()
    begun: dict[str, ast.expr] = {}
    kinds: dict[str, Kind] = {}
    arguments = function.args
    parameters = {argument.arg for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)}
    for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
        stored[argument.arg] = 1
        kinds[argument.arg] = _annotated(argument.annotation)
    for argument_node in (arguments.vararg, arguments.kwarg):
        if argument_node is not None:
            stored[argument_node.arg] = 1
            kinds[argument_node.arg] = "list" if argument_node is arguments.vararg else "dict"
    only_filled = {
        node.value.func.value
        for node in ast.walk(function)
        if isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Call)
        and isinstance(node.value.func, ast.Attribute)
        and node.value.func.attr in _CHANGING
    }
    for node in ast.walk(function):
        if isinstance(node, ast.Name):
            if isinstance(node.ctx, ast.Load) and node not in only_filled:
                read.add(node.id)
            elif isinstance(node.ctx, ast.Store):
                stored[node.id] = stored.get(node.id, 0) + 1
        elif isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for target in targets:
                if isinstance(target, ast.Name):
                    begun.setdefault(target.id, node.value)
                    kinds[target.id] = kinds.get(target.id) or kind_of(node.value, kinds)
        elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            stored[node.target.id] = stored.get(node.target.id, 0) + 1
            kinds[node.target.id] = kinds.get(node.target.id) or kind_of(node.value, kinds)
        elif isinstance(node, ast.For | ast.comprehension):
            _told_by_loop(node.target, node.iter, kinds)
        _told_by_use(node, kinds)
        changed |= set(_changed_by(node))
    filled = {node.id for node in only_filled if isinstance(node, ast.Name)}
    own = [name for name in stored if name not in ("self", "cls") and not name.startswith("_")]
    once = [name for name in own if stored[name] == 1 and name in begun and name not in changed]
    return LooseEnds(
        unread=tuple(name for name in own if name not in read and (name not in filled or name not in parameters)),
        unmoved=tuple(name for name in once if isinstance(begun[name], ast.Constant) and name in read),
        unfilled=tuple(name for name in once if is_empty(begun[name]) or _is_asked(begun[name], name, function)),
        kinds=kinds,
    )


def _is_asked(begun: ast.expr, name: str, function: FunctionNode) -> bool:
    """Whether a loop asks what is in a set or dictionary that is begun with something: what it has seen so far."""
    loops = (n for n in ast.walk(function) if isinstance(n, (ast.For, ast.While, *FUNCTIONS)) and n is not function)
    return isinstance(begun, ast.Set | ast.Dict) and any(
        isinstance(node, ast.Compare)
        and isinstance(node.ops[0], ast.In | ast.NotIn)
        and _dotted(node.comparators[0]) == name
        for loop in loops
        for node in ast.walk(loop)
    )


def unmoved_attributes(owner: ast.ClassDef) -> dict[str, ast.expr]:
    """The attributes of `self` that are begun with a constant or empty and never changed by the class, with what each
    is begun with."""
    begun: dict[str, ast.expr] = {}
    stored: dict[str, int] = {}
    changed: set[str] = set()
    for node in ast.walk(owner):
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                if name := attribute_of_self(target):
                    begun.setdefault(name, node.value)
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and attribute_of_self(node):
            stored[node.attr] = stored.get(node.attr, 0) + 1
        changed |= set(_changed_by(node))
    return {
        name: value
        for name, value in begun.items()
        if stored.get(name) == 1
        and f"self.{name}" not in changed
        and (isinstance(value, ast.Constant) or is_empty(value))
    }


def unset_attributes(owner: ast.ClassDef) -> tuple[str, ...]:
    """The attributes of `self` that the class reads and neither sets nor defines."""
    defined = {m.name for m in owner.body if isinstance(m, (*FUNCTIONS, ast.ClassDef))}
    defined |= {
        n.id for m in owner.body for n in ast.walk(m) if isinstance(n, ast.Name) and not isinstance(m, FUNCTIONS)
    }
    read: dict[str, None] = {}
    for node in ast.walk(owner):
        if isinstance(node, ast.Attribute) and attribute_of_self(node):
            if isinstance(node.ctx, ast.Load):
                read.setdefault(node.attr)
            else:
                defined.add(node.attr)
    return tuple(name for name in read if name not in defined) if not owner.bases else ()


def attribute_of_self(node: ast.AST) -> str:
    """The attribute's name where the node is `self.name`, else empty."""
    on_self = isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self"
    return node.attr if on_self and isinstance(node, ast.Attribute) else ""


def is_empty(node: ast.expr) -> bool:
    """Whether the expression makes a new empty container."""
    if isinstance(node, ast.List | ast.Set | ast.Tuple):
        return not node.elts
    if isinstance(node, ast.Dict):
        return not node.keys
    names = ("list", "dict", "set", "deque", "defaultdict", "Counter", "OrderedDict")
    if not isinstance(node, ast.Call):
        return False
    name = called_name(node)
    return name in names and (not node.args or name == "defaultdict")


def kind_of(node: ast.expr, kinds: dict[str, Kind]) -> Kind:
    """What an expression gives, as far as its text tells."""
    if isinstance(node, ast.Name):
        return kinds.get(node.id, "")
    if isinstance(node, ast.Constant):
        if isinstance(node.value, bool):
            return "truth"
        return "number" if isinstance(node.value, int | float) else "text" if isinstance(node.value, str) else ""
    if isinstance(node, ast.Call):
        name = called_name(node)
        return _RESULTS.get(name) or _NAMED.get(name, "")
    if isinstance(node, ast.BinOp):
        left, right = kind_of(node.left, kinds), kind_of(node.right, kinds)
        if left == "text" or right == "text":
            return "text"
        return left or ("number" if right == "number" and not isinstance(node.op, ast.Mult | ast.Mod) else "")
    if isinstance(node, ast.UnaryOp):
        return "truth" if isinstance(node.op, ast.Not) else "number"
    if isinstance(node, ast.IfExp):
        return kind_of(node.body, kinds)
    plain: dict[type[ast.expr], Kind] = {
        ast.List: "list",
        ast.ListComp: "list",
        ast.Tuple: "list",
        ast.Set: "set",
        ast.SetComp: "set",
        ast.Dict: "dict",
        ast.DictComp: "dict",
        ast.JoinedStr: "text",
        ast.Compare: "truth",
    }
    return plain.get(type(node), "")


def _annotated(node: ast.expr | None) -> Kind:
    if isinstance(node, ast.Subscript):
        node = node.value
    return _NAMED.get(node.id, "") if isinstance(node, ast.Name) else ""


def _told_by_loop(target: ast.expr, over: ast.expr, kinds: dict[str, Kind]) -> None:
    called = over.func.id if isinstance(over, ast.Call) and isinstance(over.func, ast.Name) else ""
    if called == "range" and isinstance(target, ast.Name):
        kinds[target.id] = kinds.get(target.id) or "number"
    elif called == "enumerate" and isinstance(target, ast.Tuple) and isinstance(target.elts[0], ast.Name):
        kinds[target.elts[0].id] = kinds.get(target.elts[0].id) or "number"
    elif isinstance(target, ast.Name) and kind_of(over, kinds) == "text":
        kinds[target.id] = kinds.get(target.id) or "text"


def _told_by_use(node: ast.AST, kinds: dict[str, Kind]) -> None:
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        told = _TOLD_BY_METHOD.get(node.attr)
        if told:
            kinds[node.value.id] = kinds.get(node.value.id) or told
    elif isinstance(node, ast.Compare) and len(node.ops) == 1:
        sides = (node.left, node.comparators[0])
        if isinstance(node.ops[0], ast.Lt | ast.LtE | ast.Gt | ast.GtE | ast.Eq | ast.NotEq):
            for one, other in (sides, sides[::-1]):
                if isinstance(one, ast.Name) and isinstance(other, ast.Constant):
                    kinds[one.id] = kinds.get(one.id) or kind_of(other, kinds)
    elif isinstance(node, ast.BinOp):
        for one, other in ((node.left, node.right), (node.right, node.left)):
            plain = isinstance(node.op, ast.Sub | ast.FloorDiv | ast.Div | ast.Pow)
            if isinstance(one, ast.Name) and (plain or kind_of(other, kinds) == "number") and one.id not in kinds:
                kinds[one.id] = "number" if not isinstance(node.op, ast.Mult) else ""


def _changed_by(node: ast.AST) -> Iterable[str]:
    """The names, or `self.name`s, whose object the node changes or hands to a function that may change it."""
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store | ast.Del):
        yield _dotted(node.value)
    elif isinstance(node, ast.AugAssign):
        yield _dotted(node.target)
    elif isinstance(node, ast.Call):
        if isinstance(node.func, ast.Attribute) and node.func.attr in _CHANGING:
            yield _dotted(node.func.value)
        harmless = isinstance(node.func, ast.Name) and node.func.id in (
            *("len", "sorted", "list", "tuple", "set", "max", "min", "sum", "any", "all", "enumerate", "reversed"),
            *("dict", "str", "repr", "zip", "iter", "isinstance", "bool", "range"),
        )
        if not harmless and not (isinstance(node.func, ast.Attribute) and node.func.attr == "join"):
            yield from (_dotted(argument) for argument in node.args)


def _dotted(node: ast.expr) -> str:
    if isinstance(node, ast.Name):
        return node.id
    return f"self.{node.attr}" if isinstance(node, ast.Attribute) and attribute_of_self(node) else ""

"""Calls: arguments, sibling functions, calls taken away."""

from __future__ import annotations

import ast
from collections import deque
from collections.abc import Iterator
from datetime import date, datetime

from treadle.plugins.generation.search import call_facts
from treadle.plugins.generation.search.operators.made_conditions import unused_functions
from treadle.plugins.generation.search.operators.operator import Family
from treadle.plugins.generation.search.operators.site import Site
from treadle.plugins.generation.search.scope import called_name
from treadle.plugins.generation.search.source import Edit, Splice

FAMILY = Family()

_SIBLINGS = (
    ("any", "all"),
    ("min", "max"),
    ("sum", "len", "max", "min"),
    ("sorted", "reversed", "list"),
    ("list", "set", "tuple", "sorted"),
    ("int", "float", "round", "str"),
    ("ord", "chr"),
    ("hex", "bin", "oct"),
    ("str", "repr"),
    ("map", "filter"),
    ("isinstance", "issubclass"),
    ("range", "len"),
    ("floor", "ceil", "trunc"),
    ("append", "extend", "add", "insert", "remove", "appendleft"),
    ("extend", "extendleft", "update"),
    ("add", "discard", "remove"),
    ("keys", "values", "items"),
    ("startswith", "endswith"),
    ("lower", "upper", "title", "capitalize", "casefold", "swapcase"),
    ("islower", "isupper"),
    ("isdigit", "isalpha", "isalnum", "isnumeric", "isdecimal", "isspace", "isupper", "islower"),
    ("strip", "lstrip", "rstrip"),
    ("removeprefix", "removesuffix", "strip"),
    ("find", "rfind", "index"),
    ("index", "rindex"),
    ("split", "rsplit", "splitlines"),
    ("partition", "rpartition"),
    ("ljust", "rjust", "center", "zfill"),
    ("pop", "popleft", "popitem"),
    ("get", "pop", "setdefault"),
    ("union", "intersection", "difference", "symmetric_difference"),
    ("issubset", "issuperset", "isdisjoint"),
    ("sort", "reverse"),
    ("heappush", "heappop", "heappushpop", "heapreplace"),
    ("nlargest", "nsmallest"),
    ("bisect_left", "bisect_right", "bisect", "insort"),
    ("combinations", "permutations", "combinations_with_replacement", "product"),
    ("sin", "cos"),
    ("log", "log2", "log10"),
    ("mean", "median"),
    ("match", "search", "fullmatch"),
    ("read", "readline", "readlines"),
    ("dumps", "dump"),
    ("loads", "load"),
    ("encode", "decode"),
    ("year", "month", "day"),
    ("hours", "minutes", "seconds", "days", "weeks"),
    ("date", "time", "datetime"),
    ("copy", "deepcopy"),
    ("count", "index"),
)
_ORDERED = frozenset({"sorted", "sort", "min", "max", "nlargest", "nsmallest"})
_BUILTIN_METHODS = frozenset(
    name
    for kind in (str, bytes, list, dict, set, tuple, int, float, date, datetime, deque)
    for name in dir(kind)
    if not name.startswith("_") and callable(getattr(kind, name))
)
_FARTHEST_SWAP = 6
"""How many places lie at most between two arguments that change places: a call may have hundreds."""
_OBJECTS = (ast.Name, ast.Attribute, ast.Constant, ast.Subscript, ast.Call)
"""Arguments that can be the object of a method."""
_MAPPED = ("str", "int", "float", "len", "abs", "list", "ord", "chr", "bool", "sum", "tuple", "set")
_ITERATED = ("range", "enumerate", "reversed", "sorted", "zip", "list", "set")


def siblings(name: str) -> tuple[str, ...]:
    """The functions or methods that are easily taken for this one, the likeliest first."""
    found = [other for group in _SIBLINGS if name in group for other in group if other != name]
    return tuple(dict.fromkeys(found))


@FAMILY.operator("sibling-function", cost=1.0, on=(ast.Call,), before="min(a)", after="max(a)")
def sibling_function(node: ast.AST, site: Site) -> Iterator[Edit]:
    """A function or method becomes one that is easily taken for it: any and all, min and max, append and extend."""
    assert isinstance(node, ast.Call)
    if isinstance(node.func, ast.Name):
        for place, other in enumerate(siblings(node.func.id)):
            yield site.put(node.func, other, 0.1 * place)
        if node.func.id in _ITERATED and getattr(site.parent(node), "iter", None) is node:
            for place, other in enumerate(_ITERATED):
                if other != node.func.id and other not in siblings(node.func.id):
                    yield site.put(node.func, other, 0.2 + 0.1 * place)
    elif isinstance(node.func, ast.Attribute):
        end = site.file.span(node.func)[1]
        for place, other in enumerate(siblings(node.func.attr)):
            yield Edit((Splice(end - len(node.func.attr), end, other),), 0.1 * place)
        put = {("append", 1): "insert(0, ", ("insert", 2): "append("}.get((node.func.attr, len(node.args)))
        if put and not isinstance(node.args[0], ast.GeneratorExp):
            start = site.file.grouped_span(node.args[-1])[0]
            yield Edit((Splice(end - len(node.func.attr), start, put),), 0.2)


@FAMILY.operator("functions-exchanged", cost=1.4, on=(ast.Call,), before="min(max(a, b), c)", after="max(min(a, b), c)")
def functions_exchanged(node: ast.AST, site: Site) -> Iterator[Edit]:
    """A function and one that is called in its arguments change places."""
    assert isinstance(node, ast.Call)
    for argument in node.args:
        if isinstance(argument, ast.Call) and isinstance(node.func, ast.Name) and isinstance(argument.func, ast.Name):
            one, other = node.func, argument.func
            yield Edit((site.splice_for(one, other.id), site.splice_for(other, one.id)))


@FAMILY.operator("mapped-function", cost=1.2, on=(ast.Call,), before="a = map(b, c)", after="a = map(str, c)")
def mapped_function(node: ast.AST, site: Site) -> Iterator[Edit]:
    """What is mapped or filtered with becomes a function that is usual there."""
    assert isinstance(node, ast.Call)
    if isinstance(node.func, ast.Name) and node.func.id in ("map", "filter") and len(node.args) > 1:
        for place, name in enumerate(_MAPPED):
            if name != site.text(node.args[0]):
                yield site.put(node.args[0], name, 0.05 * place)


@FAMILY.operator("argument-swap", cost=1.0, on=(ast.Call,), before="f(a, b)", after="f(b, a)")
def argument_swap(node: ast.AST, site: Site) -> Iterator[Edit]:
    """Two arguments change places, or the object of a method and its argument."""
    assert isinstance(node, ast.Call)
    args = node.args
    values = [value for value in args if not isinstance(value, ast.Starred)]
    values += [keyword.value for keyword in node.keywords if keyword.arg]
    for i, one in enumerate(values):
        for j, other in enumerate(values[i + 1 : i + 1 + _FARTHEST_SWAP], start=i + 1):
            extra = 0.0 if j == i + 1 else 0.2
            yield Edit((site.splice_for(one, site.text(other)), site.splice_for(other, site.text(one))), extra)
    if isinstance(node.func, ast.Attribute) and len(args) == 1 and isinstance(args[0], _OBJECTS):
        owner = node.func.value
        # Nobody hands a text to a method of something named, where that text has the method and takes the other.
        extra = 0.0 if isinstance(args[0], ast.Constant) and node.func.attr == "join" else 0.5
        yield Edit((site.splice_for(owner, site.text(args[0])), site.splice_for(args[0], site.text(owner))), extra)


@FAMILY.operator("unwrap-call", cost=1.5, on=(ast.Call,), before="f(g(a))", after="f(a)")
def unwrap_call(node: ast.AST, site: Site) -> Iterator[Edit]:
    """A call gives way to its argument, a method call to its object."""
    assert isinstance(node, ast.Call)
    if isinstance(site.parent(node), ast.Expr):
        return
    if isinstance(node.func, ast.Attribute):
        yield site.put(node, site.text(node.func.value), 0.1)
    for arg in node.args:
        if isinstance(arg, ast.GeneratorExp) and len(node.args) == 1:
            continue
        if not isinstance(arg, ast.Starred):
            yield site.put(node, site.text(arg))


@FAMILY.operator("argument-dropped", cost=1.6, on=(ast.Call,), before="f(a, b)", after="f(a)")
def argument_dropped(node: ast.AST, site: Site) -> Iterator[Edit]:
    """A call loses an argument or a keyword."""
    assert isinstance(node, ast.Call)
    parts: list[ast.expr | ast.keyword] = sorted(
        [*node.args, *node.keywords], key=lambda part: (part.lineno, part.col_offset)
    )
    spans = [site.file.grouped_span(p) if isinstance(p, ast.expr) else site.file.span(p) for p in parts]
    if len(parts) == 1 and isinstance(parts[0], ast.GeneratorExp):
        return
    for index, part in enumerate(parts):
        if index:
            splice = Splice(spans[index - 1][1], spans[index][1], "")
        elif len(parts) > 1:
            splice = Splice(spans[0][0], spans[1][0], "")
        else:
            splice = Splice(*spans[0], "")
        yield Edit((splice,), 0.0 if isinstance(part, ast.keyword) else 0.1)


@FAMILY.operator("argument-added", cost=1.7, on=(ast.Call,), before="b = 1\nf(a)", after="b = 1\nf(a, b)")
def argument_added(node: ast.AST, site: Site) -> Iterator[Edit]:
    """A call gets one more argument: a variable that has a value here."""
    assert isinstance(node, ast.Call)
    names = [*site.variables(), *(() if site.function else site.vocabulary.values)]
    end = site.file.span(node)[1] - 1
    if node.keywords or (len(node.args) == 1 and isinstance(node.args[0], ast.GeneratorExp)):
        return
    if site.file.text[:end].rstrip().endswith(","):
        return
    for place, name in enumerate(names):
        if name not in ("self", "cls"):
            yield Edit((Splice(end, end, f", {name}" if node.args else name),), min(0.05 * place, 0.4))
            yield Edit((Splice(end, end, f", -{name}" if node.args else f"-{name}"),), 0.3 + min(0.05 * place, 0.4))
    phrases = [e for e in (site.scope.expressions if site.scope else ()) if len(e) <= 30][:10]
    members = [f"self.{m}" for m in site.class_members() if "self" in names and m not in site.vocabulary.methods]
    wanted = 0.0 if {"TypeError", "IndexError"} & set(site.hints.raised) else 0.4
    for argument in node.args:
        start = site.file.grouped_span(argument)[0]
        for place, value in enumerate((*members, *names, *(f"{name} + 1" for name in names[:6]), *phrases)):
            if value not in ("self", "cls", site.text(node)):
                yield Edit((Splice(start, start, f"{value}, "),), wanted + min(0.03 * place, 0.5))


@FAMILY.operator("reverse-keyword", cost=1.5, on=(ast.Call,), before="sorted(a)", after="sorted(a, reverse=True)")
def reverse_keyword(node: ast.AST, site: Site) -> Iterator[Edit]:
    """A sort gets `reverse=True`, or loses it."""
    assert isinstance(node, ast.Call)
    name = called_name(node)
    if name not in ("sorted", "sort") or any(k.arg == "reverse" for k in node.keywords):
        return
    end = site.file.span(node)[1] - 1
    if len(node.args) == 1 and isinstance(node.args[0], ast.GeneratorExp) and not node.keywords:
        inner = site.text(node.args[0])
        yield (
            site.put(node.func, site.text(node.func), 9.0)
            if not inner
            else Edit(
                (
                    Splice(end, end + 1, "), reverse=True)"),
                    Splice(site.file.span(node.args[0])[0], site.file.span(node.args[0])[0], "("),
                )
            )
        )
        return
    yield from site.with_argument(node, "reverse=True")
    for unread in (n for n in site.loose_ends.unread if n in site.variables()):
        yield from site.with_argument(node, f"reverse={unread}", 0.1)
        yield from site.with_argument(node, f"reverse=not {unread}", 0.2)


@FAMILY.operator("counted-from", cost=1.3, on=(ast.Call,), before="enumerate(a)", after="enumerate(a, start=1)")
def counted_from(node: ast.AST, site: Site) -> Iterator[Edit]:
    """Items are counted from one."""
    assert isinstance(node, ast.Call)
    if isinstance(node.func, ast.Name) and node.func.id == "enumerate" and len(node.args) == 1 and not node.keywords:
        yield from site.with_argument(node, "start=1")


@FAMILY.operator("key-keyword", cost=1.9, on=(ast.Call,), before="max(a)", after="max(a, key=len)")
def key_keyword(node: ast.AST, site: Site) -> Iterator[Edit]:
    """A sort, min or max gets a key: `len`, `abs`, `str`, or one that the file uses elsewhere."""
    assert isinstance(node, ast.Call)
    name = called_name(node)
    if name not in _ORDERED or any(isinstance(a, ast.GeneratorExp) for a in node.args):
        return
    keys = [
        *site.around.once(call_facts.keys, site.file.tree),
        "len",
        "abs",
        "str",
        "lambda x: x[0]",
        "lambda x: x[1]",
        "lambda x: -x",
    ]
    kinds = site.loose_ends.kinds
    unused = [name for name, least in unused_functions(site) if least == 1]
    keys = (
        unused
        + [f"{n}.get" if kinds.get(n) == "dict" else n for n in site.loose_ends.unread if n in site.variables()]
        + keys
    )
    present = next((k for k in node.keywords if k.arg == "key"), None)
    for key in dict.fromkeys(keys):
        if present is not None:
            yield site.put(present.value, key)
        else:
            yield from site.with_argument(node, f"key={key}")


@FAMILY.operator("in-place", cost=0.9, on=(ast.Call,), before="a = b.sort()", after="a = sorted(b)")
def in_place(node: ast.AST, site: Site) -> Iterator[Edit]:
    """The result of a method that changes its object and gives None becomes a new value, and the other way round."""
    assert isinstance(node, ast.Call)
    alone = isinstance(site.parent(node), ast.Expr)
    if isinstance(node.func, ast.Attribute) and not alone:
        owner, grouped = site.text(node.func.value), site.grouped(node.func.value, 16)
        inside = site.file.text[site.file.span(node.func)[1] + 1 : site.file.span(node)[1] - 1]
        forms = {
            "sort": (f"sorted({owner}{', ' if inside else ''}{inside})",),
            "reverse": (f"{grouped}[::-1]", f"list(reversed({owner}))"),
            "append": (f"{grouped} + [{inside}]",),
            "extend": (f"{grouped} + {inside}", f"{grouped} + list({inside})"),
            "add": (f"{grouped} | {{{inside}}}",),
            "update": (f"{grouped} | {inside}",),
        }
        for place, form in enumerate(forms.get(node.func.attr, ())):
            yield site.put(node, form, 0.1 * place)
    elif isinstance(node.func, ast.Name) and alone and node.func.id in ("sorted", "reversed") and node.args:
        rest = site.file.text[site.file.grouped_span(node.args[0])[1] : site.file.span(node)[1] - 1]
        method = "sort" if node.func.id == "sorted" else "reverse"
        yield site.put(node, f"{site.grouped(node.args[0], 16)}.{method}({rest.lstrip(', ')})")


@FAMILY.operator(
    "call-added", cost=1.2, on=(ast.Attribute, ast.Name), before="def a(): ...\nf(a)", after=("def a(): ...\nf(a())")
)
def call_added(node: ast.AST, site: Site) -> Iterator[Edit]:
    """A function or method that was named only is called."""
    parent = site.parent(node)
    if (isinstance(parent, ast.Call) and parent.func is node) or not isinstance(getattr(node, "ctx", None), ast.Load):
        return
    if isinstance(node, ast.Name) and node.id in site.vocabulary.functions:
        yield site.put(node, f"{node.id}()", 0.3)
    elif isinstance(node, ast.Attribute) and (node.attr in site.vocabulary.methods or node.attr in _BUILTIN_METHODS):
        yield site.put(node, f"{site.text(node)}()", 0.0 if node.attr in _BUILTIN_METHODS else 0.2)


@FAMILY.operator("call-dropped", cost=1.8, on=(ast.Call,), before="f(a.b())", after="f(a.b)")
def call_dropped(node: ast.AST, site: Site) -> Iterator[Edit]:
    """What was called is named only."""
    assert isinstance(node, ast.Call)
    if not node.args and not node.keywords and not isinstance(site.parent(node), ast.Expr):
        yield site.put(node, site.text(node.func))

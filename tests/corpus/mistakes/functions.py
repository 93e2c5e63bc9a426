"""Function misuse: another function or method, arguments in another order, too few of them or too many."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tests.corpus.code_text import FUNCTIONS, Code, Edit

METHODS = {
    "add": ("append", "discard"),
    "append": ("extend", "add"),
    "appendleft": ("append",),
    "capitalize": ("title", "upper"),
    "count": ("find", "index"),
    "difference": ("symmetric_difference", "intersection"),
    "discard": ("add", "remove"),
    "endswith": ("startswith",),
    "extend": ("append",),
    "find": ("rfind", "count"),
    "get": ("pop", "setdefault"),
    "index": ("count", "rindex"),
    "insert": ("append",),
    "intersection": ("union",),
    "isalnum": ("isalpha", "isdigit"),
    "isalpha": ("isalnum", "isupper"),
    "isdigit": ("isalpha", "isalnum"),
    "issubset": ("issuperset",),
    "isupper": ("islower", "isalpha"),
    "items": ("values", "keys"),
    "keys": ("values", "items"),
    "ljust": ("rjust",),
    "lower": ("upper", "strip"),
    "lstrip": ("strip", "rstrip"),
    "most_common": ("elements",),
    "partition": ("rpartition", "split"),
    "pop": ("get", "remove"),
    "popleft": ("pop",),
    "remove": ("pop", "append"),
    "replace": ("strip", "split"),
    "rjust": ("ljust", "center"),
    "rstrip": ("lstrip", "strip"),
    "setdefault": ("get",),
    "sort": ("reverse",),
    "split": ("rsplit", "partition"),
    "splitlines": ("split",),
    "startswith": ("endswith", "count"),
    "strip": ("lstrip", "rstrip", "split"),
    "title": ("capitalize", "upper"),
    "total_seconds": ("__abs__",),
    "union": ("intersection",),
    "update": ("subtract", "setdefault"),
    "upper": ("lower", "capitalize"),
    "values": ("keys", "items"),
    "weekday": ("isoweekday",),
    "zfill": ("rjust", "ljust"),
}
"""Methods and those that they are taken for."""
BUILT_IN = {
    "abs": ("int", "round"),
    "all": ("any",),
    "any": ("all",),
    "bool": ("int",),
    "chr": ("str", "ord"),
    "dict": ("list", "set"),
    "divmod": ("pow",),
    "enumerate": ("zip", "list"),
    "filter": ("map",),
    "float": ("int", "str"),
    "frozenset": ("tuple",),
    "int": ("float", "round"),
    "isinstance": ("issubclass",),
    "len": ("sum", "max"),
    "list": ("set", "sorted"),
    "map": ("filter",),
    "max": ("min", "sum"),
    "min": ("max",),
    "ord": ("int",),
    "pow": ("divmod",),
    "range": ("list", "len"),
    "reversed": ("sorted", "list"),
    "round": ("int", "float"),
    "set": ("list", "sorted"),
    "sorted": ("list", "set"),
    "str": ("repr", "len"),
    "sum": ("max", "len"),
    "tuple": ("sorted", "set"),
}
KEYWORDS = {
    "days": ("weeks", "hours"),
    "hours": ("minutes", "days"),
    "minutes": ("seconds", "hours"),
    "seconds": ("minutes", "milliseconds"),
    "weeks": ("days",),
    "year": ("month",),
    "month": ("day",),
    "day": ("hour",),
    "key": ("default",),
    "start": ("stop",),
}
MEMBERS = {"floor": "ceil", "ceil": "floor", "sqrt": "log", "isqrt": "sqrt", "gcd": "lcm", "lcm": "gcd"}
MEMBERS |= {"heappop": "heappushpop", "bisect_left": "bisect_right", "bisect_right": "bisect_left"}
MEMBERS |= {"permutations": "combinations", "combinations": "permutations", "product": "chain", "accumulate": "chain"}
MEMBERS |= {"bisect": "bisect_left", "insort": "bisect", "log2": "log", "hypot": "dist", "prod": "fsum"}
"""Functions of the standard library's modules, likewise."""
OTHER_ARGUMENTS = {
    "enumerate({})": "enumerate({}, 1)",
    "enumerate({}, 1)": "enumerate({})",
    "enumerate({}, start=1)": "enumerate({})",
    "range({})": "range(1, {})",
    "range({}, {})": "range({1})",
    "round({}, {})": "round({0})",
    "round({})": "round({}, 1)",
    "sorted({})": "sorted({}, reverse=True)",
    "sum({})": "sum({}, 1)",
    ".get({})": ".get({}, 0)",
    ".pop()": ".pop(0)",
    ".pop(0)": ".pop()",
    ".pop(-1)": ".pop(0)",
    ".split()": '.split(" ")',
    ".split({})": ".split({}, 1)",
    ".split({}, {})": ".split({0})",
    ".strip()": '.strip("\\n")',
    ".strip({})": ".strip()",
    ".sort()": ".sort(reverse=True)",
    ".join({})": ".join(sorted({}))",
    ".replace({}, {})": ".replace({0}, {1}, 1)",
    ".find({})": ".find({}, 1)",
    ".append({})": ".append([{}])",
    ".insert({}, {})": ".insert(-1, {1})",
    "int({})": "int({}, 2)",
    "int({}, {})": "int({0})",
    "zip({}, {})": "zip({0}, {1}[1:])",
}
"""Shapes of calls with arguments that change what they do."""
IN_PLACE = {"sorted({})": "{}.sort()", "reversed({})": "{}.reverse()", "list(reversed({}))": "{}.reverse()"}


def calls(code: Code) -> Iterator[ast.Call]:
    """The calls of the text."""
    return (node for node in code.nodes if isinstance(node, ast.Call))


def another_method(code: Code) -> Iterator[Edit]:
    """A method that one takes for the right one."""
    for node in calls(code):
        if isinstance(node.func, ast.Attribute):
            _, end = code.span(node.func)
            for other in METHODS.get(node.func.attr, ()):
                yield Edit(end - len(node.func.attr), end, other)


def another_function(code: Code) -> Iterator[Edit]:
    """A built-in function, or one of a module, that one takes for the right one."""
    for node in calls(code):
        if isinstance(node.func, ast.Name):
            for other in BUILT_IN.get(node.func.id, ()):
                yield code.replaced(node.func, other)
        elif isinstance(node.func, ast.Attribute) and node.func.attr in MEMBERS:
            _, end = code.span(node.func)
            yield Edit(end - len(node.func.attr), end, MEMBERS[node.func.attr])
    for reference in code.nodes:
        if isinstance(reference, ast.Name) and isinstance(code.parents[reference], ast.keyword):
            for other in BUILT_IN.get(reference.id, ()):
                yield code.replaced(reference, other)


def _own(code: Code) -> dict[ast.AST | None, list[tuple[str, int]]]:
    """The functions of the file and of each class, with how many parameters they have."""
    found: dict[ast.AST | None, list[tuple[str, int]]] = {}
    for node in code.nodes:
        if isinstance(node, FUNCTIONS) and not (node.name.startswith("__") or node.decorator_list):
            parent = code.parents[node]
            owner = parent if isinstance(parent, ast.ClassDef) else None
            count = len(node.args.args) - (owner is not None)
            if owner is not None or isinstance(parent, ast.Module):
                found.setdefault(owner, []).append((node.name, count))
    return found


def another_of_the_file(code: Code) -> Iterator[Edit]:
    """Another function of the file, another method of the class."""
    own = _own(code)
    for node in calls(code):
        function = node.func
        if isinstance(function, ast.Name):
            name, known = function.id, own.get(None, [])
        elif isinstance(function, ast.Attribute) and code.of(function.value) == "self":
            name, known = function.attr, own.get(code.class_of(node), [])
        else:
            continue
        around = code.function_of(node)
        for other, _ in known if name in [k for k, _ in known] else ():
            if other != name and (around is None or other != around.name):
                _, end = code.span(function)
                yield Edit(end - len(name), end, other)


def arguments_exchanged(code: Code) -> Iterator[Edit]:
    """Two arguments in each other's place."""
    for node in calls(code):
        spans = code.arguments(node)[: len(node.args)]
        for place, (start, left) in enumerate(spans):
            for right, end in spans[place + 1 :]:
                yield Edit(start, end, code.text[right:end] + code.text[left:right] + code.text[start:left])


def argument_forgotten(code: Code) -> Iterator[Edit]:
    """One argument left out: a key, a default, a start."""
    for node in calls(code):
        spans = code.arguments(node)
        for place, (start, end) in enumerate(spans):
            if place > 0:
                yield Edit(spans[place - 1][1], end, "")
            elif len(spans) > 1:
                yield Edit(start, spans[1][0], "")


def keyword_misused(code: Code) -> Iterator[Edit]:
    """`minutes=` for `hours=`."""
    for node in code.nodes:
        if isinstance(node, ast.keyword) and node.arg is not None:
            start, _ = code.span(node)
            for other in KEYWORDS.get(node.arg, ()):
                yield Edit(start, start + len(node.arg), other)


def receiver_exchanged(code: Code) -> Iterator[Edit]:
    """`b.f(a)` for `a.f(b)`."""
    for node in calls(code):
        if isinstance(node.func, ast.Attribute) and len(node.args) == 1 and not node.keywords:
            receiver, argument = code.span(node.func.value), code.span(node.args[0])
            if isinstance(node.args[0], ast.Name | ast.Attribute | ast.Subscript):
                middle = code.text[receiver[1] : argument[0]]
                yield Edit(receiver[0], argument[1], code.of(node.args[0]) + middle + code.of(node.func.value))


def call_forgotten(code: Code) -> Iterator[Edit]:
    """`x.upper` for `x.upper()`."""
    for node in calls(code):
        if not node.args and not node.keywords:
            yield code.replaced(node, code.of(node.func))


def _shape(code: Code, node: ast.Call, shapes: dict[str, str]) -> Iterator[Edit]:
    spans = code.arguments(node)
    if len(spans) != len(node.args) + len(node.keywords):
        return
    if isinstance(node.func, ast.Attribute):
        end = code.span(node.func)[1]
        start, name = end - len(node.func.attr) - 1, f".{node.func.attr}"
    elif isinstance(node.func, ast.Name):
        start, name = code.span(node.func)[0], node.func.id
    else:
        return
    texts = [code.text[slice(*span)] for span in spans]
    for shape, other in shapes.items():
        head, _, rest = shape.partition("(")
        wanted = rest[:-1].split(", ") if rest != ")" else []
        if head != name or len(wanted) != len(texts):
            continue
        if all(want in ("{}", text) for want, text in zip(wanted, texts, strict=True)):
            fitting = [text for want, text in zip(wanted, texts, strict=True) if want == "{}"]
            yield Edit(start, code.span(node)[1], other.format(*fitting))


def arguments_misunderstood(code: Code) -> Iterator[Edit]:
    """`pop(0)` for `pop()`, `split(" ")` for `split()`."""
    for node in calls(code):
        yield from _shape(code, node, OTHER_ARGUMENTS)


def made_in_place(code: Code) -> Iterator[Edit]:
    """`x.sort()`, which answers with nothing, for `sorted(x)`."""
    for node in calls(code):
        if node.args and isinstance(node.args[0], ast.Name | ast.Attribute):
            yield from _shape(code, node, IN_PLACE)


MAKERS = (
    another_method,
    another_function,
    another_of_the_file,
    arguments_exchanged,
    argument_forgotten,
    keyword_misused,
    receiver_exchanged,
    call_forgotten,
    arguments_misunderstood,
    made_in_place,
)

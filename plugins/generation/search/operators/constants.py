"""Constants: numbers, truth values, strings, None."""

from __future__ import annotations

import ast
import difflib
import itertools
import json
from collections.abc import Iterator

from treadle.plugins.generation.search.operators.operator import Family
from treadle.plugins.generation.search.operators.site import Site
from treadle.plugins.generation.search.source import Edit

FAMILY = Family()

_SHORT_TEXT, _MOST_TEXTS = 16, 10
"""Characters of a string of a failing test that may stand for any other, and how many of them are tried."""

_OF_MODULES = {
    "math": ("pi", "inf", "e"),
    "string": ("ascii_lowercase", "ascii_uppercase", "ascii_letters", "digits", "punctuation"),
    "sys": ("maxsize",),
}


def _number(node: ast.AST) -> int | float | None:
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float) and not isinstance(node.value, bool):
        return node.value
    return None


def _in_formatted_string(site: Site) -> bool:
    return isinstance(site.parent(site.node), ast.JoinedStr)


@FAMILY.operator("integer-step", cost=0.9, on=(ast.Constant,), before="f(3)", after="f(2)")
def integer_step(node: ast.AST, site: Site) -> Iterator[Edit]:
    """A whole number grows or shrinks by one."""
    value = _number(node)
    if not isinstance(value, int):
        return
    yield site.put(node, str(value + 1))
    parent = site.parent(node)
    if value == 1 and isinstance(parent, ast.Slice) and node is parent.lower:
        return  # a slice from zero on is no slice: that it is dropped says so
    added = isinstance(parent, ast.BinOp) and isinstance(parent.op, ast.Add | ast.Sub) and node is parent.right
    if value == 1 and added:
        assert isinstance(parent, ast.BinOp)
        yield site.put(parent, site.text(parent.left))
    else:
        yield site.put(node, str(value - 1), 0.0 if value else 0.1)


@FAMILY.operator("boolean-constant", cost=0.9, on=(ast.Constant,), before="return True", after="return False")
def boolean_constant(node: ast.AST, site: Site) -> Iterator[Edit]:
    """True becomes False and the other way round."""
    assert isinstance(node, ast.Constant)
    if isinstance(node.value, bool):
        yield site.put(node, str(not node.value))


@FAMILY.operator("number-other", cost=1.5, on=(ast.Constant,), before="f(3)\ng(7)", after="f(7)\ng(7)")
def number_other(node: ast.AST, site: Site) -> Iterator[Edit]:
    """A number becomes another of the file, a usual one, or a power of ten apart."""
    value = _number(node)
    if value is None:
        return
    near: list[int | float] = []
    if isinstance(value, int):
        near = [-value, value * 2, value // 2, value + 2, value - 2]
        near += [by for unit in (10, 100, 60, 1000, 24, 7, 12) for by in (value * unit, value // unit)]
    else:
        near = [-value, value * 10, value / 10, value * 2, value / 2, 1 - value]
    seen = {value}
    for other in (0, 1, -1, 2, 10, *site.vocabulary.numbers, *near):
        if other not in seen and not (isinstance(value, int) and abs(other - value) == 1):
            seen.add(other)
            yield site.put(node, repr(other), 0.0 if other in (0, 1, -1) else 0.3)


@FAMILY.operator("string-other", cost=1.7, on=(ast.Constant,), before="f('a')\ng('b')", after="f('b')\ng('b')")
def string_other(node: ast.AST, site: Site) -> Iterator[Edit]:
    """A string changes its case, becomes another of the file, empty or a space."""
    assert isinstance(node, ast.Constant)
    value = node.value
    if not isinstance(value, str) or _in_formatted_string(site) or isinstance(site.parent(node), ast.Expr):
        return
    quote = site.text(node).lstrip("rRbBuU")[:1]
    others = [value.lower(), value.upper(), value.capitalize(), value.strip(), value + " ", " " + value]
    own = [*site.vocabulary.strings]
    common = ["", " ", ",", ", ", "\n", "0", "-", "_", ".", "/"] if len(value) <= 3 else [""]
    seen = {value}
    for extra, group in ((0.0, others), (0.1, own), (0.4, common)):
        for other in group:
            if other not in seen:
                seen.add(other)
                yield site.put(node, _quoted(other, quote), extra)


@FAMILY.operator(
    "string-of-test", cost=0.9, on=(ast.Constant,), before="f('sum')\ng('sum is')", after="f('sum')\ng('sum')"
)
def string_of_test(node: ast.AST, site: Site) -> Iterator[Edit]:
    """A string becomes one of a failing test or of the file: one nearly the same, or another short one."""
    assert isinstance(node, ast.Constant)
    value = node.value
    if not isinstance(value, str) or _in_formatted_string(site) or isinstance(site.parent(node), ast.Expr):
        return
    quote = site.text(node).lstrip("rRbBuU")[:1]
    others = dict.fromkeys((*site.hints.texts, *site.vocabulary.strings))
    close = difflib.get_close_matches(value, [o for o in others if o != value], n=3, cutoff=0.6)
    for place, other in enumerate(close):
        yield site.put(node, _quoted(other, quote), 0.1 * place)
    short = [text for text in site.hints.texts if text not in close and text != value and len(text) <= _SHORT_TEXT]
    for place, other in enumerate(short[:_MOST_TEXTS] if len(value) <= _SHORT_TEXT else ()):
        yield site.put(node, _quoted(other, quote), 0.8 + 0.05 * place)


@FAMILY.operator("string-character", cost=2.1, on=(ast.Constant,), before="f('%x')", after="f('x')")
def string_character(node: ast.AST, site: Site) -> Iterator[Edit]:
    """A short string loses one character, or two neighbours of it change places."""
    assert isinstance(node, ast.Constant)
    value = node.value
    if not isinstance(value, str) or _in_formatted_string(site) or isinstance(site.parent(node), ast.Expr):
        return
    if 2 <= len(value) <= 24:
        quote = site.text(node).lstrip("rRbBuU")[:1]
        for index in range(len(value)):
            yield site.put(node, _quoted(value[:index] + value[index + 1 :], quote))
        for index in range(len(value) - 1):
            swapped = value[:index] + value[index + 1] + value[index] + value[index + 2 :]
            yield site.put(node, _quoted(swapped, quote), 0.2)


@FAMILY.operator("constant-to-variable", cost=1.5, on=(ast.Constant,), before="n = 3\nf(1)", after="n = 3\nf(n)")
def constant_to_variable(node: ast.AST, site: Site) -> Iterator[Edit]:
    """A constant becomes a variable that has a value here."""
    assert isinstance(node, ast.Constant)
    if isinstance(site.parent(node), ast.Expr | ast.JoinedStr | ast.FormattedValue) or node.value is Ellipsis:
        return
    for place, name in enumerate(site.variables()):
        yield site.put(node, name, min(0.05 * place, 0.5))
    for name in site.vocabulary.values:
        yield site.put(node, name, 0.4)


@FAMILY.operator(
    "constant-of-module",
    cost=1.6,
    on=(ast.Name, ast.Attribute, ast.Constant),
    before="import math\na = 1\nf(a * a)",
    after="import math\na = 1\nf(math.pi * a)",
)
def constant_of_module(node: ast.AST, site: Site) -> Iterator[Edit]:
    """A value becomes a constant of a module of the standard library that the file imports."""
    assert isinstance(node, ast.expr)
    parent = site.parent(node)
    takes_values = isinstance(parent, ast.Call | ast.BinOp | ast.Compare | ast.Assign | ast.Return)
    is_called = isinstance(parent, ast.Call) and parent.func is node
    if not takes_values or is_called or not isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
        return
    for module, names in _OF_MODULES.items():
        for place, name in enumerate(names if module in site.vocabulary.imported else ()):
            if f"{module}.{name}" != site.text(node):
                yield site.put(node, f"{module}.{name}", 0.1 * place)


@FAMILY.operator("empty-value", cost=1.9, on=(ast.Constant,), before="return None", after="return []")
def empty_value(node: ast.AST, site: Site) -> Iterator[Edit]:
    """None, zero and empty become one another."""
    assert isinstance(node, ast.Constant)
    if node.value is None or node.value is False or node.value == 0 or node.value == "":
        for other in ("None", "0", "[]", '""', "False", "{}", "True", "1", "()", 'float("inf")', 'float("-inf")'):
            yield site.put(node, other)


@FAMILY.operator("empty-collection", cost=1.7, on=(ast.List, ast.Dict, ast.Call), before="a = []", after="a = {}")
def empty_collection(node: ast.AST, site: Site) -> Iterator[Edit]:
    """An empty collection becomes one of another kind."""
    empty = (isinstance(node, ast.List) and not node.elts) or (isinstance(node, ast.Dict) and not node.keys)
    if isinstance(node, ast.Call):
        empty = isinstance(node.func, ast.Name) and node.func.id in ("list", "dict", "set", "tuple") and not node.args
        empty = empty and not node.keywords
    if empty and isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
        for other in ("[]", "{}", "set()", "()", "0", '""', "None"):
            yield site.put(node, other)


@FAMILY.operator("unboxed", cost=1.2, on=(ast.List, ast.Tuple, ast.Set), before="f([a])", after="f(a)")
def unboxed(node: ast.AST, site: Site) -> Iterator[Edit]:
    """A display of one element gives way to the element."""
    assert isinstance(node, ast.List | ast.Tuple | ast.Set)
    single = len(node.elts) == 1 and not isinstance(node.elts[0], ast.Starred)
    if single and isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
        yield site.put(node, site.text(node.elts[0]))


@FAMILY.operator("collection-element", cost=1.9, on=(ast.List, ast.Tuple, ast.Set), before="f([0, 1])", after="f([1])")
def collection_element(node: ast.AST, site: Site) -> Iterator[Edit]:
    """A display loses an element, or two neighbours of it change places."""
    assert isinstance(node, ast.List | ast.Tuple | ast.Set)
    elements = node.elts
    least = 2 if isinstance(node, ast.Tuple) else 1
    if not least <= len(elements) <= 12 or isinstance(getattr(node, "ctx", None), ast.Store | ast.Del):
        return
    texts = [site.text(e) for e in elements]
    for a, b in itertools.pairwise(elements):
        yield Edit((site.splice_for(a, site.text(b)), site.splice_for(b, site.text(a))))
    brackets: dict[type[ast.expr], str] = {ast.List: "[]", ast.Tuple: "()", ast.Set: "{}"}
    opening, closing = brackets[type(node)][0], brackets[type(node)][1]
    for index in range(len(texts)):
        rest = texts[:index] + texts[index + 1 :]
        if not rest and isinstance(node, ast.Set):
            continue
        comma = "," if len(rest) == 1 and isinstance(node, ast.Tuple) else ""
        yield site.put(node, f"{opening}{', '.join(rest)}{comma}{closing}", 0.2)


def _quoted(value: str, quote: str) -> str:
    text = json.dumps(value, ensure_ascii=False)
    if quote == "'":
        return "'" + text[1:-1].replace('\\"', '"').replace("'", "\\'") + "'"
    return text

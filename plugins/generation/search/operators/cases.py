"""Cases that are told apart by a value: one more of them, for a value that failing tests speak of."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from treadle.plugins.generation.search import facts
from treadle.plugins.generation.search.operators.operator import Family
from treadle.plugins.generation.search.operators.site import Site
from treadle.plugins.generation.search.source import Edit, Splice

FAMILY = Family()

_SIGNS = ("+", "-", "*", "/", "//", "%", "**")
_OPPOSITE = {"+": ("-",), "-": ("+",), "*": ("/",), "/": ("*",)}
_LONGEST_VALUE, _MOST_VALUES = 8, 4


@FAMILY.operator(
    "case-added",
    cost=1.5,
    on=(ast.If,),
    before='def f(a, b, c):\n    if a == "+":\n        c += b\n    return c',
    after='def f(a, b, c):\n    if a == "+":\n        c += b\n    elif a == "-":\n        c -= b\n    return c',
)
def case_added(node: ast.AST, site: Site) -> Iterator[Edit]:
    """A case like another one is added, for a text that failing tests speak of, or the opposite of a sign."""
    assert isinstance(node, ast.If)
    test, body = node.test, node.body
    if site.function is None or not isinstance(test, ast.Compare) or not isinstance(test.ops[0], ast.Eq):
        return
    known, lines = test.comparators[0], site.own_lines(body[-1])
    if not isinstance(known, ast.Constant) or not isinstance(known.value, str) or lines is None or len(body) > 1:
        return
    statement, asked = body[0], site.text(test.left)
    if not isinstance(statement, facts.SIMPLE) or "\n" in site.text(statement) or statement.lineno == node.lineno:
        return
    own = {text[1:-1] for text in site.around.once(facts.strings, site.function)}
    spoken = [text for text in site.hints.texts if 0 < len(text) <= _LONGEST_VALUE and text.isprintable()]
    values = [text for text in dict.fromkeys((*spoken, *_OPPOSITE.get(known.value, ()))) if text not in own]
    indent, inner, newline = site.indent_of(node), site.indent_of(statement), site.file.newline
    for place, value in enumerate(values[:_MOST_VALUES]):
        for more, done in enumerate(_done_otherwise(site.text(statement), known.value, value)):
            text = f'{indent}elif {asked} == "{value}":{newline}{inner}{done}{newline}'
            if '"' not in value and "\\" not in value and site.file.text[: lines[1]].endswith(newline):
                yield Edit((Splice(lines[1], lines[1], text),), 0.1 * place + 0.05 * more)


def _done_otherwise(statement: str, known: str, value: str) -> Iterator[str]:
    """What may be done in the other case: the same with the sign that the value is, or with another sign."""
    own = next((sign for sign in (f" {known}= ", f" {known} ") if known in _SIGNS and sign in statement), "")
    if own and value in _SIGNS:
        yield statement.replace(own, own.replace(known, value), 1)
        return
    signs = {" += ": (" -= ", " *= "), " -= ": (" += ",), " + ": (" - ", " * "), " - ": (" + ",)}
    for sign, others in signs.items():
        if sign in statement:
            yield from (statement.replace(sign, other, 1) for other in others)

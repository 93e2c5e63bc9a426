"""What a function takes and what it gives, brought into the form that it should have."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from treadle.plugins.generation.search.loose_ends import kind_of
from treadle.plugins.generation.search.operators.operator import Family
from treadle.plugins.generation.search.operators.site import Site
from treadle.plugins.generation.search.source import Edit

FAMILY = Family()

_PREPARED = {
    "number": ("abs({})", "int({})", "str({})", "round({})"),
    "text": ("{}.lower()", "{}.strip()", "{}.upper()", "{}.split()", "list({})", "{}[::-1]"),
    "list": ("sorted({})", "list({})", "set({})", "{}[::-1]", "[n for n in {} if n]", "list(dict.fromkeys({}))"),
    "set": ("set({})", "sorted({})"),
    "dict": ("dict({})",),
}
_GIVEN = {
    "text": (
        '"".join({})',
        "str({})",
        '" ".join({})',
        '"".join(map(str, {}))',
        '"".join(sorted({}))',
        '", ".join({})',
        "bin({})",
    ),
    "number": ("len({})", "sum({})", "int({})", "abs({})", "max({})", "min({})", "float({})"),
    "list": ("list({})", "sorted({})", "[{}]", "{}.split()", "list(set({}))", "sorted(set({}))"),
    "tuple": ("tuple({})", "tuple(sorted({}))", "({},)"),
    "set": ("set({})",),
    "dict": ("dict({})",),
    "truth": ("bool({})", "{0} == int({0})", "{} == 0", "{} > 0", "{} % 2 == 0", "any({})", "all({})"),
}


@FAMILY.operator(
    "parameter-prepared",
    cost=2.0,
    on=(ast.stmt,),
    before="def f(a: int):\n    g(a)",
    after="def f(a: int):\n    a = abs(a)\n    g(a)",
)
def parameter_prepared(node: ast.AST, site: Site) -> Iterator[Edit]:
    """A function begins with a parameter in another form: a number without its sign, a text in lower case, sorted."""
    assert isinstance(node, ast.stmt)
    if site.function is None or node is not site.first_statement:
        return
    for name in site.scope.parameters if site.scope else ():
        if name not in ("self", "cls"):
            yield from _in_another_form(name, node, site)


@FAMILY.operator(
    "item-prepared",
    cost=1.9,
    on=(ast.For,),
    before="for a in b.splitlines():\n    g(a)",
    after="for a in b.splitlines():\n    a = a.strip()\n    g(a)",
)
def item_prepared(node: ast.AST, site: Site) -> Iterator[Edit]:
    """A turn of a loop begins with its item in another form: a text without the space around it, in lower case."""
    assert isinstance(node, ast.For)
    if isinstance(node.target, ast.Name):
        yield from _in_another_form(node.target.id, node.body[0], site)


def _in_another_form(name: str, before: ast.stmt, site: Site) -> Iterator[Edit]:
    kind = site.loose_ends.kinds.get(name, "")
    forms = _PREPARED[kind] if kind in _PREPARED else [form for forms in _PREPARED.values() for form in forms[:3]]
    for place, form in enumerate(dict.fromkeys(forms)):
        if edit := site.insert_before(before, (f"{name} = {form.format(name)}",), 0.05 * place):
            yield edit


@FAMILY.operator(
    "given-as-tests-expect",
    cost=1.2,
    on=(ast.Return,),
    before="def f(a):\n    return [b for b in a]",
    after='def f(a):\n    return "".join([b for b in a])',
)
def given_as_tests_expect(node: ast.AST, site: Site) -> Iterator[Edit]:
    """What is returned becomes what the failing tests compare it with: a text, a number, a list, a truth value."""
    assert isinstance(node, ast.Return)
    if node.value is None or site.function is None:
        return
    given = kind_of(node.value, site.loose_ends.kinds)
    wanted = site.hints.compared.get(site.function.name, frozenset())
    for kind in sorted(wanted) or ["text"]:
        later = 0.0 if wanted and given != kind else 0.8
        for place, form in enumerate(_GIVEN.get(kind, ())):
            level = 17 if form.startswith("{}.") else 12 if form.startswith("{") else 1
            text = site.grouped(node.value, level)
            yield site.put(node.value, form.format(text), later + 0.06 * place)

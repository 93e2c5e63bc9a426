"""Whole expressions: to a variable, to another expression of the file ("plastic surgery")."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from treadle.plugins.generation.search.operators.operator import Family
from treadle.plugins.generation.search.operators.site import Site
from treadle.plugins.generation.search.source import Edit

FAMILY = Family()

_EXPRESSIONS = (ast.Call, ast.BinOp, ast.Subscript, ast.Attribute, ast.Compare, ast.BoolOp)


def _replaceable(node: ast.AST, site: Site) -> bool:
    parent = site.parent(node)
    if (isinstance(parent, ast.Call) and parent.func is node) or isinstance(parent, ast.Attribute | ast.Expr):
        return False
    return isinstance(getattr(node, "ctx", ast.Load()), ast.Load)


@FAMILY.operator("expression-to-variable", cost=1.7, on=_EXPRESSIONS, before="a = 1\nf(g(b))", after="a = 1\nf(a)")
def expression_to_variable(node: ast.AST, site: Site) -> Iterator[Edit]:
    """An expression becomes a variable that has a value here."""
    if not _replaceable(node, site):
        return
    names = [*site.variables(), *(() if site.function else site.vocabulary.values)]
    for place, name in enumerate(names):
        if name not in ("self", "cls"):
            yield site.put(node, name, min(0.04 * place, 0.4))


@FAMILY.operator(
    "expression-of-file",
    cost=2.4,
    on=(*_EXPRESSIONS, ast.Name, ast.Constant),
    before=("f(a + 1)\ng(b)"),
    after="f(a + 1)\ng(a + 1)",
)
def expression_of_file(node: ast.AST, site: Site) -> Iterator[Edit]:
    """An expression becomes another one of the same function, or of the file."""
    if not _replaceable(node, site) or isinstance(site.parent(node), ast.JoinedStr | ast.FormattedValue):
        return
    text = site.text(node)
    own = site.scope.expressions if site.scope else ()
    others = [e for e in site.vocabulary.expressions if e not in own][:30]
    for expressions, extra in ((own, 0.0), (others, 0.4)):
        for expression in expressions:
            if expression != text:
                yield site.put(node, expression, extra)

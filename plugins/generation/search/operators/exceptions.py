"""Exceptions: what is raised, what is caught."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from treadle.plugins.generation.search import facts
from treadle.plugins.generation.search.operators.operator import Family
from treadle.plugins.generation.search.operators.site import Site
from treadle.plugins.generation.search.source import Edit, Splice

FAMILY = Family()

_COMMON = (
    "ValueError",
    "TypeError",
    "KeyError",
    "IndexError",
    "AttributeError",
    "ZeroDivisionError",
    "LookupError",
    "RuntimeError",
    "NotImplementedError",
    "StopIteration",
    "OSError",
    "Exception",
)


@FAMILY.operator(
    "exception-kind",
    cost=1.3,
    on=(ast.ExceptHandler, ast.Raise),
    before="raise KeyError(a)",
    after=("raise ValueError(a)"),
)
def exception_kind(node: ast.AST, site: Site) -> Iterator[Edit]:
    """Another kind of exception is raised or caught: one of the file's own or a usual one."""
    if isinstance(node, ast.ExceptHandler):
        target = node.type
    else:
        assert isinstance(node, ast.Raise)
        target = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
    if not isinstance(target, ast.Name):
        return
    own = [c for c in site.vocabulary.classes if c.endswith(("Error", "Exception"))]
    used = [n for n in site.around.once(facts.names_in, site.file.tree) if n.endswith(("Error", "Exception"))]
    imported = [n for n in site.vocabulary.imported if n.endswith(("Error", "Exception"))]
    for place, name in enumerate(dict.fromkeys([*own, *used, *imported, *_COMMON])):
        if name != target.id:
            yield site.put(target, name, min(0.04 * place, 0.4))


@FAMILY.operator(
    "exception-widened",
    cost=1.7,
    on=(ast.ExceptHandler,),
    before=("try:\n    f()\nexcept KeyError:\n    g()"),
    after="try:\n    f()\nexcept (KeyError, ValueError):\n    g()",
)
def exception_widened(node: ast.AST, site: Site) -> Iterator[Edit]:
    """A handler catches one more kind of exception."""
    assert isinstance(node, ast.ExceptHandler)
    if isinstance(node.type, ast.Name):
        for name in _COMMON:
            if name != node.type.id:
                yield site.put(node.type, f"({node.type.id}, {name})")
    elif isinstance(node.type, ast.Tuple):
        for name in _COMMON:
            end = site.file.span(node.type)[1] - 1
            yield Edit((Splice(end, end, f", {name}"),))


@FAMILY.operator(
    "raise-return",
    cost=1.2,
    on=(ast.Raise, ast.Return),
    before=("def f():\n    return ValueError(a)"),
    after="def f():\n    raise ValueError(a)",
)
def raise_return(node: ast.AST, site: Site) -> Iterator[Edit]:
    """An exception that was returned is raised; a raise gives way to a return."""
    start, end = site.file.span(node)
    if isinstance(node, ast.Return):
        call = node.value.func if isinstance(node.value, ast.Call) else None
        if isinstance(call, ast.Name) and call.id.endswith(("Error", "Exception")):
            yield Edit((Splice(start, start + 6, "raise"),))
    elif site.function is not None:
        for place, value in enumerate(("", " None", " False", " []", " 0", ' ""')):
            yield Edit((Splice(start, end, f"return{value}"),), 0.8 + 0.05 * place)

"""Statements that come in twos, of which one is there: the way back, the other end."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from treadle.plugins.generation.search import facts
from treadle.plugins.generation.search.operators.operator import Family
from treadle.plugins.generation.search.operators.site import Site
from treadle.plugins.generation.search.source import Edit

FAMILY = Family()

_STEP = re.compile(r" ([+-]) (?=1\b)")
_OPPOSITE = {"+": "-", "-": "+"}


@FAMILY.operator(
    "twin-beside",
    cost=1.4,
    on=(ast.Expr, ast.AugAssign),
    before="def f(a, b):\n    while a < b:\n        a += 1",
    after="def f(a, b):\n    while a < b:\n        a += 1\n        b -= 1",
)
def twin_beside(node: ast.AST, site: Site) -> Iterator[Edit]:
    """Beside a step that a loop or a call takes comes its twin: the step back, or that of what it is compared with."""
    assert isinstance(node, ast.Expr | ast.AugAssign)
    text = site.text(node)
    if site.function is None or "\n" in text:
        return
    known = site.around.once(facts.simple_statements, site.function)
    for place, twin in enumerate(dict.fromkeys(_twins(node, text, site))):
        if twin not in known and (edit := site.insert_after(node, (twin,), 0.1 * place)):
            yield edit


def _twins(node: ast.Expr | ast.AugAssign, text: str, site: Site) -> Iterator[str]:
    if isinstance(node, ast.Expr):
        if isinstance(node.value, ast.Call) and len(_STEP.findall(text)) == 1:
            yield _STEP.sub(lambda sign: f" {_OPPOSITE[sign[1]]} ", text)
        return
    loop = next((a for a in site.file.ancestors(node) if isinstance(a, ast.While)), None)
    if loop is None or not isinstance(node.target, ast.Name):
        return
    step = text[len(node.target.id) :]
    turned = step.replace("+=", "-=", 1) if "+=" in step else step.replace("-=", "+=", 1)
    for name in site.around.once(facts.names_in, loop.test):
        if name != node.target.id and name in site.variables():
            yield f"{name}{turned}"
            yield f"{name}{step}"

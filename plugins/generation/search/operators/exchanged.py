"""What has been taken for something else throughout a statement: names in each other's places, one name for another."""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Iterator

from treadle.plugins.generation.search import facts
from treadle.plugins.generation.search.operators.operator import Family
from treadle.plugins.generation.search.operators.site import Site
from treadle.plugins.generation.search.scope import comprehension_names
from treadle.plugins.generation.search.source import Edit

FAMILY = Family()

_SIMPLE = (ast.Expr, ast.Assign, ast.AugAssign, ast.Return)
_MOST_NAMES = 5
_MOST_OTHERS = 8
_LONG = 60


@FAMILY.operator(
    "names-exchanged",
    cost=1.3,
    on=(*_SIMPLE, ast.DictComp),
    before="def f(a, b, c):\n    a[c] = b",
    after="def f(a, b, c):\n    a[b] = c",
)
def names_exchanged(node: ast.AST, site: Site) -> Iterator[Edit]:
    """Two variables of a statement, or the key and the value of a comprehension, take each other's places in it."""
    if isinstance(node, ast.DictComp):
        yield Edit((site.splice_for(node.key, site.text(node.value)), site.splice_for(node.value, site.text(node.key))))
        return
    assert isinstance(node, ast.stmt)
    found = _read_in(node, site)
    for one, other in itertools.combinations(list(found)[:_MOST_NAMES], 2):
        if not {_role(place, site) for place in found[one]} & {_role(place, site) for place in found[other]}:
            continue
        splices = [site.splice_for(place, other) for place in found[one]]
        splices += [site.splice_for(place, one) for place in found[other]]
        yield Edit(tuple(splices))


@FAMILY.operator(
    "variable-throughout",
    cost=1.4,
    on=(*_SIMPLE, ast.If, ast.While),
    before="def f(a, b):\n    return a == a[::-1]",
    after="def f(a, b):\n    return b == b[::-1]",
)
def variable_throughout(node: ast.AST, site: Site) -> Iterator[Edit]:
    """A variable that a statement reads more than once becomes another one in all these places."""
    assert isinstance(node, ast.stmt)
    for name, places in _read_in(node, site).items():
        others = [other for other in site.variables() if other not in (name, "self", "cls", "_")]
        for place, other in enumerate(others[:_MOST_OTHERS] if len(places) > 1 else ()):
            yield Edit(tuple(site.splice_for(each, other) for each in places), min(0.03 * place, 0.3))


@FAMILY.operator(
    "operand-alike",
    cost=1.5,
    on=(ast.If, ast.While, ast.Return),
    before="def f(a, b):\n    if a < 0:\n        g(b)",
    after="def f(a, b):\n    if a < 0 or b < 0:\n        g(b)",
)
def operand_alike(node: ast.AST, site: Site) -> Iterator[Edit]:
    """A condition asks the same of another variable as well, or of two of its variables the other way round."""
    test: ast.expr | None = getattr(node, "value" if isinstance(node, ast.Return) else "test", None)
    if test is None or len(site.text(test)) > _LONG:
        return
    operands = test.values if isinstance(test, ast.BoolOp) else [test]
    if not all(isinstance(operand, ast.Compare) for operand in operands):
        return
    words = ("or", "and") if not isinstance(test, ast.BoolOp) else ("or",) if isinstance(test.op, ast.Or) else ("and",)
    asked = {site.text(operand) for operand in operands}
    alike = dict.fromkeys(text for operand in operands[-3:] for text in _alike(operand, site) if text not in asked)
    for place, text in enumerate(alike):
        for more, word in enumerate(words):
            new = f"{site.text(test)} {word} {text}"
            yield site.put(test, new, min(0.04 * place, 0.4) + (0.1 * more if len(words) > 1 else 0.0))


def _alike(operand: ast.expr, site: Site) -> Iterator[str]:
    """The same asked of other variables."""
    text, names = site.text(operand), list(facts.names_in(site.file, operand))
    known = [name for name in site.variables() if name not in ("self", "cls", "_")][:_MOST_OTHERS]
    own = [name for name in names if name in known][:3]
    for one, other in itertools.combinations(own, 2):
        yield re.sub(rf"\b(?:{one}|{other})\b", lambda found, a=one, b=other: b if found[0] == a else a, text)  # type: ignore[misc]
    kinds = site.loose_ends.kinds
    for one in own:
        for other in known:
            if other not in names and kinds.get(other, "") in ("", kinds.get(one, "")):
                yield re.sub(rf"\b{one}\b", other, text)


def _read_in(node: ast.stmt, site: Site) -> dict[str, list[ast.Name]]:
    """The variables that the statement itself reads, each with its places."""
    known = {*site.variables()} - {"self", "cls"}
    found: dict[str, list[ast.Name]] = {}
    for name in site.around.once(facts.names_read_by, node):
        if name.id in known and name.id not in comprehension_names(site.file, name):
            found.setdefault(name.id, []).append(name)
    return found


def _role(name: ast.Name, site: Site) -> str:
    """What the variable is used for: what something is looked up in is seldom taken for a plain value."""
    parent = site.parent(name)
    if isinstance(parent, ast.Subscript) and parent.value is name:
        return "looked into"
    return "asked" if isinstance(parent, ast.Attribute) else "value"

"""Arguments that a call may have and lacks, or has and that are others: keywords, what is optional, keys of a sort."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from treadle.plugins.generation.search import facts
from treadle.plugins.generation.search.operators.operator import Family
from treadle.plugins.generation.search.operators.site import Site
from treadle.plugins.generation.search.source import Edit, Splice

FAMILY = Family()

_OPTIONAL = {
    "round": (1, ("2", "1", "3", "4")),
    "int": (1, ("2", "16")),
    "pop": (0, ("0", "-1")),
    "get": (1, ("0", "[]", '""', "1")),
    "sum": (1, ("[]",)),
    "split": (0, ('" "', '","')),
    **dict.fromkeys(("strip", "lstrip", "rstrip"), (0, ())),
}
"""How many arguments functions and methods have that may take one more, and what that mostly is."""
_SECOND_KEYS = ("{0}", "-{0}", "{0}[0]", "{0}[1]", "-{0}[1]", "len({0})")
_OF_TEXTS = frozenset({"split", "strip", "lstrip", "rstrip"})
_SHORT = len("'ab'")


def _called(node: ast.Call) -> str:
    return node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")


@FAMILY.operator("optional-argument", cost=1.5, on=(ast.Call,), before="round(a)", after="round(a, 2)")
def optional_argument(node: ast.AST, site: Site) -> Iterator[Edit]:
    """A call gets an argument that may be left out: the digits to round to, what to pop, a default."""
    assert isinstance(node, ast.Call)
    count, values = _OPTIONAL.get(_called(node), (-1, ()))
    if _called(node) in ("split", "rsplit") and len(node.args) == 1:
        count, values = 1, ("1",)
    if len(node.args) != count or node.keywords:
        return
    takes_text = _called(node) in _OF_TEXTS and not node.args
    own = site.around.once(facts.strings, site.function) if site.function and takes_text else ()
    for place, value in enumerate(dict.fromkeys((*values, *(text for text in own if len(text) <= _SHORT)))):
        yield from site.with_argument(node, value, 0.1 * place)


@FAMILY.operator(
    "keyword-passed-on",
    cost=1.1,
    on=(ast.Call,),
    before="def f(a, b=0): ...\ndef g(a, b):\n    f(a)",
    after="def f(a, b=0): ...\ndef g(a, b):\n    f(a, b=b)",
)
def keyword_passed_on(node: ast.AST, site: Site) -> Iterator[Edit]:
    """A call hands on a variable to the parameter of that name as well, or a keyword names another parameter."""
    assert isinstance(node, ast.Call)
    if not isinstance(node.func, ast.Name):
        return
    parameters = site.around.once(facts.parameters_of, site.file.tree).get(node.func.id, ())
    given = {k.arg for k in node.keywords}
    free = [name for name in parameters[len(node.args) :] if name not in given]
    known = {*site.variables()}
    for name in free:
        if name in known and node.args and not isinstance(node.args[-1], ast.Starred):
            yield from site.with_argument(node, f"{name}={name}")
        for keyword in node.keywords:
            if keyword.arg:
                start = site.file.span(keyword)[0]
                yield Edit((Splice(start, start + len(keyword.arg), name),), 0.2)


@FAMILY.operator(
    "second-key",
    cost=1.5,
    on=(ast.Lambda,),
    before="a.sort(key=lambda b: b[1])",
    after="a.sort(key=lambda b: (b[1], b[0]))",
)
def second_key(node: ast.AST, site: Site) -> Iterator[Edit]:
    """What is equal by the key of a sort is sorted by a second one, or the key changes its sign."""
    assert isinstance(node, ast.Lambda)
    names, body = [argument.arg for argument in node.args.args], site.text(node.body)
    parent = site.parent(node)
    if len(names) != 1 or not isinstance(parent, ast.keyword) or parent.arg != "key":
        return
    if isinstance(node.body, ast.Tuple):
        return
    for place, form in enumerate(_SECOND_KEYS):
        if (other := form.format(names[0])) not in (body, f"-{body}"):
            yield site.put(node.body, f"({body}, {other})", 0.05 * place)
    yield site.put(node.body, f"-{site.grouped(node.body, 14)}", 0.1)

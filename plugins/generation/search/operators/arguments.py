"""Arguments that a call may have and lacks, or has and that are others: keywords, what is optional, keys of a sort."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from treadle.plugins.generation.search import call_facts, facts, library
from treadle.plugins.generation.search.operators.operator import Family
from treadle.plugins.generation.search.operators.site import Site
from treadle.plugins.generation.search.scope import called_name, is_self
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


@FAMILY.operator("optional-argument", cost=1.5, on=(ast.Call,), before="round(a)", after="round(a, 2)")
def optional_argument(node: ast.AST, site: Site) -> Iterator[Edit]:
    """A call gets an argument that may be left out: the digits to round to, what to pop, a default."""
    assert isinstance(node, ast.Call)
    count, values = _OPTIONAL.get(called_name(node), (-1, ()))
    if called_name(node) in ("split", "rsplit") and len(node.args) == 1:
        count, values = 1, ("1",)
    if len(node.args) != count or node.keywords:
        return
    takes_text = called_name(node) in _OF_TEXTS and not node.args
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
    """A call hands on a variable to the parameter of that name as well."""
    assert isinstance(node, ast.Call)
    if not isinstance(node.func, ast.Name):
        return
    parameters = site.around.once(call_facts.parameters_of, site.file.tree).get(node.func.id, ())
    given = {k.arg for k in node.keywords}
    free = [name for name in parameters[len(node.args) :] if name not in given]
    known = {*site.variables()}
    for name in free:
        if name in known and node.args and not isinstance(node.args[-1], ast.Starred):
            yield from site.with_argument(node, f"{name}={name}")


@FAMILY.operator(
    "keyword-renamed", cost=0.9, on=(ast.Call,), before="f(sorted(a, key=True))", after="f(sorted(a, reverse=True))"
)
def keyword_renamed(node: ast.AST, site: Site) -> Iterator[Edit]:
    """A keyword names another parameter of what is called, or the one that its value is named like."""
    assert isinstance(node, ast.Call)
    given = {keyword.arg for keyword in node.keywords}
    taken = _taken(node, site) if given - {None} else {}
    for keyword in node.keywords:
        if keyword.arg is None:
            continue
        start = site.file.span(keyword)[0]
        later = 0.0 if keyword.arg not in taken else 0.3
        kind = type(keyword.value.value) if isinstance(keyword.value, ast.Constant) else None
        fitting = sorted(taken, key=lambda name: type(taken[name]) is not kind)
        alike = [keyword.value.id] if isinstance(keyword.value, ast.Name) else []
        for place, name in enumerate(name for name in dict.fromkeys((*alike, *fitting)) if name not in given):
            yield Edit((Splice(start, start + len(keyword.arg), name),), later + min(0.05 * place, 0.4))


def _taken(node: ast.Call, site: Site) -> dict[str, object]:
    """What the call can hand over by name, with the defaults where they are known. What is not the file's own may be
    anything of that name: what the file hands to it elsewhere is so as well."""
    called = called_name(node)
    fact = call_facts.parameters_of if isinstance(node.func, ast.Name) else call_facts.parameters_of_methods
    own = site.around.once(fact, site.file.tree).get(called)
    if own is not None and (isinstance(node.func, ast.Name) or is_self(getattr(node.func, "value", node))):
        return dict.fromkeys(own[len(node.args) :])
    head, *rest = site.text(node.func).split(".")
    origin = site.around.once(call_facts.imported, site.file.tree).get(head)
    if origin:
        known = library.keywords_of_function(".".join((origin, *rest)))
    elif isinstance(node.func, ast.Name):
        known = library.keywords_of_function(f"builtins.{called}")
    else:
        known = dict.fromkeys(own or ()) | library.keywords_of_method(called)
    used = site.around.once(call_facts.keywords_by_callee, site.file.tree).get(called, ())
    return known | {name: None for name in used if name not in known}


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

"""Guards against what should not be: exceptions that are raised and handled, turns of a loop that are left out."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator
from dataclasses import replace

from treadle.plugins.generation.search import facts
from treadle.plugins.generation.search.operators.made_conditions import conditions, containers_of_self, nearest
from treadle.plugins.generation.search.operators.operator import Family
from treadle.plugins.generation.search.operators.site import Site
from treadle.plugins.generation.search.source import FUNCTIONS, Edit

FAMILY = Family()

_NOT_THERE = frozenset({"-1", "None", "False", "0", "[]", '""', "''"})
"""Answers that say that there is none."""
NOT_AWAITED = 0.9
"""What it costs more to raise an exception that no failing test waits for, or to handle one that none of them got."""


def _parameters(site: Site) -> list[str]:
    return [p for p in (site.scope.parameters if site.scope else ()) if p not in ("self", "cls")]


@FAMILY.operator(
    "raising-guard",
    cost=1.5,
    on=(ast.stmt,),
    before="def f(a):\n    g(a)\n\n\ndef h(b):\n    raise ValueError(b)",
    after=(
        'def f(a):\n    if a <= 0:\n        raise ValueError("a must be positive")\n    g(a)\n\n\n'
        "def h(b):\n    raise ValueError(b)"
    ),
)
def raising_guard(node: ast.AST, site: Site) -> Iterator[Edit]:
    """What a function can't do anything with raises an exception: one that a test waits for, or of the file."""
    assert isinstance(node, ast.stmt)
    if site.function is None or isinstance(node, (*FUNCTIONS, ast.ClassDef)):
        return
    begins = node is site.first_statement
    awaited = [(name, words, 0.0) for name, words in site.hints.expected]
    known = {name for name, _, _ in awaited}
    kinds = awaited + [(name, "", NOT_AWAITED) for name in _raised_in_file(site) if name not in known]
    if not begins:
        if not awaited or not any(node is s for s in site.function.body) or isinstance(node, ast.Return):
            return
        kinds = awaited
    refused = list(_refused(site) if begins else _refused_later(site))
    for name, words, extra in kinds[:3]:
        for condition, subject, more in refused:
            raised = f"raise {name}({_message(condition, subject, words)})"
            edit = site.insert_before(node, (f"if {condition}:", f"    {raised}"), extra + more)
            if edit is not None:
                yield edit


def _message(condition: str, subject: str, words: str) -> str:
    """What the exception says, as an expression: the words that a test looks for, or what was wrong."""
    if words:
        return f'"{words}"'
    plain = {
        f"{subject} <= 0": "must be positive",
        f"{subject} < 0": "must not be negative",
        f"not {subject}": "must not be empty",
    }
    if condition in plain:
        return f'"{subject} {plain[condition]}"'
    return f'f"{subject} is not allowed: {{{subject}}}"'


def _raised_in_file(site: Site) -> list[str]:
    return list(site.around.once(facts.raised, site.file.tree))[:2]


def _refused(site: Site) -> Iterator[tuple[str, str, float]]:
    """Conditions of parameters that a function may refuse, the likeliest first, each with its parameter."""
    kinds = site.loose_ends.kinds
    parameters = _parameters(site)
    containers = containers_of_self(site)
    seen = [p for p in parameters if kinds.get(p, "") in ("text", "list", "set", "dict")]
    for condition in site.scope.conditions if site.scope else ():
        named = [p for p in parameters if p in condition.split()]
        if named:
            yield condition, named[0], 0.3
    for name in parameters:
        kind = kinds.get(name, "")
        if kind in ("number", ""):
            yield f"{name} <= 0", name, 0.0
            yield f"{name} < 0", name, 0.02
        if kind != "number":
            yield f"not {name}", name, 0.05
        if kind == "text":
            for method in ("isalpha", "isdigit", "isalnum", "strip"):
                yield f"not {name}.{method}()", name, 0.1
        if kind in ("text", "list"):
            yield f"len({name}) < 2", name, 0.2
            yield f"len({name}) != len(set({name}))", name, 0.4
        if kind in ("number", ""):
            yield f"{name} < 2", name, 0.2
            yield f"{name} == 0", name, 0.1
        if not kind:
            yield f"{name} is None", name, 0.2
            yield f"not isinstance({name}, int)", name, 0.4
            yield f"not isinstance({name}, str)", name, 0.4
        for container in (*containers, *seen):
            if container != name:
                yield f"{name} in {container}", name, 0.15
                yield f"{name} not in {container}", name, 0.15
    for place, one in enumerate(parameters):
        for other in parameters[place + 1 :]:
            for sign in ("<", ">", "<=", ">=", "==", "!="):
                yield f"{one} {sign} {other}", one, 0.2
            if one in seen and other in seen:
                yield f"len({one}) != len({other})", one, 0.2
    members = [f"self.{name}" for name in site.class_members() if name not in site.vocabulary.methods][:8]
    for name in parameters if "self" in (site.scope.parameters if site.scope else ()) else ():
        if kinds.get(name, "") in ("number", ""):
            for member in members:
                for sign in (">", "<", ">=", "<="):
                    yield f"{name} {sign} {member}", name, 0.3
    for member in members if "self" in (site.scope.parameters if site.scope else ()) else ():
        yield f"not {member}", member, 0.3
        yield member, member, 0.4


def _refused_later(site: Site) -> Iterator[tuple[str, str, float]]:
    """The same inside a function, of what it has worked out until there."""
    names = set(nearest(site))
    for condition, extra in conditions(site, most=40):
        named = [word for word in condition.replace("(", " ").replace(")", " ").split() if word in names]
        if named:
            yield condition, named[0], 0.4 + extra


@FAMILY.operator(
    "turn-left-out",
    cost=2.0,
    on=(ast.stmt,),
    before="def f(a):\n    for b in a:\n        g(b)",
    after="def f(a):\n    for b in a:\n        if not b:\n            continue\n        g(b)",
)
def turn_left_out(node: ast.AST, site: Site) -> Iterator[Edit]:
    """A loop goes on to its next turn, or ends, under a condition."""
    assert isinstance(node, ast.stmt)
    parent = site.parent(node)
    if site.function is None or not isinstance(parent, ast.For | ast.While) or node not in parent.body:
        return
    for condition, extra in conditions(site, most=30):
        for place, word in enumerate(("continue", "break")):
            edit = site.insert_before(node, (f"if {condition}:", f"    {word}"), extra + 0.2 * place)
            if edit is not None:
                yield edit


@FAMILY.operator(
    "answered-in-loop",
    cost=2.1,
    on=(ast.For, ast.While),
    before="def f(a):\n    for b in a:\n        g(b)\n    return None",
    after="def f(a):\n    for b in a:\n        if not b:\n            return b\n        g(b)\n    return None",
)
def answered_in_loop(node: ast.AST, site: Site) -> Iterator[Edit]:
    """A turn of a loop gives the function's answer under a condition: its variable, or the opposite of the last one."""
    assert isinstance(node, ast.For | ast.While)
    answers = _answers_of_loop(node, site)
    first, last = node.body[0], node.body[-1]
    for place, statement in enumerate((first, last)):
        at = replace(site, node=statement, statement=statement)
        for condition, extra in conditions(at, most=30) if answers else ():
            for number, answer in enumerate(answers):
                lines = (f"if {condition}:", f"    return {answer}")
                insert = at.insert_after if place else at.insert_before
                if edit := insert(statement, lines, extra + 0.1 * (place + number)):
                    yield edit


def _answers_of_loop(node: ast.For | ast.While, site: Site) -> list[str]:
    """What it may answer, the likeliest first; nothing where the loop is not followed by an answer."""
    block = site.block_of(node)
    following = next((after for one, after in itertools.pairwise(block) if one is node), None)
    if site.function is None or not isinstance(following, ast.Return):
        return []
    value = following.value
    if isinstance(value, ast.Constant) and isinstance(value.value, bool):
        return [str(not value.value)]
    target = node.target if isinstance(node, ast.For) else None
    names = [n.id for n in ast.walk(target) if isinstance(n, ast.Name)][:3] if target is not None else []
    if target is None and isinstance(value, ast.Constant | ast.UnaryOp):  # it was looked for, and is not there
        names = list(site.around.once(facts.names_bound, node))[:3]
    said = site.hints.answers.get(site.function.name, ())
    return [*names, *[text for text in said if text in _NOT_THERE and (value is None or text != site.text(value))][:2]]


@FAMILY.operator(
    "handled",
    cost=2.2,
    on=(ast.Expr, ast.Assign, ast.Return, ast.AugAssign),
    before="def f(a):\n    return g(a)",
    after="def f(a):\n    try:\n        return g(a)\n    except ValueError:\n        return None",
)
def handled(node: ast.AST, site: Site) -> Iterator[Edit]:
    """An exception that a failing test got is handled: with None, a constant, its own text, the loop's next turn."""
    assert isinstance(node, ast.stmt)
    own = site.own_lines(node)
    if site.function is None or own is None or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
        return
    calls = any(isinstance(n, ast.Call | ast.Subscript | ast.BinOp) for n in ast.walk(node))
    if not calls or any(isinstance(a, ast.Try) for a in site.file.ancestors(node)):
        return
    kinds = [(kind, 0.0) for kind in site.hints.raised if kind.isidentifier()][:2]
    kinds = kinds or [("ValueError", NOT_AWAITED), ("KeyError", NOT_AWAITED)]
    for kind, extra in kinds:
        for place, answer in enumerate(_answers(node, site)):
            named = f"{kind} as error" if "error" in answer else kind
            wrapped = site.wrapped(node, "try:", extra + min(0.05 * place, 0.6))
            if wrapped is None:
                continue
            indent, newline, step = site.indent_of(node), site.file.newline, site.step_of_indent()
            tail = f"{indent}except {named}:{newline}{indent}{step}{answer}{newline}"
            text = wrapped.splices[0].text
            text = text + tail if text.endswith(("\n", "\r")) else text + newline + tail.removesuffix(newline)
            yield Edit((type(wrapped.splices[0])(*own, text),), wrapped.extra)


def _answers(node: ast.stmt, site: Site) -> Iterator[str]:
    looped = any(isinstance(a, ast.For | ast.While) for a in site.file.ancestors(node))
    if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name | ast.Subscript | ast.Attribute):
        target = site.text(node.targets[0])
        yield from (f"{target} = {value}" for value in ("None", "0", '""', "[]"))
    if looped:
        yield "continue"
    if isinstance(node, ast.Expr):
        yield "pass"
    yield from (f"return {value}" for value in ("None", "False", "str(error)"))
    for name in _parameters(site)[:3]:
        yield f"return {name}"
    yield from (f"return {value}" for value in ("[]", "0", '""', "True", "{}"))
    if looped:
        yield "break"

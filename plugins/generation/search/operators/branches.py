"""Branches: what is done always and should be done in one case only, cases for which nothing is done."""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Iterator

from treadle.plugins.generation.search import facts
from treadle.plugins.generation.search.operators.made_conditions import conditions, nearest
from treadle.plugins.generation.search.operators.operator import Family
from treadle.plugins.generation.search.operators.site import Site
from treadle.plugins.generation.search.source import Edit, Splice

FAMILY = Family()

_LEAVING = (ast.Return, ast.Raise, ast.Continue, ast.Break)
_PUTTING = frozenset({"append", "add", "appendleft", "extend", "insert"})
_UNLIKE = 0.8
"""What it costs more where what follows changes something else."""
_OTHER_SIGN = {"+=": "-=", "-=": "+="}


def _leaves_too_soon(node: ast.stmt, site: Site) -> bool:
    """Whether the statement leaves its block before the block ends, or a loop in its first turn."""
    if not isinstance(node, _LEAVING):
        return False
    block, parent = site.block_of(node), site.parent(node)
    return block[-1] is not node or (isinstance(parent, ast.For | ast.While) and not isinstance(node, ast.Continue))


@FAMILY.operator(
    "leaving-guarded",
    cost=0.9,
    on=_LEAVING,
    before="def f(a):\n    return None\n    g(a)",
    after="def f(a):\n    if not a:\n        return None\n    g(a)",
)
def leaving_guarded(node: ast.AST, site: Site) -> Iterator[Edit]:
    """A statement that leaves, before others that so are never reached, does so under a condition."""
    assert isinstance(node, ast.stmt)
    if not _leaves_too_soon(node, site):
        return
    found = conditions(site, most=150)
    for condition, extra in found:
        if edit := site.wrapped(node, f"if {condition}:", extra):
            yield edit
    for place, (one, extra) in enumerate(found[:24]):
        for other, more in found[place + 1 : 24]:
            for word in ("or", "and"):
                if (
                    _is_plain(one)
                    and _is_plain(other)
                    and (edit := site.wrapped(node, f"if {one} {word} {other}:", 0.9 + extra + more))
                ):
                    yield edit


@FAMILY.operator(
    "put-once",
    cost=1.4,
    on=(ast.Expr,),
    before="for a in b:\n    c.append(a)",
    after="for a in b:\n    if a not in c:\n        c.append(a)",
)
def put_once(node: ast.AST, site: Site) -> Iterator[Edit]:
    """What is put into a container is put there once, or only where it is not empty."""
    assert isinstance(node, ast.Expr)
    call = node.value
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute) or call.func.attr not in _PUTTING:
        return
    value = call.args[-1] if call.args else None
    if value is None or len(site.text(value)) > 40:
        return
    text, container = site.text(value), site.text(call.func.value)
    for place, condition in enumerate((f"{text} not in {container}", text, f"{text} and {text} not in {container}")):
        if edit := site.wrapped(node, f"if {condition}:", 0.1 * place):
            yield edit


@FAMILY.operator(
    "done-in-one-case",
    cost=1.6,
    on=(ast.Expr, ast.Assign, ast.AugAssign, ast.Raise, ast.Return, ast.Continue, ast.Break),
    before="def f(a):\n    g(a)\n    h()",
    after="def f(a):\n    if a:\n        g(a)\n    h()",
)
def done_in_one_case(node: ast.AST, site: Site) -> Iterator[Edit]:
    """A statement that is run always is run under a condition."""
    assert isinstance(node, ast.stmt)
    if site.function is None or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
        return
    if isinstance(node, _LEAVING) and _leaves_too_soon(node, site):
        return
    if isinstance(node, ast.Assign) and not _is_bound_before(node, site):
        return
    unread = site.loose_ends.unread
    for condition, extra in conditions(site, most=40):
        spoken = set(re.findall(r"\w+", condition))
        later = 0.4 if isinstance(node, ast.Raise) else 0.7 if spoken.isdisjoint(unread) else 0.0
        if edit := site.wrapped(node, f"if {condition}:", later + extra):
            yield edit


@FAMILY.operator(
    "rest-in-one-case",
    cost=2.1,
    on=(ast.Expr, ast.Assign, ast.AugAssign),
    before="def f(a, b):\n    for c in a:\n        b.append(c)\n        g(c)",
    after="def f(a, b):\n    for c in a:\n        if c:\n            b.append(c)\n            g(c)",
)
def rest_in_one_case(node: ast.AST, site: Site) -> Iterator[Edit]:
    """The last two or three statements of a block are run under a condition."""
    assert isinstance(node, ast.stmt)
    block = site.block_of(node)
    place = next((n for n, statement in enumerate(block) if statement is node), len(block))
    rest = block[place:]
    if site.function is None or len(rest) not in (2, 3) or block is site.function.body:
        return
    for condition, extra in conditions(site, most=30):
        if edit := site.wrapped(node, f"if {condition}:", extra + 0.2 * (len(rest) - 2), until=rest[-1]):
            yield edit


@FAMILY.operator(
    "rest-otherwise",
    cost=1.3,
    on=(ast.If,),
    before="for a in b:\n    if a:\n        c += a\n    c += 1",
    after="for a in b:\n    if a:\n        c += a\n    else:\n        c += 1",
)
def rest_otherwise(node: ast.AST, site: Site) -> Iterator[Edit]:
    """What comes behind an `if`, and changes what that changes, is done in the other case alone."""
    assert isinstance(node, ast.If)
    block, last = site.block_of(node), node
    while last.orelse and isinstance(last.orelse[0], ast.If) and site.is_elif(last.orelse[0]):
        last = last.orelse[0]
    rest = block[block.index(node) + 1 :]
    if last.orelse or not rest or isinstance(node.body[-1], _LEAVING):
        return
    changed = site.around.once(facts.changed, node)
    for place, until in enumerate(dict.fromkeys((rest[0], rest[-1]))):
        alike = not changed.isdisjoint(site.around.once(facts.changed, rest[0]))
        if edit := site.wrapped(rest[0], "else:", 0.1 * place + (0.0 if alike else _UNLIKE), until=until):
            yield edit


def _is_bound_before(node: ast.Assign, site: Site) -> bool:
    """Whether what is assigned has a value already: without one, a condition would leave it without any."""
    bound = site.scope.bound if site.scope else {}
    names = [
        n.id for t in node.targets for n in ast.walk(t) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
    ]
    return all(bound.get(name, node.lineno) < node.lineno for name in names)


@FAMILY.operator(
    "else-added",
    cost=1.5,
    on=(ast.If,),
    before="for c in b:\n    if c:\n        a -= c",
    after="for c in b:\n    if c:\n        a -= c\n    else:\n        a += c",
)
def else_added(node: ast.AST, site: Site) -> Iterator[Edit]:
    """An `if` gets an `else` that does the opposite of one of its arms, or the same with other values."""
    assert isinstance(node, ast.If)
    if node.orelse or site.own_lines(node) is None or node.body[0].lineno == node.lineno:
        return
    for statement, extra in _counterparts(node, site):
        yield _arm(site, node, "else:", statement, extra)


@FAMILY.operator(
    "as-other-arm",
    cost=1.6,
    on=(ast.If,),
    before="def f(a, b):\n    if a:\n        b += 1\n        g(a)\n    else:\n        g(b)",
    after="def f(a, b):\n    if a:\n        b += 1\n        g(a)\n    else:\n        b -= 1\n        g(b)",
)
def as_other_arm(node: ast.AST, site: Site) -> Iterator[Edit]:
    """An arm of an `if` does what another arm does and it does not, or the opposite of that."""
    assert isinstance(node, ast.If)
    if site.is_elif(node):
        return
    arms = _arms(node, site)
    for arm in arms:
        own = {site.text(s) for s in arm}
        for statement in (s for other in arms if other is not arm for s in other):
            text = site.text(statement)
            if not isinstance(statement, ast.Expr | ast.Assign | ast.AugAssign) or "\n" in text or text in own:
                continue
            opposite = [text.replace(f" {s} ", f" {o} ", 1) for s, o in _OTHER_SIGN.items() if f" {s} " in text]
            for place, line in enumerate((*opposite, text)):
                edits = (
                    site.insert_before(arm[0], (line,), 0.1 * place),
                    site.insert_after(arm[-1], (line,), 0.1 * place),
                )
                yield from (edit for edit in edits if edit is not None)


def _arms(node: ast.If, site: Site) -> list[list[ast.stmt]]:
    """The blocks of an `if` with those of its `elif`s and its `else`."""
    if len(node.orelse) == 1 and site.is_elif(node.orelse[0]):
        inner = node.orelse[0]
        return [node.body, *(_arms(inner, site) if isinstance(inner, ast.If) else ())]
    return [node.body, node.orelse] if node.orelse else [node.body]


@FAMILY.operator(
    "elif-added",
    cost=2.3,
    on=(ast.If,),
    before="def f(a, b):\n    if a:\n        c = True\n    while b:\n        g()",
    after="def f(a, b):\n    if a:\n        c = True\n    elif b:\n        c = False\n    while b:\n        g()",
)
def elif_added(node: ast.AST, site: Site) -> Iterator[Edit]:
    """An `if` gets an `elif`, with another condition, that does the opposite of one of its arms or leaves."""
    assert isinstance(node, ast.If)
    if site.own_lines(node.body[-1]) is None or node.body[0].lineno == node.lineno:
        return
    if node.orelse and site.is_elif(node.orelse[0]):
        return
    arms = list(_counterparts(node, site))[:10]
    arms += [(f"return {value}", 0.1) for value in ("False", "None", "True")]
    arms += [("continue", 0.2)] if _in_loop(node, site) else []
    own = [(c, 0.0) for c in (site.scope.conditions if site.scope else ()) if c != site.text(node.test)]
    made = [(c, extra + 0.1) for c, extra in conditions(site, most=25)]
    for condition, extra in dict((*reversed(made), *own)).items():
        for statement, more in arms:
            yield _arm(site, node, f"elif {condition}:", statement, extra + more)


def _arm(site: Site, node: ast.If, head: str, statement: str, extra: float) -> Edit:
    """An arm after the body of the `if`."""
    lines = site.own_lines(node.body[-1])
    end = lines[1] if lines else site.file.span(node.body[-1])[1]
    newline, indent = site.file.newline, site.indent_of(node)
    inner = site.indent_of(node.body[0])
    text = f"{indent}{head}{newline}{inner}{statement}{newline}"
    if not site.file.text[:end].endswith(("\n", "\r")):
        text = newline + text.removesuffix(newline)
    return Edit((Splice(end, end, text),), extra)


def _in_loop(node: ast.AST, site: Site) -> bool:
    return any(isinstance(a, ast.For | ast.While) for a in site.file.ancestors(node))


def _counterparts(node: ast.If, site: Site) -> Iterator[tuple[str, float]]:
    """Simple statements that another arm of the `if` may hold."""
    seen: set[str] = {site.text(s) for s in node.body}
    for statement, extra in _other_arms(node, site):
        if statement not in seen:
            seen.add(statement)
            yield statement, extra


def _other_arms(node: ast.If, site: Site) -> Iterator[tuple[str, float]]:
    names = nearest(site)
    for statement in node.body:
        text = site.text(statement)
        if "\n" in text:
            continue
        if isinstance(statement, ast.AugAssign):
            target, value = site.text(statement.target), site.text(statement.value)
            head = text[: len(text) - len(value)]
            yield from ((f"{head}{name}", 0.2) for name in names if name not in (target, value))
            for sign, other in _OTHER_SIGN.items():
                if f" {sign} " in text:
                    yield text.replace(f" {sign} ", f" {other} ", 1), 0.0
            if isinstance(statement.value, ast.Name):
                yield f"{target} = {value}", 0.3
            yield f"{target} = 0", 0.3
        elif isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            target = site.text(statement.targets[0])
            values = (
                ["None", "True", "False", "0", "1", "[]", '""'] if isinstance(statement.value, ast.Constant) else []
            )
            yield from ((f"{target} = {value}", 0.1) for value in values)
            yield from ((f"{target} = {name}", 0.2) for name in names if name != target)
            if isinstance(statement.targets[0], ast.Name):
                yield f"{target} += 1", 0.3
        elif isinstance(statement, ast.Return) and statement.value is not None:
            yield from ((f"return {value}", 0.2) for value in ("None", "False", "True", "0", '""', "[]", *names))
        elif isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call) and statement.value.args:
            head = text[: site.file.span(statement.value.args[0])[0] - site.file.span(statement)[0]]
            yield from ((f"{head}{name})", 0.2) for name in names)
    parent_body = site.block_of(node)
    for other in (site.scope.statements if site.scope else ())[:14]:
        if not any(site.text(s) == other for s in parent_body) and re.match(r"[\w.\[\]]+ [-+*/]?= |[\w.]+\(", other):
            yield other, 0.4
    for other in (site.scope.statements if site.scope else ())[:14]:
        yield from ((text, 0.3) for text in _mirrored(other, names))
    yield from ((text, 0.2) for text in _filling(node, site))


def _mirrored(statement: str, names: list[str]) -> Iterator[str]:
    """The statement with two of its names in each other's places."""
    used = [name for name in names if len(re.findall(rf"\b{name}\b", statement)) > 1][:4]
    for one, other in itertools.combinations(used, 2):
        swapped = {one: other, other: one}
        yield re.sub(rf"\b({one}|{other})\b", lambda found, s=swapped: s[found.group()], statement)  # type: ignore[misc]


def _filling(node: ast.If, site: Site) -> Iterator[str]:
    """Puts into the containers that the arms put something into or look into: an object of a class of the file, made
    from the names of its fields."""
    containers = {
        site.text(n.value): None
        for n in ast.walk(node)
        if isinstance(n, ast.Subscript) and isinstance(n.value, ast.Name | ast.Attribute)
    }
    known = site.variables()
    for made in site.vocabulary.fields.items():
        if made[1] and all(name in known for name in made[1]):
            for container in containers:
                yield f"{container}.append({made[0]}({', '.join(made[1])}))"


def _is_plain(condition: str) -> bool:
    return " or " not in condition and " if " not in condition

"""Statements: deleted, inserted, moved, in and out of blocks."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from treadle.plugins.generation.search import facts
from treadle.plugins.generation.search.operators.operator import Family
from treadle.plugins.generation.search.operators.site import Site
from treadle.plugins.generation.search.scope import in_loop
from treadle.plugins.generation.search.source import Edit, Splice

FAMILY = Family()

_BLOCKS = (ast.If, ast.For, ast.AsyncFor, ast.While, ast.With, ast.AsyncWith, ast.Try)


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _next_of(site: Site, node: ast.stmt) -> ast.stmt | None:
    block = site.block_of(node)
    place = next((i for i, s in enumerate(block) if s is node), len(block))
    return block[place + 1] if place + 1 < len(block) else None


@FAMILY.operator(
    "break-continue",
    cost=1.0,
    on=(ast.Break, ast.Continue, ast.Pass),
    before=("for a in b:\n    break"),
    after="for a in b:\n    continue",
)
def break_continue(node: ast.AST, site: Site) -> Iterator[Edit]:
    """`break`, `continue` and `pass` become one another."""
    words = {ast.Break: "break", ast.Continue: "continue", ast.Pass: "pass"}
    span = site.file.span(node)
    for kind, word in words.items() if in_loop(site.file, node) else ():
        if not isinstance(node, kind):
            yield Edit((Splice(*span, word),), 0.5 if word == "pass" else 0.0)
    if site.function is not None:
        yield Edit((Splice(*span, "return"),), 0.7)


@FAMILY.operator("statement-deleted", cost=1.0, on=(ast.stmt,), before="f()\ng()", after="g()")
def statement_deleted(node: ast.AST, site: Site) -> Iterator[Edit]:
    """A statement is taken away."""
    assert isinstance(node, ast.stmt)
    if not isinstance(node, (*facts.SIMPLE, ast.If, ast.For, ast.While, ast.Break, ast.Continue)) or _is_text(node):
        return
    if edit := site.delete(node, _reluctance(node, site)):
        yield edit


def _reluctance(node: ast.stmt, site: Site) -> float:
    """What it costs to take a statement away: little where the function has it twice, most where it is a check."""
    text = site.text(node)
    if isinstance(node, facts.SIMPLE) and site.scope is not None and site.function is not None:
        same = site.around.once(facts.simple_statements, site.function)[text]
        if not isinstance(node, ast.Return | ast.Raise) and same > 1:
            return 0.0
    if any(isinstance(n, ast.Raise | ast.Assert) for n in ast.walk(node)):
        return 1.1
    return 0.8 if isinstance(node, _BLOCKS) else 0.6


@FAMILY.operator("neighbours-swapped", cost=1.5, on=(ast.stmt,), before="f()\ng()", after="g()\nf()")
def neighbours_swapped(node: ast.AST, site: Site) -> Iterator[Edit]:
    """Two neighbouring statements change places."""
    assert isinstance(node, ast.stmt)
    after = _next_of(site, node)
    if after is None or _is_text(node) or isinstance(node, ast.FunctionDef | ast.ClassDef):
        return
    if isinstance(after, ast.FunctionDef | ast.ClassDef) or site.is_elif(after) or site.is_elif(node):
        return
    if isinstance(node, facts.SIMPLE) and isinstance(after, facts.SIMPLE):
        yield Edit((Splice(*site.file.span(node), site.text(after)), Splice(*site.file.span(after), site.text(node))))
        return
    first, second = site.own_lines(node), site.own_lines(after)
    if first and second and first[1] == second[0] and site.file.text[: second[1]].endswith("\n"):
        text = site.file.text
        yield Edit((Splice(first[0], second[1], text[slice(*second)] + text[slice(*first)]),), 0.2)


@FAMILY.operator(
    "outdented",
    cost=1.6,
    on=(ast.stmt,),
    before=("def f(b):\n    for a in b:\n        g(a)\n        return a"),
    after="def f(b):\n    for a in b:\n        g(a)\n    return a",
)
def outdented(node: ast.AST, site: Site) -> Iterator[Edit]:
    """The last statement of a block goes below the block."""
    assert isinstance(node, ast.stmt)
    # The statement may be in no test's way just because it lies in that block; the block's head is.
    for last in (node, *(getattr(node, "body", [])[-1:] if isinstance(node, _BLOCKS) else ())):
        if edit := _outdented(last, site):
            yield edit


def _outdented(node: ast.stmt, site: Site) -> Edit | None:
    parent = site.parent(node)
    block = site.block_of(node)
    if not isinstance(parent, _BLOCKS) or block[-1] is not node or len(block) < 2:
        return None
    if isinstance(parent, ast.If) and block is parent.body and parent.orelse:
        return None
    own, outer = site.own_lines(node), site.own_lines(parent)
    if own is None or outer is None or own[1] != outer[1] or site.is_elif(node) or site.holds_long_text(node):
        return None
    less = site.indent_of(node).removeprefix(site.indent_of(parent))
    lines = (line.replace(less, "", 1) for line in site.file.text[slice(*own)].splitlines(keepends=True))
    return Edit((Splice(*own, "".join(lines)),))


@FAMILY.operator(
    "indented",
    cost=1.5,
    on=(ast.stmt,),
    before=("for a in b:\n    f(a)\ng(a)"),
    after="for a in b:\n    f(a)\n    g(a)",
)
def indented(node: ast.AST, site: Site) -> Iterator[Edit]:
    """A statement goes into the block above it, as its last."""
    assert isinstance(node, ast.stmt)
    block = site.block_of(node)
    place = next((i for i, s in enumerate(block) if s is node), 0)
    before = block[place - 1] if place else None
    own = site.own_lines(node)
    if not isinstance(before, _BLOCKS) or own is None or site.is_elif(node) or site.holds_long_text(node):
        return
    indent, last = site.indent_of(node), _last_block(before)
    places = [last, _last_block(last)] if isinstance(last, _BLOCKS) else [last]
    for place, inner in enumerate(places):
        more = site.indent_of(inner).removeprefix(indent)
        lines = site.file.text[slice(*own)].splitlines(keepends=True)
        yield Edit((Splice(*own, "".join(f"{more}{line}" if line.strip() else line for line in lines)),), 0.2 * place)


@FAMILY.operator("block-unwrapped", cost=2.1, on=(ast.If,), before="if a:\n    f()", after="f()")
def block_unwrapped(node: ast.AST, site: Site) -> Iterator[Edit]:
    """The body of an `if` runs always."""
    assert isinstance(node, ast.If)
    own = site.own_lines(node)
    if node.orelse or site.is_elif(node) or own is None or node.body[0].lineno == node.lineno:
        return
    if any(not isinstance(s, facts.SIMPLE) or "\n" in site.text(s) or site.own_lines(s) is None for s in node.body):
        return
    indent = site.indent_of(node)
    lines = site.file.newline.join(f"{indent}{site.text(s)}" for s in node.body)
    yield Edit((Splice(own[0], site.file.span(node)[1], lines),))


@FAMILY.operator(
    "else-dropped",
    cost=2.0,
    on=(ast.If, ast.For, ast.While),
    before=("for a in b:\n    f()\nelse:\n    g()"),
    after="for a in b:\n    f()\ng()",
)
def else_dropped(node: ast.AST, site: Site) -> Iterator[Edit]:
    """The body of a one-line `else` runs always."""
    assert isinstance(node, ast.If | ast.For | ast.While)
    if len(node.orelse) != 1 or not isinstance(node.orelse[0], facts.SIMPLE) or site.is_elif(node):
        return
    statement = node.orelse[0]
    own = site.own_lines(statement)
    body = site.own_lines(node.body[-1])
    if own and body and "\n" not in site.text(statement):
        start = site.file.span(statement)[0]
        yield Edit((Splice(body[1], start, site.indent_of(node)),))


@FAMILY.operator(
    "statement-inserted",
    cost=2.6,
    on=(ast.stmt,),
    before=("def f(a):\n    g(a)\n    h(a)\n    return a"),
    after="def f(a):\n    h(a)\n    g(a)\n    h(a)\n    return a",
)
def statement_inserted(node: ast.AST, site: Site) -> Iterator[Edit]:
    """A statement of the same function or file is inserted, as it stands or with one variable replaced."""
    assert isinstance(node, ast.stmt)
    if _is_text(node) or isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Import | ast.ImportFrom):
        return
    own = site.scope.statements if site.scope else ()
    others = [s for s in site.vocabulary.statements if s not in own][:20]
    own_text = site.text(node)
    for statements, extra in ((own, 0.0), (others, 0.5)):
        for statement in statements:
            if statement != own_text:
                yield from site.beside(node, (statement,), extra)
    for statement in own:
        for name, other in _renamings(site, statement):
            yield from site.beside(node, (re.sub(rf"\b{re.escape(name)}\b", other, statement),), 0.3)


@FAMILY.operator(
    "guard-inserted",
    cost=1.4,
    on=(ast.stmt,),
    before="def f(a):\n    if a < 0:\n        raise E(a)\n    g(a)\n\n\ndef h(a):\n    g(a)",
    after=(
        "def f(a):\n    if a < 0:\n        raise E(a)\n    g(a)\n\n\n"
        "def h(a):\n    if a < 0:\n        raise E(a)\n    g(a)"
    ),
)
def guard_inserted(node: ast.AST, site: Site) -> Iterator[Edit]:
    """A guard of another place in the file (an if with one statement that leaves) is put before a statement."""
    assert isinstance(node, ast.stmt)
    if site.function is None or _is_text(node) or isinstance(node, ast.FunctionDef | ast.ClassDef):
        return
    awaited = [name for name, _ in site.hints.expected]
    looped = in_loop(site.file, node)
    for test, leave in site.vocabulary.guards:
        if leave in ("break", "continue") and not looped:
            continue
        extra = 0.0 if any(leave.startswith(f"raise {name}") for name in awaited) else 0.9
        if edit := site.insert_before(node, (f"if {test}:", f"    {leave}"), extra):
            yield edit


@FAMILY.operator(
    "sibling-statement",
    cost=2.4,
    on=(ast.stmt,),
    before='def put(a):\n    log("put", a)\n\n\ndef take(a):\n    g(a)',
    after='def put(a):\n    log("put", a)\n\n\ndef take(a):\n    g(a)\n    log("take", a)',
)
def sibling_statement(node: ast.AST, site: Site) -> Iterator[Edit]:
    """A statement of another function that names that function is inserted, with this function's name in it."""
    assert isinstance(node, ast.stmt)
    if site.function is None or _is_text(node) or isinstance(node, ast.FunctionDef | ast.ClassDef):
        return
    own = site.function.name
    names = {*site.vocabulary.functions, *site.vocabulary.methods} - {own}
    for statement in site.vocabulary.statements:
        for name in dict.fromkeys(word for word in re.findall(r"\w+", statement) if word in names):
            yield from site.beside(node, (re.sub(rf"\b{name}\b", own, statement),))


@FAMILY.operator(
    "assignment-inserted",
    cost=2.5,
    on=(ast.stmt,),
    before=("def f(a, b):\n    g(a)\n    return b"),
    after="def f(a, b):\n    g(a)\n    a = b\n    return b",
)
def assignment_inserted(node: ast.AST, site: Site) -> Iterator[Edit]:
    """`a = b`, `a += 1`, `a -= 1` or `a.append(b)` is inserted, over the variables of the function."""
    assert isinstance(node, ast.stmt)
    if site.function is None or _is_text(node) or isinstance(node, ast.FunctionDef | ast.ClassDef):
        return
    names = [n for n in (site.scope.bound if site.scope else {}) if n not in ("self", "cls")][:10]
    for name in names:
        yield from site.beside(node, (f"{name} += 1",), 0.0)
        yield from site.beside(node, (f"{name} -= 1",), 0.2)
    for name in names:
        for other in names:
            if name != other:
                yield from site.beside(node, (f"{name} = {other}",), 0.2)
                yield from site.beside(node, (f"{name} += {other}",), 0.3)
                yield from site.beside(node, (f"{name}.append({other})",), 0.3)


@FAMILY.operator(
    "exit-inserted",
    cost=2.4,
    on=(ast.stmt,),
    before=("for a in b:\n    if a:\n        f()"),
    after="for a in b:\n    if a:\n        f()\n        break",
)
def exit_inserted(node: ast.AST, site: Site) -> Iterator[Edit]:
    """`break`, `continue` or `return` ends a block inside a loop."""
    assert isinstance(node, ast.stmt)
    if not any(isinstance(a, ast.For | ast.While) for a in site.file.ancestors(node)):
        return
    if site.block_of(node)[-1] is node and not isinstance(node, ast.Return | ast.Break | ast.Continue | ast.Raise):
        for place, word in enumerate(("break", "continue", "return")):
            if edit := site.insert_after(node, (word,), 0.1 * place):
                yield edit


def _renamings(site: Site, statement: str) -> Iterator[tuple[str, str]]:
    names = [n for n in (site.scope.bound if site.scope else {}) if n not in ("self", "cls")][:8]
    for name in names:
        if re.search(rf"\b{re.escape(name)}\b", statement):
            for other in names:
                if other != name:
                    yield name, other


def _last_block(node: ast.stmt) -> ast.stmt:
    """The last statement of the statement's last block."""
    for name in ("finalbody", "orelse", "handlers", "body"):
        block = getattr(node, name, None)
        if block:
            last = block[-1]
            inside: ast.stmt = last.body[-1] if isinstance(last, ast.ExceptHandler) else last
            return inside
    return node

"""Names: variables, attributes, `self.`, targets of assignments, misspelt names."""

from __future__ import annotations

import ast
import builtins
import difflib
import itertools
from collections.abc import Iterator

from treadle.plugins.generation.search import facts
from treadle.plugins.generation.search.loose_ends import TYPES
from treadle.plugins.generation.search.operators.operator import Family
from treadle.plugins.generation.search.operators.site import Site
from treadle.plugins.generation.search.scope import comprehension_names, is_self
from treadle.plugins.generation.search.source import Edit, Splice

FAMILY = Family()

_BUILTINS = frozenset(dir(builtins))


def _known(site: Site) -> list[str]:
    words = site.vocabulary
    return [*site.variables(), *words.values, *words.functions, *words.classes, *words.imported]


@FAMILY.operator("variable", cost=1.0, on=(ast.Name,), before="a = 1\nb = 2\nf(a)", after="a = 1\nb = 2\nf(b)")
def variable(node: ast.AST, site: Site) -> Iterator[Edit]:
    """A variable becomes another one that has a value here."""
    assert isinstance(node, ast.Name)
    parent = site.parent(node)
    called = isinstance(parent, ast.Call) and parent.func is node
    if not isinstance(node.ctx, ast.Load) or node.id == "self" or called:
        return
    if node.id in site.vocabulary.functions or node.id in site.vocabulary.classes or node.id in _BUILTINS:
        return
    local = _likely(node.id, site)
    for place, name in enumerate(local):
        yield site.put(node, name, min(0.03 * place, 0.3))
    for name in site.vocabulary.values:
        if name != node.id and name not in local:
            yield site.put(node, name, 0.1 if site.function is None else 0.4)


def _likely(instead_of: str, site: Site) -> list[str]:
    """The variables that may stand where this one does: those that nobody reads, then those of its kind, and of these
    the ones that were spoken of last."""
    names = [name for name in site.variables() if name not in (instead_of, "self", "cls", "_")]
    if site.function is None:
        return names
    lines, line = site.around.once(facts.lines_of_names, site.function), getattr(site.node, "lineno", 0)
    inner = comprehension_names(site.file, site.node)
    kinds, unread = site.loose_ends.kinds, site.loose_ends.unread

    def order(name: str) -> tuple[bool, bool, int]:
        spoken = line if name in inner else max((each for each in lines.get(name, ()) if each < line), default=0)
        unlike = kinds.get(name, "") not in ("", kinds.get(instead_of) or kinds.get(name, ""))
        return name not in unread, unlike, -spoken

    return sorted(names, key=order)


@FAMILY.operator(
    "same-twice",
    cost=0.7,
    on=(ast.BinOp, ast.Compare, ast.BoolOp, ast.Call),
    before="b = 1\nf(a + a)",
    after="b = 1\nf(a + b)",
)
def same_twice(node: ast.AST, site: Site) -> Iterator[Edit]:
    """Where the same variable stands on both sides, one of them becomes another."""
    if isinstance(node, ast.BinOp):
        sides = [node.left, node.right]
    elif isinstance(node, ast.Compare):
        sides = [node.left, *node.comparators]
    else:
        assert isinstance(node, ast.BoolOp | ast.Call)
        sides = list(node.values) if isinstance(node, ast.BoolOp) else list(node.args)
    for a, b in itertools.pairwise(sides):
        if isinstance(a, ast.Name) and isinstance(b, ast.Name) and a.id == b.id:
            for place, name in enumerate((*_likely(a.id, site), *(() if site.function else site.vocabulary.values))):
                if name != a.id:
                    yield site.put(b, name, min(0.03 * place, 0.3))
                    yield site.put(a, name, min(0.03 * place, 0.3) + 0.01)


@FAMILY.operator(
    "unbound-target",
    cost=0.6,
    on=(ast.Assign, ast.AugAssign),
    before="def f(a):\n    b = 1\n    a = 2\n    return b + c",
    after="def f(a):\n    b = 1\n    c = 2\n    return b + c",
)
def unbound_target(node: ast.AST, site: Site) -> Iterator[Edit]:
    """A value goes into the variable that the function reads and nothing binds."""
    assert isinstance(node, ast.Assign | ast.AugAssign)
    target = node.targets[0] if isinstance(node, ast.Assign) else node.target
    if site.function is None or not isinstance(target, ast.Name):
        return
    inside = site.around.once(facts.names, site.function)
    bound = {*site.vocabulary.values, *site.vocabulary.functions, *site.vocabulary.classes, *site.vocabulary.imported}
    around = {name for f in site.functions() for name in site.around.scope(f).bound}
    late = _read_before_bound(site) - {target.id}
    bound |= inside.bound | around | _BUILTINS
    for name in inside.read:
        if name in late or name not in bound:
            yield site.put(target, name)


def _read_before_bound(site: Site) -> set[str]:
    """The function's own variables that are read above the line where they first get a value, or on it."""
    if site.function is None or site.scope is None:
        return set()
    inside, scope = site.around.once(facts.names, site.function), site.scope
    own = {n: line for n, line in scope.bound.items() if n not in scope.parameters}
    return {name for name, line in own.items() if inside.read.get(name, line + 1) <= line} - inside.of_comprehensions


@FAMILY.operator(
    "function-of-file",
    cost=1.2,
    on=(ast.Call,),
    before=("def f(x): ...\ndef g(x): ...\nf(1)"),
    after="def f(x): ...\ndef g(x): ...\ng(1)",
)
def function_of_file(node: ast.AST, site: Site) -> Iterator[Edit]:
    """A call goes to another function or class of the file that takes as many arguments, or another method."""
    assert isinstance(node, ast.Call)
    count = len(node.args) + len(node.keywords)
    if isinstance(node.func, ast.Name):
        for name, (least, most) in site.vocabulary.functions.items():
            if name != node.func.id and least <= count <= most:
                yield site.put(node.func, name)
        for name in site.vocabulary.classes:
            if name != node.func.id:
                yield site.put(node.func, name, 0.4)
    elif isinstance(node.func, ast.Attribute) and is_self(node.func.value):
        for name in site.class_members():
            if name != node.func.attr and name in site.vocabulary.methods:
                yield _attribute(site, node.func, name)


@FAMILY.operator("misspelt-name", cost=0.5, on=(ast.Name,), before="total = 1\nf(totl)", after="total = 1\nf(total)")
def misspelt_name(node: ast.AST, site: Site) -> Iterator[Edit]:
    """A name that nothing defines becomes the nearest one that something does."""
    assert isinstance(node, ast.Name)
    if not isinstance(node.ctx, ast.Load) or node.id in _BUILTINS or node.id in site.vocabulary.bound:
        return
    choices = [*dict.fromkeys([*_known(site), *dir(builtins)])]
    for place, name in enumerate(difflib.get_close_matches(node.id, choices, n=5, cutoff=0.5)):
        yield site.put(node, name, 0.1 * place)


@FAMILY.operator("attribute", cost=1.1, on=(ast.Attribute,), before="f(p.x)\ng(p.y)", after="f(p.y)\ng(p.y)")
def attribute(node: ast.AST, site: Site) -> Iterator[Edit]:
    """An attribute becomes another one that the file uses: first of the same value, then what is called as this is."""
    assert isinstance(node, ast.Attribute)
    parent = site.parent(node)
    called = isinstance(parent, ast.Call) and parent.func is node
    if is_self(node.value):
        names = [n for n in site.class_members() if (n in site.vocabulary.methods) == called and n != node.attr]
        yield from (_attribute(site, node, name, min(0.02 * place, 0.4)) for place, name in enumerate(names))
        return
    owner, used = site.text(node.value), site.around.once(facts.attributes_used, site.file.tree)
    own = [*used.get((owner, called), ()), *used.get((owner, not called), ())]
    near = site.around.once(facts.attributes_used, site.function).get(("", called), ()) if site.function else ()
    others = [] if owner in site.vocabulary.imported else [*near, *used.get(("", called), ())]
    kinds = TYPES.get(site.loose_ends.kinds.get(owner, ""), ())
    unfit = {name for name in others if kinds and not any(hasattr(kind, name) for kind in kinds)} - {*own}
    known = [name for name in dict.fromkeys((*own, *others)) if name != node.attr]
    for place, name in enumerate(sorted(known, key=lambda name: name in unfit)):
        extra = 0.0 if name in own else 0.5 if name in unfit else 0.2
        yield _attribute(site, node, name, extra + min(0.02 * place, 0.4))


@FAMILY.operator(
    "self-missing",
    cost=1.2,
    on=(ast.Name,),
    before=("class A:\n    def f(self):\n        self.n = 1\n        return n"),
    after="class A:\n    def f(self):\n        self.n = 1\n        return self.n",
)
def self_missing(node: ast.AST, site: Site) -> Iterator[Edit]:
    """A bare name becomes the attribute of the same name."""
    assert isinstance(node, ast.Name)
    if "self" in site.variables() and node.id in site.class_members() and not isinstance(node.ctx, ast.Del):
        yield site.put(node, f"self.{node.id}", 0.0 if node.id not in site.variables() else 0.2)


@FAMILY.operator(
    "self-dropped",
    cost=1.4,
    on=(ast.Attribute,),
    before=("def f(self, n):\n    return self.n"),
    after="def f(self, n):\n    return n",
)
def self_dropped(node: ast.AST, site: Site) -> Iterator[Edit]:
    """An attribute of self becomes the variable of the same name."""
    assert isinstance(node, ast.Attribute)
    if isinstance(node.value, ast.Name) and node.value.id == "self" and node.attr in site.variables():
        yield site.put(node, node.attr)


@FAMILY.operator(
    "assignment-target",
    cost=1.2,
    on=(ast.Assign, ast.AugAssign),
    before=("def f(a, b):\n    b = a + 1"),
    after="def f(a, b):\n    a = a + 1",
)
def assignment_target(node: ast.AST, site: Site) -> Iterator[Edit]:
    """A value goes into another variable or attribute."""
    assert isinstance(node, ast.Assign | ast.AugAssign)
    target = node.targets[0] if isinstance(node, ast.Assign) else node.target
    if isinstance(target, ast.Name):
        for name in site.variables():
            if name not in (target.id, "self", "cls"):
                yield site.put(target, name, 0.3)
    if isinstance(target, ast.Tuple):
        for a, b in itertools.combinations(target.elts[:4], 2):
            yield Edit((site.splice_for(a, site.text(b)), site.splice_for(b, site.text(a))))


@FAMILY.operator(
    "loop-variables-swapped",
    cost=1.4,
    on=(ast.For, ast.comprehension),
    before=("for a, b in c:\n    f()"),
    after="for b, a in c:\n    f()",
)
def loop_variables_swapped(node: ast.AST, site: Site) -> Iterator[Edit]:
    """Two variables of a loop change places."""
    assert isinstance(node, ast.For | ast.comprehension)
    names = node.target.elts if isinstance(node.target, ast.Tuple) else []
    for a, b in itertools.combinations(names[:4], 2):
        yield Edit((site.splice_for(a, site.text(b)), site.splice_for(b, site.text(a))))


@FAMILY.operator("variable-to-attribute", cost=1.7, on=(ast.Name,), before="f(a)\ng(a.x)", after="f(a.x)\ng(a.x)")
def variable_to_attribute(node: ast.AST, site: Site) -> Iterator[Edit]:
    """A variable becomes one of its attributes that the file uses, or loses one."""
    assert isinstance(node, ast.Name)
    parent = site.parent(node)
    if isinstance(parent, ast.Attribute):
        grandparent = site.parent(parent)
        if not (isinstance(grandparent, ast.Call) and grandparent.func is parent) and isinstance(parent.ctx, ast.Load):
            yield site.put(parent, node.id, 0.2)
        return
    if isinstance(node.ctx, ast.Load) and not (isinstance(parent, ast.Call) and parent.func is node):
        own = site.around.once(facts.attributes_by_name, site.file.tree).get(node.id, ())
        others = [name for name in site.vocabulary.attributes if name not in own][:4] if site.vocabulary.classes else []
        for place, name in enumerate((*own, *others)):
            if name not in site.vocabulary.methods:
                yield site.put(node, f"{node.id}.{name}", 0.0 if name in own else 0.2 + 0.05 * place)


@FAMILY.operator("constant-of-string", cost=1.9, on=(ast.Name,), before="f(name)", after="f('name')")
def constant_of_string(node: ast.AST, site: Site) -> Iterator[Edit]:
    """A name that nothing defines becomes the string of that name."""
    assert isinstance(node, ast.Name)
    if isinstance(node.ctx, ast.Load) and node.id not in site.vocabulary.bound and node.id not in _BUILTINS:
        yield site.put(node, repr(node.id))


def _attribute(site: Site, node: ast.Attribute, name: str, extra: float = 0.0) -> Edit:
    end = site.file.span(node)[1]
    return Edit((Splice(end - len(node.attr), end, name),), extra)

"""What one method does to an object, and another one takes back: put in and taken out, counted up and down."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from treadle.plugins.generation.search import facts
from treadle.plugins.generation.search.loose_ends import attribute_of_self
from treadle.plugins.generation.search.operators.operator import Family
from treadle.plugins.generation.search.operators.site import Site
from treadle.plugins.generation.search.source import Edit, SourceFile

FAMILY = Family()

_BACK = {ast.Add: "-=", ast.Sub: "+=", ast.Mult: "//=", ast.FloorDiv: "*=", ast.Div: "*="}
_AS_IT_IS = {ast.Add: "+=", ast.Sub: "-=", ast.Mult: "*=", ast.FloorDiv: "//=", ast.Div: "/="}
_COUNTERPARTS = {
    "append": ("remove", "pop"),
    "add": ("discard", "remove"),
    "appendleft": ("remove",),
    "remove": ("append", "add"),
    "discard": ("add",),
    "update": ("difference_update",),
}


@FAMILY.operator(
    "taken-back",
    cost=1.0,
    on=(ast.stmt,),
    before=(
        "class A:\n    def f(self, a):\n        self.b += a\n\n"
        "    def g(self, a):\n        self.c.remove(a)\n        return a"
    ),
    after=(
        "class A:\n    def f(self, a):\n        self.b += a\n\n"
        "    def g(self, a):\n        self.c.remove(a)\n        self.b -= a\n        return a"
    ),
)
def taken_back(node: ast.AST, site: Site) -> Iterator[Edit]:
    """What another method does to an attribute is done here as well, or taken back."""
    assert isinstance(node, ast.stmt)
    owner = site.file.class_of(node)
    if owner is None or site.function is None or not site.is_place(node):
        return
    known = {*site.variables()}
    if "self" not in known:
        return
    own = site.around.once(_targets, site.function)
    for target, names, texts in site.around.once(_done, owner):
        if target in own or not known.issuperset(names):
            continue
        sooner = 0.0 if not site.loose_ends.unread or set(names) & set(site.loose_ends.unread) else 0.3
        for place, text in enumerate(texts):
            yield from site.beside(node, (text,), sooner + 0.15 * place)


@FAMILY.operator(
    "counted-elsewhere",
    cost=1.1,
    on=(ast.AugAssign,),
    before="def f(a, b, c, d):\n    a[b] -= d",
    after="def f(a, b, c, d):\n    a[b] -= d\n    a[c] += d",
)
def counted_elsewhere(node: ast.AST, site: Site) -> Iterator[Edit]:
    """What is taken away in one place is added in another one, or the other way round."""
    assert isinstance(node, ast.AugAssign)
    if not isinstance(node.target, ast.Subscript | ast.Attribute) or type(node.op) not in _BACK:
        return
    target, value = site.text(node.target), site.text(node.value)
    if "\n" in target + value:
        return
    used = [name for name in facts.names_in(site.file, node.target) if name != "self"]
    unread = site.loose_ends.unread
    others = [name for name in site.variables() if name not in (*used, "self", value)]
    others.sort(key=lambda name: name not in unread)
    for name in used[-1:]:
        for place, other in enumerate(others[:4]):
            moved = re.sub(rf"\b{name}\b", other, target)
            for number, sign in enumerate((_BACK[type(node.op)], _AS_IT_IS[type(node.op)])):
                extra = 0.15 * number + 0.1 * place + (0.0 if other in unread else 0.3)
                yield from site.beside(node, (f"{moved} {sign} {value}",), extra)


def _targets(file: SourceFile, function: ast.AST) -> frozenset[str]:
    """The attributes that a function changes."""
    return frozenset(target for target, _, _ in _changes(file, function))


def _done(file: SourceFile, owner: ast.ClassDef) -> tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...]:
    """For each change of an attribute in a class: the attribute, the names that it takes, and statements that take it
    back or do it."""
    return tuple(dict.fromkeys(_changes(file, owner)))


def _changes(file: SourceFile, around: ast.AST) -> Iterator[tuple[str, tuple[str, ...], tuple[str, ...]]]:
    for node in _own_nodes(around):
        if isinstance(node, ast.AugAssign) and attribute_of_self(node.target) and type(node.op) in _BACK:
            target, value = file.text_of(node.target), _in_one_piece(file.text_of(node.value))
            signs = (_BACK[type(node.op)], _AS_IT_IS[type(node.op)])
            yield target, tuple(facts.names_in(file, node.value)), tuple(f"{target} {sign} {value}" for sign in signs)
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            call = node.value
            changed, arguments = call.func, call.args
            if not isinstance(changed, ast.Attribute) or not attribute_of_self(changed.value):
                continue
            if changed.attr in _COUNTERPARTS and len(arguments) == 1 and not call.keywords:
                target, value = file.text_of(changed.value), file.text_of(arguments[0])
                others = (*_COUNTERPARTS[changed.attr], changed.attr)
                texts = (f"{target}.{name}({'' if name == 'pop' else value})" for name in others)
                yield target, tuple(facts.names_in(file, arguments[0])), tuple(texts)


def _own_nodes(around: ast.AST) -> Iterator[ast.AST]:
    """What is inside, without what is inside of other classes, where `self` is another object."""
    left = [around]
    for node in left:  # which grows meanwhile
        yield node
        left += [each for each in ast.iter_child_nodes(node) if not isinstance(each, ast.ClassDef)]


def _in_one_piece(text: str) -> str:
    """The text of a value, which the lines may hang on parentheses of that are around it."""
    return f"({text})" if len(text.splitlines()) > 1 else text

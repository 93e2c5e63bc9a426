"""Updates: what a function or an object begins, is filled, counted on, kept as the best so far."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator

from treadle.plugins.generation.search import container_facts, facts
from treadle.plugins.generation.search.loose_ends import SIZED, is_empty, unmoved_attributes, unset_attributes
from treadle.plugins.generation.search.operators.made_conditions import (
    as_others,
    calls_of_unused,
    containers_of_self,
    nearest,
)
from treadle.plugins.generation.search.operators.operator import Family
from treadle.plugins.generation.search.operators.site import Site
from treadle.plugins.generation.search.scope import called_name, comprehension_names
from treadle.plugins.generation.search.source import Edit, SourceFile

FAMILY = Family()

_ADDERS = {
    "List": "append",
    "list": "append",
    "set": "add",
    "Set": "add",
    "deque": "append",
    "Dict": "[]",
    "dict": "[]",
}
_LOOPS = (ast.For, ast.AsyncFor, ast.While)


def _looped(node: ast.AST, site: Site) -> bool:
    return any(isinstance(a, _LOOPS) for a in site.file.ancestors(node))


def _adder(value: ast.expr) -> str:
    name = type(value).__name__
    if isinstance(value, ast.Call):
        name = called_name(value)
    return _ADDERS.get(name, "[]")


def _worth_keeping(site: Site) -> list[tuple[str, float]]:
    """Values that may go into a container, the likeliest first: unread names, names nearby, calls and sums of the
    function, pairs of names."""
    names = nearest(site)
    unread = [name for name in names if name in site.loose_ends.unread]
    found = [(name, 0.0) for name in unread] + [(name, 0.1) for name in names if name not in unread]
    found += [(f"({', '.join(unread)})", 0.1)] if len(unread) > 1 else []
    given = [name for name in (site.scope.parameters if site.scope else ()) if name not in ("self", "cls")]
    found += [(f"({', '.join(given)})", 0.1)] if len(given) > 1 and given != unread else []
    found += [(text, 0.2) for text in _parts_at_index(site, names)]
    found += [(f"int({n})", 0.35) for n in names[:5] if site.loose_ends.kinds.get(n) == "text"]
    found += [(text, 0.15) for name in unread for text in as_others(name, site)]
    found += [(text, 0.2) for text in calls_of_unused(site, names)]
    found += [(f"{a} + {b}", 0.1) for a in unread for b in names if a != b]
    found += [(e, 0.3) for e in (site.scope.expressions if site.scope else ())[:20]]
    found += [(f"({a}, {b})", 0.4) for a in names[:4] for b in names[:4] if a != b]
    found += [(f"{a} + {b}", 0.4) for a in names[:4] for b in names[:4] if a != b]
    return found


def _parts_at_index(site: Site, names: list[str]) -> list[str]:
    """Of what the function looks into, or goes through by number: the items at a number, and all up to it."""
    found = site.around.once(container_facts.indices, site.function) if site.function else None
    pairs = [(c, n) for n in names if found and n in found.counted for c in (*found.at.get(n, ()), *found.long)]
    forms = ("{}[{}]", "{}[:{}]", "{}[:{} + 1]", "{}[{}:]")
    return [form.format(*pair) for pair in dict.fromkeys(pairs) for form in forms][:12]


@FAMILY.operator(
    "filled",
    cost=1.4,
    on=(ast.stmt,),
    before="def f(a):\n    b = []\n    for c in a:\n        g(c)\n    return b",
    after="def f(a):\n    b = []\n    for c in a:\n        g(c)\n        b.append(c)\n    return b",
)
def filled(node: ast.AST, site: Site) -> Iterator[Edit]:
    """A container that is begun empty and never filled gets a value."""
    assert isinstance(node, ast.stmt)
    if not site.is_place(node):
        return
    begun = _begun(site)
    later = 0.0 if _looped(node, site) or isinstance(node, ast.Pass) else 0.5
    containers = site.loose_ends.unfilled
    if isinstance(node, ast.Pass):
        containers = (*containers, *(n for n, value in begun.items() if is_empty(value) and n not in containers))
    for name in containers:
        if name not in site.variables():
            continue
        adder = _adder(begun[name]) if name in begun else "append"
        asked = [
            (text, 0.0) for text in site.around.once(container_facts.memberships, site.functions()[-1]).get(name, ())
        ]
        values = [(v, extra) for v, extra in dict((*_worth_keeping(site), *asked)).items() if v != name]
        values.sort(key=lambda each: each[1])
        later = 0.0 if site.function is not site.functions()[-1] else later
        if adder != "[]":
            for value, extra in values:
                yield from site.beside(node, (f"{name}.{adder}({value})",), later + extra)
        else:
            keys = sorted(((v, extra) for v, extra in values if not v.startswith("(")), key=lambda each: each[1])
            most = 24 if isinstance(node, ast.Pass) else 12
            for key, extra in keys[:most]:
                for value, more in keys[:5]:
                    if key != value:
                        yield from site.beside(node, (f"{name}[{key}] = {value}",), later + extra + more)


@FAMILY.operator(
    "moved-on",
    cost=1.4,
    on=(ast.stmt,),
    before="def f(a):\n    b = 0\n    for c in a:\n        g(c)\n    return b",
    after="def f(a):\n    b = 0\n    for c in a:\n        g(c)\n        b += 1\n    return b",
)
def moved_on(node: ast.AST, site: Site) -> Iterator[Edit]:
    """A number or a truth value that is begun and never changed is counted on, kept as the best so far, or set."""
    assert isinstance(node, ast.stmt)
    if not site.is_place(node):
        return
    known = site.variables()
    unmoved = site.loose_ends.unmoved
    if isinstance(node, ast.Pass) and site.loose_ends.unread:  # a loop that does nothing with what it goes through
        unmoved = (*unmoved, *known)
    own = [(name, value) for name, value in _begun(site).items() if name in unmoved and name in known]
    owner = site.file.class_of(node)
    if owner is not None and "self" in known and getattr(site.function, "name", "") != "__init__":
        own += [(f"self.{name}", value) for name, value in site.around.once(_unmoved, owner).items()]
    for name, value in own:
        later = 0.0 if _looped(node, site) or isinstance(node, ast.Pass) or name.startswith("self.") else 0.6
        for text, extra in _updates(name, value, site):
            yield from site.beside(node, (text,), later + extra)


def _updates(name: str, begun: ast.expr, site: Site) -> Iterator[tuple[str, float]]:
    others = [other for other in nearest(site) if other != name]
    expressions = [e for e in (site.scope.expressions if site.scope else ())[:12] if name not in e]
    if isinstance(begun, ast.Constant) and isinstance(begun.value, bool):
        yield f"{name} = {not begun.value}", 0.0
        yield f"{name} = not {name}", 0.1
        return
    if isinstance(begun, ast.Constant) and begun.value is None:
        yield from ((f"{name} = {other}", 0.1) for other in others)
        yield from ((f"{name} = ({a}, {b})", 0.4) for a in others[:5] for b in others[:5] if a != b)
        yield from ((f"{name} = {e}", 0.4) for e in expressions)
        return
    if is_empty(begun):
        adder = _adder(begun)
        kept = itertools.islice(_worth_keeping(site) if adder != "[]" else (), 24)
        yield from ((f"{name}.{adder}({value})", 0.2 + extra) for value, extra in kept if value != name)
        return
    yield f"{name} += 1", 0.0
    for other in others:
        yield f"{name} += {other}", 0.1
        yield f"{name} = {other}", 0.2
        yield f"{name} = max({name}, {other})", 0.2
        yield f"{name} = min({name}, {other})", 0.25
        yield f"{name} -= {other}", 0.3
        yield f"{name} *= {other}", 0.3
    yield f"{name} -= 1", 0.2
    for place, length in enumerate(_lengths(name, others, site)):
        yield f"{name} = ({name} + 1) % {length}", 0.25 + 0.05 * place
    unread = [other for other in others if other in site.loose_ends.unread]
    made_alike = (text for other in unread for text in as_others(other, site) if text != name)
    for text in (*made_alike, *calls_of_unused(site, others)):
        yield f"{name} += {text}", 0.3
    for expression in expressions:
        yield f"{name} += {expression}", 0.4
        yield f"{name} = {expression}", 0.45
    for a in others[:5]:
        yield from ((f"{name} += {a} {sign} {b}", 0.5) for b in others[:5] if a != b for sign in ("*", "-", "+"))


def _lengths(name: str, others: list[str], site: Site) -> list[str]:
    """After how many a counter may begin again."""
    kinds = site.loose_ends.kinds
    members = [each for each in site.class_members() if each not in site.vocabulary.methods]
    own = [f"self.{each}" for each in members if f"self.{each}" != name] if name.startswith("self.") else []
    sized = [each for each in others if kinds.get(each) in SIZED]
    numbers = [each for each in others if kinds.get(each) == "number"]
    return [*numbers[:2], *(f"len({each})" for each in (*sized[:1], *containers_of_self(site)[:1])), *own[:3]]


@FAMILY.operator(
    "best-so-far",
    cost=1.9,
    on=(ast.stmt,),
    before="def f(a):\n    b = 0\n    for c in a:\n        b = g(b)\n    return b",
    after="def f(a):\n    b = 0\n    for c in a:\n        b = g(b)\n        b = max(b, c)\n    return b",
)
def best_so_far(node: ast.AST, site: Site) -> Iterator[Edit]:
    """A variable of a loop keeps the greatest or the least of itself and another one."""
    assert isinstance(node, ast.stmt)
    if not site.is_place(node) or not _looped(node, site):
        return
    kinds = site.loose_ends.kinds
    numbers = [n for n in nearest(site) if kinds.get(n, "") in ("", "number")][:6]
    for name in numbers:
        for other in numbers:
            if name != other and name in _begun(site):
                yield from site.beside(node, (f"{name} = max({name}, {other})",))
                yield from site.beside(node, (f"{name} = min({name}, {other})",), 0.2)


@FAMILY.operator(
    "attribute-set",
    cost=0.9,
    on=(ast.stmt,),
    before="class A:\n    def __init__(self, b):\n        self.c = 1\n\n    def f(self):\n        return self.b",
    after=(
        "class A:\n    def __init__(self, b):\n        self.c = 1\n        self.b = b\n\n"
        "    def f(self):\n        return self.b"
    ),
)
def attribute_set(node: ast.AST, site: Site) -> Iterator[Edit]:
    """An attribute that the class reads and never sets is set: to the parameter of its name, to zero, None or empty."""
    assert isinstance(node, ast.stmt)
    owner = site.file.class_of(node)
    if owner is None or site.function is None or not site.is_place(node):
        return
    parameters = site.around.scope(site.function).parameters
    if not any(node is s for s in site.function.body[-1:]) or "self" not in parameters:
        return
    for name in site.around.once(_unset, owner):
        same = [p for p in parameters if p in (name, name.lstrip("_"))]
        values = [(p, 0.0) for p in same]
        if site.function.name == "__init__":
            values += [(text, 0.2) for text in ("0", "[]", "{}", "None", "set()", "False")]
            values += [(p, 0.3) for p in parameters if p not in ("self", *same)]
        for value, extra in values:
            edit = site.insert_after(node, (f"self.{name} = {value}",), extra)
            if edit is not None:
                yield edit


@FAMILY.operator(
    "entry-begun",
    cost=1.6,
    on=(ast.stmt,),
    before="def f(a):\n    b = {}\n    for c in a:\n        b[c].append(a[c])\n    return b",
    after=(
        "def f(a):\n    b = {}\n    for c in a:\n        b.setdefault(c, [])\n        b[c].append(a[c])\n    return b"
    ),
)
def entry_begun(node: ast.AST, site: Site) -> Iterator[Edit]:
    """The entry of a dictionary that is looked up gets a first value: empty, or zero."""
    assert isinstance(node, ast.stmt)
    if not site.is_place(node):
        return
    wanted = 0.0 if {"KeyError", "IndexError"} & set(site.hints.raised) else 0.8
    seen: dict[tuple[str, str], ast.expr] = {}
    for inner in ast.walk(node):
        if isinstance(inner, ast.Subscript) and isinstance(inner.value, ast.Name | ast.Attribute):
            if _is_of_slices(inner.slice) or comprehension_names(site.file, inner):
                continue
            seen.setdefault((site.text(inner.value), site.text(inner.slice)), inner.slice)
    known = {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    for (container, key), index in list(seen.items())[:4]:
        if not known.isdisjoint(facts.names_in(site.file, index)):
            continue
        for place, value in enumerate(("[]", "{}", "0", "set()")):
            extra = wanted + 0.05 * place
            edits = (
                site.insert_before(node, (f"{container}.setdefault({key}, {value})",), extra),
                site.insert_before(node, (f"{container}[{key}] = {value}",), extra + 0.1),
            )
            yield from (edit for edit in edits if edit is not None)


@FAMILY.operator(
    "entry-added-to",
    cost=1.1,
    on=(ast.Assign,),
    before="for a, b in c:\n    d[a] = b",
    after="for a, b in c:\n    d[a] = d.get(a, 0) + b",
)
def entry_added_to(node: ast.AST, site: Site) -> Iterator[Edit]:
    """What is put into the entry of a dictionary is added to what is there."""
    assert isinstance(node, ast.Assign)
    target = node.targets[0]
    if not isinstance(target, ast.Subscript) or _is_of_slices(target.slice) or not _looped(node, site):
        return
    container, key, value = site.grouped(target.value, 16), site.text(target.slice), site.grouped(node.value, 12)
    if f"{container}[{key}]" in value or f"{container}.get(" in value:
        return
    yield site.put(node.value, f"{container}.get({key}, 0) + {value}")
    yield site.put(node.value, f"{container}.get({key}, []) + [{site.text(node.value)}]", 0.1)
    yield site.put(node.value, f"max({container}.get({key}, 0), {site.text(node.value)})", 0.2)


@FAMILY.operator(
    "entry-dropped",
    cost=1.5,
    on=(ast.AugAssign,),
    before="for a in c:\n    d[a] -= 1",
    after="for a in c:\n    d[a] -= 1\n    if d[a] == 0:\n        del d[a]",
)
def entry_dropped(node: ast.AST, site: Site) -> Iterator[Edit]:
    """The entry of a dictionary goes when nothing is left of it."""
    assert isinstance(node, ast.AugAssign)
    if not isinstance(node.target, ast.Subscript) or not isinstance(node.op, ast.Sub):
        return
    entry, step = site.text(node.target), site.step_of_indent()
    for place, condition in enumerate((f"{entry} == 0", f"{entry} <= 0")):
        if edit := site.insert_after(node, (f"if {condition}:", f"{step}del {entry}"), 0.1 * place):
            yield edit


def _is_of_slices(index: ast.expr) -> bool:
    """Whether the index is a slice, or has one among others, so that it can't be a key: `a[:, 0]`."""
    parts = index.elts if isinstance(index, ast.Tuple) else [index]
    return any(isinstance(part, ast.Slice | ast.Starred) for part in parts)


def _begun(site: Site) -> dict[str, ast.expr]:
    """What each variable of the function, and of those around it, is first assigned."""
    found: dict[str, ast.expr] = {}
    for function in reversed(site.functions()):
        found |= site.around.once(facts.begun, function)
    return found


def _unmoved(file: SourceFile, owner: ast.ClassDef) -> dict[str, ast.expr]:
    return unmoved_attributes(owner)


def _unset(file: SourceFile, owner: ast.ClassDef) -> tuple[str, ...]:
    return unset_attributes(owner)

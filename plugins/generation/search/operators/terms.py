"""Parts of an expression that are missing: a term, a default, a bound, another value in one case."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from treadle.plugins.generation.search import container_facts, facts
from treadle.plugins.generation.search.loose_ends import kind_of
from treadle.plugins.generation.search.operators.calls import siblings
from treadle.plugins.generation.search.operators.index_slice import may_be_place
from treadle.plugins.generation.search.operators.made_conditions import conditions, nearest
from treadle.plugins.generation.search.operators.operator import Family
from treadle.plugins.generation.search.operators.site import Site
from treadle.plugins.generation.search.source import Edit, Splice

FAMILY = Family()

_HOLD_NUMBERS = (
    *(ast.Return, ast.Assign, ast.AugAssign, ast.BinOp, ast.IfExp, ast.Tuple, ast.Yield),
    *(ast.ListComp, ast.SetComp, ast.GeneratorExp),
)
_ONE_MORE = frozenset({"0", "1", "-1"})
_USUAL = ("2", "10", "100", "60", "26", "7", "12", "24", "1000")
_SEPARATORS = ("' '", "', '", "','", "'\\n'", "'-'")
_LONGEST_SEPARATOR = 3
_NEAR = 0.2
_STEPS = {"+": 12, "-": 12, "*": 13, "//": 13, "%": 13, "/": 13}


def _may_be_number(node: ast.AST, site: Site) -> bool:
    if not isinstance(node, ast.Name | ast.Call | ast.BinOp | ast.Attribute | ast.Subscript):
        return False
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice):
        return False
    return kind_of(node, site.loose_ends.kinds) in ("", "number")


def _is_whole(node: ast.AST, site: Site) -> bool:
    """Whether the node is what a statement, a call, an index or an operation takes, and no name of a function."""
    parent = site.parent(node)
    if isinstance(parent, ast.Call):
        takes_numbers = not isinstance(parent.func, ast.Name) or parent.func.id not in ("len", "sorted", "list", "set")
        return parent.func is not node and takes_numbers
    if isinstance(parent, ast.Compare):
        return not isinstance(parent.ops[0], ast.In | ast.NotIn | ast.Is | ast.IsNot)
    if isinstance(parent, ast.Subscript):
        return parent.slice is node
    return isinstance(parent, _HOLD_NUMBERS)


def _terms(site: Site) -> list[tuple[str, float]]:
    """What may be added to a number, the likeliest first."""
    kinds = site.loose_ends.kinds
    unread = site.loose_ends.unread
    names = [n for n in nearest(site) if kinds.get(n, "") in ("", "number")]
    found = {n: 0.0 if n in unread else 0.1 for n in names}
    function = site.function
    read = site.around.once(facts.attributes_of_self, function) if function else ()
    attributes = dict.fromkeys(f"self.{name}" for name in read if name not in site.vocabulary.methods)
    for number in site.around.once(facts.numbers, function) if function else ():
        if number not in _ONE_MORE:
            found.setdefault(number, 0.1)
    if "self" in site.variables():
        others = (f"self.{name}" for name in site.class_members() if name not in site.vocabulary.methods)
        attributes.update(dict.fromkeys(others))
    for place, attribute in enumerate(attributes):
        found.setdefault(attribute, 0.15 + 0.03 * place)
    for value in site.vocabulary.numbers:
        if repr(value) not in _ONE_MORE:
            found.setdefault(repr(value), 0.25)
    if "math" in site.vocabulary.imported:
        found.setdefault("math.pi", 0.3)
    for number in _USUAL:
        found.setdefault(number, 0.35)
    for name in nearest(site):
        if kinds.get(name, "") in ("list", "text", "dict", "set"):
            found.setdefault(f"len({name})", 0.3)
    return sorted(found.items(), key=lambda each: each[1])[:14]


@FAMILY.operator(
    "term-added",
    cost=1.7,
    on=(ast.Name, ast.Call, ast.BinOp, ast.Attribute, ast.Subscript, ast.Constant),
    before="def f(a, b):\n    c = b\n    return a",
    after="def f(a, b):\n    c = b\n    return a + b",
)
def term_added(node: ast.AST, site: Site) -> Iterator[Edit]:
    """A number gets one more term or factor: a variable, a number of the function or a usual one."""
    assert isinstance(node, ast.expr)
    if not isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
        return
    if isinstance(node, ast.Constant) and type(node.value) is int and isinstance(site.parent(node), ast.Call):
        for name in nearest(site):
            if site.loose_ends.kinds.get(name, "") in ("", "number"):
                yield site.put(node, f"{name} + {site.text(node)}", 0.2)
    if not _may_be_number(node, site) or not _is_whole(node, site) or len(site.text(node)) > 60:
        return
    text, parent = site.text(node), site.parent(node)
    inside = 0.2 if isinstance(parent, ast.BinOp | ast.Tuple | ast.IfExp) else 0.0
    summed = isinstance(parent, ast.BinOp) and isinstance(parent.op, ast.Add | ast.Sub)
    for term, extra in _terms(site):
        if term == text:
            continue
        for sign, level in _STEPS.items():
            if summed and level == 12:
                continue  # the whole sum is another place
            if term.isdigit() and sign in ("+", "-"):
                continue
            if sign in ("//", "%", "/") and not term.isdigit() and extra > _NEAR:
                continue
            yield site.put(node, f"{site.grouped(node, level)} {sign} {term}", inside + extra + _rare(sign, term, site))
        if term.isdigit() or summed or isinstance(parent, ast.Subscript):
            yield site.put(node, f"{term} - {site.grouped(node, 13)}", inside + extra + 0.3)


def _rare(sign: str, term: str, site: Site) -> float:
    """How much more seldom this operation with a term is what was meant than the most frequent one."""
    if term.isdigit():
        return {"*": 0.0, "%": 0.05, "//": 0.1, "/": 0.15}[sign]
    return 0.0 if sign == "/" and site.hints.has_fractions else 0.1 * list(_STEPS).index(sign)


@FAMILY.operator(
    "next-of-series",
    cost=1.6,
    on=(ast.Subscript,),
    before="a = b[-1] + b[-2]",
    after="a = b[-1] + b[-2] + b[-3]",
)
def next_of_series(node: ast.AST, site: Site) -> Iterator[Edit]:
    """To an item, the one that comes next to it is added; to all behind a place, those before it."""
    assert isinstance(node, ast.Subscript)
    if not isinstance(node.ctx, ast.Load):
        return
    owner, text = site.text(node.value), site.text(node)
    if isinstance(node.slice, ast.Slice):
        bound = site.text(node.slice.lower) if node.slice.lower else ""
        if bound and node.slice.upper is None:
            yield site.put(node, f"{text} + {owner}[:{bound}]")
            yield site.put(node, f"{text} + {owner}[0]", 0.1)
        return
    if not may_be_place(node.slice, site):
        return
    parent, end = site.parent(node), site.file.span(node)[1]
    summed = isinstance(parent, ast.BinOp) and isinstance(parent.op, ast.Add)
    for place, step in enumerate((-1, 1)):
        item = f"{owner}[{site.moved(node.slice, step)}]"
        if summed:
            yield Edit((Splice(end, end, f" + {item}"),), 0.1 * place)
        for number, sign in enumerate(("+", "-", "*") if not summed else ()):
            yield site.put(node, f"{text} {sign} {item}", 0.1 * place + 0.2 * number)


@FAMILY.operator(
    "joined-with-source",
    cost=1.6,
    on=(ast.ListComp,),
    before="def f(a):\n    return [g(b) for b in a]",
    after="def f(a):\n    return a + [g(b) for b in a]",
)
def joined_with_source(node: ast.AST, site: Site) -> Iterator[Edit]:
    """What a list is made of stays, and the new list is joined to it."""
    assert isinstance(node, ast.ListComp)
    source = node.generators[0].iter
    if isinstance(source, ast.Name | ast.Attribute):
        yield site.put(node, f"{site.text(source)} + {site.text(node)}")
        yield site.put(node, f"{site.text(node)} + {site.text(source)}", 0.1)


@FAMILY.operator(
    "divided-by-count",
    cost=1.4,
    on=(ast.Call, ast.Name),
    before="def f(a):\n    return sum(a)",
    after="def f(a):\n    return sum(a) / len(a)",
)
def divided_by_count(node: ast.AST, site: Site) -> Iterator[Edit]:
    """A sum, or a number that is returned, is divided by how many there are of what the function goes through."""
    assert isinstance(node, ast.Call | ast.Name)
    summed = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "sum"
    returned = isinstance(site.parent(node), ast.Return) and _may_be_number(node, site)
    if site.function is None or not (summed or returned):
        return
    for place, container in enumerate(site.around.once(container_facts.counted, site.function)):
        for sign, more in (("/", 0.0), ("//", 0.1)):
            yield site.put(node, f"{site.text(node)} {sign} len({container})", 0.1 * place + more)


@FAMILY.operator(
    "bounded",
    cost=2.1,
    on=(ast.Name, ast.Call, ast.BinOp, ast.Attribute, ast.Subscript),
    before="def f(a, b):\n    c = b\n    return a",
    after="def f(a, b):\n    c = b\n    return min(a, b)",
)
def bounded(node: ast.AST, site: Site) -> Iterator[Edit]:
    """A number is kept from going above or below another one."""
    assert isinstance(node, ast.expr)
    if not isinstance(getattr(node, "ctx", ast.Load()), ast.Load) or not _may_be_number(node, site):
        return
    holders = ast.Return | ast.Assign | ast.Call | ast.BinOp | ast.Tuple
    if not isinstance(site.parent(node), holders) or not _is_whole(node, site):
        return
    text = site.text(node)
    target = site.statement.targets[0] if isinstance(site.statement, ast.Assign) else None
    others = [(t, 0.0) for t in _compared_around(site)]
    others += [(t, extra) for t, extra in _terms(site) if not t.isdigit()] + [("0", 0.1), ("1", 0.2)]
    if target is not None and node is getattr(site.statement, "value", None):
        others.insert(0, (site.text(target), 0.0))
    for other, extra in others:
        if other != text:
            for place, name in enumerate(("min", "max")):
                yield site.put(node, f"{name}({text}, {other})", extra + 0.05 * place)


def _compared_around(site: Site) -> list[str]:
    """What the conditions compare under which the statement is."""
    heads = (a for a in site.file.ancestors(site.statement) if isinstance(a, ast.If))
    sides = (
        side
        for head in heads
        for each in ast.walk(head.test)
        if isinstance(each, ast.Compare)
        for side in (each.left, *each.comparators)
    )
    return [site.text(side) for side in sides if not isinstance(side, ast.Constant) and _may_be_number(side, site)][:4]


@FAMILY.operator(
    "separated",
    cost=1.3,
    on=(ast.AugAssign,),
    before='def f(a):\n    b = ""\n    for c in a:\n        b += c\n    return b',
    after='def f(a):\n    b = ""\n    for c in a:\n        b += " " + c\n    return b',
)
def separated(node: ast.AST, site: Site) -> Iterator[Edit]:
    """What is put behind a text is separated from it."""
    assert isinstance(node, ast.AugAssign)
    is_text = isinstance(node.target, ast.Name) and site.loose_ends.kinds.get(node.target.id) == "text"
    if not is_text or not isinstance(node.op, ast.Add):
        return
    own = [repr(text) for text in site.vocabulary.strings if 0 < len(text) <= _LONGEST_SEPARATOR and not text.isalnum()]
    for place, separator in enumerate(dict.fromkeys((*own, *_SEPARATORS))):
        written = separator.replace("'", '"') if '"' not in separator else separator
        value = site.grouped(node.value, 12)
        yield site.put(node.value, f"{written} + {value}", 0.05 * place)
        yield site.put(node.value, f"{value} + {written}", 0.05 * place + 0.05)


@FAMILY.operator(
    "default-of-lookup",
    cost=1.2,
    on=(ast.Subscript,),
    before="a = b[c] + 1",
    after="a = b.get(c, 0) + 1",
)
def default_of_lookup(node: ast.AST, site: Site) -> Iterator[Edit]:
    """What is looked up and may not be there has a default: zero, empty, None, or a parameter."""
    assert isinstance(node, ast.Subscript)
    if not isinstance(node.ctx, ast.Load) or isinstance(node.slice, ast.Slice | ast.Tuple | ast.UnaryOp):
        return
    wanted = 0.0 if "KeyError" in site.hints.raised else 0.9
    names = [n for n in nearest(site) if n == "default"]
    for place, default in enumerate((*names, "0", "()", "[]", "None", '""', "{}", "1", "False")):
        called = f"{site.grouped(node.value, 16)}.get({site.text(node.slice)}, {default})"
        yield site.put(node, called, wanted + 0.05 * place)


@FAMILY.operator(
    "other-in-one-case",
    cost=1.7,
    on=(ast.Name, ast.Call, ast.BinOp, ast.Attribute, ast.Subscript, ast.Constant),
    before="def f(a):\n    return g(a)",
    after="def f(a):\n    return g(a) if a else None",
)
def other_in_one_case(node: ast.AST, site: Site) -> Iterator[Edit]:
    """A value gives way to another one under a condition."""
    assert isinstance(node, ast.expr)
    parent = site.parent(node)
    returned = isinstance(parent, ast.Return | ast.Assign)
    if not (returned or isinstance(parent, ast.ListComp | ast.GeneratorExp)) or len(site.text(node)) > 60:
        return
    if isinstance(parent, ast.Assign) and node is not parent.value:
        return
    if isinstance(parent, ast.ListComp | ast.GeneratorExp) and node is not parent.elt:
        return
    text = site.text(node)
    kind = kind_of(node, site.loose_ends.kinds)
    others = ["None"] if kind != "number" else []
    others += [f"-{site.grouped(node, 14)}"] if kind in ("", "number") else []
    others += [n for n in nearest(site) if n != text][:3]
    others += ["None"] if kind == "number" else []
    others += {'"1"': ['"0"'], '"0"': ['"1"']}.get(text, [])
    others += {"number": ["0"], "text": ['""'], "list": ["[]"], "truth": ["False"]}.get(kind, ["0", '""', "[]"])
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        spoken_of = site.around.once(facts.names_in, site.file.tree)
        unused = [n for n in siblings(node.func.id) if n in site.vocabulary.imported and n not in spoken_of]
        others[:0] = [text.replace(node.func.id, name, 1) for name in unused]
    phrases = [e for e in (site.scope.expressions if site.scope else ()) if e != text and len(e) < 30][:4]
    spoken = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
    found = conditions(site, most=60)
    near = [(c, e) for c, e in found if spoken & set(re.findall(r"\w+", c)) or isinstance(node, ast.Constant)]
    far = [(c, e + 0.3) for c, e in found if (c, e) not in near]
    unread = site.loose_ends.unread
    for condition, extra in (*near[:24], *far[:8]):
        sooner = 0.0 if unread and not set(re.findall(r"\w+", condition)).isdisjoint(unread) else 0.5
        for place, other in enumerate((*others, *phrases)):
            more = sooner + extra + 0.06 * place
            yield site.put(node, f"{text} if {condition} else {other}", more)
            if isinstance(node, ast.Name | ast.Constant):
                yield site.put(node, f"{other} if {condition} else {text}", more + 0.05)


@FAMILY.operator(
    "factor-of-ratio",
    cost=1.8,
    on=(ast.BinOp,),
    before="a = b / c",
    after="a = 100 * b / c",
)
def factor_of_ratio(node: ast.AST, site: Site) -> Iterator[Edit]:
    """A ratio is given in hundredths, or no longer."""
    assert isinstance(node, ast.BinOp)
    if isinstance(node.op, ast.Div | ast.FloorDiv):
        yield site.put(node, f"100 * {site.grouped(node, 13)}")

"""Indices, slices and ranges."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from treadle.plugins.generation.search import container_facts
from treadle.plugins.generation.search.loose_ends import kind_of
from treadle.plugins.generation.search.operators.operator import Family
from treadle.plugins.generation.search.operators.site import Site
from treadle.plugins.generation.search.operators.wrapping import is_gone_through
from treadle.plugins.generation.search.source import Edit, Splice

FAMILY = Family()

_ASKED_OF_TEXTS = frozenset({"isalpha", "isdigit", "isalnum", "isupper", "islower", "isspace", "upper", "lower"})
"""What is asked of a whole text, and often meant of its first or last character."""


@FAMILY.operator("index-pair-swapped", cost=1.1, on=(ast.Subscript,), before="a[i][j]", after="a[j][i]")
def index_pair_swapped(node: ast.AST, site: Site) -> Iterator[Edit]:
    """Two indices in a row change places."""
    assert isinstance(node, ast.Subscript)
    if isinstance(node.value, ast.Subscript) and not isinstance(node.slice, ast.Slice):
        first, second = node.value.slice, node.slice
        if not isinstance(first, ast.Slice):
            yield Edit((site.splice_for(first, site.text(second)), site.splice_for(second, site.text(first))))
    elif isinstance(node.slice, ast.Tuple) and len(node.slice.elts) == 2:
        first, second = node.slice.elts
        yield Edit((site.splice_for(first, site.text(second)), site.splice_for(second, site.text(first))))


@FAMILY.operator("index-other-end", cost=0.85, on=(ast.Subscript,), before="a[0]", after="a[-1]")
def index_other_end(node: ast.AST, site: Site) -> Iterator[Edit]:
    """The first element becomes the last, and the other way round."""
    assert isinstance(node, ast.Subscript)
    text = site.text(node.slice)
    other = {"0": ("-1",), "-1": ("0", "-2"), "1": ("-1",), "-2": ("-1",)}.get(text, ())
    owner = site.text(node.value)
    for index in other:
        yield site.put(node.slice, index, 0.0 if f"{owner}[{index}]" in site.file.text else 0.35)
    if not other and isinstance(node.slice, ast.Name):
        yield site.put(node.slice, f"-{text}", 0.85)
        yield site.put(node.slice, f"-{text} - 1", 0.95)


@FAMILY.operator("index-dropped", cost=1.3, on=(ast.Subscript,), before="f(a[0])", after="f(a)")
def index_dropped(node: ast.AST, site: Site) -> Iterator[Edit]:
    """An index or slice is taken away."""
    assert isinstance(node, ast.Subscript)
    if isinstance(node.ctx, ast.Load):
        yield site.put(node, site.text(node.value), 0.0 if isinstance(node.slice, ast.Slice) else 0.5)


@FAMILY.operator(
    "index-added", cost=1.8, on=(ast.Name, ast.Call, ast.Subscript, ast.ListComp), before="f(a)", after="f(a[0])"
)
def index_added(node: ast.AST, site: Site) -> Iterator[Edit]:
    """The first, the last or a named element is taken instead of the whole, or the whole is reversed or shortened."""
    assert isinstance(node, ast.expr)
    parent = site.parent(node)
    if isinstance(parent, ast.Attribute) and parent.attr in _ASKED_OF_TEXTS and isinstance(node, ast.Name):
        for place, index in enumerate(("0", "-1")):
            yield site.put(node, f"{node.id}[{index}]", 0.05 * place)
    if (isinstance(parent, ast.Call) and parent.func is node) or isinstance(parent, ast.Expr | ast.Attribute):
        return
    if not isinstance(getattr(node, "ctx", ast.Load()), ast.Load) or isinstance(parent, ast.Subscript):
        return
    if isinstance(parent, ast.Compare | ast.BinOp) and isinstance(node, ast.Call):
        return
    is_whole = isinstance(parent, ast.Return) or is_gone_through(node, site)
    for place, index in enumerate(("0", "-1", "1", "::-1", "1:", ":-1", ":")):
        seldom = 0.0 if is_whole and ":" in index else 0.4
        yield site.put(node, f"{site.text(node)}[{index}]", 0.05 * place + seldom)
    for name in site.variables():
        if name not in (site.text(node), "self", "cls"):
            yield site.put(node, f"{site.text(node)}[{name}]", 0.8)


@FAMILY.operator(
    "item-of-index",
    cost=1.3,
    on=(ast.Name,),
    before="def f(a):\n    for i in range(len(a)):\n        g(i)",
    after="def f(a):\n    for i in range(len(a)):\n        g(a[i])",
)
def item_of_index(node: ast.AST, site: Site) -> Iterator[Edit]:
    """Where an index stands, the item at it is taken, of what the function looks into."""
    assert isinstance(node, ast.Name)
    if site.function is None or not isinstance(node.ctx, ast.Load) or isinstance(site.parent(node), ast.Subscript):
        return
    containers = _looked_into(site, node.id)
    for place, text in enumerate(containers):
        yield site.put(node, f"{text}[{node.id}]", 0.1 * place)


def _looked_into(site: Site, index: str) -> list[str]:
    """What the function looks into at this index, then what it takes the length of or never reads; nothing for a name
    that is no index."""
    if site.function is None:
        return []
    found = site.around.once(container_facts.indices, site.function)
    at_it = found.at.get(index, ())
    others = (*found.long, *site.loose_ends.unread) if at_it or index in found.counted else ()
    return [text for text in dict.fromkeys((*at_it, *others)) if text != index][:4]


@FAMILY.operator(
    "other-part",
    cost=1.5,
    on=(ast.Name, ast.Attribute),
    before="b = a[:k]\nf(a)",
    after="b = a[:k]\nf(a[k:])",
)
def other_part(node: ast.AST, site: Site) -> Iterator[Edit]:
    """Of what is cut elsewhere, the other part stands in place of the whole."""
    assert isinstance(node, ast.Name | ast.Attribute)
    if not isinstance(node.ctx, ast.Load) or isinstance(site.parent(node), ast.Subscript | ast.Attribute):
        return
    for lower, upper in site.around.once(container_facts.cuts, site.function or site.file.tree).get(
        site.text(node), ()
    ):
        yield site.put(node, f"{site.text(node)}[{upper}:{lower}]")


def may_be_place(index: ast.expr, site: Site) -> bool:
    """Whether an index may be a number, and not a key."""
    return kind_of(index, site.loose_ends.kinds) in ("", "number")


@FAMILY.operator("index-to-slice", cost=1.5, on=(ast.Subscript,), before="a[i]", after="a[:i]")
def index_to_slice(node: ast.AST, site: Site) -> Iterator[Edit]:
    """Where one item is taken, all before it or behind it are, with it or without it."""
    assert isinstance(node, ast.Subscript)
    if not isinstance(node.ctx, ast.Load) or isinstance(node.slice, ast.Slice) or not may_be_place(node.slice, site):
        return
    text, more = site.text(node.slice), site.moved(node.slice, 1)
    for place, part in enumerate((f":{text}", f"{text}:", f":{more}", f"{more}:")):
        yield Edit((Splice(*site.file.span(node.slice), part),), 0.05 * place)


@FAMILY.operator("slice-bound", cost=1.4, on=(ast.Slice,), before="a[i:j]", after="a[i:j + 1]")
def slice_bound(node: ast.AST, site: Site) -> Iterator[Edit]:
    """A bound of a slice moves by one, is dropped or added; the slice is reversed."""
    assert isinstance(node, ast.Slice)
    parts = [_part(site, node.lower), _part(site, node.upper), _part(site, node.step)]
    for index in (0, 1):
        bound = (node.lower, node.upper)[index]
        if bound is None:
            choices = ["1"] if index == 0 else ["-1"]
            extra = 0.2
        else:
            choices = [site.moved(bound, 1), site.moved(bound, -1), ""]
            extra = 0.0
        for choice in choices:
            yield _slice(site, node, [*parts[:index], choice, *parts[index + 1 :]], extra + (0.0 if choice else 0.2))
    if node.lower is not None and node.upper is not None:
        yield _slice(site, node, [parts[0], f"{site.grouped(node.lower, 12)} + {parts[1]}", parts[2]], 0.1)
    if node.lower is not None and node.upper is None:
        yield _slice(site, node, ["", parts[0], parts[2]], 0.2)
    if node.upper is not None and node.lower is None:
        yield _slice(site, node, [parts[1], "", parts[2]], 0.2)
    if parts == ["", "-1", ""]:
        yield _slice(site, node, ["", "", "-1"], 0.0)
    if node.step is not None:
        yield _slice(site, node, [parts[0], parts[1], ""], 0.1)
    else:
        for step in ("-1", "2"):
            yield _slice(site, node, [parts[0], parts[1], step], 0.4)


@FAMILY.operator("range-bound", cost=1.3, on=(ast.Call,), before="range(n)", after="range(n + 1)")
def range_bound(node: ast.AST, site: Site) -> Iterator[Edit]:
    """A bound of a range moves by one; a range begins at one or at zero; a step is dropped or turned round."""
    assert isinstance(node, ast.Call)
    if not isinstance(node.func, ast.Name) or node.func.id != "range" or not 1 <= len(node.args) <= 3:
        return
    last = node.args[0] if len(node.args) == 1 else node.args[1]
    yield site.put(last, site.moved(last, 1))
    yield site.put(last, site.moved(last, -1))
    if len(node.args) == 1:
        start = site.file.grouped_span(last)[0]
        yield Edit((Splice(start, start, "1, "),))
        yield Edit((Splice(start, start, "1, "), site.splice_for(last, site.moved(last, 1))), 0.1)
        yield Edit((Splice(start, start, "2, "),), 0.3)
        text = site.text(last)
        yield site.put(last, f"{site.moved(last, -1)}, -1, -1", 0.4)
        if isinstance(last, ast.Name | ast.Attribute):
            yield site.put(last, f"len({text})", 0.2)
        return
    first = node.args[0]
    yield site.put(first, site.moved(first, 1))
    yield site.put(first, site.moved(first, -1))
    yield Edit((Splice(site.file.grouped_span(first)[0], site.file.grouped_span(last)[0], ""),), 0.2)
    if len(node.args) == 3:
        step = node.args[2]
        yield Edit((Splice(site.file.grouped_span(last)[1], site.file.grouped_span(step)[1], ""),), 0.2)
        yield site.put(step, f"-{site.grouped(step, 14)}", 0.2)
    else:
        end = site.file.grouped_span(last)[1]
        yield Edit((Splice(end, end, ", -1"),), 0.3)
        yield Edit((Splice(end, end, ", 2"),), 0.4)
    one_less = (site.splice_for(first, site.moved(first, -1)), site.splice_for(last, site.moved(last, -1)))
    yield Edit(one_less, 0.2)
    one_more = (site.splice_for(first, site.moved(first, 1)), site.splice_for(last, site.moved(last, 1)))
    yield Edit(one_more, 0.2)


def _part(site: Site, node: ast.expr | None) -> str:
    return "" if node is None else site.text(node)


def _slice(site: Site, node: ast.Slice, parts: list[str], extra: float) -> Edit:
    lower, upper, step = parts
    text = f"{lower}:{upper}" + (f":{step}" if step else "")
    return Edit((Splice(*site.file.span(node), text),), extra)

"""Missing logic: a statement, a branch, a guard, a part of a condition, a step of an expression left out."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tests.corpus.code_text import COMPREHENSIONS, EXITS, FUNCTIONS, LOOPS, Code, Edit

PREPARING = ("strip", "lstrip", "rstrip", "lower", "upper", "copy", "casefold", "title", "rstrip", "split", "items")
CONVERTING = ("int", "str", "float", "abs", "sorted", "set", "list", "len", "round", "tuple", "max", "min", "reversed")


def statement_left_out(code: Code) -> Iterator[Edit]:
    """A call, or a write to what others see, forgotten."""
    for node in code.statements():
        if isinstance(node, ast.Expr | ast.AugAssign | ast.Delete) or (
            isinstance(node, ast.Assign) and not isinstance(node.targets[0], ast.Name)
        ):
            yield code.without(node)


def update_left_out(code: Code) -> Iterator[Edit]:
    """A variable of a loop that is not moved on, or not set back."""
    for node in code.statements():
        if isinstance(node, ast.Assign) and any(isinstance(n, LOOPS) for n in code.around(node)):
            names = [n.id for n in ast.walk(node.targets[0]) if isinstance(n, ast.Name)]
            if all(name in code.names_at(node) for name in names):
                yield code.without(node)


def guard_left_out(code: Code) -> Iterator[Edit]:
    """A special case that leaves at once."""
    for node in code.statements():
        if isinstance(node, ast.If) and isinstance(node.body[-1], EXITS) and not node.orelse and _is_if(code, node):
            yield code.without(node)


def branch_left_out(code: Code) -> Iterator[Edit]:
    """An `elif` or an `else`."""
    for node in code.statements():
        if not isinstance(node, ast.If | ast.For | ast.While) or not node.orelse:
            continue
        start = code.lines(node.body[-1])
        rest = code.lines(node.orelse[-1])
        if start is None or rest is None:
            continue
        yield Edit(start[1], rest[1], "")
        following = node.orelse[0]
        if isinstance(following, ast.If) and not _is_if(code, following) and following.orelse:
            inner = code.lines(following.body[-1])
            if inner is not None:
                yield Edit(start[1], inner[1], "")


def condition_left_out(code: Code) -> Iterator[Edit]:
    """What is done in one case only, done always."""
    for node in code.statements():
        if isinstance(node, ast.If) and not node.orelse and _is_if(code, node):
            lines = code.lines(node)
            columns = len(code.indent(node.body[0])) - len(code.indent(node))
            body = code.shifted(node.body[0], node.body[-1], -columns)
            if lines is not None and body is not None and columns > 0:
                yield Edit(*lines, body)


def part_of_condition_left_out(code: Code) -> Iterator[Edit]:
    """One of the things that must hold."""
    for node in code.nodes:
        if isinstance(node, ast.BoolOp):
            spans = code.operands(node)
            for place, (start, end) in enumerate(spans):
                yield Edit(spans[place - 1][1], end, "") if place else Edit(start, spans[1][0], "")
        elif isinstance(node, ast.Compare) and len(node.ops) == 2:
            spans = code.operands(node)
            yield Edit(spans[0][0], spans[1][0], "")
            yield Edit(spans[1][1], spans[2][1], "")


def filter_left_out(code: Code) -> Iterator[Edit]:
    """The `if` of a comprehension."""
    for node in code.nodes:
        if isinstance(node, COMPREHENSIONS):
            for part in node.generators:
                if len(part.ifs) == 1:
                    test = code.widened(part.ifs[0], code.span(node))
                    word = code.text.rindex("if", 0, test[0])
                    blanks = len(code.text[:word]) - len(code.text[:word].rstrip())
                    yield Edit(word - blanks, test[1], "")


def return_left_out(code: Code) -> Iterator[Edit]:
    """An answer that is made and not given; an early one not given at all."""
    for node in code.statements():
        if isinstance(node, ast.Return) and node.value is not None:
            start, _ = code.span(node)
            yield Edit(start, code.span(node.value)[0], "")
            if code.block(node)[-1] is node and not isinstance(code.parents[node], FUNCTIONS):
                yield code.without(node)


def step_left_out(code: Code) -> Iterator[Edit]:
    """A preparation, a conversion, a copy: the value used as it came."""
    for node in code.nodes:
        if not isinstance(node, ast.Call):
            continue
        if isinstance(node.func, ast.Attribute) and node.func.attr in PREPARING:
            yield code.replaced(node, code.text[code.span(node)[0] : code.span(node.func)[1] - len(node.func.attr) - 1])
        elif isinstance(node.func, ast.Name) and node.func.id in CONVERTING and code.arguments(node):
            argument = code.text[slice(*code.arguments(node)[0])]
            bare = isinstance(node.args[0] if node.args else node, ast.Name | ast.Call | ast.Attribute | ast.Subscript)
            yield code.replaced(node, argument if bare else f"({argument})")


def term_left_out(code: Code) -> Iterator[Edit]:
    """One side of a sum, a difference, a product."""
    for node in code.nodes:
        if isinstance(node, ast.BinOp):
            (start, left), (right, end) = code.operands(node)
            yield Edit(left, end, "")
            if isinstance(node.op, ast.Add | ast.Mult):
                yield Edit(start, right, "")


def bound_left_out(code: Code) -> Iterator[Edit]:
    """One bound of a slice, or the whole slice."""
    for node in code.nodes:
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice):
            yield Edit(code.span(node.value)[1], code.span(node)[1], "")
            for bound in (node.slice.lower, node.slice.upper):
                if bound is not None:
                    yield code.replaced(bound, "")


def fallback_left_out(code: Code) -> Iterator[Edit]:
    """`table[key]` for `table.get(key, 0)`, and one arm for both."""
    for node in code.nodes:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "get":
            if len(node.args) == 2:
                end = code.span(node.func)[1] - len(".get")
                yield Edit(end, code.span(node)[1], f"[{code.of(node.args[0])}]")
        elif isinstance(node, ast.IfExp):
            yield code.replaced(node, code.of(node.body))
            yield code.replaced(node, code.of(node.orelse))


def handling_left_out(code: Code) -> Iterator[Edit]:
    """A `try` without which what it was there for goes through."""
    for node in code.statements():
        if isinstance(node, ast.Try) and not node.orelse and not node.finalbody:
            lines = code.lines(node)
            columns = len(code.indent(node.body[0])) - len(code.indent(node))
            body = code.shifted(node.body[0], node.body[-1], -columns)
            if lines is not None and body is not None:
                yield Edit(*lines, body)


def taken_out_of_block(code: Code) -> Iterator[Edit]:
    """The last statement of a loop or of a branch at the wrong indent: after it, no longer in it."""
    for node in code.statements():
        if isinstance(node, ast.For | ast.While | ast.If) and len(node.body) > 1 and not node.orelse:
            last = node.body[-1]
            columns = len(code.indent(last)) - len(code.indent(node))
            lines, moved = code.lines(last), code.shifted(last, last, -columns)
            if lines is not None and moved is not None and columns > 0:
                yield Edit(*lines, moved)


def decorator_left_out(code: Code) -> Iterator[Edit]:
    """`@property` and such."""
    for node in code.nodes:
        if isinstance(node, (*FUNCTIONS, ast.ClassDef)):
            for decorator in node.decorator_list:
                start = code.text.rfind("\n", 0, code.span(decorator)[0]) + 1
                yield Edit(start, code.text.index("\n", code.span(decorator)[1]) + 1, "")


def _is_if(code: Code, node: ast.If) -> bool:
    """An `if` and no `elif`."""
    return code.text.startswith("if", code.span(node)[0])


MAKERS = (
    statement_left_out,
    update_left_out,
    guard_left_out,
    branch_left_out,
    condition_left_out,
    part_of_condition_left_out,
    filter_left_out,
    return_left_out,
    step_left_out,
    term_left_out,
    bound_left_out,
    fallback_left_out,
    handling_left_out,
    taken_out_of_block,
    decorator_left_out,
)

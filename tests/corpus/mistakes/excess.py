"""Excess logic: a statement, a condition, a term, a call, an early exit put in that should not be there."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tests.corpus.code_text import COMPREHENSIONS, EXITS, FUNCTIONS, LOOPS, Code, Edit

WRAPPERS = ("abs({})", "int({})", "sorted({})", "set({})", "str({})", "max({}, 0)", "len({})", "list({})[::-1]")
SUFFIXES = (".strip()", ".lower()", "[:-1]", "[1:]", "[0]", ".title()")
TERMS = (" + 1", " - 1", " * 2", " % 10", " // 2", " or 1", " or None")


def _line_before(code: Code, statement: ast.stmt, text: str) -> Iterator[Edit]:
    lines = code.lines(statement)
    if lines is not None:
        yield Edit(lines[0], lines[0], f"{code.indent(statement)}{text}\n")


def _line_after(code: Code, statement: ast.stmt, text: str) -> Iterator[Edit]:
    lines = code.lines(statement)
    if lines is not None and code.text[: lines[1]].endswith("\n"):
        yield Edit(lines[1], lines[1], f"{code.indent(statement)}{text}\n")


def term_too_many(code: Code) -> Iterator[Edit]:
    """A correction where none is due: `+ 1`, `* 2`, `or 1`."""
    for node in code.values():
        if isinstance(node, ast.Name | ast.Call | ast.BinOp | ast.Attribute | ast.Subscript):
            text = f"({code.of(node)})" if isinstance(node, ast.BinOp) else code.of(node)
            for term in TERMS:
                yield code.replaced(node, text + term)


def wrapped(code: Code) -> Iterator[Edit]:
    """A call around a value that was right as it is."""
    for node in code.values():
        for wrapper in WRAPPERS:
            if not isinstance(node, ast.Constant):
                yield code.replaced(node, wrapper.format(code.of(node)))


def prepared_too_much(code: Code) -> Iterator[Edit]:
    """Blanks stripped, letters lowered, an end cut off where it should stay."""
    for node in code.values():
        if isinstance(node, ast.Name | ast.Call | ast.Attribute | ast.Subscript):
            for suffix in SUFFIXES:
                yield code.replaced(node, code.of(node) + suffix)


def condition_too_many(code: Code) -> Iterator[Edit]:
    """Another thing asked for that need not hold, or that is enough where it should not be."""
    for node in code.nodes:
        if isinstance(node, ast.If | ast.While | ast.IfExp):
            names = code.names_at(node)
            text = code.of(node.test)
            text = f"({text})" if isinstance(node.test, ast.BoolOp | ast.IfExp) else text
            for name in names:
                for extra in (f"and {name}", f"and {name} != 1", f"or not {name}", f"and len({name}) > 1"):
                    yield code.replaced(node.test, f"{text} {extra}")


def filtered(code: Code) -> Iterator[Edit]:
    """A comprehension that passes over what it should take."""
    for node in code.nodes:
        if isinstance(node, COMPREHENSIONS):
            part = node.generators[-1]
            names = [n.id for n in ast.walk(part.target) if isinstance(n, ast.Name)]
            last = part.ifs[-1] if part.ifs else part.iter
            _, end = code.widened(last, code.span(node)) if part.ifs else code.span(last)
            for name in names:
                yield Edit(end, end, f" and {name}" if part.ifs else f" if {name}")


def guarded(code: Code) -> Iterator[Edit]:
    """A special case at the start of a function that is none."""
    for node in code.nodes:
        if isinstance(node, FUNCTIONS):
            parameters = [a.arg for a in node.args.args if a.arg not in ("self", "cls")]
            body = [s for s in node.body if not _is_text(s)]
            for name in parameters if body else ():
                for test in (f"not {name}", f"len({name}) < 2", f"{name} == 1"):
                    for answer in ("None", name, "0"):
                        for edit in _line_before(code, body[0], f"if {test}:"):
                            indent = code.indent(body[0])
                            inside = f"{indent}{indent[: len(indent) - len(code.indent(node))]}return {answer}\n"
                            yield edit._replace(text=edit.text + inside)


def left_too_early(code: Code) -> Iterator[Edit]:
    """A `break` at the end of a loop's turn, or an answer given in its first one."""
    for node in code.nodes:
        if isinstance(node, LOOPS):
            yield from _line_after(code, node.body[-1], "break")
            block = code.block(node)
            following = block[block.index(node) + 1 :]
            if following and isinstance(following[0], ast.Return):
                yield from _line_after(code, node.body[-1], code.of(following[0]))
        elif isinstance(node, ast.If) and any(isinstance(n, LOOPS) for n in code.around(node)):
            for word in ("break", "continue") if not isinstance(node.body[-1], EXITS) and not node.orelse else ():
                yield from _line_after(code, node.body[-1], word)


def done_twice(code: Code) -> Iterator[Edit]:
    """The same step a second time."""
    for node in code.statements():
        if isinstance(node, ast.AugAssign | ast.Expr) or (
            isinstance(node, ast.Assign) and any(isinstance(n, ast.BinOp | ast.Call) for n in ast.walk(node.value))
        ):
            yield from _line_after(code, node, code.of(node))


def set_back_in_loop(code: Code) -> Iterator[Edit]:
    """What belongs before a loop done again in each of its turns."""
    for node in code.nodes:
        if isinstance(node, LOOPS):
            block = code.block(node)
            for before in block[: block.index(node)]:
                if isinstance(before, ast.Assign) and "\n" not in code.of(before):
                    yield from _line_before(code, node.body[0], code.of(before))


def argument_changed(code: Code) -> Iterator[Edit]:
    """What was handed in is sorted, shortened, stripped before anything is done with it."""
    changes = ("{0}.sort()", "{0}.pop()", "{0} = {0}.strip()", "{0} = {0}[:-1]", "{0} = abs({0})", "{0} = sorted({0})")
    for node in code.nodes:
        if isinstance(node, FUNCTIONS):
            body = [s for s in node.body if not _is_text(s)]
            for argument in node.args.args if body else ():
                if argument.arg not in ("self", "cls"):
                    for change in changes:
                        yield from _line_before(code, body[0], change.format(argument.arg))


def one_turn_too_few(code: Code) -> Iterator[Edit]:
    """A loop that passes over the first or the last one."""
    for node in code.nodes:
        if isinstance(node, ast.For | ast.comprehension) and isinstance(node.iter, ast.Name | ast.Attribute | ast.Call):
            for part in ("[1:]", "[:-1]"):
                yield code.replaced(node.iter, code.of(node.iter) + part)


def taken_into_block(code: Code) -> Iterator[Edit]:
    """The statement after a loop or a branch at the wrong indent: in it, no longer after it."""
    for node in code.statements():
        if isinstance(node, ast.For | ast.While | ast.If) and not node.orelse:
            block = code.block(node)
            following = block[block.index(node) + 1 :]
            columns = len(code.indent(node.body[0])) - len(code.indent(node))
            if following and columns > 0 and not isinstance(node.body[-1], EXITS):
                lines, moved = code.lines(following[0]), code.shifted(following[0], following[0], columns)
                if lines is not None and moved is not None:
                    yield Edit(*lines, moved)


def _is_text(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


MAKERS = (
    term_too_many,
    wrapped,
    prepared_too_much,
    condition_too_many,
    filtered,
    guarded,
    left_too_early,
    done_twice,
    set_back_in_loop,
    argument_changed,
    one_turn_too_few,
    taken_into_block,
)

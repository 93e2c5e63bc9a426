"""A Python text with its syntax tree, and where in the text each node stands: what mistakes are made from.

All places are numbers of characters from the start of the text.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator
from typing import NamedTuple

Function = ast.FunctionDef | ast.AsyncFunctionDef
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
LOOPS = (ast.For, ast.While)
EXITS = (ast.Return, ast.Raise, ast.Continue, ast.Break)

Span = tuple[int, int]


class Edit(NamedTuple):
    """The characters from `start` to `end` become `text`."""

    start: int
    end: int
    text: str

    def applied_to(self, whole: str) -> str:
        """The whole text with this one place changed."""
        return whole[: self.start] + self.text + whole[self.end :]


class Code:
    """A file's text. `nodes` are those that a mistake can be made at, in the order of the text: no annotations, no
    docstrings, and nothing inside of f-strings, whose parts have right places from Python 3.12 on only."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tree = ast.parse(text)
        self._lines = text.split("\n")
        self._starts = [0]
        for line in self._lines:
            self._starts.append(self._starts[-1] + len(line) + 1)
        self.parents: dict[ast.AST, ast.AST] = {}
        found: list[ast.AST] = []
        self._walk(self.tree, found)
        self.nodes = tuple(found)

    def _walk(self, node: ast.AST, found: list[ast.AST]) -> None:
        if isinstance(node, ast.JoinedStr):
            return
        found.append(node)
        for field, value in ast.iter_fields(node):
            if field in ("annotation", "returns", "type_params", "type_comment"):
                continue
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST):
                    self.parents[child] = node
                    if not is_docstring(child):
                        self._walk(child, found)

    # ------------------------------------------------------------ places

    def _place(self, line: int, column: int) -> int:
        before = self._lines[line - 1].encode()[:column].decode()
        return self._starts[line - 1] + len(before)

    def span(self, node: ast.expr | ast.stmt | ast.arg | ast.keyword | ast.alias) -> Span:
        """Where the node's own text starts and ends."""
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return self._place(node.lineno, node.col_offset), self._place(node.end_lineno, node.end_col_offset)

    def of(self, node: ast.expr | ast.stmt | ast.arg | ast.keyword | ast.alias) -> str:
        """The node's own text."""
        start, end = self.span(node)
        return self.text[start:end]

    def replaced(self, node: ast.expr | ast.stmt | ast.arg | ast.keyword | ast.alias, text: str) -> Edit:
        """The node's text becomes this one."""
        return Edit(*self.span(node), text)

    def line_of(self, place: int) -> int:
        """The number of the line, from 1 on."""
        return self.text.count("\n", 0, place) + 1

    def widened(self, node: ast.expr | ast.keyword, within: Span) -> Span:
        """The node's span with the parentheses around it, as far as they stand inside of `within`."""
        start, end = self.span(node)
        while True:
            before = self.text[within[0] : start].rstrip()
            after = self.text[end : within[1]]
            blank = len(after) - len(after.lstrip())
            if not before.endswith("(") or after[blank : blank + 1] != ")":
                return start, end
            start, end = within[0] + len(before) - 1, end + blank + 1

    def operands(self, node: ast.BinOp | ast.BoolOp | ast.Compare) -> list[Span]:
        """The spans of what stands between the operators, with their parentheses."""
        if isinstance(node, ast.BinOp):
            parts = [node.left, node.right]
        elif isinstance(node, ast.BoolOp):
            parts = node.values
        else:
            parts = [node.left, *node.comparators]
        return [self.widened(part, self.span(node)) for part in parts]

    def between(self, node: ast.BinOp | ast.BoolOp | ast.Compare) -> list[Span]:
        """The spans of the operators, without the blanks around them."""
        spans = self.operands(node)
        found = []
        for (_, left), (right, _) in itertools.pairwise(spans):
            gap = self.text[left:right]
            found.append((left + len(gap) - len(gap.lstrip()), right - len(gap) + len(gap.rstrip())))
        return found

    def arguments(self, call: ast.Call) -> list[Span]:
        """The spans of a call's arguments, in the order of the text; none for `f(x for x in y)`."""
        inside = self.span(call.func)[1] + 1, self.span(call)[1] - 1
        if any(isinstance(a, ast.GeneratorExp) and self.span(a)[0] < inside[0] for a in call.args):
            return []
        return sorted(self.widened(a, inside) for a in (*call.args, *call.keywords))

    def needs_parentheses(self, node: ast.expr) -> bool:
        """Whether an expression with operators in this one's place must stand in parentheses."""
        parent = self.parents[node]
        if isinstance(parent, ast.Call):
            return node is parent.func
        plain = (ast.Return, ast.Assign, ast.AugAssign, ast.keyword, ast.Expr, ast.If, ast.While, ast.List, ast.Dict)
        return not isinstance(parent, plain)

    # ------------------------------------------------------------ statements

    def statements(self) -> Iterator[ast.stmt]:
        """All statements but docstrings."""
        return (node for node in self.nodes if isinstance(node, ast.stmt))

    def block(self, statement: ast.stmt) -> list[ast.stmt]:
        """The list of statements that this one stands in."""
        parent = self.parents[statement]
        for _, value in ast.iter_fields(parent):
            if isinstance(value, list) and any(each is statement for each in value):
                return value
        raise ValueError("a statement that is in no block")

    def indent(self, statement: ast.stmt) -> str:
        """The blanks before a statement."""
        line = self._lines[self._first_line(statement) - 1]
        return line[: len(line) - len(line.lstrip())]

    def _first_line(self, statement: ast.stmt) -> int:
        return min([statement.lineno, *(d.lineno for d in getattr(statement, "decorator_list", ()))])

    def lines(self, first: ast.stmt, last: ast.stmt | None = None) -> Span | None:
        """The whole lines of one statement or of several of a block; None where others stand on the same lines."""
        begin, end = self._first_line(first), (last or first).end_lineno
        assert end is not None
        before = self._lines[begin - 1].encode()[: first.col_offset]
        _, place = self.span(last or first)
        rest = self.text[place : self._starts[end] - 1].strip()
        if before.strip(b" @") or (rest and not rest.startswith("#")):
            return None
        return self._starts[begin - 1], min(self._starts[end], len(self.text))

    def without(self, statement: ast.stmt) -> Edit:
        """The text without the statement; `pass` where nothing else is in its block."""
        lines = self.lines(statement)
        if len(self.block(statement)) == 1 or lines is None:
            return self.replaced(statement, "pass")
        return Edit(*lines, "")

    def shifted(self, first: ast.stmt, last: ast.stmt, columns: int) -> str | None:
        """The lines from one statement to another further right or left; None where a string or a part of an
        expression would not stand it."""
        lines = self.lines(first, last)
        if lines is None:
            return None
        inner = (n for n in ast.walk(self.tree) if isinstance(n, ast.Constant | ast.JoinedStr))
        for node in inner:
            if node.lineno != node.end_lineno and first.lineno <= node.lineno <= (last.end_lineno or 0):
                return None
        moved = []
        for line in self.text[slice(*lines)].splitlines(keepends=True):
            if columns < 0 and line.strip() and line[:-columns].strip():
                return None
            moved.append((" " * columns + line if columns > 0 else line[-columns:]) if line.strip() else line)
        return "".join(moved)

    # ------------------------------------------------------------ names

    def around(self, node: ast.AST) -> Iterator[ast.AST]:
        """What the node stands in, from the inside out."""
        while node in self.parents:
            node = self.parents[node]
            yield node

    def function_of(self, node: ast.AST) -> Function | None:
        """The innermost function around."""
        return next((n for n in self.around(node) if isinstance(n, FUNCTIONS)), None)

    def class_of(self, node: ast.AST) -> ast.ClassDef | None:
        """The innermost class around."""
        return next((n for n in self.around(node) if isinstance(n, ast.ClassDef)), None)

    def names_at(self, node: ast.expr | ast.stmt) -> list[str]:
        """Parameters and variables of the function that are bound in the text before this node, in that order, and
        those of the comprehensions around it; no `self` and no `cls`."""
        function = self.function_of(node)
        scopes = [n for n in self.around(node) if isinstance(n, COMPREHENSIONS)]
        place = self.span(node)[0]
        found: dict[str, None] = {}
        if function is not None:
            a = function.args
            for each in (*a.posonlyargs, *a.args, a.vararg, *a.kwonlyargs, a.kwarg):
                if each is not None:
                    found.setdefault(each.arg)
        for other in self.nodes:
            if not (isinstance(other, ast.Name) and isinstance(other.ctx, ast.Store)):
                continue
            inner = next((n for n in self.around(other) if isinstance(n, (*COMPREHENSIONS, *FUNCTIONS))), None)
            if any(inner is scope for scope in scopes) or (inner is function and self.span(other)[0] < place):
                found.setdefault(other.id)
        return [name for name in found if name not in ("self", "cls")]

    def values(self) -> Iterator[ast.expr]:
        """The expressions that are returned, assigned or handed to a call."""
        for node in self.nodes:
            if not isinstance(node, ast.expr) or isinstance(node, ast.Starred | ast.GeneratorExp | ast.Slice):
                continue
            parent = self.parents[node]
            if (isinstance(parent, ast.Return | ast.AugAssign | ast.Assign) and parent.value is node) or (
                isinstance(parent, ast.Call) and node is not parent.func
            ):
                yield node


def is_docstring(node: ast.AST) -> bool:
    """Whether this is a text that stands alone."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)

"""The place that an operator looks at: one node of one file, and the edits that can be made there."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

from treadle.plugins.generation.search.hints import NONE, Hints
from treadle.plugins.generation.search.loose_ends import LooseEnds, loose_ends
from treadle.plugins.generation.search.operators import precedence
from treadle.plugins.generation.search.scope import (
    FunctionScope,
    Vocabulary,
    comprehension_names,
    function_scope,
    in_loop,
    unique,
    vocabulary_of,
)
from treadle.plugins.generation.search.source import FUNCTIONS, Edit, FunctionNode, SourceFile, Splice

N = TypeVar("N", bound=ast.AST)
T = TypeVar("T")
_STEP = "    "
_COMPOUND = (
    *FUNCTIONS,
    ast.ClassDef,
    ast.If,
    ast.For,
    ast.AsyncFor,
    ast.While,
    ast.With,
    ast.AsyncWith,
    ast.Try,
    ast.Match,
)


class Surroundings:
    """What is known of one file, worked out once: its vocabulary, what its functions say, and what the failing tests
    say."""

    def __init__(self, file: SourceFile, hints: Hints = NONE) -> None:
        self.file = file
        self.hints = hints
        self.vocabulary: Vocabulary = vocabulary_of(file)
        self._known: dict[tuple[object, ast.AST], Any] = {}

    def once(self, fact: Callable[[SourceFile, N], T], of: N) -> T:
        """What is so of a part of the file, such as one of the `facts`; worked out once for each part."""
        key = (fact, of)
        if key not in self._known:
            self._known[key] = fact(self.file, of)
        found: T = self._known[key]
        return found

    def scope(self, function: FunctionNode) -> FunctionScope:
        """The scope of one function of the file."""
        return self.once(function_scope, function)

    def loose_ends(self, function: FunctionNode) -> LooseEnds:
        """What one function of the file begins and does not go on with."""
        return self.once(_loose_ends, function)


def _loose_ends(file: SourceFile, function: FunctionNode) -> LooseEnds:
    """The loose ends of a function in others: what these know of the names that it reads is so in it as well."""
    found = loose_ends(function)
    own = {*function_scope(file, function).bound} - _not_its_own(function)
    read = {node.id for node in ast.walk(function) if isinstance(node, ast.Name)} - own
    for outer in (loose_ends(each) for each in file.ancestors(function) if isinstance(each, FUNCTIONS)):
        kinds = {name: kind for name, kind in outer.kinds.items() if name in read}
        unfilled = tuple(name for name in outer.unfilled if name in read and name not in found.unfilled)
        told = {name: kind for name, kind in found.kinds.items() if kind}
        found = LooseEnds(found.unread, found.unmoved, (*found.unfilled, *unfilled), {**kinds, **told})
    return found


def _step_of_indent(file: SourceFile, tree: ast.Module) -> str:
    for node in tree.body:
        body = getattr(node, "body", None)
        if isinstance(body, list) and body and isinstance(body[0], ast.stmt) and body[0].lineno > node.lineno:
            return file.text[file.line_start(body[0].lineno) : file.span(body[0])[0]] or _STEP
    return _STEP


def _not_its_own(function: FunctionNode) -> set[str]:
    """The names that a function binds and shares with the functions around it."""
    return {name for node in ast.walk(function) if isinstance(node, ast.Nonlocal) for name in node.names}


@dataclass(frozen=True, eq=False)
class Site:
    """One node, with its statement and function."""

    around: Surroundings
    node: ast.AST
    statement: ast.stmt
    function: FunctionNode | None

    @property
    def file(self) -> SourceFile:
        """The file that the node belongs to."""
        return self.around.file

    @property
    def vocabulary(self) -> Vocabulary:
        """What the file offers."""
        return self.around.vocabulary

    @property
    def scope(self) -> FunctionScope | None:
        """The names of the function around the node, None at module level."""
        return self.around.scope(self.function) if self.function else None

    @property
    def hints(self) -> Hints:
        """What the failing tests say."""
        return self.around.hints

    @property
    def loose_ends(self) -> LooseEnds:
        """The loose ends of the function around the node, with what those around it begin; none at module level."""
        return self.around.loose_ends(self.function) if self.function else LooseEnds((), (), (), {})

    @property
    def first_statement(self) -> ast.stmt | None:
        """The first statement of the function that is not its docstring."""
        body = self.function.body if self.function else []
        documented = bool(body) and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant)
        return next(iter(body[documented:]), None)

    def text(self, node: ast.AST) -> str:
        """The node's own characters."""
        return self.file.text_of(node)

    def parent(self, node: ast.AST) -> ast.AST | None:
        """The node around this one."""
        return self.file.parents.get(node)

    def variables(self) -> tuple[str, ...]:
        """The variables that have a value here: the nearest scope first, module-level ones and functions left out."""
        names = list(comprehension_names(self.file, self.node))
        line = getattr(self.node, "lineno", self.statement.lineno)
        for function in self.functions():
            looped = in_loop(self.file, self.node) or function is not self.function
            bound = self.around.scope(function).bound
            names += [name for name, first in bound.items() if looped or first < line or first == function.lineno]
        return unique(names)

    def functions(self) -> tuple[FunctionNode, ...]:
        """The functions around the node, the nearest first."""
        if self.function is None:
            return ()
        return self.function, *(a for a in self.file.ancestors(self.function) if isinstance(a, FUNCTIONS))

    def class_members(self) -> tuple[str, ...]:
        """The attributes and methods of the class around the node."""
        owner = self.file.class_of(self.node)
        return self.vocabulary.members.get(owner.name, ()) if owner else ()

    # ------------------------------------------------------------ edits of expressions

    def put(self, node: ast.AST, text: str, extra: float = 0.0) -> Edit:
        """Put the expression `text` in the node's place, in parentheses where the place needs them."""
        return Edit((self.splice_for(node, text),), extra)

    def splice_for(self, node: ast.AST, text: str) -> Splice:
        """The splice behind `put`, for edits of several places."""
        start, end = self.file.span(node)
        parent = self.parent(node)
        if isinstance(node, ast.GeneratorExp) and isinstance(parent, ast.Call) and self.file.span(parent)[1] == end:
            return Splice(start + 1, end - 1, text)
        outer = self.file.grouped_span(node)
        needed = precedence.needed(parent, node)
        fits = needed <= precedence.LOOSEST or precedence.of_text(text) >= needed  # the text need not be parsed for it
        if outer != (start, end):
            grouped = self.file.text[outer[0] : outer[1]]
            if precedence.of_text(text) >= precedence.ATOM - 1 and fits and len(grouped.splitlines()) == 1:
                keeps_word_apart = self.file.text[outer[0] - 1 : outer[0]].isalnum()
                return Splice(*outer, f" {text}" if keeps_word_apart else text)
            return Splice(start, end, text)
        return Splice(start, end, text if fits else f"({text})")

    def grouped(self, node: ast.expr, level: int) -> str:
        """The node's text, in parentheses when it binds less tightly than `level`; 1 is that of an only argument."""
        text = self.text(node)
        bare = isinstance(node, ast.Tuple) and node.elts and not self._has_own_parentheses(node)
        return f"({text})" if bare or precedence.of(node) < level else text

    def _has_own_parentheses(self, node: ast.Tuple) -> bool:
        return self.file.span(node)[0] < self.file.grouped_span(node.elts[0])[0]

    def moved(self, node: ast.expr, by: int) -> str:
        """The expression plus or minus one, simplified where the text already adds or takes a whole number."""
        if isinstance(node, ast.Constant) and isinstance(node.value, int):
            return str(node.value + by)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
            value = node.operand.value
            if isinstance(value, int):
                return str(by - value)
        if (
            isinstance(node, ast.BinOp)
            and isinstance(node.op, ast.Add | ast.Sub)
            and isinstance(node.right, ast.Constant)
        ):
            step = node.right.value
            if isinstance(step, int):
                total = (step if isinstance(node.op, ast.Add) else -step) + by
                left = self.text(node.left)
                return left if total == 0 else f"{left} {'+' if total > 0 else '-'} {abs(total)}"
        return f"{self.grouped(node, 12)} {'+' if by > 0 else '-'} 1"

    def with_argument(self, call: ast.Call, argument: str, extra: float = 0.0) -> Iterator[Edit]:
        """Put one more argument behind the last one, whether a comma follows that or not; none beside a lone generator,
        which has no parentheses of its own."""
        last = max((*call.args, *call.keywords), key=lambda each: self.file.span(each)[0], default=None)
        if last is None:
            end = self.file.span(call)[1] - 1
            yield Edit((Splice(end, end, argument),), extra)
        elif not (isinstance(last, ast.GeneratorExp) and len(call.args) + len(call.keywords) == 1):
            end = self.file.grouped_span(last.value if isinstance(last, ast.keyword) else last)[1]
            yield Edit((Splice(end, end, f", {argument}"),), extra)

    def operator_token(self, left: ast.AST, right: ast.AST, pattern: str, new: str, extra: float = 0.0) -> Edit | None:
        """Replace the operator between two neighbouring nodes."""
        span = self.file.token_between(left, right, pattern)
        return Edit((Splice(*span, new),), extra) if span else None

    # ------------------------------------------------------------ edits of statements

    def own_lines(self, statement: ast.stmt) -> tuple[int, int] | None:
        """The offsets of the statement's whole lines, None when it shares a line with other code."""
        first = min([statement.lineno, *(d.lineno for d in getattr(statement, "decorator_list", []))])
        last = statement.end_lineno or statement.lineno
        start, end = self.file.line_start(first), self.file.line_start(last + 1)
        own_start = self.file.span(statement)[0] if first == statement.lineno else start
        after = self.file.text[self.file.span(statement)[1] : end]
        is_alone = not self.file.text[start:own_start].strip() and after.strip()[:1] in ("", "#")
        return (start, end) if is_alone else None

    def is_elif(self, statement: ast.stmt) -> bool:
        """Whether the statement is the `elif` of another."""
        return isinstance(statement, ast.If) and self.text(statement).startswith("elif")

    def indent_of(self, statement: ast.stmt) -> str:
        """The white space before the statement."""
        start = self.file.line_start(statement.lineno)
        return self.file.text[start : self.file.span(statement)[0]]

    def block_of(self, statement: ast.stmt) -> list[ast.stmt]:
        """The block that holds the statement."""
        return self.file.block_of(statement)

    def is_place(self, statement: ast.stmt) -> bool:
        """Whether other statements may be put beside it: it is in a function, defines nothing and is no docstring."""
        text = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
        return self.function is not None and not text and not isinstance(statement, (*FUNCTIONS, ast.ClassDef))

    def insert_before(self, statement: ast.stmt, lines: tuple[str, ...], extra: float = 0.0) -> Edit | None:
        """Insert lines above the statement, indented like it; a line that begins with four spaces stands in a block of
        those before it, and is indented as the file does that."""
        own = self.own_lines(statement) or self._compound_start(statement)
        if own is None or self.is_elif(statement):
            return None
        indent = self.indent_of(statement)
        text = "".join(f"{indent}{self._indented(line)}{self.file.newline}" for line in lines)
        return Edit((Splice(own[0], own[0], text),), extra)

    def insert_after(self, statement: ast.stmt, lines: tuple[str, ...], extra: float = 0.0) -> Edit | None:
        """Insert lines below the statement, like those of `insert_before`."""
        own = self.own_lines(statement)
        if own is None or self.is_elif(statement):
            return None
        indent = self.indent_of(statement)
        ends_open = not self.file.text[: own[1]].endswith(("\n", "\r"))
        if ends_open:
            text = "".join(f"{self.file.newline}{indent}{self._indented(line)}" for line in lines)
        else:
            text = "".join(f"{indent}{self._indented(line)}{self.file.newline}" for line in lines)
        return Edit((Splice(own[1], own[1], text),), extra)

    def beside(self, statement: ast.stmt, lines: tuple[str, ...], extra: float = 0.0) -> Iterator[Edit]:
        """Insert lines at the places next to the statement: below it, above it where it is the first of its block or
        leaves the block, in its place where it is `pass`."""
        if isinstance(statement, ast.Pass):
            text = f"{self.file.newline}{self.indent_of(statement)}".join(lines)
            yield Edit((Splice(*self.file.span(statement), text),), extra)
            return
        leaves = isinstance(statement, ast.Return | ast.Raise | ast.Break | ast.Continue)
        above = leaves or statement is self.block_of(statement)[0]
        edits = (
            self.insert_before(statement, lines, extra) if above else None,
            None if leaves else self.insert_after(statement, lines, extra),
        )
        yield from (edit for edit in edits if edit is not None)

    def wrapped(
        self, statement: ast.stmt, head: str, extra: float = 0.0, *, until: ast.stmt | None = None
    ) -> Edit | None:
        """Put the statement, with those of its block up to `until`, into a block of their own, under `head`."""
        own, last = self.own_lines(statement), self.own_lines(until or statement)
        if own is None or last is None or self.is_elif(statement):
            return None
        block = self.block_of(statement)
        if any(self.holds_long_text(s) for s in block if statement.lineno <= s.lineno <= (until or statement).lineno):
            return None
        own = own[0], last[1]
        indent, step = self.indent_of(statement), self.step_of_indent()
        lines = self.file.text[slice(*own)].splitlines(keepends=True)
        moved = "".join(f"{step}{line}" if line.strip() else line for line in lines)
        return Edit((Splice(*own, f"{indent}{head}{self.file.newline}{moved}"),), extra)

    def holds_long_text(self, statement: ast.stmt) -> bool:
        """Whether a string on several lines is in the statement: its lines can't be indented."""
        texts = (n for n in ast.walk(statement) if isinstance(n, ast.JoinedStr | ast.Constant))
        return any(getattr(n, "end_lineno", 0) != n.lineno for n in texts)

    def step_of_indent(self) -> str:
        """What the file puts before a line for each block that it is in."""
        return self.around.once(_step_of_indent, self.file.tree)

    def _indented(self, line: str) -> str:
        return f"{self.step_of_indent()}{line[len(_STEP) :]}" if line.startswith(_STEP) else line

    def delete(self, statement: ast.stmt, extra: float = 0.0) -> Edit | None:
        """Take the statement away; `pass` stays where it was the only one of its block."""
        if self.is_elif(statement):
            return None
        if len(self.block_of(statement)) == 1:
            return Edit((Splice(*self.file.span(statement), "pass"),), extra)
        own = self.own_lines(statement)
        return Edit((Splice(*own, ""),), extra) if own else None

    def _compound_start(self, statement: ast.stmt) -> tuple[int, int] | None:
        start = self.file.line_start(statement.lineno)
        own_start = self.file.span(statement)[0]
        if not isinstance(statement, _COMPOUND) or self.file.text[start:own_start].strip():
            return None
        return start, own_start

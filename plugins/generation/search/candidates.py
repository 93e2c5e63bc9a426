"""Candidates: the edits that can be made of a file, and which of them are worth a try.

What behaves alike (the same bytecode) is tried once.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from types import CodeType

from treadle.plugins.generation.search.operators import Operator, Site, Surroundings
from treadle.plugins.generation.search.scope import own_nodes
from treadle.plugins.generation.search.source import FUNCTIONS, Edit, SourceFile

_NO_SITE = (ast.Load, ast.Store, ast.Del, ast.operator, ast.unaryop, ast.boolop, ast.cmpop)

Fingerprint = tuple[str, tuple[object, ...]]


@dataclass(frozen=True, eq=False)
class Proposal:
    """One edit of one file with its place in the order (`priority`: lower is tried sooner)."""

    file: SourceFile
    edit: Edit
    operator: Operator
    statement: ast.stmt
    priority: float
    suspicion: float

    @property
    def site(self) -> tuple[str, int]:
        """The statement that the edit touches; the timeouts of its candidates are counted together."""
        return self.file.path, self.statement.lineno


@dataclass(frozen=True, eq=False)
class Brought:
    """An edit that an operator of another plugin proposes for the file at `place` among the suspicious ones."""

    place: int
    statement: ast.stmt
    operator: Operator
    edit: Edit


def distinct(ordered: Iterable[Proposal]) -> Iterator[tuple[Proposal, str]]:
    """The proposals that compile, change something, and behave like none before them, each with the file's new text."""
    seen: set[Fingerprint] = set()
    known: set[tuple[str, ast.stmt | None]] = set()
    for proposal in ordered:
        chunk = _chunk(proposal)
        if (proposal.file.path, chunk) not in known:
            known.add((proposal.file.path, chunk))
            original = fingerprint(proposal.file, chunk, proposal.file.text)
            if original is not None:
                seen.add(original)
        text = proposal.edit.apply(proposal.file.text)
        key = fingerprint(proposal.file, chunk, text)
        if key is not None and key not in seen:
            seen.add(key)
            yield proposal, text


def speaks_against(file: SourceFile, statement: ast.stmt, operator: Operator, edit: Edit) -> str:
    """Why `distinct` leaves out this edit whatever comes before it, empty when it does not."""
    chunk = _chunk(Proposal(file, edit, operator, statement, 0.0, 0.0))
    key = fingerprint(file, chunk, edit.apply(file.text))
    if key is None:
        return "do not compile"
    return "change nothing" if key == fingerprint(file, chunk, file.text) else ""


def fingerprint(file: SourceFile, chunk: ast.stmt | None, text: str) -> Fingerprint | None:
    """What the changed function or class (None: the whole file) compiles to, without line numbers; None when it does
    not compile. It is compiled alone, a method in a class of the same name with nothing else: a tenth of the time, or a
    hundredth, in a long file."""
    name = file.path
    if chunk is not None:
        start, end = _lines(file, chunk)
        text = text[start : len(text) - (len(file.text) - end)]
        name = f"{file.path}:{start}"
        owner = file.parents.get(chunk)
        if isinstance(owner, ast.ClassDef):
            first = file.text[start:end]
            indent = first[: len(first) - len(first.lstrip(" \t"))]
            text = f"class {owner.name}:\n{indent}pass\n{text}"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            code = compile(text, file.path, "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError):
        return None
    return name, _behaviour(code)


def _behaviour(code: CodeType) -> tuple[object, ...]:
    constants = tuple(_behaviour(c) if isinstance(c, CodeType) else (type(c).__name__, repr(c)) for c in code.co_consts)
    return (
        code.co_code,
        constants,
        code.co_names,
        code.co_varnames,
        code.co_freevars,
        code.co_cellvars,
        code.co_flags,
        code.co_argcount,
        code.co_posonlyargcount,
        code.co_kwonlyargcount,
        code.co_exceptiontable,
    )


def _chunk(proposal: Proposal) -> ast.stmt | None:
    """The outermost function around the edit, or class where it lies in no function, as long as there are classes alone
    around that; the whole file when the edit reaches beyond it."""
    file = proposal.file
    found: ast.stmt | None = None
    for each in (*reversed([*file.ancestors(proposal.statement)]), proposal.statement):
        if isinstance(each, (*FUNCTIONS, ast.ClassDef)) and _holds(file, each, proposal.edit):
            found = each
        if not isinstance(each, ast.ClassDef | ast.Module):
            break
    return found


def _holds(file: SourceFile, chunk: ast.stmt, edit: Edit) -> bool:
    """Whether the statement has its lines to itself, and the edit lies in them."""
    start, end = _lines(file, chunk)
    alone = start != file.line_start(chunk.lineno) or not file.text[start : file.span(chunk)[0]].strip(" \t")
    return alone and all(start <= s.start and s.end <= end for s in edit.splices)


def _lines(file: SourceFile, chunk: ast.stmt) -> tuple[int, int]:
    """Where the first line begins, that of a decorator perhaps, and where the last one ends."""
    first = min([chunk.lineno, *(d.lineno for d in getattr(chunk, "decorator_list", []))])
    return file.line_start(first), file.line_start((chunk.end_lineno or chunk.lineno) + 1)


def statements(tree: ast.Module) -> Iterator[ast.stmt]:
    """Every statement of the file."""
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt):
            yield node


def sites(around: Surroundings, statement: ast.stmt) -> Iterator[Site]:
    """The places of a statement: itself and its own expressions, not the statements in it nor annotations."""
    function = around.file.function_of(statement)
    if isinstance(statement, FUNCTIONS):
        yield Site(around, statement, statement, function)
        for default in [*statement.args.defaults, *statement.args.kw_defaults]:
            if default is not None:
                for node in (default, *own_nodes(default)):
                    if not isinstance(node, _NO_SITE):
                        yield Site(around, node, statement, function)
        return
    yield Site(around, statement, statement, function)
    stack = [c for c in ast.iter_child_nodes(statement) if not isinstance(c, (ast.stmt, *_NO_SITE))]
    if isinstance(statement, ast.AnnAssign):
        stack = [c for c in stack if c is not statement.annotation]
    while stack:
        node = stack.pop(0)
        if _is_placed(around.file, node):
            yield Site(around, node, statement, function)
            stack += [c for c in ast.iter_child_nodes(node) if not isinstance(c, (ast.stmt, *_NO_SITE))]


def _is_placed(file: SourceFile, node: ast.AST) -> bool:
    """Whether the tree's positions can be trusted: before Python 3.12 those inside some f-strings are wrong."""
    if not isinstance(node, ast.expr) or not any(isinstance(a, ast.JoinedStr) for a in file.ancestors(node)):
        return True
    if isinstance(node, ast.FormattedValue):
        return True
    if isinstance(node, ast.JoinedStr) or isinstance(file.parents.get(node), ast.JoinedStr):
        return False
    try:
        again = ast.parse(file.text_of(node), mode="eval").body
    except (SyntaxError, ValueError):
        return False
    return ast.dump(again) == ast.dump(node)

"""The overloads of a function and the function itself as one: they stand together, and come and go together."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from copy import copy
from itertools import groupby

from treadle.core.tree.bound_names import Body, Function, spoken


def with_overloads(body: Body) -> list[ast.stmt]:
    """The statements, of which a function has all decorators of the overloads right above it."""
    return [each for _, run in groupby(body, _function) for each in _joined(list(run))]


def _function(statement: ast.stmt) -> object:
    return statement.name if isinstance(statement, Function) else id(statement)


def _joined(run: Body) -> Iterator[ast.stmt]:
    above: list[ast.expr] = []
    for each in run:
        if not isinstance(each, Function) or each is run[-1] or not _is_overload(each):
            joined = copy(each)
            if above and isinstance(joined, Function):
                joined.decorator_list = [*above, *joined.decorator_list]
                above = []
            yield joined
        else:
            above += each.decorator_list


def _is_overload(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    return "overload" in spoken(function.decorator_list)


def has_overloads(statement: ast.stmt) -> bool:
    """Whether it is a function with overloads above it."""
    decorators = statement.decorator_list if isinstance(statement, Function) else []
    return sum("overload" in spoken([each]) for each in decorators) > 0

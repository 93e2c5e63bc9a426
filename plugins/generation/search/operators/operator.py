"""What an operator is: a name, a cost, an example, and a function from a node to the edits it proposes there."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from treadle.plugins.generation.search.operators.site import Site
from treadle.plugins.generation.search.source import Edit

Proposal = Callable[[ast.AST, Site], Iterator[Edit]]


@dataclass(frozen=True)
class Operator:
    """One kind of small change. `cost` says how soon it is tried (0.8 at once, 2.9 last), `before` and `after` are an
    example that the tests run, `kinds` the node types that it looks at."""

    name: str
    cost: float
    summary: str
    before: str
    after: str
    kinds: tuple[type[ast.AST], ...]
    propose: Proposal


class Family:
    """The operators of one subject, in the order of their definition."""

    def __init__(self) -> None:
        self.operators: list[Operator] = []

    def operator(
        self, name: str, *, cost: float, on: tuple[type[ast.AST], ...], before: str, after: str
    ) -> Callable[[Proposal], Proposal]:
        """Put the decorated function into the family; the first line of its docstring is the operator's summary."""

        def add(propose: Proposal) -> Proposal:
            summary = (propose.__doc__ or "").strip().splitlines()[0]
            self.operators.append(Operator(name, cost, summary, before, after, on, propose))
            return propose

        return add

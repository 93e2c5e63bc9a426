"""The catalogue of operators: the small changes that the search knows, in families of one subject each."""

from __future__ import annotations

from treadle.plugins.generation.search.operators import (
    arguments,
    arithmetic,
    beginnings,
    branches,
    calls,
    cases,
    comparison_boolean,
    conditions,
    constants,
    definitions,
    exceptions,
    exchanged,
    expressions,
    formatted,
    guards,
    imports,
    index_slice,
    loops,
    mirrored,
    names,
    prepared,
    recursion,
    returns,
    statements,
    terms,
    twins,
    unread,
    updates,
    wrapping,
)
from treadle.plugins.generation.search.operators.operator import Operator
from treadle.plugins.generation.search.operators.site import Site, Surroundings

OPERATORS: tuple[Operator, ...] = tuple(
    operator
    for family in (
        comparison_boolean,
        arithmetic,
        constants,
        names,
        calls,
        wrapping,
        index_slice,
        conditions,
        returns,
        statements,
        exceptions,
        definitions,
        expressions,
        unread,
        updates,
        branches,
        guards,
        terms,
        imports,
        loops,
        prepared,
        mirrored,
        exchanged,
        arguments,
        formatted,
        recursion,
        beginnings,
        cases,
        twins,
    )
    for operator in family.FAMILY.operators
)

__all__ = ["OPERATORS", "Operator", "Site", "Surroundings"]

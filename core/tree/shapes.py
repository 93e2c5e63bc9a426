"""What tells two pieces of code apart."""

from __future__ import annotations

import ast


def shape(node: object) -> tuple[object, ...]:
    """What tells two pieces of code apart, without where they stand. `ast.dump` calls itself for each level, and writes
    numbers out: it fails for what is nested deeply, or has thousands of digits."""
    found: list[object] = []
    left: list[object] = [node]
    while left:
        each = left.pop()
        found.append(type(each))
        if isinstance(each, ast.AST):
            left += [value for _, value in ast.iter_fields(each)]
        elif isinstance(each, list):
            found.append(len(each))
            left += each
        else:
            found.append(each)
    return tuple(found)

"""The page of the search's operators."""

from __future__ import annotations

from collections.abc import Iterator

from reference_pages.markdown import code, table
from treadle.plugins.generation.search.operators import OPERATORS


def operators() -> Iterator[str]:
    yield "# Operators"
    yield (
        "The small changes that repair by search knows. What costs less is tried sooner, the suspicion of the place "
        "counted in: see [how repair works](../explanation/repair.md). Each example is a test of its operator. Plugins "
        "bring operators of its own as [contributions](hooks.md)."
    )
    rows = [
        (code(each.name), f"{each.cost:g}", each.summary, _example(each.before), _example(each.after))
        for each in OPERATORS
    ]
    yield table(("operator", "cost", "what it does", "before", "after"), rows)


def _example(text: str) -> str:
    """Lines of code in a cell, with what they are indented by."""
    lines = text.strip("\n").splitlines()
    return "<br>".join("&nbsp;" * (len(line) - len(line.lstrip())) + code(line.strip()) for line in lines)

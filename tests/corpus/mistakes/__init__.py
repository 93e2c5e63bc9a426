"""What developers do wrong, by kind: each maker goes through a file's code and yields the edits that would be that
mistake, in the order of the text. Not every edit is a fault: some change nothing, some don't compile."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tests.corpus.code_text import Code, Edit
from tests.corpus.mistakes import excess, functions, missing, operators, values, variables

Maker = Callable[[Code], Iterator[Edit]]

MAKERS: dict[str, tuple[Maker, ...]] = {
    "value": values.MAKERS,
    "operator": operators.MAKERS,
    "variable": variables.MAKERS,
    "function": functions.MAKERS,
    "missing": missing.MAKERS,
    "excess": excess.MAKERS,
}

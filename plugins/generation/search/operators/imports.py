"""Imports: a name that the file uses and nothing in it binds, or that a test asks of it."""

from __future__ import annotations

import ast
import builtins
import sys
from collections.abc import Iterator

from treadle.plugins.generation.search import facts
from treadle.plugins.generation.search.operators.operator import Family
from treadle.plugins.generation.search.operators.site import Site
from treadle.plugins.generation.search.source import FUNCTIONS, Edit, Splice

FAMILY = Family()

_HOMES = {
    "collections": "ChainMap Counter OrderedDict defaultdict deque namedtuple",
    "contextlib": "contextmanager suppress",
    "dataclasses": "asdict dataclass field",
    "datetime": "date datetime timedelta timezone",
    "decimal": "Decimal",
    "enum": "Enum IntEnum auto",
    "fractions": "Fraction",
    "functools": "cache cached_property lru_cache partial reduce total_ordering wraps",
    "itertools": "accumulate chain groupby islice pairwise product",
    "math": "ceil floor sqrt",
    "pathlib": "Path",
}
"""Names of the standard library that are mostly imported from their modules."""
_HOME_OF = {name: module for module, names in _HOMES.items() for name in names.split()}
_MOST_WIDENED = 6
"""Import statements of a file that are widened by a name, each in turn."""
_MOST_WANTED = 4
"""Names that statements are widened by: where a file has more that nothing binds, they come by another way."""


@FAMILY.operator("import-left-out", cost=0.9, on=(ast.Name,), before="x = math.pi", after="import math\n\nx = math.pi")
def import_left_out(node: ast.AST, site: Site) -> Iterator[Edit]:
    """A name that nothing binds is imported: a module, a name of the standard library, or one more of a module."""
    assert isinstance(node, ast.Name)
    unbound = _unbound(site)
    if node.id not in unbound or not isinstance(node.ctx, ast.Load):
        return
    if isinstance(site.parent(node), ast.Attribute) and node.id in sys.stdlib_module_names:
        yield _at_the_top(f"import {node.id}", site)
    if node.id in _HOME_OF:
        yield _at_the_top(f"from {_HOME_OF[node.id]} import {node.id}", site)
    if node.id not in unbound[:_MOST_WANTED]:
        return
    froms = [each for each in site.file.tree.body if isinstance(each, ast.ImportFrom) and each.module != "__future__"]
    for place, each in enumerate(froms[:_MOST_WIDENED]):
        yield from _widened(each, node.id, site, 0.2 + 0.05 * place)


@FAMILY.operator(
    "import-widened",
    cost=0.9,
    on=(ast.ImportFrom,),
    before="from m import a\n\nx = b",
    after="from m import a, b\n\nx = b",
)
def import_widened(node: ast.AST, site: Site) -> Iterator[Edit]:
    """One more name is imported from a module: one that tests can't import from this file, or that nothing binds."""
    assert isinstance(node, ast.ImportFrom)
    if node.module == "__future__":
        return
    lacking = (name for name in site.hints.lacking if name not in site.vocabulary.bound)
    for name in dict.fromkeys((*lacking, *_unbound(site)[:_MOST_WANTED])):
        yield from _widened(node, name, site, 0.0)


def _unbound(site: Site) -> list[str]:
    """The names that the file reads and nothing binds. What is imported with a star is not known."""
    bound = site.vocabulary.bound
    if "*" in bound:
        return []
    read = site.around.once(facts.names_read, site.file.tree)
    return [each for each in read if each not in bound and not hasattr(builtins, each) and not _is_special(each)]


def _is_special(name: str) -> bool:
    """Whether Python itself binds such names, as `__file__`."""
    return name.startswith("__") and name.endswith("__")


def _widened(statement: ast.ImportFrom, name: str, site: Site, extra: float) -> Iterator[Edit]:
    last = statement.names[-1]
    if last.name != "*":
        end = site.file.span(last)[1]
        yield Edit((Splice(end, end, f", {name}"),), extra)


def _at_the_top(line: str, site: Site) -> Edit:
    """The line above the first import of the file, else above its first statement."""
    body = site.file.tree.body
    documented = ast.get_docstring(site.file.tree, clean=False) is not None
    future = sum(isinstance(each, ast.ImportFrom) and each.module == "__future__" for each in body)
    first = body[documented + future] if len(body) > documented + future else body[-1]
    start = site.file.line_start(min([first.lineno, *(d.lineno for d in getattr(first, "decorator_list", []))]))
    lines = 3 if isinstance(first, (*FUNCTIONS, ast.ClassDef)) else 2
    lines = 1 if isinstance(first, ast.Import | ast.ImportFrom) else lines
    return Edit((Splice(start, start, line + lines * site.file.newline),))

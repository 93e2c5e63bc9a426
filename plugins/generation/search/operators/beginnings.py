"""What a variable is begun with before a loop goes on with it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from treadle.plugins.generation.search import container_facts, facts
from treadle.plugins.generation.search.operators.operator import Family
from treadle.plugins.generation.search.operators.site import Site
from treadle.plugins.generation.search.source import Edit

FAMILY = Family()


@FAMILY.operator(
    "begun-with-first",
    cost=1.5,
    on=(ast.Assign,),
    before="def f(a):\n    b = 0\n    for c in a:\n        b = max(b, c)\n    return b",
    after="def f(a):\n    b = a[0]\n    for c in a:\n        b = max(b, c)\n    return b",
)
def begun_with_first(node: ast.AST, site: Site) -> Iterator[Edit]:
    """In place of a number, a variable that a loop changes is begun with an item, a length or infinity."""
    assert isinstance(node, ast.Assign)
    value = node.value
    is_plain = isinstance(value, ast.Constant) and (value.value is None or type(value.value) in (int, float))
    if site.function is None or not is_plain or not all(isinstance(target, ast.Name) for target in node.targets):
        return
    if not any(
        name in site.around.once(facts.changed_in_loops, site.function) for name in facts.names_in(site.file, node)
    ):
        return
    sources = site.around.once(container_facts.gone_through, site.function)
    for place, source in enumerate(text for text in sources if text in site.variables()):
        for more, form in enumerate(("{}[0]", "{}[-1]", "len({})")):
            yield site.put(value, form.format(source), 0.1 * place + 0.1 * more)
    for place, other in enumerate(('float("inf")', 'float("-inf")')):
        yield site.put(value, other, 0.1 + 0.05 * place)

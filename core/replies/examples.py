"""The lines below a definition by which a model shows how it is used: no part of a module."""

from __future__ import annotations

import ast
import re

from treadle.core.replies.statement_lines import above, span
from treadle.core.tree.bound_names import Body, Definition, Import, is_main_block, spoken
from treadle.core.tree.shapes import shape

_SAYS_SO = re.compile(r"\s*#[\s#=-]*+(?:example|usage|sample|demo|how to use|try it|test it|quick test)", re.IGNORECASE)
_SHOWING = frozenset({"print", "pprint"})


def without_examples(sent: Body, module: Body) -> list[ast.stmt]:
    """The statements without those behind the last definition that only show what one does, and what only these use.
    What the module holds as well is none."""
    last = max((at for at, each in enumerate(sent) if isinstance(each, Definition)), default=None)
    if last is None or not sent[last + 1 :]:
        return list(sent)
    there = {shape(each) for each in module if not isinstance(each, Definition)}
    defined = {each.name for each in sent if isinstance(each, Definition)}
    return [*sent[: last + 1], *_kept(sent[last + 1 :], defined, there)]


def without_marked_example(text: str, sent: Body, module: Body) -> str:
    """The text of a whole module without what stands at its end below a comment such as `# Example usage`, where that
    only shows what the module defines, and the module had nothing of it before: it would run at each import."""
    last = max((at for at, each in enumerate(sent) if isinstance(each, Definition)), default=None)
    below = sent[last + 1 :] if last is not None else ()
    if not below:
        return text
    lines = text.split("\n")
    begins = above(lines, below[0])
    if not any(map(_SAYS_SO.match, lines[begins : span(below[0])[0]])):
        return text
    there = {shape(each) for each in module if not isinstance(each, Definition)}
    if any(shape(each) in there for each in below) or not is_example(below, sent):
        return text
    return "\n".join(lines[:begins]).rstrip() + "\n"


def is_example(sent: Body, module: Body) -> bool:
    """Whether all that was sent only shows what the module defines."""
    defined = {each.name for each in module if isinstance(each, Definition)}
    return bool(defined & spoken(sent)) and all(isinstance(each, Import) for each in _kept(sent, defined, set()))


def _kept(sent: Body, defined: set[str], there: set[tuple[object, ...]]) -> list[ast.stmt]:
    """The statements that do not only show what is defined."""
    kept: list[ast.stmt] = []
    shown: set[str] = set()
    elsewhere: set[str] = set()
    for each in reversed(sent):
        stays = shape(each) in there or is_main_block(each) or isinstance(each, Import)
        if not stays and (_shows(each, defined, shown) or _is_only_for(each, shown, elsewhere)):
            shown |= spoken([each])
        else:
            kept.append(each)
            elsewhere |= spoken([each])
    return kept[::-1]


def _shows(statement: ast.stmt, defined: set[str], shown: set[str]) -> bool:
    if isinstance(statement, ast.For | ast.While | ast.With | ast.Try):
        return all(_shows(each, defined, shown) for each in statement.body)
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        called = statement.value.func
        of = called.value if isinstance(called, ast.Attribute) else None
        is_of_example = isinstance(of, ast.Name) and of.id in shown - defined
        return is_of_example or (isinstance(called, ast.Name) and called.id in _SHOWING | defined)
    return isinstance(statement, ast.Assert)


def _is_only_for(statement: ast.stmt, examples: set[str], others: set[str]) -> bool:
    """Whether it keeps something that examples use, and nothing else does."""
    if not isinstance(statement, ast.Assign | ast.AnnAssign):
        return False
    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
    names = {target.id for target in targets if isinstance(target, ast.Name)}
    return bool(names) and names <= examples and not names & others

"""What the tests of a file held their subject to before a change, and hold it to no more."""

from __future__ import annotations

import ast
from collections import Counter, deque
from collections.abc import Iterator, Mapping
from types import MappingProxyType

from treadle.core.errors import SourceError
from treadle.core.tree.renames import with_new_names
from treadle.core.tree.shapes import shape
from treadle.core.tree.sources import decode_source, parse
from treadle.plugins.scanning.module import Hit

_Test = ast.FunctionDef | ast.AsyncFunctionDef
_MOST_NAMED = 10
NO_NAMES: Mapping[str, str] = MappingProxyType({})


def no_longer_held(before: bytes, after: bytes, renamed: Mapping[str, str] = NO_NAMES) -> Iterator[Hit]:
    """Tests and asserts that a test file held and holds no more, or in another form. A test of which nothing is
    otherwise but its name is still there, and so is one that speaks of what the change has `renamed` by its new
    name."""
    try:
        old, new = with_new_names(parse(decode_source(before)), renamed), parse(decode_source(after))
    except (SyntaxError, SourceError):
        return
    tests_before, tests_after = _tests(old), _tests(new)
    new_names = _renamed(list(tests_before.values()), list(tests_after.values()))
    kept = {place: test for place, test in tests_before.items() if test.name not in new_names}
    gone = Counter(test.name for test in kept.values()) - Counter(test.name for test in tests_after.values())
    if gone:
        yield Hit("test-deleted", 0, ", ".join(sorted(gone.elements())[:_MOST_NAMED]))
        return
    asserts = sum(map(_is_assert, ast.walk(old))) - sum(map(_is_assert, ast.walk(new)))
    if asserts > 0:
        yield Hit("asserts-removed", 0, str(asserts))
    elif changed := [test.name for place, test in kept.items() if not _is_held(place, test, tests_after)]:
        yield Hit("asserts-changed", 0, ", ".join(changed[:_MOST_NAMED]))


def _tests(tree: ast.Module) -> dict[str, _Test]:
    """The tests by their places, such as "TestSums.test_two"; of several of one place the last, which is the one that
    runs."""
    found: dict[str, _Test] = {}
    left: deque[tuple[str, ast.AST]] = deque([("", tree)])
    while left:
        around, node = left.popleft()
        for each in ast.iter_child_nodes(node):
            place = f"{around}{each.name}." if isinstance(each, _Test | ast.ClassDef) else around
            left.append((place, each))
            if isinstance(each, _Test) and each.name.startswith("test"):
                found[place] = each
    return found


def _is_held(place: str, test: _Test, tests_after: dict[str, _Test]) -> bool:
    """Whether the test holds its subject to what it did before: the one in its place does, or one of its name where
    there is none."""
    if place in tests_after:
        return _holds_still(test, tests_after[place])
    return any(_holds_still(test, each) for each in tests_after.values() if each.name == test.name)


def _holds_still(old: _Test, new: _Test) -> bool:
    """Whether each statement of the test is as it was, in their order, with nothing between them that could make them
    mean another thing; and whether it is run with the same values. What comes after all of them takes nothing back."""
    if Counter(map(shape, old.decorator_list)) - Counter(map(shape, new.decorator_list)):
        return False
    read = {node.id for node in ast.walk(old) if isinstance(node, ast.Name)}
    if not _takes_still(old.args, new.args, read):
        return False
    left = deque(map(shape, _statements(old)))
    for each in _statements(new):
        if left and shape(each) == left[0]:
            left.popleft()
        elif left and not _is_harmless(each, read):
            return False
    return not left


def _statements(test: _Test) -> list[ast.stmt]:
    return test.body[1:] if ast.get_docstring(test, clean=False) is not None else test.body


def _takes_still(old: ast.arguments, new: ast.arguments, read: set[str]) -> bool:
    """Whether the same is given to the test, and what is given besides takes the place of nothing that it reads."""
    before, now = (tuple(map(shape, (each.defaults, each.kw_defaults))) for each in (old, new))
    added = _names(new) - _names(old)
    return before == now and _names(old) <= _names(new) and not added & read


def _names(arguments: ast.arguments) -> set[str]:
    return {node.arg for node in ast.walk(arguments) if isinstance(node, ast.arg)}


def _is_harmless(statement: ast.stmt, read: set[str]) -> bool:
    """Whether it asserts, or only keeps something under names that the test did not speak of, and calls nothing."""
    if isinstance(statement, ast.Assert):
        return True
    if not isinstance(statement, ast.Assign | ast.AnnAssign) or any(
        isinstance(n, ast.Call) for n in ast.walk(statement)
    ):
        return False
    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
    return all(isinstance(target, ast.Name) and target.id not in read for target in targets)


def _renamed(before: list[_Test], after: list[_Test]) -> set[str]:
    """The tests that have another name now, by their old ones."""
    old, new = ({test.name for test in tests} for tests in (before, after))
    there = {_nameless(test) for test in after if test.name not in old}
    return {test.name for test in before if test.name not in new and _nameless(test) in there}


def _nameless(test: _Test) -> tuple[object, ...]:
    """All of a test but its name: behind another one its asserts may stand as they were, and hold nothing any more."""
    return tuple(shape(part) for part in (test.args, test.body, test.decorator_list))


def _is_assert(node: ast.AST) -> bool:
    if isinstance(node, ast.Assert):
        return True
    called = node.func.attr if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else ""
    return called.startswith("assert") or called in ("raises", "warns")

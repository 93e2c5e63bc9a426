"""What the failing tests say of the repair, beyond where it lies: the exceptions that they got and those that they
wait for."""

from __future__ import annotations

import ast
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from treadle.core.testrun import TestResult
from treadle.core.tree.workspace import Tree
from treadle.plugins.generation.search.localise import file_of_test
from treadle.plugins.generation.search.loose_ends import is_empty, kind_of
from treadle.plugins.generation.search.project import read_source
from treadle.plugins.generation.search.scope import called_name
from treadle.plugins.generation.search.source import FUNCTIONS

_RAISES = frozenset({"raises", "assertRaises", "assertRaisesRegex"})
_NOT_THERE = re.compile(r"cannot import name '(\w+)'")
_NAMES = (ast.Name, ast.Attribute)
_SHORT, _LONG = 12, 2
"""Characters of an answer that may be one for a case of its own, and how many items it does not have."""
_FAILS_PLAINLY = frozenset({"AssertionError", "Failed", ""})


@dataclass(frozen=True)
class Hints:
    """`expected`: exceptions that a failing test waits for, by their bare names, each with the words that it looks for
    in the message ("" for none). `raised`: exceptions that failing tests ended with, other than those of an
    assertion. `texts`: the strings that they speak of. `named`: all the names that stand in them, as such or as a
    text. `lacking`: what could not be imported from where it was looked for. `compared`: what each function's results
    are compared with: the kinds, as `kind_of` names them, and "tuple". `answers`: the short constants among that, the
    most frequent first. `has_fractions`: they speak of numbers that are not whole."""

    expected: tuple[tuple[str, str], ...] = ()
    raised: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    named: frozenset[str] = frozenset()
    lacking: tuple[str, ...] = ()
    compared: Mapping[str, frozenset[str]] = field(default_factory=dict)
    answers: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    has_fractions: bool = False


NONE = Hints()


def hints_of(failing: Iterable[TestResult], tree: Tree) -> Hints:
    """What these failing tests say; the text of each is looked up in its file."""
    failing = tuple(failing)
    raised = dict.fromkeys(test.exception for test in failing if test.exception not in _FAILS_PLAINLY)
    expected: dict[tuple[str, str], None] = {}
    texts: dict[str, None] = {}
    named: set[str] = set()
    compared: defaultdict[str, set[str]] = defaultdict(set)
    answers: defaultdict[str, Counter[str]] = defaultdict(Counter)
    has_fractions = False
    lacking = dict.fromkeys(name for test in failing for name in _NOT_THERE.findall(test.message))
    for test in failing:
        path, name = file_of_test(test.id), test.id.rpartition("::")[2].partition("[")[0]
        file = read_source(tree, path) if path else None
        if file is None:
            continue
        for node in ast.walk(file.tree):
            if isinstance(node, FUNCTIONS) and node.name == name:
                expected.update(dict.fromkeys(_awaited(node)))
                for function, kind, value in _compared(node):
                    compared[function].add(kind)
                    answers[function].update([value] if value else [])
                constants = [n.value for n in ast.walk(node) if isinstance(n, ast.Constant)]
                has_fractions = has_fractions or any(isinstance(v, float) and not v.is_integer() for v in constants)
                texts.update(dict.fromkeys(value for value in constants if isinstance(value, str)))
                named.update(
                    n.id if isinstance(n, ast.Name) else n.attr for n in ast.walk(node) if isinstance(n, _NAMES)
                )
    named.update(text for text in texts if text.isidentifier())
    kinds = {function: frozenset(found) for function, found in compared.items()}
    common = {function: tuple(text for text, _ in found.most_common(4)) for function, found in answers.items()}
    return Hints(
        tuple(expected), tuple(raised), tuple(texts), frozenset(named), tuple(lacking), kinds, common, has_fractions
    )


def _compared(test: ast.AST) -> Iterator[tuple[str, str, str]]:
    """The functions whose results the test compares with something, the kind of that, and its text where it is short
    and constant."""
    for node in ast.walk(test):
        sides: list[ast.expr] = []
        if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.Eq | ast.Is):
            sides = [node.left, node.comparators[0]]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "assertEqual":
            sides = node.args[:2]
        for one, other in (sides, sides[::-1]) if len(sides) == 2 else ():
            kind = "tuple" if isinstance(other, ast.Tuple) else kind_of(other, {})
            if isinstance(one, ast.Call) and isinstance(one.func, _NAMES) and (kind or isinstance(other, ast.Constant)):
                text = ast.unparse(other) if _is_constant(other) else ""
                yield (
                    one.func.id if isinstance(one.func, ast.Name) else one.func.attr,
                    kind,
                    text * (len(text) <= _SHORT),
                )


def _is_constant(node: ast.expr) -> bool:
    inner = node.operand if isinstance(node, ast.UnaryOp) else node
    if isinstance(inner, ast.List | ast.Tuple):
        return len(inner.elts) < _LONG and all(_is_constant(element) for element in inner.elts)
    return isinstance(inner, ast.Constant) or (isinstance(inner, ast.Dict) and is_empty(inner))


def _awaited(test: ast.AST) -> Iterable[tuple[str, str]]:
    for node in ast.walk(test):
        if isinstance(node, ast.Call) and node.args:
            called = called_name(node)
            if called in _RAISES:
                kinds = node.args[0].elts if isinstance(node.args[0], ast.Tuple) else [node.args[0]]
                for kind in kinds:
                    if name := kind.id if isinstance(kind, ast.Name) else getattr(kind, "attr", ""):
                        yield name, _words(node)
        elif isinstance(node, ast.ExceptHandler) and isinstance(node.type, ast.Name):
            yield node.type.id, ""


def _words(call: ast.Call) -> str:
    """What the message is to match, where that is plain text."""
    patterns = [k.value for k in call.keywords if k.arg == "match"] or call.args[1:2]
    value = patterns[0].value if patterns and isinstance(patterns[0], ast.Constant) else ""
    return value if isinstance(value, str) and re.fullmatch(r"[\w ,:;'-]*", value) else ""

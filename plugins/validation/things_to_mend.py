"""What a task wants mended by its name, `fix mean in stats.py`, and which tests are of it.

Who asks for that is not done while all tests of the thing fail as they did. Only what a verb of mending has for its
object counts, what is said to be wrong or to give one thing where it should give another, and only tests that use it by
an import of theirs.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterable

from treadle.core.errors import SourceError, UnsafePath
from treadle.core.tree.sources import decode_source, is_python, parse
from treadle.core.tree.workspace import Tree
from treadle.plugins.test_runs.functions_of_tests import TestFunction, functions_of_tests
from treadle.plugins.validation.wants_mended import NO_TEXT, is_denied

_LONGEST = 2_000
"""Characters of the task that are looked at."""
_SENTENCES = re.compile(r"[.!?;](?=\s|$)|\n")
_MEND = re.compile(r"\b(?:fix|mend|repair|correct|debug)(?!\w)", re.IGNORECASE)
_CALLED = r"(?<![\w.])(?P<name>[^\W\d][\w.]{0,100})`?(?:\([^()\n]{0,100}\))?`?"
_IS_WRONG = (
    re.compile(
        rf"{_CALLED}\s+(?:is|are|seems?|looks?)\s+(?:(?:still|just|all|totally|completely)\s+)?"
        r"(?:wrong|broken|incorrect|buggy|faulty)(?![\w-])(?!\s+(?:with|in|about)\b)"
    ),
    re.compile(
        rf"{_CALLED}\s+(?:gives|returns|yields|raises|computes|outputs)\s+[^.;!?\n]?[^;!?\n]{{0,80}}?"
        r"(?:\b(?:it|which|and|but)\s+(?:should|must|ought)\b|\binstead\s+of\b|\bbut\s+[^;!?\n]{0,40}?\bexpected\b)"
    ),
    re.compile(
        rf"\b(?:bug|fault|error|mistake)\s+(?:is\s+)?(?:in|of)\s+(?:the\s+)?(?:function\s+|method\s+)?`?{_CALLED}"
    ),
)
"""What says of something by its name that it is wrong."""
_NO_TEXT = re.compile(rf"\s+{NO_TEXT}", re.IGNORECASE)
_BEHIND_IT = re.compile(
    r"\b(?:without|but|not|except|instead|so|like|as|because|since|using|by|before|after)\b"
    r"|(?:\band|,|\bthen)\s+(?:(?:and|then)\s+)?(?:add|write|update|document|rename|remove|delete|move|make|keep|leave"
    r"|change|use|run|explain|say|tell|show)\b",
    re.IGNORECASE,
)
"""What ends the object of the verb."""
_FILE = re.compile(r"(?<![\w/.-])(?:[\w.-]+/)*(?P<module>[^\W\d]\w*)\.py\b")
_ANY_FAULT = re.compile(
    r"(?:(?:the|an?|all|any|every|this|that|these|my|our|its|is|bugs?|errors?|faults?|issues?|problems?|mistakes?|failures?"
    r"|crash(?:es)?|code|functions?|modules?|files?|wrong|broken|in|of|from|with|what|whatever|please)\b|\W)*",
    re.IGNORECASE,
)
"""Words that say of a file no more than that something in it is wrong."""
_ANYBODYS = frozenset(dir(builtins)) | {name for each in (str, bytes, list, dict, set, float) for name in dir(each)}
"""Names that tell nothing of whose they are."""


def things_to_mend(text: str) -> frozenset[str]:
    """The words of the task that may be names of what it wants mended; the modules, where it names files alone."""
    found: set[str] = set()
    for sentence in _SENTENCES.split(text[:_LONGEST]):
        for verb in _MEND.finditer(sentence):
            said = sentence[verb.end() :]
            if _NO_TEXT.match(said) and not is_denied(sentence[: verb.start()]):
                found |= _things(_BEHIND_IT.split(said)[0])
    wrong = (match["name"] for form in _IS_WRONG for match in form.finditer(text[:_LONGEST]))
    return frozenset(
        found.union(*(_things(name if _FILE.fullmatch(name) else name.rpartition(".")[2]) for name in wrong))
    )


def _things(said: str) -> set[str]:
    besides = _FILE.sub(" ", said)
    if _ANY_FAULT.fullmatch(besides):
        return {file["module"] for file in _FILE.finditer(said)}
    return set(re.findall(r"[^\W\d]\w*", besides))


def tests_of(things: frozenset[str], tests: Iterable[str], tree: Tree) -> frozenset[str]:
    """Those of the test ids whose functions use one of the things by name: what their file has imported, or an
    attribute of that name."""
    by_file: dict[str, list[str]] = {}
    for test in tests:
        by_file.setdefault(test.partition("::")[0], []).append(test)
    return frozenset(test for file, ids in by_file.items() for test in _of_file(things, file, ids, tree))


def _of_file(things: frozenset[str], file: str, tests: list[str], tree: Tree) -> list[str]:
    try:
        content = tree.read(file)
        if not is_python(file, content):
            return []
        module = parse(decode_source(content))
    except (OSError, UnsafePath, SyntaxError, SourceError):
        return []
    imported = {
        name
        for node in ast.walk(module)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
        if things & {alias.asname, *alias.name.split("."), *_module(node)}
        for name in [alias.asname or alias.name.partition(".")[0]]
    }
    functions = functions_of_tests(module)
    return [
        test
        for test in tests
        if (function := functions.get(test.partition("::")[2].partition("[")[0])) is not None
        and _uses(function, imported, things)
    ]


def _module(node: ast.Import | ast.ImportFrom) -> list[str]:
    return (node.module or "").split(".") if isinstance(node, ast.ImportFrom) else []


def _uses(function: TestFunction, imported: set[str], things: frozenset[str]) -> bool:
    return any(
        (isinstance(node, ast.Name) and node.id in imported)
        or (isinstance(node, ast.Attribute) and node.attr in things - _ANYBODYS)
        for node in ast.walk(function)
    )

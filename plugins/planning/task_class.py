"""How able a programmer a task takes, by rules: from what is at hand before any model is asked.

It lies with the planners and not in the core, since it looks at the project, with the search by which models are shown
files. Each fact weighs something for simple or for complex; where they do not add up to either, the task is of medium
difficulty. What the planner says later, who has read the code, goes before it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from treadle.core.counting import counted
from treadle.core.records import Difficulty, Task
from treadle.core.tree.workspace import Tree
from treadle.plugins.agents.repository.ranking import scores_of, texts_of
from treadle.plugins.planning.named_files import NamedFiles
from treadle.plugins.test_runs.test_places import is_test_name

ENOUGH = 2
"""What the facts must add up to for simple, or for complex."""
MANY_FILES, FEW_FILES = 4, 2
MUCH_CODE, LITTLE_CODE = 2_000, 300
"""Lines of the files that it is about."""
LONG, VERY_LONG = 150, 400
"""Words of the task."""
_NEAR_THE_BEST = 0.5
"""The part of the best file's score from which on another one counts as found."""

_SIMPLE = re.compile(
    r"\b(?:renam(?:e|ed|ing)|typos?|misspel(?:t|led|ling)|spelling|rewords?|wording|docstrings?|comments?|changelog"
    r"|unused imports?|log messages?|error messages?|bump)\b",
    re.IGNORECASE,
)
_COMPLEX = re.compile(
    r"\b(?:refactor(?:ing)?|redesign|re-?architect|rewrite|restructur(?:e|ing)|migrat(?:e|ion)|architecture|across"
    r"|everywhere|throughout|(?:all|every|each) (?:the )?(?:files?|modules?|packages?|callers?)|whole project"
    r"|concurren(?:t|cy)|thread-?saf(?:e|ety)|deadlocks?|race conditions?)\b",
    re.IGNORECASE,
)


class Classed(NamedTuple):
    """What a task is classed as, and `why`, for a person."""

    difficulty: Difficulty
    why: str


class _Fact(NamedTuple):
    """`weight` is below 0 where it speaks for simple, above where for complex."""

    weight: int
    words: str


def classed(task: Task, tree: Tree) -> Classed:
    """The class of a task of the project."""
    named = _named(task, tree.files)
    facts = [*_of_its_text(task), *_of_its_files(task, tree, named)]
    weight = sum(fact.weight for fact in facts)
    difficulty: Difficulty = "simple" if weight <= -ENOUGH else "complex" if weight >= ENOUGH else "medium"
    return Classed(difficulty, "; ".join(fact.words for fact in facts) or "nothing speaks for simple or complex")


def _of_its_text(task: Task) -> Iterator[_Fact]:
    for pattern, weight in ((_SIMPLE, -2), (_COMPLEX, 2)):
        found = list(dict.fromkeys(word.lower() for word in pattern.findall(task.text)))
        if found:
            more = (len(found) > 1) * (weight // 2)
            yield _Fact(weight + more, f"it says {', '.join(map(repr, found[:3]))}")
    words = len(task.text.split())
    if words > LONG:
        yield _Fact(2 if words > VERY_LONG else 1, f"it is {words} words long")
    if task.test_command:
        yield _Fact(-1, "the command that tests it is given")


def _of_its_files(task: Task, tree: Tree, named: tuple[str, ...]) -> Iterator[_Fact]:
    tests = [path for path in named if is_test_name(path.rpartition("/")[2])]
    files = [path for path in named if path not in tests]
    if tests:
        yield _Fact(-1, "the tests that it is about are named")
    if len(files) == 1:
        yield _Fact(-1, f"it names {files[0]} alone")
    elif len(files) >= MANY_FILES:
        yield _Fact(2, f"it names {len(files)} files")
    texts = texts_of(tree)
    is_named = bool(files)
    if not files and not task.earlier:  # the words of one that goes on say little of what it is about
        files = _found(task, texts, tree)
    lines = sum(len(texts[path].splitlines()) for path in files if path in texts)
    if lines > MUCH_CODE:
        yield _Fact(1, f"it is about {lines:,} lines in {counted(len(files), 'file')}")
    elif files and len(files) <= FEW_FILES and lines <= LITTLE_CODE:
        yield _Fact(
            -1,
            f"that is {counted(lines, 'line')}"
            if is_named
            else f"it is about {counted(lines, 'line')} in {', '.join(files)}",
        )


def _named(task: Task, files: tuple[str, ...]) -> tuple[str, ...]:
    """The files that the person named: as the task's own, where a folder stands for all in it, and in its text, by
    their path or by the end of it where only one has it."""
    found: dict[str, None] = {}
    for place in task.files:
        folder = place.removeprefix("./").rstrip("/")
        found |= dict.fromkeys(path for path in files if path == folder or path.startswith(f"{folder}/"))
    return tuple(found | dict.fromkeys(NamedFiles(files).in_text(task.text)))


def _found(task: Task, texts: dict[str, str], tree: Tree) -> list[str]:
    """The files that the task's words find, tests left aside."""
    scores = scores_of(texts, task.text, tree.source_roots())
    code = {path: score for path, score in scores.items() if not is_test_name(path.rpartition("/")[2])}
    best = max(code.values(), default=0.0)
    return [path for path, score in sorted(code.items()) if best and score >= best * _NEAR_THE_BEST]

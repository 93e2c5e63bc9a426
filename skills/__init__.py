"""Verified skills: small typed functions with documentation and tests, ready to be copied or imported.

One module each, standing alone: the standard library is all that they import. `catalogue` lists them and `find` ranks
them for words, both without importing one.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeVar

__all__ = ["Findable", "Skill", "catalogue", "find"]

_HERE = Path(__file__).resolve().parent


@dataclass(frozen=True, slots=True)
class Skill:
    """One skill. `summary` is the first line of its docstring, `words` what it can be found by; `signature` has one
    line for each public function, then for each public class."""

    name: str
    summary: str
    words: tuple[str, ...]
    module: str
    path: Path
    signature: str

    @property
    def code(self) -> str:
        """The module's text."""
        return self.path.read_text(encoding="utf-8")

    @property
    def tests(self) -> Path | None:
        """Its tests; None where they are not installed (they are part of a checkout, not of the wheel)."""
        place = self.path.parent.parent / "tests" / "skills" / f"test_{self.name}.py"
        return place if place.is_file() else None


class Findable(Protocol):
    """What a skill can be found by; it must be hashable."""

    @property
    def name(self) -> str: ...

    @property
    def summary(self) -> str: ...

    @property
    def words(self) -> tuple[str, ...]: ...


T = TypeVar("T", bound=Findable)


def catalogue(folder: Path = _HERE) -> tuple[Skill, ...]:
    """Every skill of the folder by name, read from the files; none is imported. Raises `SyntaxError` for a file that is
    not Python, and `ValueError` for one without a docstring."""
    return tuple(_read(path) for path in sorted(folder.glob("*.py")) if not path.name.startswith("_"))


def find(words: str | Iterable[str], skills: Iterable[T]) -> tuple[T, ...]:
    """The skills that any of the words fits, the best first: by how many of the words fit, then by how well (the name
    counts more than the listed words, these more than the summary), then by name. No words: all of them."""
    known = tuple(skills)
    wanted = _split(words if isinstance(words, str) else " ".join(words))
    if not wanted:
        return known
    scores = {skill: [_score(word, skill) for word in wanted] for skill in known}
    hits = [skill for skill in known if any(scores[skill])]
    return tuple(sorted(hits, key=lambda s: (-sum(map(bool, scores[s])), -sum(scores[s]), s.name)))


def _score(word: str, skill: Findable) -> int:
    places = ((_split(skill.name), 8), (skill.words, 6), (_split(skill.summary), 3))
    return max(
        (
            weight if word == other else weight - 2
            for others, weight in places
            for other in others
            if _stem(word) == _stem(other) or (len(word) >= 3 and other.startswith(word))
        ),
        default=0,
    )


def _stem(word: str) -> str:
    """The word without the endings of plurals and verbs, so that "merging", "merges" and "merge" are one."""
    return re.sub(r"(?<=...)(ing|ed|es|s|e)$", "", word)


def _split(text: str) -> tuple[str, ...]:
    return tuple(re.findall(r"[a-z0-9]+", text.lower()))


def _read(path: Path) -> Skill:
    tree = ast.parse(path.read_text(encoding="utf-8"), filename=str(path))
    docstring = ast.get_docstring(tree)
    if not docstring:
        raise ValueError(f"{path} has no docstring, so it can't be listed as a skill")
    listed = re.search(r"^Words:(.*(?:\n.+)*)", docstring, re.MULTILINE)
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef) and not node.name.startswith("_")]
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef) and not node.name.startswith("_")]
    return Skill(
        name=path.stem,
        summary=docstring.splitlines()[0],
        words=_split(listed[1]) if listed else (),
        module=f"treadle.skills.{path.stem}" if path.parent == _HERE else path.stem,
        path=path,
        signature="\n".join([*map(_function, functions), *map(_class, classes)]),
    )


def _function(node: ast.FunctionDef) -> str:
    answer = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    return f"{node.name}({', '.join(_arguments(node.args))}){answer}"


def _class(node: ast.ClassDef) -> str:
    for member in node.body:
        if isinstance(member, ast.FunctionDef) and member.name == "__init__":
            return f"{node.name}({', '.join(_arguments(member.args)[1:])})"
    return f"{node.name}({', '.join(ast.unparse(m) for m in node.body if isinstance(m, ast.AnnAssign))})"


def _arguments(node: ast.arguments) -> list[str]:
    """Each argument as it is written by hand; `ast.unparse` leaves out the spaces around defaults."""
    positional = [*node.posonlyargs, *node.args]
    required = len(positional) - len(node.defaults)
    shown = [_argument(a, node.defaults[i - required] if i >= required else None) for i, a in enumerate(positional)]
    if node.posonlyargs:
        shown.insert(len(node.posonlyargs), "/")
    if node.vararg:
        shown.append("*" + _argument(node.vararg, None))
    elif node.kwonlyargs:
        shown.append("*")
    shown += [_argument(a, default) for a, default in zip(node.kwonlyargs, node.kw_defaults, strict=True)]
    if node.kwarg:
        shown.append("**" + _argument(node.kwarg, None))
    return shown


def _argument(node: ast.arg, default: ast.expr | None) -> str:
    typed = f"{node.arg}: {ast.unparse(node.annotation)}" if node.annotation else node.arg
    if default is None:
        return typed
    return f"{typed}{' = ' if node.annotation else '='}{ast.unparse(default)}"

"""The signs that a text leaves out a part of the file that it is to be, and has something in its place."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from treadle.core.replies.placeholders import is_placeholder, only_stands_for_code
from treadle.core.replies.statement_lines import span
from treadle.core.tree.bound_names import Body, Function, body_of, spoken, without_docstring
from treadle.core.tree.shapes import shape

# Both are for a line without the blanks around it, and give back none within: the time grows with its length only.
_ELLIPSIS = re.compile(r"(?:#+|//|--|;|/\*|<!--|\{/\*)?\s*+[\[(<]?\s*+(?:\.{3,}|…)\s*+(?P<words>.*)$")
_REST = re.compile(
    r"\b(?:rest of|remaining|remainder|existing|unchanged|same as|as before|previous"
    r"|other (?:functions|methods|code|imports)|stays? the same)\b",
    re.IGNORECASE,
)
_REST_COMMENT = re.compile(
    r"(?:#+|//|--|/\*|<!--)\s*+[(\[]?\s*+(?:the )?"
    r"(?:rest of (?:the|your|this)|existing|remaining|previous|other|all other)\b"
    r"[^.]{0,40}\b(?:code|file|functions?|methods?|class|module|imports?|implementation|content)\b"
    r"[^.]{0,20}(?:unchanged|here|same|as (?:before|is)|remains?|stays?|goes)",
    re.IGNORECASE,
)
_SO_ON_PURPOSE = frozenset({"abstractmethod", "overload"})
_FORMS = frozenset({"Protocol", "ABC", "ABCMeta"})
"""Classes with one of these bases say of their methods only what they are called with."""


def elision(text: str, old: str | None) -> str | None:
    """The line that stands for code left out, None when there is none. A line that the file already held is no sign."""
    kept = set(old.split("\n")) if old is not None else set()
    for line in text.split("\n"):
        if line in kept:
            continue
        said = line.strip()
        dots = _ELLIPSIS.match(said)
        if dots and (_REST.search(dots["words"]) or (old is not None and dots["words"] == "" and said[0] in "#/-;<{")):
            return said
        if _REST_COMMENT.match(said) or is_placeholder(said):
            return said
    if _dots_among_others(text) and not (old and _dots_among_others(old)):
        return "..."
    return _body_left_out(text, old) if old else None


def stands_for(old: ast.stmt, new: ast.stmt, lines: Sequence[str]) -> bool:
    """Whether a function, which these lines hold, is there only in the name of the old one: it has dots in the place of
    its body, or nothing below a comment that says so."""
    if not isinstance(old, Function) or not isinstance(new, Function) or _is_bare(old):
        return False
    if not _is_bare(new) or spoken(new.decorator_list) & _SO_ON_PURPOSE:
        return False
    held = lines[slice(*span(new))]
    return not any(isinstance(each, ast.Pass) for each in new.body) or any(map(only_stands_for_code, held))


def _is_bare(function: Function) -> bool:
    """Whether it has dots for a body, or `pass`."""
    body = without_docstring(function.body)
    return bool(body) and all(isinstance(each, ast.Pass) or _is_dots(each) for each in body)


def _is_dots(statement: ast.stmt) -> bool:
    value = statement.value if isinstance(statement, ast.Expr) else None
    return isinstance(value, ast.Constant) and value.value is Ellipsis


def _body_left_out(text: str, old: str) -> str | None:
    """The first line of a function that only stands for the old one."""
    if "..." not in text and "pass" not in text:
        return None
    bare = [(name, each) for name, each in _functions(body_of(text) or ()) if _is_bare(each)]
    lines, there = text.split("\n"), dict(_functions(body_of(old) or ())) if bare else {}
    found = (each for name, each in bare if name in there and stands_for(there[name], each, lines))
    return next((lines[each.lineno - 1].strip() for each in found), None)


def _functions(body: Body, inside: str = "") -> Iterator[tuple[tuple[str, object], Function]]:
    """Functions and methods, by their names and what decorates them; of no class that has no bodies on purpose."""
    for each in body:
        if isinstance(each, Function):
            yield (f"{inside}{each.name}", shape(each.decorator_list)), each
        elif isinstance(each, ast.ClassDef) and not inside and not spoken(each.bases) & _FORMS:
            yield from _functions(each.body, f"{each.name}.")


def _dots_among_others(text: str) -> bool:
    """Whether three dots stand among other statements of Python: alone they are an empty body."""
    found = body_of(text) if "..." in text else None
    bodies = (getattr(node, "body", None) for each in found or () for node in ast.walk(each))
    return any(
        _is_dots(each)
        for body in (found, *bodies)
        if isinstance(body, list) and len(without_docstring(body)) > 1
        for each in body
    )
